import type { Diagnostic, SourceFile, Span } from './diagnostics/index.js';
import { threadOfC } from './herd-c.js';
import type { CFunction } from './herd-c-parser.js';
import { parseC } from './herd-c-parser.js';
import { Pointers } from './herd-pointers.js';
import type { Line } from './herd-jumps.js';
import { inBlocks, inOrder } from './herd-jumps.js';
import type { Address, Instantiated, Isa, Part } from './isa.js';
import { BLANKS, instantiate, isaOf, nameIn, partsOf, said } from './isa.js';
import { litmusLexer } from './litmus-lexer.js';
import type { Token } from './tokens.js';
import { tokenize } from './tokens.js';

/**
 * Litmus tests of herd7, in the assembly of an instruction set that a file describes (`models/isa`). A test becomes the tokens of a litmus
 * file, each with its place in the text that it comes from: so the parser of litmus files reads it, and messages point into it.
 */

/** A test of herd7 as tokens of a litmus file. */
export interface HerdTest {
  readonly tokens: readonly Token[];
  readonly isC: boolean;
}

/**
 * Gives a test of herd7, or what is wrong with it; undefined: the file is no such test, or no instruction set is known for it.
 */
export type HerdReader = (source: SourceFile) => HerdTest | Diagnostic | undefined;

/** @param isas the instruction sets that there are */
export const herdReader =
  (isas: () => readonly Isa[]): HerdReader =>
  (source) =>
    fromHerd(source, isas);

