import type { Span } from '../../parse/diagnostics/index.js';
import type { UnknownCondition } from '../../parse/litmus-ast.js';
import { foldExpression } from '../../parse/fold.js';
import type { Operation } from '../../model/instructions/set.js';
import type { Call, Expression, Instruction, LocationId, Target, Thread } from '../program.js';
import { locationsOf } from '../accessed.js';
import { queuePairsOf } from '../queue-pairs.js';
import { isDivision } from '../arithmetic.js';
import { limitOf } from '../counted.js';
import { asksPartner } from '../partners.js';
import type { StructureDraft } from './draft.js';
import { Origins } from './dependencies.js';
import type { CallId, Event, EventId, GroupId, Path, ValueId, Wait } from './structure.js';
import { iterationsThatCount, mayWait } from './iterations.js';
import { further, implies, readsIn } from './structure.js';
import type { Given, Standing, UseContext } from './use.js';
import { Use } from './use.js';

type Of<Kind extends Instruction['kind']> = Extract<Instruction, { kind: Kind }>;

/** The values of a thread's registers, by their indices. */
type Registers = readonly ValueId[];

/** One iteration of a loop: its events on all paths, and the condition that the loop goes on. */
export interface Iteration {
  readonly events: readonly Event[];
  /** The condition that the loop goes on after it. */
  readonly goesOn: ValueId;
}

/** Adds the events of one thread to a draft, in an order that every path respects. */
export class ThreadUnroller {
  /** The values of the registers where the thread is now. */
  private registers: ValueId[];
  /** If threads may stop: the choices so far to go on. */
  private gone: Path = [];
  /** The call that is being performed. */
  private call: CallId = 0;
  /** The group of the present instruction. */
  private group: GroupId | undefined;
  /** The stamps for which the events of the instruction stand. */
  private stands: readonly string[] | undefined;
  private readonly aboutQueuePairs: UseContext['about'];
  /** Where values are from, if events are to say what they depend on. */
  private readonly origins: Origins | undefined;

  constructor(
    private readonly draft: StructureDraft,
    private readonly thread: Thread,
    private readonly index: number,
  ) {
    this.registers = thread.registers.map(() => draft.table.constant(0));
    this.aboutQueuePairs = queuePairsOf(draft.program, index);
    if (draft.options.dependencies === true) {
      this.origins = new Origins(
        draft.table.values,
        draft.events,
        draft.program.dependencies === 'possible',
      );
    }
  }

  /** Unrolls the whole thread, and gives the final values of its registers. */
  unroll(): Registers {
    this.run(this.thread.body, []);
    this.draft.unclear ||= this.origins?.unclear === true;
    return this.registers;
  }

  /**
   * Unrolls a loop alone for so many iterations, from registers that may hold anything.
   *
   * @param loop its condition is over registers, so that it has no events
   */
  iterate({ condition, body, span }: Of<'loop'>, times: number): readonly Iteration[] {
    const { table, events } = this.draft;
    this.registers = this.thread.registers.map(() => table.choice());
    return Array.from({ length: times }, () => {
      const { length: from } = events;
      this.run(body, []);
      const goesOn = condition === undefined ? table.choice() : this.evaluate(condition, [], span);
      return { events: events.slice(from), goesOn };
    });
  }

  private run(body: readonly Instruction[], path: Path): void {
    for (const i of body) {
      if (this.draft.isFull()) return;
      this.call = this.draft.newCall();
      this.stands = i.stands;
      this.instruction(i, path);
    }
  }

