import type { Body, CellOf, Operation, Parameter, ValueOf } from './set.js';
import { PLACES } from './set.js';
import { mapLeaves } from '../../parse/fold.js';

/**
 * An operation over several words: `[h, f]^2 := [u, v]`. What its events do to its places is done for each word, and none of the
 * words comes before another unless they are `inOrder`; the other events are there once. Undefined for operations that have no such form: those with several
 * ways to go, and those whose events at the places are not next to each other.
 *
 * Parameters: that of the first word, those of the other words, and then the places that these write; `into` is the first word's.
 */
export function overWords(
  operation: Operation,
  words: number,
  inOrder = false,
): Operation | undefined {
  const { parameters, into, alternatives } = operation;
  // How several words fail, nothing says: `reportFailingWords` refuses calls that may.
  const ways = alternatives.filter(({ tags }) => tags === undefined);
  if (parameters.length !== 1 || into === undefined || ways.length !== 1) return undefined;
  const [source] = parameters;
  if (![source, into].every(({ kind }) => PLACES.includes(kind) || kind === 'value'))
    return undefined;
  const [way] = ways;
  const { body } = way;
  const parts = body.kind === 'then' ? body.parts : [body];
  const isOfWord = (part: Body): boolean => isAbout(part, source.name, into.name);
  const [first, last] = [parts.findIndex(isOfWord), parts.findLastIndex(isOfWord)];
  const group = parts.slice(first, last + 1);
  if (first < 0 || !group.every(isOfWord)) return undefined;
  const rest = Array.from({ length: words - 1 }, (_, i) => i + 2);
  const nth = (one: Parameter, i: number): Parameter => ({ ...one, name: nameOf(one.name, i) });
  const copies = [1, ...rest].map((i): Body => ({
    kind: 'then',
    parts: group.map((part) => renamed(part, i)),
  }));
  return {
    ...operation,
    parameters: [source, ...rest.map((i) => nth(source, i)), ...rest.map((i) => nth(into, i))],
    alternatives: [
      {
        ...way,
        body: {
          kind: 'then',
          parts: [
            ...parts.slice(0, first),
            { kind: inOrder ? 'then' : 'beside', parts: copies },
            ...parts.slice(last + 1),
          ],
        },
      },
    ],
  };
}

/** The name of something for one word. No name of a model file has a space. */
const nameOf = (name: string, word: number): string => (word === 1 ? name : `${name} ${word}`);

/** Is a part an event at one of the places, or with the value, and at no wire? */
function isAbout(part: Body, source: string, into: string): boolean {
  if (part.kind !== 'event') return false;
  const cells = [part.reads, part.writes, part.at].flatMap((cell) => cell ?? []);
  return (
    cells.length > 0 &&
    cells.every(({ place, wire }) => wire === undefined && (place === source || place === into))
  );
}

function renamed(part: Body, word: number): Body {
  if (part.kind !== 'event') return part;
  const at = <C extends CellOf>(cell: C): C => ({ ...cell, place: nameOf(cell.place, word) });
  const value = (v: ValueOf): ValueOf =>
    mapLeaves(v, (leaf) =>
      leaf.kind === 'name' ? { ...leaf, name: nameOf(leaf.name, word) } : leaf,
    );
  const { reads, writes } = part;
  return {
    ...part,
    ...(reads !== undefined && { reads: { ...at(reads), as: nameOf(reads.as, word) } }),
    ...(writes !== undefined && { writes: { ...at(writes), value: value(writes.value) } }),
    ...(part.at !== undefined && { at: at(part.at) }),
  };
}
