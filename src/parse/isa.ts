import type { Diagnostic, SourceFile, Span } from './diagnostics/index.js';
import { litmusLexer } from './litmus-lexer.js';
import { once } from './once.js';
import type { Token } from './tokens.js';
import { tokenize } from './tokens.js';

/** Tokens of litmus files that mean nothing. */
export const BLANKS = new Set(['blank', 'comment']);

/** What an operand is. */
export type Operand = (typeof OPERANDS)[number];

const OPERANDS = [
  'place',
  // A register that holds the address of a place from the start.
  'address',
  'register',
  // A register that is zero for sure: in an address, it says that this depends on it.
  'zero',
  'number',
  'label',
] as const;

/** An instruction set: which line of assembly is which instructions of a litmus file. */
export interface Isa {
  /** The names of languages that litmus tests in it begin with. */
  readonly languages: readonly string[];
  readonly rules: readonly Rule[];
  /** Beginnings of names of registers that are the same register: of `W0` and `X0`. */
  readonly same: readonly (readonly [from: string, to: string])[];
  /** Names for registers of programs that are written in it. */
  readonly registers: readonly string[];
  /** Words that are no names of memory there, besides these and the first words of rules. */
  readonly reserved: readonly string[];
}

/** A word as an instruction set calls it. */
export const nameIn = ({ same }: Pick<Isa, 'same'>, word: string): string =>
  same.reduce((name, [from, to]) => name.replace(RegExp(`^${from}(?=\\d+$)`), to), word);

/** `MOV [x],$n => x := n` */
export interface Rule {
  /** Both sides as they stand in the file. */
  readonly text: string;
  readonly means: string;
  readonly pattern: readonly (string | { readonly operand: Operand; readonly name: string })[];
  /** Instructions, with the operands for their names. */
  readonly template: readonly Token[];
}

/** An instruction as tokens of a litmus file, or, with a label, as a condition under which it does not jump there; and what it names. */
export interface Instantiated {
  readonly tokens: readonly Token[];
  readonly label?: Part;
  readonly operands: readonly (Part & { readonly operand: Operand })[];
  /** Registers that it reads, and that it sets then. */
  readonly reads: readonly string[];
  readonly sets: readonly string[];
}

/** Text of a litmus file that stands for a stretch of a test. */
export const said = (text: string, span: Span): readonly Token[] =>
  tokenize(litmusLexer, { path: span.file, text }, BLANKS).map((token) => ({ ...token, span }));

/** A word, a number or a sign of assembly. */
export interface Part {
  readonly text: string;
  readonly span: Span;
}

/** The parts of a stretch of a file. */
export function partsOf({ path, text }: SourceFile, start: number, end: number): readonly Part[] {
  return [...text.slice(start, end).matchAll(/[A-Za-z_.][\w.]*|-?\d+|[^\s]/g)].map((found) => {
    const at = start + found.index;
    return { text: found[0], span: { file: path, start: at, end: at + found[0].length } };
  });
}

/**
 * Reads an instruction set. Its lines are comments, `// …`; `languages`, `registers`, `reserved`, `same`; `place`, `register`, `number` and the
 * like, which say what names stand for; and rules. Errors: a line that is nothing of this.
 */
export function parseIsa(source: SourceFile): Isa | { readonly errors: readonly Diagnostic[] } {
  const languages: string[] = [];
  const operands = new Map<string, Operand>();
  const rules: Rule[] = [];
  const same: (readonly [string, string])[] = [];
  const registers: string[] = [];
  const reserved: string[] = [];
  const errors: Diagnostic[] = [];
  let start = 0;
  for (const line of source.text.split('\n')) {
    const end = start + line.length;
    const [word, ...names] = line.replace(/\/\/.*/, '').match(/[^\s,]+/g) ?? [];
    const arrow = line.indexOf('=>');
    if (arrow >= 0) rules.push(ruleOf(source, start, start + arrow, end, operands));
    else if (word === 'languages') languages.push(...names);
    else if (word === 'registers') registers.push(...names);
    else if (word === 'reserved') reserved.push(...names);
    else if (word === 'same') same.push([names[0], names[1]]);
    else if (isOperand(word)) for (const name of names) operands.set(name, word);
    else if (word !== undefined) {
      const span = { file: source.path, start, end };
      const hint = 'a rule is MOV [x],$n => x := n';
      errors.push({ span, message: 'this is no line of an instruction set', hint });
    }
    start = end + 1;
  }
  return errors.length > 0 ? { errors } : { languages, rules, same, registers, reserved };
}

