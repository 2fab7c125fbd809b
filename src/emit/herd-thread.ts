import type { Diagnostic, Span } from '../parse/diagnostics/index.js';
import type { Isa } from '../parse/isa.js';
import { nameIn } from '../parse/isa.js';
import { leavesIn } from '../parse/fold.js';
import { expressionsOf } from '../program/instructions.js';
import { printInstruction } from '../program/print.js';
import type { Call, Expression, Instruction, Program, Target, Thread } from '../program/program.js';
import { lineFor } from './herd-lines.js';

/** What no litmus test of herd7 says. */
export class Unsayable extends Error {
  readonly diagnostic: Diagnostic;
  constructor(span: Span, message: string, hint: string) {
    super(message);
    this.diagnostic = { span, message, hint };
  }
}

interface Of {
  readonly program: Program;
  readonly thread: Thread;
  readonly isa: Isa;
  /** What tests begin with. */
  readonly language: string;
  /** Names of memory, by location. */
  readonly places: readonly string[];
}

/** Ways to put operands into registers: the first into that which is set then; all but numbers. */
const WAYS = [
  { intoResult: false, keepsNumbers: true },
  { intoResult: true, keepsNumbers: true },
  { intoResult: false, keepsNumbers: false },
  { intoResult: true, keepsNumbers: false },
] as const;

const ZERO = { kind: 'int', value: 0 } as const;

type Branch = Extract<Instruction, { kind: 'if' }>;

/**
 * A thread in assembly. Where no rule says an instruction, its operands are put into registers before, one by one. That changes nothing: registers
 * make no events, and what depends on them depends on what they were made of.
 */
export class HerdThread {
  /** What registers are called: those of the program, then those that only this text has. */
  readonly registers: string[];
  /** Registers that hold the addresses of places, by the names of these. */
  readonly addresses = new Map<string, string>();
  /** Registers that are zero for sure. */
  private zeros = new Set<string>();
  /** All that were ever set: none of them can hold an address from the start. */
  private readonly ever = new Set<string>();
  private labels = 0;

  constructor(private readonly of: Of) {
    const { isa, thread } = of;
    const known = new Map(isa.registers.map((name) => [nameIn(isa, name), name]));
    const kept = thread.registers.map((name) => known.get(nameIn(isa, name)));
    this.registers = [];
    const taken = new Set(kept);
    for (const name of kept) {
      const isFirst = name !== undefined && !this.registers.includes(name);
      this.registers.push(isFirst ? name : this.free(taken));
    }
  }

  /** Errors: `Unsayable`. */
  lines(): readonly string[] {
    return this.block(this.of.thread.body);
  }

  private block(body: readonly Instruction[]): readonly string[] {
    return body.flatMap((i) => this.instruction(i));
  }

  private instruction(i: Instruction): readonly string[] {
    switch (i.kind) {
      case 'if':
        return this.branch(i);
      case 'loop':
      case 'choose':
        return this.refuse(i, 'a test of herd7 goes forward only', 'write each round, or each way');
      case 'assume': {
        if (i.condition.kind === 'int' && i.condition.value !== 0) return [];
        return this.refuse(
          i,
          'no instruction assumes anything',
          'what it holds can be asked in filter (…)',
        );
      }
      case 'assign':
      case 'call':
        return this.plain(i) ?? this.refuse(i, this.none('instruction for this'), this.hint(i));
    }
  }

  /** The instruction, or, with operands in registers before it, several. */
  private plain(i: Instruction): readonly string[] | undefined {
    const direct = this.line(i);
    if (direct !== undefined) return [direct];
    for (const ways of WAYS) {
      const [registers, zeros] = [this.registers.length, new Set(this.zeros)];
      const made = this.inSteps(i, ways);
      // Nothing reads the added ones later.
      this.registers.length = registers;
      if (made !== undefined) return made;
      this.zeros = zeros;
    }
    return undefined;
  }

