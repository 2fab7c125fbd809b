import type { SourceFile, Span } from '../parse/diagnostics/index.js';
import { position } from '../parse/diagnostics/index.js';
import type { Fix } from '../analyses/repair/fix.js';
import type { PrintedAddition, PrintedRepair } from '../analyses/repair/print.js';
import { isCheapest, ownerOf } from '../analyses/repair/print.js';
import { groupBy } from '../model/relation/groups.js';
import { WIDTH, wrapSentence } from './explain-style.js';
import { loopBound, roomInWords } from './outcome.js';

/** What would change an answer, as lines for the terminal. */
export function fixLines(fix: Fix, source: SourceFile): readonly string[] {
  switch (fix.kind) {
    case 'undecided':
      return [`No fix is looked for: ${fix.reason}`];
    case 'right':
      return ['Nothing has to be added: no bad state is reached.'];
    case 'additions':
      return repairLines(fix.repair, source, 'rules this out');
    case 'obstacles':
      return obstacleLines(fix);
  }
}

/**
 * A repair as lines for the terminal: what to add where, and the program with the additions.
 *
 * @param effect what the additions achieve, as a verb: `rules this out`
 */
export function repairLines(
  repair: PrintedRepair,
  source: SourceFile,
  effect: string,
): readonly string[] {
  switch (repair.kind) {
    case 'none':
      return [noRepair(repair, effect)];
    case 'unknown':
      return wrapSentence(`Whether additions help is unknown: ${repair.reason}`, WIDTH - 4, '  ');
    case 'found': {
      const { cost, upTo, full, perhapsDear = false, unsure } = repair;
      const which = isCheapest(repair) ? 'The cheapest that' : 'What';
      const others = unsure === true ? '; not all that cost less was tried' : '';
      const late = perhapsDear ? '; there was no time to find the cheapest' : others;
      const runs = upTo === undefined ? '' : ` for runs with ${loopBound(upTo)}`;
      const room =
        full === undefined ? '' : ` ${roomInWords({ room: full.room, full: full.calls })}`;
      return [
        `${which} ${effect} (cost ${cost}, verified${runs}${room}${late}):`,
        ...[
          ...retaggedLines(repair, source),
          ...registrationLines(repair),
          ...replacedLines(repair, source),
          ...additionLines(repair.additions, source),
        ].map((line) => `  ${line}`),
        ...aboutPatch(repair),
        ...(repair.inC?.kind === 'patch' ? [] : ['', ...repair.litmus.trimEnd().split('\n')]),
      ];
    }
  }
}

/** What is to be said of the patch of a C file: why there is none, or that it changes more. */
function aboutPatch({
  inC,
}: Extract<PrintedRepair, { readonly kind: 'found' }>): readonly string[] {
  if (inC?.kind === 'none') {
    return wrapSentence(`No patch of the C: ${inC.reason}.`, WIDTH - 4, '  ');
  }
  if (inC?.more !== true) return [];
  const more = 'The patch changes more than that; the answer was decided with all of it.';
  return wrapSentence(more, WIDTH - 4, '  ');
}

/** The patch of a C file as lines, which are not indented: so `patch -p0` and `git apply -p0` take what is printed. */
export const patchLines = (repair: PrintedRepair | undefined): readonly string[] =>
  repair?.kind === 'found' && repair.inC?.kind === 'patch'
    ? repair.inC.diff.replace(/\n$/, '').split('\n')
    : [];

export const fixPatchLines = (fix: Fix): readonly string[] =>
  fix.kind === 'additions' ? patchLines(fix.repair) : [];

/** @param effect what is wanted of additions, as a verb: `rules this out` */
export const noRepair = (
  { unsure }: Extract<PrintedRepair, { readonly kind: 'none' }>,
  effect: string,
): string =>
  unsure === true
    ? `Nothing was found that ${effect}, but not all ways to put additions together were tried.`
    : `No fence, poll or get of those that were tried ${effect}.`;

/**
 * Which atomics the own card performs instead of the CPU:
 * `T1: put card := rcas(l^1, 0, 1); … in the place of r := CAS(l, 0, 1) (10:22)`.
 */
const replacedLines = (
  { replaced = [] }: Extract<PrintedRepair, { readonly kind: 'found' }>,
  source: SourceFile,
): readonly string[] =>
  replaced.map(({ thread, text, insteadOf, span }) => {
    const { line, column } = position(source.text, span.start);
    return `${thread}: put ${text} in the place of ${insteadOf} (${line}:${column})`;
  });

