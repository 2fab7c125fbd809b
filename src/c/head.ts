import { BEGINNING, isHead } from './beginning.js';
import type { Diagnostic, SourceFile } from '../parse/diagnostics/index.js';
import { didYouMean } from '../parse/diagnostics/index.js';
import { mistakesOfShape } from './head-shape.js';
import type { Ident, LitmusFile } from '../parse/litmus-ast.js';
import { parseLitmusFile } from '../parse/litmus.js';
import type { Piece } from './pieces.js';
import { matching, split } from './pieces.js';
import { readingsIn } from './readings.js';
import type { CallLine } from './tables.js';
import { statementsIn, tableOf } from './tables.js';
import type { CNode } from './tree.js';

/**
 * The head of a C file: its first comment whose text begins with `RDMA `. It is a litmus file whose threads have bindings in the
 * place of instructions.
 */
export interface Head {
  /** The file without what threads do. */
  readonly litmus: LitmusFile;
  readonly threads: readonly HeadThread[];
  /** By location that is an array: of how many words. */
  readonly arrays: ReadonlyMap<string, number>;
  /** Whether every request makes a completion. */
  readonly allSignalled: boolean;
  /** Lines `call …` and `await …`. */
  readonly calls: readonly CallLine[];
  /** By interface: which reading of it, `api shmem contract`. */
  readonly readings: ReadonlyMap<string, string>;
}

/** A function with its arguments, if there are some. */
export interface HeadCall {
  readonly function: Ident;
  readonly arguments?: readonly Piece[];
}

/** `thread sender = put(&out, 1) on client { raddr => data }` */
export interface HeadThread extends HeadCall {
  readonly name: Ident;
  /** Calls before that of its function, as of a set-up: `thread T = init(c), run(c) on 1`. */
  readonly before?: readonly HeadCall[];
  readonly node: Ident;
  readonly binds: readonly Bind[];
}

/** `raddr => data, flag @ 64`, or `qp => server.a on cq`, with two queues `on send_cq, recv_cq` */
export interface Bind {
  readonly left: Piece;
  readonly to: readonly BoundPlace[];
  /** The name of a queue pair. */
  readonly queuePair?: Ident;
  readonly completions?: Piece;
}

export interface BoundPlace {
  readonly name: Ident;
  /** In bytes, if it is said. */
  readonly at?: number;
}

/** What is wrong with a gap of a head. */
export const OPEN = 'this is still to be filled in';

export type HeadOrMistakes =
  | { readonly kind: 'head'; readonly head: Head; readonly errors: readonly Diagnostic[] }
  | { readonly kind: 'none'; readonly errors: readonly Diagnostic[] };

/** Reads the head of a file. Without one, there is one mistake that says how a head begins. */
export function headOf(source: SourceFile, tree: CNode): HeadOrMistakes {
  const text = headText(source.text, tree);
  if (text === undefined) {
    const span = { file: source.path, start: 0, end: 0 };
    const message = 'this C file says nothing of machines and places';
    const hint = 'begin it with the comment that remora c prints: see docs/c.md';
    return { kind: 'none', errors: [{ span, message, hint }] };
  }
  return new HeadReader(source, text).read();
}

interface Range {
  readonly start: number;
  readonly end: number;
}

/** Where the text of the head is: of a comment, or of lines of comments without a gap. */
function commentOf(text: string, tree: CNode): Range | undefined {
  const comments = tree.namedChildren.filter((one) => one?.type === 'comment') as CNode[];
  const isLine = (one: CNode): boolean => one.text.startsWith('//');
  const joins = (a: CNode, b: CNode): boolean =>
    isLine(a) && isLine(b) && /^[ \t]*\r?\n?[ \t]*$/.test(text.slice(a.endIndex, b.startIndex));
  const ranges = comments.flatMap((one, first): readonly Range[] => {
    if (one.text.search(BEGINNING) !== 0) return [];
    let last = first;
    while (last + 1 < comments.length && joins(comments[last], comments[last + 1])) last += 1;
    return [{ start: one.startIndex, end: comments[last].endIndex }];
  });
  return ranges.find(({ start, end }) => isHead(text.slice(start, end)));
}

/** The text of a file with only the head left, each character where it was. */
export interface HeadText {
  /** Without what is in quotes, and without remarks: the head's own words. */
  readonly quiet: string;
  /** What is in quotes, and where. */
  readonly strings: readonly (readonly [number, string])[];
  readonly start: number;
  readonly end: number;
}

