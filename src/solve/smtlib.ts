/** SMT-LIB 2 as text: what is said to a solver, and what it answers. Variable 5 is called by what `name` says, or `v5`. */

export type SmtName = (variable: number) => string;

export const plainName: SmtName = (variable) => `v${variable}`;

export const literalText = (literal: number, name: SmtName): string =>
  literal > 0 ? name(literal) : `(not ${name(-literal)})`;

export const declarationText = (variable: number, name: SmtName): string =>
  `(declare-const ${name(variable)} Bool)\n`;

const integerName = (integer: number): string => `i${integer}`;

export const integerText = (integer: number): string =>
  `(declare-const ${integerName(integer)} Int)\n`;

/** One integer is less than another where a literal is true, or always. */
export function lessText(
  smaller: number,
  larger: number,
  where: number | undefined,
  name: SmtName,
): string {
  const less = `(< ${integerName(smaller)} ${integerName(larger)})`;
  if (where === undefined) return `(assert ${less})\n`;
  return `(assert (or ${literalText(-where, name)} ${less}))\n`;
}

export function clauseText(clause: readonly number[], name: SmtName): string {
  const literals = clause.map((literal) => literalText(literal, name));
  if (literals.length === 0) return '(assert false)\n';
  return literals.length === 1
    ? `(assert ${literals[0]})\n`
    : `(assert (or ${literals.join(' ')}))\n`;
}

/** The values in an answer to `get-value`, by variable; undefined: it is no such answer. */
export function valuesAnswered(answer: string, count: number): Uint8Array | undefined {
  const values = new Uint8Array(count + 1);
  let found = 0;
  for (const [, variable, value] of answer.matchAll(/\(\s*v(\d+)\s+(true|false)\s*\)/g)) {
    values[Number(variable)] = value === 'true' ? 1 : 0;
    found += 1;
  }
  return found === count ? values : undefined;
}

/** What a solver is told first. */
export const preamble = (logic: string): string =>
  `(set-option :print-success false)\n(set-option :produce-models true)\n(set-logic ${logic})\n`;

/** How much of an answer that makes no sense is shown. */
const SHOWN = 80;

/** An answer that was not expected, as a message: an error that the solver reports, or anything. */
export function shownAnswer(solver: string, answer: string): string {
  const error = /^\(error\s+"?(.*?)"?\s*\)/s.exec(answer)?.[1];
  const [line] = (error ?? answer).split('\n');
  const shown = line.length > SHOWN ? `${line.slice(0, SHOWN)}…` : line;
  return error === undefined ? `${solver} answers '${shown}'` : `${solver} reports: ${shown}`;
}
