import { INTERRUPTION } from '../check/result.js';
import { wrapSentence } from './explain-style.js';
import { interruptedAfter } from './interruption.js';
import { modelTable } from './model-table.js';
import type { VerdictRecord } from './record.js';
import { showQuery } from '../program/print.js';
import { byTest } from './record.js';
import type { TableRow } from './table.js';

/**
 * The verdict on a query under one of the two models; or the words that say why there is none: `undecided under sc: …`.
 */
type ComparedSide =
  | { readonly verdict: string }
  | { readonly interrupted: boolean; readonly lack: (model: string) => string };

/** For each reason, at most so many of the tests that cannot be compared are named. */
const NAMED = 8;

/**
 * What `compare` prints: the verdicts in which two models differ, and how many were compared. A query is compared if it
 * has a verdict under both. The others are counted by reason, and never as a difference.
 *
 * @param columns how wide the terminal is, which the table has to fit
 */
export function compareText(
  records: readonly VerdictRecord[],
  models: readonly [string, string],
  columns: number,
): string {
  const rows: TableRow[] = [];
  const lacking = new Map<string, string[]>();
  let [compared, interrupted, total] = [0, 0, 0];
  for (const group of byTest(records)) {
    const [first, second] = models.map((m) => group.find((r) => r.model === m)!);
    const { name, queries } = first.test;
    queries.forEach((query, index) => {
      const [a, b] = [sideOf(first, index), sideOf(second, index)];
      total += 1;
      if ('verdict' in a && 'verdict' in b) {
        compared += 1;
        if (a.verdict !== b.verdict) rows.push([name, showQuery(query), a.verdict, b.verdict]);
      } else if ([a, b].some((side) => 'lack' in side && side.interrupted)) interrupted += 1;
      else {
        const why = lackText([a, b], models);
        lacking.set(why, [...(lacking.get(why) ?? []), name]);
      }
    });
  }
  const table = { models, heads: models, rest: [], rows };
  const lines = [
    ...(rows.length > 0 ? [modelTable(table, columns), ''] : []),
    `${rows.length} of ${compared} verdicts differ between ${models.join(' and ')}`,
    ...(lacking.size > 0 ? ['not compared:'] : []),
    ...[...lacking].flatMap(([why, tests]) =>
      wrapSentence(`  ${tests.length} ${why} (${someOf(tests)})`, columns, '    '),
    ),
    ...interruptedAfter(total - interrupted, total, 'queries'),
  ];
  return `${lines.join('\n')}\n`;
}

function sideOf(record: VerdictRecord, index: number): ComparedSide {
  const { answers, untranslatable } = record;
  if (untranslatable !== undefined) {
    return { interrupted: false, lack: (model) => `without meaning under ${model}` };
  }
  const answer = answers.find((a) => a.query === index);
  if (answer !== undefined && answer.verdict !== 'unknown') return { verdict: answer.verdict };
  const reason = answer?.reason ?? 'no machine';
  const lack = (model: string): string => `undecided under ${model}: ${reason}`;
  return { interrupted: reason === INTERRUPTION, lack };
}

/** Why a query cannot be compared. If it is for the same reason under both models, that is said once. */
function lackText(
  [a, b]: readonly [ComparedSide, ComparedSide],
  [first, second]: readonly [string, string],
) {
  if ('lack' in a && 'lack' in b && a.lack('both') === b.lack('both')) return a.lack('both');
  const parts = [...('lack' in a ? [a.lack(first)] : []), ...('lack' in b ? [b.lack(second)] : [])];
  return parts.join('; ');
}

function someOf(tests: readonly string[]): string {
  const names = [...new Set(tests)];
  return [...names.slice(0, NAMED), ...(names.length > NAMED ? ['…'] : [])].join(', ');
}
