import type { SourceFile, Span } from '../parse/diagnostics/index.js';

/** A text that is read line by line. The reader says what each line should be. */
export class Lines {
  private readonly path: string;
  private readonly length: number;
  private readonly lines: readonly string[];
  private at = 0;
  /** Where the next line begins. */
  private start = 0;

  constructor({ path, text }: SourceFile) {
    this.path = path;
    this.length = text.length;
    this.lines = text.split('\n');
  }

  /** The next line; undefined: there is none. */
  get next(): string | undefined {
    return this.lines[this.at];
  }

  /**
   * Takes the next line, which must be as described.
   *
   * @throws Refusal if it is not
   */
  take(pattern: RegExp, what: string): RegExpExecArray {
    const match = this.next === undefined ? null : pattern.exec(this.next);
    if (match === null) this.refuse(`${what} should stand here`);
    this.start += this.next!.length + 1;
    this.at += 1;
    return match!;
  }

  /** Refuses the next line. */
  refuse(message: string): never {
    const { path: file, length } = this;
    const start = Math.min(this.start, length);
    throw new ListingRefusal(message, {
      file,
      start,
      end: Math.min(length, start + (this.next?.length ?? 0)),
    });
  }

  /** Refuses the line that was taken last. */
  refuseLast(message: string): never {
    this.at -= 1;
    this.start -= this.next!.length + 1;
    return this.refuse(message);
  }
}

/** Thrown if a text is not as it should be. */
export class ListingRefusal extends Error {
  constructor(
    message: string,
    readonly span: Span,
  ) {
    super(message);
  }
}