/** Which locations and calls have other tags: `node 2: put x = 0 [t] in the place of x = 0 (5:10)`. */
const retaggedLines = (
  { retagged = [] }: Extract<PrintedRepair, { readonly kind: 'found' }>,
  source: SourceFile,
): readonly string[] => {
  const told = retagged.map((one) => {
    const { line, column } = position(source.text, one.span.start);
    const at = one.lines === undefined ? `${line}:${column}` : `line ${one.lines}`;
    const what = `put ${one.text} in the place of ${one.insteadOf} (${at})`;
    return { who: ownerOf(one), what };
  });
  return [...groupBy(told, ({ what }) => what)].map(
    ([what, all]) => `${all.map(({ who }) => who).join(', ')}: ${what}`,
  );
};

/** What other tags of locations mean for the code of a C file, of which the head speaks. */
function registrationLines({
  inC,
  retagged = [],
}: Extract<PrintedRepair, { readonly kind: 'found' }>): readonly string[] {
  if (inC === undefined) return [];
  const names = retagged
    .filter(({ node, tags, insteadOf }) => {
      const isRelaxed = insteadOf.includes('[relaxed]') && !tags.includes('relaxed');
      return node !== undefined && (tags.includes('strict') || isRelaxed);
    })
    .map(({ text }) => /^\S+/.exec(text)![0]);
  if (names.length === 0) return [];
  return [`in the code: register ${names.join(', ')} without IBV_ACCESS_RELAXED_ORDERING`];
}

/** `T1: add poll(2) before x := 1 (7:3)`, or `T1: test s before x^2 := 1 (7:3)`. The same addition to several threads of a family is one line. */
function additionLines(
  additions: readonly PrintedAddition[],
  source: SourceFile,
): readonly string[] {
  const told = additions.map(({ thread, kind, text, place }) => {
    const where = 'before' in place ? `before ${place.before}` : `at the end of ${place.endOf}`;
    const { line, column } = position(source.text, place.span.start);
    const what = kind === 'status' ? `test ${testedIn(text)}` : `add ${text}`;
    const at = place.lines === undefined ? `${line}:${column}` : `line ${place.lines}`;
    return { thread, what: `${what} ${where} (${at})` };
  });
  // The same addition to one thread may be needed twice, and then must be told twice.
  const nth = (i: number): number =>
    told.slice(0, i).filter((o) => o.thread === told[i].thread && o.what === told[i].what).length;
  const same = groupBy(told.keys(), (i) => `${nth(i)} ${told[i].what}`).values();
  return [...same].map(
    (all) => `${all.map((i) => told[i].thread).join(', ')}: ${told[all[0]].what}`,
  );
}

/** The register that a test is of: `s` for `if (s = 0) { … }`. */
const testedIn = (text: string): string => /\((\w+)/.exec(text)![1];

/** A fix as `--json` prints it: places have lines and columns, and never offsets. */
export const fixJson = (fix: Fix, source: SourceFile): object =>
  fix.kind === 'additions' ? { ...fix, repair: repairJson(fix.repair, source) } : fix;

export function repairJson(repair: PrintedRepair, source: SourceFile): object {
  if (repair.kind !== 'found') return repair;
  const additions = repair.additions.map(({ place: { span, path: _, ...place }, ...addition }) => ({
    ...addition,
    place: { ...place, ...position(source.text, span.start) },
  }));
  const placed = <One extends { readonly span: Span }>({ span, ...one }: One) => ({
    ...one,
    ...position(source.text, span.start),
  });
  const replaced = repair.replaced?.map(placed);
  const retagged = repair.retagged?.map(placed);
  const { inC, ...rest } = repair;
  const patch = inC?.kind === 'patch' ? inC.diff : undefined;
  const noPatch = inC?.kind === 'none' ? inC.reason : undefined;
  return { ...rest, additions, replaced, retagged, patch, noPatch };
}

function obstacleLines({
  instructions,
  entries,
  finished,
}: Extract<Fix, { readonly kind: 'obstacles' }>): readonly string[] {
  const lines = [
    ...instructions.map(
      ({ text, thread, lines: at }) =>
        `  ${text} of ${thread}${at === undefined ? '' : `, line ${at}`}`,
    ),
    ...entries.map((e) => `  ${e.map(({ table, text }) => `${table}: ${text}`).join(' and ')}`),
  ];
  const rest = finished
    ? []
    : ['There was no time to try all fences, polls and entries of tables.'];
  if (lines.length === 0) {
    return ['No single fence, poll or entry of a table stands in the way of it.', ...rest];
  }
  return ['It would be possible without any one of these:', ...lines, ...rest];
}
