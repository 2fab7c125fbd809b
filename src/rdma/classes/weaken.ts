/**
 * What is weaker than a program: one thing is taken out of it, or no more ordered with the others (docs/synthesise.md). Names and values
 * stay, so that an outcome of the one can be asked of the other.
 */
import type { Alphabet, Letter } from './alphabet.js';
import type { WireEnd } from '../../model/instructions/set.js';
import { isPlace } from './alphabet.js';
import type { Draft, DraftCall } from './draft.js';

export interface Weakening {
  readonly kind: 'removed' | 'not waited for' | 'without its tag' | 'own queue pair' | 'own thread';
  /** The call that it is about, by thread and position; of a location, the number of that. */
  readonly thread?: number;
  readonly call?: number;
  readonly location?: number;
  readonly draft: Draft;
}

/** All weakenings that apply to a program, those first that leave the least. */
export function weakeningsOf(draft: Draft, alphabet: Alphabet): readonly Weakening[] {
  return [
    ...callsOf(draft).flatMap((at) => removed(draft, at, alphabet)),
    ...callsOf(draft).flatMap((at) => notWaited(draft, at, alphabet)),
    ...withoutTags(draft, alphabet),
    ...callsOf(draft).flatMap((at) => moved(draft, at, alphabet)),
  ];
}

interface CallAt {
  readonly thread: number;
  readonly call: number;
}

const callsOf = ({ threads }: Draft): readonly CallAt[] =>
  threads.flatMap(({ calls }, thread) => calls.map((_, call) => ({ thread, call })));

/**
 * A call is removed, and what waits for it with it; of a message, both ends, as a message that nobody receives waits for ever. What only
 * waits is weakened otherwise.
 */
function removed(draft: Draft, at: CallAt, { letters }: Alphabet): readonly Weakening[] {
  const { threads } = draft;
  if (letters[threads[at.thread].calls[at.call].letter].takes) return [];
  const left = [at, ...otherEnd(draft, at, letters)].reduce(
    (rest, { thread, call }) => {
      const gone = new Set([call, ...takersOf(threads[thread].calls, call, letters)]);
      return rest.map((own, t) => (t === thread ? own.filter((_, i) => !gone.has(i)) : own));
    },
    threads.map(({ calls }) => calls),
  );
  return [{ kind: 'removed', ...at, draft: withAllCalls(draft, left) }];
}

/** The call at the other end of a connection with the number that a call has at its own. */
function otherEnd(
  { threads }: Draft,
  { thread, call }: CallAt,
  letters: readonly Letter[],
): readonly CallAt[] {
  const { node, calls } = threads[thread];
  const { to, pair, letter } = calls[call];
  const { wire } = letters[letter];
  if (wire === undefined) return [];
  const goesOn = (one: DraftCall, other: number, end: WireEnd): boolean =>
    one.to === other &&
    one.pair === pair &&
    !letters[one.letter].takes &&
    letters[one.letter].wire?.end === end;
  const before = calls.slice(0, call).filter((one) => goesOn(one, to!, wire.end)).length;
  const others = threads.flatMap((one, t) =>
    one.node !== to
      ? []
      : one.calls.flatMap((own, i) =>
          goesOn(own, node, wire.end === 'to' ? 'from' : 'to') ? [{ thread: t, call: i }] : [],
        ),
  );
  return others.slice(before, before + 1);
}

/**
 * A call that waits takes what it waits for, and does not wait. Where another one of its kind comes behind it on its queue pair, the work
 * leaves nothing to be taken, so that the others take what they took before.
 */
function notWaited(draft: Draft, at: CallAt, { letters }: Alphabet): readonly Weakening[] {
  const { calls } = draft.threads[at.thread];
  const taker = calls[at.call];
  const { takes, operation } = letters[taker.letter];
  if (!takes) return [];
  const isLast = !calls
    .slice(at.call + 1)
    .some((one) => isSamePair(one, taker) && letters[one.letter].operation === operation);
  const rest = withoutCalls(draft, at.thread, new Set([at.call]));
  if (isLast) return [{ kind: 'not waited for', ...at, draft: rest }];
  const work = calls.findIndex((_, i) => takersOf(calls, i, letters).includes(at.call));
  const silent = silentLetter(letters[calls[work].letter], operation.name, letters);
  if (silent === undefined) return [];
  const own = rest.threads[at.thread].calls.map((one, i) =>
    i === work ? { ...one, letter: silent } : one,
  );
  return [{ kind: 'not waited for', ...at, draft: withCalls(rest, at.thread, own) }];
}

/** The same work, which leaves nothing to be taken: it is unsignalled. */
function silentLetter(
  letter: Letter,
  taker: string,
  letters: readonly Letter[],
): number | undefined {
  const { operation, tags } = letter;
  const found = letters.findIndex(
    (one) =>
      one.operation === operation &&
      haveSameSlots(one, letter) &&
      one.tags.length === tags.length + 1 &&
      tags.every((tag) => one.tags.includes(tag)) &&
      !one.leaves.includes(taker),
  );
  return found < 0 ? undefined : found;
}

