import type { Report } from './diagnostics/index.js';
import { readRange } from './indices.js';
import type { IndexRange } from './indices.js';
import { ITEM_STARTS } from './litmus-lexer.js';
import { spanning } from './tokens.js';
import type { Token } from './tokens.js';

/** What the head of an item says: its indices, and how its copies differ. */
interface Head extends IndexRange {
  /** The name of the index. */
  readonly index: string;
  /** The first tokens of the copy for an index, such as `thread T2`. */
  readonly begin: (index: number) => readonly Token[];
  /** The index of the first token after these: from there on, copies differ in nothing but the number for the index. */
  readonly rest: number;
}

/**
 * Writes out families of nodes, `node n in 1..3 { … }`, and of threads, `threads T[i in 1..3] on … { … }`. In each
 * copy, a number replaces the index. A location that a family of nodes declares without an index gets the index of its
 * node. An item with a mistake in its head is reported and left out.
 *
 * @param room how many tokens may still be added; what is added is taken off
 * @returns the tokens, and the ranges of the families of threads
 */
export function writeOutItems(
  tokens: readonly Token[],
  room: { left: number },
  report: Report,
): { readonly tokens: readonly Token[]; readonly threads: ReadonlyMap<string, IndexRange> } {
  const threads = new Map<string, IndexRange>();
  const written: Token[] = [];
  for (let i = 0; i < tokens.length;) {
    const isNode = beginsNodes(tokens, i);
    if (!isNode && !beginsThreads(tokens, i)) {
      written.push(tokens[i++]);
      continue;
    }
    const head = isNode ? nodesHead(tokens, i, report) : threadsHead(tokens, i, report);
    if (head === undefined) {
      i = nextItem(tokens, i + 1);
      continue;
    }
    const { end, closed } = endOfBody(tokens, head.rest);
    const count = head.to - head.from + 1;
    room.left -= (count - 1) * (end - head.rest);
    if (room.left < 0) report(tokens[i].span, 'what families stand for in this file is too long');
    // An item that breaks off is written out just once: enough for the parser to report what is wrong.
    const last = closed && room.left >= 0 ? head.to : head.from;
    const rest = tokens.slice(head.rest, end);
    const body = isNode ? withIndices(rest, head.index, report) : rest;
    for (let k = head.from; k <= last; k++) {
      written.push(...head.begin(k));
      for (const token of replaced(body, head.index, k, report)) written.push(token);
    }
    if (!isNode) threads.set(tokens[i + 1].value, head);
    i = end;
  }
  return { tokens: written, threads };
}

const isWord = (token: Token | undefined, word: string): boolean =>
  token?.type === 'ident' && token.value === word;

/** `node n in` */
const beginsNodes = (tokens: readonly Token[], i: number): boolean =>
  tokens[i].type === 'kw_node' && tokens[i + 1]?.type === 'ident' && isWord(tokens[i + 2], 'in');

/** `threads T[`, or by mistake `thread T[` */
const beginsThreads = (tokens: readonly Token[], i: number): boolean =>
  (tokens[i].type === 'kw_thread' || isWord(tokens[i], 'threads')) &&
  tokens[i + 1]?.type === 'ident' &&
  tokens[i + 2]?.type === 'lbracket';

function nextItem(tokens: readonly Token[], start: number): number {
  let i = start;
  while (i < tokens.length && !ITEM_STARTS.has(tokens[i].type) && !beginsThreads(tokens, i)) i++;
  return i;
}

function nodesHead(tokens: readonly Token[], i: number, report: Report): Head | undefined {
  const { value: range, next } = readRange(tokens, i + 3, report, false);
  if (range === undefined) return undefined;
  const [keyword, index] = [tokens[i], tokens[i + 1]];
  const span = spanning(index, tokens[next - 1]);
  const begin = (k: number) => [keyword, { type: 'int', value: String(k), span }];
  return { ...range, index: index.value, begin, rest: next };
}

