import { needsIntegers } from '../encode/acyclicity/choice.js';
import type { Lit } from '../encode/formula.js';
import { FALSE, TRUE } from '../encode/formula.js';
import { exploreValues } from './final-values.js';
import { createRelay } from '../solve/search/relay.js';
import type { Model } from '../model/term.js';
import type { Program, StateQuery, Subject, Test } from '../program/program.js';
import { stateQuery } from '../program/program.js';
import { observedSubjects } from '../program/subjects.js';
import type { SolverFactory } from '../solve/solver.js';
import { assumedBy } from './unknowns.js';
import { holds } from './witness/witness.js';
import { divisionByZero, reachableCut } from './completeness.js';
import type { Answer, Outcomes } from './result.js';
import type { FinalState } from '../program/final.js';
import { compareStates, finalState } from '../program/final.js';
import type { Search, CheckSession, SessionOptions } from './session.js';
import { DisagreementError, openSession } from './session.js';
import type { Emptiness } from './vacuity.js';
import { emptinessOf } from './vacuity.js';
import { once } from '../parse/once.js';

/** How many final states are listed before Remora gives up. */
export const STATE_LIMIT = 100_000;

export interface DecideOptions extends SessionOptions {
  /** Which queries, by index; all without it. */
  readonly queries?: readonly number[];
}

/**
 * Decides queries of a test under a model. The program must be in the model's instructions (see `adapt`). Answers are
 * delivered one by one.
 */
export function decide(
  test: Test,
  model: Model,
  newSolver: SolverFactory,
  options: DecideOptions,
  report: (answer: Answer) => void,
): void {
  const { queries = test.queries.map((_, i) => i) } = options;
  let started = performance.now();
  const answer = (
    query: number,
    rest: Omit<Answer, 'query' | 'flags' | 'milliseconds'> & { flags?: readonly string[] },
  ) => {
    const now = performance.now();
    report({ flags: [], ...rest, query, milliseconds: now - started });
    started = now;
  };
  const session = openSession(test.program, model, newSolver, options);
  if ('reason' in session) {
    for (const query of queries) answer(query, { verdict: 'unknown', reason: session.reason });
    return;
  }
  try {
    const facts = factsOf(session, model, newSolver);
    for (const index of queries) {
      const query = stateQuery(test, index);
      try {
        answer(index, decideOne(test, query, session, facts));
      } catch (error) {
        if (!(error instanceof DisagreementError)) throw error;
        answer(index, { verdict: 'unknown', ...disagreement(error) });
      }
    }
  } finally {
    session.solver.dispose();
  }
}

/** The answer after an internal error: never a verdict, but a reproducer. */
function disagreement(error: DisagreementError) {
  const execution = JSON.stringify(error.witness);
  const reason = `internal error, please report it: ${error.message}; execution: ${execution}`;
  return { reason, witness: error.witness };
}

function decideOne(
  test: Test,
  query: StateQuery,
  session: CheckSession,
  facts: Facts,
): Omit<Answer, 'query' | 'flags' | 'milliseconds'> & { flags?: readonly string[] } {
  const universal = query.quantifier === 'forall';
  const condition = session.encoding.condition(query.condition);
  const search = session.find(universal ? -condition : condition);
  switch (search.kind) {
    case 'unknown':
      return { verdict: 'unknown', reason: search.reason };
    case 'found': {
      const { verified, witness } = search;
      if (holds(query.condition, verified.run.final) === universal) {
        throw new DisagreementError('the final state does not answer the query', witness);
      }
      facts.noteExecution();
      const subjects = observedSubjects(test);
      return {
        verdict: universal ? 'fails' : 'allowed',
        state: finalState(test.program, subjects, verified.run.final),
        witness,
        ...assumedBy(verified.run),
        flags: verified.judgement.flags.map((f) => f.name),
      };
    }
    case 'none': {
      const doubt = facts.doubt();
      if (doubt !== undefined) return { verdict: 'unknown', reason: doubt };
      const emptiness = facts.emptiness();
      if (emptiness !== undefined) return emptiness;
      const upTo = facts.upTo();
      return { verdict: universal ? 'holds' : 'forbidden', upTo };
    }
  }
}

/** The facts on which a negative answer depends. Each is computed once, when first needed. */
interface Facts {
  /** Notes that there is a consistent execution. */
  noteExecution(): void;
  /** Why "no execution" cannot be trusted: a run may divide by zero. */
  doubt(): string | undefined;
  /** The answer instead of "forbidden" where there is no execution at all. */
  emptiness(): Emptiness | undefined;
  /** The loop bound, if a run may get beyond it. */
  upTo(): number | undefined;
}

