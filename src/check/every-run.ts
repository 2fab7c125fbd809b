import { FIXED_RELATIONS, baseSets } from '../program/events/relations.js';
import { unroll } from '../program/events/unroll.js';
import { operationsOf } from '../model/instructions/operations.js';
import type { Body } from '../model/instructions/set.js';
import { operandsOf } from '../model/interpret.js';
import type { Axiom, Model, Term } from '../model/term.js';
import type { Instruction, Program } from '../program/program.js';
import { evaluate } from '../model/relation/concrete.js';
import { fixedRelations } from '../program/events/fixed.js';

/** Is an instruction the same events whatever is read? */
function isPlain(i: Instruction, program: Program): boolean {
  if (i.kind !== 'call') return i.kind === 'assign';
  const operation = operationsOf(program.instructions).named(i.operation, i.tag);
  return operation.alternatives.length === 1 && !branches(operation.alternatives[0].body);
}

const branches = (body: Body): boolean =>
  body.kind === 'if' || (body.kind !== 'event' && body.parts.some(branches));

/**
 * An axiom that every complete run of a program breaks, however often loops run: by the events alone
 * that are in every run, those outside of branches and loops, and by what they fix. Undefined: none
 * is known to be.
 */
export function brokenByEveryRun(program: Program, model: Model): Axiom | undefined {
  const judged = tellingAxioms(model);
  if (judged.length === 0) return undefined;
  const threads = program.threads.map((thread) => ({
    ...thread,
    body: thread.body.filter((i) => isPlain(i, program)),
  }));
  const { events } = unroll({ ...program, threads });
  const fixed = fixedRelations(events);
  const names = model.bases.filter((name) => FIXED_RELATIONS.has(name));
  const relations = new Map(names.map((name) => [name, fixed(name)]));
  const sets = { get: baseSets(events, program.instructions) };
  const execution = { size: events.length, sets, relations };
  const { axioms } = evaluate({ ...model, axioms: judged }, execution);
  return axioms.find(({ holds }) => !holds)?.axiom;
}

/**
 * How a term over some events of a run is related to the same term over all: it is the same as far as
 * these events go, or a part of it, or nothing is known.
 */
type Share = 'same' | 'part' | 'unknown';

/** The axioms that a run breaks if some of its events do, whatever it chooses. */
function tellingAxioms({ terms, axioms }: Model): readonly Axiom[] {
  const shares: Share[] = [];
  terms.forEach((term, id) => (shares[id] = shareOf(term, shares)));
  return axioms.filter(
    ({ term, negated, flag }) => !negated && !flag && shares[term] !== 'unknown',
  );
}

function shareOf(term: Term, shares: readonly Share[]): Share {
  const of = operandsOf(term).map((id) => shares[id]);
  const least: Share = of.includes('unknown') ? 'unknown' : of.includes('part') ? 'part' : 'same';
  switch (term.op) {
    case 'base':
      return term.kind === 'set' || term.name === 'id' || FIXED_RELATIONS.has(term.name)
        ? 'same'
        : 'unknown';
    // A pair or an event is in these by what it is in the operands, whatever other events there are.
    case 'empty':
    case 'universe':
    case 'union':
    case 'inter':
    case 'product':
    case 'identity':
    case 'inverse':
    case 'opt':
      return least;
    case 'rec':
    case 'fix':
      return 'unknown';
    case 'compl':
      return least === 'same' ? 'same' : 'unknown';
    case 'diff':
      return of[1] === 'same' ? of[0] : 'unknown';
    // Other events may lie between two of these, or be related to one.
    case 'seq':
    case 'plus':
    case 'star':
    case 'domain':
    case 'range':
      return least === 'unknown' ? 'unknown' : 'part';
  }
}
