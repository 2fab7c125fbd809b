import { branchesOf } from '../../src/parse/statements.js';
import type { NodeSet, Statement } from '../../src/parse/litmus-ast.js';
import type { Held, ImplementationFile, Method } from '../../src/parse/implementation-ast.js';

/** Statements of implementations as text: where each ends, what is in it, and which of them could change places. */

/** A statement of a body, with its place in the text of the file. */
export interface Placed {
  readonly statement: Statement;
  readonly start: number;
  readonly end: number;
}

/** A body with all its statements. */
export const placed = (body: readonly Statement[], text: string): readonly Placed[] =>
  body.map((statement) => ({
    statement,
    start: statement.span.start,
    end: endOf(statement, text),
  }));

/** The span of a statement with a body ends before the body. */
function endOf(s: Statement, text: string): number {
  if (branchesOf(s).length === 0) return s.span.end;
  const end = closing(text, text.indexOf('{', s.span.end));
  const otherwise = /^\s*else\s*\{/.exec(text.slice(end));
  return s.kind === 'if' && otherwise !== null ? closing(text, end + otherwise[0].length - 1) : end;
}

/** Behind the brace that closes the one at a place. */
function closing(text: string, open: number): number {
  let depth = 0;
  for (let i = open; i < text.length; i++) {
    if (text[i] === '{') depth += 1;
    if (text[i] === '}') depth -= 1;
    if (depth === 0) return i + 1;
  }
  throw new Error('a brace is not closed');
}

/** Sets of nodes that a statement is about: whom it broadcasts to, what it fences, what it goes through. Not those of one node. */
export function setsOf(s: Statement, { parameters }: Method): readonly NodeSet[] {
  /** What has a name may be a set of threads, but not where the caller gives it. */
  const isSeveral = (set: NodeSet): boolean =>
    ['all', 'nodesOf', 'difference'].includes(set.kind) ||
    (set.kind === 'named' && parameters.some(({ text }) => text === set.name.text));
  const sets =
    s.kind === 'call'
      ? (s.arguments ?? []).flatMap((one) => (one.kind === 'nodes' ? [one.set] : []))
      : s.kind === 'for' && s.over.kind !== 'range'
        ? [s.over]
        : [];
  return sets.filter(isSeveral);
}

/** The names of all that an implementation keeps in memory. */
export function heldNames({ perObject, once }: ImplementationFile): ReadonlySet<string> {
  const names = (held: Held): readonly string[] => {
    if (held.kind === 'for') return held.body.flatMap(names);
    const all = held.kind === 'objects' ? held.names : held.locations.map(({ name }) => name);
    return all.map(({ name }) => name.text);
  };
  return new Set([...perObject.flatMap(({ held }) => held), ...once].flatMap(names));
}

/**
 * Whether two neighbours do the same in either order because one of them only computes names of the call, or assumes something of
 * them: neither sets what the other reads or sets.
 */
export const commute = (a: string, b: string, held: ReadonlySet<string>): boolean =>
  isApart(a, b) && isApart(b, a) && (isAside(a, b, held) || isAside(b, a, held));

/** Whether a statement is about names of its call alone, and changes nothing where the other one returns. */
const isAside = (text: string, other: string, held: ReadonlySet<string>): boolean =>
  !/[.^]|\b(?:return|while|wait|CAS|faa|xchg)\b/.test(text) &&
  ![...wordsOf(text)].some((word) => held.has(word)) &&
  !(/\bassume\b/.test(text) && /\breturn\b/.test(other));

const isApart = (a: string, b: string): boolean =>
  [...b.matchAll(/(\w+)(?:\[[^\]]*\])?(?:\^\w+)? :=/g)].every(([, set]) => !wordsOf(a).has(set));

const wordsOf = (text: string): ReadonlySet<string> => new Set(text.match(/[A-Za-z_]\w*/g));
