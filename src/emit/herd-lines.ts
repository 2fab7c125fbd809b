import type { Isa, Operand, Rule } from '../parse/isa.js';
import { BLANKS, nameIn } from '../parse/isa.js';
import { litmusLexer } from '../parse/litmus-lexer.js';
import type { Token } from '../parse/tokens.js';
import { tokenize } from '../parse/tokens.js';

/** What names of a litmus file are, where a line of assembly is made of it. */
export interface Naming {
  readonly isPlace: (name: string) => boolean;
  readonly isRegister: (name: string) => boolean;
  /** Is a register zero for sure? */
  readonly isZero: (name: string) => boolean;
  /** A register with the address of a place. */
  readonly addressOf: (place: string) => string;
}

/** A line, and whether it makes the register that it sets zero for sure. */
export interface Written {
  readonly line: string;
  readonly clears: boolean;
}

/**
 * An instruction of a litmus file as a line of assembly: a rule of the instruction set read backwards, the first that fits. Undefined if none does.
 *
 * @param text the instruction, or, with a label, the condition under which it does not jump there
 */
export function lineFor(
  isa: Isa,
  text: string,
  naming: Naming,
  label?: string,
): Written | undefined {
  const whole = label === undefined ? text : `goto ${label} unless ${text}`;
  const tokens = withSigns(tokenize(litmusLexer, { path: '', text: whole }, BLANKS));
  for (const rule of isa.written) {
    const found = matched(rule, tokens, naming, label);
    if (found === undefined) continue;
    const say = (word: string): string => {
      const value = found.get(word);
      if (value === undefined) return word;
      return operandsOf(rule).get(word) === 'address'
        ? nameIn(isa, naming.addressOf(value))
        : value;
    };
    const line = rule.text.replaceAll(/(?<!^)\b[A-Za-z_]\w*/g, say);
    const [, , left, minus, right] = tokens;
    const clears = tokens.length === 5 && minus.value === '-' && left.value === right.value;
    return { line, clears };
  }
  return undefined;
}

const operandsOf = ({ pattern }: Rule): ReadonlyMap<string, Operand> =>
  new Map(pattern.flatMap((one) => (typeof one === 'string' ? [] : [[one.name, one.operand]])));

/** What the names of a rule stand for, if what it means is this. */
function matched(
  rule: Rule,
  tokens: readonly Token[],
  naming: Naming,
  label: string | undefined,
): ReadonlyMap<string, string> | undefined {
  const template = withSigns(rule.template);
  if (template.length !== tokens.length) return undefined;
  const operands = operandsOf(rule);
  const found = new Map<string, string>();
  const fits = template.every(({ type, value }, i) => {
    const token = tokens[i];
    const operand = type === 'ident' ? operands.get(value) : undefined;
    if (operand === undefined) return token.type === type && token.value === value;
    const before = found.get(value);
    found.set(value, token.value);
    const isSame = before === undefined || before === token.value;
    return isSame && isOperand(operand, token, naming, label);
  });
  return fits && found.size === operands.size ? found : undefined;
}

function isOperand(
  operand: Operand,
  { type, value }: Token,
  { isPlace, isRegister, isZero }: Naming,
  label: string | undefined,
): boolean {
  switch (operand) {
    case 'place':
    case 'address':
      return isPlace(value);
    case 'register':
      return isRegister(value);
    case 'zero':
      return isRegister(value) && isZero(value);
    case 'number':
      return type === 'int';
    case 'label':
      return value === label;
    // What is written has its addresses from the start.
    case 'computed':
    case 'value':
      return false;
  }
}

/** Tokens in which a number has its sign. */
function withSigns(tokens: readonly Token[]): readonly Token[] {
  const made: Token[] = [];
  for (const token of tokens) {
    const [before, sign] = [made.at(-2), made.at(-1)];
    const isSign = sign?.type === 'minus' && !/^(?:int|ident|rparen)$/.test(before?.type ?? '');
    if (token.type === 'int' && isSign) made.splice(-1, 1, { ...token, value: `-${token.value}` });
    else made.push(token);
  }
  return made;
}
