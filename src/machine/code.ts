import type { Cell, FlowGraph, FlowStep } from '../program/flow/graph.js';
import type { Compute, Slot } from './compute.js';
import { computeFlow } from './compute.js';

/** A step of a flow graph, ready to be taken: cells are slots, and values are functions of a state. */
export type CodeStep = { readonly next: readonly number[]; readonly isMoment: boolean } & (
  | {
      readonly kind: 'use';
      readonly given: readonly Compute[];
      /** -1: its value is not asked for. */ readonly result: Slot;
    }
  | { readonly kind: 'set'; readonly slot: Slot; readonly value: Compute }
  | { readonly kind: 'branch' | 'assume'; readonly value: Compute }
  | { readonly kind: 'choose' | 'goto' }
  | { readonly kind: 'cut'; readonly bound: number }
);

export const compiledSteps = (
  { steps }: FlowGraph,
  slotOf: (cell: Cell) => Slot,
): readonly CodeStep[] =>
  steps.map(
    (step) =>
      ({
        next: step.next,
        isMoment: step.isMoment === true,
        ...compiled(step, slotOf),
      }) as CodeStep,
  );

function compiled(step: FlowStep, slotOf: (cell: Cell) => Slot) {
  switch (step.kind) {
    case 'use': {
      const given = step.use.given.flatMap((one) =>
        one.kind === 'value' ? [computeFlow(one.value, slotOf)] : [],
      );
      return {
        kind: step.kind,
        given,
        result: step.result === undefined ? -1 : slotOf(step.result),
      };
    }
    case 'set':
      return { kind: step.kind, slot: slotOf(step.cell), value: computeFlow(step.value, slotOf) };
    case 'assume':
    case 'branch':
      return { kind: step.kind, value: computeFlow(step.condition, slotOf) };
    case 'choose':
    case 'rest':
      return { kind: 'choose' };
    case 'cut':
      return { kind: step.kind, bound: step.bound };
    case 'goto':
    case 'assert':
    case 'pass':
    case 'leave':
      return { kind: 'goto' };
  }
}