function fromHerd(source: SourceFile, isas: () => readonly Isa[]): ReturnType<HerdReader> {
  // Most files are none.
  if (/^\s*RDMA\b/.test(source.text)) return undefined;
  const plain = source.text.replaceAll(/(?<!\w)\(\*[^]*?\*\)/g, (comment) =>
    comment.replaceAll(/[^\n]/g, ' '),
  );
  const head = /^\s*([A-Za-z]\w*)[ \t]+([^\s"{]+)/.exec(plain);
  const isa = head === null ? undefined : isaOf(isas(), head[1]);
  if (isa === undefined) return undefined;
  try {
    const text = plainRegisters(plain.replaceAll(/\b0x[\da-f]+\b/gi, inDecimals), isa);
    const nameless = new Set([...plain.matchAll(/%(\w+)/g)].map(([, name]) => `_${name}`));
    const tokens = new Reader({ path: source.path, text }, isa, head!, nameless).tokens();
    return { tokens, isC: isa.functions !== undefined };
  } catch (error) {
    if (error instanceof Refusal) return error.diagnostic;
    throw error;
  }
}

/** A hexadecimal number that is positive in a word of 32 bits, at the same place. */
const inDecimals = (text: string): string =>
  Number(text) < 2 ** 31 ? String(Number(text)).padStart(text.length) : text;

/**
 * The text of a test with registers as names: without the sign that a language has before them. Elsewhere `%x` is a register of each thread,
 * of which nobody says which one; here `_x`.
 */
function plainRegisters(text: string, { sigil, functions }: Isa): string {
  if (functions !== undefined) return text;
  const named = sigil?.sign === '%' ? text : text.replaceAll(/%(?=[A-Za-z])/g, '_');
  if (sigil === undefined) return named;
  const isNumber = (at: number): boolean => /\d/.test(named[at]);
  const letter = (_: string, at: number): string => (isNumber(at + 1) ? sigil.letter : ' ');
  return named.replaceAll(RegExp(`[${sigil.sign}](?=\\w)`, 'g'), letter);
}

class Refusal extends Error {
  constructor(readonly diagnostic: Diagnostic) {
    super(diagnostic.message);
  }
}

/** A thread, as far as it is known. */
interface Column {
  readonly name: Part;
  readonly lines: Line[];
  /** Values of registers at the beginning. */
  readonly initial: Map<string, Part>;
  /** Registers that hold addresses, and those that are zero for sure. */
  readonly addresses: Map<string, Address | 'unknown'>;
  readonly zeros: Set<string>;
  /** By a label: the same at all jumps to it so far. */
  readonly jumps: Map<string, Known>;
}

type Known = Pick<Column, 'addresses' | 'zeros'>;

/** Takes back what is not known elsewhere, too. */
function meet({ addresses, zeros }: Known, other: Known): void {
  for (const one of zeros) if (!other.zeros.has(one)) zeros.delete(one);
  for (const one of new Set([...addresses.keys(), ...other.addresses.keys()]))
    if (!isSame(addresses.get(one), other.addresses.get(one))) addresses.set(one, 'unknown');
}

const instructionsOf = ({ lines }: Column): readonly Instantiated[] =>
  lines.flatMap((line) => ('mark' in line ? [] : [line]));

/** Where the numbers of addresses begin. */
const ADDRESSES = 1_000_000;
const TAIL = /^[ \t]*(?:locations|filter|exists|~[ \t]*exists|forall|final)\b/m;
const BACKWARD = 'only jumps forward are read, to a label below';
/** What a test shows to other tools. */
const SHOWN = /^[ \t]*(?:<<|with\b)[^]*/m;

class Reader {
  private readonly places = new Map<string, Part | undefined>();
  private readonly columns: Column[] = [];
  private readonly initial: {
    /** Undefined: of each. */
    readonly thread?: Part;
    readonly register: Part;
    readonly value: Part;
  }[] = [];

  constructor(
    private readonly source: SourceFile,
    private readonly isa: Isa,
    private readonly head: RegExpExecArray,
    /** Registers without names, as they are called here. */
    private readonly nameless: ReadonlySet<string>,
  ) {}

  private get isC(): boolean {
    return this.isa.functions !== undefined;
  }

  tokens(): readonly Token[] {
    const { text } = this.source;
    const { index } = this.head;
    const open = text.indexOf('{', index);
    const close = text.indexOf('}', open);
    if (open < 0 || close < 0) {
      this.refuse(
        this.span(index, index + this.head[0].length),
        'what memory is at first is missing',
        '{ x=0; y=0; }',
      );
    }
    const behind = TAIL.exec(text.slice(close + 1));
    const end = behind === null ? text.length : close + 1 + behind.index;
    this.readInitial(open + 1, close);
    const functions = this.isC ? this.readFunctions(close + 1, end) : [];
    if (!this.isC) this.readTable(close + 1, end);
    const tail = this.tail(end);
    const threads = this.isC ? this.functions(functions, tail) : this.threads(tail);
    return [...this.title(open), ...this.node(this.span(open, close + 1)), ...threads, ...tail];
  }

  private title(open: number): readonly Token[] {
    const [whole, , name] = this.head;
    const end = this.head.index + whole.length;
    const span = this.span(end - name.length, end);
    const title = /"[^"\n]*"/.exec(this.source.text.slice(end, open));
    const header = { type: 'header', value: `RDMA ${name}`, span };
    if (title === null) return [header];
    const at = end + title.index;
    return [header, { type: 'string', value: title[0], span: this.span(at, at + title[0].length) }];
  }

  /** `x=0; [y]=1; 0:EAX=1; int z` */
  private readInitial(start: number, end: number): void {
    for (const parts of this.pieces(start, end, ';')) {
      const words = parts.filter(({ text }) => !/^(?:[[\]*&()]|ATOMIC_INIT)$/.test(text));
      const at = words.findIndex(({ text }) => text === '=');
      const left = at < 0 ? words : words.slice(0, at);
      const value = at < 0 ? undefined : words[at + 1];
      const name = left.at(-1) ?? parts[0];
      const isValue = value === undefined || /^-?\d+$/.test(value.text);
      const span = spanOf(parts);
      const [thread, colon] = left.slice(-3);
      const isOfThread = left.length >= 3 && colon.text === ':' && value !== undefined;
      const isOdd = (at >= 0 && words.length > at + 2) || !/^[A-Za-z_]/.test(name.text);
      const isAddress = value !== undefined && /^[A-Za-z_]/.test(value.text);
      if (isAddress && !isOfThread && this.nameless.has(name.text)) {
        this.initial.push({ register: name, value });
        continue;
      }
      if (isOdd || !(isValue || (isAddress && (isOfThread || this.isC)))) {
        this.refuse(span, 'this first value is not read', 'x=1; 0:EAX=1; 0:X1=x');
      }
      if (isOfThread) this.initial.push({ thread, register: name, value });
      else this.places.set(name.text, value);
    }
  }

  private readTable(start: number, end: number): void {
    const [heads = [], ...rows] = this.rows(start, end).filter((row) =>
      row.some((one) => one.length > 0),
    );
    for (const parts of heads) {
      const [name] = parts;
      if (parts.length !== 1 || !/^P\d+$/.test(name.text)) {
        const span = parts.length > 0 ? spanOf(parts) : this.span(start, end);
        this.refuse(span, 'the names of threads are missing', 'the first line is P0 | P1 ;');
      }
      this.columns.push({
        ...{ name, lines: [] },
        ...{ initial: new Map(), addresses: new Map(), zeros: new Set(), jumps: new Map() },
      });
    }
    for (const { thread, register, value } of this.initial) {
      const own = `P${thread?.text.replace(/^P/, '')}`;
      const columns = this.columns.filter(({ name }) => thread === undefined || name.text === own);
      if (columns.length === 0) this.refuse((thread ?? register).span, 'there is no such thread');
      const called = nameIn(this.isa, register.text);
      for (const column of columns) {
        if (/^-?\d/.test(value.text)) column.initial.set(called, value);
        else column.addresses.set(called, { place: value.text });
      }
      const isPlace = !/^-?\d/.test(value.text);
      if (isPlace && !this.places.has(value.text)) this.places.set(value.text, undefined);
    }
    for (const row of rows) {
      const more = row.slice(this.columns.length).find((one) => one.length > 0);
      if (more !== undefined) this.refuse(spanOf(more), 'this column has no thread above it');
      row
        .slice(0, this.columns.length)
        .forEach((parts, i) => this.readCell(parts, this.columns[i]));
    }
  }

  private readCell(all: readonly Part[], column: Column): void {
    const isMarked = all[1]?.text === ':';
    if (isMarked) this.mark(all[0], column);
    const parts = isMarked ? all.slice(2) : all;
    if (parts.length === 0) return;
    const span = spanOf(parts);
    const { addresses, zeros } = column;
    const made = instantiate(this.isa, parts, span, {
      address: (register) => addresses.get(register),
      isZero: (register) => zeros.has(register),
    });
    if ('message' in made) this.refuse(made.span, made.message, made.hint);
    const [register] = made.sets;
    const [, , left, minus, right] = made.tokens;
    addresses.delete(register);
    zeros.delete(register);
    if (made.points !== undefined) addresses.set(register, { place: made.points, added: register });
    else if (minus?.type === 'minus' && left.value === right.value) zeros.add(register);
    if (made.label !== undefined) {
      const { jumps } = column;
      const known = { addresses: new Map(addresses), zeros: new Set(zeros) };
      const before = jumps.get(made.label.text);
      if (before !== undefined) meet(known, before);
      jumps.set(made.label.text, known);
    }
    column.lines.push(made);
  }

  /** What is known at a label was so before the jumps to it, too. */
  private mark(label: Part, column: Column): void {
    const before = column.jumps.get(label.text);
    if (before !== undefined) meet(column, before);
    column.lines.push({ mark: label });
  }

  /** Names in brackets are memory. Where one is a register, too, it holds an address, which nobody knows here. */
  private checkPlaces(column: Column): void {
    const registers = new Set(column.initial.keys());
    const operands = instructionsOf(column).flatMap((one) => one.operands);
    for (const one of operands) if (one.operand === 'register') registers.add(one.text);
    for (const { operand, text, span } of operands) {
      if (operand !== 'place') continue;
      if (registers.has(text))
        this.refuse(span, `${text} is a register: an address in a register is not read`);
      if (!this.places.has(text)) this.places.set(text, undefined);
    }
  }

  private node(span: Span): readonly Token[] {
    for (const column of this.columns) this.checkPlaces(column);
    const first = (value: string): string | number =>
      /^[A-Za-z_]/.test(value) ? this.addressOf(value) : value;
    const all = [...this.places].map(([name, value]) => `${name} = ${first(value?.text ?? '0')}`);
    return said(`node 1 { ${all.join('; ')} }`, span);
  }

  private readFunctions(start: number, end: number): readonly CFunction[] {
    const functions = parseC(this.source, start, end, (...about) => this.refuse(...about));
    const named = functions.flatMap(({ parameters }) => parameters);
    const held = this.initial.map(({ value }) => value);
    const pointed = [...this.places.values(), ...held].flatMap((value) => value?.text ?? []);
    for (const one of [...named, ...pointed.filter((text) => /^[A-Za-z_]/.test(text))])
      if (!this.places.has(one)) this.places.set(one, undefined);
    return functions;
  }

  private functions(functions: readonly CFunction[], tail: readonly Token[]): readonly Token[] {
    const { isa } = this;
    const refuse = (...about: Parameters<typeof this.refuse>): never => this.refuse(...about);
    const initial = [...this.places].flatMap(([name, value]) =>
      /^[A-Za-z_]/.test(value?.text ?? '') ? [[name, value!.text] as const] : [],
    );
    const own = this.initial.map(
      ({ thread, register, value }) => [`${thread?.text}:${register.text}`, value.text] as const,
    );
    const pointers = new Pointers(isa, functions, new Map([...initial, ...own]), refuse);
    const addressOf = (place: string): number => this.addressOf(place);
    return functions.flatMap((one, i) => {
      const asked = new Map(askedOf(tail, i).map((name) => [name, '0']));
      for (const { thread, register, value } of this.initial) {
        const number = /^\d/.test(value.text) ? value.text : String(addressOf(value.text));
        if (thread?.text === String(i)) asked.set(register.text, number);
      }
      return threadOfC(one, i, asked, { isa, pointers, addressOf, refuse });
    });
  }

  /** The number that stands for an address: no test has so large ones of its own. */
  private addressOf(place: string): number {
    return ADDRESSES + [...this.places.keys()].indexOf(place);
  }

  private threads(tail: readonly Token[]): readonly Token[] {
    return this.columns.flatMap((column, index) => {
      const { name, lines, initial } = column;
      const set = [...initial].map(([register, { text }]) => `${register} := ${text}`);
      const begin = unset(column, index, tail).map((r) => `${r} := 0`);
      const body = [...set, ...begin].map((one) => said(one, name.span));
      return [
        ...said(`thread ${name.text} on 1 {`, name.span),
        ...inOrder([...body, ...inBlocks(lines, (at) => this.refuse(at, BACKWARD))], name.span),
        ...said('}', name.span),
      ];
    });
  }

  /** The questions are those of litmus files; a place may stand in brackets, and all may end in `;`. */
  private tail(start: number): readonly Token[] {
    const { path, text } = this.source;
    const asked = text.slice(start).replace(SHOWN, '');
    const all = tokenize(litmusLexer, { path, text: ' '.repeat(start) + asked }, BLANKS).map(
      (token) =>
        token.value === 'final' ? { ...token, type: 'kw_exists', value: 'exists' } : token,
    );
    const isList = (at: number): boolean => all[at - 1]?.type === 'kw_locations';
    const named = (token: Token, at: number): Token =>
      token.type === 'ident' && all[at - 1]?.type === 'colon'
        ? { ...token, value: nameIn(this.isa, token.value) }
        : token;
    const list = all.findIndex((_, at) => isList(at));
    const end = list < 0 ? -1 : all.findIndex(({ type }, at) => at > list && type === 'rbracket');
    // In C, what a register or a place is compared with is an address.
    const compared = (token: Token, at: number): Token =>
      this.isC && /^(?:eq|ne)$/.test(all[at - 1]?.type) && this.places.has(token.value)
        ? { ...token, type: 'int', value: String(this.addressOf(token.value)) }
        : token;
    return all
      .map(named)
      .map(compared)
      .filter(({ type }, at) => {
        if (type === 'lbracket') return at === list;
        if (type === 'rbracket') return at === end;
        return type !== 'semi' || (at > list && at < end - 1);
      });
  }

  private rows(start: number, end: number): readonly (readonly Part[][])[] {
    const rows: Part[][][] = [];
    let row: Part[][] = [[]];
    for (const part of partsOf(this.source, start, end)) {
      if (part.text === ';') {
        rows.push(row);
        row = [[]];
      } else if (part.text === '|') row.push([]);
      else row.at(-1)!.push(part);
    }
    return row.length > 1 || row[0].length > 0 ? [...rows, row] : rows;
  }

  private pieces(start: number, end: number, sign: string): readonly (readonly Part[])[] {
    const pieces: Part[][] = [[]];
    for (const part of partsOf(this.source, start, end)) {
      if (part.text === sign) pieces.push([]);
      else pieces.at(-1)!.push(part);
    }
    return pieces.filter((one) => one.length > 0);
  }

  private span(start: number, end: number): Span {
    return { file: this.source.path, start, end };
  }

  private refuse(span: Span, message: string, hint?: string): never {
    throw new Refusal({ span, message, ...(hint !== undefined && { hint }) });
  }
}

type Held = Address | 'unknown' | undefined;

const isSame = (a: Held, b: Held): boolean =>
  a === b ||
  (typeof a === 'object' && typeof b === 'object' && a.place === b.place && a.added === b.added);

/** Registers that are read, or asked about, before they are set: they are zero at first. */
function unset(column: Column, index: number, tail: readonly Token[]): readonly string[] {
  const known = new Set(column.initial.keys());
  const found = new Set<string>();
  for (const { reads, sets } of instructionsOf(column)) {
    for (const one of reads) if (!known.has(one)) found.add(one);
    for (const one of sets) known.add(one);
  }
  for (const one of askedOf(tail, index)) if (!known.has(one)) found.add(one);
  return [...found];
}

/** The registers of a thread that are asked about. */
const askedOf = (tail: readonly Token[], index: number): readonly string[] =>
  tail.flatMap(({ type, value }, at) => {
    const isOwn = tail[at - 1]?.type === 'colon' && tail[at - 2]?.value === String(index);
    return type === 'ident' && isOwn ? [value] : [];
  });

const spanOf = (parts: readonly Part[]): Span => ({
  ...parts[0].span,
  end: parts.at(-1)!.span.end,
});