  /** An instruction whose operands are in registers. */
  private inSteps(
    i: Instruction,
    { intoResult, keepsNumbers }: (typeof WAYS)[number],
  ): readonly string[] | undefined {
    const steps: Instruction[] = [];
    const result = resultOf(i);
    const put = (value: Expression, to: Target): Target => {
      steps.push({ kind: 'assign', target: to, value, span: i.span });
      return to;
    };
    const inRegister = (value: Expression): Expression =>
      (keepsNumbers && value.kind === 'int') ||
      (value.kind === 'register' && !(intoResult && value.register === result?.register))
        ? value
        : put(value, this.fresh(i));
    let first: Expression | undefined;
    const operand = (value: Expression): Expression => {
      if (!intoResult || first !== undefined) return inRegister(value);
      first = value;
      return result!;
    };
    if ((intoResult && result === undefined) || readsTwice(i)) return undefined;
    const simple = withOperands(i, operand);
    if (simple === undefined) return undefined;
    if (first !== undefined) {
      // Reads stay in their order.
      if (reads(first) && steps.some((one) => one.kind === 'assign' && reads(one.value)))
        return undefined;
      put(first, result!);
    }
    const lines: string[] = [];
    for (const step of steps) {
      const made = this.plain(step);
      if (made === undefined) return undefined;
      lines.push(...made);
    }
    const last = this.line(simple);
    return last === undefined ? undefined : [...lines, last];
  }

  private line(i: Instruction): string | undefined {
    const made = this.said(this.text(i));
    const result = resultOf(i);
    if (made === undefined) return undefined;
    if (result !== undefined) {
      const name = this.registers[result.register];
      if (made.clears) this.zeros.add(name);
      else this.zeros.delete(name);
    }
    return made.line;
  }

  private text(i: Instruction): string {
    const { program, thread, places } = this.of;
    const locations = program.locations.map((one, id) => ({ ...one, name: places[id] }));
    return printInstruction({ ...program, locations }, { ...thread, registers: this.registers }, i);
  }

  private said(text: string, label?: string) {
    const { isa, places, thread } = this.of;
    const naming = {
      isPlace: (name: string) => places.includes(name),
      isRegister: (name: string) => this.registers.includes(name),
      isZero: (name: string) => this.zeros.has(name),
      addressOf: (place: string) => {
        const held = this.addresses.get(place) ?? this.free(this.ever, thread.span);
        this.addresses.set(place, held);
        return held;
      },
    };
    return lineFor(isa, text, naming, label);
  }

  private branch(i: Branch): readonly string[] {
    if (i.else.length > 0) {
      this.refuse(i, this.none('jump over an else'), 'write a second if, with the other condition');
    }
    const label = `L${this.labels++}`;
    const head = this.jump(i, label);
    if (head === undefined) return this.refuse(i, this.none('jump for this'), this.jumps());
    const before = new Set(this.zeros);
    const passed = this.block(i.then);
    for (const one of this.zeros) if (!before.has(one)) this.zeros.delete(one);
    return [...head, ...passed, `${label}:`];
  }

  /** The jump over a branch, with what comes before it. */
  private jump(i: Branch, label: string): readonly string[] | undefined {
    const { span } = i;
    const asked = (e: Expression): string | undefined => {
      const text = this.text({ kind: 'assume', condition: e, span }).slice('assume('.length, -1);
      return this.said(text, label)?.line;
    };
    const condition: Expression =
      i.condition.kind === 'register'
        ? { kind: 'binary', op: '!=', left: i.condition, right: ZERO }
        : i.condition;
    const direct = asked(condition);
    if (direct !== undefined) return [direct];
    if (condition.kind !== 'binary' || !['=', '!='].includes(condition.op)) return undefined;
    const { op, left, right } = condition;
    /** A jump by a register: what it is made of both sides, and how that compares with 0. */
    const by = (made: typeof op, compared: typeof op): readonly string[] | undefined => {
      const target = this.fresh({ span });
      const value = { kind: 'binary', op: made, left, right } as const;
      const before = this.plain({ kind: 'assign', target, value, span });
      const jump = asked({ kind: 'binary', op: compared, left: target, right: ZERO });
      this.registers.pop();
      return before === undefined || jump === undefined ? undefined : [...before, jump];
    };
    return by('-', op) ?? by(op === '=' ? '!=' : '=', '=');
  }

