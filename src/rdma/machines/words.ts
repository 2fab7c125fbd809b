import type { LocationId } from '../../program/program.js';
import { subjectName } from '../../program/subjects.js';
import type { Machine } from './machine.js';
import type { MachineState } from './state.js';

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

/** The name of a location; the constant of a put has none, and is told by its value. */
export function locationName({ program }: Machine, location: LocationId): string {
  const { hidden, initial } = program.locations[location];
  return hidden === true ? `${initial}` : subjectName(program, { kind: 'location', location });
}
