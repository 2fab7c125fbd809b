/** A program beside the lines of C that it was read from. */
import type { Lines } from '../analyses/in-c/lines.js';
import { linesText } from '../analyses/in-c/lines.js';
import type { Remark } from '../c/around.js';
import type { SourceFile } from '../parse/diagnostics/index.js';
import { position } from '../parse/diagnostics/index.js';
import { blocksOf } from '../program/instructions.js';
import { printInstruction } from '../program/print.js';
import type { Instruction, Program } from '../program/program.js';
import { completionsOf, knownPosting } from '../rdma/postings.js';
import { queuePairKey } from '../rdma/instructions.js';
import type { Span } from '../parse/diagnostics/index.js';
import { tableText } from './table.js';

/** What is beside one line: an instruction, a part of one, or what is to be said of the line. */
interface Beside {
  readonly at?: Lines;
  readonly text: string;
}

export interface BesideC {
  readonly source: SourceFile;
  readonly program: Program;
  /** By thread, the lines of its instructions. */
  readonly lines: readonly ReadonlyMap<Instruction, Lines>[];
  readonly remarks: readonly Remark[];
  /** Are two places in one function? */
  readonly together: (a: Span['start'], b: Span['start']) => boolean;
}

/** The threads one below the other: lines of C at the left, what they do at the right. */
export function besideText(given: BesideC): string {
  const { program, source, lines } = given;
  const threads = program.threads.map((_, t) => new ThreadRows(program, t, lines[t]).rows());
  const rows = withRemarks(threads, given);
  const code = source.text.split('\n');
  const printed = rows.flatMap((own, t) => {
    const { name, node } = program.threads[t];
    return [...(t > 0 ? [''] : []), `thread ${name} on ${node}`, ...cells(own, code)];
  });
  return `${tableText(printed)}\n`;
}

/** A line of C is shown once for all that it does in a row. */
function cells(rows: readonly Beside[], code: readonly string[]): readonly (readonly string[])[] {
  let last: Lines | undefined;
  return rows.map(({ at, text }) => {
    const before = last;
    last = at ?? last;
    if (at === undefined || (before && linesText(before) === linesText(at))) return ['', '', text];
    const line = code[at.line - 1].trim().replaceAll(/\s+/g, ' ');
    return [`  ${linesText(at)}`, before?.line === at.line ? '' : cut(line), text];
  });
}

/** Longer lines of C are cut off: readers only have to recognise them. */
const WIDEST = 52;
const cut = (text: string): string =>
  text.length <= WIDEST ? text : `${text.slice(0, WIDEST - 1)}…`;

/** Each remark at the nearest that is done in the same function: above what is on its line or behind it, and else below. */
function withRemarks(
  threads: readonly (readonly Beside[])[],
  { source, remarks, together }: BesideC,
): readonly (readonly Beside[])[] {
  const starts = [0];
  for (const line of source.text.split('\n')) starts.push(starts.at(-1)! + line.length + 1);
  const placeOf = (line: number): number =>
    starts[line - 1] + source.text.slice(starts[line - 1]).search(/\S/);
  const made = threads.map((rows) => [...rows]);
  for (const { kind, text, span } of remarks) {
    const { line } = position(source.text, span.start);
    const near = made.flatMap((rows, t) =>
      rows.flatMap(({ at }, i) => {
        const all =
          at === undefined ? [] : [at.line, ...(at.inner === undefined ? [] : [at.inner])];
        const own = all.find((one) => together(placeOf(one), span.start));
        if (own === undefined) return [];
        const call = own === at!.inner ? at!.line : undefined;
        return [{ t, i, call, far: own < line ? 1e6 + line - own : own - line }];
      }),
    );
    const [best] = near.sort((a, b) => a.far - b.far);
    const at: Lines = best?.call === undefined ? { line } : { line: best.call, inner: line };
    const row: Beside = { at, text: `# ${kind}: ${text}` };
    const isSame = (one: Beside | undefined): boolean =>
      one?.text === row.text && one.at !== undefined && linesText(one.at) === linesText(at);
    if (made.some((rows) => rows.some(isSame))) continue;
    if (best === undefined) made.at(-1)!.push(row);
    else made[best.t].splice(best.far < 1e6 ? best.i : best.i + 1, 0, row);
  }
  return made;
}

/** By queue: what was posted, the oldest first; undefined: it depends on the way. */
type Open = Map<
  string,
  readonly { readonly line?: number; readonly completes: boolean }[] | undefined
>;

/** The rows of a thread, with what polls are for where that is the same on all ways. */
class ThreadRows {
  private open: Open = new Map();

  constructor(
    private readonly program: Program,
    private readonly thread: number,
    private readonly lines: ReadonlyMap<Instruction, Lines>,
  ) {}

  rows(body = this.program.threads[this.thread].body, indent = ''): readonly Beside[] {
    return body.flatMap((i): readonly Beside[] => {
      const at = this.lines.get(i);
      const blocks = blocksOf(i);
      const head = printInstruction(
        this.program,
        this.program.threads[this.thread],
        i,
        () => '{ … }',
      );
      if (blocks.length === 0) return [{ at, text: `${indent}${head}${this.done(i)}` }];
      const [first, ...others] = head.split('{ … }');
      if (i.kind === 'loop') this.forget();
      const before = new Map(this.open);
      const found = blocks.flatMap((inner, b): readonly Beside[] => {
        const open = b === 0 ? [{ at, text: `${indent}${first}{` }] : [];
        const next = others[b].trim() === '' ? '' : ` ${others[b].trim()} {`;
        this.open = new Map(before);
        return [...open, ...this.rows(inner, `${indent}  `), { text: `${indent}}${next}` }];
      });
      this.forget();
      return found;
    });
  }

  private forget(): void {
    for (const key of this.open.keys()) this.open.set(key, undefined);
  }

  /** What is known to be done behind an instruction: ` # done: 55, 56` */
  private done(i: Instruction): string {
    const { program, open } = this;
    const posting = knownPosting(program, i);
    const line = this.lines.get(i)?.line;
    switch (posting.kind) {
      case 'posted':
        this.note(completionsOf(program, posting.on), line, posting.completes);
        return '';
      case 'receive':
        this.note(`receive ${queuePairKey(posting.on)}`, line, true);
        return '';
      case 'poll':
      case 'receive-poll': {
        const key = posting.kind === 'poll' ? posting.of : `receive ${queuePairKey(posting.on)}`;
        const before = open.get(key);
        const last = before?.findIndex(({ completes }) => completes) ?? -1;
        if (before === undefined || last < 0) return '';
        const done = before.slice(0, last + 1).map((one) => one.line);
        open.set(key, before.slice(last + 1));
        const known = [...new Set(done.filter((one) => one !== undefined))];
        return known.length === 0 ? '' : `  # done: ${known.join(', ')}`;
      }
      case 'other':
        return '';
    }
  }

  private note(key: string, line: number | undefined, completes: boolean): void {
    if (this.open.has(key) && this.open.get(key) === undefined) return;
    this.open.set(key, [...(this.open.get(key) ?? []), { line, completes }]);
  }
}
