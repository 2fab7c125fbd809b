import {
  BEYOND_EXACT,
  applyBinary,
  applyUnary,
  isDivisionByZero,
} from '../../program/arithmetic.js';
import { locationsOf } from '../../program/accessed.js';
import type {
  Expression,
  GhostExpression,
  Instruction,
  LocationId,
  Mark,
  Target,
} from '../../program/program.js';
import type { Instruction as View } from '../instructions.js';
import { updateOf, viewed } from '../instructions.js';
import type { Update } from '../update.js';
import { operandsOf } from '../update.js';
import type { Compute, Op, Slot } from './op.js';
import { Undefined, op } from './op.js';

/** What the code of a thread refers to. */
export interface Names {
  /** The slot of a register. */
  register(register: number): Slot;
  /** Is a question about its values in any state? */
  isWatched(register: number): boolean;
  ghost(ghost: number): Slot;
  /** A slot for the k-th value that an instruction has read, and from where it is. */
  temporary(k: number, from: LocationId): Slot;
  /** The request that an operation puts on its queue pair: its index. */
  request(i: View): { readonly request: number; readonly queuePair: number };
  queuePair(i: View): number;
  /** What passing a point or entering a block means for the questions asked: slots and what they become. */
  passing(mark: string): readonly (readonly [Slot, number])[];
}

/** A critical block: its thread is inside exactly at the instructions from `start` to `end`. */
export interface Section {
  readonly name: string;
  readonly start: number;
  readonly end: number;
}

/** A thread as a flat list of small steps with jumps. It has finished behind the last one. */
export interface Code {
  readonly ops: readonly Op[];
  readonly sections: readonly Section[];
}

/**
 * Compiles a thread with its loops as they are.
 *
 * @param resting whether a thread may stay for ever before an iteration of a `loop` behind which it ends. If not, it
 * begins the iteration at once: that is enough to reach all states of the others.
 */
export function compile(body: readonly Instruction[], names: Names, resting: boolean): Code {
  const compiler = new Compiler(names, resting);
  compiler.block(body, true);
  return compiler.finished();
}

class Compiler {
  private readonly ops: Op[] = [];
  private readonly sections: Section[] = [];
  private readonly open: { readonly name: string; readonly start: number }[] = [];

  constructor(
    private readonly names: Names,
    private readonly resting: boolean,
  ) {}

  finished(): Code {
    return { ops: this.ops, sections: this.sections };
  }

  /** `last`: whether the thread ends behind these instructions. */
  block(body: readonly Instruction[], last = false): void {
    body.forEach((i, at) => this.instruction(i, last && at === body.length - 1));
  }

  private instruction(given: Instruction, last: boolean): void {
    const { before, after } = given.marks ?? { before: [], after: [] };
    for (const mark of before) this.mark(mark);
    const start = this.ops.length;
    const i = viewed(given);
    this.step(i, last && after.length === 0);
    const moment = this.join(i, start, after);
    for (const mark of after) {
      this.mark(mark, true);
      if (moment !== undefined && isShared(mark)) moment.until = this.ops.length;
    }
  }

  /**
   * Ghosts behind an instruction change in the moment of its last event, or in one of their own where it has none:
   * the step that they change with.
   */
  private join(i: View, start: number, marks: readonly Mark[]): Op | undefined {
    if (!marks.some(isShared)) return undefined;
    const simple = !('body' in i || 'then' in i || 'branches' in i);
    const event = this.ops.findLast(({ kind }, at) => at >= start && EVENTS.includes(kind));
    if (simple && event !== undefined) {
      event.visible = true;
      return event;
    }
    const own = op('stop', { visible: true });
    this.ops.push(own);
    return own;
  }

  private mark(mark: Mark, joined = false): void {
    switch (mark.kind) {
      case 'enter':
        this.pass(mark.name);
        this.open.push({ name: mark.name, start: this.ops.length });
        return;
      case 'leave': {
        const { name, start } = this.open.pop()!;
        const end = this.ops.push(op('stop', { visible: true, leaves: name })) - 1;
        this.sections.push({ name, start, end });
        return;
      }
      case 'point':
        return this.pass(mark.name);
      case 'ghost': {
        const own = op('stop', { visible: true });
        if (!joined) this.ops.push(own);
        const value = this.compute(mark.value);
        own.until = this.ops.length + 1;
        this.ops.push(op('set', { slot: this.names.ghost(mark.ghost), value, ...usesOf(value) }));
        return;
      }
      case 'assert': {
        const own = op('stop', { visible: true });
        if (!joined && isShared(mark)) this.ops.push(own);
        const value = this.compute(mark.condition);
        own.until = this.ops.length + 1;
        this.ops.push(op('assert', { value, ...usesOf(value) }));
      }
    }
  }

  private pass(name: string): void {
    this.ops.push(op('pass', { passing: this.names.passing(name), leaves: name }));
  }

