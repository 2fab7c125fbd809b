import type { Counters, Counting } from './counting.js';
import { countingOf } from './counting.js';
import type { Flow, FlowLabel, FlowOp, OpId } from './flow.js';
import { labelOf, queuePairOf } from './flow.js';
import { FALSE_FORMULA, TRUE_FORMULA, and, isFalse, not, or } from '../../program/formula.js';
import { assignment, variable } from './formula.js';
import { reachable } from './graph.js';
import type { Effect, StateFormula, Variable, VariableId } from './system.js';

/**
 * Which part of the run an event of a thread may be put into, so that no edge of `ob` leads backwards (decidability paper,
 * App. D.1). Events come in program order, so an event can always be put into the second part. These edges can keep it
 * out of the first part, and the variables track them:
 *
 * - `oppo`: for each queue pair, which kinds of events are in the second part. `nlR` and `nF` have the same row in Fig. 4,
 *   which keeps all later NIC events of the queue pair behind. They share the variable `behind`. After an event of the
 *   CPU in the second part, all events of the thread are in the second part. Then the thread is `late`, and nothing else
 *   needs to be known.
 * - `[nlW];pf`: an `nlW` in the second part forces its poll into the second part (counting.ts).
 * - `[Inst];ib` by way of `nW -> nF`: if an `nF` in the first part has overtaken an `nlW` of the second part, no later
 *   `nlR` may be put into the first part (`over`).
 * - `[Inst];ib` by way of `nrW -> P`: an `nrW` in the second part, after an `nlR` or `nF` in the second part, forces its
 *   poll into the second part.
 *
 * All other edges always lead forwards.
 */
export interface Placement {
  /** When an event can be put into the first part, and what to note then. */
  first(op: OpId): Placed;
  second(op: OpId): Placed;
  /** Some event in the second part, later in program order, may be flushed before this one. */
  flushed(op: OpId): StateFormula;
  /** A poll has nothing to poll. */
  starved(op: OpId): StateFormula;
  /** A write would count beyond the bound of the counters. */
  full(op: OpId): StateFormula;
  /** Clears the variables that no further event depends on, when the thread goes on at `next`. */
  forget(op: OpId, next: OpId): readonly Effect[];
}

export interface Placed {
  readonly guard: StateFormula;
  readonly effects: readonly Effect[];
}

/** The variables of one queue pair. A variable that cannot matter is left out. */
interface QueuePairFlags {
  readonly queuePair: string;
  readonly behind?: VariableId;
  readonly nrW?: VariableId;
  readonly nrR?: VariableId;
  readonly nlW?: VariableId;
  readonly over?: VariableId;
  readonly polls?: Counting;
}

/** @param name the name of the thread, a prefix of the names of its variables */
export const placementOf = (
  flow: Flow,
  name: string,
  counters: Counters,
  declare: (variable: Variable) => VariableId,
): Placement => new PlacementByFlags(flow, name, counters, declare);

class PlacementByFlags implements Placement {
  private readonly late: VariableId;
  private readonly queuePairs: readonly QueuePairFlags[];
  private readonly reach: readonly ReadonlySet<OpId>[];

  constructor(
    private readonly flow: Flow,
    name: string,
    counters: Counters,
    declare: (variable: Variable) => VariableId,
  ) {
    this.late = declareFlag(declare, `${name}_late`, 'an event of the CPU is in the second part');
    this.reach = reachable(flow);
    this.queuePairs = queuePairsOf(flow).map((queuePair) =>
      flagsOf(flow, queuePair, name, counters, declare),
    );
  }

  first(id: OpId): Placed {
    const op = this.flow.ops[id];
    const q = this.pairOf(op);
    const free = and(...this.keepsOut(op).map((f) => (isFalse(f) ? TRUE_FORMULA : not(f))));
    switch (labelOf(op)) {
      case 'P':
        return { guard: and(free, q!.polls!.canTakeFree), effects: q!.polls!.take() };
      case 'nF':
        return { guard: free, effects: raise(q?.over, or(is(q?.over), is(q?.nlW))) };
      case 'nrW':
      case 'nlW':
        return { guard: free, effects: q?.polls?.write(id, FALSE_FORMULA, FALSE_FORMULA) ?? [] };
      case 'lR':
      case 'lW':
      case 'CAS':
      case 'F':
      case 'nlR':
      case 'nrR':
      case undefined:
        return { guard: free, effects: [] };
    }
  }

  second(id: OpId): Placed {
    const op = this.flow.ops[id];
    const q = this.pairOf(op);
    const late = variable(this.late);
    const first = and(not(late), not(is(q?.behind)));
    switch (labelOf(op)) {
      case 'P': {
        const { canTake, take } = q!.polls!;
        return { guard: canTake, effects: [...this.fallBehind(), ...take()] };
      }
      case 'nlR':
      case 'nF': {
        const rest = clear(q?.nrW, q?.nrR, q?.nlW, q?.over);
        return { guard: TRUE_FORMULA, effects: [...rest, ...raise(q?.behind, not(late))] };
      }
      case 'nrW': {
        const counted = q?.polls?.write(id, late, is(q.behind)) ?? [];
        return { guard: TRUE_FORMULA, effects: [...counted, ...raise(q?.nrW, first)] };
      }
      case 'nrR':
        return { guard: TRUE_FORMULA, effects: raise(q?.nrR, first) };
      case 'nlW': {
        const counted = q?.polls?.write(id, late, TRUE_FORMULA) ?? [];
        return { guard: TRUE_FORMULA, effects: [...counted, ...raise(q?.nlW, first)] };
      }
      case 'lR':
      case 'lW':
      case 'CAS':
      case 'F':
      case undefined:
        return { guard: TRUE_FORMULA, effects: this.fallBehind() };
    }
  }