  private instruction(i: Instruction, path: Path): void {
    const { span } = i;
    if (this.draft.options.waits === true) this.pass(i, path);
    switch (i.kind) {
      case 'assign':
        return this.store(i.target, this.evaluate(i.value, path, span), path, span);
      case 'call':
        return this.perform(i, path);
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
    if (target.kind === 'register') {
      this.registers[target.register] = value;
      return;
    }
    const place = { kind: 'place', location: target.location } as const;
    this.use(this.draft.operations.write, [place, { kind: 'number', value }], path, span);
  }

  /** Makes the reads in the arguments of a call, then its own events, then the write of its value. */
  private perform(call: Call, path: Path): void {
    const { span, into, work, result } = call;
    const { operations, instructions, options, table, events } = this.draft;
    const operation = operations.called(call);
    const lacks =
      options.waits === true && asksPartner(operation, instructions)
        ? this.mayStay(path, table.choice())
        : undefined;
    const { length: first } = events;
    const given = call.arguments.map((argument): Given =>
      argument.kind === 'value'
        ? { kind: 'number', value: this.evaluate(argument.value, path, span) }
        : argument,
    );
    const named = [
      ...given,
      ...(into === undefined ? [] : [into]),
      ...(work === undefined ? [] : [{ kind: 'work', work } as const]),
    ];
    const value = this.use(operation, named, path, span, call);
    if (lacks !== undefined) this.noteWait({ ...lacks, span, repeats: false }, first);
    if (result !== undefined) this.store(result, value!, path, span);
  }

  /** The tags of a call, and those of the node. */
  private tagsOf(call: Call | undefined): readonly string[] {
    const { tags: own = [] } = call ?? {};
    const { tags } = this.thread;
    return tags === undefined ? own : [...new Set([...own, ...tags])];
  }

  /** Makes the events of one use of an operation. Returns its value, if it has one. */
  private use(
    operation: Operation,
    given: readonly Given[],
    path: Path,
    span: Span,
    call?: Call,
  ): ValueId | undefined {
    const use = new Use(operation, given, this.draft, {
      node: this.thread.node,
      place: (at) => this.place(at, span),
      require: (condition, at) => this.require(condition, at, span),
      divide: (divisor, at) => this.divide(divisor, at, span, true),
      tags: this.tagsOf(call),
      about: this.aboutQueuePairs,
      origins: this.origins,
    });
    return use.perform(path);
  }

  private assume({ condition, span }: Of<'assume'>, path: Path): void {
    // The thread may stop before the condition. If it reads no location, it has no event to stop at.
    if (locationsOf(condition).length === 0) this.mayStop();
    const value = this.evaluate(condition, path, span);
    if (this.draft.options.waits === true) this.awaits(value, path, span);
    this.require(value, path, span);
    this.origins?.decided(value, path);
  }

  /** An assumption is a wait for what was just read. Of any other it is not known whether it is one. */
  private awaits(value: ValueId, path: Path, span: Span): void {
    const { table, events } = this.draft;
    if (table.constantOf(value) === 1) return;
    const first = Math.min(...readsIn(table.values, value));
    const isRead = (e: Event): boolean =>
      e.thread === this.index && e.reads === true && e.value === undefined && e.node === undefined;
    if (first < events.length && events.slice(first).every(isRead)) {
      const stays = this.mayStay(path, table.unary('!', value));
      this.noteWait({ ...stays, span, repeats: true }, first);
    } else this.draft.assumes = true;
  }

  // Instructions with bodies.

  private branch(i: Of<'if'>, path: Path): void {
    if (i.inlined !== undefined) return this.grouped(i.inlined, i.then, path);
    const condition = this.evaluate(i.condition, path, i.span);
    const known = this.draft.table.constantOf(condition);
    if (known !== undefined) return this.run(known !== 0 ? i.then : i.else, path);
    this.origins?.decided(condition, path);
    const before = this.registers;
    const taken = this.alternative(i.then, before, further(path, condition, true));
    const other = this.alternative(i.else, before, further(path, condition, false));
    this.registers = this.joined(condition, taken, other);
  }

  /** The instructions that replace a call: their events are one group. */
  private grouped(call: string, body: readonly Instruction[], path: Path): void {
    const { groups } = this.draft;
    const within = this.group;
    this.group = groups.push({ thread: this.index, call, within }) - 1;
    this.run(body, path);
    this.group = within;
  }

  /** Each branch but the last has a choice. A branch is taken if its choice is true and all before are false. */
  private choose({ branches, unknown }: Of<'choose'>, path: Path): void {
    const before = this.registers;
    const ends: { readonly choice: ValueId; readonly registers: Registers }[] = [];
    let rest = path;
    for (const branch of branches.slice(0, -1)) {
      const choice = this.draft.table.choice();
      if (unknown !== undefined) this.noteWays(unknown, rest, choice);
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

  private noteWays(unknown: UnknownCondition, path: Path, choice: ValueId): void {
    for (const taken of [true, false]) {
      const holds = taken === unknown.first;
      this.draft.ways.push({ unknown, holds, path: further(path, choice, taken) });
    }
  }

  /**
   * Unrolls iteration after iteration, up to the bound, or as many as stand for all. Then joins the registers, from the
   * last iteration to the first: their values if the loop goes on, and if it ends there.
   */
  private loop(i: Of<'loop'>, path: Path): void {
    const { table, options, events } = this.draft;
    const waits = options.waits === true && mayWait(i);
    const enough = this.enoughOf(i);
    const limit = enough ?? limitOf(i, this.thread, options.bound);
    const ends: { readonly goesOn: ValueId; readonly registers: Registers }[] = [];
    let inside = path;
    let { length: first } = events;
    for (let done = 0; ; done++) {
      if (done > 0) this.call = this.draft.newCall();
      this.stands = undefined;
      const goesOn =
        i.condition === undefined ? table.choice() : this.evaluate(i.condition, inside, i.span);
      const known = table.constantOf(goesOn);
      if (known === undefined) this.origins?.decided(goesOn, inside);
      if (known === 0) break;
      if (done === limit) {
        if (waits && enough !== undefined) {
          const stays = this.mayStay(inside, goesOn);
          this.noteWait({ ...stays, span: i.span, repeats: true }, first);
        } else if (waits && done > 0 && this.onlyReads(first, inside)) {
          // It may be another round that lasts for ever.
          const last = table.select(goesOn, table.choice(), table.constant(0));
          this.noteWait({ ...this.mayStay(inside, last), span: i.span, repeats: true }, first);
        }
        if (enough === undefined) this.cut(i, inside, goesOn, limit);
        else {
          this.require(table.unary('!', goesOn), inside, i.span);
          this.draft.shortened = true;
        }
        break;
      }
      this.draft.countIteration();
      if (this.draft.isFull()) break;
      if (known === undefined) {
        ends.push({ goesOn, registers: [...this.registers] });
        inside = further(inside, goesOn, true);
      }
      first = events.length;
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
    const mark = this.origins?.mark();
    this.run(body, path);
    if (mark !== undefined && this.draft.program.branchesEnd) this.origins?.forget(mark);
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
      const place = { kind: 'place', location } as const;
      read.set(location, this.use(this.draft.operations.read, [place], path, span)!);
    }
    const { table } = this.draft;
    return foldExpression<Target, ValueId>(e, {
      int: ({ value }) => table.constant(value),
      leaf: (leaf) =>
        leaf.kind === 'location' ? read.get(leaf.location)! : this.registers[leaf.register],
      unary: ({ op }, arg) => table.unary(op, arg),
      binary: ({ op }, left, right) => {
        // If an expression reads a location, the thread may stop at that read, and so before the division.
        if (isDivision(op)) this.divide(right, path, span, read.size === 0);
        return table.binary(op, left, right);
      },
    });
  }

  private require(condition: ValueId, path: Path, span: Span): void {
    if (this.draft.table.constantOf(condition) === 1) return;
    const reached = this.unlessStopped(path);
    this.draft.constraints.push({ thread: this.index, path: reached, condition, span });
  }

  /** @param mayStop whether a stop before the division needs a choice, as there is no event to stop at */
  private divide(divisor: ValueId, path: Path, span: Span, mayStop: boolean): void {
    const known = this.draft.table.constantOf(divisor);
    if (known !== undefined && known !== 0) return;
    if (mayStop) this.mayStop();
    const reached = this.unlessStopped(path);
    this.draft.divisions.push({ thread: this.index, path: reached, condition: divisor, span });
  }

  /** The place of the next event, which must be made right after this. */
  private place(path: Path, span: Span): Standing {
    this.mayStop();
    const { length: id } = this.draft.events;
    const at = { thread: this.index, call: this.call, group: this.group, stands: this.stands };
    return { id, ...at, path: this.unlessStopped(path), span };
  }

  /**
   * Adds a choice whether the thread goes on. One chain of choices is enough, since events come in an order that all
   * paths respect.
   */
  private mayStop(): void {
    const { options, table } = this.draft;
    if (options.prefixes) this.gone = further(this.gone, table.choice(), true);
  }

  private unlessStopped(path: Path): Path {
    return this.gone.length > 0 ? [...this.gone, ...path] : path;
  }

  // Where threads wait.

  /** How many iterations of a loop are enough, if the model lets the others be left out. */
  private enoughOf(i: Of<'loop'>): number | undefined {
    const { shortened, leavable, waits } = this.draft.options;
    if (shortened.has(i)) return 1;
    if (waits === true && !mayWait(i)) return undefined;
    return iterationsThatCount(i, this.draft.instructions, leavable);
  }

  /** The thread may stop here, if a value is true: then nothing comes behind it. */
  private mayStay(path: Path, value: ValueId): Pick<Wait, 'path' | 'stays'> {
    const { table } = this.draft;
    const none = table.constant(0);
    const stays = path.reduceRight(
      (within, { condition, taken }) =>
        taken ? table.select(condition, within, none) : table.select(condition, none, within),
      value,
    );
    const here = this.unlessStopped(path);
    this.gone = further(this.gone, stays, false);
    return { path: here, stays };
  }

  /** May the events of an iteration do nothing but read? Not if one surely does more. */
  private onlyReads(first: number, path: Path): boolean {
    const here = this.unlessStopped(path);
    return this.draft.events
      .slice(first)
      .every((e) => !implies(here, e.path) || (e.value === undefined && e.node === undefined));
  }

  /** @param first the first of the events that it is about */
  private noteWait(wait: Omit<Wait, 'thread' | 'events'>, first: EventId): void {
    const { events, waits } = this.draft;
    const about = events.slice(first).map(({ id }) => id);
    waits.push({ ...wait, thread: this.index, events: about });
  }

  /** Notes the points and blocks that begin with an instruction. */
  private pass({ marks }: Instruction, path: Path): void {
    for (const mark of marks?.before ?? []) {
      if (mark.kind !== 'point' && mark.kind !== 'enter') continue;
      const passed = { thread: this.index, mark: mark.name, path: this.unlessStopped(path) };
      this.draft.passes.push(passed);
    }
  }
}
