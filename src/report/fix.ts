import type { SourceFile } from '../parse/diagnostics/index.js';
import { position } from '../parse/diagnostics/index.js';
import type { Fix } from '../analyses/repair/fix.js';
import type { PrintedAddition, PrintedRepair } from '../analyses/repair/print.js';
import { groupBy } from '../model/relation/groups.js';
import { WIDTH, wrapSentence } from './explain-style.js';
import { loopBound } from './outcome.js';

/** What would change an answer, in lines for the terminal. */
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
 * A repair in lines: what is added where, and the program with it.
 *
 * @param effect what the additions do, as in "rules this out"
 */
export function repairLines(
  repair: PrintedRepair,
  source: SourceFile,
  effect: string,
): readonly string[] {
  switch (repair.kind) {
    case 'none':
      return [`No fence, poll or get of those that were tried ${effect}.`];
    case 'unknown':
      return wrapSentence(`Whether additions help is unknown: ${repair.reason}`, WIDTH - 4, '  ');
    case 'found': {
      const { cost, upTo, full, perhapsDear = false, replaced } = repair;
      // Not all ways to have cards do what CPUs did are tried.
      const which = perhapsDear || replaced !== undefined ? 'What' : 'The cheapest that';
      const late = perhapsDear ? '; there was no time to find the cheapest' : '';
      const runs = upTo === undefined ? '' : ` for runs with ${loopBound(upTo)}`;
      const room =
        full === undefined
          ? ''
          : ` for buffers of at most ${full.room} entries: full was ${full.buffers.join(', ')}`;
      return [
        `${which} ${effect} (cost ${cost}, verified${runs}${room}${late}):`,
        ...[...replacedLines(repair, source), ...additionLines(repair.additions, source)].map(
          (line) => `  ${line}`,
        ),
        '',
        ...repair.litmus.trimEnd().split('\n'),
      ];
    }
  }
}

/** What the own card does in the place of the CPU: `T1: card := rcas(l^1, 0, 1); … in the place of r := CAS(l, 0, 1) (10:22)`. */
const replacedLines = (
  { replaced = [] }: Extract<PrintedRepair, { readonly kind: 'found' }>,
  source: SourceFile,
): readonly string[] =>
  replaced.map(({ thread, text, insteadOf, span }) => {
    const { line, column } = position(source.text, span.start);
    return `${thread}: put ${text} in the place of ${insteadOf} (${line}:${column})`;
  });

/** `T1: add poll(2) before x := 1 (7:3)`; what threads of a family have in common is in one line. */
function additionLines(
  additions: readonly PrintedAddition[],
  source: SourceFile,
): readonly string[] {
  const told = additions.map(({ thread, text, place }) => {
    const where = 'before' in place ? `before ${place.before}` : `at the end of ${place.endOf}`;
    const { line, column } = position(source.text, place.span.start);
    return { thread, what: `add ${text} ${where} (${line}:${column})` };
  });
  // A thread may have the same twice.
  const nth = (i: number): number =>
    told.slice(0, i).filter((o) => o.thread === told[i].thread && o.what === told[i].what).length;
  const same = groupBy(told.keys(), (i) => `${nth(i)} ${told[i].what}`).values();
  return [...same].map(
    (all) => `${all.map((i) => told[i].thread).join(', ')}: ${told[all[0]].what}`,
  );
}

/** A fix as `--json` has it: its places with their lines and columns. */
export const fixJson = (fix: Fix, source: SourceFile): object =>
  fix.kind === 'additions' ? { ...fix, repair: repairJson(fix.repair, source) } : fix;

export function repairJson(repair: PrintedRepair, source: SourceFile): object {
  if (repair.kind !== 'found') return repair;
  const additions = repair.additions.map(({ place: { span, ...place }, ...addition }) => ({
    ...addition,
    place: { ...place, ...position(source.text, span.start) },
  }));
  const replaced = repair.replaced?.map(({ span, ...one }) => ({
    ...one,
    ...position(source.text, span.start),
  }));
  return { ...repair, additions, replaced };
}

function obstacleLines({
  instructions,
  entries,
  finished,
}: Extract<Fix, { readonly kind: 'obstacles' }>): readonly string[] {
  const lines = [
    ...instructions.map((i) => `  ${i.text} of ${i.thread}`),
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
