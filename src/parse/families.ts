import type { Diagnostic, Mistake, Report } from './diagnostics/index.js';
import { didYouMean, nearest, withHints } from './diagnostics/index.js';
import { writeOutItems } from './family-items.js';
import { readIndex, readRange } from './indices.js';
import type { IndexRange } from './indices.js';
import { ITEM_STARTS } from './litmus-lexer.js';
import { verbHint } from './litmus-verbs.js';
import { spanning } from './tokens.js';
import type { Token } from './tokens.js';

/**
 * Writes out the families of locations, nodes and threads of a file before it is parsed: `cell[0..1] = 0` becomes
 * `cell_0 = 0; cell_1 = 0`, and `threads T[i in 1..2] on i { … }` becomes two threads, T1 and T2. So no later stage has
 * to know of families. Each token keeps the span of the text that it comes from, so that messages point there.
 *
 * @returns the tokens without families, and the mistakes in families. A file without families keeps its very tokens.
 *   Time and memory are linear in the result, which has a limit (`ROOM`).
 */
export function writeOutFamilies(tokens: readonly Token[]): {
  readonly tokens: readonly Token[];
  readonly errors: readonly Diagnostic[];
} {
  const errors: Mistake[] = [];
  const report: Report = (span, message, hint) => errors.push({ span, message, hint });
  const room = { left: ROOM };
  const items = writeOutItems(tokens, room, report);
  const sound = errors.length === 0;
  const declared = writeOutLocations(items.tokens, sound, room, report);
  // If a declaration is wrong, it is not known which members there are, and so no use of one is reported.
  const families = errors.length === 0 ? declared.families : undefined;
  const named = new MemberNames(declared.tokens, families, items.threads, report);
  return { tokens: writeOutThreads(named.replaced(), items.threads), errors: withHints(errors) };
}

/**
 * Writes out families of threads in lists of threads: `symmetric T` becomes `symmetric T1, T2`. The other lists are
 * those of `exclusive c of T`, and of a role in an object, `(party T)`.
 */
function writeOutThreads(
  tokens: readonly Token[],
  threads: ReadonlyMap<string, IndexRange>,
): readonly Token[] {
  if (threads.size === 0) return tokens;
  let [listed, inObject] = [false, false];
  return tokens.flatMap((token, i) => {
    const before = tokens[i - 1]?.type;
    if (ITEM_STARTS.has(token.type)) inObject = token.type === 'object';
    const isRole = inObject && ['lparen', 'semi'].includes(tokens[i - 2]?.type);
    listed =
      isRole ||
      LISTS.includes(before) ||
      (listed && (token.type === 'comma' || before === 'comma'));
    const range = listed && token.type === 'ident' ? threads.get(token.value) : undefined;
    if (range === undefined || isDeclared(tokens, token.value)) return [token];
    const { span } = token;
    const written: Token[] = [];
    for (let k = range.from; k <= range.to; k++) {
      if (k > range.from) written.push({ type: 'comma', value: ',', span });
      written.push({ type: 'ident', value: `${token.value}${k}`, span });
    }
    return written;
  });
}

/** Tokens after which a list of threads begins. */
const LISTS = ['kw_symmetric', 'kw_of'];

/** Is there a single thread of this name? Then the name means this thread, and not the family. */
const isDeclared = (tokens: readonly Token[], name: string): boolean =>
  tokens.some(({ value }, i) => value === name && tokens[i - 1]?.type === 'kw_thread');

/** At most so many tokens are added to a file: a hundred times those of a large program. */
const ROOM = 200_000;

/** The indices of each family of locations. */
type Families = ReadonlyMap<string, ReadonlySet<number>>;

/**
 * Writes out the families of locations that nodes declare, and the families of objects.
 *
 * @param sound whether families of nodes had no mistake. Otherwise members that are declared twice may come from that
 *   mistake, and are not reported
 */
