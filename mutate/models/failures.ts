import type { Change } from './mutant.js';
import type { Said } from './said.js';
import { changed, none, without } from './said.js';

/**
 * Mutants of queue pairs that may break: of failures.cat, and of the lines of rmw.cat and rdma.cat about work that fails or is
 * flushed. Programs without such queue pairs have none of these events.
 */

const BEHIND = 'let behind = (po & sqp | same ; post ; same) & (NIC * NIC)';
const BROKEN = '(nE * (nC | nE))';
const CAUSED = ' | (nZ \\ range(behind & (nE * nZ)))';
const MISREAD =
  '(told | pfs) & (nE * (_ \\ PE) | nZ * (_ \\ PZ) | (_ \\ nE) * PE | (_ \\ nZ) * PZ)';
const OTHERS = ' | (PE | PZ) \\ (fallible | shared)';
const ENTRIES = 'let entries = nC \\ unsignalled | broken';
const POLLED = 'domain(same & (_ * (nC | broken)))';
const TOLD = 'guess told : kth entries & fallible \\ shared to kth P & fallible \\ shared in sqp';
const CALLED = '  | po & (CPU * broken)\n';
const ISSUED = '  | qpo & ((nlR | nlW | nC | broken) * broken)';
const OBSERVED = '  | qpo & ((nlW | nC | broken) * broken)';

/** A table in which work does not wait for what was before its post. */
const uncalled = (table: string): Pair => {
  const posted = `let ${table} =\n    posted`;
  return [posted, `${posted} \\ _ * broken`];
};

type Pair = readonly [from: string, to: string];

/** A line of a union without a member. */
const less = (line: string, member: string): string =>
  line.replace(line.includes(`${member} | `) ? `${member} | ` : ` | ${member}`, '');

const members = (name: string, line: string, list: readonly string[]): readonly Said[] =>
  list.map((member, i) => [
    `${name}-${i + 1}`,
    `${name} without ${member}`,
    line,
    less(line, member),
  ]);

const FAILURES: readonly Said[] = [
  ['never-lands', 'what fails has not taken effect', '  | nE\n', ''],
  ['answer-comes', 'what is performed is answered', '  | nE without nlW\n', ''],
  ['always-lands', 'what fails has taken effect, but for its answer', '  | nE without nic\n', ''],
  ['flushed-lands', 'what is flushed may take effect', 'nZ without nic', 'nZ'],
  ['flushed-reads', 'what is flushed is performed', 'nZ without nic', 'nZ without nlW'],
  ['never-flushed', 'nothing is flushed', '\n  | nZ without nic', ''],
  ['fails-twice', 'a broken queue pair fails again', BROKEN, '(nE * nC)'],
  ['recovers', 'a broken queue pair succeeds', BROKEN, '(nE * nE)'],
  ['flushed-first', 'work is flushed without a failure', CAUSED, ''],
  [
    'threads-apart',
    'a failure is of one thread',
    BEHIND,
    BEHIND.replace(' | same ; post ; same', ''),
  ],
  [
    'posts-only',
    'a failure is of posts that are events',
    BEHIND,
    BEHIND.replace('po & sqp | ', ''),
  ],
  ['pairs-together', 'a failure is of all queue pairs', BEHIND, BEHIND.replace('po & sqp', 'po')],
  [
    'misread-shared',
    'polls of what is shared have any status',
    MISREAD,
    MISREAD.replace(' | pfs', ''),
  ],
  [
    'misread-own',
    'polls of one queue pair have any status',
    MISREAD,
    MISREAD.replace('told | ', ''),
  ],
  ...members('misread', MISREAD, [
    'nE * (_ \\ PE)',
    'nZ * (_ \\ PZ)',
    '(_ \\ nE) * PE',
    '(_ \\ nZ) * PZ',
  ]),
  ['polled-elsewhere', 'polls of other queue pairs have any status', OTHERS, ''],
  [
    'entries-signalled',
    'unsignalled work fails silently',
    ENTRIES,
    'let entries = (nC | broken) \\ unsignalled',
  ],
  ['entries-none', 'failures have no entries', ENTRIES, 'let entries = nC \\ unsignalled'],
  [
    'polled-twice',
    'what fails is polled by its write, too',
    POLLED,
    POLLED.replace(' | broken', ''),
  ],
  [
    'told-writes',
    'statuses are of all that completes',
    TOLD,
    TOLD.replace('kth entries', 'kth (nC | broken)'),
  ],
  ['called', 'work fails before it is posted', CALLED, ''],
  ['issued-called', 'work fails before it is posted, in ippo', ...uncalled('ippo')],
  ['observed-called', 'work fails before it is posted, in oppo', ...uncalled('oppo')],
  none('issued', 'a failure waits for nothing, in ippo', ISSUED, '  | '),
  none('observed', 'a failure waits for nothing, in oppo', OBSERVED, '  | '),
  ...without('issued', ISSUED, ['nlR', 'nlW', 'nC', 'broken']),
  ...without('observed', OBSERVED, ['nlW', 'nC', 'broken']),
  ['landed', 'no write is late', OBSERVED, OBSERVED.replace('nlW |', 'nlW | nrW |')],
];

/** Of what is in both tables, in neither. */
const BOTH = ['nlW', 'nC', 'broken'].map((member) => ({
  ...{ name: `failures-both-${member}`, what: `failures do not wait for ${member}` },
  edits: [ISSUED, OBSERVED].map((line): Pair => [line, less(line, member)]),
}));

/** Of one model: the others say the same. */
export function failureChanges(model: string): readonly Change[] {
  if (model !== 'rdma-tso') return [];
  const both = BOTH.map(({ edits, ...said }): Change => ({
    ...{ ...said, direction: 'other' },
    edits: edits.map(([from, to]) => ({ file: 'rdma.cat', from, to })),
  }));
  return [...changed(model, 'failures', FAILURES), ...both];
}
