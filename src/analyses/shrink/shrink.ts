import fc from 'fast-check';
import { printProgram } from '../../program/print.js';
import type { Program } from '../../program/program.js';
import { keep, keepable } from './keep.js';

/** What is looked for in smaller and smaller programs. */
export interface Sought<R, F> {
  /** What smaller programs are called. */
  readonly name: string;
  /** Undefined where a text is no valid program. */
  readonly read: (text: string) => R | undefined;
  /** Undefined where a program does not have what is looked for. */
  readonly findingOf: (read: R) => Promise<F | undefined>;
}

/** A program that still has what is looked for, and that nothing can be left out of. */
export interface Smallest<R, F> {
  readonly text: string;
  readonly read: R;
  readonly finding: F;
}

/** Leaves out of programs what can be left out so that they keep what is looked for. Each text is tried once. */
export class Shrinker<R extends { readonly program: Program }, F> {
  private readonly known = new Map<
    string,
    { readonly read: R; readonly finding?: F | undefined }
  >();

  constructor(private readonly sought: Sought<R, F>) {}

  /** How many valid programs were tried. */
  get tries(): number {
    return this.known.size;
  }

  textOf(program: Program): string {
    return `RDMA ${this.sought.name}\n${printProgram(program, { tidy: true })}`;
  }

  /** Has a text nothing of what is looked for? So it is, too, if it is not valid. */
  async lacks(text: string): Promise<boolean> {
    return (await this.attempt(text))?.finding === undefined;
  }

  /**
   * Leaves out one thing after the other, until nothing is left that can be left out alone (see `Kept`); undefined where the
   * first text itself lacks what is looked for.
   */
  async smallest(first: string): Promise<Smallest<R, F> | undefined> {
    let text = first;
    for (;;) {
      const from = await this.attempt(text);
      if (from?.finding === undefined) return undefined;
      const shorter = await this.drop(from.read.program);
      if (shorter === text) return { text, read: from.read, finding: from.finding };
      text = shorter;
    }
  }

  private async drop(program: Program): Promise<string> {
    const all = Array.from({ length: keepable(program) }, () => true);
    const kept = fc.tuple(...all.map(() => fc.boolean()));
    const write = (list: readonly boolean[]): string => this.textOf(keep(program, list));
    const property = fc.asyncProperty(kept, (list) => this.lacks(write(list)));
    const { counterexample } = await fc.check(property, { examples: [[all]], numRuns: 1 });
    return write(counterexample?.[0] ?? all);
  }

  private async attempt(text: string) {
    const earlier = this.known.get(text);
    if (earlier !== undefined) return earlier;
    const read = this.sought.read(text);
    if (read === undefined) return undefined;
    const tried = { read, finding: await this.sought.findingOf(read) };
    this.known.set(text, tried);
    return tried;
  }
}
