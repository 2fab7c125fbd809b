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
  // A register that holds the address of a place, from the start or by a sum with what is zero.
  'computed',
  'register',
  // A register that is zero for sure: in an address, it says that this depends on it.
  'zero',
  'number',
  'label',
  // An expression of C.
  'value',
] as const;

/** An instruction set: which line of assembly is which instructions of a litmus file. */
export interface Isa {
  /** The names of languages that litmus tests in it begin with. */
  readonly languages: readonly string[];
  readonly rules: readonly Rule[];
  /** Those of them by which programs are written, too. */
  readonly written: readonly Rule[];
  /** Beginnings of names of registers that are the same register: of `W0` and `X0`. */
  readonly same: readonly (readonly [from: string, to: string])[];
  /** Other names of registers, in small letters: of `eax`, `rax`. */
  readonly aliases: ReadonlyMap<string, string>;
  /** A sign that stands before registers, and the letter that a number behind it gets. */
  readonly sigil?: { readonly sign: string; readonly letter: string };
  /** Names for registers of programs that are written in it. */
  readonly registers: readonly string[];
  /** Words that are no names of memory there, besides these and the first words of rules. */
  readonly reserved: readonly string[];
  /**
   * Where threads are functions of C, and rules are about calls: the operations that read and write variables there. Otherwise
   * threads are columns of a table.
   */
  readonly functions?: { readonly reads: string; readonly writes: string };
  /** Registers that are zero for ever. */
  readonly zeros: readonly string[];
  /** Where registers are all called so, with a number behind: these letters. */
  readonly numbered: readonly string[];
}

/** A word as an instruction set calls it. */
export const nameIn = ({ same, aliases }: Pick<Isa, 'same' | 'aliases'>, word: string): string =>
  aliases.get(word.toLowerCase()) ??
  same.reduce((name, [from, to]) => name.replace(RegExp(`^${from}(?=\\d+$)`), to), word);

/** `MOV [x],$n => x := n` */
export interface Rule {
  /** Both sides as they stand in the file. */
  readonly text: string;
  readonly means: string;
  readonly pattern: readonly (string | OperandOf)[];
  /** Instructions, with the operands for their names. */
  readonly template: readonly Token[];
  /** The operand to whose place the register that is set points then, too. */
  readonly points?: string;
}

/** An operand of a rule. */
interface OperandOf {
  readonly operand: Operand;
  readonly name: string;
  /** Of an address: the name of what has been added to it. */
  readonly added?: string;
  /** Of a number: all that it may be are less. */
  readonly below?: number;
}

/** An address: a place, and the register of what has been added to it, if anything has. */
export interface Address {
  readonly place: string;
  readonly added?: string;
}

/** What is known of the registers where an instruction stands. */
export interface Holding {
  /** Undefined: it holds a number. `unknown`: an address, and nobody knows which. */
  readonly address: (register: string) => Address | 'unknown' | undefined;
  readonly isZero: (register: string) => boolean;
}

