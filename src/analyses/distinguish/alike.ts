import { reachableTerms } from '../../model/depends.js';
import { operandsOf } from '../../model/term.js';
import type { Model, TermId } from '../../model/term.js';

/**
 * Do two models say the same in the same words: have they the same axioms, but for names and for the order in which unions and
 * intersections are written? Then they allow the same. If not, they may allow the same all the same.
 */
export function areAlike(a: Model, b: Model): boolean {
  const table = new Map<string, number>();
  return axiomsIn(a, table) === axiomsIn(b, table);
}

/** The axioms as numbers of a table in which equal terms have one number. */
function axiomsIn(model: Model, table: Map<string, number>): string {
  const numbers: number[] = [];
  const { terms, groups } = model;
  const numbered = (key: string): number => {
    const known = table.get(key) ?? table.size;
    table.set(key, known);
    return known;
  };
  const sorted = (id: TermId, op: 'union' | 'inter'): readonly number[] => {
    const term = terms[id];
    if (term.op !== op) return [numbers[id]];
    return [...new Set([...sorted(term.left, op), ...sorted(term.right, op)])].sort(
      (x, y) => x - y,
    );
  };
  const reached = reachableTerms(model);
  for (const [id, term] of terms.entries()) {
    if (!reached.has(id)) continue;
    const { op, kind } = term;
    if (op === 'union' || op === 'inter') numbers[id] = numbered(`${op} ${sorted(id, op).join()}`);
    else if (op === 'base') numbers[id] = numbered(`base ${kind} ${term.name}`);
    else if (op === 'rec' || op === 'fix') {
      // Recursive definitions are the same only where all terms up to their end are.
      const { end } = groups[term.group];
      numbers[id] = numbered(JSON.stringify([term, groups[term.group], terms.slice(0, end)]));
    } else
      numbers[id] = numbered(
        `${op} ${kind} ${operandsOf(term)
          .map((one) => numbers[one])
          .join()}`,
      );
  }
  const axioms = model.axioms.flatMap(({ test, negated, flag, term }) =>
    flag ? [] : [`${test} ${String(negated)} ${numbers[term]}`],
  );
  const guesses = model.instructions.guesses.map((guess) =>
    JSON.stringify({ ...guess, words: undefined }),
  );
  const guessed = new Set(
    [...reached].flatMap((id) => {
      const term = terms[id];
      return term.op === 'base'
        ? guesses.filter((_, i) => model.instructions.guesses[i].name === term.name)
        : [];
    }),
  );
  return [...new Set(axioms)].sort().join(';') + [...guessed].sort().join();
}
