import { EffortSpent } from '../../check/stages.js';
import type { SolverFactory } from '../../solve/solver.js';
import type { RobustFinding } from './exact.js';

/** The part of its effort that the search spends on more rounds, where there is an answer for fewer. */
const SHARE = 0.1;

/** Loop bounds that are tried before that of the program: most violations need no more rounds. */
const FEW = [1, 2];

/**
 * Compares executions whose loops have one round at most, then two, then those within a bound: a violation is found long
 * before all executions within the bound could be looked at. If these are too many and nobody has asked for them, the
 * answer is about fewer rounds, and says so.
 *
 * @param asked whether the user or the file gives the bound
 * @param compare the answer within so many rounds
 * @throws EffortSpent if the search gives up, and there is no answer yet
 */
export function roundByRound(
  bound: number,
  asked: boolean,
  newSolver: SolverFactory,
  compare: (bound: number, newSolver: SolverFactory) => RobustFinding,
): RobustFinding {
  const short: SolverFactory = (options) => newSolver({ ...options, effort: SHARE });
  let settled: RobustFinding | undefined;
  for (const rounds of FEW.filter((few) => few < bound)) {
    const found = settled === undefined ? compare(rounds, newSolver) : attempt(rounds);
    if (found === undefined) return cutShort(settled!);
    const { verdict, upTo } = found;
    if (verdict === 'not robust' || (verdict === 'robust' && upTo === undefined)) return found;
    if (verdict === 'robust' && !asked) settled = found;
  }
  if (settled === undefined) return compare(bound, newSolver);
  return attempt(bound) ?? cutShort(settled);

  function attempt(rounds: number): RobustFinding | undefined {
    try {
      const found = compare(rounds, short);
      return found.verdict === 'unknown' ? undefined : found;
    } catch (error) {
      if (error instanceof EffortSpent) return undefined;
      throw error;
    }
  }

  function cutShort(found: RobustFinding): RobustFinding {
    return { ...found, hint: `more rounds take long: --bound ${bound} tries them` };
  }
}
