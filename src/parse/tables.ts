import type nearley from 'nearley';
import type { Token } from './tokens.js';

/** A grammar as nearleyc has it, and the tables that scripts/tables.js makes of it. */
export interface Grammar extends Pick<nearley.CompiledRules, 'ParserRules' | 'ParserStart'> {
  readonly tables: Tables;
}

/** What to do in each state at a type of token, and where to go on when a rule is complete. */
export interface Tables {
  /**
   * At a type of token, `''` at the end: a state to go on to, 0 where all is read, or -1 - r to complete
   * rule r. A number instead: the same at any token.
   */
  readonly actions: readonly (number | ByName)[];
  /** By the rule's name: the state to go on to. */
  readonly gotos: readonly ByName[];
}

type ByName = { readonly [name: string]: number };

/**
 * Reads the tokens of a file, each just once. Undefined for what is not in the language, and for the little of
 * it that the tables cannot tell apart: an Earley parser knows which it is.
 */
export function readByTables<T>(
  { ParserRules: rules, tables: { actions, gotos } }: Grammar,
  tokens: readonly Token[],
): { readonly value: T } | undefined {
  const states = [0];
  const values: unknown[] = [];
  for (let index = 0; ;) {
    const row = actions[states[states.length - 1]];
    const action = typeof row === 'number' ? row : row[tokens[index]?.type ?? ''];
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
