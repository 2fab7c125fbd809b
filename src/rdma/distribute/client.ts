import { mapLeaves } from '../../parse/fold.js';
import type { LocalAtomic } from '../instructions.js';
import { called, updateOf, viewed } from '../instructions.js';
import { operandsOf, withOperands } from '../update.js';
import { instructionsOf } from '../../program/instructions.js';
import type {
  Expression,
  Instruction,
  Location,
  LocationId,
  Program,
  Target,
  Thread,
} from '../../program/program.js';
import { locationsOf } from '../../program/accessed.js';

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
export function createClient(thread: Thread, owner: number, place: ClientPlace): Thread {
  const { node, server, locations } = place;
  const taken = new Set([...locations.map((l) => l.name), ...thread.registers]);
  const loaded = new Map<number, LocationId>();
  for (const i of instructionsOf(thread.body)) {
    if (!isLoad(i) || loaded.has(i.target.register)) continue;
    loaded.set(i.target.register, locations.length);
    locations.push({ name: thread.registers[i.target.register], node, initial: 0, owner });
  }

  const registers = [...thread.registers];

  /** The operations that are not polled yet, the oldest first: the location that a get fills; undefined for a put. */
  let open: (LocationId | undefined)[] = [];

  const freshName = (name: string): string => {
    let number = 1;
    while (taken.has(`${name}${number}`)) number += 1;
    taken.add(`${name}${number}`);
    return `${name}${number}`;
  };
  const fresh = (name: string): LocationId =>
    locations.push({ name: freshName(name), node, initial: 0, owner }) - 1;
  const constant = (initial: number): LocationId => {
    const known = locations.findIndex(
      (l) => l.hidden === true && l.owner === owner && l.initial === initial,
    );
    if (known >= 0) return known;
    return locations.push({ name: `constant ${initial}`, node, initial, owner, hidden: true }) - 1;
  };

  return { ...thread, node, body: body(thread.body, false), registers };

  /** The instructions of a body. Inside branches and loops everything is polled at the end. */
  function body(list: readonly Instruction[], inner: boolean): readonly Instruction[] {
    const made: Instruction[] = [];
    const emit = (...more: readonly Instruction[]): void => void made.push(...more);
    for (const i of list) instruction(i, emit);
    if (inner && list.length > 0) pollAll(list[list.length - 1], emit);
    return made;
  }

  function instruction(given: Instruction, emit: Emit): void {
    const i = viewed(given);
    switch (i.kind) {
      case 'assign':
        return assign(i, emit);
      case 'assume':
        return emit({ ...i, condition: fetched(i.condition, i, emit) });
      case 'if': {
        const condition = fetched(i.condition, i, emit);
        pollAll(i, emit);
        return emit({ ...i, condition, then: body(i.then, true), else: body(i.else, true) });
      }
      case 'choose':
        pollAll(i, emit);
        return emit({ ...i, branches: i.branches.map((b) => body(b, true)) });
      case 'loop': {
        if (i.condition === undefined) {
          pollAll(i, emit);
          return emit({ ...i, body: body(i.body, true) });
        }
        const copies = copiesOf(i.condition);
        const condition = fetch(i.condition, copies, i, emit);
        pollAll(i, emit);
        const again: Instruction[] = [...body(i.body, true)];
        fetch(i.condition, copies, i, (...more) => void again.push(...more));
        return emit({ ...i, condition, body: again });
      }
      case 'mfence':
        return emit(given);
      case 'cas':
      case 'faa':
      case 'xchg':
        return atomic(i, emit);
      case 'remote-atomic':
      case 'get':
      case 'put':
      case 'poll':
      case 'rfence':
      case 'wait':
        throw new Error(`a ${i.kind} in a client: see refusals`);
    }
  }

  function assign(i: Extract<Instruction, { kind: 'assign' }>, emit: Emit): void {
    const { span } = i;
    if (isLoad(i)) {
      const copy = loaded.get(i.target.register)!;
      need([copy], i, emit);
      return get(i.value.location, copy, i, emit);
    }
    if (i.target.kind === 'register') {
      const value = fetched(i.value, i, emit);
      const memory = loaded.get(i.target.register);
      if (memory === undefined) return emit({ ...i, value });
      need([memory], i, emit);
      return emit({ ...i, target: { kind: 'location', location: memory }, value });
    }
    // A put takes its value from a location that is used for nothing else.
    let from: LocationId;
    if (i.value.kind === 'int') from = constant(i.value.value);
    else {
      from = fresh('out');
      const target: Target = { kind: 'location', location: from };
      emit({ kind: 'assign', target, value: fetched(i.value, i, emit), span });
    }
    emit(called({ kind: 'put', from, to: i.target.location, node: server, span }));
    open.push(undefined);
  }

  /**
   * A remote atomic, which is polled at once: the thread goes on when it has the old value. All that it does later is on the
   * same queue pair, behind the write part.
   */
  function atomic(i: LocalAtomic, emit: Emit): void {
    const { kind, location, target, span } = i;
    const update = withOperands(
      kind,
      operandsOf(updateOf(i)).map((e) => operand(e, i, emit)),
    );
    const into = fresh('old');
    emit(called({ kind: 'remote-atomic', update, location, into, node: server, span }));
    open.push(into);
    pollAll(i, emit);
    if (target.kind === 'location') {
      emit(called({ kind: 'put', from: into, to: target.location, node: server, span }));
      open.push(undefined);
      return;
    }
    const memory = loaded.get(target.register);
    const to: Target = memory === undefined ? target : { kind: 'location', location: memory };
    emit({ kind: 'assign', target: to, value: { kind: 'location', location: into }, span });
  }

  /** An operand of a remote atomic, which may name registers only. */
  function operand(e: Expression, i: Placed, emit: Emit): Expression {
    const value = fetched(e, i, emit);
    if (locationsOf(value).length === 0) return value;
    const register = registers.push(freshName('operand')) - 1;
    emit({ kind: 'assign', target: { kind: 'register', register }, value, span: i.span });
    return { kind: 'register', register };
  }

  /** Emits what fetches the shared locations of an expression, and gives it over the thread's own names. */
  function fetched(e: Expression, i: Placed, emit: Emit): Expression {
    return fetch(e, copiesOf(e), i, emit);
  }

  function copiesOf(e: Expression): ReadonlyMap<LocationId, LocationId> {
    return new Map(locationsOf(e).map((l) => [l, fresh('copy')]));
  }

  function fetch(
    e: Expression,
    copies: ReadonlyMap<LocationId, LocationId>,
    i: Placed,
    emit: Emit,
  ): Expression {
    for (const [location, copy] of copies) get(location, copy, i, emit);
    const renamed = mapLeaves<Target, Target>(e, (x) => {
      const location = x.kind === 'location' ? copies.get(x.location)! : loaded.get(x.register);
      return location === undefined ? x : { kind: 'location', location };
    });
    need(locationsOf(renamed), i, emit);
    return renamed;
  }

  function get(from: LocationId, to: LocationId, { span }: Placed, emit: Emit): void {
    emit(
      called({ kind: 'get', from, to, node: server, span }),
      called({ kind: 'rfence', node: server, span }),
    );
    open.push(to);
  }

  /** Polls until some locations are filled by their gets. */
  function need(filled: readonly LocationId[], i: Placed, emit: Emit): void {
    const last = open.findLastIndex((to) => to !== undefined && filled.includes(to));
    poll(last + 1, i, emit);
  }

  function pollAll(i: Placed, emit: Emit): void {
    poll(open.length, i, emit);
  }

  function poll(count: number, { span }: Placed, emit: Emit): void {
    for (let n = 0; n < count; n++) emit(called({ kind: 'poll', node: server, span }));
    open = open.slice(count);
  }
}

/** What new instructions take the place of. */
type Placed = Pick<Instruction, 'span'>;

type Emit = (...more: readonly Instruction[]) => void;

type Load = Extract<Instruction, { kind: 'assign' }> & {
  readonly target: { readonly kind: 'register' };
  readonly value: { readonly kind: 'location' };
};

/** `r := x`, of a location as it is. */
const isLoad = (i: Instruction): i is Load =>
  i.kind === 'assign' && i.target.kind === 'register' && i.value.kind === 'location';
