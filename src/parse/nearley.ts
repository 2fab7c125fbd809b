import nearley from 'nearley';
import type { Diagnostic, Parsed, SourceFile } from './diagnostics/index.js';
import type { Grammar } from './tables.js';
import { END, strayMessage } from './tokens.js';
import type { Token } from './tokens.js';

/** A language whose files are lists of top-level items: its grammar, and how mistakes are told. */
export interface GrammarLanguage {
  readonly grammar: Grammar;
  /**
   * Does `tokens[index]` look like the beginning of a top-level item? After a mistake, reading goes on at the next one.
   */
  readonly beginsItem: (tokens: readonly Token[], index: number) => boolean;
  /**
   * What token types and nonterminals are called in messages, such as `an expression`. A message names a nonterminal
   * instead of all the tokens that can begin it.
   */
  readonly names: ReadonlyMap<string, string>;
  /**
   * Tokens that a message lists only if nothing else may come: each is a rule, a blank, and the type of a token in it.
   */
  readonly rare?: ReadonlySet<string>;
  /**
   * A better message than `unexpected …` for a token that must not stand where it does: if the language refuses it on
   * purpose, or other languages allow it there.
   */
  readonly explain?: (tokens: readonly Token[], index: number) => Explained | undefined;
}

/** A diagnostic. Without a span, it is about the unexpected token. */
export type Explained = Omit<Diagnostic, 'span'> & Partial<Pick<Diagnostic, 'span'>>;

/** Parts of nearley's parse table that its type declarations leave out. */
type GrammarSymbol = string | { readonly type?: string; readonly literal?: string };
interface EarleyState {
  readonly rule: { readonly name: string; readonly symbols: readonly GrammarSymbol[] };
  readonly dot: number;
  /** Index of the column where the rule began. */
  readonly reference: number;
  readonly wantedBy: readonly EarleyState[];
}
export type Column = ReturnType<nearley.Parser['save']> & {
  readonly index: number;
  readonly scannable: readonly EarleyState[];
};

/** At most so many alternatives are listed in a message. */
const LISTED = 7;

const NONE: ReadonlySet<string> = new Set();

/**
 * Parses the tokens of a file with nearley. A syntax error is reported, and costs only the item that it is in: reading
 * goes on at the next token that begins an item, as if the broken one were not there.
 *
 * @returns what the grammar's start rule builds of the good items, and one diagnostic for each broken item
 * @throws Error if the tokens have more than one parse, which is a bug of the grammar
 */
export function parseItems<T>(
  language: GrammarLanguage,
  tokens: readonly Token[],
  source: SourceFile,
): Parsed<T> {
  const { beginsItem } = language;
  const reader = new EarleyReader(language);
  const errors: Diagnostic[] = [];
  let beforeItem = reader.column;
  let lost = false;

  for (const [index, token] of tokens.entries()) {
    const begins = beginsItem(tokens, index);
    if (lost && !begins) continue;
    lost = !reader.accepts(token);
    if (lost) {
      errors.push({ span: token.span, ...reader.unexpected(tokens, index) });
      // If a definition breaks off, the unexpected token is the beginning of the next item.
      reader.goBack(beforeItem);
      lost = !(begins && reader.accepts(token));
      if (lost) continue;
    }
    // Only a complete item is kept: a token inside of an item may look like the beginning of one, as in `a := T1@2`.
    if (begins && reader.results.length > 0) beforeItem = reader.column;
    reader.read(token);
  }

  if (!lost && reader.results.length === 0) {
    errors.push(reader.unexpectedEnd(tokens, source));
    reader.goBack(beforeItem);
  }
  const results = reader.results as T[];
  if (results.length > 1) throw new Error(`the grammar is ambiguous on ${source.path}`);
  return { value: results[0], errors };
}

/** nearley, one token after the other. It knows all that may come next. */
export class EarleyReader {
  private readonly pending: Token[] = [];
  private readonly parser: nearley.Parser;

  constructor(private readonly language: GrammarLanguage) {
    const Lexer = handOver(this.pending);
    this.parser = new nearley.Parser(nearley.Grammar.fromCompiled({ ...language.grammar, Lexer }));
  }