/** An instruction as tokens of a litmus file, or, with a label, as a condition under which it does not jump there; and what it names. */
export interface Instantiated {
  readonly tokens: readonly Token[];
  readonly label?: Part;
  readonly operands: readonly (Part & { readonly operand: Operand })[];
  /** Registers that it reads, and that it sets then. */
  readonly reads: readonly string[];
  readonly sets: readonly string[];
  /** The place to which the register points that it sets. */
  readonly points?: string;
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
 * Reads an instruction set. Its lines are comments, `// …`; `languages`, `registers`, `reserved`, `zeros`, `numbered`, `same`, `alias`, `sigil`; `place`, `register`, `number`
 * and the like, which say what names stand for; `choice`, which says what `{name}` stands for in rules; rules; and `read-only`, above rules by
 * which nothing is written. Errors: a line that is nothing of this.
 */
export function parseIsa(source: SourceFile): Isa | { readonly errors: readonly Diagnostic[] } {
  const words = Object.fromEntries(WORD_LISTS.map((list) => [list, [] as string[]])) as Record<
    WordList,
    string[]
  >;
  const operands = new Map<string, OperandOf>();
  const choices = new Map<string, readonly Choice[]>();
  const rules: Rule[] = [];
  let functions: Isa['functions'];
  let written: readonly Rule[] | undefined;
  const same: (readonly [string, string])[] = [];
  const aliases = new Map<string, string>();
  let sigil: Isa['sigil'];
  const errors: Diagnostic[] = [];
  let start = 0;
  for (const line of source.text.split('\n')) {
    const [word, ...names] = line.replace(/\/\/.*/, '').match(/[^\s,]+/g) ?? [];
    const [name, as, added] = names;
    if (line.includes('=>')) {
      for (const one of chosen(line, choices))
        rules.push(ruleOf(source.path, start, one, operands));
    } else if (isWordList(word)) words[word].push(...names);
    else if (word === 'functions' && as !== undefined) functions = { reads: name, writes: as };
    else if (word === 'read-only') written = [...rules];
    else if (word === 'same') same.push([name, as]);
    else if (word === 'alias') for (const one of names.slice(1)) aliases.set(one, name);
    else if (word === 'sigil') sigil = { sign: name, letter: as ?? ' ' };
    else if (word === 'choice') choices.set(name, choicesIn(line));
    else if (word === 'computed') operands.set(name, { operand: word, name, added });
    else if (word === 'number' && as === '<')
      operands.set(name, { operand: word, name, below: Number(added) });
    else if (isOperand(word))
      for (const one of names) operands.set(one, { operand: word, name: one });
    else if (word !== undefined) {
      const span = { file: source.path, start, end: start + line.length };
      const hint = 'a rule is MOV [x],$n => x := n';
      errors.push({ span, message: 'this is no line of an instruction set', hint });
    }
    start += line.length + 1;
  }
  if (errors.length > 0) return { errors };
  const all = { ...words, rules, written: written ?? rules, same, aliases };
  return { ...all, ...(functions && { functions }), ...(sigil && { sigil }) };
}

const WORD_LISTS = ['languages', 'registers', 'reserved', 'zeros', 'numbered'] as const;
type WordList = (typeof WORD_LISTS)[number];
const isWordList = (word: string | undefined): word is WordList =>
  WORD_LISTS.includes(word as WordList);

/** What may stand in a rule, and what it means. */
type Choice = readonly [text: string, means: string];

/** `choice o = .aq [aq], .rl [rl], none` */
const choicesIn = (line: string): readonly Choice[] =>
  line
    .slice(line.indexOf('=') + 1)
    .split(',')
    .map((one) => one.trim().split(/\s+/))
    .map(([text, ...means]) => [text === 'none' ? '' : text, means.join(' ')]);

/** A rule for each choice of what it leaves open: `lw{o} r,0(c) => r := ldr {o} (c, d)`. */
function chosen(line: string, choices: ReadonlyMap<string, readonly Choice[]>): readonly string[] {
  const found = /\{(\w+)\}/.exec(line);
  if (found === null) return [line];
  const [whole, name] = found;
  return (choices.get(name) ?? []).flatMap(([text, means]) => {
    const [left, right] = line.split('=>');
    return chosen(`${left.replace(whole, text)}=>${right.replace(whole, means)}`, choices);
  });
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
  path: string,
  at: number,
  line: string,
  operands: ReadonlyMap<string, OperandOf>,
): Rule {
  const [left, right] = line.split('=>');
  const source = { path, text: left };
  const [first, ...others] = partsOf(source, 0, left.length).map(({ text }) => text);
  const rest = others.map((name) => operands.get(name) ?? name.toUpperCase());
  const template = said(right, { file: path, start: at, end: at + line.length });
  const isSet = template[1]?.type === 'assign';
  const has = (name: string | undefined): boolean => template.some(({ value }) => value === name);
  const moved = rest.find((one) => typeof one !== 'string' && has(one.added) && !has(one.name));
  const points = isSet && moved !== undefined ? (moved as OperandOf).name : undefined;
  const pattern = [first.toUpperCase(), ...rest];
  return { text: left.trim(), means: right.trim(), pattern, template, points };
}

/** Why an instruction cannot be read where it stands, though there is a rule for it. */
type Reason = Pick<Diagnostic, 'span' | 'message' | 'hint'>;

/**
 * What an instruction is in a litmus file: by the first rule that fits. Otherwise why it is nothing, for people.
 *
 * @param holding what its registers hold
 */
export function instantiate(
  isa: Isa,
  parts: readonly Part[],
  span: Span,
  holding: Holding,
): Instantiated | Reason {
  let reason: Reason | undefined;
  for (const rule of isa.rules) {
    const found = matched(isa, rule.pattern, parts);
    if (found === undefined) continue;
    const amiss = [...found.values()].map((one) => amissIn(isa, one, holding)).find(Boolean);
    const made = amiss ?? filled(isa, rule, found, span, holding);
    if (!('message' in made)) return made;
    reason ??= made;
  }
  const alike = isa.rules.filter(({ pattern: [word] }) => word === parts[0].text.toUpperCase());
  const known =
    alike.length > 0
      ? alike.map(({ text }) => text)
      : isa.rules.map(({ pattern: [word] }) => word as string);
  const hint = `known are ${[...new Set(known)].join('; ')}`;
  return reason ?? { span, message: 'this instruction is not known', hint };
}

/** Why an operand is none of its kind here. */
function amissIn(
  isa: Isa,
  { operand, text, span }: Filling,
  { address, isZero }: Holding,
): Reason | undefined {
  const at = address(text);
  if (operand === 'zero' && !isZero(text) && !isa.zeros.includes(text))
    return { span, message: `which address this is is not known: ${text} may be other than zero` };
  if (operand !== 'address' && operand !== 'computed') return undefined;
  if (at === undefined || at === 'unknown')
    return { span, message: `which address ${text} holds is not known`, hint: `0:${text}=x` };
  return operand === 'address' && at.added !== undefined
    ? { span, message: `${text} holds an address that is computed` }
    : undefined;
}

function filled(
  isa: Isa,
  { template, points }: Rule,
  found: Found,
  span: Span,
  { address }: Holding,
): Instantiated | Reason {
  const fillings = [...found.values()];
  const given = ({ type, value }: Token) => (type === 'ident' ? found.get(value) : undefined);
  const addressOf = ({ text }: Part): Address => address(text) as Address;
  const addedTo = ({ value }: Token) => fillings.find(({ added }) => added === value);
  const isSet = template[1]?.type === 'assign';
  const isJump = template[0].value === 'goto';
  const reads: string[] = [];
  const sets: string[] = [];
  /** Registers that a rule has by their names. */
  const isNamed = new Set(isa.aliases.values());
  const fill = (token: Token, at: number): readonly Token[] => {
    const moved = addedTo(token);
    if (moved !== undefined) {
      return said(addressOf(moved).added ?? '0', moved.span);
    }
    const isTarget = isSet && at === 0;
    const one = given(token);
    if (one === undefined) {
      if (isNamed.has(token.value)) (isTarget ? sets : reads).push(token.value);
      return [{ ...token, span }];
    }
    if (one.operand === 'address' || one.operand === 'computed')
      return said(addressOf(one).place, one.span);
    if (one.operand !== 'register' && one.operand !== 'zero') return said(one.text, one.span);
    if (!isTarget && isa.zeros.includes(one.text)) return said('0', one.span);
    (isTarget ? sets : reads).push(one.text);
    return said(one.text, one.span);
  };
  const tokens = (isJump ? template.slice(3) : template).flatMap(fill);
  const wrong = reads.find((one) => address(one) !== undefined);
  if (wrong !== undefined) return { span, message: `${wrong} holds an address, and no number` };
  const to = points === undefined ? undefined : addressOf(found.get(points)!).place;
  return {
    ...(isJump && { label: given(template[1])! }),
    ...(to !== undefined && { points: to }),
    ...{ tokens, operands: fillings, reads, sets },
  };
}

type Filling = Part & OperandOf;
type Found = ReadonlyMap<string, Filling>;

function matched(isa: Isa, pattern: Rule['pattern'], parts: readonly Part[]): Found | undefined {
  if (pattern.length !== parts.length) return undefined;
  const found = new Map<string, Filling>();
  const fits = pattern.every((one, i) => {
    const part = parts[i];
    if (typeof one === 'string') return part.text.toUpperCase() === one;
    if (/^-?\d/.test(part.text) !== (one.operand === 'number') || !/^[\w-]/.test(part.text))
      return false;
    if (isa.numbered.length > 0 && !isCalledSo(isa, one.operand, part.text)) return false;
    if (one.below !== undefined && Number(part.text) >= one.below) return false;
    const text = nameIn(isa, part.text);
    const before = found.get(one.name);
    found.set(one.name, { ...part, ...one, text });
    return before === undefined || before.text === text;
  });
  return fits ? found : undefined;
}

/** Has an operand the name of a register where it is one, and another one where it is a place? */
function isCalledSo({ numbered }: Isa, operand: Operand, text: string): boolean {
  const isRegister = text.startsWith('_') || numbered.includes(text.replace(/\d+$/, ''));
  if (operand === 'place') return !isRegister;
  return operand === 'number' || operand === 'label' || isRegister;
}