  private fresh({ span }: { readonly span: Span }): Target & { readonly kind: 'register' } {
    this.registers.push(this.free(new Set(), span));
    return { kind: 'register', register: this.registers.length - 1 };
  }

  /** The first register that nothing has. */
  private free(taken: ReadonlySet<string | undefined>, span = this.of.thread.span): string {
    const { isa, language, thread } = this.of;
    const used = new Set([...taken, ...this.registers, ...this.addresses.values()]);
    const name = isa.registers.find((one) => !used.has(one));
    if (name !== undefined) {
      this.ever.add(name);
      return name;
    }
    const message = `${thread.name} needs more registers than ${language} has`;
    throw new Unsayable(span!, message, `there are ${isa.registers.join(', ')}`);
  }

  private none(what: string): string {
    return `${this.of.language} has no ${what}`;
  }

  private hint(i: Instruction): string {
    if (i.kind === 'call' && isRemote(i))
      return 'herd7 has no network: only the CPU is asked about';
    if (readsTwice(i))
      return 'memory that is named twice is read once: read it into a register before';
    const all = this.of.isa.written.map(({ means }) => means).filter((one) => !/^goto\b/.test(one));
    const alike =
      i.kind === 'call' && i.short !== true
        ? all.filter((one) => one.includes(i.operation))
        : all.filter((one) => /:= [^(]*$/.test(one));
    const names = all.flatMap((one) => /^(?:\w+ := )?(\w\w+)\b/.exec(one)?.slice(1) ?? []);
    return `what it has: ${[...new Set(alike.length > 0 ? alike : names)].join('; ')}`;
  }

  private jumps(): string {
    const all = this.of.isa.written.flatMap(
      ({ means }) => /^goto \w+ unless (.*)/.exec(means)?.slice(1) ?? [],
    );
    return all.length === 0
      ? 'no jump of it is known'
      : `what it has: if (${[...new Set(all)].join('); if (')})`;
  }

  private refuse({ span }: Instruction, message: string, hint: string): never {
    throw new Unsayable(span, message, hint);
  }
}

/** Does an instruction name a place of memory twice? It reads that once. */
function readsTwice(i: Instruction): boolean {
  const all = expressionsOf(i)
    .flatMap(leavesIn)
    .flatMap((leaf) => (leaf.kind === 'location' ? [leaf.location] : []));
  return new Set(all).size < all.length;
}

const reads = (e: Expression): boolean => leavesIn(e).some(({ kind }) => kind === 'location');

/** Does a call name another node, a queue pair, or what comes back from one? */
const isRemote = ({ arguments: given, into }: Call): boolean =>
  [...given, ...(into === undefined ? [] : [into])].some(
    (one) => one.kind !== 'value' && (one.kind !== 'place' || one.node !== undefined),
  );

/** The register that an instruction sets. */
function resultOf(i: Instruction): (Target & { readonly kind: 'register' }) | undefined {
  const to = i.kind === 'assign' ? i.target : i.kind === 'call' ? i.result : undefined;
  return to?.kind === 'register' ? to : undefined;
}

/** An instruction with other operands; undefined if it has none that registers can hold. */
function withOperands(
  i: Instruction,
  operand: (value: Expression) => Expression,
): Instruction | undefined {
  if (i.kind === 'call') {
    const given = i.arguments.map((one) =>
      one.kind === 'value' ? { ...one, value: operand(one.value) } : one,
    );
    return { ...i, arguments: given };
  }
  if (i.kind !== 'assign') return undefined;
  const { target, value } = i;
  if (target.kind === 'location') return { ...i, value: operand(value) };
  if (value.kind !== 'binary') return undefined;
  // One after the other, in the order of their reads.
  const left = operand(value.left);
  return { ...i, value: { ...value, left, right: operand(value.right) } };
}