  flushed(id: OpId): StateFormula {
    const op = this.flow.ops[id];
    switch (labelOf(op)) {
      case 'nlR':
        return is(this.pairOf(op)?.nlW);
      case 'nrW':
        return is(this.pairOf(op)?.nrR);
      case 'lR':
      case 'lW':
      case 'CAS':
      case 'F':
      case 'P':
      case 'nrR':
      case 'nlW':
      case 'nF':
      case undefined:
        return FALSE_FORMULA;
    }
  }

  starved(id: OpId): StateFormula {
    const op = this.flow.ops[id];
    return (op.kind === 'poll' && this.pairOf(op)?.polls?.starved) || FALSE_FORMULA;
  }

  full(id: OpId): StateFormula {
    const op = this.flow.ops[id];
    return (op.kind === 'write' && this.pairOf(op)?.polls?.full(op.next)) || FALSE_FORMULA;
  }

  forget(id: OpId, next: OpId): readonly Effect[] {
    const { ops } = this.flow;
    const isOver = (test: (op: FlowOp) => boolean): boolean =>
      [...this.reach[id]].some((o) => test(ops[o])) &&
      ![...this.reach[next]].some((o) => test(ops[o]));
    const isPoll = (op: FlowOp): boolean => op.kind === 'poll';
    return [
      ...(isOver((op) => labelOf(op) !== undefined) ? clear(this.late) : []),
      ...this.queuePairs.flatMap((q) => [
        ...(isOver((op) => isOn(op, q.queuePair) && !isPoll(op)) ? clearFlags(q) : []),
        ...(isOver((op) => isOn(op, q.queuePair) && isPoll(op)) ? (q.polls?.clear() ?? []) : []),
      ]),
    ];
  }

  private pairOf(op: FlowOp): QueuePairFlags | undefined {
    return this.queuePairs.find(({ queuePair }) => isOn(op, queuePair));
  }

  /** The variables that keep an event out of the first part: by the columns of `oppo` in Fig. 4, and `over`. */
  private keepsOut(op: FlowOp): readonly StateFormula[] {
    const late = variable(this.late);
    const q = this.pairOf(op);
    switch (labelOf(op)) {
      case 'nlR':
        return [late, is(q?.behind), is(q?.over)];
      case 'nrW':
      case 'nrR':
        return [late, is(q?.behind), is(q?.nrW)];
      case 'nlW':
        return [late, is(q?.behind), is(q?.nrW), is(q?.nrR), is(q?.nlW)];
      case 'nF':
        return [late, is(q?.behind), is(q?.nrR)];
      case 'lR':
      case 'lW':
      case 'CAS':
      case 'F':
      case 'P':
      case undefined:
        return [late];
    }
  }

  /** From now on all events of the thread are in the second part. */
  private fallBehind(): readonly Effect[] {
    return [
      assignment(this.late, 1),
      ...this.queuePairs.flatMap((q) => [...clearFlags(q), ...(q.polls?.merge() ?? [])]),
    ];
  }
}

/** Declares the variables of a queue pair that the events of a thread on it need. */
function flagsOf(
  flow: Flow,
  queuePair: string,
  thread: string,
  counters: Counters,
  declare: (variable: Variable) => VariableId,
): QueuePairFlags {
  // Names of variables have no dots.
  const prefix = `${thread}_${queuePair.replace('.', '_')}`;
  const labels = new Set(flow.ops.filter((op) => isOn(op, queuePair)).map(labelOf));
  const flag = (name: string, what: string): VariableId =>
    declareFlag(declare, `${prefix}_${name}`, `towards ${queuePair}: ${what}`);
  const flagFor = (label: FlowLabel, name: string, what: string) =>
    labels.has(label) ? { [name]: flag(name, what) } : {};
  const second = 'is in the second part';
  return {
    queuePair,
    ...((labels.has('nlR') || labels.has('nF')) && {
      behind: flag('behind', `an nlR or nF ${second}`),
    }),
    ...flagFor('nrW', 'nrW', `an nrW ${second}`),
    ...flagFor('nrR', 'nrR', `an nrR ${second}`),
    ...flagFor('nlW', 'nlW', `an nlW ${second}`),
    ...(labels.has('nlR') &&
      labels.has('nlW') &&
      flagFor('nF', 'over', 'an nF of the first part has overtaken an nlW')),
    polls: labels.has('P') ? countingOf(flow, queuePair, prefix, counters, declare) : undefined,
  };
}

const declareFlag = (
  declare: (variable: Variable) => VariableId,
  name: string,
  about: string,
): VariableId => declare({ name, initial: 0, least: 0, greatest: 1, about });

/** A variable that is left out is never raised. */
const is = (id: VariableId | undefined): StateFormula =>
  id === undefined ? FALSE_FORMULA : variable(id);

const raise = (id: VariableId | undefined, when: StateFormula): readonly Effect[] =>
  id === undefined ? [] : [assignment(id, when)];

const clear = (...ids: readonly (VariableId | undefined)[]): readonly Effect[] =>
  ids.flatMap((id) => (id === undefined ? [] : [assignment(id, 0)]));

const clearFlags = ({ behind, nrW, nrR, nlW, over }: QueuePairFlags): readonly Effect[] =>
  clear(behind, nrW, nrR, nlW, over);

const isOn = (op: FlowOp, queuePair: string): boolean => queuePairOf(op) === queuePair;

const queuePairsOf = ({ ops }: Flow): readonly string[] => [
  ...new Set(ops.flatMap((op) => queuePairOf(op) ?? [])),
];
