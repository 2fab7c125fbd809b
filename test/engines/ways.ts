import { inProcess } from '../../src/analyses/in-process.js';
import { enumerate } from '../../src/check/decide.js';
import { enumerateCandidates } from '../../src/check/enumerate/candidates.js';
import { unrollingFor } from '../../src/check/structure.js';
import { outcomesIfTiny } from '../../src/check/tiny.js';
import type { Verified } from '../../src/check/witness/verify.js';
import { machineFinals } from '../../src/explore/finals.js';
import { isUncommon } from '../../src/machine/layers.js';
import type { Model } from '../../src/model/term.js';
import { DEFAULT_BOUND, unroll } from '../../src/program/events/unroll.js';
import type { FinalState } from '../../src/program/final.js';
import { compareStates, finalState } from '../../src/program/final.js';
import type { Program, Subject, Test } from '../../src/program/program.js';
import { operationsUsed } from '../../src/program/occasions.js';
import { allSubjects } from '../../src/program/subjects.js';
import { ENGINES } from '../../src/rdma/engines.js';
import type { Engine } from '../../src/rdma/engines.js';
import type { Hardware } from '../../src/rdma/machines/index.js';
import { exploreOutcomes, unsupported } from '../../src/rdma/machines/index.js';
import { refusal, takesAll } from '../../src/rdma/prepare.js';
import { ClauseSearch } from '../../src/solve/search/search.js';
import { newSolver } from '../support/checker.js';
import type { Candidate } from '../support/naive.js';
import { candidates, judge } from '../support/naive.js';

/** The ways from a program to its final states, which have nothing in common but the program and the model. */

/** What a program is decided under: a model, a machine of TypeScript, or a model that has one. */
export interface Setting {
  readonly name: string;
  readonly model?: Model;
  readonly hardware?: Hardware;
}

/** The final states that a way finds. */
export interface Found {
  /** In ascending order. */
  readonly states: readonly FinalState[];
  /** Besides: states in which a value comes out of thin air. Other ways may find them or not. */
  readonly perhaps?: readonly FinalState[];
  /** Why there may be others. */
  readonly incomplete?: string;
  /** Runs that go round a loop more often were not tried. */
  readonly upTo?: number;
}

export interface Way {
  /** Is this way one for a model or machine, and for a program in its instructions? Otherwise it is not asked. */
  takes(setting: Setting, program: Program): boolean;
  /**
   * All final states, of everything that has a name, or of some of it.
   *
   * @param test in the instructions of the model
   * @param limit after how many executions or states a way that goes through them gives up, if it has no lower limit
   */
  list(test: Test, setting: Setting, limit: number): Found | Promise<Found>;
  /**
   * What `upTo` means: that some run `may` get beyond the bound, whatever it reads, or that one `does`. Without it, the way does
   * not say.
   */
  readonly upTo?: 'may' | 'does';
  /** What it lists, if that is not everything that has a name. */
  subjects?(program: Program): readonly Subject[];
}

/** The engines. Those that ask a solver of the user's have tests beside `--solver`. */
const engines = Object.fromEntries(
  ENGINES.filter((engine) => !engine.startsWith('native')).map((engine) => [engine, by(engine)]),
) as Readonly<Record<Exclude<Engine, `native${string}`>, Way>>;

const table = {
  ...engines,

  /** Z3's encoding, in Remora's search as it goes on after many conflicts. */
  'hard search': {
    takes: hasModel,
    list(test, { model }) {
      const newSearch = () => new ClauseSearch(Infinity, 0);
      const options = { acyclicity: 'difference', isSearch: true } as const;
      return enumerate(test, model!, newSearch, allSubjects(test.program), undefined, options);
    },
  },
  /** The part of `auto` for programs without an encoding. */
  tiny: {
    takes: hasModel,
    list: (test, { model }) =>
      outcomesIfTiny(test, model!, allSubjects(test.program)) ?? gaveUp('it is not tiny'),
    upTo: 'may',
  },
  /** Every combination of choices, judged by the definitions: slow, but obviously right. */
  naive: { takes: hasModel, list: naively },

  /** Machines of TypeScript. Some transitions need not be tried in every order; here they are. */
  simplified: onMachine('simplified'),
  'six buffers': onMachine('six-buffers'),
  'simplified, every order': onMachine('simplified', { reduce: false, stateLimit: 400 }),
  'six buffers, every order': onMachine('six-buffers', { reduce: false, stateLimit: 400 }),

  /** The same machine in its fast form. What is not asked for can be passed over. */
  explored: exploring(allSubjects),
  'explored, registers': exploring((p) => allSubjects(p).filter((s) => s.kind === 'register')),
  'explored, some': exploring(everyOther),

  /** The machine that is read from the axioms of a model. */
  'read machine': readMachine({ limit: 5000 }),
  'read machine, some': readMachine({ limit: 20_000 }, everyOther),
  'read machine, every order': readMachine({ limit: 20_000, reduces: false }, everyOther),

  /** Executions one by one, of loops that only read as they are, and of their last iterations. */
  'loops as they are': enumerating(false),
  'last iterations': enumerating(true),
} satisfies Readonly<Record<string, Way>>;

export type WayName = keyof typeof table;
export const WAYS: Readonly<Record<WayName, Way>> = table;

const gaveUp = (incomplete: string): Found => ({ states: [], incomplete });