/** The head's text; undefined: the file has none. */
export function headText(text: string, tree: CNode): HeadText | undefined {
  const place = commentOf(text, tree);
  if (place === undefined) return undefined;
  const { start, end } = place;
  const inside = text.slice(start, end);
  const bare = blank(inside, /^\/\*|\*\/$|^[ \t]*(\/\/|\*(?!\/))/gm);
  const strings: (readonly [number, string])[] = [];
  const quiet = bare.replaceAll(/"[^"]*"|#.*/g, (found, at: number) => {
    if (found.startsWith('#')) return blank(found);
    strings.push([start + at, found]);
    return `"${blank(found.slice(1, -1))}"`;
  });
  return {
    quiet: blank(text.slice(0, start)) + quiet + blank(text.slice(end)),
    ...{ strings, start, end },
  };
}

class HeadReader {
  private readonly errors: Diagnostic[] = [];
  private readonly threads: HeadThread[] = [];
  private readonly arrays = new Map<string, number>();
  /** The text of the file with only the head left, and that as a litmus file: each character is where it was. */
  private text: string;
  /** What is in quotes, and where. */
  private readonly strings: readonly (readonly [number, string])[];
  private allSignalled = false;
  private calls: readonly CallLine[] = [];
  private readings: ReadonlyMap<string, string> = new Map();

  constructor(
    private readonly source: SourceFile,
    { quiet, strings }: HeadText,
  ) {
    this.strings = strings;
    this.text = quiet;
  }

  read(): HeadOrMistakes {
    const misshapen = mistakesOfShape(this.here());
    if (misshapen.length > 0) return { kind: 'none', errors: misshapen };
    this.takeCalls();
    this.takeThreads();
    this.takeArrays();
    this.takeWords();
    this.takeQuestion();
    this.asLitmus();
    const { value, errors } = parseLitmusFile(this.here(), {
      threadsAreElsewhere: this.threads.length > 0,
    });
    const all = [...this.errors, ...errors];
    if (value === undefined) return { kind: 'none', errors: all };
    const { threads, arrays, allSignalled, calls, readings } = this;
    // What is wrong with a node may be why it is not there.
    if (all.length === 0) all.push(...this.strangeNodes(value));
    return {
      kind: 'head',
      head: { litmus: { ...value, threads: [] }, threads, arrays, allSignalled, calls, readings },
      errors: all,
    };
  }

  /** Threads are on machines that are declared. */
  private strangeNodes({ nodes }: LitmusFile): readonly Diagnostic[] {
    const names = nodes.map(({ node }) => node.text);
    return this.threads.flatMap(({ node: { text, span } }) => {
      if (names.includes(text)) return [];
      const hint = didYouMean(text, names) ?? `declare it: node ${text} {}`;
      return [{ span, message: `there is no node ${text}`, hint }];
    });
  }

  private ident(text: string, start: number): Ident {
    return { text, span: { file: this.source.path, start, end: start + text.length } };
  }

  private replace(start: number, end: number, by: string): void {
    const padded = by + blank(this.text.slice(start + by.length, end));
    this.text = this.text.slice(0, start) + padded + this.text.slice(end);
  }

  private takeCalls(): void {
    const { lines, errors } = tableOf(this.here());
    this.calls = lines;
    this.errors.push(...errors);
    for (const { text, start } of statementsIn(this.text)) {
      this.replace(start, start + text.length, '');
    }
    const { readings, lines: said, errors: wrong } = readingsIn(this.here());
    this.readings = readings;
    this.errors.push(...wrong);
    for (const { text, start } of said) this.replace(start, start + text.length, '');
  }

  /** The text as it is by now. */
  private here(): SourceFile {
    return { path: this.source.path, text: this.text };
  }

