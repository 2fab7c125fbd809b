import { computeBounds } from '../bounds/bounds.js';
import { encode } from '../encode/encode.js';
import type { EventStructure } from '../events/structure.js';
import type { Model } from '../model/term.js';
import { inverse, successors } from '../relation/matrix.js';
import type { SolverFactory } from '../solve/solver.js';

/** The likely cause why a program has no consistent execution under a model, in words. */
export function causeOfVacuity(
  structure: EventStructure,
  model: Model,
  newSolver: SolverFactory,
): string {
  const satisfiable = (under: Model | undefined): boolean => {
    const result = computeBounds(structure, under);
    if (!result.ok) return true;
    const solver = newSolver();
    try {
      encode(structure, result.bounds, under, (clause) => solver.addClause(clause));
      return solver.check([]).kind !== 'unsat';
    } finally {
      solver.dispose();
    }
  };
  if (!satisfiable(undefined)) return causeInProgram(structure);
  const alone = model.axioms.find(
    (axiom) => !axiom.flag && !satisfiable({ ...model, axioms: [axiom] }),
  );
  if (alone !== undefined)
    return `axiom '${alone.name}' of ${model.name} rules out every execution`;
  const names = model.axioms.filter((a) => !a.flag).map((a) => a.name);
  return `the axioms ${names.join(', ')} of ${model.name} together rule out every execution`;
}

function causeInProgram(structure: EventStructure): string {
  const result = computeBounds(structure, undefined);
  const polls = structure.events.filter((e) => e.label === 'P');
  if (result.ok) {
    const polled = inverse(result.bounds.base.relations.get('pf')!.may);
    const idle = polls.find((p) => [...successors(polled, p.id)].length === 0);
    if (idle !== undefined) {
      const thread = structure.program.threads[idle.thread].name;
      return `${thread} polls node ${idle.node} more often than it has operations towards it`;
    }
  }
  const causes = ['an `assume` or a CAS that no run satisfies'];
  if (polls.length > 0) causes.push('a poll with nothing to poll');
  return `no path of the program can be executed: ${causes.join(', or ')}`;
}
