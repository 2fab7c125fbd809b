/** JSON with places, for files that others write: a mistake in one of its values can be shown where it stands. */
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

const BLANKS = /[ \t\r]*/y;
const STRING = /"[^"\\\x00-\x1f]*(?:\\.[^"\\\x00-\x1f]*)*"/y;
const NUMBER = /-?(?:0|[1-9]\d*)(?:\.\d+)?(?:[eE][-+]?\d+)?/y;
const WORD = /(?:true|false|null)\b/y;

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
  const reader = new JsonReader(text, start, end);
  try {
    return ok(reader.whole());
  } catch (error) {
    if (!(error instanceof JsonMistake)) throw error;
    const { at, message } = error;
    return fail([{ span: { file, start: at, end: Math.min(at + 1, end) }, message }]);
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

class JsonReader {
  constructor(
    private readonly text: string,
    private at: number,
    private readonly end: number,
  ) {}

  whole(): PlacedJson {
    const value = this.value(0);
    this.blanks();
    if (this.at < this.end) this.refuse('nothing can stand here, behind the value');
    return value;
  }

  private value(depth: number): PlacedJson {
    this.blanks();
    const start = this.at;
    if (depth > DEEPEST) this.refuse('this lies too deep in lists and objects');
    if (this.isAt('{')) return this.object(depth);
    if (this.isAt('[')) return this.list(depth);
    if (this.isAt('"')) return this.string();
    const number = this.take(NUMBER);
    if (number !== undefined) return this.placed(start, { kind: 'number', value: Number(number) });
    const word = this.take(WORD);
    if (word === undefined) this.refuse('here a value of JSON should stand');
    return this.placed(start, { kind: 'word', value: JSON.parse(word) as boolean | null });
  }

  private string(): JsonString {
    const start = this.at;
    const found = this.take(STRING);
    if (found === undefined) this.refuse('this string has no end');
    try {
      return this.placed(start, { kind: 'string', value: JSON.parse(found) as string });
    } catch {
      this.at = start;
      return this.refuse('this string has a \\ before what it cannot stand before');
    }
  }

  private object(depth: number): PlacedJson {
    const start = this.at;
    const fields = new Map<string, PlacedJson>();
    this.items('}', () => {
      this.blanks();
      const from = this.at;
      if (!this.isAt('"')) this.refuse('here the name of a field should stand, in quotes');
      const { value: name } = this.string();
      if (fields.has(name)) {
        this.at = from;
        this.refuse(`"${name}" is there twice`);
      }
      this.sign(':');
      fields.set(name, this.value(depth + 1));
    });
    return this.placed(start, { kind: 'object', fields });
  }

  private list(depth: number): PlacedJson {
    const start = this.at;
    const items: PlacedJson[] = [];
    this.items(']', () => void items.push(this.value(depth + 1)));
    return this.placed(start, { kind: 'list', items });
  }

  /** What stands between brackets, divided by commas. */
  private items(close: string, one: () => void): void {
    this.at += 1;
    this.blanks();
    if (this.isAt(close)) return void (this.at += 1);
    for (;;) {
      one();
      this.blanks();
      if (this.isAt(close)) return void (this.at += 1);
      this.sign(',', `here , or ${close} should stand`);
    }
  }

  private sign(sign: string, message = `here ${sign} should stand`): void {
    this.blanks();
    if (!this.isAt(sign)) this.refuse(message);
    this.at += 1;
  }

  private isAt(sign: string): boolean {
    return this.text[this.at] === sign;
  }

  private blanks(): void {
    this.take(BLANKS);
  }

  private take(pattern: RegExp): string | undefined {
    pattern.lastIndex = this.at;
    const found = pattern.exec(this.text)?.[0];
    this.at += found?.length ?? 0;
    return found;
  }

  private placed<T extends object>(start: number, rest: T): T & Placed {
    return { start, end: this.at, ...rest };
  }

  private refuse(message: string): never {
    throw new JsonMistake(this.at, message);
  }
}
