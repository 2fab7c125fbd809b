import { BASE_RELATIONS, CHOSEN_RELATIONS } from '../model/bases.js';
import { callSetName, librarySetName } from '../model/instructions/library.js';
import type { Label } from '../model/instructions/set.js';
import type { Left } from '../model/operators/leaving.js';
import { sharesOf } from '../model/shares.js';
import type { Model, Term } from '../model/term.js';
import { isPointwise, labelsGuessed } from '../program/events/guesses.js';
import { labelRead, plainRead } from '../program/events/iterations.js';
import { membership } from '../program/events/relations.js';
import type { Event } from '../program/events/structure.js';

/**
 * The labels of reads without which executions of a model are still consistent, with the same flags: those of expressions, and of operations like `ldar`. Where
 * a loop only reads so, its last iteration is enough (`program/events/iterations.ts`).
 *
 * Base relations between the remaining events do not change. So an axiom still holds if its term can only lose pairs. A
 * test that something is there, or a flag, must not be about the reads at all.
 */
export function readsLeftOut(model: Model): readonly string[] {
  const before = known.get(model);
  if (before !== undefined) return before;
  const made = judged(model);
  known.set(model, made);
  return made;
}

const known = new WeakMap<Model, readonly string[]>();

function judged(model: Model): readonly string[] {
  const { instructions } = model;
  const read = plainRead(instructions);
  if (read === undefined) return [];
  const others = instructions.labels.filter(
    ({ name }) => name !== read.name && instructions.operations.some((o) => labelRead(o) === name),
  );
  const tried = [[read, ...others], [read]].find((labels) => areLeftOut(labels, model)) ?? [];
  return tried.map(({ name }) => name);
}

function areLeftOut(labels: readonly Label[], model: Model): boolean {
  const { instructions } = model;
  const guessed = labelsGuessed(instructions);
  // A guess about reads may need every one of them.
  if (guessed === undefined || labels.some(({ name }) => guessed.has(name))) return false;
  const { operations, tags } = instructions;
  const names = labels.map(({ name }) => name);
  // An operation of a library can be left out if it is a read, and nothing else.
  const reads = operations.filter(
    (o) => o.library !== undefined && names.includes(labelRead(o) ?? ''),
  );
  const holders = new Set([
    ...['R', ...names, ...labels.flatMap(({ by }) => by ?? [])],
    ...tags.map(({ name }) => name),
    ...reads.flatMap((o) => [callSetName(o)!, librarySetName(o.library!)]),
  ]);
  const isOnQueue = labels.some(({ onQueuePair }) => onQueuePair);
  return holdsWithout(model, ({ kind, name }) =>
    kind === 'set' ? setLeft(name, holders) : relationLeft(name, isOnQueue),
  );
}

/**
 * The same for all events of some calls, if no remaining event reads from them. The executions without them must have
 * the modification order and the guesses between the remaining events.
 */
export function mayLeaveOut(model: Model, events: readonly Event[]): boolean {
  const { instructions } = model;
  const guessed = labelsGuessed(instructions);
  const isApart = guessed !== undefined && !events.some(({ label }) => guessed.has(label));
  const restricted = instructions.guesses.every(({ how }) => how === 'either' || how === 'total');
  if (!isApart && !(restricted && isPointwise(instructions))) return false;
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

/** What a base set loses if reads are left out that only some sets have. */
function setLeft(name: string, holders: ReadonlySet<string>): Left {
  const mayHoldThem = holders.has(name) || holders.has(name.toLowerCase());
  return { share: 'same', from: !mayHoldThem, to: !mayHoldThem };
}

/** The same for a base relation. Guesses are not about these reads, and reads have no work identifier. */
function relationLeft(name: string, isOnQueue: boolean): Left {
  const isChosen = CHOSEN_RELATIONS.includes(name) || !BASE_RELATIONS.includes(name);
  const isApart = name === 'wid' || (!isOnQueue && ['sqp', 'sn'].includes(name));
  return { share: 'same', from: isChosen || isApart, to: (isChosen && name !== 'rf') || isApart };
}
