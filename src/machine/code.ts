import type { Cell, FlowGraph, FlowStep } from '../program/flow/graph.js';
import { readsOf } from '../program/flow/facts.js';
import type { Computed, Slot } from './compute.js';
import { computedFlow } from './compute.js';

/** A step of a flow graph, ready to be taken: cells are slots, and values can be computed from a state. */
export type CodeStep = {
  readonly next: readonly number[];
  /** Is it taken as a step of its own, which may come at any time? If not, it is taken as soon as it is possible. */
  readonly isStop: boolean;
  /** The step behind the last one that is taken in the same moment; 0: it is alone. */
  readonly until: number;
  /** The slots that it reads. */
  readonly uses: readonly Slot[];
} & CodeAction;

export type CodeAction =
  | {
      readonly kind: 'use';
      readonly given: readonly Computed[];
      /** Where its value goes; -1: that is not asked for. */
      readonly result: Slot;
      readonly cell: Cell | undefined;
    }
  | { readonly kind: 'set'; readonly slot: Slot; readonly cell: Cell; readonly value: Computed }
  | { readonly kind: 'branch' | 'assume' | 'assert'; readonly value: Computed }
  | { readonly kind: 'choose' | 'goto' | 'rest' }
  | {
      readonly kind: 'pass';
      readonly mark: string;
      readonly passing: readonly Passing[];
    }
  | { readonly kind: 'leave'; readonly mark: string }
  | { readonly kind: 'cut'; readonly bound: number };

/** A slot that says whether somebody waits, and what it becomes. */
export type Passing = readonly [Slot, Computed];

/** What the steps of a thread refer to. */
export interface Names {
  slotOf(cell: Cell): Slot;
  passing(mark: string): readonly Passing[];
}

/** @param stops the steps that are taken as steps of their own */
export const compiledSteps = (
  { steps }: FlowGraph,
  stops: ReadonlySet<number>,
  names: Names,
): readonly CodeStep[] =>
  steps.map((step, at): CodeStep => ({
    next: step.next,
    isStop: stops.has(at),
    until: step.until ?? 0,
    uses: readsOf(step).map((cell) => names.slotOf(cell)),
    ...compiled(step, names),
  }));

function compiled(step: FlowStep, { slotOf, passing }: Names): CodeAction {
  const { kind } = step;
  switch (kind) {
    case 'use': {
      const given = step.use.given.flatMap((one) =>
        one.kind === 'value' ? [computedFlow(one.value, slotOf)] : [],
      );
      return {
        kind,
        given,
        result: step.result === undefined ? -1 : slotOf(step.result),
        cell: step.result,
      };
    }
    case 'set': {
      const { cell, value } = step;
      return { kind, slot: slotOf(cell), cell, value: computedFlow(value, slotOf) };
    }
    case 'assume':
    case 'assert':
    case 'branch':
      return { kind, value: computedFlow(step.condition, slotOf) };
    case 'pass':
      return { kind, mark: step.mark, passing: passing(step.mark) };
    case 'leave':
      return { kind, mark: step.mark };
    case 'cut':
      return { kind, bound: step.bound };
    case 'choose':
    case 'rest':
    case 'goto':
      return { kind };
  }
}
