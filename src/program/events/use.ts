import { foldExpression } from '../../parse/fold.js';
import { isFor } from '../../model/instructions/instead.js';
import { callSetName } from '../../model/instructions/library.js';
import type {
  Alternative,
  Body,
  CellOf,
  NodeOf,
  NodesOf,
  Operation,
  ValueLeaf,
  ValueOf,
} from '../../model/instructions/set.js';
import { isDivision } from '../arithmetic.js';
import type { Argument, LocationId, PlaceArgument, QueuePair } from '../program.js';
import type { QueuePairFacts } from '../queue-pairs.js';
import { facingTags, isConnected, wireOf } from '../wires.js';
import { completionQueueOn } from '../queue-pairs.js';
import type { Origins } from './dependencies.js';
import type { StructureDraft } from './draft.js';
import type { Event, EventId, Path, ValueId } from './structure.js';
import { further } from './structure.js';

/** The argument of a parameter, with the value of an expression instead of the expression. */
export type Given =
  | Exclude<Argument, { kind: 'value' }>
  | { readonly kind: 'number'; readonly value: ValueId };

/** The fields of an event that its thread determines. */
export type Standing = Pick<Event, 'id' | 'thread' | 'call' | 'group' | 'stands' | 'path' | 'span'>;

/** What a use needs from its thread. */
export interface UseContext {
  /** The node of the thread. */
  readonly node: string;
  /** The place of the next event, which must be made right after this. */
  readonly place: (path: Path) => Standing;
  /** Requires a condition on a path. */
  readonly require: (condition: ValueId, path: Path) => void;
  /** Adds a divisor: executions in which it is 0 have no meaning. */
  readonly divide: (divisor: ValueId, path: Path) => void;
  readonly tags: readonly string[];
  /** What the program declares of the thread's queue pairs. */
  readonly about: (pair: QueuePair) => QueuePairFacts;
  /** Where values are from, if events are to say what they depend on. */
  readonly origins?: Origins;
}

const NONE: readonly never[] = [];

type NodesArgument = Extract<Argument, { kind: 'nodes' }>;

type Placed = CellOf;

/** One use of an operation: makes the events that its declaration says (docs/instructions.md). */
export class Use {
  private readonly names: readonly string[];
  /**
   * The values of value parameters, and those that events have read so far: one for each name, or all values of a name
   * that was read in a `for`.
   */
  private values: ReadonlyMap<string, readonly ValueId[]> = new Map();
  /** The nodes that names stand for, inside of a `for`. */
  private nodes: ReadonlyMap<string, string> = new Map();
  private readonly work: string | undefined;
  /** The library, operation and object of each event. */
  private readonly owner: Pick<Event, 'library' | 'operation' | 'object'>;
  private readonly number: number;
  /** The events that give the value of the call. */
  private readonly giving: EventId[] = [];
  /** The values that the call is given, if events are to say what they depend on, and those of them that only say where. */
  private readonly numbers: ValueId[] = [];
  private readonly address: ValueId[] = [];

  /** @param given the arguments of the parameters in order, then of `into`, then of `work`, if it is given */
  constructor(
    private readonly operation: Operation,
    private readonly given: readonly Given[],
    private readonly draft: StructureDraft,
    private readonly around: UseContext,
  ) {
    this.names = draft.operations.namesOf(operation);
    given.forEach((one, i) => {
      if (one.kind !== 'number') return;
      this.bind(this.names[i], one.value);
      if (around.origins === undefined) return;
      this.numbers.push(one.value);
      if (!draft.operations.uses(operation, this.names[i])) this.address.push(one.value);
    });
    this.work = given.find((one) => one.kind === 'work')?.work;
    const object = given.find((one) => one.kind === 'object')?.object;
    const { library } = operation;
    this.owner =
      library === undefined ? {} : { library, operation: callSetName(operation), object };
    this.number = draft.newUse();
  }

  /** Makes the events. Returns the value of the use, if its operation has one. */
  perform(path: Path): ValueId | undefined {
    const { alternatives } = this.operation;
    if (alternatives.length === 1) return this.alternative(alternatives[0], path);
    const tags = this.tags();
    return this.choose(
      alternatives.filter((one) => isFor(one, tags)),
      path,
    );
  }

  /** The tags of the call and of its queue pair. */
  private tags(): readonly string[] {
    const { tags, about } = this.around;
    const on = this.ownQueuePair();
    return on?.name === undefined ? tags : [...tags, ...about(on).tags];
  }