  private takeThreads(): void {
    const pattern = /\bthread\s+(\w+)\s*(?:=\s*(\w+(?:::\w+)*)\s*\(|on\b)/g;
    for (let found = pattern.exec(this.text); found !== null; found = pattern.exec(this.text)) {
      const [all, name, called] = found;
      const named = this.ident(name, found.index + all.indexOf(name, 'thread'.length));
      const calls: HeadCall[] = [];
      let at = found.index + all.length;
      if (called !== undefined) [calls[0], at] = this.call(called, at);
      const next = /\s*,\s*(\w+(?:::\w+)*)\s*\(/y;
      for (next.lastIndex = at; ; next.lastIndex = at) {
        const another = called === undefined ? null : next.exec(this.text);
        if (another === null) break;
        const [call, end] = this.call(another[1], next.lastIndex);
        calls.push(call);
        at = end;
      }
      const rest = called === undefined ? /\s*(\w+)\s*(\{)?/y : /\s*on\s+(\w+)\s*(\{)?/y;
      rest.lastIndex = at;
      const onNode = rest.exec(this.text);
      if (onNode === null) {
        const span = named.span;
        this.errors.push({ span, message: `thread ${name} has no node`, hint: 'thread f on 1' });
        continue;
      }
      const node = this.ident(onNode[1], at + onNode[0].indexOf(onNode[1], called ? 3 : 0));
      let end = onNode[2] === undefined ? node.span.end : rest.lastIndex;
      let binds: readonly Bind[] = [];
      if (onNode[2] !== undefined) {
        const close = matching(this.text, end - 1);
        binds = split(this.text, end, close, ';').flatMap((piece) => this.bind(piece) ?? []);
        end = close + 1;
      }
      this.threads.push({
        ...{ name: named, ...(calls.at(-1) ?? { function: named }), node, binds },
        ...(calls.length > 1 && { before: calls.slice(0, -1) }),
      });
      this.replace(found.index, end, '');
    }
  }

  /** The call of a function whose arguments begin at a place, and where it ends. */
  private call(name: string, at: number): readonly [HeadCall, number] {
    const close = matching(this.text, at - 1);
    const start = this.text.lastIndexOf(name, at - 1);
    return [
      { function: this.ident(name, start), arguments: split(this.text, at, close, ',') },
      close + 1,
    ];
  }

  private bind(piece: Piece): Bind | undefined {
    const arrow = piece.text.indexOf('=>');
    if (piece.text.trim() === '') return undefined;
    const span = this.ident(piece.text.trim(), piece.start + leading(piece.text)).span;
    if (arrow < 0) {
      this.errors.push({
        span,
        message: 'a binding says where something leads',
        hint: 'raddr => data',
      });
      return undefined;
    }
    const left = trimmed({ text: piece.text.slice(0, arrow), start: piece.start });
    const start = piece.start + arrow + 2;
    const right = piece.text.slice(arrow + 2);
    const on = /\bon\b/.exec(right);
    const places = on === null ? right : right.slice(0, on.index);
    const to: BoundPlace[] = [];
    let queuePair: Ident | undefined;
    for (const one of split(places, 0, places.length, ',')) {
      const found = /^\s*(\w+)(?:\s*\.\s*(\w+))?(?:\s*@\s*(\d+))?\s*$/.exec(one.text);
      if (found === null) {
        const message = one.text.includes('?')
          ? OPEN
          : 'a place is a location, perhaps with @ and bytes';
        this.errors.push({ span, message, hint: 'raddr => data, flag @ 64; qp => server.a' });
        continue;
      }
      const [all, name, pair, at] = found;
      const from = start + one.start;
      const nameAt = from + all.indexOf(name);
      if (pair !== undefined) {
        queuePair = this.ident(pair, from + all.indexOf(pair, all.indexOf('.')));
      }
      to.push({ name: this.ident(name, nameAt), ...(at !== undefined && { at: Number(at) }) });
    }
    const completions =
      on === null
        ? undefined
        : trimmed({ text: right.slice(on.index + 2), start: start + on.index + 2 });
    return { left, to, ...(queuePair && { queuePair }), ...(completions && { completions }) };
  }

  /** `ring[4] = 0` is `ring = 0` for the litmus file, and of four words. */
  private takeArrays(): void {
    const pattern = /\b(\w+)(\s*\[\s*(\d+)\s*\])\s*=[^=>]/g;
    for (const found of this.text.matchAll(pattern)) {
      const [, name, index, count] = found;
      this.arrays.set(name, Number(count));
      const at = found.index + name.length;
      this.replace(at, at + index.length, '');
    }
  }

  private takeWords(): void {
    for (const found of this.text.matchAll(/\bsq_sig_all\b/g)) {
      this.allSignalled = true;
      this.replace(found.index, found.index + found[0].length, '');
    }
  }

  /** What is asked may still be open. */
  private takeQuestion(): void {
    for (const found of this.text.matchAll(OPEN_QUESTION)) {
      const { span } = this.ident(found[0], found.index);
      this.errors.push({ span, message: OPEN, hint: 'exists (data == 0)' });
      this.replace(found.index, found.index + found[0].length, '');
    }
  }

  /** What queries may have as in C. */
  private asLitmus(): void {
    const last = this.threads.at(-1)?.node.span.end ?? 0;
    const found = this.text.slice(last).search(/\b(exists|forall|never|filter)\b/);
    const asked = found < 0 ? this.text.length : last + found;
    let query = this.text.slice(asked);
    query = query
      .replaceAll('==', '= ')
      .replaceAll('&&', '/\\')
      .replaceAll('||', '\\/')
      .replaceAll(/!(?!=)/g, '~');
    this.text = this.text.slice(0, asked) + query;
    for (const [at, text] of this.strings)
      this.text = this.text.slice(0, at) + text + this.text.slice(at + text.length);
  }
}

/** A question that is a gap. */
export const OPEN_QUESTION = /\bexists\s*\(\s*\?\s*\)/g;

/** Spaces in the place of a text, or of what matches in it; ends of lines stay. */
function blank(text: string, what: RegExp = /[^]/g): string {
  return text.replaceAll(what, (found) => found.replaceAll(/[^\n]/g, ' '));
}

const leading = (text: string): number => text.length - text.trimStart().length;
const trimmed = ({ text, start }: Piece): Piece => ({
  text: text.trim(),
  start: start + leading(text),
});
