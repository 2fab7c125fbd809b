import type { LocationId } from '../../program/program.js';
import { int } from '../../program/expression.js';
import {
  FALSE_FORMULA,
  TRUE_FORMULA,
  and,
  below,
  ifThenElse,
  differs,
  equals,
  not,
  or,
  sumOf,
} from '../../program/formula.js';
import { assignment, variable } from './formula.js';
import type { Effect, StateFormula, Variable, VariableId } from './system.js';

/** The memory of shared locations: what accesses find and change, by the part of the run that they are put into. */
export interface PartedMemory {
  /** The ways to read a location, with the value that is read. */
  read(location: LocationId, part: 1 | 2, how: HowRead): readonly ReadOption[];
  /** @param changes whether the value is one that the last event changes; see `orderedMemory` */
  write(location: LocationId, part: 1 | 2, value: StateFormula, changes: StateFormula): WriteOption;
  /** The value that the last event finds. It is put at the end of the first part. */
  readLast(location: LocationId): StateFormula;
  /** Whether the last event may write. */
  readonly mayWriteLast: StateFormula;
  /** The values that were guessed are those that the first part has left. */
  readonly matches: StateFormula;
}

export interface HowRead {
  /** Whether the value matters. */
  readonly matters: boolean;
  readonly byCpu: boolean;
}

export interface WriteOption {
  readonly guard: StateFormula;
  readonly effects: readonly Effect[];
}

export interface ReadOption extends WriteOption {
  readonly value: StateFormula;
  /** Whether it is a value that the last event changes. */
  readonly changes: StateFormula;
  readonly about?: string;
}

export interface Contents {
  /** The shared locations. */
  readonly locations: readonly LocationId[];
  /** The values that a location can hold. A location whose value never matters is not in the map. */
  readonly values: ReadonlyMap<LocationId, readonly number[]>;
  readonly initial: (location: LocationId) => number;
  readonly nameOf: (location: LocationId) => string;
  readonly declare: (variable: Variable) => VariableId;
}

/** Declares variables that can hold the values of a location. */
function holder({ values, nameOf, declare }: Contents, location: LocationId) {
  const found = values.get(location) ?? [];
  const [least, greatest] = [Math.min(0, ...found), Math.max(0, ...found)];
  return (prefix: string, initial: number, about: string): VariableId => {
    const name = `${prefix}${nameOf(location)}`;
    return declare({ name, initial, least, greatest, about });
  };
}

/** What the second part knows of the value of a location. */
const UNKNOWN = 0;
const WRITTEN = 1;
const GUESSED = 2;

/**
 * Two copies of the memory, one for each part of the run (decidability paper, §6.2 and §6.3). The values that the first
 * part leaves to the second are guessed, and the guesses are checked in the end. The paper guesses all values at the
 * start. Here, a value is guessed when the second part reads the location for the first time. If it writes the location
 * before that, or never reads it, nothing is guessed.
 */
export function guessedMemory(contents: Contents): PartedMemory {
  const { values, nameOf } = contents;
  const copies = declareCopies(contents);
  return {
    read(location, part, { matters }) {
      const copy = copies.get(location);
      const known = { guard: TRUE_FORMULA, effects: [], changes: FALSE_FORMULA };
      if (copy === undefined || !matters) return [{ ...known, value: int(0) }];
      if (part === 1) return [{ ...known, value: variable(copy.first) }];
      const state = variable(copy.known);
      return [
        { ...known, guard: differs(state, UNKNOWN), value: variable(copy.second) },
        ...values.get(location)!.map((value) => ({
          guard: equals(state, UNKNOWN),
          effects: [
            assignment(copy.known, GUESSED),
            assignment(copy.guess, value),
            assignment(copy.second, value),
          ],
          value: int(value),
          changes: FALSE_FORMULA,
          about: `guess that the first part leaves ${value} in ${nameOf(location)}`,
        })),
      ];
    },
    write(location, part, value) {
      const copy = copies.get(location);
      if (copy === undefined) return { guard: TRUE_FORMULA, effects: [] };
      if (part === 1) return { guard: TRUE_FORMULA, effects: [assignment(copy.first, value)] };
      const known = variable(copy.known);
      const knows = assignment(copy.known, sumOf(known, equals(known, UNKNOWN)));
      return { guard: TRUE_FORMULA, effects: [assignment(copy.second, value), knows] };
    },
    readLast: () => int(0),
    mayWriteLast: TRUE_FORMULA,
    matches: and(
      ...[...copies.values()].map(({ first, known, guess }) =>
        or(differs(variable(known), GUESSED), equals(variable(first), variable(guess))),
      ),
    ),
  };
}

/** The variables of a location: its value in each part, what is known of it in the second one, and the guess. */
interface Copies {
  readonly first: VariableId;
  readonly second: VariableId;
  readonly known: VariableId;
  readonly guess: VariableId;
}

