import type { Diagnostic, Parsed, SourceFile } from './diagnostics/index.js';
import { EarleyReader, parseItems } from './nearley.js';
import type { Column, GrammarLanguage } from './nearley.js';
import { TableReader } from './tables.js';
import type { Mark } from './tables.js';
import type { Token } from './tokens.js';

/**
 * Parses the tokens of a file. LR tables read it, in a tenth of the time that nearley takes. Nearley is only asked about broken items, and
 * about the few files that need more than one token of lookahead.
 *
 * @returns what the grammar's start rule builds of the good items, and one diagnostic for each broken item
 */
export const parseTokens = <T>(
  language: GrammarLanguage,
  tokens: readonly Token[],
  source: SourceFile,
): Parsed<T> =>
  new Recovery<T>(language, tokens, source).parse() ?? parseItems(language, tokens, source);

/** A place before an item, to which reading goes back if the item is broken. */
interface Boundary {
  readonly mark: Mark;
  /** How many tokens of good items are before it. */
  readonly kept: number;
}

/**
 * Reads the good items of a file by tables, and each broken one with nearley, which says what is wrong. What may come next depends on what
 * is before it only by the states of the tables, so nearley is given the shortest beginning of the file that leads to the same states.
 */
class Recovery<T> {
  private readonly reader: TableReader;
  /** The tokens of good items, and of the one that is being read. */
  private readonly kept: Token[] = [];
  /** How many tokens lead to some states, where they are met first. */
  private readonly shortest = new Map<string, number>();
  private readonly thorough = new Map<string, { earley: EarleyReader; column: Column }>();
  private before: Boundary;

  constructor(
    private readonly language: GrammarLanguage,
    private readonly tokens: readonly Token[],
    private readonly source: SourceFile,
  ) {
    this.reader = new TableReader(language.grammar);
    this.before = this.boundary(this.reader.mark());
  }

  /** The same as `parseItems` gives; undefined where tables and nearley differ about a token. */
  parse(): Parsed<T> | undefined {
    const { language, tokens, reader, kept } = this;
    const errors: Diagnostic[] = [];
    let lost = false;
    for (const [index, token] of tokens.entries()) {
      const begins = language.beginsItem(tokens, index);
      if (lost && !begins) continue;
      const mark = begins && !lost && reader.isComplete() ? reader.mark() : undefined;
      if (reader.read(token)) {
        if (mark !== undefined) this.before = this.boundary(mark);
        kept.push(token);
        lost = false;
        continue;
      }
      const there = this.thoroughlyAt(index);
      if (there === undefined || there.accepts(token)) return undefined;
      errors.push({ span: token.span, ...there.unexpected(tokens, index) });
      this.goBack();
      // If a definition breaks off, the unexpected token is the beginning of the next item.
      lost = !(begins && this.thoroughlyBefore().accepts(token));
      if (lost) continue;
      if (!reader.read(token)) return undefined;
      kept.push(token);
    }
    if (!lost && !reader.isComplete()) {
      const there = this.thoroughlyAt(tokens.length);
      if (there === undefined || there.results.length > 0) return undefined;
      errors.push(there.unexpectedEnd(tokens, this.source));
      this.goBack();
    }
    return { value: reader.end<T>()?.value, errors };
  }

  private boundary(mark: Mark): Boundary {
    const key = mark.states.join();
    const kept = this.kept.length;
    if (!this.shortest.has(key)) this.shortest.set(key, kept);
    return { mark, kept };
  }

  private goBack(): void {
    this.reader.goBack(this.before.mark);
    this.kept.length = this.before.kept;
  }

  /** Nearley at the last boundary. */
  private thoroughlyBefore(): EarleyReader {
    const key = this.before.mark.states.join();
    const known = this.thorough.get(key);
    if (known !== undefined) {
      known.earley.goBack(known.column);
      return known.earley;
    }
    const earley = new EarleyReader(this.language);
    for (const token of this.kept.slice(0, this.shortest.get(key))) earley.read(token);
    this.thorough.set(key, { earley, column: earley.column });
    return earley;
  }

  /** Nearley before a token, with what has been read since the last boundary; undefined if it sees an item end there, or reads something else. */
  private thoroughlyAt(index: number): EarleyReader | undefined {
    const { language, tokens, kept, before } = this;
    const earley = this.thoroughlyBefore();
    const first = index - (kept.length - before.kept);
    for (let i = first; i < index; i++) {
      const ends = i > first && language.beginsItem(tokens, i) && earley.results.length > 0;
      if (ends || !earley.accepts(tokens[i])) return undefined;
      earley.read(tokens[i]);
    }
    return earley;
  }
}
