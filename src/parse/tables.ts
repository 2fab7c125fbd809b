import type nearley from 'nearley';
import type { Token } from './tokens.js';

/** A grammar as nearley compiles it, and the tables that scripts/tables.ts makes of it. */
export interface Grammar extends Pick<nearley.CompiledRules, 'ParserRules' | 'ParserStart'> {
  readonly tables: () => Tables;
}

/** The tables of an LR parser, which reads from left to right and never goes back. */
export interface Tables {
  /**
   * For each state, what to do at each type of token (`''` at the end of the file, `*` at all that are not
   * named): a positive number is the state to go on to, 0 means that the file is read, and -1 - r completes rule r. A state that does
   * the same at every token has just the number.
   */
  readonly actions: readonly (number | ByName)[];
  /** For each state, the state to go on to when a rule is complete, by the rule's name. */
  readonly gotos: readonly ByName[];
}

type ByName = { readonly [name: string]: number };

/**
 * Reads the tokens of a file, each just once. Undefined for a file with mistakes, and for the few good ones
 * for which the tables would need to look further ahead: an Earley parser can tell.
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
    // Below each value is the state in which it begins.
    states.length = before + 1;
    states.push(gotos[states[before]][name]);
  }
}
