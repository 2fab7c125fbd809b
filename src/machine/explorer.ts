import type { Explorer, SearchLimits } from '../check/explorer.js';
import type { Answer } from '../check/result.js';
import { beyondBound } from '../check/vacuity.js';
import { holds } from '../check/witness/witness.js';
import type { Model } from '../model/term.js';
import { DEFAULT_BOUND } from '../program/events/unroll.js';
import { finalState } from '../program/final.js';
import type { Program, Test } from '../program/program.js';
import { stateQuery } from '../program/program.js';
import { observedSubjects } from '../program/subjects.js';
import type { MachineOptions } from './finals.js';
import { machineFinals, machineOf } from './finals.js';
import { describeSteps } from './run.js';
import { search } from './search.js';

/** How many calls of a thread can be unfinished: more than programs of a page have. */
const ROOM = 24;

/** How many states are remembered: what a gigabyte has room for. */
const STATES = 2_000_000;

const asked = (program: Program, { bound }: SearchLimits): Omit<MachineOptions, 'subjects'> => ({
  bound: bound ?? program.bound ?? DEFAULT_BOUND,
  room: ROOM,
});

/** Explores the machine that a model is. */
export const byModelMachine: Explorer = {
  decide,
  outcomes({ program }, model, subjects, _, limits) {
    const started = performance.now();
    const { limit = STATES, deadline } = limits;
    const found = machineFinals(program, model, {
      ...asked(program, limits),
      subjects,
      limit,
      deadline,
    });
    const milliseconds = performance.now() - started;
    if ('message' in found) {
      return { states: [], flags: [], incomplete: noMachine(found.message), milliseconds };
    }
    const { states, incomplete, upTo } = found;
    return { states, flags: [], incomplete, upTo, milliseconds };
  },
};

const noMachine = (why: string): string => `the model is no machine for this program: ${why}`;

/** Answers all queries in one exploration, which ends when each has a run that answers it. */
function decide(
  test: Test,
  model: Model,
  queries: readonly number[],
  limits: SearchLimits,
): readonly Answer[] {
  const started = performance.now();
  const { program } = test;
  const subjects = observedSubjects(test);
  const shown = new Map<number, Pick<Answer, 'state' | 'run'>>();
  let ends = 0;
  const made = machineOf(program, model, { ...asked(program, limits), subjects });
  const { limit = STATES, deadline } = limits;
  const end =
    'message' in made
      ? { incomplete: noMachine(made.message) }
      : search(made.machine, { limit, deadline }, (s, run) => {
          ends += 1;
          const final = (subject: (typeof subjects)[number]): number => made.final(s, subject);
          for (const query of queries) {
            const { quantifier, condition } = stateQuery(test, query);
            const isShown = holds(condition, final) !== (quantifier === 'forall');
            if (!isShown || shown.has(query)) continue;
            const state = finalState(program, subjects, final);
            shown.set(query, { state, run: describeSteps(program, run()) });
          }
          return shown.size === queries.length;
        });
  const milliseconds = (performance.now() - started) / queries.length;
  return queries.map((query): Answer => {
    const head = { query, flags: [], milliseconds };
    const isUniversal = stateQuery(test, query).quantifier === 'forall';
    const example = shown.get(query);
    if (example !== undefined) {
      return { ...head, ...example, verdict: isUniversal ? 'fails' : 'allowed' };
    }
    const { incomplete, upTo } = { upTo: undefined, ...end };
    if (incomplete !== undefined) return { ...head, verdict: 'unknown', reason: incomplete };
    if (ends > 0) return { ...head, verdict: isUniversal ? 'holds' : 'forbidden', upTo };
    return upTo === undefined
      ? { ...head, verdict: 'vacuous', reason: 'no run of the machine comes to an end' }
      : { ...head, ...beyondBound(program, upTo) };
  });
}