/** Instruction sets, each a file. They are read when they are asked for. */
export const readIsas = (files: () => readonly SourceFile[]): (() => readonly Isa[]) =>
  once(() =>
    files().map((file) => {
      const isa = parseIsa(file);
      if ('errors' in isa) throw new Error(`${file.path}: ${isa.errors[0].message}`);
      return isa;
    }),
  );

/** The one of tests that begin with a word. */
export const isaOf = (isas: readonly Isa[], language: string): Isa | undefined =>
  isas.find(({ languages }) => languages.includes(language));

const isOperand = (word: string | undefined): word is Operand => OPERANDS.includes(word as Operand);

function ruleOf(
  source: SourceFile,
  start: number,
  arrow: number,
  end: number,
  operands: ReadonlyMap<string, Operand>,
): Rule {
  const [first, ...others] = partsOf(source, start, arrow).map(({ text }) => text);
  const rest = others.map((name) => {
    const operand = operands.get(name);
    return operand === undefined ? name.toUpperCase() : { operand, name };
  });
  const behind = `${' '.repeat(arrow + 2)}${source.text.slice(arrow + 2, end)}`;
  const template = tokenize(litmusLexer, { path: source.path, text: behind }, BLANKS);
  const text = source.text.slice(start, arrow).trim();
  const means = behind.trim();
  return { text, means, pattern: [first.toUpperCase(), ...rest], template };
}

/**
 * What an instruction is in a litmus file. Otherwise why it is nothing, for people.
 *
 * @param placeAt the place whose address a register holds
 */
export function instantiate(
  isa: Isa,
  parts: readonly Part[],
  span: Span,
  placeAt: (register: Part) => string,
): Instantiated | { readonly known: string } {
  for (const { pattern, template } of isa.rules) {
    const found = matched(isa, pattern, parts);
    if (found === undefined) continue;
    const given = ({ type, value }: Token) => (type === 'ident' ? found.get(value) : undefined);
    const registersIn = (all: readonly Token[]): readonly string[] =>
      all.map(given).flatMap((one) => (isRegister(one?.operand) ? [one!.text] : []));
    const isSet = template[1]?.type === 'assign';
    const isJump = template[0].value === 'goto';
    const of = isJump ? template.slice(3) : template;
    return {
      ...(isJump && { label: given(template[1])! }),
      tokens: of.flatMap((token) => {
        const operand = given(token);
        if (operand === undefined) return [{ ...token, span }];
        const text = operand.operand === 'address' ? placeAt(operand) : operand.text;
        return said(text, operand.span);
      }),
      operands: [...found.values()],
      reads: registersIn(isSet ? of.slice(2) : of),
      sets: isSet ? registersIn(of.slice(0, 1)) : [],
    };
  }
  const alike = isa.rules.filter(({ pattern: [word] }) => word === parts[0].text.toUpperCase());
  const known =
    alike.length > 0
      ? alike.map(({ text }) => text)
      : isa.rules.map(({ pattern: [word] }) => word as string);
  return { known: [...new Set(known)].join('; ') };
}

const isRegister = (operand: Operand | undefined): boolean =>
  operand === 'register' || operand === 'zero';

type Found = ReadonlyMap<string, Part & { readonly operand: Operand }>;

function matched(isa: Isa, pattern: Rule['pattern'], parts: readonly Part[]): Found | undefined {
  if (pattern.length !== parts.length) return undefined;
  const found = new Map<string, Part & { readonly operand: Operand }>();
  const fits = pattern.every((one, i) => {
    const part = parts[i];
    if (typeof one === 'string') return part.text.toUpperCase() === one;
    if (/^-?\d/.test(part.text) !== (one.operand === 'number') || !/^[\w-]/.test(part.text))
      return false;
    const text = nameIn(isa, part.text);
    const before = found.get(one.name);
    found.set(one.name, { ...part, text, operand: one.operand });
    return before === undefined || before.text === text;
  });
  return fits ? found : undefined;
}
