import type { Span } from '../../parse/diagnostics/index.js';
import type { Expression, Instruction, LocationId, Target, Thread } from '../program.js';
import { locationsOf } from '../accessed.js';
import type { Draft } from './draft.js';
import type { Branch, CallId, Event, EventId, Path, ValueId } from './structure.js';

type Of<Kind extends Instruction['kind']> = Extract<Instruction, { kind: Kind }>;

/** The values of a thread's registers, by their indices. */
type Registers = readonly ValueId[];

/** Adds the events of one thread to a draft, in an order that every path respects. */
export class ThreadUnroller {
  /** The values of the registers where the thread is now. */
  private registers: ValueId[];
  /** Where threads may stop anywhere: the choices so far, each to go on. */
  private gone: Path = [];
  /** The call that is being performed. */
  private call: CallId = 0;

  constructor(
    private readonly draft: Draft,
    private readonly thread: Thread,
    private readonly index: number,
  ) {
    this.registers = thread.registers.map(() => draft.table.constant(0));
  }

  /** Unrolls the whole thread, and gives the final values of its registers. */
  unroll(): Registers {
    this.run(this.thread.body, []);
    return this.registers;
  }

  private run(body: readonly Instruction[], path: Path): void {
    for (const i of body) {
      if (this.draft.isFull()) return;
      this.call = this.draft.newCall();
      this.instruction(i, path);
    }
  }

  private instruction(i: Instruction, path: Path): void {
    const { span } = i;
    switch (i.kind) {
      case 'assign':
        return this.store(i.target, this.evaluate(i.value, path, span), path, span);
      case 'get':
        return this.copy(i, 'nrR', 'nlW', path);
      case 'put':
        return this.copy(i, 'nlR', 'nrW', path);
      case 'cas':
        return this.compareAndSwap(i, path);
      case 'mfence':
        return void this.emit({ label: 'F', path, span });
      case 'poll':
        return void this.emit({ label: 'P', node: i.node, path, span });
      case 'rfence':
        return void this.emit({ label: 'nF', node: i.node, path, span });
      case 'wait':
        return void this.emit({ label: 'WT', work: i.work, path, span });
      case 'assume':
        return this.assume(i, path);
      case 'if':
        return this.branch(i, path);
      case 'loop':
        return this.loop(i, path);
      case 'choose':
        return this.choose(i, path);
    }
  }

  // Instructions with events.

  private store(target: Target, value: ValueId, path: Path, span: Span): void {
    if (target.kind === 'register') this.registers[target.register] = value;
    else this.emit({ label: 'lW', location: target.location, value, path, span });
  }

  /** A get or a put: the NIC reads one location, and writes what it read to the other. */
  private copy(
    { from, to, node, work, span }: Of<'get' | 'put'>,
    read: 'nrR' | 'nlR',
    write: 'nlW' | 'nrW',
    path: Path,
  ): void {
    const { table } = this.draft;
    const value = table.read(this.emit({ label: read, location: from, node, path, span }));
    this.emit({ label: write, location: to, node, value, path, span, work });
  }

  /** Success is one event; a failure is a fence and a read (TSO paper, Fig. 23). */
  private compareAndSwap(i: Of<'cas'>, path: Path): void {
    const { table } = this.draft;
    const { location, span } = i;
    const expected = this.evaluate(i.expected, path, span);
    const desired = this.evaluate(i.desired, path, span);
    const success = table.choice();
    const won = further(path, success, true);
    const lost = further(path, success, false);
    const swap = this.emit({ label: 'CAS', location, value: desired, path: won, span });
    this.require(table.binary('=', table.read(swap), expected), won, span);
    this.emit({ label: 'F', path: lost, span });
    const seen = table.read(this.emit({ label: 'lR', location, path: lost, span }));
    this.require(table.binary('!=', seen, expected), lost, span);
    this.store(i.target, table.select(success, expected, seen), path, span);
  }

  private assume({ condition, span }: Of<'assume'>, path: Path): void {
    // The thread may stop before the condition. If it reads no location, it has no event to stop at.
    if (locationsOf(condition).length === 0) this.mayStop();
    this.require(this.evaluate(condition, path, span), path, span);
  }

  // Instructions with bodies.

  private branch(i: Of<'if'>, path: Path): void {
    const condition = this.evaluate(i.condition, path, i.span);
    const known = this.draft.table.constantOf(condition);
    if (known !== undefined) return this.run(known !== 0 ? i.then : i.else, path);
    const before = this.registers;
    const taken = this.alternative(i.then, before, further(path, condition, true));
    const other = this.alternative(i.else, before, further(path, condition, false));
    this.registers = this.joined(condition, taken, other);
  }

