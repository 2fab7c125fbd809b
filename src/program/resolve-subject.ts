import type { Report } from '../parse/diagnostics/index.js';
import { didYouMean } from '../parse/diagnostics/index.js';
import type { NameRecorder } from '../parse/links.js';
import type { Ident, Observable } from '../parse/litmus-ast.js';
import type { Program, RunSubject, Subject } from './program.js';

/** The program of the queries, and the receivers of reports and names. */
export interface QueryScope {
  readonly program: Program;
  readonly report: Report;
  readonly names?: NameRecorder;
}

/** The meaning of a name in a query about runs: a ghost, or the same as elsewhere. */
export function runSubject(asked: QueryScope, at: Observable): RunSubject {
  const { ghosts = [] } = asked.program;
  const ghost = ghosts.findIndex(({ name }) => name === at.name.text);
  if (ghost < 0 || at.thread !== undefined) return subject(asked, at);
  asked.names?.use(at.name, ['shared']);
  return { kind: 'ghost', ghost };
}

/** Finds the location or register that a name in a query means. It is an error if there is none, or two. */
export function subject(asked: QueryScope, at: Observable): Subject {
  const { program, report } = asked;
  const none: Subject = { kind: 'location', location: 0 };
  const owner = at.thread === undefined ? undefined : threadOf(asked, at.thread);
  if (owner === -1) return none;
  recordSubject(asked, at, owner);
  const found = meant(program, at.name.text, owner);
  if (found.length === 0) {
    reportUnknown(program, at, owner, report);
    return none;
  }
  if (found.length > 1) checkOne(program, at, found, report);
  return found[0];
}

function recordSubject(
  { program, names }: QueryScope,
  { name }: Observable,
  owner: number | undefined,
): void {
  const asked = owner === undefined ? program.threads : [program.threads[owner]];
  const own = asked.map((thread) => `own ${thread.name}` as const);
  names?.use(name, owner === undefined ? ['shared', ...own] : own);
}

/** Everything with this name: of all threads, or of one. */
function meant(program: Program, name: string, owner: number | undefined): readonly Subject[] {
  const found: Subject[] = [];
  program.locations.forEach((l, location) => {
    if (l.hidden === true || l.name !== name) return;
    if (owner === undefined || l.owner === owner) found.push({ kind: 'location', location });
  });
  program.threads.forEach((t, thread) => {
    const register = t.registers.indexOf(name);
    if (register < 0 || (owner !== undefined && owner !== thread)) return;
    found.push({ kind: 'register', thread, register });
  });
  return found;
}

function checkOne(
  { locations, threads }: Program,
  { name, span }: Observable,
  found: readonly Subject[],
  report: Report,
): void {
  const owners = found.map((s) => (s.kind === 'register' ? s.thread : locations[s.location].owner));
  // Two declared locations with one name were already reported at their declarations.
  if (owners.includes(undefined)) return;
  const choice = owners.map((o) => `${threads[o!].name}:${name.text}`).join(' or ');
  report(span, `'${name.text}' is a private name of several threads`, `write ${choice}`);
}

function reportUnknown(
  program: Program,
  at: Observable,
  owner: number | undefined,
  report: Report,
): void {
  const { text: name, span } = at.name;
  if (program.ghosts?.some((ghost) => ghost.name === name)) {
    report(span, `'${name}' is a ghost: it has no final value`, `ask never (…) of it`);
    return;
  }
  const shared = program.locations.find((l) => l.name === name && l.owner === undefined);
  if (owner !== undefined && shared !== undefined) {
    const message = `'${name}' is a location of node ${shared.node}, not a private name`;
    report(at.span, message, `write ${name}`);
    return;
  }
  const known = new Set<string>();
  const asked = (thread: number | undefined) => owner === undefined || owner === thread;
  for (const l of program.locations) if (l.hidden !== true && asked(l.owner)) known.add(l.name);
  program.threads.forEach((t, i) => asked(i) && t.registers.forEach((r) => known.add(r)));
  if (owner === undefined && reportCopies(program, at, report)) return;
  const what =
    owner === undefined ? 'location or register' : `name of ${program.threads[owner].name}`;
  report(span, `unknown ${what} '${name}'`, () => didYouMean(name, known));
}

/** Reports an object: its copies have final values, not the object. */
function reportCopies(program: Program, { name }: Observable, report: Report): boolean {
  const object = program.objects?.find((one) => one.name === name.text);
  if (object === undefined) return false;
  const copies = Object.values(object.cells).map((cell) => program.locations[cell].name);
  const message = `'${name.text}' is an object of library ${object.library}, and has no value`;
  report(name.span, message, copies.length > 0 ? `there is ${copies.join(', ')}` : undefined);
  return true;
}

/** The index of a thread, which is given by its name or, as in herd7, by its number; -1 after reporting. */
function threadOf({ program, report, names: recorder }: QueryScope, given: Ident): number {
  const { text, span } = given;
  const names = program.threads.map(({ name }) => name);
  const isNumber = /^[0-9]+$/.test(text);
  const index = isNumber ? Number(text) : names.indexOf(text);
  if (index >= 0 && index < names.length) {
    recorder?.use(given, ['thread'], names[index]);
    return index;
  }
  const numbers = names.map((name, i) => `${i} for ${name}`).join(', ');
  const hint = isNumber ? `threads count from 0: ${numbers}` : () => didYouMean(text, names);
  report(span, isNumber ? `there is no thread ${text}` : `unknown thread '${text}'`, hint);
  return -1;
}
