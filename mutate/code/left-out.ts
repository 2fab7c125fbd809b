/** Mutants that cannot change a verdict, and why. */
export interface LeftOut {
  readonly why: string;
  /** Files, and functions and operators in them: `src/….ts/function/operator`. Behind `: `, what is replaced by what there. */
  readonly mutants: readonly string[];
}

const RELATION = 'src/model/relation';

export const LEFT_OUT: readonly LeftOut[] = [
  {
    why: 'Words for people.',
    mutants: [
      'src/explore/told.ts',
      'src/explore/use-text.ts',
      'src/machine/moment.ts',
      'src/rdma/machines/describe.ts',
      'src/rdma/machines/words.ts',
      'src/encode/names.ts',
    ],
  },
  {
    why: 'Which reasons explanations give.',
    mutants: ['src/model/operators/costs.ts', 'src/model/operators/reasons.ts'],
  },
  {
    why: 'Where relations lie in memory.',
    mutants: [
      `${RELATION}/bits.ts/CHUNK`,
      `${RELATION}/bits.ts/used`,
      `${RELATION}/bits.ts/zeros/comparison`,
      `${RELATION}/bits.ts/zeros/number`,
      `${RELATION}/bits.ts/zeros: 'words > CHUNK >> 3' → 'true'`,
      `${RELATION}/bits.ts/zeros: 'words > CHUNK >> 3' → 'false'`,
      `${RELATION}/bits.ts/zeros: 'used + words > CHUNK' → 'true'`,
    ],
  },
  {
    why: 'A check further on rules out what is not finite.',
    mutants: [
      "src/parse/integers.ts/applyBinary: 'value !== undefined && Number.isSafeInteger(value)' → '(Number.isSafeInteger(value))'",
      "src/parse/integers.ts/binary: 'b === 0' → 'false'",
    ],
  },
  {
    why: 'A mistake of the user has been reported, and nothing is done with the program.',
    mutants: [
      "src/program/resolve-call.ts/CallResolver.call: 'args.some((argument) => argument === undefined)' → 'false'",
    ],
  },
  {
    why: 'Equality is symmetric.',
    mutants: [`${RELATION}/bits.ts/equal/order`],
  },
  {
    why: 'The first root is always visited, and whether its index is 0 or 1 is all the same.',
    mutants: [
      `${RELATION}/components.ts/components/number: '0' → '1'`,
      `${RELATION}/components.ts/components: 'index[root] >= 0' → '(index[root] > 0)'`,
    ],
  },
  {
    why: 'What is written behind the end of a typed array is lost.',
    mutants: [
      `${RELATION}/components.ts/components: 'parent !== undefined' → 'true'`,
      `${RELATION}/matrix.ts/restrict: 'j >= 0' → 'true'`,
    ],
  },
  {
    why: 'Each event of a cycle is a successor of another one of its component, and comes as such.',
    mutants: [
      `${RELATION}/in-place.ts/closeByComponents: 'isCycle' → 'false'`,
      `${RELATION}/in-place.ts/closeByComponents: 'relate(out, first, i);' → ';'`,
      `${RELATION}/in-place.ts/closeByComponents: 'relate(out, first, i)' → 'relate(out, i, first)'`,
      `${RELATION}/in-place.ts/closeByComponents: 'others.length > 0 || related(a, first, first)' → '(others.length > 0)'`,
      `${RELATION}/in-place.ts/closeByComponents: 'others.length > 0 || related(a, first, first)' → '(related(a, first, first))'`,
      `${RELATION}/in-place.ts/closeByComponents/junction`,
      `${RELATION}/in-place.ts/closeByComponents/number`,
      `${RELATION}/in-place.ts/closeByComponents/round/3`,
    ],
  },
  {
    why: 'What comes first leads to nothing.',
    mutants: [
      `${RELATION}/in-place.ts/closeByComponents: 'order' → '[...order].slice(1)'`,
      // It is a variable, which has no operands.
      'src/model/interpret.ts/Interpreter.iterate/round/3',
    ],
  },
  {
    why: 'It saves time alone.',
    mutants: [
      `${RELATION}/in-place.ts/close: 'a.size >= MANY' → 'true'`,
      `${RELATION}/in-place.ts/close: 'a.size >= MANY' → 'false'`,
      `${RELATION}/in-place.ts/close: 'a.size >= MANY' → '(a.size > MANY)'`,
      `${RELATION}/in-place.ts/close: 'rowIsEmpty(out, k)' → 'false'`,
      `${RELATION}/in-place.ts/closeByComponents: 'order !== undefined' → 'false'`,
      `${RELATION}/in-place.ts/addSeqInverse: 'rowIsEmpty(a, i)' → 'false'`,
      `${RELATION}/in-place.ts/addAll: 'more === 0' → 'false'`,
      "src/encode/acyclic.ts/edgeLiteral: 'along === FALSE' → 'false'",
      "src/encode/acyclicity/closure.ts/closure.reach: 'm.related(surely, u, v)' → 'false'",
      "src/program/counted.ts/countedLoops: 'counts.set(thread, found)' → 'counts.set(found, thread)'",
      "src/encode/bounds/unsettled.ts/unsettledGuess: 'present.straight' → 'false'",
      "src/encode/bounds/unsettled.ts/unsettledGuess.isSettled: '!wide[id]' → 'false'",
      "src/explore/prepare.ts/relationsOf: 'known.set(layers, own);' → ';'",
      "src/explore/prepare.ts/relationsOf: 'own.set(instructions, relations);' → ';'",
    ],
  },
  {
    why: 'What a quick search does not find is found when states are asked for one by one.',
    mutants: ["src/check/decide.ts/enumerate.quickly: 'found.isFull()' → 'true'"],
  },
  {
    why: 'Where fewer steps are known to be free, more states are gone through, and nothing else.',
    mutants: [
      'src/machine/free.ts/FreeSteps.isAmongOthers/junction/5',
      "src/machine/masks.ts/isAbout: '(needs & (1 << step)) !== 0' → '((needs & (1 << step)) === 0)'",
    ],
  },
  {
    why: 'A key is that of one thing alone with a minus as well.',
    mutants: ['src/machine/free.ts/FreeSteps.untilTheEnd/sum'],
  },
  {
    why: 'The same control is found by what is in it.',
    mutants: ['src/machine/controls.ts/Controls.keptOf/index/3'],
  },
  {
    why: 'Which result is kept beside the others, under no key, is all the same: without promises it does not depend on the way.',
    mutants: ['src/machine/actions.ts/Actions.after/number/1'],
  },
  {
    why: 'The value of a ghost is in every state anyway.',
    mutants: ['src/machine/later.ts/laterOf/step/1'],
  },
  {
    why: 'A way that is open is still open after a step that has been taken already.',
    mutants: ['src/machine/masks.ts/Pairs.make/part/2'],
  },
  {
    why: 'What is not denied was said, and a rule that follows from a wider one says nothing wrong.',
    mutants: ['src/machine/rules.ts/waitsIn.isRule/junction/2'],
  },
  {
    why: 'What an operation writes and compares is made before its alternatives are joined: only its result may be a choice between values.',
    mutants: [
      "src/explore/symmetry/kinds.ts/Finding.computes: 'value.op === 'select'' → 'false'",
      'src/explore/symmetry/kinds.ts/Finding.computes/opposite/1',
      'src/explore/symmetry/kinds.ts/Finding.computes/opposite/2',
    ],
  },
  {
    why: 'Where less is known of what reads that are left out can change, fewer are left out.',
    mutants: ['src/model/operators/leaving.ts/both/truth/3'],
  },
  {
    why: 'It is set anew before it is used.',
    mutants: ['src/explore/codec.ts/codecOf/number'],
  },
  {
    why: 'Which learnt clauses are kept decides how long it takes. Clauses that were given have no glue, and are never forgotten.',
    mutants: [
      "src/solve/search/clauses.ts/Clauses.forget: 'data[moved + 1] > 0' → '(data[moved + 1] >= 0)'",
    ],
  },
  {
    why: 'What editors are told of names.',
    mutants: [
      'src/program/thread-names.ts/ThreadNames.recordOwn',
      'src/program/thread-names.ts/ThreadNames.recordAll',
    ],
  },
];

/**
 * Mutants that survive, and of which it is not known whether a verdict can be wrong with them. A test that catches one of them, or
 * a reason why none can, takes its line away.
 */
export const OPEN: readonly string[] = [
  "src/program/resolve-call.ts/CallResolver.shortForm: 'into === undefined || given.length < 2 * words - 1' → 'false'",
  "src/encode/bounds/bounds.ts/computeBounds: 'model !== undefined && present.straight' → 'true'",
  "src/program/events/guesses.ts/isPointwise: '!hasOperands(term) || OPERATORS[term.op].pointwise' → '(!hasOperands(term))'",
  "src/program/events/iterations.ts/labelRead: 'reads && on === undefined' → '(reads)'",
];
