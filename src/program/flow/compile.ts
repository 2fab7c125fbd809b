import type { Operations } from '../../model/instructions/operations.js';
import { operationsOf } from '../../model/instructions/operations.js';
import type { InstructionSet } from '../../model/instructions/set.js';
import { mapLeaves } from '../../parse/fold.js';
import type { Arithmetic } from '../../parse/litmus-ast.js';
import type { Span } from '../../parse/diagnostics/index.js';
import { locationsOf } from '../accessed.js';
import { limitOf } from '../counted.js';
import type {
  Call,
  Expression,
  GhostExpression,
  Instruction,
  LocationId,
  Mark,
  Target,
  Thread,
} from '../program.js';
import type {
  Cell,
  FlowAction,
  FlowArgument,
  FlowGraph,
  FlowPlace,
  FlowUse,
  FlowValue,
  Section,
} from './graph.js';

/** A step while the graph is made: jumps forward are filled in later. */
type Draft = { -readonly [Key in keyof FlowPlace]: FlowPlace[Key] } & FlowAction;

type Of<Kind extends Instruction['kind']> = Extract<Instruction, { kind: Kind }>;

export interface FlowOptions {
  /**
   * May a thread stay for ever before an iteration of a `loop` behind which it ends? If not, it begins the iteration at once: that is enough to
   * reach all states of the others.
   */
  readonly resting: boolean;
  /**
   * How often a loop without a bound of its own goes round at most: a run that would go on is cut. `once`: every loop once at most. Without it, loops are
   * circles.
   */
  readonly bound?: number | 'once';
}

/** The flow graph of a thread. */
export function flowOf(
  thread: Thread,
  instructions: InstructionSet,
  options: FlowOptions,
): FlowGraph {
  const compiler = new Compiler(thread, operationsOf(instructions), options);
  compiler.block(thread.body, true);
  return compiler.finished();
}

class Compiler {
  private readonly steps: Draft[] = [];
  private readonly sections: Section[] = [];
  private readonly open: { readonly name: string; readonly start: number }[] = [];
  private readonly temporaries: LocationId[] = [];
  /** The instruction that steps are made for. */
  private span: Span;

  constructor(
    private readonly thread: Thread,
    private readonly operations: Operations,
    private readonly options: FlowOptions,
  ) {
    this.span = thread.span ?? { file: '', start: 0, end: 0 };
  }

  finished(): FlowGraph {
    const { steps, sections, temporaries } = this;
    return { steps, sections, temporaries };
  }

  /** `last`: whether the thread ends behind these instructions. */
  block(body: readonly Instruction[], last = false): void {
    const { span } = this;
    body.forEach((i, at) => this.instruction(i, last && at === body.length - 1));
    this.span = span;
  }

  private instruction(i: Instruction, last: boolean): void {
    const { before, after } = i.marks ?? { before: [], after: [] };
    this.span = i.span;
    for (const mark of before) this.mark(mark);
    const start = this.steps.length;
    this.bare(i, last && after.length === 0);
    const moment = this.join(i, start, after);
    for (const mark of after) {
      this.mark(mark, true);
      if (moment !== undefined && isShared(mark)) moment.until = this.steps.length;
    }
  }

  /** An instruction without its marks. */
  private bare(i: Instruction, last: boolean): void {
    switch (i.kind) {
      case 'assign':
        return this.store(i.target, this.reading(i.value));
      case 'call':
        return this.call(i);
      case 'assume': {
        this.push({ kind: 'assume', condition: this.reading(i.condition) });
        return;
      }
      case 'if':
        return this.branch(i, last);
      case 'choose':
        return this.choose(i, last);
      case 'loop':
        return this.loop(i, last);
    }
  }

  // Marks.

  /**
   * Ghosts behind an instruction change in the moment of its last event, or in one of their own where it has none:
   * the step that they change with.
   */
  private join(i: Instruction, start: number, marks: readonly Mark[]): Draft | undefined {
    if (!marks.some(isShared)) return undefined;
    const isSimple = i.kind === 'assign' || i.kind === 'call' || i.kind === 'assume';
    const event = this.steps.findLast(({ kind }, at) => at >= start && kind === 'use');
    if (isSimple && event !== undefined) {
      event.isMoment = true;
      return event;
    }
    return this.moment();
  }

  private mark(mark: Mark, joined = false): void {
    switch (mark.kind) {
      case 'enter':
        this.push({ kind: 'pass', mark: mark.name });
        this.open.push({ name: mark.name, start: this.steps.length });
        return;
      case 'leave': {
        const { name, start } = this.open.pop()!;
        const end = this.steps.length;
        this.push({ kind: 'leave', mark: name }).isMoment = true;
        this.sections.push({ name, start, end });
        return;
      }
      case 'point':
        this.push({ kind: 'pass', mark: mark.name });
        return;
      case 'ghost': {
        const moment = joined ? undefined : this.moment();
        const cell = { kind: 'ghost', ghost: mark.ghost } as const;
        this.push({ kind: 'set', cell, value: this.value(mark.value) });
        if (moment !== undefined) moment.until = this.steps.length;
        return;
      }
      case 'assert': {
        const moment = joined || !isShared(mark) ? undefined : this.moment();
        this.push({ kind: 'assert', condition: this.value(mark.condition) });
        if (moment !== undefined) moment.until = this.steps.length;
      }
    }
  }

  /** A moment of its own in which nothing else is done. */
  private moment(): Draft {
    const step = this.push({ kind: 'leave', mark: '' });
    step.isMoment = true;
    return step;
  }

  // Instructions with events.