  private step(i: View, last: boolean): void {
    const { ops, names } = this;
    switch (i.kind) {
      case 'assign':
        return this.store(i.target, this.reading(i.value));
      case 'get':
      case 'put':
      case 'rfence':
        ops.push(op('request', names.request(i)));
        return;
      case 'remote-atomic':
        ops.push(op('request', { ...names.request(i), ...this.operands(i.update) }));
        return;
      case 'poll':
        ops.push(op('poll', { queuePair: names.queuePair(i) }));
        return;
      case 'mfence':
        ops.push(op('mfence', {}));
        return;
      case 'cas':
      case 'faa':
      case 'xchg': {
        const slot = names.temporary(0, i.location);
        const operands = this.operands(updateOf(i));
        const update = op('update', { location: i.location, slot, update: i.kind, ...operands });
        ops.push(update);
        this.store(i.target, taken(slot));
        // Its read, its write and its result are one moment; where the result goes to memory, that is a write of its own.
        if (i.target.kind === 'register') update.until = ops.length;
        return;
      }
      case 'assume': {
        const value = this.reading(i.condition);
        ops.push(op('assume', { value, ...usesOf(value) }));
        return;
      }
      case 'if': {
        const condition = this.reading(i.condition);
        const toElse = this.later('unless', condition);
        this.block(i.then, last);
        const toEnd = this.later('goto');
        toElse.targets = [ops.length];
        this.block(i.else, last);
        toEnd.targets = [ops.length];
        return;
      }
      case 'choose': {
        const split = this.later('choose');
        split.visible = true;
        const ends: Op[] = [];
        split.targets = i.branches.map((branch) => {
          const start = ops.length;
          this.block(branch, last);
          ends.push(this.later('goto'));
          return start;
        });
        for (const end of ends) end.targets = [ops.length];
        return;
      }
      case 'loop':
        return this.loop(i.condition, i.body, last);
      case 'wait':
        throw new Error('a wait: see unsupported');
    }
  }

  private loop(
    condition: Expression | undefined,
    body: readonly Instruction[],
    last: boolean,
  ): void {
    const { ops } = this;
    const top = ops.length;
    let leave: Op;
    if (condition !== undefined) {
      // A thread that goes round for ever by its text comes to nothing else.
      if (condition.kind === 'int' && condition.value !== 0) this.pass('');
      leave = this.later('unless', this.reading(condition));
    } else if (last) {
      leave = this.later('rest');
      leave.visible = this.resting;
    } else {
      leave = this.later('choose');
      leave.visible = true;
    }
    const inside = ops.length;
    this.block(body);
    ops.push(op('goto', { targets: [top] }));
    leave.targets = leave.kind === 'unless' ? [ops.length] : last ? [inside] : [inside, ops.length];
  }

  private store(target: Target, value: Compute): void {
    if (target.kind === 'register') {
      const slot = this.names.register(target.register);
      const visible = this.names.isWatched(target.register);
      this.ops.push(op('set', { slot, value, visible, ...usesOf(value) }));
    } else this.ops.push(op('write', { location: target.location, value, ...usesOf(value) }));
  }

  /** A jump whose targets are not known yet. */
  private later(kind: 'unless' | 'goto' | 'choose' | 'rest', value?: Compute): Op {
    const made = op(kind, value === undefined ? {} : { value, ...usesOf(value) });
    this.ops.push(made);
    return made;
  }

  /** The operands of an atomic; one that has a single operand gets a 0 for the other. */
  private operands(update: Update<Expression>): Pick<Op, 'value' | 'desired' | 'uses'> {
    const [value, desired = this.reading(ZERO)] = operandsOf(update).map((e) => this.reading(e));
    return { value, desired, uses: [...usesOf(value).uses, ...usesOf(desired).uses] };
  }

  /** One read for each location of an expression, left to right; then its value. */
  private reading(expression: Expression): Compute {
    const locations = locationsOf(expression);
    const slots = new Map<LocationId, Slot>();
    locations.forEach((location, k) => {
      const slot = this.names.temporary(k, location);
      slots.set(location, slot);
      this.ops.push(op('read', { location, slot }));
    });
    return this.compute(expression, slots);
  }

  private compute(e: Expression | GhostExpression, read?: ReadonlyMap<LocationId, Slot>): Compute {
    switch (e.kind) {
      case 'int': {
        const { value } = e;
        return noting(() => value, []);
      }
      case 'register':
        return taken(this.names.register(e.register));
      case 'ghost':
        return taken(this.names.ghost(e.ghost));
      case 'location':
        return taken(read!.get(e.location)!);
      case 'unary': {
        const arg = this.compute(e.arg, read);
        const { op } = e;
        return noting((s) => applyUnary(op, arg(s)), usesOf(arg).uses);
      }
      case 'binary': {
        const [left, right] = [e.left, e.right].map((operand) => this.compute(operand, read));
        const { op } = e;
        const value = (s: Int32Array): number => {
          const b = right(s);
          const found = applyBinary(op, left(s), b);
          if (found !== undefined) return found;
          throw new Undefined(isDivisionByZero(op, b) ? 'some run divides by zero' : BEYOND_EXACT);
        };
        return noting(value, [...usesOf(left).uses, ...usesOf(right).uses]);
      }
    }
  }
}

const ZERO: Expression = { kind: 'int', value: 0 };

/** Steps that are events, or may have to wait for one. */
const EVENTS: readonly Op['kind'][] = ['read', 'write', 'update', 'mfence', 'poll', 'request'];

/** Does it use what other threads use, too? */
function isShared(mark: Mark): boolean {
  const visit = (e: GhostExpression): boolean =>
    e.kind === 'ghost' ||
    (e.kind === 'unary' && visit(e.arg)) ||
    (e.kind === 'binary' && (visit(e.left) || visit(e.right)));
  return mark.kind === 'ghost' || (mark.kind === 'assert' && visit(mark.condition));
}

const used = new WeakMap<Compute, readonly Slot[]>();

function noting(compute: Compute, slots: readonly Slot[]): Compute {
  used.set(compute, slots);
  return compute;
}

const taken = (slot: Slot): Compute => noting((s) => s[slot], [slot]);

const usesOf = (compute: Compute): { readonly uses: readonly Slot[] } => ({
  uses: used.get(compute)!,
});
