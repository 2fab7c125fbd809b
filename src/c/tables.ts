import type { Diagnostic, SourceFile } from '../parse/diagnostics/index.js';
import { didYouMean } from '../parse/diagnostics/index.js';
import { once } from '../parse/once.js';
import type { Piece } from './pieces.js';
import { expressionOf, matching, split } from './pieces.js';
import type { CNode } from './tree.js';
import { partOf, partsOf } from './tree.js';

/**
 * Lines that say what a function does whose body is not in the file: `call my_put(c, from, to, n) = put(from, to, n) on c->qp`. They are
 * in heads, and in the tables of interfaces (models/api).
 */
export interface CallLine {
  /** The call, as it is written. */
  readonly call: Piece;
  /** The names of the function; one for each choice in braces. */
  readonly names: readonly string[];
  /** The call, as it is matched; undefined: it is none of C. Most lines of a table are never asked. */
  readonly pattern: () => Pattern | undefined;
  readonly operations: readonly Operation[];
  /** For which reading of the interface it is, if it is not for both. */
  readonly reading?: string;
}

interface Pattern {
  readonly call: CNode;
  readonly parameters: ReadonlySet<string>;
}

/** `put(src, dst, 8) on qp` */
export interface Operation {
  readonly name: string;
  readonly operands: readonly string[];
  readonly on?: string;
  /** The request that it is about. */
  readonly of?: string;
  /** What names the request in its completion. */
  readonly as?: string;
  /** The structure that says which request a completion is of. */
  readonly into?: string;
  /** The value where a poll finds nothing. */
  readonly otherwise?: string;
  /** It is done if this holds. */
  readonly condition?: string;
  readonly piece: Piece;
}

/** How many operands each operation has, at least and at most. */
const OPERATIONS: ReadonlyMap<string, readonly [least: number, most: number]> = new Map([
  ['put', [2, 3]],
  ['inline put', [2, 3]],
  ['inject', [2, 3]],
  ['unsignalled put', [2, 3]],
  ['get', [2, 3]],
  ['rcas', [4, 4]],
  ['rfaa', [3, 3]],
  ['rxchg', [3, 3]],
  ['fence', [0, 0]],
  ['flush', [0, 0]],
  ['poll', [0, 0]],
  ['poll all', [0, 0]],
  ['poll count', [1, 1]],
  ['take', [0, 0]],
  ['mfence', [0, 0]],
  ['read', [1, 1]],
  ['write', [2, 2]],
  ['spin', [3, 3]],
  ['acquire spin', [3, 3]],
  ['test', [3, 3]],
  ['acquire test', [3, 3]],
  ['assume', [1, 1]],
  ['value', [1, 1]],
  ['nothing', [0, 0]],
  ['error', [0, 0]],
  ['refuse', [0, 0]],
]);

/** A table of an interface, or the lines of a head. */
export interface Table {
  readonly lines: readonly CallLine[];
  readonly constants: ReadonlyMap<string, number>;
  readonly errors: readonly Diagnostic[];
}

/**
 * Reads the lines `call …`, `await …`, `constant …` and `names …` of a text: after `names word = a, b`, `{word}` is `{a,b}`. Other lines are left alone; `[contract]` before one is a reading.
 * `isKnown`: its calls are calls of C, and need not be parsed to know it.
 */
