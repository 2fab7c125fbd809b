import { operationsOf } from '../model/instructions/operations.js';
import type { Body, Guess, InstructionSet, Label, Operation } from '../model/instructions/set.js';
import type { TermId } from '../model/term.js';
import { instructionsOf } from './instructions.js';
import { operationCalled } from './call-forms.js';
import { queuePairsOf } from './queue-pairs.js';
import type { Call, Program, QueuePair, Thread } from './program.js';

/** What a call contributes to the counts of one queue pair for one guess. */
export interface Partners {
  readonly queuePair: QueuePair & { readonly key: string };
  /** How many events that may be partners it makes, at most. */
  readonly given: number;
  /** How many events that must have a partner it makes, at least. */
  readonly asked: number;
  /** What the events that must have a partner do, in words: "polls". */
  readonly does: string;
}

type Kth = Extract<Guess, { how: 'kth' }>;

/**
 * What calls contribute to `kth` guesses over queue pairs, from the declarations alone. If labels do not tell, an event
 * counts as given and not as asked.
 */
export function partnersOf(program: Program): (call: Call) => readonly Partners[] {
  const { instructions } = program;
  const { guesses, terms } = instructions;
  const counted = guesses.filter((guess): guess is Kth => {
    if (guess.how !== 'kth' || guess.unordered) return false;
    const within = terms[guess.within];
    return within.op === 'base' && within.name === 'sqp';
  });
  const operations = operationsOf(instructions);
  return (call) => {
    const operation = operations.called(call);
    const queuePair = queuePairOfCall(program, call);
    if (queuePair === undefined) return [];
    return counted.flatMap((guess): Partners[] => {
      const [from, to] = [labelsOf(instructions, guess.from), labelsOf(instructions, guess.to)];
      const numbers = operation.alternatives.map(({ body }) => ({
        given: countIn(body, from, true),
        asked: countIn(body, to, false),
      }));
      const given = Math.max(...numbers.map((n) => n.given));
      const asked = Math.min(...numbers.map((n) => n.asked));
      if (given === 0 && asked === 0) return [];
      const key = `${guess.name} ${queuePair.node} ${queuePair.name ?? ''}`;
      return [{ queuePair: { ...queuePair, key }, given, asked, does: to[0]?.words ?? 'asks' }];
    });
  };
}

/** May an event of an operation need a partner, so that a thread waits for it? */
export function asksPartner({ alternatives }: Operation, instructions: InstructionSet): boolean {
  const asked = instructions.guesses.flatMap((guess) =>
    guess.how === 'kth' || guess.how === 'counted' ? labelsOf(instructions, guess.to) : [],
  );
  return alternatives.some(({ body }) => countIn(body, asked, true) > 0);
}

/** The message that a thread asks for more partners than there can be, with the other queue pairs that have some. */
export function idle(
  program: Program,
  { name: thread, body }: Thread,
  does: string,
  { node, name }: QueuePair,
): string {
  const partners = partnersOf(program);
  const pairs = [...instructionsOf(body)]
    .flatMap((i) => (i.kind === 'call' ? partners(i) : []))
    .flatMap(({ given, queuePair }) => (given > 0 ? [queuePair] : []));
  const written = (pair: QueuePair): string =>
    pair.name === undefined ? pair.node : `${pair.node}.${pair.name}`;
  const others = pairs.filter((pair) => pair.node === node && pair.name !== name).map(written);
  const said =
    name === undefined
      ? `${thread} ${does} node ${node} more often than it has operations towards it`
      : `${thread} ${does} ${node}.${name} more often than it has operations on it`;
  const silent = [...instructionsOf(body)].flatMap((i) =>
    i.kind === 'call' && givesNothing(program, i, { node, name }) ? [operationCalled(i)] : [],
  );
  if (silent.length > 0) {
    return `${said}; \`${[...new Set(silent)].join('`, `')}\` has none to be polled`;
  }
  if (others.length === 0) return said;
  return `${said}; those on ${[...new Set(others)].join(', ')} are another queue pair's`;
}

/** Does a call post work on a queue pair that has a tag by which nothing of it is polled? */
function givesNothing(program: Program, call: Call, { node, name }: QueuePair): boolean {
  const { guesses } = program.instructions;
  const without = guesses.flatMap((guess) =>
    guess.how === 'kth' || guess.how === 'counted'
      ? tagsWithout(program.instructions, guess.from)
      : [],
  );
  const pair = queuePairOfCall(program, call);
  return (
    pair?.node === node && pair.name === name && (call.tags ?? []).some((t) => without.includes(t))
  );
}

/** The tags of calls whose events are taken out of a set. */
export function tagsWithout(set: InstructionSet, id: TermId): readonly string[] {
  const term = set.terms[id];
  if (term.op === 'union') return [term.left, term.right].flatMap((one) => tagsWithout(set, one));
  if (term.op !== 'diff') return [];
  const right = set.terms[term.right];
  const own =
    right.op === 'base' &&
    set.tags.some(({ name, on }) => name === right.name && on === 'operation')
      ? [right.name]
      : [];
  return [...own, ...tagsWithout(set, term.left)];
}

/** The queue pair of a call's events. */
export function queuePairOfCall(program: Program, call: Call): QueuePair | undefined {
  const operation = operationsOf(program.instructions).called(call);
  const { on, parameters, into } = operation;
  if (on === undefined) return undefined;
  const given =
    into?.name === on ? call.into : call.arguments[parameters.findIndex((p) => p.name === on)];
  if (given?.kind === 'peer') return { node: given.node, name: given.name };
  if (given?.kind !== 'place') return undefined;
  return { node: given.node ?? program.locations[given.location].node, name: given.queuePair };
}

/** The tags of a call, and of its queue pair. */
export function tagsOfCall(program: Program, thread: number, call: Call): readonly string[] {
  const pair = queuePairOfCall(program, call);
  const own = call.tags ?? [];
  return pair?.name === undefined ? own : [...own, ...queuePairsOf(program, thread)(pair).tags];
}

/** The labels whose events are in a set, if the set is a union of labels, or such a union without some labels. */
export function labelsOf(set: InstructionSet, id: TermId): readonly Label[] {
  const { labels, terms } = set;
  const term = terms[id];
  if (term.op === 'base') return labels.filter(({ name }) => name === term.name);
  if (term.op === 'diff') return labelsOf(set, term.left);
  if (term.op !== 'union') return [];
  const sides = [term.left, term.right];
  return sides.flatMap((side) => labelsOf(set, side));
}

/** How many events with some labels a body makes: at most all of them, at least those outside of every `if`. */
function countIn(body: Body, labels: readonly Label[], atMost: boolean): number {
  switch (body.kind) {
    case 'event':
      return labels.some(({ name }) => name === body.label) ? 1 : 0;
    // The number depends on the call. No guess over queue pairs is about such events.
    case 'for':
    case 'if':
      return atMost ? countIn(body.body, labels, atMost) : 0;
    case 'then':
    case 'beside':
      return body.parts.reduce((sum, part) => sum + countIn(part, labels, atMost), 0);
  }
}