  /** Each branch but the last has a choice. A branch is taken if its choice is true and all before are false. */
  private choose({ branches }: Of<'choose'>, path: Path): void {
    const before = this.registers;
    const ends: { readonly choice: ValueId; readonly registers: Registers }[] = [];
    let rest = path;
    for (const branch of branches.slice(0, -1)) {
      const choice = this.draft.table.choice();
      ends.push({
        choice,
        registers: this.alternative(branch, before, further(rest, choice, true)),
      });
      rest = further(rest, choice, false);
    }
    let end = this.alternative(branches.at(-1)!, before, rest);
    for (const { choice, registers } of ends.reverse()) end = this.joined(choice, registers, end);
    this.registers = [...end];
  }

  /**
   * Unrolls iteration after iteration. Then joins the registers, from the last iteration to the first: those
   * if the loop goes on with those if it ends there.
   */
  private loop(i: Of<'loop'>, path: Path): void {
    const limit = i.bound ?? this.draft.options.bound;
    const { table } = this.draft;
    const ends: { readonly goesOn: ValueId; readonly registers: Registers }[] = [];
    let inside = path;
    for (let done = 0; ; done++) {
      if (done > 0) this.call = this.draft.newCall();
      const goesOn =
        i.condition === undefined ? table.choice() : this.evaluate(i.condition, inside, i.span);
      const known = table.constantOf(goesOn);
      if (known === 0) break;
      if (done === limit) {
        this.cut(i, inside, goesOn, limit);
        break;
      }
      this.draft.countIteration();
      if (this.draft.isFull()) break;
      if (known === undefined) {
        ends.push({ goesOn, registers: [...this.registers] });
        inside = further(inside, goesOn, true);
      }
      this.run(i.body, inside);
    }
    for (const { goesOn, registers } of ends.reverse()) {
      this.registers = this.joined(goesOn, this.registers, registers);
    }
  }

  private cut(i: Of<'loop'>, path: Path, goesOn: ValueId, bound: number): void {
    // A thread that stops before a condition over registers is within the bound.
    if (i.condition !== undefined && locationsOf(i.condition).length === 0) this.mayStop();
    const beyond = this.unlessStopped(further(path, goesOn, true));
    const { length: constraints } = this.draft.constraints;
    const at = { thread: this.index, path: beyond, constraints };
    this.draft.cuts.push({ ...at, bound, span: i.span });
  }

  /** Runs one alternative from some registers, and gives the registers after it. */
  private alternative(body: readonly Instruction[], from: Registers, path: Path): Registers {
    this.registers = [...from];
    this.run(body, path);
    return this.registers;
  }

  private joined(condition: ValueId, then: Registers, otherwise: Registers): ValueId[] {
    const { table } = this.draft;
    return then.map((value, r) => table.select(condition, value, otherwise[r]));
  }

  // Expressions, events and constraints.

  /** One `lR` for each location of an expression, from left to right, then its value. */
  private evaluate(e: Expression, path: Path, span: Span): ValueId {
    const read = new Map<LocationId, ValueId>();
    for (const location of locationsOf(e)) {
      read.set(location, this.draft.table.read(this.emit({ label: 'lR', location, path, span })));
    }
    return this.value(e, read, path, span);
  }

  private value(
    e: Expression,
    read: ReadonlyMap<LocationId, ValueId>,
    path: Path,
    span: Span,
  ): ValueId {
    const { table } = this.draft;
    switch (e.kind) {
      case 'int':
        return table.constant(e.value);
      case 'location':
        return read.get(e.location)!;
      case 'register':
        return this.registers[e.register];
      case 'unary':
        return table.unary(e.op, this.value(e.arg, read, path, span));
      case 'binary': {
        const left = this.value(e.left, read, path, span);
        const right = this.value(e.right, read, path, span);
        const divides = e.op === '/' || e.op === '%';
        if (divides && table.constantOf(right) === undefined) {
          // The thread may stop before the division. If it reads no location, it has no event to stop at.
          if (read.size === 0) this.mayStop();
          const reached = this.unlessStopped(path);
          this.draft.divisions.push({ thread: this.index, path: reached, condition: right, span });
        }
        return table.binary(e.op, left, right);
      }
    }
  }

  private require(condition: ValueId, path: Path, span: Span): void {
    if (this.draft.table.constantOf(condition) === 1) return;
    const reached = this.unlessStopped(path);
    this.draft.constraints.push({ thread: this.index, path: reached, condition, span });
  }

  private emit(event: Omit<Event, 'id' | 'thread' | 'call'>): EventId {
    this.mayStop();
    const path = this.unlessStopped(event.path);
    return this.draft.add({ ...event, path, thread: this.index, call: this.call });
  }

  /** Events come in an order that all paths respect, so that one chain of choices is enough for all. */
  private mayStop(): void {
    const { options, table } = this.draft;
    if (options.prefixes) this.gone = further(this.gone, table.choice(), true);
  }

  private unlessStopped(path: Path): Path {
    return this.draft.options.prefixes ? [...this.gone, ...path] : path;
  }
}

/** A path and one more branch. */
function further(path: Path, condition: ValueId, taken: boolean): Path {
  const branch: Branch = { condition, taken };
  return [...path, branch];
}
