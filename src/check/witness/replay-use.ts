import { isFor } from '../../model/instructions/instead.js';
import { wireOf } from '../../program/wires.js';
import type {
  Alternative,
  Body,
  Label,
  NodeOf,
  NodesOf,
  Operation,
  ValueOf,
} from '../../model/instructions/set.js';
import { numberOf } from '../../parse/fold.js';
import { applyBinary } from '../../program/arithmetic.js';
import type { Argument, DeclaredQueuePair, LocationId, Program } from '../../program/program.js';

/** An event as a thread performs it, with its concrete values. */
export interface PerformedEvent {
  readonly label: string;
  readonly location?: LocationId;
  readonly node?: string;
  readonly queuePair?: string;
  readonly work?: string;
  readonly reads?: number;
  readonly writes?: number;
}

/** The state of a thread: how many actions are taken, and its registers. */
export interface UseState {
  readonly at: number;
  readonly registers: readonly number[];
}

/** The argument of a parameter, with the number of an expression instead of the expression. */
export type GivenNumber =
  | Exclude<Argument, { kind: 'value' }>
  | { readonly kind: 'number'; readonly value: number };

/** Where a use of an operation may end, and its value if it has one. */
export interface End {
  readonly state: UseState;
  readonly value?: number;
}

/** Takes the next action if it is as described, and returns the value that it read. */
type Take = (
  state: UseState,
  wanted: Omit<PerformedEvent, 'reads'>,
) => { readonly state: UseState; readonly read: number } | undefined;

/** One number for each name, or all numbers of a name that was read in a `for`. */
type Values = ReadonlyMap<string, readonly number[]>;
interface Reached {
  readonly state: UseState;
  readonly values: Values;
  /** The nodes that names stand for, inside of a `for`. */
  readonly nodes: ReadonlyMap<string, string>;
}

/** A part of a body that is one event; see `Body`. */
type EventOf = Extract<Body, { kind: 'event' }>;
type Cell = NonNullable<EventOf['at']>;

/** The context of a use: a thread on node `here`, which performs these actions. */
interface Replayed {
  readonly program: Program;
  readonly here: string;
  readonly actions: readonly PerformedEvent[];
  /** The tags of the call. */
  readonly tags: readonly string[];
  /** The queue pairs that the program declares of the thread. */
  readonly queuePairs: readonly DeclaredQueuePair[];
}

/** Replays one use of an operation against the actions, directly by its declaration. */
export function replayUse(
  replayed: Replayed,
  operation: Operation,
  given: readonly GivenNumber[],
  from: UseState,
  take: Take,
): readonly End[] {
  const use = new ReplayedUse(replayed, operation, given, take);
  const tags = use.tags();
  return operation.alternatives.flatMap((one) => (isFor(one, tags) ? use.ends(one, from) : []));
}

class ReplayedUse {
  private readonly program: Program;
  private readonly here: string;
  private readonly actions: readonly PerformedEvent[];
  private readonly named: ReadonlyMap<string, GivenNumber>;
  private readonly numbers: Values;
  private readonly work: string | undefined;
  private readonly labels: ReadonlyMap<string, Label>;

  constructor(
    private readonly replayed: Replayed,
    private readonly operation: Operation,
    private readonly given: readonly GivenNumber[],
    private readonly take: Take,
  ) {
    const { program, here, actions } = replayed;
    this.program = program;
    this.here = here;
    this.actions = actions;
    const names = operation.parameters.map(({ name }) => name);
    if (operation.into !== undefined) names.push(operation.into.name);
    if (operation.work !== undefined) names.push(operation.work);
    this.named = new Map(given.map((one, i) => [names[i], one]));
    this.numbers = new Map(
      [...this.named].flatMap(([name, one]) =>
        one.kind === 'number' ? [[name, [one.value]] as const] : [],
      ),
    );
    this.work = given.find((one) => one.kind === 'work')?.work;
    this.labels = new Map(program.instructions.labels.map((label) => [label.name, label]));
  }

  /** The tags of the call and of its queue pair. */
  tags(): readonly string[] {
    const { tags, queuePairs } = this.replayed;
    const { node, queuePair } = this.queuePair();
    const pair = queuePairs.find((one) => one.name === queuePair && one.node === node);
    return [...tags, ...(pair?.tags ?? [])];
  }

