import type { Alternative, Body, Operation, ValueOf } from '../../model/instructions/set.js';
import { applyBinary, applyUnary } from '../../program/arithmetic.js';
import type { Argument, LocationId, Program } from '../../program/program.js';

/** An event as a thread performs it, with its concrete values. */
export interface Action {
  readonly label: string;
  readonly location?: LocationId;
  readonly node?: string;
  readonly queuePair?: string;
  readonly work?: string;
  readonly reads?: number;
  readonly writes?: number;
}

/** Where the thread is: how many actions are taken, and its registers. */
export interface Progress {
  readonly at: number;
  readonly registers: readonly number[];
}

/** What a parameter is given: its argument, where an expression has a number by now. */
export type Given =
  Exclude<Argument, { kind: 'value' }> | { readonly kind: 'number'; readonly value: number };

/** Where a use of an operation may end, and its value if it has one. */
export interface End {
  readonly state: Progress;
  readonly value?: number;
}

/** Takes the next action if it is as wanted; gives what it read. */
type Take = (
  state: Progress,
  wanted: Omit<Action, 'reads'>,
) => { readonly state: Progress; readonly read: number } | undefined;

type Values = ReadonlyMap<string, number>;
interface Reached {
  readonly state: Progress;
  readonly values: Values;
}

/** Follows one use of an operation through the actions, straight from its declaration. */
export function replayUse(
  program: Program,
  operation: Operation,
  given: readonly Given[],
  from: Progress,
  actions: readonly Action[],
  take: Take,
): readonly End[] {
  const names = operation.parameters.map(({ name }) => name);
  if (operation.into !== undefined) names.push(operation.into.name);
  if (operation.work !== undefined) names.push(operation.work);
  const named = new Map(given.map((one, i) => [names[i], one]));
  const numbers = new Map(
    [...named].flatMap(([name, one]) =>
      one.kind === 'number' ? [[name, one.value] as const] : [],
    ),
  );
  const work = given.find((one) => one.kind === 'work')?.work;
  const labels = new Map(program.instructions.labels.map((label) => [label.name, label]));
  return operation.alternatives.flatMap(alternativeEnds);

  function alternativeEnds({ body, when }: Alternative): readonly End[] {
    const reached = follow(body, { state: from, values: numbers });
    if (reached === undefined) return [];
    if (when !== undefined && !valueOf(when, reached.values)) return [];
    const { result } = operation;
    return [
      {
        state: reached.state,
        value: result === undefined ? undefined : reached.values.get(result),
      },
    ];
  }

  function follow(body: Body, at: Reached): Reached | undefined {
    switch (body.kind) {
      case 'then':
      case 'beside': {
        let reached: Reached | undefined = at;
        for (const part of body.parts) reached = reached && follow(part, reached);
        return reached;
      }
      case 'if': {
        const condition = valueOf(body.condition, at.values);
        if (condition === undefined) return undefined;
        return condition === 0 ? at : follow(body.body, at);
      }
      case 'event':
        return event(body, at);
    }
  }

  function event(
    { label, reads, writes }: Extract<Body, { kind: 'event' }>,
    at: Reached,
  ): Reached | undefined {
    const place = reads?.place ?? writes?.place;
    const location = place === undefined ? undefined : locationOf(place);
    const on = labels.get(label)?.onQueuePair === true ? queuePair() : {};
    // What an event writes may depend on what it reads: the action says what that is.
    const read = reads && actions[at.state.at]?.reads;
    const values =
      reads && read !== undefined ? new Map([...at.values, [reads.as, read]]) : at.values;
    const wanted = {
      label,
      location,
      work,
      writes: writes && valueOf(writes.value, values),
      ...on,
    };
    const taken = take(at.state, wanted);
    return taken && { state: taken.state, values };
  }

  function locationOf(name: string): number {
    const one = named.get(name);
    return one?.kind === 'place' ? one.location : -1;
  }

  function queuePair(): Pick<Action, 'node' | 'queuePair'> {
    const one = named.get(operation.on ?? '');
    if (one?.kind === 'peer') return { node: one.node, queuePair: one.name };
    if (one?.kind !== 'place') return {};
    const node = one.node ?? program.locations[one.location].node;
    return { node, queuePair: one.queuePair };
  }
}

function valueOf(e: ValueOf, values: Values): number | undefined {
  switch (e.kind) {
    case 'int':
      return e.value;
    case 'name':
      return values.get(e.name);
    case 'unary': {
      const arg = valueOf(e.arg, values);
      return arg === undefined ? undefined : applyUnary(e.op, arg);
    }
    case 'binary': {
      const [left, right] = [valueOf(e.left, values), valueOf(e.right, values)];
      return left === undefined || right === undefined ? undefined : applyBinary(e.op, left, right);
    }
  }
}