function declareCopies(contents: Contents): ReadonlyMap<LocationId, Copies> {
  const copies = new Map<LocationId, Copies>();
  for (const location of contents.values.keys()) {
    const name = contents.nameOf(location);
    const holds = holder(contents, location);
    copies.set(location, {
      first: holds('first_', contents.initial(location), `${name} in the first part`),
      second: holds('second_', 0, `${name} in the second part, where it is known`),
      known: contents.declare({
        name: `known_${name}`,
        initial: UNKNOWN,
        least: UNKNOWN,
        greatest: GUESSED,
        about: `${name} in the second part is ${UNKNOWN}: not known, ${WRITTEN}: written, ${GUESSED}: guessed`,
      }),
      guess: holds('guess_', 0, `what the first part leaves in ${name}, if that was guessed`),
    });
  }
  return copies;
}

/** What the second part has done with a location. */
const READ = 1;
const WRITTEN_THERE = 2;
const CHANGED = 3;

/**
 * One memory, on which the threads run under SC (decidability paper, proof of Theorem 5.2).
 *
 * The proof takes a smallest violating trace, removes a maximal event `e`, and orders the other events by SC: the order
 * `σ`. Both parts of the normal form follow `σ`. Accesses to one location are in the same order in `σ` and in the normal
 * form (Lemma 3). So if two accesses conflict and the one simulated first is in the second part, the other one is not in
 * the first part. The exception is `e`: it is simulated last, and put at the end of the first part.
 *
 * So nothing has to be guessed. When `e` is put back, it changes only values of NIC events in the second part, and no CPU
 * event depends on these (decidability paper, Claim 0.C.1 and Def. 5). If the CPU has read a value that `e` would change by writing, `e` must
 * not write. The variable `steered` says that this has happened.
 *
 * @param isLastAt whether the last event accesses a location
 * @param writesLast whether it can only be a write
 */
export function orderedMemory(
  contents: Contents,
  isLastAt: (location: LocationId) => StateFormula,
  writesLast: boolean,
): PartedMemory {
  const steeredId = contents.declare({
    name: 'steered',
    initial: 0,
    least: 0,
    greatest: 1,
    about: 'the CPU has read a value that the last event changes if it writes',
  });
  const steered = variable(steeredId);
  const tracked = declareTracked(contents);
  return {
    read(location, part, { matters, byCpu }) {
      const here = tracked.get(location)!;
      const was = variable(here.touched);
      const value = here.values === undefined ? int(0) : variable(here.values.now);
      if (part === 1) {
        return [{ guard: below(was, WRITTEN_THERE), effects: [], value, changes: FALSE_FORMULA }];
      }
      const changes =
        here.values === undefined || !matters
          ? FALSE_FORMULA
          : or(equals(was, CHANGED), and(isLastAt(location), below(was, WRITTEN_THERE)));
      const guard = byCpu && writesLast ? not(changes) : TRUE_FORMULA;
      const effects = [
        ...(byCpu ? [assignment(steeredId, or(steered, changes))] : []),
        assignment(here.touched, sumOf(was, equals(was, 0))),
      ];
      return [{ guard, effects, value, changes }];
    },
    write(location, part, value, changes) {
      const here = tracked.get(location)!;
      const write = here.values === undefined ? [] : [assignment(here.values.now, value)];
      if (part === 1) return { guard: equals(variable(here.touched), 0), effects: write };
      const save = here.values === undefined ? [] : [assignment(here.values.before, left(here))];
      const touch = assignment(here.touched, sumOf(int(WRITTEN_THERE), changes));
      return { guard: TRUE_FORMULA, effects: [...save, ...write, touch] };
    },
    readLast: (location) => left(tracked.get(location)!),
    mayWriteLast: not(steered),
    matches: TRUE_FORMULA,
  };
}

/** The variables of a location: what the second part has done with it, its value, and the one that the first part has left. */
interface TrackedLocation {
  readonly touched: VariableId;
  readonly values?: { readonly now: VariableId; readonly before: VariableId };
}

function declareTracked(contents: Contents): ReadonlyMap<LocationId, TrackedLocation> {
  const { locations, values, nameOf, declare } = contents;
  const tracked = new Map<LocationId, TrackedLocation>();
  for (const location of locations) {
    const name = nameOf(location);
    const holds = holder(contents, location);
    const hasValues = values.has(location);
    const changed = hasValues
      ? `, ${CHANGED}: written with a value that the last event changes`
      : '';
    const touched = declare({
      name: `touched_${name}`,
      initial: 0,
      least: 0,
      greatest: hasValues ? CHANGED : WRITTEN_THERE,
      about: `in the second part, ${name} was ${READ}: read, ${WRITTEN_THERE}: written${changed}`,
    });
    const now = () => holds('now_', contents.initial(location), name);
    const before = () => holds('before_', 0, `what the first part has left in ${name}`);
    tracked.set(location, {
      touched,
      values: hasValues ? { now: now(), before: before() } : undefined,
    });
  }
  return tracked;
}

/** The value that the first part has left in a location. */
const left = ({ touched, values }: TrackedLocation): StateFormula =>
  values === undefined
    ? int(0)
    : ifThenElse(
        below(variable(touched), WRITTEN_THERE),
        variable(values.now),
        variable(values.before),
      );
