import { guessesIn } from '../program/events/guesses.js';
import type { EventStructure } from '../program/events/structure.js';
import type { Proposition, Subject } from '../program/program.js';
import { subjectName } from '../program/subjects.js';
import type { Encoding } from './encode.js';
import type { Lit } from './formula.js';

/**
 * Names for the solver's variables that say what they are true of: `rf_3_7`, `read_7_is_1`,
 * `executed_7`, `final_x_is_1`. Gates inside formulas have none.
 *
 * A variable may mean several things at once, such as "event 7 is executed" and "event 8 is"; the
 * first name wins. What stands for the negation of something is called `not_…`.
 */
export function variableNames(
  structure: EventStructure,
  encoding: Encoding,
  condition: Proposition,
): ReadonlyMap<number, string> {
  const { formula, values, base } = encoding;
  const { events } = structure;
  const names = new Map<number, string>();
  const used = new Set<string>();

  const call = (lit: Lit, name: string): void => {
    const variable = formula.variable(lit);
    if (variable === undefined || names.has(variable)) return;
    const signed = lit > 0 ? name : `not_${name}`;
    // Private names of threads may look alike once signs are left out.
    let unique = signed;
    for (let i = 2; used.has(unique); i++) unique = `${signed}_${i}`;
    used.add(unique);
    names.set(variable, unique);
  };

  values.choices.forEach((lit, i) => call(lit, `choice_${i}`));
  events.forEach((e) => call(base.executed(e.id), `executed_${e.id}`));
  for (const relation of ['rf', 'mo', ...guessesIn(structure).map((guess) => guess.name)]) {
    for (const a of events) {
      for (const b of events) {
        const lit = base.base(relation, a.id, b.id);
        const name = `${relation}_${a.id}_${b.id}`;
        call(lit, name);
        // The free variable inside: what is chosen, whether or not both events are executed.
        for (const kid of formula.children(lit) ?? []) {
          if (formula.children(kid) === undefined && kid > 0) call(kid, `${name}_chosen`);
        }
      }
    }
  }
  structure.values.forEach((value, id) => {
    if (value.op !== 'read') return;
    for (const [n, lit] of positiveFirst(values.cases(id))) {
      call(lit, `read_${value.event}_is_${numberName(n)}`);
    }
  });
  for (const subject of subjectsOf(condition)) {
    const name = subjectName(structure.program, subject).replace(/\W/g, '_');
    for (const [n, lit] of encoding.finalValues(subject)) {
      call(lit, `final_${name}_is_${numberName(n)}`);
    }
  }
  call(encoding.dividesByZero, 'divides_by_zero');
  return names;
}

/** Of two values that one variable tells apart, the one that it stands for gives it its name. */
const positiveFirst = (cases: ReadonlyMap<number, Lit>): readonly (readonly [number, Lit])[] =>
  [...cases].sort(([, a], [, b]) => Number(a < 0) - Number(b < 0));

const numberName = (n: number): string => (n < 0 ? `minus_${-n}` : String(n));

function subjectsOf(condition: Proposition): readonly Subject[] {
  switch (condition.kind) {
    case 'true':
      return [];
    case 'atom':
      return condition.right.kind === 'int' ? [condition.left] : [condition.left, condition.right];
    case 'not':
      return subjectsOf(condition.arg);
    case 'and':
    case 'or':
      return [...subjectsOf(condition.left), ...subjectsOf(condition.right)];
  }
}