export function tableOf(source: SourceFile, isKnown = false): Table {
  const lines: CallLine[] = [];
  const constants = new Map<string, number>();
  const named = new Map<string, string>();
  const errors: Diagnostic[] = [];
  for (const statement of statementsIn(source.text).flatMap(bothWays)) {
    const [, group, members] = /^names\s+(\w+)\s*=\s*(.*)$/.exec(statement.text) ?? [];
    if (group !== undefined) {
      named.set(group, members.replaceAll(' ', ''));
      continue;
    }
    const constant = /^constant\s+(\w+)\s*=\s*(-?\d+)$/.exec(statement.text);
    if (constant !== null) {
      constants.set(constant[1], Number(constant[2]));
      continue;
    }
    const { line, mistake: wrong, at = statement } = lineOf(statement, named);
    if (line !== undefined) lines.push(line);
    const isCall = isKnown || line === undefined || line.pattern() !== undefined;
    const mistake = isCall ? wrong : 'this is no call of C';
    if (mistake === undefined) continue;
    const span = { file: source.path, start: at.start, end: at.start + at.text.length };
    const name = at === statement ? undefined : nameIn(at.text);
    const meant = name === undefined ? undefined : didYouMean(name, OPERATIONS.keys());
    errors.push({ span, message: mistake, hint: meant ?? HINT });
  }
  return { lines, constants, errors };
}

const HINT = 'call my_put(q, from, to) = put(from, to) on q, poll on q';