  ends({ result: own, body, when }: Alternative, from: UseState): readonly End[] {
    const reached = this.follow(body, { state: from, values: this.numbers, nodes: new Map() });
    if (reached === undefined) return [];
    if (when !== undefined && !valueOf(when, reached.values)) return [];
    const { result } = this.operation;
    const value = own
      ? valueOf(own, reached.values)
      : result === undefined
        ? undefined
        : reached.values.get(result)?.[0];
    return [{ state: reached.state, value }];
  }

  private follow(body: Body, at: Reached): Reached | undefined {
    switch (body.kind) {
      case 'then':
      case 'beside': {
        let reached: Reached | undefined = at;
        for (const part of body.parts) reached = reached && this.follow(part, reached);
        return reached;
      }
      case 'if': {
        const condition = valueOf(body.condition, at.values);
        if (condition === undefined) return undefined;
        const inside = condition === 0 ? at : this.follow(body.body, at);
        return inside && { ...inside, values: at.values };
      }
      case 'for':
        return this.forNodes(body, at);
      case 'event':
        return this.event(body, at);
    }
  }

  private forNodes({ name, of, body }: Extract<Body, { kind: 'for' }>, at: Reached) {
    const values = new Map(at.values);
    let { state } = at;
    for (const node of this.nodesIn(of, at)) {
      const nodes = new Map([...at.nodes, [name, node]]);
      const reached = this.follow(body, { state, values: at.values, nodes });
      if (reached === undefined) return undefined;
      ({ state } = reached);
      for (const [read, inside] of reached.values) {
        if (inside !== at.values.get(read))
          values.set(read, [...(values.get(read) ?? []), ...inside]);
      }
    }
    return { state, values, nodes: at.nodes };
  }

  private event(declared: EventOf, at: Reached): Reached | undefined {
    const { label, index, reads, writes } = declared;
    const cell = reads ?? writes ?? declared.at;
    const location = cell && this.locationOf(cell, at);
    const on = this.labels.get(label)?.onQueuePair === true ? this.queuePair() : {};
    // The value that an event writes may depend on what it reads, which the action says.
    const read = reads && this.actions[at.state.at]?.reads;
    const values =
      reads && read !== undefined ? new Map([...at.values, [reads.as, [read]]]) : at.values;
    const wanted = {
      label,
      location,
      work: this.work,
      writes: writes && valueOf(writes.value, values),
      ...(index === undefined ? on : { node: this.nodeOf(index, at) }),
    };
    const taken = this.take(at.state, wanted);
    return taken && { state: taken.state, values, nodes: at.nodes };
  }

  private locationOf({ place, copy, wire }: Cell, at: Reached): number {
    if (wire !== undefined) {
      const { node = '', queuePair: name } = this.queuePair();
      return wireOf(this.program, this.here, { node, name }, wire);
    }
    const one = this.named.get(place);
    if (one?.kind === 'place') return one.location;
    if (one?.kind !== 'object') return -1;
    const { cells } = this.program.objects![one.object];
    return copy === undefined ? Object.values(cells)[0] : cells[this.nodeOf(copy, at)];
  }

  private nodeOf(node: NodeOf, at: Reached): string {
    if (node.kind === 'here') return this.here;
    if (node.kind === 'place') {
      return this.program.locations[this.locationOf({ place: node.place }, at)].node;
    }
    const one = this.named.get(node.name);
    return at.nodes.get(node.name) ?? (one?.kind === 'peer' ? one.node : '');
  }

  private nodesIn(nodes: NodesOf, at: Reached): readonly string[] {
    switch (nodes.kind) {
      case 'all':
        return this.program.nodes;
      case 'name': {
        const one = this.named.get(nodes.name);
        return one?.kind === 'nodes' ? one.nodes : [];
      }
      case 'role': {
        const object = this.given.find((one) => one.kind === 'object')?.object;
        const threads = (this.program.objects?.[object ?? -1]?.roles ?? {})[nodes.role] ?? [];
        const of = new Set(threads.map((thread) => this.program.threads[thread].node));
        return this.program.nodes.filter((node) => of.has(node));
      }
      case 'set':
        return nodes.nodes.map((node) => this.nodeOf(node, at));
      case 'minus': {
        const without = new Set(this.nodesIn(nodes.right, at));
        return this.nodesIn(nodes.left, at).filter((node) => !without.has(node));
      }
    }
  }

  private queuePair(): Pick<PerformedEvent, 'node' | 'queuePair'> {
    const one = this.named.get(this.operation.on ?? '');
    if (one?.kind === 'peer') return { node: one.node, queuePair: one.name };
    if (one?.kind !== 'place') return {};
    const node = one.node ?? this.program.locations[one.location].node;
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