  /** Makes one of several alternatives: a free choice, with the guard of each. */
  private choose(alternatives: readonly Alternative[], path: Path): ValueId | undefined {
    const [first, ...others] = alternatives;
    if (others.length === 0) return this.alternative(first, path);
    const before = this.values;
    const choice = this.draft.table.choice();
    const taken = this.alternative(first, further(path, choice, true));
    this.values = before;
    const other = this.choose(others, further(path, choice, false));
    if (taken === undefined || other === undefined) return undefined;
    const value = this.draft.table.select(choice, taken, other);
    this.around.origins?.also(value, this.giving);
    return value;
  }

  private alternative(
    { result: own, by, body, when }: Alternative,
    path: Path,
  ): ValueId | undefined {
    const made = this.body(body, path, NONE);
    if (by !== undefined)
      this.giving.push(...made.filter((id) => this.draft.events[id].label === by));
    if (when !== undefined) this.around.require(this.value(when, path), path);
    if (own !== undefined) return this.value(own, path);
    const { result } = this.operation;
    if (result === undefined) return undefined;
    return this.equalTo(result, when, path) ?? this.valueOf(result);
  }

  /** The value of `v` by the guard `v = e`: more may be known of the expression than of the value that was read. */
  private equalTo(name: string, when: ValueOf | undefined, path: Path): ValueId | undefined {
    if (when?.kind !== 'binary' || when.op !== '=') return undefined;
    const { left, right } = when;
    if (left.kind === 'name' && left.name === name) return this.value(right, path);
    return right.kind === 'name' && right.name === name ? this.value(left, path) : undefined;
  }

  /**
   * The events of a part of a body.
   *
   * @param beside earlier events that are not before those of the part in program order
   * @returns the events
   */
  private body(body: Body, path: Path, beside: readonly EventId[]): readonly EventId[] {
    switch (body.kind) {
      case 'then':
        return body.parts.flatMap((part) => this.body(part, path, beside));
      case 'beside': {
        const made: EventId[] = [];
        for (const part of body.parts) made.push(...this.body(part, path, [...beside, ...made]));
        return made;
      }
      case 'if': {
        const condition = this.value(body.condition, path);
        const known = this.draft.table.constantOf(condition);
        if (known === 0) return [];
        const inside = known === undefined ? further(path, condition, true) : path;
        const { values } = this;
        const made = this.body(body.body, inside, beside);
        this.values = values;
        return made;
      }
      case 'for':
        return this.forNodes(body, path, beside);
      case 'event':
        return [this.event(body, path, beside)];
    }
  }

  private forNodes(
    { name, of, body }: Extract<Body, { kind: 'for' }>,
    path: Path,
    beside: readonly EventId[],
  ): readonly EventId[] {
    const made: EventId[] = [];
    const { nodes, values } = this;
    const all = new Map(values);
    for (const node of this.nodesIn(of)) {
      this.nodes = new Map([...nodes, [name, node]]);
      this.values = values;
      made.push(...this.body(body, path, [...beside, ...made]));
      for (const [read, inside] of this.values) {
        if (inside !== values.get(read)) all.set(read, [...(all.get(read) ?? []), ...inside]);
      }
    }
    this.nodes = nodes;
    this.values = all;
    return made;
  }

  private event(
    { label, index, reads, writes, at }: Extract<Body, { kind: 'event' }>,
    path: Path,
    beside: readonly EventId[],
  ): EventId {
    const place = reads ?? writes ?? at;
    const location = place && this.locationAt(place);
    // The value that an event writes may depend on what it reads itself, so its number is needed first.
    const { length: id } = this.draft.events;
    if (reads !== undefined) this.bind(reads.as, this.draft.table.read(id));
    const value = writes && this.value(writes.value, path);
    const { thread, call, group, stands, path: reached, span } = this.around.place(path);
    const on = this.queuePair(label);
    const about = on?.name === undefined ? undefined : this.around.about(on);
    const tags = this.tagsOf(location, about, thread, on);
    this.draft.events.push({
      id,
      thread,
      label,
      path: reached,
      location,
      home: location === undefined ? undefined : this.draft.nodeOf(location),
      reads: reads === undefined ? undefined : true,
      value,
      node: on?.node ?? (index && this.nodeOf(index)),
      own: on === undefined ? undefined : this.around.node,
      queuePair: on?.name,
      ...(about?.joint === true && { joint: true }),
      ...(on !== undefined && isConnected(this.draft.program, thread, on) && { connected: true }),
      completions: about?.completions ?? this.completions(label),
      work: this.work,
      beside: beside.length === 0 ? undefined : beside,
      tags: tags.length === 0 ? undefined : tags,
      ...this.around.origins?.of(reached, this.madeOf(value, on), this.address),
      ...this.owner,
      object: location === undefined ? this.owner.object : this.draft.objectAt(location),
      use: this.number,
      call,
      group,
      stands,
      span,
    });
    return id;
  }