/** Of two calls, do both have a location where one has it, and a number where one has that? */
const haveSameSlots = (a: Letter, b: Letter): boolean =>
  a.slots.length === b.slots.length && a.slots.every(({ kind }, i) => kind === b.slots[i].kind);

function withoutTags(draft: Draft, alphabet: Alphabet): readonly Weakening[] {
  const { letters } = alphabet;
  const ofCalls = callsOf(draft).flatMap((at): readonly Weakening[] => {
    const { calls } = draft.threads[at.thread];
    const letter = letters[calls[at.call].letter];
    return letter.tags.flatMap((tag) => {
      const plain = letters.findIndex(
        (one) =>
          one.operation.name === letter.operation.name &&
          one.tags.length === letter.tags.length - 1 &&
          haveSameSlots(one, letter) &&
          one.tags.every((other) => other !== tag && letter.tags.includes(other)),
      );
      // Without what makes it leave nothing, others would take what it leaves.
      if (plain < 0 || letters[plain].leaves.join() !== letter.leaves.join()) return [];
      const own = calls.map((one, i) => (i === at.call ? { ...one, letter: plain } : one));
      return [{ kind: 'without its tag', ...at, draft: withCalls(draft, at.thread, own) }];
    });
  });
  const ofLocations = draft.locations.flatMap(({ mark }, location): readonly Weakening[] => {
    if (mark === 0) return [];
    const locations = draft.locations.map((one, i) => (i === location ? { ...one, mark: 0 } : one));
    return [{ kind: 'without its tag', location, draft: { ...draft, locations } }];
  });
  return [...ofCalls, ...ofLocations];
}

/** A call goes to a queue pair, or to a thread, of its own, with what waits for it. */
function moved(draft: Draft, at: CallAt, { letters }: Alphabet): readonly Weakening[] {
  const { calls, node } = draft.threads[at.thread];
  const call = calls[at.call];
  const { takes, slots, onPair, wire } = letters[call.letter];
  if (takes || !slots.some(isPlace)) return [];
  const own = new Set([at.call, ...takersOf(calls, at.call, letters)]);
  const others = calls.filter((_, i) => !own.has(i));
  const ways: Weakening[] = [];
  // Nobody is at the other end of a connection of its own, and one thread has the end of each.
  const stays = others.some(
    (one) => isSamePair(one, call) && letters[one.letter].wire !== undefined,
  );
  if (onPair && wire === undefined && others.some((one) => isSamePair(one, call))) {
    const pair = freshPair(draft);
    const moving = calls.map((one, i) => (own.has(i) ? { ...one, pair } : one));
    ways.push({ kind: 'own queue pair', ...at, draft: withCalls(draft, at.thread, moving) });
  }
  if (
    !(wire !== undefined && stays) &&
    others.some((one) => letters[one.letter].slots.some(isPlace))
  ) {
    // All of them are on one queue pair. One with a name is of the thread that they leave.
    const leaving = calls.filter((_, i) => own.has(i));
    const alone = { node, calls: leaving.map((one) => ({ ...one, pair: undefined })) };
    const rest = withCalls(draft, at.thread, others);
    ways.push({
      ...{ kind: 'own thread', ...at },
      draft: { ...rest, threads: [...rest.threads, alone] },
    });
  }
  return ways;
}

/** A name that no queue pair has. */
function freshPair({ threads }: Draft): string {
  const taken = new Set(threads.flatMap(({ calls }) => calls.map(({ pair }) => pair)));
  for (let n = 1; ; n++) if (!taken.has(`q${n}`)) return `q${n}`;
}

const isSamePair = (a: DraftCall, b: DraftCall): boolean => a.to === b.to && a.pair === b.pair;

/** The positions of the calls that take what a call leaves: of each kind, the one with its number among those on its queue pair. */
function takersOf(
  calls: readonly DraftCall[],
  position: number,
  letters: readonly Letter[],
): readonly number[] {
  const call = calls[position];
  return letters[call.letter].leaves.flatMap((name) => {
    const isOn = (one: DraftCall): boolean => isSamePair(one, call);
    const before = calls
      .slice(0, position)
      .filter((one) => isOn(one) && letters[one.letter].leaves.includes(name)).length;
    const takers = calls.flatMap((one, i) =>
      isOn(one) && letters[one.letter].takes && letters[one.letter].operation.name === name
        ? [i]
        : [],
    );
    return takers.slice(before, before + 1);
  });
}

const withoutCalls = (draft: Draft, thread: number, gone: ReadonlySet<number>): Draft =>
  withCalls(
    draft,
    thread,
    draft.threads[thread].calls.filter((_, i) => !gone.has(i)),
  );

/** A thread with other calls. Without any, it is no more. */
const withCalls = (draft: Draft, thread: number, calls: readonly DraftCall[]): Draft =>
  withAllCalls(
    draft,
    draft.threads.map((one, t) => (t === thread ? calls : one.calls)),
  );

const withAllCalls = (draft: Draft, calls: readonly (readonly DraftCall[])[]): Draft => ({
  ...draft,
  threads: draft.threads.flatMap((one, t) =>
    calls[t].length === 0 ? [] : [{ ...one, calls: calls[t] }],
  ),
});