function factsOf(session: CheckSession, model: Model, newSolver: SolverFactory): Facts {
  const { structure } = session;
  let execution: Search['kind'] | undefined;
  const upTo = once(() => reachableCut(structure, newSolver)?.bound);
  const doubt = once(() => divisionByZero(session));
  const emptiness = once((): Emptiness | undefined => {
    execution ??= session.ask().kind;
    if (execution === 'found') return undefined;
    if (execution === 'unknown') {
      return { verdict: 'unknown', reason: 'whether there is any execution is undecided' };
    }
    return emptinessOf(structure, model, newSolver, upTo());
  });
  return { noteExecution: () => (execution = 'found'), doubt, emptiness, upTo };
}

export interface EnumerateOptions extends Pick<SessionOptions, 'acyclicity'> {
  /** Whether the solver is the quick search itself, so that no other search goes before it. */
  readonly isSearch?: boolean;
  /** Called with each final state as soon as it is found. */
  readonly onState?: (state: FinalState) => void;
}

/**
 * All final states that a model allows, over the given subjects. A quick search goes through the combinations of
 * values. Then the solver is asked for a state among the remaining combinations, again and again, with each state that
 * it finds excluded, until it says that there is none.
 */
export function enumerate(
  test: Test,
  model: Model,
  newSolver: SolverFactory,
  subjects: readonly Subject[],
  bound?: number,
  { acyclicity, isSearch = false, onState }: EnumerateOptions = {},
): Outcomes {
  const found = new FoundStates(test.program, subjects, onState);
  // With an encoding for a solver with integers, the search cannot go first: it would need another encoding.
  const isQuick = isSearch || acyclicity === undefined || !needsIntegers(acyclicity);
  const relay = isQuick && !isSearch ? createRelay(newSolver) : undefined;
  const asked = relay?.newSolver ?? newSolver;
  const session = openSession(test.program, model, asked, { bound, acyclicity });
  if ('reason' in session) return found.outcomes(session.reason);
  try {
    const { encoding, find, structure } = session;
    const { formula } = encoding;
    const finals = subjects.map((s) => encoding.finalValues(s));
    const quickly = (known: readonly number[], assumed: readonly Lit[]) => {
      const search = found.isFull() ? undefined : find(...assumed);
      return search?.kind === 'found' ? found.take(search, known) : undefined;
    };
    const open = isQuick ? exploreValues(finals, formula, quickly) : TRUE;
    relay?.handOver();
    // This must be asked before any state is excluded: a run that divides by zero may end in one of these states.
    const doubt = divisionByZero(session);
    while (open !== FALSE) {
      const search = open === TRUE ? find() : find(open);
      if (search.kind === 'unknown') return found.outcomes(search.reason);
      if (search.kind === 'none') break;
      if (found.isFull()) return found.outcomes(`more than ${STATE_LIMIT} final states`);
      const values = found.take(search, []);
      formula.assert(...values.map((value, i) => -finals[i].get(value)!));
    }
    return found.outcomes(doubt, reachableCut(structure, newSolver)?.bound);
  } catch (error) {
    if (error instanceof DisagreementError) return found.outcomes(disagreement(error).reason);
    throw error;
  } finally {
    session.solver.dispose();
  }
}

/** The final states that were found so far, and the flags of their executions. */
class FoundStates {
  private readonly started = performance.now();
  private readonly states: FinalState[] = [];
  private readonly flags = new Set<string>();

  constructor(
    private readonly program: Program,
    private readonly subjects: readonly Subject[],
    private readonly onState?: (state: FinalState) => void,
  ) {}

  isFull(): boolean {
    return this.states.length >= STATE_LIMIT;
  }

  /**
   * Notes the state of an execution and returns its values, of which the first are known.
   *
   * @throws DisagreementError if the execution has other values
   */
  take(
    { verified, witness }: Extract<Search, { kind: 'found' }>,
    known: readonly number[],
  ): readonly number[] {
    const { run, judgement } = verified;
    const values = this.subjects.map((s) => run.final(s)!);
    if (known.some((value, i) => value !== values[i])) {
      throw new DisagreementError('the final state is not one that was asked for', witness);
    }
    const state = finalState(this.program, this.subjects, run.final);
    this.states.push(state);
    this.onState?.(state);
    for (const flag of judgement.flags) this.flags.add(flag.name);
    return values;
  }

  /** All of them, why there may be more, and the bound up to which loops were followed. */
  outcomes(incomplete?: string, upTo?: number): Outcomes {
    return {
      states: this.states.sort(compareStates),
      flags: [...this.flags].sort(),
      milliseconds: performance.now() - this.started,
      incomplete,
      upTo,
    };
  }
}