  /** The values that go into an event: the one that it writes, and all operands of what is posted. */
  private madeOf(value: ValueId | undefined, on: QueuePair | undefined): readonly ValueId[] {
    const operands = on === undefined ? NONE : this.numbers;
    return value === undefined ? operands : [value, ...operands];
  }

  /** The queue pair of an event, if it is on one. */
  private queuePair(label: string): QueuePair | undefined {
    return this.draft.operations.isOnQueuePair(label) ? this.ownQueuePair() : undefined;
  }

  /** The queue pair of the call, if it is on one. */
  private ownQueuePair(): QueuePair | undefined {
    const { on } = this.operation;
    if (on === undefined) return undefined;
    const given = this.given[this.names.indexOf(on)];
    if (given.kind === 'peer') return given;
    if (given.kind === 'completions') return undefined;
    const { location, node, queuePair } = given as PlaceArgument;
    return { node: node ?? this.draft.nodeOf(location), name: queuePair };
  }

  /** The completion queue of an event, if its call is given one in the place of a queue pair. */
  private completions(label: string): string | undefined {
    const { on } = this.operation;
    if (on === undefined || !this.draft.operations.isOnQueuePair(label)) return undefined;
    const given = this.given[this.names.indexOf(on)];
    return given.kind === 'completions'
      ? completionQueueOn(this.around.node, given.name)
      : undefined;
  }

  private tagsOf(
    location: number | undefined,
    about: QueuePairFacts | undefined,
    thread: number,
    on: QueuePair | undefined,
  ): readonly string[] {
    const { tags } = this.around;
    const own = location === undefined ? NONE : this.draft.tagsOf(location);
    const pair = about?.tags ?? NONE;
    const facing = on === undefined ? NONE : facingTags(this.draft.program, thread, on);
    const others = own.length + pair.length + facing.length;
    return others === 0 ? tags : [...new Set([...tags, ...own, ...pair, ...facing])];
  }

  /** The location of an event: a place among the arguments, or a cell of the object. */
  private locationAt({ place, copy, wire }: Placed): LocationId {
    if (wire !== undefined) {
      return wireOf(this.draft.program, this.around.node, this.ownQueuePair()!, wire);
    }
    const given = this.given[this.names.indexOf(place)];
    if (given.kind !== 'object') return (given as PlaceArgument).location;
    const { cells } = this.draft.objectOf(given.object);
    return copy === undefined ? Object.values(cells)[0] : cells[this.nodeOf(copy)];
  }

  private nodeOf(node: NodeOf): string {
    switch (node.kind) {
      case 'here':
        return this.around.node;
      case 'name':
        return this.nodes.get(node.name) ?? this.peerNode(node.name);
      case 'place':
        return this.draft.nodeOf(this.locationAt({ place: node.place }));
    }
  }

  private peerNode(name: string): string {
    return (this.given[this.names.indexOf(name)] as QueuePair).node;
  }

  private nodesIn(nodes: NodesOf): readonly string[] {
    const { draft } = this;
    switch (nodes.kind) {
      case 'all':
        return draft.nodes;
      case 'name':
        return (this.given[this.names.indexOf(nodes.name)] as NodesArgument).nodes;
      case 'role': {
        const { object } = this.owner;
        return object === undefined
          ? []
          : draft.nodesOf(draft.objectOf(object).roles[nodes.role] ?? []);
      }
      case 'set':
        return nodes.nodes.map((node) => this.nodeOf(node));
      case 'minus': {
        const without = this.nodesIn(nodes.right);
        return this.nodesIn(nodes.left).filter((node) => !without.includes(node));
      }
    }
  }

  private bind(name: string, value: ValueId): void {
    this.values = new Map([...this.values, [name, [value]]]);
  }

  private valueOf(name: string): ValueId {
    return this.values.get(name)![0];
  }

  private value(e: ValueOf, path: Path): ValueId {
    const { table } = this.draft;
    return foldExpression<ValueLeaf, ValueId>(e, {
      int: ({ value }) => table.constant(value),
      leaf: (leaf) => (leaf.kind === 'name' ? this.valueOf(leaf.name) : this.sum(leaf.of)),
      unary: ({ op }, arg) => table.unary(op, arg),
      binary: ({ op }, left, right) => {
        if (isDivision(op)) this.around.divide(right, path);
        return table.binary(op, left, right);
      },
    });
  }

  private sum(name: string): ValueId {
    const { table } = this.draft;
    const [first = table.constant(0), ...others] = this.values.get(name) ?? [];
    return others.reduce((sum, value) => table.binary('+', sum, value), first);
  }
}
