import { mapLeaves } from '../../parse/fold.js';
import type { LocalAtomic } from '../instructions.js';
import { callFor, updateOf, viewed } from '../instructions.js';
import { operandsOfUpdate, withOperands } from '../update.js';
import { instructionsOf } from '../../program/instructions.js';
import type {
  Expression,
  Instruction,
  Location,
  LocationId,
  Program,
  RegisterId,
  Target,
  Thread,
} from '../../program/program.js';
import { locationsOf } from '../../program/accessed.js';
import { constantLocation } from '../../program/constant-location.js';

/** The node of a client, and what it shares with the other clients. */
export interface ClientPlace {
  /** The program over shared memory. */
  readonly program: Program;
  readonly node: string;
  readonly server: string;
  /** The locations of the new program; those that the client needs for itself are added. */
  readonly locations: Location[];
}

/**
 * Makes a client of a thread: loads and stores of shared locations become gets and puts, atomics become polled remote ones. A register becomes private memory if some `r := x` loads a location into it: then a get can write it.
 */
export const createClient = (thread: Thread, owner: number, place: ClientPlace): Thread =>
  new Client(thread, owner, place).create();

/** The locations of a client's own. */
class OwnMemory {
  private readonly taken: Set<string>;

  constructor(
    thread: Thread,
    private readonly owner: number,
    private readonly place: ClientPlace,
  ) {
    this.taken = new Set([...place.locations.map((l) => l.name), ...thread.registers]);
  }

  freshName(name: string): string {
    let number = 1;
    while (this.taken.has(`${name}${number}`)) number += 1;
    this.taken.add(`${name}${number}`);
    return `${name}${number}`;
  }

  fresh(name: string): LocationId {
    return this.named(this.freshName(name));
  }

  named(name: string): LocationId {
    const { owner, place } = this;
    return place.locations.push({ name, node: place.node, initial: 0, owner }) - 1;
  }

  /** The hidden location of a constant. */
  constant(initial: number): LocationId {
    return constantLocation(this.place.locations, this.owner, this.place.node, initial);
  }
}

class Client {
  private readonly memory: OwnMemory;
  private readonly node: string;
  private readonly server: string;
  private readonly registers: string[];
  /** The locations that registers become. */
  private readonly loaded = new Map<RegisterId, LocationId>();
  /** The operations that are not polled yet, the oldest first: the location that a get fills; undefined for a put. */
  private open: (LocationId | undefined)[] = [];

  constructor(
    private readonly thread: Thread,
    owner: number,
    place: ClientPlace,
  ) {
    this.memory = new OwnMemory(thread, owner, place);
    this.node = place.node;
    this.server = place.server;
    this.registers = [...thread.registers];
  }

  create(): Thread {
    const { thread, node, registers } = this;
    for (const i of instructionsOf(thread.body)) {
      if (!isLoad(i) || this.loaded.has(i.target.register)) continue;
      this.loaded.set(i.target.register, this.memory.named(registers[i.target.register]));
    }
    return { ...thread, node, body: this.body(thread.body, false), registers };
  }

  /** The instructions of a body. Inside branches and loops everything is polled at the end. */
  private body(list: readonly Instruction[], inner: boolean): readonly Instruction[] {
    const made: Instruction[] = [];
    const emit = (...more: readonly Instruction[]): void => void made.push(...more);
    for (const i of list) this.instruction(i, emit);
    if (inner && list.length > 0) this.pollAll(list[list.length - 1], emit);
    return made;
  }

  private instruction(given: Instruction, emit: Emit): void {
    const i = viewed(given);
    switch (i.kind) {
      case 'assign':
        return this.assign(i, emit);
      case 'assume':
        return emit({ ...i, condition: this.fetched(i.condition, i, emit) });
      case 'if': {
        const condition = this.fetched(i.condition, i, emit);
        this.pollAll(i, emit);
        return emit({
          ...i,
          condition,
          then: this.body(i.then, true),
          else: this.body(i.else, true),
        });
      }
      case 'choose':
        this.pollAll(i, emit);
        return emit({ ...i, branches: i.branches.map((b) => this.body(b, true)) });
      case 'loop':
        return this.loop(i, emit);
      case 'mfence':
        return emit(given);
      case 'cas':
      case 'faa':
      case 'xchg':
        return this.atomic(i, emit);
      case 'remote-atomic':
      case 'get':
      case 'put':
      case 'poll':
      case 'rfence':
      case 'wait':
        throw new Error(`a ${i.kind} in a client: see refusals`);
    }
  }

  private loop(i: Extract<Instruction, { kind: 'loop' }>, emit: Emit): void {
    if (i.condition === undefined) {
      this.pollAll(i, emit);
      return emit({ ...i, body: this.body(i.body, true) });
    }
    const copies = this.copiesOf(i.condition);
    const condition = this.fetch(i.condition, copies, i, emit);
    this.pollAll(i, emit);
    const again: Instruction[] = [...this.body(i.body, true)];
    this.fetch(i.condition, copies, i, (...more) => void again.push(...more));
    emit({ ...i, condition, body: again });
  }

