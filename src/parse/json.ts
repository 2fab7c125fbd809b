/** JSON with places, for files that others write: a mistake in one of its values can be shown where it stands. */
import { parse } from '@humanwhocodes/momoa';
import type { ObjectNode, ValueNode } from '@humanwhocodes/momoa';
import type { Result } from './diagnostics/index.js';
import { fail, ok } from './diagnostics/index.js';

interface Placed {
  /** Offsets in the text. */
  readonly start: number;
  readonly end: number;
}

export interface JsonString extends Placed {
  readonly kind: 'string';
  readonly value: string;
}

export interface JsonObject extends Placed {
  readonly kind: 'object';
  readonly fields: ReadonlyMap<string, PlacedJson>;
}

export type PlacedJson =
  | JsonString
  | JsonObject
  | (Placed & { readonly kind: 'number'; readonly value: number })
  | (Placed & { readonly kind: 'word'; readonly value: boolean | null })
  | (Placed & { readonly kind: 'list'; readonly items: readonly PlacedJson[] });

/** Values lie in each other at most so deep. */
const DEEPEST = 32;

/** Ends the reading at a mistake. */
class JsonMistake extends Error {
  constructor(
    readonly at: number,
    message: string,
  ) {
    super(message);
  }
}

/**
 * The JSON value that is a line of a text, from `start` to `end`. Fails with one mistake, at its place. A field that an object
 * has twice is one, and what lies too deep in lists and objects.
 */
export function readJsonLine(
  text: string,
  file: string,
  start: number,
  end: number,
): Result<PlacedJson> {
  const line = text.slice(start, end);
  try {
    checkDepth(line);
    return ok(placed(parse(line, { mode: 'json', ranges: true }).body, start));
  } catch (error) {
    const [at, message] = mistakeOf(error, line);
    const from = start + Math.min(at, line.length);
    return fail([{ span: { file, start: from, end: Math.min(from + 1, end) }, message }]);
  }
}

/** Where the character of a string stands in the text that it was read from. */
export function placeInString(text: string, { start }: JsonString, character: number): number {
  let at = start + 1;
  for (let i = 0; i < character; i++) {
    at += text[at] !== '\\' ? 1 : text[at + 1] === 'u' ? 6 : 2;
  }
  return at;
}

/** What a reader of JSON says, and where. Errors of the parser have an offset. */
function mistakeOf(error: unknown, line: string): readonly [number, string] {
  if (error instanceof JsonMistake) return [error.at, error.message];
  const { offset, message, name } = error as { offset?: number; message: string; name: string };
  if (offset === undefined) throw error;
  // The parser has no place for the end of its text.
  if (name === 'UnexpectedEOF' || message.startsWith('Unexpected end')) {
    if (line.trim() === '') return [0, 'this line is empty: here a value of JSON should stand'];
    return [line.length, 'the line ends in the middle of a value'];
  }
  return [offset, 'this cannot stand here: a line is a value of JSON'];
}

/** Counts brackets, since the parser calls itself for each. @throws JsonMistake */
function checkDepth(line: string): void {
  let depth = 0;
  for (const { 0: sign, index } of line.matchAll(/"(?:[^"\\]|\\.)*"|[[{\]}]/g)) {
    if (sign === '[' || sign === '{') depth += 1;
    else if (sign === ']' || sign === '}') depth -= 1;
    if (depth > DEEPEST) throw new JsonMistake(index, 'this lies too deep in lists and objects');
  }
}

/** @param start where the text of the value begins in the file */
function placed(node: ValueNode, start: number): PlacedJson {
  const [from, to] = node.range!;
  const place = { start: start + from, end: start + to };
  switch (node.type) {
    case 'Object':
      return { ...place, kind: 'object', fields: fieldsOf(node, start) };
    case 'Array':
      return {
        ...place,
        kind: 'list',
        items: node.elements.map(({ value }) => placed(value, start)),
      };
    case 'String':
      return { ...place, kind: 'string', value: node.value };
    case 'Number':
      return { ...place, kind: 'number', value: node.value };
    case 'Boolean':
      return { ...place, kind: 'word', value: node.value };
    case 'Null':
      return { ...place, kind: 'word', value: null };
    case 'NaN':
    case 'Infinity':
      throw new Error(`JSON has no ${node.type}`);
  }
}

function fieldsOf(node: ObjectNode, start: number): ReadonlyMap<string, PlacedJson> {
  const fields = new Map<string, PlacedJson>();
  for (const { name, value } of node.members) {
    const text = name.type === 'String' ? name.value : '';
    if (fields.has(text)) throw new JsonMistake(name.range![0], `"${text}" is there twice`);
    fields.set(text, placed(value, start));
  }
  return fields;
}
