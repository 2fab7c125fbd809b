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

/**
 * Reads the tokens of a file. Undefined for a file with mistakes; and for the few files without any that need more than
 * one token of lookahead. An Earley parser tells these apart.
 */
export function readByTables<T>(
  { ParserRules: rules, tables }: Grammar,
  tokens: readonly Token[],
): { readonly value: T } | undefined {
  const { actions, gotos } = tables();
  const states = [0];
  const values: unknown[] = [];
  for (let index = 0; ;) {
    const row = actions[states[states.length - 1]];
    const action = typeof row === 'number' ? row : (row[tokens[index]?.type ?? ''] ?? row['*']);
    if (action === undefined) return undefined;
    if (action === 0) return { value: values[0] as T };
    if (action > 0) {
      states.push(action);
      values.push(tokens[index++]);
      continue;
    }
    const { name, symbols, postprocess } = rules[-1 - action];
    const before = values.length - symbols.length;
    const parts = values.splice(before);
    values.push(postprocess === undefined ? parts : postprocess(parts));
    // `states[i]` is the state in which `values[i]` begins.
    states.length = before + 1;
    states.push(gotos[states[before]][name]);
  }
}
