import type { Span } from './diagnostics/index.js';
import type { CExpr, CFunction, CStatement } from './herd-c-parser.js';
import type { CallRule } from './isa-calls.js';
import { ruleFor } from './isa-calls.js';
import { inOrder } from './herd-jumps.js';
import type { Isa } from './isa.js';
import { said } from './isa.js';
import type { Pointers } from './herd-pointers.js';
import type { Token } from './tokens.js';

type Refuse = (span: Span, message: string, hint?: string) => never;

/** What a thread of C needs to know of its test. */
export interface CContext {
  readonly isa: Isa;
  /** Where pointers may point. */
  readonly pointers: Pointers;
  /** The number that stands for the address of a place. */
  readonly addressOf: (place: string) => number;
  readonly refuse: Refuse;
}

/** Signs of C that litmus files write in another way. */
const SIGNS: Readonly<Record<string, string>> = { '==': '=' };
const SAME = ['||', '&&', '!=', '<', '>', '<=', '>=', '+', '-', '*', '/', '%'];

/**
 * The instructions of a thread as tokens of a litmus file. Registers are zero at first.
 *
 * @param initial those that are asked about, or have another value
 */
export function threadOfC(
  of: CFunction,
  index: number,
  initial: ReadonlyMap<string, string>,
  context: CContext,
): readonly Token[] {
  const { name, body } = of;
  const writer = new ThreadWriter(of, index, context);
  const lines = writer.block(body);
  const first = [...new Set([...writer.registers, ...initial.keys()])].map((r) =>
    said(`${r} := ${initial.get(r) ?? 0}`, name.span),
  );
  const all = [...first, ...lines];
  return [
    ...said(`thread ${name.text} on 1 {`, name.span),
    ...(all.length === 0 ? said('skip', name.span) : inOrder(all, name.span)),
    ...said('}', name.span),
  ];
}

const isPowerOfTwo = (text: string): boolean =>
  /^\d+$/.test(text) && Number.isInteger(Math.log2(Number(text)));

/** One bit of a number, also of a negative one. */
const bit = (value: string, of: number): string =>
  `(((${value}) % ${2 * of} + ${2 * of}) % ${2 * of} / ${of} * ${of})`;

/** Does an expression access memory? */
function readsMemory(e: CExpr): boolean {
  if (e.kind === 'call' || (e.kind === 'unary' && e.op === '*')) return true;
  if (e.kind === 'unary') return readsMemory(e.arg);
  return e.kind === 'binary' && (readsMemory(e.left) || readsMemory(e.right));
}

class ThreadWriter {
  /** The names of the function's variables, without those that hold a value only until the next line. */
  readonly registers = new Set<string>();
  private lines: (readonly Token[])[] = [];
  private fresh = 0;

  constructor(
    private readonly of: CFunction,
    private readonly index: number,
    private readonly context: CContext,
  ) {}

  block(body: readonly CStatement[]): (readonly Token[])[] {
    const outer = this.lines;
    this.lines = [];
    for (const one of body) this.statement(one);
    const made = this.lines;
    this.lines = outer;
    return made;
  }

  private statement(s: CStatement): void {
    const { span } = s;
    if (s.kind === 'do') {
      if (s.call.kind === 'call') this.call(s.call);
    } else if (s.kind === 'if') {
      const condition = this.value(s.condition);
      const [then, otherwise] = [s.then, s.else].map((body) => this.block(body));
      const { span: at } = s.condition;
      const body = (lines: typeof then): readonly Token[] =>
        lines.length === 0 ? said('skip', at) : inOrder(lines, at);
      this.lines.push([
        // A value from one of two ways is none of the condition: as herd7 has it, each way is one of its own.
        ...said(`choose { assume(${condition});`, at),
        ...body(then),
        ...said(`} or { assume(!(${condition}));`, at),
        ...body(otherwise),
        ...said('}', at),
      ]);
    } else if (s.target.kind === 'name') {
      const register = this.register(s.target);
      if (s.value.kind === 'call') this.call(s.value, register);
      else this.say(`${register} := ${this.value(s.value)}`, span);
    } else if (s.target.kind === 'unary' && s.target.op === '*') {
      const value = this.value(s.value);
      const [place, offset] = this.place(this.context.isa.functions!.writes, s.target.arg);
      this.say(`${place}, ${value}, ${offset})`, span);
    } else this.context.refuse(s.target.span, 'nothing can be assigned to this');
  }

  private say(text: string, span: Span): void {
    this.lines.push(said(text, span));
  }

  private register({ text, span }: Extract<CExpr, { text: string }>): string {
    if (this.isPlace(text))
      this.context.refuse(span, `${text} is a parameter, and stays what it is`);
    this.registers.add(text);
    return text;
  }

  private isPlace(name: string): boolean {
    return this.of.parameters.includes(name);
  }

  private temporary(): string {
    this.fresh += 1;
    return `value_${this.fresh}`;
  }