function writeOutLocations(
  tokens: readonly Token[],
  sound: boolean,
  room: { left: number },
  report: Report,
): { readonly tokens: readonly Token[]; readonly families: Families } {
  const families = new Map<string, Set<number>>();
  const written: Token[] = [];
  let [inNode, inObject] = [false, false];
  for (let i = 0; i < tokens.length; i++) {
    const [before, name, bracket] = [tokens[i - 1], tokens[i], tokens[i + 1]];
    if (ITEM_STARTS.has(name.type)) inNode = name.type === 'kw_node';
    if (name.type === 'rbrace') inNode = false;
    if (ITEM_STARTS.has(name.type)) inObject = name.type === 'object';
    if (name.type === 'lparen') inObject = false;
    const isObject = inObject && (before?.type === 'object' || before?.type === 'comma');
    const begins = inNode && (before?.type === 'lbrace' || before?.type === 'semi');
    written.push(name);
    if (!(begins || isObject) || name.type !== 'ident' || bracket?.type !== 'lbracket') continue;

    const { value: range, next } = readRange(tokens, i + 2, report, true);
    const close = closing(tokens, next, range !== undefined, report);
    const end = isObject ? close : endOfLocation(tokens, close);
    const rest = tokens.slice(close, end);
    const whole = { ...name, span: spanning(name, tokens[close - 1]) };
    written.pop();
    const count = range === undefined ? 1 : range.to - range.from + 1;
    room.left -= (count - 1) * (rest.length + 2);
    if (room.left < 0) report(whole.span, TOO_LONG);
    const { from, to } = range === undefined || room.left < 0 ? { from: 0, to: 0 } : range;
    if (range !== undefined) declare(families, whole, range, sound ? report : () => {});
    for (let k = from; k <= to; k++) {
      const [type, value] = isObject ? ['comma', ','] : ['semi', ';'];
      if (k > from) written.push({ type, value, span: whole.span });
      written.push(member(whole, k));
      for (const token of rest) written.push(token);
    }
    i = end - 1;
  }
  return { tokens: written, families };
}

const TOO_LONG = 'what families stand for in this file is too long';

function declare(
  families: Map<string, Set<number>>,
  { value: name, span }: Token,
  { from, to }: IndexRange,
  report: Report,
): void {
  const indices = families.get(name) ?? new Set();
  families.set(name, indices);
  const twice = [];
  for (let k = from; k <= to; k++) {
    if (indices.has(k)) twice.push(k);
    indices.add(k);
  }
  if (twice.length > 0) report(span, `${name}[${twice[0]}] is declared twice`);
}

/** The index at which a declaration ends: that of `;` or `}`, or of the next item if it breaks off. */
function endOfLocation(tokens: readonly Token[], start: number): number {
  let end = start;
  while (end < tokens.length && !ENDS.includes(tokens[end].type)) {
    if (ITEM_STARTS.has(tokens[end].type)) break;
    end++;
  }
  return end;
}

const ENDS = ['semi', 'rbrace', 'lbrace'];

/**
 * The index of the token after the `]` that closes the index of a member. A family has one index: further ones are
 * reported and skipped.
 *
 * @param next where the parser has stopped reading the index
 * @param good whether nothing has been reported about it yet
 */
function closing(tokens: readonly Token[], next: number, good: boolean, report: Report): number {
  const closed = endOfIndex(tokens, next);
  if (good && closed !== next + 1) {
    report((tokens[next] ?? tokens.at(-1)!).span, "']' is missing behind an index");
  }
  if (closed === undefined || tokens[closed]?.type !== 'lbracket') return closed ?? next;
  let end = closed;
  while (tokens[end]?.type === 'lbracket') end = endOfIndex(tokens, end + 1) ?? end + 1;
  const span = spanning(tokens[closed], tokens[end - 1]);
  report(span, 'a family has one index', 'compute one index from two, as in c[2 * 1 + 0]');
  return end;
}

/** How many tokens are searched for the end of something that is wrong. Without a limit, the time could be quadratic. */
const FAR = 100;

/** The index of the token after the next `]`, if that is in the same instruction or declaration. */
function endOfIndex(tokens: readonly Token[], start: number): number | undefined {
  for (let i = start; i < Math.min(tokens.length, start + FAR); i++) {
    const { type } = tokens[i];
    if (type === 'rbracket') return i + 1;
    if (ENDS.includes(type) || ITEM_STARTS.has(type)) return undefined;
  }
  return undefined;
}

const member = (name: Token, index: number): Token => ({
  ...name,
  value: `${name.value}_${index}`,
});

/** At most so many indices are listed in a message. */
const LISTED = 6;

/** `its indices are 0 to 3` */
function indicesOf(sorted: readonly number[]): string {
  const [first, last] = [sorted[0], sorted[sorted.length - 1]];
  if (sorted.length === 1) return `its one index is ${first}`;
  if (last - first + 1 === sorted.length) return `its indices are ${first} to ${last}`;
  const more = sorted.length > LISTED ? ', …' : '';
  return `its indices are ${sorted.slice(0, LISTED).join(', ')}${more}`;
}

/** Tokens after which a name never is that of a location. */
const BEFORE_OTHERS = [
  ...['caret', 'dot', 'assignWork', 'kw_on', 'kw_node', 'kw_thread', 'arrow'],
  ...['kw_expect', 'kw_computed'],
];

