import type { Explorer } from '../check/explorer.js';
import { byCandidates } from '../check/by-candidates.js';
import type { Backend, Stage } from '../check/stages.js';
import type { Acyclicity } from '../encode/acyclicity/choice.js';
import type { Hardware } from './machines/hardware.js';

/**
 * The effort of the search before `auto` asks the solver: how many clauses it looks at without a solution. This takes
 * some seconds.
 */
const EFFORT = 100_000_000;

/** Its effort in a thread with other work: about the time that it takes to start a worker. */
const SHORT_EFFORT = 2_000_000;

/**
 * The most clauses that `auto` gives to Z3. More of them take half a gigabyte: Z3 then had no answer within its memory
 * or a minute on any program that was tried, while the search had one (the families `spin`, `mix3` and `mix4` of the
 * benchmark).
 */
const MOST_CLAUSES = 1_000_000;

const solving = (acyclicity: Acyclicity, backend: Backend = 'built-in'): readonly Stage[] => [
  { kind: 'solve', acyclicity, backend },
];

const exploring = (explorer: () => Promise<Explorer>): readonly Stage[] => [
  { kind: 'explore', explorer },
];

/** The TSO paper's machine. */
const papers = (queuePairs: Hardware['queuePairs']): readonly Stage[] =>
  exploring(async () => (await import('./machines/explorer.js')).byMachine(queuePairs));

/**
 * Ways to a verdict, as independent of each other as they can be:
 * - `auto`: `search`, then `smt` for what it gives up and Z3 can hold, then an enumeration of what is tiny and has
 *   no constraints
 * - `search`: constraints over all executions at once, solved by Remora's own search
 * - `smt`: the same constraints, solved by the Z3 that comes with Remora
 * - `smt-ranks`, `smt-closure`, `smt-difference`: the same with another encoding of acyclicity, for
 *   comparison (docs/engines.md)
 * - `native`, `native-difference`: as `smt` and `smt-difference`, solved by the user's own solver
 * - `enumerate`: executions one by one, judged by the concrete evaluator
 * - `operational`: the states of the machine that the model file is; no executions
 * - `simplified`: the states of the TSO paper's machine with simplified queue pairs; no executions, no cat
 * - `six-buffers`: the same with the concrete queue pairs of six buffers
 */
const STAGES = {
  auto: [
    { kind: 'search', effort: EFFORT },
    { kind: 'solve', acyclicity: 'elimination', backend: 'built-in', most: MOST_CLAUSES },
    { kind: 'tiny' },
  ],
  search: [{ kind: 'search', effort: Infinity }],
  smt: solving('elimination'),
  'smt-ranks': solving('ranks'),
  'smt-closure': solving('closure'),
  'smt-difference': solving('difference'),
  native: solving('elimination', 'native'),
  'native-difference': solving('difference', 'native'),
  enumerate: exploring(async () => byCandidates),
  operational: exploring(async () => (await import('../explore/explorer.js')).byModelMachine),
  simplified: papers('simplified'),
  'six-buffers': papers('six-buffers'),
} satisfies { readonly [name: string]: readonly Stage[] };

export type Engine = keyof typeof STAGES;

export const ENGINES = Object.keys(STAGES) as readonly Engine[];

export const stagesOf = (engine: Engine): readonly Stage[] => STAGES[engine];

/** What a thread with other work tries of an engine: no solver, and a search that comes first and soon gives up. */
export function shortStages(engine: Engine): readonly Stage[] {
  const stages = stagesOf(engine);
  if (stages[0].kind !== 'search') return [];
  return stages
    .filter(({ kind }) => kind !== 'solve')
    .map((stage) => (stage.kind === 'search' ? { ...stage, effort: SHORT_EFFORT } : stage));
}

/** Does an engine ask a solver, or the search, which can replace a solver? */
export const solves = (engine: Engine): boolean =>
  stagesOf(engine).some(({ kind }) => kind === 'search' || kind === 'solve');

/** Does an engine need a solver that the user names? */
export const isNative = (engine: Engine): boolean =>
  stagesOf(engine).some((stage) => stage.kind === 'solve' && stage.backend === 'native');

/** Does an engine always need the built-in Z3? Then it is loaded early. */
export const needsBuiltIn = (engine: Engine): boolean => {
  const [first] = stagesOf(engine);
  return first.kind === 'solve' && first.backend === 'built-in';
};