  /** An expression over registers, after what has to be read for it. */
  private value(e: CExpr): string {
    const { refuse, addressOf } = this.context;
    switch (e.kind) {
      case 'int':
        return e.text;
      case 'name':
        return this.isPlace(e.text) ? String(addressOf(e.text)) : this.register(e);
      case 'call':
        return this.call(e, this.temporary());
      case 'unary': {
        if (e.op === '*') {
          const register = this.temporary();
          const [place, offset] = this.place(this.context.isa.functions!.reads, e.arg);
          this.say(`${register} := ${place}, ${offset})`, e.span);
          return register;
        }
        if (e.op === '&' && e.arg.kind === 'name') return String(addressOf(e.arg.text));
        if (e.op === '&' && e.arg.kind === 'unary') return this.value(e.arg.arg);
        if (e.op === '!' || e.op === '-') return `${e.op}(${this.value(e.arg)})`;
        return refuse(e.span, `\`${e.op}\` is not read here`);
      }
      case 'binary': {
        if (readsMemory(e.right) && (readsMemory(e.left) || /[&|]{2}/.test(e.op)))
          refuse(
            e.span,
            'which of both is read first is not said',
            'read one into a variable before',
          );
        const [left, right] = [this.value(e.left), this.value(e.right)];
        const isZero = e.op === '^' ? left === right : e.op === '&' && right === '0';
        if (isZero) return `((${left}) - (${left}))`;
        if (e.op === '&' && isPowerOfTwo(right)) return bit(left, Number(right));
        if (!SAME.includes(e.op) && SIGNS[e.op] === undefined)
          refuse(e.span, `\`${e.op}\` is not read here`);
        return `((${left}) ${SIGNS[e.op] ?? e.op} (${right}))`;
      }
    }
  }

  /** How a call of an operation at an address begins, and what stands for its offset. */
  private place(operation: string, address: CExpr): readonly [begin: string, offset: string] {
    const [places, offset] = this.places(address);
    return [`${operation}${this.several(address)}(${places}`, offset];
  }

  /** What is behind the name of an operation that is done through a pointer. */
  private several(address: CExpr): string {
    const known = this.known(address);
    return known === undefined ? String(this.candidates(address).length) : '';
  }

  private places(address: CExpr): readonly [places: string, offset: string] {
    const known = this.known(address);
    if (known !== undefined) return [known, '0'];
    const pointer = this.value(address);
    const all = this.candidates(address).map((one) => `${one}, ${this.context.addressOf(one)}`);
    return [`${all.join(', ')}, ${pointer}`, pointer];
  }

  private candidates(address: CExpr): readonly string[] {
    const { pointers, refuse } = this.context;
    const all = pointers.targets(address, this.index);
    if (all.length === 0) refuse(address.span, 'which address this is is not known');
    return all;
  }

  /** The place that an address is of for sure. */
  private known(address: CExpr): string | undefined {
    const inner = address.kind === 'unary' && address.op === '&' ? address.arg : address;
    const isPlace = inner.kind === 'name' && (inner !== address || this.isPlace(inner.text));
    return isPlace ? inner.text : undefined;
  }

  /** Says what a call is; gives the expression of its value. */
  private call(e: Extract<CExpr, { kind: 'call' }>, into?: string): string {
    const rule = ruleFor(this.context.isa, e, this.context.refuse);
    const register = into ?? this.temporary();
    const made = this.filled(rule, e, rule.giving === undefined ? register : this.temporary());
    if (rule.giving === undefined || into === undefined) return made.register;
    this.say(`${into} := ${made.giving}`, e.span);
    return into;
  }

  private filled(
    { statement, giving, operands }: CallRule,
    e: Extract<CExpr, { kind: 'call' }>,
    register: string,
  ): { readonly register: string; readonly giving: string } {
    const texts = new Map([['r', register]]);
    let several = '';
    const addresses = operands.filter(({ isAddress }) => isAddress).length;
    operands.forEach(({ name, added, isAddress, isDereferenced }, i) => {
      const given = e.args[i];
      if (!isAddress) return void texts.set(name, this.value(given));
      const address = isDereferenced ? (given as Extract<CExpr, { kind: 'unary' }>).arg : given;
      const [places, offset] = this.places(address);
      several = this.several(address);
      if (several !== '' && addresses > 1)
        this.context.refuse(address.span, 'this pointer has to be the name of a place');
      texts.set(name, places).set(added!, offset);
    });
    // Other letters are what the rule needs for itself.
    const named = (letter: string): string => {
      const text = texts.get(letter) ?? this.temporary();
      texts.set(letter, text);
      return text;
    };
    const fill = (text: string): string => text.replaceAll(/\b[a-z]\b/g, named);
    this.say(
      fill(statement.replaceAll(/\b(?:ldr|str|rmw\w+)\b/g, (name) => name + several)),
      e.span,
    );
    return { register, giving: giving === undefined ? register : `(${fill(giving)})` };
  }
}
