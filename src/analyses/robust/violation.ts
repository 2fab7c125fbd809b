import type { Event, EventStructure } from '../../program/events/structure.js';
import { INITIAL } from '../../program/events/structure.js';
import type { Highlight } from '../explain/graph.js';
import { graphOf } from '../explain/graph.js';
import { shownRelations } from '../explain/shown-relations.js';
import type { Axiom, Model } from '../../model/term.js';
import { finalState } from '../../program/final.js';
import { allSubjects } from '../../program/subjects.js';
import { evaluate } from '../../model/relation/concrete.js';
import type { Verified } from '../../check/witness/verify.js';
import { shortestViolation } from './cycle.js';
import type { PerformedRun, Violation } from './result.js';

/**
 * An execution as plain data: its events with their numbers, the values that it leaves, and a picture
 * with the relations that a model shows.
 */
export function describedViolation(
  structure: EventStructure,
  verified: Verified,
  model: Model,
  highlight?: Highlight,
): Violation {
  const { program } = structure;
  const { witness, events, run } = verified;
  // If threads may stop anywhere, some registers were not set yet: only memory has final values.
  const subjects = allSubjects(program).filter(
    (s) => structure.prefixes !== true || s.kind === 'location',
  );
  return {
    witness,
    events: events.map((e) => performed(structure, run.value, e)),
    state: finalState(program, subjects, run.final),
    graph: graphOf(
      structure,
      verified,
      { shown: shownRelations(model), asked: false, source: program },
      highlight,
    ),
  };
}

/**
 * An execution that breaks an axiom of the reference, and the cycle that shows it. Undefined: by the concrete evaluator, the
 * axiom holds.
 */
export function describeViolation(
  structure: EventStructure,
  verified: Verified,
  model: Model,
  reference: Model,
  axiom: Axiom,
): Violation | undefined {
  const judgement = evaluate(reference, verified.execution);
  const broken = judgement.axioms.some((a) => a.axiom === axiom && !a.holds);
  if (!broken) return undefined;
  const cycle = shortestViolation(reference, axiom, judgement);
  if (cycle === undefined) return describedViolation(structure, verified, model);
  const id = (position: number): number => verified.events[position].id;
  const edges = cycle.map(({ from, relation }, i) => ({
    relation,
    from: id(from),
    to: id(cycle[(i + 1) % cycle.length].from),
  }));
  const described = describedViolation(structure, verified, model, edges);
  return {
    ...described,
    cycle: cycle.map(({ from, relation }) => ({ event: described.events[from], relation })),
  };
}

function performed(
  { program, values }: EventStructure,
  number: Verified['run']['value'],
  { id, thread, label, location, node, queuePair, span, value }: Event,
): PerformedRun {
  const read = values.findIndex((v) => v.op === 'read' && v.event === id);
  const reads = read < 0 ? undefined : number(read);
  const writes = value === undefined ? undefined : number(value);
  return {
    id,
    thread: thread === INITIAL ? undefined : program.threads[thread].name,
    label,
    location: location === undefined ? undefined : program.locations[location].name,
    node,
    queuePair,
    reads,
    writes,
    span,
  };
}
