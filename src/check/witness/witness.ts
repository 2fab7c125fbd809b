import type {
  EventId,
  EventStructure,
  Path,
  ValueId,
  WayTaken,
} from '../../program/events/structure.js';
import { applyBinary, applyUnary } from '../../program/arithmetic.js';
import type { Proposition, Subject } from '../../program/program.js';
import { groupBy } from '../../model/relation/groups.js';
import { once } from '../../parse/once.js';

/**
 * One execution of an unrolled program: its choices, reads, modification orders and guesses. Everything else (which
 * events are executed, what they write, final values) follows and is computed here, without the solver.
 */
export interface Witness {
  /** 0 or 1 for each free choice. */
  readonly choices: readonly number[];
  /** Reads-from and modification order, as pairs of executed events. */
  readonly rf: readonly Pair[];
  readonly mo: readonly Pair[];
  /** The pairs of guesses, by name. Partners by rank are left out, since they follow from the path. */
  readonly guessed: { readonly [name: string]: readonly Pair[] };
  /** The value that each executed read reads, by event. */
  readonly reads: readonly (readonly [EventId, number])[];
}

export type Pair = readonly [EventId, EventId];

/** The pairs of a relation that an execution chooses, by its name. */
export const pairsIn = (witness: Witness, name: string): readonly Pair[] =>
  name === 'rf' ? witness.rf : name === 'mo' ? witness.mo : (witness.guessed[name] ?? []);

/** The concrete meaning of a witness. */
export interface WitnessMeaning {
  readonly executed: (event: EventId) => boolean;
  /** The number that a symbolic value is; undefined if it has none (division by zero). */
  readonly value: (id: ValueId) => number | undefined;
  readonly taken: (path: Path) => boolean;
  /** How conditions go that nobody knows, in the order of the program. */
  readonly ways: () => readonly WayTaken[];
  /** Final value of a subject. */
  readonly final: (subject: Subject) => number | undefined;
}

/** Computes the meaning of a witness, by evaluating the table of values. */
export function runOfWitness(structure: EventStructure, witness: Witness): WitnessMeaning {
  const { values, events } = structure;
  const reads = new Map(witness.reads);
  const memo: (number | undefined)[] = [];
  const value = (id: ValueId): number | undefined => {
    if (!(id in memo)) memo[id] = compute(id);
    return memo[id];
  };
  const compute = (id: ValueId): number | undefined => {
    const v = values[id];
    switch (v.op) {
      case 'const':
        return v.value;
      case 'choice':
        return witness.choices[v.choice];
      case 'read':
        return reads.get(v.event);
      case 'unary':
        return applyUnary(v.fn, value(v.arg));
      case 'binary':
        return applyBinary(v.fn, value(v.left), value(v.right));
      case 'select': {
        const condition = value(v.condition);
        return condition === undefined ? undefined : value(condition !== 0 ? v.then : v.else);
      }
    }
  };
  const taken = (path: Path): boolean =>
    path.every((b) => {
      const condition = value(b.condition);
      return condition !== undefined && (condition !== 0) === b.taken;
    });
  const executed = (event: EventId): boolean => taken(events[event].path);

  const final = (subject: Subject): number | undefined => {
    if (subject.kind === 'register') {
      return value(structure.registers[subject.thread][subject.register]);
    }
    const writes = writesTo().get(subject.location) ?? [];
    if (writes.length === 0) return structure.program.locations[subject.location].initial;
    const last = writes.find((w) => !overwritten().has(w.id));
    return last === undefined ? undefined : value(last.value!);
  };
  const writesTo = once(() =>
    groupBy(
      events.filter((e) => e.value !== undefined && executed(e.id)),
      (e) => e.location!,
    ),
  );
  const overwritten = once(() => new Set(witness.mo.map(([from]) => from)));
  const ways = (): readonly WayTaken[] => (structure.ways ?? []).filter(({ path }) => taken(path));
  return { executed, value, taken, ways, final };
}

/** Does a proposition hold for given final values? */
export function holds(p: Proposition, final: (subject: Subject) => number | undefined): boolean {
  switch (p.kind) {
    case 'true':
      return true;
    case 'not':
      return !holds(p.arg, final);
    case 'and':
      return holds(p.left, final) && holds(p.right, final);
    case 'or':
      return holds(p.left, final) || holds(p.right, final);
    case 'atom': {
      const right = p.right.kind === 'int' ? p.right.value : final(p.right);
      return (final(p.left) === right) === p.equal;
    }
  }
}
