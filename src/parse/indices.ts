import type { Report, Span } from './diagnostics/index.js';
import { DEPTH, TOO_DEEP } from './depth.js';
import type { Token } from './tokens.js';
import { spanning } from './tokens.js';

/** What was read from a list of tokens, and where reading goes on. */
export interface Read<T> {
  /** Undefined if there is a mistake, which has been reported. */
  readonly value: T | undefined;
  /** The index of the token after it; if there is a mistake, of the token at fault. */
  readonly next: number;
}

/** A range of indices. Both of its ends belong to it. */
export interface IndexRange {
  readonly from: number;
  readonly to: number;
}

/** The most members of a family: programs with more threads or nodes are beyond any solver. */
const MEMBERS = 64;

/**
 * Reads an expression over integers with `+ - * / %` and parentheses, with C's precedences; division truncates
 * towards zero.
 *
 * @param what the result is called in messages: `an index`
 */
export function readIndex(
  tokens: readonly Token[],
  start: number,
  what: string,
  report: Report,
): Read<number> {
  const reader = new IndexReader(tokens, start, what, report);
  const value = reader.sum(0);
  return { value: reader.failed ? undefined : value, next: reader.next };
}

/** Reads `a..b`. With `single`, it also takes `a`, for `a..a`. */
export function readRange(
  tokens: readonly Token[],
  start: number,
  report: Report,
  single: boolean,
): Read<IndexRange> {
  const from = readIndex(tokens, start, 'an index', report);
  if (from.value === undefined) return { value: undefined, next: from.next };
  const [dot, second] = [tokens[from.next], tokens[from.next + 1]];
  const isRange = dot?.type === 'dot' && second?.type === 'dot';
  if (!isRange && !single) {
    report((dot ?? tokens.at(-1)!).span, 'a range is needed here', 'a range is written 1..3');
    return { value: undefined, next: from.next };
  }
  const to = isRange ? readIndex(tokens, from.next + 2, 'an index', report) : from;
  const place = spanning(tokens[start], tokens[to.next - 1]);
  if (to.value === undefined) return { value: undefined, next: to.next };
  const range = { from: from.value, to: to.value };
  return { value: checked(range, place, report) ? range : undefined, next: to.next };
}

function checked({ from, to }: IndexRange, span: Span, report: Report): boolean {
  const members = to - from + 1;
  if (from < 0) report(span, 'an index is 0 or more');
  else if (members < 1) report(span, `the range ${from}..${to} is empty`, `write ${to}..${from}`);
  else if (members > MEMBERS) {
    report(span, `a family has at most ${MEMBERS} members, not ${members}`);
  } else return true;
  return false;
}

/** Reads one expression. After the first mistake (`failed`), its results mean nothing. */
class IndexReader {
  failed = false;

  constructor(
    private readonly tokens: readonly Token[],
    public next: number,
    private readonly what: string,
    private readonly report: Report,
  ) {}

  sum(depth: number): number {
    let value = this.product(depth);
    for (let sign = this.sign('plus', 'minus'); sign !== undefined;) {
      const right = this.product(depth);
      value = this.exact(sign, sign.type === 'plus' ? value + right : value - right);
      sign = this.sign('plus', 'minus');
    }
    return value;
  }

  private product(depth: number): number {
    let value = this.signed(depth);
    for (let sign = this.sign('times', 'div', 'mod'); sign !== undefined;) {
      const right = this.signed(depth);
      if (sign.type !== 'times' && right === 0) {
        this.fail(sign.span, `division by zero in ${this.what}`);
      }
      value = this.exact(sign, multiplied(sign, value, right));
      sign = this.sign('times', 'div', 'mod');
    }
    return value;
  }

  private signed(depth: number): number {
    let factor = 1;
    while (this.sign('minus') !== undefined) factor = -factor;
    return factor * this.atom(depth) + 0;
  }

  private atom(depth: number): number {
    const token = this.tokens[this.next];
    if (token?.type === 'int') {
      this.next += 1;
      return this.exact(token, Number(token.value));
    }
    if (token?.type === 'lparen' && depth < DEPTH) {
      this.next += 1;
      const value = this.sum(depth + 1);
      if (this.sign('rparen') === undefined) this.unexpected();
      return value;
    }
    if (token?.type === 'lparen') this.fail(token.span, TOO_DEEP);
    else if (token?.type === 'ident') {
      const known = 'it is known before anything runs';
      this.fail(token.span, `${this.what} is a number or the index of a family: ${known}`);
    } else this.unexpected();
    return 0;
  }

  /** The next token, if it has one of these types; reading goes on after it. */
  private sign(...types: readonly string[]): Token | undefined {
    const token = this.tokens[this.next];
    if (this.failed || !types.includes(token?.type)) return undefined;
    this.next += 1;
    return token;
  }

  private exact({ span }: Token, value: number): number {
    if (!Number.isSafeInteger(value)) this.fail(span, 'this number is too large');
    return value;
  }

  private unexpected(): void {
    const { span } = this.tokens[this.next] ?? this.tokens[this.tokens.length - 1];
    this.fail(span, `${this.what} is a number, or is computed from numbers by + - * / %`);
  }

  private fail(span: Span, message: string): void {
    if (!this.failed) this.report(span, message);
    this.failed = true;
  }
}

function multiplied({ type }: Token, a: number, b: number): number {
  if (type === 'times') return a * b;
  return type === 'div' ? Math.trunc(a / b) : a % b;
}