/** Tokens before which a name never is that of a location. */
const AFTER_OTHERS = ['lparen', 'colon', 'at', 'dot'];

/** Tokens with which queries begin, and lists of what they ask about. */
const QUERIES = ['kw_exists', 'notExists', 'kw_forall', 'kw_never', 'kw_filter', 'kw_locations'];

/** What stands before and behind an instruction. */
const STATEMENT_BEGINS: readonly unknown[] = ['semi', 'lbrace', 'rbrace', 'bar'];
const STATEMENT_ENDS: readonly unknown[] = ['semi', 'rbrace', 'bar'];

/** Tokens after which a brace opens a set of nodes. */
const BEFORE_SET = ['lparen', 'comma', 'setminus'];

const NO_OBJECT = 'a family is declared by a node, x[0..3] = 0, and an object by its library, sv x';

/** Replaces `cell[1]` by the name of the member, and a computed node, `(1 + 1)`, by its number. */
class MemberNames {
  private readonly written: Token[] = [];
  /** Names of nodes and work identifiers. In calls they stand where locations do, but are no locations. */
  private readonly others = new Set<string>();
  private readonly objects = new Set<string>();
  /** Whether `x[2]` may name the copy of an object here. */
  private inQuery = false;
  private readonly sorted = new Map<string, readonly number[]>();

  constructor(
    private readonly tokens: readonly Token[],
    /** Undefined if their declarations have mistakes. */
    private readonly families: Families | undefined,
    private readonly threads: ReadonlyMap<string, IndexRange>,
    private readonly report: Report,
  ) {
    let inObject = false;
    tokens.forEach(({ type, value }, i) => {
      const next = tokens[i + 1];
      if (ITEM_STARTS.has(type)) inObject = type === 'object';
      if (type === 'lparen') inObject = false;
      if (inObject && type === 'ident') this.objects.add(value);
      if ((type === 'kw_node' || type === 'assignWork') && next) this.others.add(next.value);
    });
  }

  replaced(): readonly Token[] {
    for (let i = 0; i < this.tokens.length;) i = this.replace(i);
    return this.written;
  }

  /** Writes what begins at an index, and returns the index after it. */
  private replace(i: number): number {
    const { type } = this.tokens[i];
    const next = this.tokens[i + 1]?.type;
    if (ITEM_STARTS.has(type)) this.inQuery = QUERIES.includes(type);
    if (type === 'ident' && next === 'lbracket' && this.isObject(i)) return this.copy(i);
    if (type === 'lbrace' && BEFORE_SET.includes(this.tokens[i - 1]?.type)) return this.nodes(i);
    if ((type === 'caret' || type === 'kw_on') && next === 'lparen') return this.node(i);
    if (type === 'ident' && next === 'lbracket' && this.isIndexed(i)) return this.indexed(i);
    if (type === 'ident' && this.families?.has(this.tokens[i].value)) this.checkBare(i);
    this.written.push(this.tokens[i]);
    return i + 1;
  }

  /** `^(1 + 1)`, and `on (1 + 1)` */
  private node(i: number): number {
    const open = this.tokens[i + 1];
    const { value, next } = readIndex(this.tokens, i + 2, 'a node in parentheses', this.report);
    const close = this.tokens[next];
    const closed = close?.type === 'rparen';
    if (value !== undefined && !closed) {
      this.report((close ?? open).span, "')' is missing behind a node");
    }
    const end = closed ? next + 1 : Math.max(next, i + 2);
    const span = spanning(open, this.tokens[end - 1]);
    this.written.push(this.tokens[i], { type: 'int', value: String(value ?? 0), span });
    return closed || value !== undefined ? end : this.behindParenthesis(end);
  }

  private isObject(i: number): boolean {
    const { value } = this.tokens[i];
    return this.objects.has(value) && this.families?.has(value) !== true && this.isIndexed(i);
  }

  /** `x[2]`, the copy of an object on a node */
  private copy(i: number): number {
    const [name, bracket] = this.tokens.slice(i, i + 2);
    this.written.push(name);
    if (this.inQuery) {
      this.written.push({ ...bracket, type: 'lindex' });
      return i + 2;
    }
    const end = endOfIndex(this.tokens, i + 2) ?? i + 2;
    const hint = 'a thread asks for its own copy by a call of the library';
    this.report(spanning(name, this.tokens[end - 1]), 'copies are named in conditions only', hint);
    return end;
  }

