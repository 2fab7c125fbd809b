import type { LocationId } from '../../program/program.js';
import { subjectName } from '../../program/subjects.js';
import { queuePairKey, remoteNameOf } from '../instructions.js';
import type { Machine } from './machine.js';
import type { NicStep } from './queue-pair.js';
import type { Atomic, MachineState, Posted, QueuePairId, Request, Words } from './state.js';
import type { Update } from '../update.js';
import { operandsOfUpdate } from '../update.js';

/** Words that all accounts of a run share. */

/** The registers that a thread's step has changed: `T1 sets a = 1`. Undefined: it has changed none. */
export function registerStep(
  { program }: Machine,
  thread: number,
  before: MachineState,
  after: MachineState,
): string | undefined {
  const { name, registers } = program.threads[thread];
  const old = before.threads[thread].registers;
  const changed = registers.flatMap((register, r) => {
    const value = after.threads[thread].registers[r];
    return value === old[r] ? [] : [`${register} = ${value}`];
  });
  return changed.length === 0 ? undefined : `${name} sets ${changed.join(', ')}`;
}

/** A NIC performs an atomic: `the NIC of node 2 performs T1's rcas(l): reads 0, writes 1`. */
export function performedInWords(
  machine: Machine,
  id: QueuePairId,
  { location, update }: Atomic,
  { found, writes }: Pick<NicStep, 'found' | 'writes'>,
): string {
  const { thread, node } = machine.queuePairs[id];
  const { name } = machine.program.threads[thread];
  const what = `${name}'s ${remoteNameOf(update.kind)}(${locationName(machine, location)})`;
  return `the NIC of node ${node} performs ${what}: reads ${found}, writes ${writes ?? 'nothing'}`;
}

/** `a := rcas(x^2, 0, 1)` */
export function atomicInWords(
  machine: Machine,
  { location, update, into, queuePair, ...posted }: Atomic,
): string {
  const towards = queuePairKey(machine.queuePairs[queuePair]);
  const given = [`${locationName(machine, location)}^${towards}`, ...operandsOfUpdate(update)].join(
    ', ',
  );
  return `${locationName(machine, into)} :=${tags(posted)} ${remoteNameOf(update.kind)}(${given})`;
}

/** A request as it is written: `y^2 := x`, `a := rcas(x^2, 0, 1)`, `rfence(2)`. */
export function requestText(machine: Machine, request: Request | Words): string {
  const towards = queuePairKey(machine.queuePairs[request.queuePair]);
  const place = (location: LocationId): string => locationName(machine, location);
  switch (request.kind) {
    case 'put':
      return `${place(request.to)}^${towards} :=${tags(request)} ${place(request.from)}`;
    case 'get':
      return `${place(request.to)} :=${tags(request)} ${place(request.from)}^${towards}`;
    case 'words': {
      const [{ kind }] = request.words;
      const to = `[${request.words.map((word) => place(word.to)).join(', ')}]`;
      const from = `[${request.words.map((word) => place(word.from)).join(', ')}]`;
      const as = tags(request.words[0]);
      return kind === 'put'
        ? `${to}^${towards} :=${as} ${from}`
        : `${to} :=${as} ${from}^${towards}`;
    }
    case 'atomic':
      return atomicInWords(machine, request);
    case 'rfence':
      return `rfence(${towards})`;
  }
}

const tags = ({ unsignalled }: Posted): string => (unsignalled ? '[unsignalled]' : '');

/** What litmus files call an atomic of the CPU. */
export const nameOf = ({ kind }: Update): string => (kind === 'cas' ? 'CAS' : kind);

/** The name of a location; the constant of a put has none, and is told by its value. */
export function locationName({ program }: Machine, location: LocationId): string {
  const { hidden, initial } = program.locations[location];
  return hidden === true ? `${initial}` : subjectName(program, { kind: 'location', location });
}
