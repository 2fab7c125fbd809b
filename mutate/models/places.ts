import type { Edit } from './mutant.js';
import { shippedText } from './text.js';

/** Where the things that are mutated stand in the model files. */

export type Union = 'ib' | 'ob';

/** Inserts definitions after all that the model makes of the tables, before `ib` uses them. */
export function beforeIb(model: string, definitions: string): Edit {
  const { head } = unionOf(model, 'ib');
  return { file: `${model}.cat`, from: head, to: `${definitions}\n${head}` };
}

/** The definition of `ib` or `ob`: `let ib = (… | … | …)+`. */
export function unionOf(
  model: string,
  name: Union,
): { readonly text: string; readonly head: string; readonly members: readonly string[] } {
  const found = new RegExp(`((?:let|let rec|and) ${name} = )\\((.*)\\)\\+\\n`).exec(
    shippedText(`${model}.cat`),
  );
  if (found === null) throw new Error(`${model} does not define ${name} as a closed union`);
  return { text: found[0].trimEnd(), head: found[1], members: membersOf(found[2]) };
}

/** Redefines the union: with other members, or with another end than `+`. */
export function redefine(model: string, name: Union, members: readonly string[], end = '+'): Edit {
  const { text, head } = unionOf(model, name);
  return { file: `${model}.cat`, from: text, to: `${head}(${members.join(' | ')})${end}` };
}

/** The parts of a union that stand outside of parentheses. */
export function membersOf(union: string): readonly string[] {
  const members: string[] = [];
  let depth = 0;
  let start = 0;
  for (let i = 0; i <= union.length; i++) {
    if (union[i] === '(') depth++;
    if (union[i] === ')') depth--;
    if (i === union.length || (union[i] === '|' && depth === 0)) {
      members.push(union.slice(start, i).trim());
      start = i + 1;
    }
  }
  return members;
}
