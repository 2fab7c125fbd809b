import type { At } from './tree.js';

/** Conditions over what nobody knows, by their texts. */

/** What a condition over what nobody knows was, on the way at hand; nothing, if ways have met that took it otherwise. */
export const KNOWN = 'known ';
/** A finding: a condition comes again. */
export const DECIDED = 'decided ';

export const decidedIn = (findings: ReadonlySet<string>): ReadonlyMap<string, At> =>
  new Map(
    [...findings].flatMap((one) => {
      const [, start, end, text] = /^decided (\d+) (\d+) (.*)$/s.exec(one) ?? [];
      return text === undefined
        ? []
        : [[text, { startIndex: Number(start), endIndex: Number(end) }] as const];
    }),
  );

const NEGATIONS: ReadonlyMap<string, string> = new Map([
  ['!=', '=='],
  ['>=', '<'],
  ['<=', '>'],
]);

/** A path without the signs that negate it, and whether they do. */
export function positive(text: string): readonly [text: string, isNegated: boolean] {
  const [, inner] = /^!\((.*)\)$/s.exec(text) ?? [];
  if (inner !== undefined && isGrouped(inner)) {
    const [path, isNegated] = positive(inner);
    return [path, !isNegated];
  }
  const [, left, operator, right] = /^(.*) (==|!=|<=|>=) (.*)$/s.exec(text) ?? [];
  if (operator === undefined || !isGrouped(left) || !isGrouped(right)) return [text, false];
  const [is, other] = [NEGATIONS.get(operator) ?? operator, NEGATIONS.has(operator)];
  if (is !== '==' || right !== '0') return [`${left} ${is} ${right}`, other];
  // To be zero is to hold not.
  const [path, isNegated] = positive(left);
  return [path, isNegated === other];
}

/** Whether each parenthesis of a text is closed in it. */
function isGrouped(text: string): boolean {
  let depth = 0;
  for (const sign of text) {
    depth += sign === '(' ? 1 : sign === ')' ? -1 : 0;
    if (depth < 0) return false;
  }
  return depth === 0;
}
