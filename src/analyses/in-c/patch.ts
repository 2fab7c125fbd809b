import { unifiedDiff } from '../../c/edit/diff.js';
import type { Edit } from '../../c/edit/insert.js';
import { edited } from '../../c/edit/insert.js';
import { sourceOf } from '../../c/edit/source.js';
import { NO_CHARACTER } from '../../c/read.js';
import type { SourceFile } from '../../parse/diagnostics/index.js';
import type { Program } from '../../program/program.js';
import { knownPosting } from '../../rdma/postings.js';
import type { Patch, PrintedAddition, PrintedRepair, PrintedRetag } from '../repair/print.js';
import type { Added, Replaced } from './changes.js';
import { headOf, instructionAt, isChanged, keyOf } from './changes.js';
import type { ReadProgram } from './probe.js';
import { Probe } from './probe.js';
import type { Option } from './search.js';
import { Search } from './search.js';

type Found = Extract<PrintedRepair, { readonly kind: 'found' }>;

/** What cannot be written in C, by the kind of an addition. */
const NOT_IN_C: Partial<Record<PrintedAddition['kind'], string>> = {
  status: 'a test of a status holds all that is behind it',
  'rfaa-and-poll': 'an atomic of its own is not written in C yet',
};

/** What nothing was found for. */
const WHY_NOT: Readonly<Record<Replaced['kind'], string>> = {
  tag: 'no flags were found that make the request signalled',
  acquire: 'no access was found there that can have that order',
};

/**
 * Writes the additions of a repair into a C file, so that it is read as the program with them. Whether the answer is another one then is for
 * the caller to check.
 *
 * @param program the program that the file is
 * @param read reads a text of C as a program
 */
export function patchOf(
  source: SourceFile,
  program: Program,
  repair: Found,
  read: ReadProgram,
): Patch {
  const none = (reason: string): Patch => ({ kind: 'none', reason });
  const file = sourceOf(source);
  if (file === undefined) return none('the file has no head');
  if (source.text.includes(NO_CHARACTER)) return none('the file is not UTF-8 text');
  if (repair.replaced !== undefined) return none('other instructions stand in the place of some');
  for (const { kind } of repair.additions) {
    const reason = NOT_IN_C[kind];
    if (reason !== undefined) return none(reason);
  }
  if (repair.additions.some(({ text }) => /\bwait\(/.test(text))) {
    return none('under this model threads wait by identifiers, which C does not have');
  }
  const wanted = addedBy(program, repair.additions);
  if (wanted === undefined) return none('the program was changed before the additions were found');
  const statements = joined(wanted.map(withoutFences));
  const fences = joined(wanted.map(fencesOf));
  const search = new Search(new Probe(file, program, read), [...statements, ...fences]);
  const { retagged = [] } = repair;
  const replaced = callsOf(program, retagged);
  const changed = search.replace(replaced);
  if ('heads' in changed) return none(WHY_NOT[changed.kind]);
  const found = search.allStatements(statements);
  if ('steps' in found) return none(search.whyNot(found));
  const options: Option[] = [...found];
  for (const one of fences) {
    if (options.some(({ meant }) => meant.includes(one))) continue;
    const request = instructionAt(program, one);
    if (request === undefined || knownPosting(program, request).kind !== 'posted') {
      return none(`${one.steps.join('; ')} is not just before a request, whose flag it could be`);
    }
    const option = search.fence(one, request);
    if (option === undefined) return none(search.whyNot(one));
    options.push(option);
  }
  const edits = distinct([
    ...options.flatMap((one) => one.edits),
    ...changed,
    ...retagged.flatMap((one) => declared(source, one)),
  ]);
  const made = edited(source.text, edits);
  if (made === undefined) return none('all the lines do not go together');
  const after = read(made.text);
  if (!after.ok) return none(`all the lines do not go together: ${after.errors[0].message}`);
  const added = options.flatMap((one) => one.added);
  const isOnly =
    added.every(({ besides }) => besides !== true) &&
    isChanged(program, after.value, { added, replaced });
  const diff = unifiedDiff(source.path, source.text, edits);
  return { kind: 'patch', text: made.text, diff, more: !isOnly };
}

/** What is added where; undefined: the program is not the one that was repaired. */
function addedBy(
  program: Program,
  additions: readonly PrintedAddition[],
): readonly Added[] | undefined {
  const added: Added[] = [];
  for (const { thread: name, text, place } of additions) {
    const thread = program.threads.findIndex((one) => one.name === name);
    const one = { thread, place: place.path, steps: text.split('; ') };
    if (thread < 0) return undefined;
    const next = instructionAt(program, one);
    const text_ = next && headOf(program, thread, next);
    if ('before' in place ? text_ !== place.before : next !== undefined) return undefined;
    added.push(one);
  }
  return joined(added);
}

/** The additions of one place as one. */
function joined(all: readonly Added[]): readonly Added[] {
  const byPlace = new Map<string, Added>();
  for (const one of all) {
    if (one.steps.length === 0) continue;
    const before = byPlace.get(keyOf(one));
    const steps = [...(before?.steps ?? []), ...one.steps];
    byPlace.set(keyOf(one), { ...one, steps });
  }
  return [...byPlace.values()];
}

/** The calls that have other tags, and the accesses that have more order. */
const callsOf = (program: Program, retagged: readonly PrintedRetag[]): readonly Replaced[] =>
  retagged.flatMap(({ kind, thread: name, text, span: { start, end } }) => {
    const thread = program.threads.findIndex((one) => one.name === name);
    return name === undefined ? [] : [{ kind, thread, start, end, heads: text.split('; ') }];
  });

/** The declaration of a location in the head, with other tags. */
function declared({ text }: SourceFile, { node, tags, span }: PrintedRetag): readonly Edit[] {
  const found = /^[^=]*=\s*-?\d+/.exec(text.slice(span.start, span.end));
  if (node === undefined || found === null) return [];
  const all = tags.map((tag) => ` [${tag}]`).join('');
  return [{ start: span.start, end: span.end, text: `${found[0]}${all}` }];
}

function distinct(edits: readonly Edit[]): readonly Edit[] {
  const keys = edits.map(({ start, end, text }) => `${start} ${end} ${text}`);
  return edits.filter((_, i) => keys.indexOf(keys[i]) === i);
}

const isFence = (step: string): boolean => step.startsWith('rfence(');
const withoutFences = (one: Added): Added => ({
  ...one,
  steps: one.steps.filter((step) => !isFence(step)),
});
const fencesOf = (one: Added): Added => ({ ...one, steps: one.steps.filter(isFence) });
