import type nearley from 'nearley';
import type { Token } from './tokens.js';

/** A grammar as nearley compiles it, with the LR tables that scripts/tables.ts makes of it. */
export interface Grammar extends Pick<nearley.CompiledRules, 'ParserRules' | 'ParserStart'> {
  readonly tables: () => Tables;
}

/** The tables of an LR parser. It reads each token once, and never goes back, so it cannot say much about a mistake. */
export interface Tables {
  /**
   * For each state, the action for each type of token; `''` is the end of the file, and `*` stands for all other types.
   * A positive action shifts the token and goes to that state; 0 accepts the file; -1 - r reduces by rule r. A state
   * with the same action for all tokens has just this number.
   */
  readonly actions: readonly (number | ByName)[];
  /** For each state, the state to go to after a reduction, by the name of the rule. */
  readonly gotos: readonly ByName[];
}

type ByName = { readonly [name: string]: number };

/** A place between tokens, to which a reader can go back. */
export interface Mark {
  /** The states of the reader. What may come next depends on these alone. */
  readonly states: readonly number[];
  readonly values: readonly unknown[];
}

/** Reads tokens by the tables of a grammar. It takes each token once, and cannot say much about one that must not come next. */
export class TableReader {
  private readonly rules: Grammar['ParserRules'];
  private readonly tables: Tables;
  /** `states[i]` is the state in which `values[i]` begins. */
  private states: number[] = [0];
  private values: unknown[] = [];

  constructor({ ParserRules, tables }: Grammar) {
    this.rules = ParserRules;
    this.tables = tables();
  }

  /** Reads a token. If it must not come next, the reader is at no place any more. */
  read(token: Token): boolean {
    for (;;) {
      const action = this.action(this.states, token.type);
      if (action === undefined || action === 0) return false;
      if (action > 0) {
        this.states.push(action);
        this.values.push(token);
        return true;
      }
      const { postprocess, symbols } = this.rules[-1 - action];
      const parts: unknown[] = Array.from(symbols);
      for (let i = symbols.length - 1; i >= 0; i--) parts[i] = this.values.pop();
      this.values.push(postprocess === undefined ? parts : postprocess(parts));
      this.reduce(this.states, action);
    }
  }

  /** May the file end here? */
  isComplete(): boolean {
    const states = [...this.states];
    for (;;) {
      const action = this.action(states, END);
      if (action === undefined || action > 0) return false;
      if (action === 0) return true;
      this.reduce(states, action);
    }
  }

  /** What has been read, if the file may end here. */
  end<T>(): { readonly value: T } | undefined {
    if (!this.isComplete()) return undefined;
    this.read({ type: END, value: '', span: { file: '', start: 0, end: 0 } });
    return { value: this.values[0] as T };
  }

  mark(): Mark {
    return { states: [...this.states], values: [...this.values] };
  }

  goBack({ states, values }: Mark): void {
    this.states = [...states];
    this.values = [...values];
  }

  private action(states: readonly number[], type: string): number | undefined {
    const row = this.tables.actions[states[states.length - 1]];
    return typeof row === 'number' ? row : (row[type] ?? row['*']);
  }

  private reduce(states: number[], action: number): void {
    const { name, symbols } = this.rules[-1 - action];
    for (let i = 0; i < symbols.length; i++) states.pop();
    states.push(this.tables.gotos[states[states.length - 1]][name]);
  }
}

/** The type of the end of a file. */
const END = '';

/**
 * Reads the tokens of a file. Undefined for a file with mistakes; and for the few files without any that need more than
 * one token of lookahead. An Earley parser tells these apart.
 */
export function readByTables<T>(
  grammar: Grammar,
  tokens: readonly Token[],
): { readonly value: T } | undefined {
  const reader = new TableReader(grammar);
  return tokens.every((token) => reader.read(token)) ? reader.end<T>() : undefined;
}