  /** A set of nodes, whose members may be computed: `{i % 3 + 1}`. */
  private nodes(i: number): number {
    this.written.push(this.tokens[i]);
    let at = i + 1;
    while (['int', 'lparen', 'minus'].includes(this.tokens[at]?.type)) {
      const { value, next } = readIndex(this.tokens, at, 'a node', this.report);
      if (value === undefined) break;
      const span = spanning(this.tokens[at], this.tokens[next - 1]);
      this.written.push({ type: 'int', value: String(value), span });
      at = next;
      if (this.tokens[at]?.type === 'comma') this.written.push(this.tokens[at++]);
    }
    return at;
  }

  /** The index after the `)` that closes the parenthesis open at an index. */
  private behindParenthesis(start: number): number {
    let depth = 1;
    for (let i = start; i < Math.min(this.tokens.length, start + FAR); i++) {
      const { type } = this.tokens[i];
      if (ENDS.includes(type) || ITEM_STARTS.has(type)) break;
      if (type === 'lparen') depth++;
      if (type === 'rparen' && --depth === 0) return i + 1;
    }
    return start;
  }

  /**
   * Is the bracket after a name an index? It is not if it holds a tag of a call, `send [inline][t] (2, x)`, `dmb [ld];`, or of a queue
   * pair, after `-> 2`. Nor if it holds the names of `locations [x; y]`: if that word is misspelt, the parser reports
   * it.
   */
  private isIndexed(i: number): boolean {
    const typeAt = (at: number): string | undefined => this.tokens[at]?.type;
    const inner = this.tokens[i + 2];
    let behind = i + 1;
    while (typeAt(behind) === 'lbracket' && typeAt(behind + 1) === 'ident') behind += 3;
    const isAlone =
      STATEMENT_BEGINS.includes(typeAt(i - 1)) && STATEMENT_ENDS.includes(typeAt(behind));
    const isCall = behind > i + 1 && (typeAt(behind) === 'lparen' || isAlone);
    const { value: name } = this.tokens[i];
    const isList =
      inner?.type === 'ident' &&
      this.families?.has(name) === false &&
      nearest(name, ['locations']) !== undefined;
    return !isCall && !isList && this.tokens[i - 1]?.type !== 'arrow';
  }

  /** `cell[1]` */
  private indexed(i: number): number {
    const name = this.tokens[i];
    const indices = this.families?.get(name.value);
    const unknown = this.families !== undefined && indices === undefined;
    const report: Report = unknown ? () => {} : this.report;
    const { value, next } = readIndex(this.tokens, i + 2, 'an index', report);
    const good = value !== undefined && !unknown;
    const end = closing(this.tokens, next, good, this.report);
    const whole = { ...name, span: spanning(name, this.tokens[end - 1]) };
    const flag = this.tokens[i + 2];
    const aboutFlag = unknown && flag?.type === 'ident' ? verbHint(flag.value) : undefined;
    if (aboutFlag !== undefined) {
      this.report(flag.span, aboutFlag.message, aboutFlag.hint);
    } else if (unknown) this.reportUnknown(name, value);
    else if (value !== undefined && indices?.has(value) === false) {
      this.report(
        whole.span,
        `${name.value} has no member ${value}`,
        indicesOf(this.indices(name.value)),
      );
    }
    this.written.push(member(whole, value ?? 0));
    return end;
  }

  private reportUnknown({ value: name, span }: Token, index: number | undefined): void {
    const range = this.threads.get(name);
    if (range !== undefined) {
      const hint = `write ${name}${index ?? range.from}`;
      return this.report(span, `'${name}' is a family of threads`, hint);
    }
    const hint = (): string | undefined =>
      didYouMean(name, this.families!.keys()) ??
      (this.inQuery && this.objects.size > 0 ? NO_OBJECT : `a node declares it: ${name}[0..3] = 0`);
    this.report(span, `no family '${name}' is declared`, hint);
  }

  /** Reports the name of a family that stands without an index where a location is needed. */
  private checkBare(i: number): void {
    const { value: name, span } = this.tokens[i];
    const [first, second, , after] = [-2, -1, 0, 1].map((d) => this.tokens[i + d]?.type ?? '');
    const isTag =
      second === 'lbracket' &&
      after === 'rbracket' &&
      ['int', 'ident', 'assign', 'rbracket'].includes(first);
    if (isTag || BEFORE_OTHERS.includes(second) || AFTER_OTHERS.includes(after)) return;
    if (this.others.has(name)) return;
    const [least] = this.indices(name);
    this.report(span, `'${name}' is a family of locations`, `did you mean ${name}[${least}]?`);
  }
  /** The indices of a family in ascending order. */
  private indices(name: string): readonly number[] {
    const known = this.sorted.get(name);
    if (known !== undefined) return known;
    const sorted = [...this.families!.get(name)!].sort((a, b) => a - b);
    this.sorted.set(name, sorted);
    return sorted;
  }
}
