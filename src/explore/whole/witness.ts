import type { Pair, Witness } from '../../check/witness/witness.js';
import type { RunRules } from '../../machine/whole/rules.js';
import type { RunMove, WayMachine } from '../../machine/whole/run.js';
import type { Ending } from '../../machine/whole/values.js';
import type { Guessed } from '../../program/events/guessed.js';
import { isRead } from '../../program/events/structure.js';

/** The execution of a run: memory has decided `rf` and `mo`, and a guess has gone the way that the steps have left. */
export function witnessOf(
  machine: WayMachine,
  rules: RunRules,
  moves: readonly RunMove[],
  { value, choices }: Ending,
): Witness {
  const { events, guesses, free, among } = rules;
  const state = moves.at(-1)?.state ?? machine.start();
  const id = (e: number): number => events[e].id;
  const reads = [...events.keys()].filter((e) => isRead(events[e]));
  const times = new Map(moves.map(({ step }, i) => [step, i]));
  const turned = new Set<string>();
  for (const guess of guesses) {
    if (machine.wayOf(state, guess) === 1) turned.add(keyOf(guess.guess, ...guess.between));
  }
  for (const { guess, between, steps } of free) {
    const [first, second] = steps.map((step) => times.get(step)!);
    if (first > second) turned.add(keyOf(guess, ...between));
  }
  const isFirst = (name: string, a: number, b: number): boolean =>
    a < b ? !turned.has(keyOf(name, a, b)) : turned.has(keyOf(name, b, a));
  const inOrder =
    (by: string | undefined) =>
    (a: number, b: number): number => {
      if (a === b) return 0;
      // Of one location, memory has an order.
      if (by === 'mo') return state.places[a] - state.places[b];
      return isFirst(by!, a, b) ? -1 : 1;
    };
  const guessed = ({ name, pairs, classes, counted }: Guessed): readonly Pair[] => [
    ...counted.flatMap(({ from, to }) => {
      const sources = from.events.toSorted(inOrder(from.by));
      return to.events.toSorted(inOrder(to.by)).map((of, k): Pair => [id(sources[k]), id(of)]);
    }),
    ...pairs.map(([a, b]): Pair => (isFirst(name, a, b) ? [id(a), id(b)] : [id(b), id(a)])),
    ...classes.flatMap((all) =>
      all.flatMap((a) =>
        all.flatMap((b): readonly Pair[] =>
          a !== b && isFirst(name, a, b) ? [[id(a), id(b)]] : [],
        ),
      ),
    ),
  ];
  const inMemory = [...events.keys()].filter((e) => state.places[e] >= 0);
  return {
    choices,
    rf: reads.map((r): Pair => [id(state.sources[r]), id(r)]),
    mo: inMemory.flatMap((a) =>
      inMemory.flatMap((b): readonly Pair[] =>
        events[a].location === events[b].location && state.places[a] < state.places[b]
          ? [[id(a), id(b)]]
          : [],
      ),
    ),
    guessed: Object.fromEntries(
      among.filter(({ chosen }) => chosen).map((guess) => [guess.name, guessed(guess)]),
    ),
    reads: reads.map((r) => [id(r), value(events[state.sources[r]].value!)] as const),
  };
}

const keyOf = (guess: string, a: number, b: number): string => `${guess} ${a} ${b}`;
