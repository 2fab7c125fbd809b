import { BASE_RELATIONS, CHOSEN_RELATIONS } from '../model/bases.js';
import { callSetName, librarySetName } from '../model/instructions/library.js';
import type { Label } from '../model/instructions/set.js';
import type { Left } from '../model/operators/leaving.js';
import { sharesOf } from '../model/shares.js';
import type { Model, Term } from '../model/term.js';
import { isPointwise, labelsGuessed } from '../program/events/guesses.js';
import { isPlainRead, plainRead } from '../program/events/iterations.js';
import { membership } from '../program/events/relations.js';
import type { Event } from '../program/events/structure.js';

/**
 * Are executions of a model still consistent, with the same flags, if reads of expressions are left out of them? Then
 * the last iteration of a loop that only reads is enough (`program/events/iterations.ts`).
 *
 * Base relations between the remaining events do not change. So an axiom still holds if its term can only lose pairs. A
 * test that something is there, or a flag, must not be about the reads at all.
 */
export function mayLeaveOutReads(model: Model): boolean {
  const before = known.get(model);
  if (before !== undefined) return before;
  const made = judged(model);
  known.set(model, made);
  return made;
}

const known = new WeakMap<Model, boolean>();

function judged(model: Model): boolean {
  const { instructions } = model;
  const read = plainRead(instructions);
  // A guess about reads may need every one of them.
  if (read === undefined || labelsGuessed(instructions)?.has(read.name) !== false) return false;
  const { operations, tags } = instructions;
  // An operation of a library can be left out if it is a read, and nothing else.
  const reads = operations.filter((o) => o.library !== undefined && isPlainRead(o, read));
  const holders = new Set([
    ...tags.map(({ name }) => name),
    ...reads.flatMap((o) => [callSetName(o)!, librarySetName(o.library!)]),
  ]);
  return holdsWithout(model, ({ kind, name }) =>
    kind === 'set' ? setLeft(name, read, holders) : relationLeft(name, read),
  );
}

/**
 * The same for all events of some calls, if no remaining event reads from them. The executions without them must have
 * the modification order and the guesses between the remaining events.
 */
export function mayLeaveOut(model: Model, events: readonly Event[]): boolean {
  const { instructions } = model;
  const restricted = instructions.guesses.every(({ how }) => how === 'either' || how === 'total');
  if (!restricted || !isPointwise(instructions)) return false;
  const isIn = membership(instructions);
  return holdsWithout(model, ({ kind, name }) => {
    const apart = kind === 'set' ? !events.some(isIn(name)!) : isWithout(name, events);
    return { share: 'same', from: apart, to: apart, within: name === 'same' };
  });
}

/** Can a base relation have none of some events? */
function isWithout(name: string, events: readonly Event[]): boolean {
  if (name === 'wid') return events.every((e) => e.work === undefined);
  return ['sn', 'sqp'].includes(name) && events.every((e) => e.node === undefined);
}

/** Do all axioms hold as before, with the same flags? */
function holdsWithout(model: Model, base: (term: Extract<Term, { op: 'base' }>) => Left): boolean {
  const left = sharesOf(model, base);
  return model.axioms.every(({ term, negated, flag }) => {
    const { share, from, to } = left[term];
    return negated || flag ? share === 'same' && from && to : share !== 'unknown';
  });
}

/** What a base set loses if reads with a label are left out. */
function setLeft(name: string, { name: label, by }: Label, holders: ReadonlySet<string>): Left {
  const mayHoldThem =
    name === label || name === 'R' || holders.has(name) || name.toLowerCase() === by;
  return { share: 'same', from: !mayHoldThem, to: !mayHoldThem };
}

/** The same for a base relation. Guesses are not about these reads, and reads have no work identifier. */
function relationLeft(name: string, { onQueuePair }: Label): Left {
  const isChosen = CHOSEN_RELATIONS.includes(name) || !BASE_RELATIONS.includes(name);
  const isApart = name === 'wid' || (!onQueuePair && ['sqp', 'sn'].includes(name));
  return { share: 'same', from: isChosen || isApart, to: (isChosen && name !== 'rf') || isApart };
}
