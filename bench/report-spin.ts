// Explorations beside those of SPIN, in tables.
import type { AllStates, BesideSpin } from './beside-spin.js';
import { table } from './markdown.js';

/** Below so many seconds, a rate is one of starting up. */
const LEAST = 0.05;
/** With fewer states than these, memory is what was taken at first. */
const MANY = 100_000;

export function spinLines({ version, tlc, locks }: BesideSpin): readonly string[] {
  const count = (n: number): string => Math.round(n).toLocaleString('en');
  const cells = (found: AllStates | undefined): readonly string[] => {
    if (found === undefined) return ['', '', '', '', ''];
    const { states, bytes, size, seconds } = found;
    const rate = seconds.median < LEAST ? '' : count(states / seconds.median);
    const mebibytes = states < MANY ? '' : count(size / 2 ** 20);
    return [count(states), seconds.median.toFixed(2), rate, count(bytes), mebibytes];
  };
  const columns = (name: string): readonly string[] =>
    ['states', 's', 'states/s', 'bytes/state', 'MiB'].map((c) => `${name}: ${c}`);
  return [
    'All states of ALock by Algorithm 2 under SC, where two threads are never in at once. Both read the same file. SPIN gets it as Promela that has each access of shared memory as a',
    'step of its own, and reduces by itself; Remora takes most steps at once. Bytes are those of a state by itself, MiB those of all that is kept: with the table and the ways to states in Remora, without its',
    'table of 512 MiB in SPIN. Seconds are those of the search: SPIN also writes a C program and has it compiled. Small searches have no rate and no MiB.',
    '',
    ...table(
      [
        'ALock',
        ...columns('Remora'),
        ...columns(version === undefined ? 'SPIN' : `SPIN ${version}`),
      ],
      locks.map(({ threads, ours, spin }) => [threads, ...cells(ours), ...cells(spin)]),
    ),
    '',
    ...(version === undefined ? ['SPIN was not run: `spin` or `gcc` is not on the PATH.'] : []),
    tlc
      ? 'TLC was not run: there is no TLA+ of these files.'
      : 'TLC, which the ALock report used, was not run: there is no `tlc` on the PATH.',
  ];
}