/** Statements begin a line, and go on in lines that are indented further. */
export function statementsIn(text: string): readonly Piece[] {
  const pattern =
    /^([ \t]*)((?:\[\w+\][ \t]*)?(?:call|await|constant|names)\b.*(?:\n\1[ \t]+\S.*)*)/gm;
  return [...text.matchAll(pattern)].map(({ 1: indent, 2: found, index }) => ({
    text: found.replace(/\s*(#.*)?$/, ''),
    start: index + indent.length,
  }));
}

/** `f_<ctx_>g(<ctx, >a)` is `f_g(a)` and `f_ctx_g(ctx, a)`. */
function bothWays({ text, start }: Piece): readonly Piece[] {
  const optional = /<([\w, ]+)>/g;
  const [without, all] = ['', '$1'].map((by) => text.replaceAll(optional, by));
  return (without === all ? [all] : [without, all]).map((one) => ({ text: one, start }));
}

function lineOf(
  { text, start }: Piece,
  named: ReadonlyMap<string, string>,
): {
  readonly line?: CallLine;
  readonly mistake?: string;
  /** The operation that the mistake is in. */
  readonly at?: Piece;
} {
  const [, reading, head] = /^(?:\[(\w+)\]\s*)?(?:call|await)\s+(.*)$/s.exec(text) ?? [];
  const open = head?.search(/[\w>\].}]\s*\(/) ?? -1;
  if (open < 0) return { mistake: 'this is no call with its parameters' };
  const from = text.indexOf(head);
  const close = matching(head, head.indexOf('(', open));
  const called = head.slice(0, close + 1);
  const rest = /^\s*=\s*/.exec(head.slice(close + 1));
  if (rest === null) return { mistake: 'what this call does stands behind =' };
  const name = called.slice(0, called.indexOf('(', open)).trim();
  const grouped = name.replaceAll(
    /\{(\w+)\}/g,
    (_, group: string) => `{${named.get(group) ?? group}}`,
  );
  const names = [...new Set(alternatives(grouped))];
  const at = from + close + 1 + rest[0].length;
  const operations: Operation[] = [];
  for (const piece of split(text, at, text.length, ',')) {
    const spaces = piece.text.length - piece.text.trimStart().length;
    const one = { text: piece.text.trim(), start: start + piece.start + spaces };
    const operation = operationOf(one);
    if (typeof operation === 'string') return { mistake: operation, at: one };
    operations.push(operation);
  }
  const pattern = once(() => patternOf(names[0] + called.slice(called.indexOf('(', open))));
  return {
    line: {
      call: { text: called, start: start + from },
      names,
      pattern,
      operations,
      ...(reading !== undefined && { reading }),
    },
  };
}

function patternOf(text: string): Pattern | undefined {
  const written = expressionOf(text);
  // It is in parentheses there.
  const call = written && partsOf(written)[0];
  if (call?.type !== 'call_expression') return undefined;
  const isName = (one: CNode): boolean =>
    one.type === 'identifier' && !/^[A-Z\d_]+$/.test(one.text);
  const given = partsOf(partOf(call, 'arguments')).filter(isName);
  return { call, parameters: new Set(given.map((one) => one.text)) };
}

/** `a_{x,y}` is `a_x` and `a_y`. */
function alternatives(name: string): readonly string[] {
  const found = /^(.*?)\{([^{}]*)\}(.*)$/s.exec(name);
  if (found === null) return [name];
  const [, before, choices, after] = found;
  return choices.split(',').flatMap((one) => alternatives(before + one.trim() + after));
}

const OPERATION = /^([a-z]+(?:\s+(?:put|all|count|spin|test))?)\s*(.*)$/s;

/** The name of an operation. */
const nameIn = (text: string): string | undefined =>
  OPERATION.exec(text)?.[1].replaceAll(/\s+/g, ' ');

/** An operation, or what is wrong with it. */
function operationOf(piece: Piece): Operation | string {
  const found = OPERATION.exec(piece.text);
  const name = nameIn(piece.text) ?? piece.text;
  const counts = OPERATIONS.get(name);
  if (found === null || counts === undefined) {
    return `there is no operation ${name}: there are ${[...OPERATIONS.keys()].join(', ')}`;
  }
  let rest = found[2];
  let operands: readonly string[] = [];
  if (name === 'value') {
    const [, value, condition = ''] = /^(.*?)(\sif\s.*)?$/s.exec(rest)!;
    [operands, rest] = [[value], condition];
  } else if (rest.startsWith('(')) {
    const close = matching(rest, 0);
    operands = split(rest, 1, close, ',').map(({ text }) => text.trim());
    rest = rest.slice(close + 1);
  }
  if (operands.length < counts[0] || operands.length > counts[1]) {
    return `${name} has ${counts[0]} operands, and here ${operands.length}`;
  }
  const more =
    /^\s*(?:on\s+(.*?)|of\s+(.*?))?(?:\s*\bas\s+(.*?))?(?:\s*\binto\s+(.*?))?(?:\s*\belse\s+(.*?))?(?:\s*\bif\s+(.*))?$/s.exec(
      rest,
    );
  if (more === null) return `this is not understood behind ${name}: ${rest.trim()}`;
  const [, on, of, as, into, otherwise, condition] = more;
  return {
    ...{ name, operands, piece },
    ...(on !== undefined && { on }),
    ...(of !== undefined && { of }),
    ...(as !== undefined && { as }),
    ...(into !== undefined && { into }),
    ...(otherwise !== undefined && { otherwise }),
    ...(condition !== undefined && { condition }),
  };
}

/** The arguments of a call by the parameters of a line, if the line is about it. */
export function matched(line: CallLine, call: CNode): ReadonlyMap<string, CNode> | undefined {
  const called = partOf(call, 'function');
  const isNamed = line.names.includes(called.text);
  // The names of functions are compared as texts; other expressions by their parts.
  if (!isNamed && (line.names.length > 1 || /^\w+$/.test(line.names[0]))) return undefined;
  const pattern = line.pattern();
  if (pattern === undefined) return undefined;
  const given = new Map<string, CNode>();
  const isAlike = (expected: CNode, one: CNode): boolean => {
    if (expected.type === 'identifier' && pattern.parameters.has(expected.text)) {
      const before = given.get(expected.text);
      given.set(expected.text, before ?? one);
      return before === undefined || before.text === one.text;
    }
    const [parts, others] = [expected, one].map(({ children }) =>
      children.filter((child): child is CNode => child !== null && child.type !== 'comment'),
    );
    if (parts.length === 0 || others.length === 0) return expected.text === one.text;
    return parts.length === others.length && parts.every((part, i) => isAlike(part, others[i]));
  };
  if (!isNamed && !isAlike(partOf(pattern.call, 'function'), called)) return undefined;
  const [expected, others] = [pattern.call, call].map((one) => partsOf(partOf(one, 'arguments')));
  // More arguments than the line has matter to nobody.
  if (others.length < expected.length) return undefined;
  return expected.every((one, i) => isAlike(one, others[i])) ? given : undefined;
}