  /** Where it is, to go back there. */
  get column(): Column {
    return this.parser.save() as Column;
  }

  goBack(column: Column): void {
    this.parser.restore(column);
  }

  accepts(token: Token): boolean {
    return accepts(this.column, token);
  }

  read(token: Token): void {
    this.pending.push(token);
    this.parser.feed('');
  }

  /** What the start rule builds, if the file may end here. */
  get results(): readonly unknown[] {
    return this.parser.finish();
  }

  /** What is wrong with `tokens[index]`, which must not come next. */
  unexpected(tokens: readonly Token[], index: number): Explained {
    return unexpected(this.language, this.column, tokens, index);
  }

  /** What is wrong with a file that ends here. */
  unexpectedEnd(tokens: readonly Token[], { path }: SourceFile): Diagnostic {
    const end = tokens.at(-1)?.span.end ?? 0;
    const span = { file: path, start: end, end };
    const message = `unexpected end of file; ${expected(this.language, this.column)}`;
    const all = [...tokens, { type: END, value: '', span }];
    return { span, ...(this.language.explain?.(all, tokens.length) ?? { message }) };
  }
}

/** A lexer for nearley that passes on tokens which have been lexed before. */
function handOver(pending: Token[]): nearley.Lexer {
  return {
    reset: () => {},
    next: () => pending.shift(),
    save: () => ({}),
    formatError: (_token, message) => message,
  };
}

function accepts(column: Column, token: Token): boolean {
  return column.scannable.some(({ rule, dot }) => {
    const symbol = rule.symbols[dot];
    if (typeof symbol === 'string') return false;
    return symbol.type === undefined ? symbol.literal === token.value : symbol.type === token.type;
  });
}

function unexpected(
  language: GrammarLanguage,
  column: Column,
  tokens: readonly Token[],
  index: number,
): Explained {
  const token = tokens[index];
  const stray = strayMessage(token);
  if (stray !== undefined) return { message: stray };
  const shown = token.value.length > 30 ? `${token.value.slice(0, 29)}…` : token.value;
  const message = `unexpected '${shown.replace(/\s+/g, ' ')}'; ${expected(language, column)}`;
  return language.explain?.(tokens, index) ?? { message };
}

/** `expected a, b or c`: what may come next in a column, sorted. */
function expected(language: GrammarLanguage, column: Column): string {
  const words = new Set<string>();
  const { rare = NONE } = language;
  const usual = column.scannable.filter(
    (state) => !rare.has(`${state.rule.name} ${typeOf(state)}`),
  );
  for (const state of usual.length > 0 ? usual : column.scannable) {
    const own = describe(language.names, state);
    collectNames(language.names, column.index, state, own, new Set(), words);
  }
  const sorted = [...words].sort();
  if (sorted.length === 0) return 'expected the end of the file';
  if (sorted.length > LISTED) return `expected ${sorted.slice(0, LISTED).join(', ')}, …`;
  const last = sorted.pop();
  return sorted.length === 0 ? `expected ${last}` : `expected ${sorted.join(', ')} or ${last}`;
}

/**
 * Adds what messages call a token that may come next: the name of the smallest nonterminal that begins with it and has
 * a name, or else the name of the token. To find it, goes up from a rule to the rules that wait for it.
 */
function collectNames(
  names: ReadonlyMap<string, string>,
  column: number,
  state: EarleyState,
  own: string,
  visited: Set<EarleyState>,
  words: Set<string>,
): void {
  if (visited.has(state)) return;
  visited.add(state);
  const beginsHere = state.reference === column;
  const phrase = beginsHere ? names.get(state.rule.name) : undefined;
  if (phrase !== undefined) {
    words.add(phrase);
  } else if (beginsHere && state.wantedBy.length > 0) {
    for (const parent of state.wantedBy) collectNames(names, column, parent, own, visited, words);
  } else {
    words.add(own);
  }
}

function typeOf({ rule, dot }: EarleyState): string {
  const symbol = rule.symbols[dot];
  return typeof symbol === 'string' ? symbol : (symbol.type ?? symbol.literal ?? '');
}

function describe(names: ReadonlyMap<string, string>, state: EarleyState): string {
  const text = typeOf(state);
  return names.get(text) ?? `'${text}'`;
}
