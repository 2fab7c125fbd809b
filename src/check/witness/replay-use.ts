import type {
  Alternative,
  Body,
  NodeOf,
  NodesOf,
  Operation,
  ValueOf,
} from '../../model/instructions/set.js';
import { numberOf } from '../../parse/fold.js';
import { applyBinary } from '../../program/arithmetic.js';
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
export interface UseState {
  readonly at: number;
  readonly registers: readonly number[];
}

/** What a parameter is given: its argument, where an expression has a number by now. */
export type GivenNumber =
  Exclude<Argument, { kind: 'value' }> | { readonly kind: 'number'; readonly value: number };

/** Where a use of an operation may end, and its value if it has one. */
export interface End {
  readonly state: UseState;
  readonly value?: number;
}

/** Takes the next action if it is as wanted; gives what it read. */
type Take = (
  state: UseState,
  wanted: Omit<Action, 'reads'>,
) => { readonly state: UseState; readonly read: number } | undefined;

/** One number for each name, and of a name that was read in a `for`, all of them. */
type Values = ReadonlyMap<string, readonly number[]>;
interface Reached {
  readonly state: UseState;
  readonly values: Values;
  /** The nodes that names stand for: inside of `for`. */
  readonly nodes: ReadonlyMap<string, string>;
}

/** What a use does in a body, by itself: see `Body` for its parts. */
type EventOf = Extract<Body, { kind: 'event' }>;
type Cell = NonNullable<EventOf['at']>;

/** Follows one use of an operation through the actions, straight from its declaration. */
export function replayUse(
  program: Program,
  operation: Operation,
  given: readonly GivenNumber[],
  here: string,
  from: UseState,
  actions: readonly Action[],
  take: Take,
): readonly End[] {
  const names = operation.parameters.map(({ name }) => name);
  if (operation.into !== undefined) names.push(operation.into.name);
  if (operation.work !== undefined) names.push(operation.work);
  const named = new Map(given.map((one, i) => [names[i], one]));
  const numbers = new Map(
    [...named].flatMap(([name, one]) =>
      one.kind === 'number' ? [[name, [one.value]] as const] : [],
    ),
  );
  const work = given.find((one) => one.kind === 'work')?.work;
  const labels = new Map(program.instructions.labels.map((label) => [label.name, label]));
  return operation.alternatives.flatMap(alternativeEnds);

  function alternativeEnds({ result: own, body, when }: Alternative): readonly End[] {
    const reached = follow(body, { state: from, values: numbers, nodes: new Map() });
    if (reached === undefined) return [];
    if (when !== undefined && !valueOf(when, reached.values)) return [];
    const { result } = operation;
    const value = own
      ? valueOf(own, reached.values)
      : result === undefined
        ? undefined
        : reached.values.get(result)?.[0];
    return [{ state: reached.state, value }];
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
        const inside = condition === 0 ? at : follow(body.body, at);
        return inside && { ...inside, values: at.values };
      }
      case 'for':
        return forNodes(body, at);
      case 'event':
        return event(body, at);
    }
  }

  function forNodes({ name, of, body }: Extract<Body, { kind: 'for' }>, at: Reached) {
    const values = new Map(at.values);
    let { state } = at;
    for (const node of nodesIn(of, at)) {
      const nodes = new Map([...at.nodes, [name, node]]);
      const reached = follow(body, { state, values: at.values, nodes });
      if (reached === undefined) return undefined;
      ({ state } = reached);
      for (const [read, inside] of reached.values) {
        if (inside !== at.values.get(read))
          values.set(read, [...(values.get(read) ?? []), ...inside]);
      }
    }
    return { state, values, nodes: at.nodes };
  }

  function event(declared: EventOf, at: Reached): Reached | undefined {
    const { label, index, reads, writes } = declared;
    const cell = reads ?? writes ?? declared.at;
    const location = cell && locationOf(cell, at);
    const on = labels.get(label)?.onQueuePair === true ? queuePair() : {};
    // What an event writes may depend on what it reads: the action says what that is.
    const read = reads && actions[at.state.at]?.reads;
    const values =
      reads && read !== undefined ? new Map([...at.values, [reads.as, [read]]]) : at.values;
    const wanted = {
      label,
      location,
      work,
      writes: writes && valueOf(writes.value, values),
      ...(index === undefined ? on : { node: nodeOf(index, at) }),
    };
    const taken = take(at.state, wanted);
    return taken && { state: taken.state, values, nodes: at.nodes };
  }

  function locationOf({ place, copy }: Cell, at: Reached): number {
    const one = named.get(place);
    if (one?.kind === 'place') return one.location;
    if (one?.kind !== 'object') return -1;
    const { cells } = program.objects![one.object];
    return copy === undefined ? Object.values(cells)[0] : cells[nodeOf(copy, at)];
  }

  function nodeOf(node: NodeOf, at: Reached): string {
    if (node.kind === 'here') return here;
    if (node.kind === 'place') {
      return program.locations[locationOf({ place: node.place }, at)].node;
    }
    const one = named.get(node.name);
    return at.nodes.get(node.name) ?? (one?.kind === 'peer' ? one.node : '');
  }

  function nodesIn(nodes: NodesOf, at: Reached): readonly string[] {
    switch (nodes.kind) {
      case 'all':
        return program.nodes;
      case 'name': {
        const one = named.get(nodes.name);
        return one?.kind === 'nodes' ? one.nodes : [];
      }
      case 'role': {
        const object = given.find((one) => one.kind === 'object')?.object;
        const threads = (program.objects?.[object ?? -1]?.roles ?? {})[nodes.role] ?? [];
        const of = new Set(threads.map((thread) => program.threads[thread].node));
        return program.nodes.filter((node) => of.has(node));
      }
      case 'set':
        return nodes.nodes.map((node) => nodeOf(node, at));
      case 'minus': {
        const without = new Set(nodesIn(nodes.right, at));
        return nodesIn(nodes.left, at).filter((node) => !without.has(node));
      }
    }
  }

  function queuePair(): Pick<Action, 'node' | 'queuePair'> {
    const one = named.get(operation.on ?? '');
    if (one?.kind === 'peer') return { node: one.node, queuePair: one.name };
    if (one?.kind !== 'place') return {};
    const node = one.node ?? program.locations[one.location].node;
    return { node, queuePair: one.queuePair };
  }
}

const valueOf = (e: ValueOf, values: Values): number | undefined =>
  numberOf(e, (leaf) =>
    leaf.kind === 'name'
      ? values.get(leaf.name)?.[0]
      : (values.get(leaf.of) ?? []).reduce<number | undefined>(
          (sum, value) => applyBinary('+', sum, value),
          0,
        ),
  );