function threadsHead(tokens: readonly Token[], i: number, report: Report): Head | undefined {
  const [keyword, name, bracket, index, word] = tokens.slice(i, i + 5);
  const form = `write threads ${name.value}[i in 1..3] on …`;
  if (keyword.type === 'kw_thread') {
    report(keyword.span, 'several threads are declared by `threads`', form);
    return undefined;
  }
  if (index?.type !== 'ident' || !isWord(word, 'in')) {
    report((index ?? bracket).span, 'the index of a family of threads has a name', form);
    return undefined;
  }
  const { value: range, next } = readRange(tokens, i + 5, report, false);
  if (range === undefined) return undefined;
  const [close, on] = [tokens[next], tokens[next + 1]];
  if (close?.type !== 'rbracket') {
    report((close ?? tokens[next - 1]).span, "']' is missing behind an index", form);
    return undefined;
  }
  if (on?.type === 'lbracket') {
    report(on.span, 'a family has one index', form);
    return undefined;
  }
  const span = spanning(name, close);
  const begin = (k: number) => [
    { ...keyword, type: 'kw_thread' },
    { type: 'ident', value: `${name.value}${k}`, span },
  ];
  return { ...range, index: index.value, begin, rest: next + 1 };
}

/** The index after an item, whose body begins at `start` or later; `closed` is whether all of its braces are closed. */
function endOfBody(
  tokens: readonly Token[],
  start: number,
): { readonly end: number; readonly closed: boolean } {
  let depth = 0;
  for (let i = start; i < tokens.length; i++) {
    const { type } = tokens[i];
    if (ITEM_STARTS.has(type) || beginsThreads(tokens, i)) return { end: i, closed: false };
    if (type === 'lbrace') depth++;
    if (type === 'rbrace' && --depth <= 0) return { end: i + 1, closed: depth === 0 };
  }
  return { end: tokens.length, closed: false };
}

/** Tokens that end the first part of an index, before `..`, or that come after the index. */
const OUTSIDE = ['dot', 'rbracket', 'semi', 'lbrace', 'rbrace'];

/** The locations that a family of nodes declares. Those without an index get the index of the node. */
function withIndices(body: readonly Token[], index: string, report: Report): readonly Token[] {
  return body.flatMap((token, i) => {
    const before = body[i - 1]?.type;
    if (token.type !== 'ident' || (before !== 'lbrace' && before !== 'semi')) return [token];
    const { span } = token;
    const bracket = (type: string, value: string): Token => ({ type, value, span });
    if (body[i + 1]?.type !== 'lbracket') {
      const own = { type: 'ident', value: index, span };
      return [token, bracket('lbracket', '['), own, bracket('rbracket', ']')];
    }
    let end = i;
    while (end + 1 < body.length && !OUTSIDE.includes(body[end].type)) end++;
    if (body[end].type === 'dot') {
      const message = 'a family has one index: here it is that of the node';
      report(spanning(token, body[end]), message, `write ${token.value}[${index}]`);
    }
    return [token];
  });
}

/** Tokens beside which a name must stand, so that no number can replace the index there. */
const NAME_AFTER = ['assignWork', 'dot'];
const NAME_BEFORE = ['assign', 'assignWork', 'lparen', 'lbracket', 'caret'];

/** The tokens with a number for the index. */
function replaced(
  tokens: readonly Token[],
  index: string,
  value: number,
  report: Report,
): readonly Token[] {
  return tokens.map((token, i) => {
    // Later stages tell instructions apart by the identity of their spans, so each copy needs spans of its own.
    const copy = { ...token, span: { ...token.span } };
    if (!isWord(token, index)) return copy;
    const [before, after] = [tokens[i - 1]?.type, tokens[i + 1]?.type];
    if (!NAME_AFTER.includes(before) && !NAME_BEFORE.includes(after)) {
      return { ...copy, type: 'int', value: String(value) };
    }
    report(token.span, `'${index}' is the index of this family: a name is needed here`);
    return copy;
  });
}
