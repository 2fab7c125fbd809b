// All programs by size: how many there are, and how fast they are gone through.
import type { BySizeGiven, SizeFound } from './by-size-run.js';
import type { CommandTime } from './commands.js';
import { commandLines, measureEach } from './commands.js';
import { table } from './markdown.js';
import type { Spread } from './process.js';
import { range, runScript, spread } from './process.js';

/** What the TSO paper's programs are made of. */
const SIMPLE = ['read', 'write', 'put', 'get', 'poll', 'rfence', 'mfence'];
const FEW = ['read', 'write', 'put', 'poll'];

/** Two definitions of one model, which nothing tells apart; and the minimal tests of a model. */
const SEARCHES: readonly BySizeGiven[] = [
  { models: ['rdma-tso', 'rdma-tso-4.4'], operations: FEW, calls: 4 },
  { models: ['rdma-tso', 'rdma-tso-4.4'], calls: 3 },
  { models: ['rdma-tso'], operations: FEW, calls: 4 },
  { models: ['rdma-tso'], calls: 3 },
];

export interface BySize {
  readonly told: readonly CommandTime[];
  readonly searches: readonly SearchTimes[];
}

interface SearchTimes extends BySizeGiven {
  readonly sizes: readonly (Omit<SizeFound, 'seconds'> & { readonly seconds: Spread })[];
}

export function measureBySize(runs: number): BySize {
  const told = measureEach(
    ['rdma-ro', 'rdma-sc', 'rdma-tso-nopcie'].map((other) => [
      `\`rdma-tso\` and \`${other}\` are told apart`,
      ['distinguish', 'rdma-tso', other, '--operations', SIMPLE.join(), '--calls', '4'],
      5,
    ]),
    runs,
  );
  return { told, searches: SEARCHES.map((search) => measureSearch(search, runs)) };
}

function measureSearch(search: BySizeGiven, runs: number): SearchTimes {
  process.stderr.write(`${nameOf(search)}\n`);
  const found = range(runs).map(() => {
    const { objects, end } = runScript<BySizeGiven, SizeFound>('by-size-run', search);
    if (end !== undefined) throw new Error(`${nameOf(search)}: ${end}`);
    return objects;
  });
  const sizes = found[0].map((one, i) => ({
    ...one,
    seconds: spread(found.map((run) => run[i].seconds)),
    mebibytes: Math.max(...found.map((run) => run[i].mebibytes)),
  }));
  return { ...search, sizes };
}

const nameOf = ({ models, operations }: BySizeGiven): string =>
  [
    models.length === 1 ? 'synthesise' : 'distinguish',
    ...models,
    ...(operations === undefined ? [] : ['--operations', operations.join()]),
  ].join(' ');

export const bySizeLines = ({ told, searches }: BySize): readonly string[] => [
  ...commandLines(told),
  '',
  'All programs with so many calls, in one thread and without the start of the process. No program tells `rdma-tso` and `rdma-tso-4.4` apart, so all are',
  'compared. Times as many: as with a call less. MiB: the most of the process, up to then.',
  '',
  ...table(
    ['search', 'calls', 'programs', 'times as many', 'seconds', 'programs a second', 'MiB'],
    searches.flatMap((search) =>
      search.sizes.flatMap(({ calls, programs, seconds: { median }, mebibytes }, i) => {
        if (programs === 0) return [];
        const before = search.sizes[i - 1]?.programs;
        const times = before > 0 ? (programs / before).toFixed(0) : '';
        const rate = (programs / median).toFixed(0);
        return [
          [`\`${nameOf(search)}\``, calls, programs, times, median.toFixed(2), rate, mebibytes],
        ];
      }),
    ),
  ),
];
