import { structureFor } from '../../check/structure.js';
import type { EventStructure } from '../../program/events/structure.js';
import type { Program } from '../../program/program.js';
import type { Circumstances } from '../circumstances.js';
import type { OrderAnswer } from './order.js';
import { ordersKept } from './order.js';
import type { BrokenPromise } from './stamp-promises.js';
import { brokenPromise } from './stamp-promises.js';
import { stampOrder } from './stamp-order.js';
import { implementedCalls, implementedGroups, specifiedCalls, waysThrough } from './subevents.js';

/**
 * Local soundness (LOCO paper, Def. 3.13): what is asked of one implementation of one library, so that by the paper's Thm 3.14 its
 * clients cannot tell, whatever other libraries they use beside it. The client has calls of the library alone, and no branches.
 */
export interface LocalInput {
  readonly specification: Program;
  readonly implementation: Program;
  /** The calls whose stamp promises are decided, by thread and number: those of other clients are the same. */
  readonly promises: readonly (readonly [thread: number, call: number])[];
  /** How many candidates of executions are tried. */
  readonly limit: number;
}

export interface LocalAnswer {
  /** Of how many calls the promises were decided. */
  readonly promised: number;
  readonly promise?: CallPromise;
  readonly order: OrderAnswer;
}

/** A promise that is broken, and by which call: `T1 bal.bar(o1)`. */
export interface CallPromise extends BrokenPromise {
  readonly call: string;
}

/** @param circumstances the models: that of the library, then that of the libraries below */
export function local(input: LocalInput, { models, bound }: Circumstances): LocalAnswer {
  const [above, below] = models;
  const specified = structureFor(input.specification, above, bound);
  const implemented = structureFor(input.implementation, below, bound);
  for (const made of [specified, implemented]) {
    if ('reason' in made) return { promised: 0, order: { kind: 'unknown', reason: made.reason } };
  }
  const [specification, implementation] = [specified, implemented] as EventStructure[];
  const order = stampOrder(below, input.implementation.nodes);
  for (const [thread, call] of input.promises) {
    const made = implementedCalls(implementation, thread)[call];
    const result = resultOf(input.specification, thread, call);
    const { registers } = input.implementation.threads[thread];
    const register = result === undefined ? undefined : registers.indexOf(result.name);
    const broken = brokenPromise(
      waysThrough(
        specification,
        thread,
        specifiedCalls(specification, thread)[call],
        result?.register,
      ),
      waysThrough(implementation, thread, made, register),
      below,
      order,
    );
    if (broken === undefined) continue;
    const group = implementedGroups(implementation, thread)[call];
    const { name } = input.implementation.threads[thread];
    const promise = { ...broken, call: `${name} ${implementation.groups![group].call}` };
    return { promised: 1, promise, order: { kind: 'kept', executions: 0 } };
  }
  const sides = [
    { structure: specification, model: above },
    { structure: implementation, model: below },
  ] as const;
  return { promised: input.promises.length, order: ordersKept(...sides, input.limit) };
}

/** The register that gets the value of a call. */
function resultOf({ threads }: Program, thread: number, call: number) {
  const { body, registers } = threads[thread];
  const instruction = body[call];
  if (instruction.kind !== 'call' || instruction.result?.kind !== 'register') return undefined;
  const { register } = instruction.result;
  return { register, name: registers[register] };
}
