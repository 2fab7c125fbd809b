import type { Model, Term, TermId } from '../model/term.js';

/**
 * How far one has to look to tell whether two events are related, or whether one event is in a set:
 * - `call`: of a relation, that it is within single calls; of a set, that an event's own call tells
 * - `two`: the calls of both events tell
 * - `far`: other calls matter
 */
export type Reach = 'call' | 'two' | 'far';

/**
 * Of each term of a model, how far one has to look. What is `call` or `two` by its form is so in every program: to know it for two calls, two calls are
 * enough. `rf`, `mo` and guesses count as `two`: whether they relate two events is for a run to decide.
 *
 * @param within guesses that relate events of one call, as messages have the events of what they take
 */
export function reachesOf(
  { terms }: Pick<Model, 'terms'>,
  within: readonly string[] = [],
): readonly Reach[] {
  const found: Reach[] = [];
  terms.forEach((term, id) => {
    const isWithin = term.op === 'base' && within.includes(term.name);
    found[id] = isWithin ? 'call' : reachOf(term, terms, found);
  });
  return found;
}

function reachOf(term: Term, terms: readonly Term[], found: readonly Reach[]): Reach {
  switch (term.op) {
    case 'base':
      return term.kind === 'set' || WITHIN.includes(term.name) ? 'call' : 'two';
    case 'empty':
      return 'call';
    case 'universe':
    case 'identity':
      return term.op === 'universe' || found[term.arg] === 'call' ? 'call' : 'far';
    case 'rec':
    case 'fix':
      return 'far';
    case 'product':
      return both(found[term.left], found[term.right]) === 'far' ? 'far' : 'two';
    case 'union':
      return both(found[term.left], found[term.right]);
    case 'inter': {
      const [a, b] = [found[term.left], found[term.right]];
      if (a === 'far' || b === 'far') return 'far';
      return term.kind === 'rel' && (a === 'call' || b === 'call') ? 'call' : both(a, b);
    }
    case 'diff':
      return found[term.right] === 'far' ? 'far' : found[term.left];
    case 'compl':
      if (found[term.arg] === 'far') return 'far';
      return term.kind === 'set' ? 'call' : 'two';
    case 'inverse':
      return found[term.arg];
    case 'opt':
      return found[term.arg];
    case 'plus':
    case 'star':
      return found[term.arg] === 'call' ? 'call' : 'far';
    case 'domain':
    case 'range':
      return found[term.arg] === 'call' ? 'call' : 'far';
    case 'seq': {
      if (isReadsBefore(term, terms)) return 'two';
      const [a, b] = [found[term.left], found[term.right]];
      if (a === 'call') return b;
      return b === 'call' ? a : 'far';
    }
  }
}

/** Base relations within single calls. */
const WITHIN: readonly string[] = ['same', 'id'];

const ORDER: readonly Reach[] = ['call', 'two', 'far'];

const both = (a: Reach, b: Reach): Reach => ORDER[Math.max(ORDER.indexOf(a), ORDER.indexOf(b))];

/**
 * Is it `rf^-1 ; mo`, in any model the way to say "reads a value that the other overwrites"? There the write between the two is of any call, but what it says
 * is about two events: a read, and a write that comes after the one that it reads from.
 */
export function isReadsBefore(term: Term, terms: readonly Term[]): boolean {
  if (term.op !== 'seq') return false;
  const [left, right] = [terms[term.left], terms[term.right]];
  if (left.op !== 'inverse' || right.op !== 'base' || right.name !== 'mo') return false;
  const from = terms[left.arg];
  return from.op === 'base' && from.name === 'rf';
}

/** The first term on which some terms depend, themselves among them, that is `far`, where its operands are not. */
export function farTerm(
  reaches: readonly Reach[],
  of: readonly TermId[],
  operandsOf: (id: TermId) => readonly TermId[],
): TermId | undefined {
  const pending = [...of];
  const seen = new Set<TermId>();
  let found: TermId | undefined;
  for (let id = pending.pop(); id !== undefined; id = pending.pop()) {
    if (seen.has(id) || reaches[id] !== 'far') continue;
    seen.add(id);
    if (found === undefined || id < found) found = id;
    pending.push(...operandsOf(id));
  }
  return found;
}
