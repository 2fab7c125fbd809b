import { mapInstructions } from '../program/instructions.js';
import type { Expression, Instruction, LocationId, Program, Thread } from '../program/program.js';
import type { LocalAtomic } from './instructions.js';
import {
  callFor,
  unknownOperation,
  updateOf,
  viewedAsPosted,
  postedViewsOf,
} from './instructions.js';

/** An access of a CPU to a word, and the instructions that let its own network card do it. */
export interface ThroughCard {
  readonly thread: number;
  readonly insteadOf: Instruction;
  readonly instructions: readonly Instruction[];
}

/**
 * The program in which cards access the words that have atomics of both CPUs and cards, instead of the CPUs.
 * `r := CAS(l, 0, 1)` becomes the loop-back `card := rcas(l^1, 0, 1); poll(1); r := card`, and `l := 0` becomes
 * `card := 0; l^1 := card; poll(1)`. An atomic of a card is a read and a write, and an access of a CPU may come between
 * them; atomics of cards are atomic against each other.
 */
export function throughOwnCards(program: Program): {
  readonly program: Program;
  readonly replaced: readonly ThroughCard[];
} {
  if (unknownOperation(program) !== undefined) return { program, replaced: [] };
  const words = sharedWords(program);
  const locations = [...program.locations];
  const taken = new Set([
    ...locations.map(({ name }) => name),
    ...program.threads.flatMap(({ registers }) => registers),
  ]);
  const fresh = (name: string): string => (taken.has(name) ? fresh(`${name}_`) : name);
  const name = fresh('card');
  const replaced: ThroughCard[] = [];
  const inThread = (thread: Thread, index: number): Thread => {
    const { node } = thread;
    let own: LocationId | undefined;
    const card = (): LocationId =>
      (own ??= locations.push({ name, node, initial: 0, owner: index }) - 1);
    const body = mapInstructions(thread.body, (i) => {
      const instructions = byCard(i, words, node, card);
      if (instructions !== undefined) replaced.push({ thread: index, insteadOf: i, instructions });
      return instructions;
    });
    return { ...thread, body };
  };
  const threads = program.threads.map(inThread);
  return { program: { ...program, locations, threads }, replaced };
}

/** The words with atomics of both CPUs and cards. */
function sharedWords({ threads }: Program): ReadonlySet<LocationId> {
  const all = threads.flatMap(({ body }) => postedViewsOf(body));
  const remote = new Set(all.flatMap((i) => (i.kind === 'remote-atomic' ? [i.location] : [])));
  return new Set(
    all.flatMap((i) => (isLocalAtomic(i) && remote.has(i.location) ? [i.location] : [])),
  );
}

const isLocalAtomic = (i: ReturnType<typeof viewedAsPosted>): i is LocalAtomic =>
  i.kind === 'cas' || i.kind === 'faa' || i.kind === 'xchg';

/** The instructions that replace an instruction; undefined if it stays. */
function byCard(
  given: Instruction,
  words: ReadonlySet<LocationId>,
  node: string,
  card: () => LocationId,
): readonly Instruction[] | undefined {
  const i = viewedAsPosted(given);
  const { span } = i;
  const on = { node, span };
  const poll = callFor({ kind: 'poll', ...on });
  if (isLocalAtomic(i) && words.has(i.location)) {
    const { location, target } = i;
    const into = card();
    const value: Expression = { kind: 'location', location: into };
    const update = updateOf(i);
    const atomic = callFor({ kind: 'remote-atomic', update, location, into, ...on });
    return [atomic, poll, { kind: 'assign', target, value, span }];
  }
  if (i.kind === 'assign' && i.target.kind === 'location' && words.has(i.target.location)) {
    const from = card();
    const put = callFor({ kind: 'put', from, to: i.target.location, ...on });
    const target = { kind: 'location', location: from } as const;
    return [{ ...i, target }, put, poll];
  }
  return undefined;
}
