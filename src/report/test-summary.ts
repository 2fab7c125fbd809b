/** What `test` prints below its table: which verdicts depart, which are missing, and the counts. */
import { expectedOf } from '../check/expectation.js';
import { groupBy } from '../model/relation/groups.js';
import { showQuery } from '../program/print.js';
import { isAboutTranslation } from '../rdma/translate.js';
import { COLOURS } from './colours.js';
import { plural } from './explain-style.js';
import type { VerdictFinding } from './finding.js';
import { unanswered } from './finding.js';
import { interruptedRecords, reachedRecords } from './interruption.js';
import { MARKS } from './outcome.js';
import type { VerdictRecord } from './record.js';
import { decidedBy, folderOf } from './record.js';
import { tableText } from './table.js';

/** What a summary is made from. */
export interface Summed {
  readonly records: readonly VerdictRecord[];
  readonly findings: readonly VerdictFinding[];
  readonly milliseconds: number;
}

/** The text below the table: lines about some tests, and all counts in one line. */
export function testSummary(summed: Summed): string {
  const lines = [...findingLines(summed), ...lackingLines(summed), ...lastLines(summed)];
  return `${lines.join('\n')}\n`;
}

/** A summary instead of the table: a line for each folder, and the verdicts that depart or are unknown. */
export function shortSummary(summed: Summed): string {
  const { records, findings } = summed;
  const folders = groupBy(reachedRecords(records), ({ test }) => folderOf(test.file));
  const rows = [...folders].map(([folder, own]) => {
    const { tests, verdicts, held, failed, unknown } = countsOf({ records: own, findings });
    return [`${folder}/`, ...[tests, verdicts, held, failed, unknown].map(String)];
  });
  const heads = ['folder', 'tests', 'verdicts', 'held', 'failed', 'unknown'];
  const shown = { ...summed, findings: findings.filter(({ kind }) => kind !== 'vacuous') };
  const told = [...findingLines(shown), ...lackingLines({ records: [], findings })];
  const lines = [
    ...(rows.length === 0 ? [] : [tableText([heads, ...rows]), '']),
    ...told,
    ...(told.length === 0 ? [] : ['']),
    ...lastLines(summed),
  ];
  return `${lines.join('\n')}\n`;
}

const lastLines = (summed: Summed): readonly string[] => [
  ...interruptedRecords(summed.records),
  countsText(summed),
];

/** A line for each verdict that departs, is unknown, or is vacuous. */
function findingLines({ findings }: Summed): readonly string[] {
  return findings.filter(isAboutAnswer).map(({ record, query, kind, text }) => {
    const { test, model } = record;
    const line = `${test.file}: ${showQuery(test.queries[query])} ${decidedBy(test, model)}: ${text}`;
    return kind === 'departs' ? COLOURS.red(line) : line;
  });
}

const isAboutAnswer = ({ record, query, kind }: VerdictFinding): boolean =>
  kind !== 'interrupted' && (kind === 'departs' || !unanswered(record).has(query));

/** Lines about tests that cannot be translated for a model, and about queries that a model cannot answer. */
function lackingLines({ records, findings }: Pick<Summed, 'records' | 'findings'>) {
  const open = findings
    .filter(({ kind }) => kind === 'unknown')
    .flatMap(({ record, query }) => {
      const why = unanswered(record).get(query);
      if (why === undefined) return [];
      const short = record.untranslatable === undefined ? why : shortly(record.untranslatable);
      return [{ record, why: `no verdict: ${short}` }];
    });
  const told = new Set(open.map(({ record }) => record));
  const others = reachedRecords(records).flatMap((record) =>
    record.untranslatable === undefined || told.has(record)
      ? []
      : [{ record, why: shortly(record.untranslatable) }],
  );
  return [...groupBy([...open, ...others], ({ why }) => why)].map(([why, group]) => {
    const names = someOf([...new Set(group.map(({ record }) => record.test.name))]);
    return `${MARKS.untranslatable} ${names}: ${why}`;
  });
}

const shortly = (why: string): string =>
  isAboutTranslation(why)
    ? 'the waits or polls have no translation (`remora check` says why)'
    : why;

/** Names on one line. If there are too many, how many there are, and the first of them. */
const someOf = (names: readonly string[]): string =>
  names.length <= MANY
    ? names.join(', ')
    : `${names.length} tests (${names.slice(0, FEW).join(', ')}, …)`;
const [MANY, FEW] = [6, 3];

/** The counts on one line: how many tests, verdicts and expectations there are, and how many of these hold. */
export function countsText(summed: Summed): string {
  const { tests, verdicts, unknown, held, published, failed, without } = countsOf(summed);
  const paint = failed === 0 ? COLOURS.green : COLOURS.red;
  const from = published === 0 ? '' : ` (${published} published)`;
  return [
    `${plural(tests, 'test')}, ${plural(verdicts, 'verdict')}, ${unknown} unknown`,
    `${plural(held, 'expectation')} held${from}, ${paint(`${failed} failed`)}`,
    ...(without === 0 ? [] : [`${plural(without, 'test')} without any`]),
    `${(summed.milliseconds / 1000).toFixed(1)} s`,
  ].join('; ');
}

/**
 * Counts what the files expect under the models that were asked, claims included. `published` counts the expectations
 * from a publication that hold; `without` counts the tests that expect nothing.
 */
function countsOf(summed: Pick<Summed, 'records' | 'findings'>) {
  const reached = reachedRecords(summed.records);
  const among = new Set(reached);
  const findings = summed.findings.filter(({ record }) => among.has(record));
  const count = (which: VerdictFinding['kind']): number =>
    findings.filter(({ kind }) => kind === which).length;
  const failed = new Set(
    findings.flatMap(({ record, query, kind }) =>
      kind === 'departs' ? [record.answers.find((a) => a.query === query)] : [],
    ),
  );
  const held = reached.flatMap(({ test, model, answers }) =>
    answers.flatMap((answer) => {
      const expected = expectedOf(test.queries[answer.query], model);
      const is = expected !== undefined && answer.verdict !== 'unknown' && !failed.has(answer);
      return is ? [expected.authority === 'published'] : [];
    }),
  );
  const tests = new Set(reached.map(({ test }) => test));
  const expecting = reached.flatMap(({ test, model }) =>
    test.queries.some((query) => expectedOf(query, model) !== undefined) ? [test] : [],
  );
  const answers = reached.reduce((sum, record) => sum + record.answers.length, 0);
  return {
    tests: tests.size,
    verdicts: answers - count('interrupted'),
    unknown: count('unknown'),
    held: held.length,
    published: held.filter((is) => is).length,
    failed: count('departs'),
    without: tests.size - new Set(expecting).size,
  };
}
