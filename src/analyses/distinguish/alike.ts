import { structureFor } from '../../check/structure.js';
import { reachableTerms } from '../../model/depends.js';
import { operandsOf } from '../../model/term.js';
import type { Model, TermId } from '../../model/term.js';
import { modelOver } from '../../program/events/narrow.js';
import type { Test } from '../../program/program.js';
import { adapt } from '../../rdma/translate.js';

/** The numbers of terms: equal terms have one number, whatever model they are of. */
export type TermNumbers = Map<string, number>;

/**
 * What a model says of a program, once all that its calls do not do is left out: the events of the program, and the
 * axioms, but for their names and for the order in which unions and intersections are written. Models of which this is
 * the same allow the same. If it is not, they may allow the same all the same.
 *
 * @returns undefined if the program has to be translated for the model
 */
export function saidOf({ program }: Test, model: Model, numbers: TermNumbers): string | undefined {
  const adapted = adapt(program, model);
  if (!adapted.ok || adapted.value.note !== undefined) return undefined;
  const structure = structureFor(adapted.value.program, model);
  if ('reason' in structure) return undefined;
  const events = JSON.stringify({ ...structure, program: undefined });
  return `${axiomsIn(modelOver(structure, model), numbers)} of ${events}`;
}

/** The axioms as numbers of a table in which equal terms have one number. */
function axiomsIn(model: Model, table: TermNumbers): string {
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
