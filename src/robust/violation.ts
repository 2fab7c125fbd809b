import type { Event, EventStructure } from '../events/structure.js';
import { INITIAL } from '../events/structure.js';
import type { Axiom, Model } from '../model/term.js';
import { finalState } from '../program/final.js';
import { allSubjects } from '../program/subjects.js';
import { evaluate } from '../relation/concrete.js';
import type { Verified } from '../witness/verify.js';
import { shortestCycle } from './cycle.js';
import type { Performed, Violation } from './result.js';

/** An execution as plain data: its events with their numbers, and the values that it leaves. */
export function describe(structure: EventStructure, { witness, events, run }: Verified): Violation {
  const { program } = structure;
  // A thread that was stopped leaves registers that it has not come to.
  const subjects = allSubjects(program).filter(
    (s) => structure.prefixes !== true || s.kind === 'location',
  );
  return {
    witness,
    events: events.map((e) => performed(structure, run.value, e)),
    state: finalState(program, subjects, run.final),
  };
}

/**
 * An execution that an axiom of the reference rules out, with the cycle that shows it. Undefined: the
 * concrete evaluator finds that the axiom holds.
 */
export function describeViolation(
  structure: EventStructure,
  verified: Verified,
  reference: Model,
  axiom: Axiom,
): Violation | undefined {
  const judgement = evaluate(reference, verified.execution);
  const broken = judgement.axioms.some((a) => a.axiom === axiom && !a.holds);
  if (!broken) return undefined;
  const described = describe(structure, verified);
  const cycle = shortestCycle(reference, axiom, judgement);
  if (cycle === undefined) return described;
  return {
    ...described,
    cycle: cycle.map(({ from, relation }) => ({ event: described.events[from], relation })),
  };
}

function performed(
  { program, values }: EventStructure,
  number: Verified['run']['value'],
  { id, thread, label, location, node, span, value }: Event,
): Performed {
  const read = values.findIndex((v) => v.op === 'read' && v.event === id);
  const reads = read < 0 ? undefined : number(read);
  const writes = value === undefined ? undefined : number(value);
  return {
    id,
    ...(thread !== INITIAL && { thread: program.threads[thread].name }),
    label,
    ...(location !== undefined && { location: program.locations[location].name }),
    ...(node !== undefined && { node }),
    ...(reads !== undefined && { reads }),
    ...(writes !== undefined && { writes }),
    ...(span !== undefined && { span }),
  };
}