function hasModel({ model }: Setting): boolean {
  return model !== undefined;
}

function hasMachine(setting: Setting, program: Program): boolean {
  return hasModel(setting) && isForMachines(program);
}

/** Machines know neither messages and power cuts, nor queues that several share or that may break. */
const isForMachines = (program: Program): boolean =>
  (program.completionQueues ?? []).length === 0 &&
  !program.threads.some(({ queuePairs = [] }) => queuePairs.some(({ joint }) => joint === true)) &&
  !program.instructions.operations.some(({ alternatives }) =>
    alternatives.some((one) => one.tags),
  ) &&
  !operationsUsed(program).some((o) => isUncommon(o, program.instructions.labels));

function everyOther(program: Program): readonly Subject[] {
  return allSubjects(program).filter((_, i) => i % 2 === 0);
}

function by(engine: Engine): Way {
  const pool = inProcess({ solver: () => Promise.resolve(newSolver), timeLimit: Infinity });
  const isMachine = !takesAll(engine);
  const isSolver = /^(smt|search)/.test(engine);
  return {
    takes: ({ model }, program) =>
      model !== undefined &&
      refusal(engine, model) === undefined &&
      (!isMachine || isForMachines(program)),
    async list(test, { model }, limit) {
      const asked = { engine, test, models: [model!], subjects: allSubjects(test.program), limit };
      const found = await pool.outcomes({ kind: 'outcomes', counted: false, ...asked });
      return isMachine ? withSureBound(found, test, model) : found;
    },
    ...(isMachine && { upTo: 'does' }),
    ...(isSolver && { upTo: 'may' }),
  };
}

/** Machines have a bound for loops that only read, too; models may need none. */
function withSureBound({ upTo, ...found }: Found, { program }: Test, model?: Model): Found {
  const shortened =
    model !== undefined && unroll(program, undefined, unrollingFor(program, model)).shortened;
  return { ...found, ...(shortened !== true && { upTo }) };
}

function onMachine(
  queuePairs: Hardware['queuePairs'],
  options: Parameters<typeof exploreOutcomes>[2] = {},
): Way {
  return {
    takes: ({ hardware }, program) =>
      hardware !== undefined &&
      (hardware.unordered === undefined || queuePairs === 'simplified') &&
      unsupported(program, queuePairs).length === 0,
    list: (test, { model, hardware }) =>
      withSureBound(
        exploreOutcomes(test.program, { ...hardware!, queuePairs }, options),
        test,
        model,
      ),
    upTo: 'does',
  };
}

/** More than the programs of the tests can fill. */
const ROOM = 16;

function exploring(subjects: (program: Program) => readonly Subject[]): Way {
  return {
    takes: hasMachine,
    list({ program }, { model }) {
      const found = machineFinals(program, model!, { subjects: subjects(program), room: ROOM });
      if ('message' in found) throw new Error(found.message);
      return { states: found.states, ...(found.incomplete && { incomplete: found.incomplete }) };
    },
    subjects,
  };
}

function readMachine(
  options: { readonly limit: number; readonly reduces?: boolean },
  subjects: (program: Program) => readonly Subject[] = allSubjects,
): Way {
  return {
    takes: hasMachine,
    list({ program }, { model }) {
      const bound = program.bound ?? DEFAULT_BOUND;
      const asked = { subjects: subjects(program), bound, room: 12, ...options };
      const found = machineFinals(program, model!, asked);
      if ('message' in found) throw new Error(found.message);
      return { states: found.states, ...(found.incomplete && { incomplete: found.incomplete }) };
    },
    subjects,
  };
}

function enumerating(lastIteration: boolean): Way {
  return {
    takes: hasModel,
    list({ program }, { model }) {
      const structure = unroll(program, 3, { leavable: lastIteration ? ['lR'] : [] });
      const states = allSubjects(program);
      const found = new Map<string, FinalState>();
      const visit = ({ run }: Verified): void => {
        const state = finalState(program, states, run.final);
        found.set(JSON.stringify(state), state);
      };
      const limits = { limit: 20_000, states };
      const { incomplete } = enumerateCandidates(structure, model!, visit, limits);
      return { states: [...found.values()].sort(compareStates), incomplete };
    },
  };
}

/** How many executions the naive way goes through at most. */
const NAIVE_LIMIT = 1000;

/** Candidates of a program, which are the same under all models. */
const known = new WeakMap<Program, readonly Candidate[] | 'too many'>();

export function candidatesOf(
  program: Program,
  limit = NAIVE_LIMIT,
): readonly Candidate[] | 'too many' {
  const found = known.get(program) ?? candidates(program, limit) ?? 'too many';
  known.set(program, found);
  return found;
}

function naively({ program }: Test, { model }: Setting, limit: number): Found {
  const found = candidatesOf(program, Math.min(limit, NAIVE_LIMIT));
  if (found === 'too many') return gaveUp('too many candidates');
  const { all, grounded } = judge(model!, found);
  return {
    states: [...grounded].map(parsed).sort(compareStates),
    perhaps: [...all].filter((state) => !grounded.has(state)).map(parsed),
  };
}

const parsed = (state: string): FinalState =>
  Object.fromEntries(
    [...state.matchAll(/(\S+)=(\S+)/g)].map(([, name, value]) => [name, Number(value)]),
  );
