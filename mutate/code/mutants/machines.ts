import type { CodeMutant } from '../mutant.js';

/** Mistakes in how machines perform remote atomics. */

const ATOMICS = 'src/rdma/machines/atomics.ts';
const MACHINE = 'src/rdma/machines/machine.ts';

export const machineMutants: readonly CodeMutant[] = [
  {
    name: 'unit-never-busy',
    file: ATOMICS,
    find: 'if (!atOnce && isBusy(location)) return undefined;',
    replace: '',
    what: 'An atomic is performed while the write of another one is pending.',
  },
  {
    name: 'unit-busy-with-puts',
    file: MACHINE,
    find: 'e.atomic && unitOf',
    replace: 'unitOf',
    what: 'The atomic unit is busy while a put is pending, too.',
  },
  {
    name: 'unit-busy-for-ever',
    file: MACHINE,
    find: 'wbR.some((e) => e.atomic && unitOf(e.location) === unitOf(location)),',
    replace:
      'wbR.some((e) => e.atomic) || memory[location] !== program.locations[location].initial,',
    what: 'The atomic unit stays busy when an atomic has written.',
  },
  {
    name: 'unit-of-all-nodes',
    file: MACHINE,
    find: ': program.locations[l].node)',
    replace: ": '')",
    what: 'All nodes share one atomic unit.',
  },
  {
    name: 'cas-takes-no-turn',
    file: ATOMICS,
    find: 'if (!atOnce && isBusy(location)) return undefined;',
    replace: "if (!atOnce && update.kind !== 'cas' && isBusy(location)) return undefined;",
    what: 'A compare-and-swap does not wait for the atomic unit.',
  },
  {
    name: 'atomic-before-puts',
    file: 'src/rdma/machines/simplified.ts',
    find: 'if (!before.every((e) => performedPast[e.kind])) return;',
    replace: '',
    what: 'An atomic is performed before earlier puts have come in.',
  },
  {
    name: 'atomic-overtaken',
    file: 'src/rdma/machines/simplified.ts',
    find: '{ ...READS_PAST, sent: false, atomic: false }',
    replace: '{ ...READS_PAST, sent: false }',
    what: 'What is younger does not wait until an atomic is performed.',
  },
  {
    name: 'pending-not-read',
    file: 'src/rdma/machines/queue-pair.ts',
    find: 'return pendingValue(writeBack, location) ?? memory[location];',
    replace: 'return memory[location];',
    what: 'Without the PCIe guarantee, what is pending is not read.',
  },
  {
    name: 'glob-writes-late',
    file: ATOMICS,
    find: 'if (atOnce) return { found, writes, written: write, response, wbR };',
    replace: '',
    what: 'Under GLOB an atomic writes into the buffer.',
  },
  {
    name: 'glob-past-puts',
    file: ATOMICS,
    find: 'pcie || atOnce);',
    replace: 'pcie && !atOnce);',
    what: 'Under GLOB an atomic does not wait for pending puts.',
  },
  {
    name: 'late-at-once',
    file: ATOMICS,
    find: "response: atomics === 'late' ? { ...response, kind: 'held' } : response,",
    replace: 'response,',
    what: 'Where atomics are answered late, they are answered at once.',
  },
  {
    name: 'late-never',
    file: 'src/rdma/machines/queue-pair.ts',
    find: 'wbR[0].atomic ? released(rest) : rest',
    replace: 'rest',
    what: 'Where atomics are answered late, they are never answered.',
  },
  {
    name: 'failing-writes-nothing',
    file: ATOMICS,
    find: "(atomics === 'failwrite' ? found : undefined)",
    replace: 'undefined',
    what: 'Where a compare-and-swap that fails writes, it does not.',
  },
];