  private call(call: Call): void {
    const { tags = [], arguments: given, into, work, result, span } = call;
    const operation = this.operations.called(call);
    const values = given.map((argument): FlowArgument =>
      argument.kind === 'value' ? { kind: 'value', value: this.reading(argument.value) } : argument,
    );
    const named: readonly FlowArgument[] = [
      ...values,
      ...(into === undefined ? [] : [into]),
      ...(work === undefined ? [] : [{ kind: 'work', work } as const]),
    ];
    const use: FlowUse = { operation, given: named, tags, span, call };
    if (result === undefined) {
      this.push({ kind: 'use', use });
      return;
    }
    if (result.kind === 'register') {
      const cell = { kind: 'register', register: result.register } as const;
      this.push({ kind: 'use', use, result: cell });
      return;
    }
    // Where the value goes to memory, that is a write of its own.
    const cell = this.temporary(result.location);
    this.push({ kind: 'use', use, result: cell });
    this.store(result, { kind: 'cell', cell });
  }

  private store(target: Target, value: FlowValue): void {
    const { span } = this;
    if (target.kind === 'register') {
      this.push({ kind: 'set', cell: { kind: 'register', register: target.register }, value });
      return;
    }
    const place = { kind: 'place', location: target.location } as const;
    const given: readonly FlowArgument[] = [place, { kind: 'value', value }];
    this.push({ kind: 'use', use: { operation: this.operations.write, given, tags: [], span } });
  }

  /** One read for each location of an expression, left to right; then its value. */
  private reading(expression: Expression): FlowValue {
    const { span } = this;
    const read = new Map<LocationId, Cell>();
    locationsOf(expression).forEach((location) => {
      const cell = this.temporary(location);
      read.set(location, cell);
      const given = [{ kind: 'place', location } as const];
      const use = { operation: this.operations.read, given, tags: [], span };
      this.push({ kind: 'use', use, result: cell });
    });
    return this.value(expression, read);
  }

  private value(e: Expression | GhostExpression, read?: ReadonlyMap<LocationId, Cell>): FlowValue {
    return mapLeaves(e as Arithmetic<Target | Cell>, (leaf) => ({
      kind: 'cell' as const,
      cell: leaf.kind === 'location' ? read!.get(leaf.location)! : leaf,
    }));
  }

  private temporary(location: LocationId): Cell {
    const known = this.temporaries.indexOf(location);
    const temporary = known >= 0 ? known : this.temporaries.push(location) - 1;
    return { kind: 'temporary', temporary };
  }

  // Instructions with bodies.

  private branch(i: Of<'if'>, last: boolean): void {
    const { steps } = this;
    if (i.inlined !== undefined) return this.block(i.then, last);
    const split = this.push({ kind: 'branch', condition: this.reading(i.condition) });
    const then = steps.length;
    this.block(i.then, last);
    const toEnd = this.push({ kind: 'goto' });
    split.next = [then, steps.length];
    this.block(i.else, last);
    toEnd.next = [steps.length];
  }

  private choose({ branches }: Of<'choose'>, last: boolean): void {
    const split = this.push({ kind: 'choose' });
    split.isMoment = true;
    const ends: Draft[] = [];
    split.next = branches.map((branch) => {
      const start = this.steps.length;
      this.block(branch, last);
      ends.push(this.push({ kind: 'goto' }));
      return start;
    });
    for (const end of ends) end.next = [this.steps.length];
  }

  private loop(i: Of<'loop'>, last: boolean): void {
    const { condition, body } = i;
    const { steps } = this;
    const { bound } = this.options;
    if (bound === 'once') return this.rounds(i, 1);
    if (bound !== undefined) return this.rounds(i, limitOf(i, this.thread, bound));
    const top = steps.length;
    const leave = this.leaving(condition, last);
    const inside = steps.length;
    this.block(body);
    this.push({ kind: 'goto' }).next = [top];
    leave.next = leave.kind === 'rest' ? [inside] : [inside, steps.length];
  }

  /** A loop as so many rounds, one behind the other. */
  private rounds({ condition, body }: Of<'loop'>, limit: number): void {
    const leaving: Draft[] = [];
    for (let done = 0; ; done++) {
      const step = this.leaving(condition, false);
      leaving.push(step);
      step.next = [this.steps.length];
      if (done === limit) break;
      this.block(body);
    }
    this.push({ kind: 'cut', bound: limit });
    for (const step of leaving) step.next = [...step.next, this.steps.length];
  }

  /** The step with which a loop goes on or ends. */
  private leaving(condition: Expression | undefined, last: boolean): Draft {
    if (condition !== undefined) {
      // A thread that goes round for ever by its text comes to nothing else.
      if (condition.kind === 'int' && condition.value !== 0) this.push({ kind: 'pass', mark: '' });
      return this.push({ kind: 'branch', condition: this.reading(condition) });
    }
    const step = this.push({ kind: last ? 'rest' : 'choose' });
    step.isMoment = !last || this.options.resting;
    return step;
  }

  /** Adds a step; the one behind it comes next, unless it is a jump. */
  private push(step: FlowAction): Draft {
    const made: Draft = { ...step, next: [this.steps.length + 1], span: this.span };
    this.steps.push(made);
    return made;
  }
}

/** Does it use what other threads use, too? */
function isShared(mark: Mark): boolean {
  const visit = (e: GhostExpression): boolean =>
    e.kind === 'ghost' ||
    (e.kind === 'unary' && visit(e.arg)) ||
    (e.kind === 'binary' && (visit(e.left) || visit(e.right)));
  return mark.kind === 'ghost' || (mark.kind === 'assert' && visit(mark.condition));
}