  private assign(i: Extract<Instruction, { kind: 'assign' }>, emit: Emit): void {
    const { span } = i;
    if (isLoad(i)) {
      const copy = this.loaded.get(i.target.register)!;
      this.need([copy], i, emit);
      return this.get(i.value.location, copy, i, emit);
    }
    if (i.target.kind === 'register') {
      const value = this.fetched(i.value, i, emit);
      const memory = this.loaded.get(i.target.register);
      if (memory === undefined) return emit({ ...i, value });
      this.need([memory], i, emit);
      return emit({ ...i, target: { kind: 'location', location: memory }, value });
    }
    // A put takes its value from a location that is used for nothing else.
    let from: LocationId;
    if (i.value.kind === 'int') from = this.memory.constant(i.value.value);
    else {
      from = this.memory.fresh('out');
      const target: Target = { kind: 'location', location: from };
      emit({ kind: 'assign', target, value: this.fetched(i.value, i, emit), span });
    }
    emit(callFor({ kind: 'put', from, to: i.target.location, node: this.server, span }));
    this.open.push(undefined);
  }

  /**
   * A remote atomic, which is polled at once: the thread goes on when it has the old value. All that it does later is on the
   * same queue pair, behind the write part.
   */
  private atomic(i: LocalAtomic, emit: Emit): void {
    const { kind, location, target, span } = i;
    const update = withOperands(
      kind,
      operandsOfUpdate(updateOf(i)).map((e) => this.operand(e, i, emit)),
    );
    const into = this.memory.fresh('old');
    emit(callFor({ kind: 'remote-atomic', update, location, into, node: this.server, span }));
    this.open.push(into);
    this.pollAll(i, emit);
    if (target.kind === 'location') {
      emit(callFor({ kind: 'put', from: into, to: target.location, node: this.server, span }));
      this.open.push(undefined);
      return;
    }
    const memory = this.loaded.get(target.register);
    const to: Target = memory === undefined ? target : { kind: 'location', location: memory };
    emit({ kind: 'assign', target: to, value: { kind: 'location', location: into }, span });
  }

  /** An operand of a remote atomic, which may name registers only. */
  private operand(e: Expression, i: Placed, emit: Emit): Expression {
    const value = this.fetched(e, i, emit);
    if (locationsOf(value).length === 0) return value;
    const register = this.registers.push(this.memory.freshName('operand')) - 1;
    emit({ kind: 'assign', target: { kind: 'register', register }, value, span: i.span });
    return { kind: 'register', register };
  }

  /**
   * Emits instructions that fetch the shared locations of an expression. Returns the expression over the thread's own
   * names.
   */
  private fetched(e: Expression, i: Placed, emit: Emit): Expression {
    return this.fetch(e, this.copiesOf(e), i, emit);
  }

  private copiesOf(e: Expression): ReadonlyMap<LocationId, LocationId> {
    return new Map(locationsOf(e).map((l) => [l, this.memory.fresh('copy')]));
  }

  private fetch(
    e: Expression,
    copies: ReadonlyMap<LocationId, LocationId>,
    i: Placed,
    emit: Emit,
  ): Expression {
    for (const [location, copy] of copies) this.get(location, copy, i, emit);
    const renamed = mapLeaves<Target, Target>(e, (x) => {
      const location =
        x.kind === 'location' ? copies.get(x.location)! : this.loaded.get(x.register);
      return location === undefined ? x : { kind: 'location', location };
    });
    this.need(locationsOf(renamed), i, emit);
    return renamed;
  }

  private get(from: LocationId, to: LocationId, { span }: Placed, emit: Emit): void {
    emit(
      callFor({ kind: 'get', from, to, node: this.server, span }),
      callFor({ kind: 'rfence', node: this.server, span }),
    );
    this.open.push(to);
  }

  /** Emits polls until gets have filled some locations. */
  private need(filled: readonly LocationId[], i: Placed, emit: Emit): void {
    const last = this.open.findLastIndex((to) => to !== undefined && filled.includes(to));
    this.poll(last + 1, i, emit);
  }

  private pollAll(i: Placed, emit: Emit): void {
    this.poll(this.open.length, i, emit);
  }

  private poll(count: number, { span }: Placed, emit: Emit): void {
    for (let n = 0; n < count; n++) emit(callFor({ kind: 'poll', node: this.server, span }));
    this.open = this.open.slice(count);
  }
}

/** The instruction that new instructions replace. */
type Placed = Pick<Instruction, 'span'>;

type Emit = (...more: readonly Instruction[]) => void;

type Load = Extract<Instruction, { kind: 'assign' }> & {
  readonly target: { readonly kind: 'register' };
  readonly value: { readonly kind: 'location' };
};

/** Is this `r := x` for a location `x` alone? */
const isLoad = (i: Instruction): i is Load =>
  i.kind === 'assign' && i.target.kind === 'register' && i.value.kind === 'location';
