import type { Encoding } from '../../encode/encode.js';
import type { Lit } from '../../encode/formula.js';
import { FALSE, TRUE } from '../../encode/formula.js';
import { chosenGuesses } from '../../model/instructions/chosen.js';
import type { EventStructure } from '../../program/events/structure.js';
import type { Solver } from '../../solve/solver.js';
import type { Pair, Witness } from './witness.js';
import { runOfWitness } from './witness.js';

/**
 * Extracts an execution from the solver's solution. Only the choices of the execution are read, not gates: a gate that
 * is encoded in one direction may have any value in the other.
 */
export function extract(structure: EventStructure, encoding: Encoding, solver: Solver): Witness {
  const { values } = structure;
  const { formula, base } = encoding;

  const truth = (lit: Lit): boolean => {
    if (lit === TRUE) return true;
    if (lit === FALSE) return false;
    const children = formula.children(lit);
    if (children !== undefined) {
      const all = children.every(truth);
      return lit > 0 ? all : !all;
    }
    const variable = formula.variable(lit);
    const value = variable !== undefined && solver.value(variable);
    return lit > 0 ? value : !value;
  };

  const choices = encoding.values.choices.map((lit) => Number(truth(lit)));
  const reads = values.flatMap((v, id) => {
    if (v.op !== 'read') return [];
    const number = [...encoding.values.cases(id)].find(([, lit]) => truth(lit))?.[0];
    return number === undefined ? [] : [[v.event, number] as const];
  });
  const run = runOfWitness(structure, { choices, reads, rf: [], mo: [], guessed: {} });
  const chosen = (name: string): Pair[] =>
    base.pairs(name).flatMap(({ pair, lit }) => (truth(lit) ? [pair] : []));
  const guesses = chosenGuesses(structure.program.instructions);
  return {
    choices,
    reads: reads.filter(([event]) => run.executed(event)),
    rf: chosen('rf'),
    mo: chosen('mo'),
    guessed: Object.fromEntries(guesses.map((name) => [name, chosen(name)])),
  };
}
