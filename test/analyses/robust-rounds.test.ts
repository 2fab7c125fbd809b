import { describe, expect, test } from 'vitest';
import type { RobustFinding } from '../../src/analyses/robust/exact.js';
import { roundByRound } from '../../src/analyses/robust/rounds.js';
import { EffortSpent, withSolver } from '../../src/check/stages.js';
import type { SolverFactory } from '../../src/solve/solver.js';

/** Robustness within one round of each loop, then two, then the bound. */

/**
 * What comes out where a search gives up beyond so many rounds, or beyond so many with little effort; `violated`: rounds
 * from which on there is a violation.
 */
function answer(
  { bound = 3, asked = false },
  { violated = Infinity, hard = Infinity, long = Infinity, first = 1 },
): { readonly found: RobustFinding | 'spent'; readonly tried: readonly string[] } {
  const tried: string[] = [];
  const newSolver: SolverFactory = (options) => {
    tried.push(options?.effort === undefined ? 'full' : 'short');
    return undefined as never;
  };
  try {
    const found = roundByRound(bound, asked, newSolver, (rounds, solver) => {
      solver();
      const effort = tried.pop();
      tried.push(`${rounds} ${effort}`);
      if (rounds >= (effort === 'full' ? hard : long)) throw new EffortSpent('');
      if (rounds < first) return { verdict: 'vacuous', reason: 'no run ends' };
      return rounds >= violated ? { verdict: 'not robust' } : { verdict: 'robust', upTo: rounds };
    });
    return { found, tried };
  } catch (error) {
    if (!(error instanceof EffortSpent)) throw error;
    return { found: 'spent', tried };
  }
}

const CUT = 'more rounds take long: --bound 3 tries them';

describe('round by round', () => {
  test.each([
    ['a violation of one round', {}, { violated: 1 }, { verdict: 'not robust' }, '1 full'],
    ['of three', {}, { violated: 3 }, { verdict: 'not robust' }, '1 full, 2 short, 3 short'],
    ['none', {}, {}, { verdict: 'robust', upTo: 3 }, '1 full, 2 short, 3 short'],
    [
      'what takes long is left out',
      {},
      { long: 3 },
      { verdict: 'robust', upTo: 2, hint: CUT },
      '1 full, 2 short, 3 short',
    ],
    [
      'but not where a bound is asked for',
      { asked: true, bound: 4 },
      { long: 2, hard: 5 },
      { verdict: 'robust', upTo: 4 },
      '1 full, 2 full, 4 full',
    ],
    [
      'and not where fewer rounds lead nowhere',
      {},
      { first: 3, long: 1 },
      { verdict: 'robust', upTo: 3 },
      '1 full, 2 full, 3 full',
    ],
    ['a bound of one', { bound: 1 }, {}, { verdict: 'robust', upTo: 1 }, '1 full'],
    ['nothing is known yet', {}, { hard: 1 }, 'spent', '1 full'],
  ] as const)('%s', (_, asked, program, found, tried) => {
    expect(answer(asked, program)).toEqual({ found, tried: tried.split(', ') });
  });

  test('a solver that comes after a search leaves the rest to it', async () => {
    const stages = [
      { kind: 'search', effort: 10 },
      { kind: 'solve', backend: 'built-in', acyclicity: 'ranks' },
    ] as const;
    const means = { solver: () => Promise.resolve(() => undefined as never) };
    const used: string[] = [];
    const done = await withSolver(stages, means, (newSolver, acyclicity) => {
      used.push(acyclicity);
      newSolver();
      if (acyclicity === 'difference') throw new EffortSpent('');
      expect(() => newSolver({ effort: 0.1 })).toThrow(EffortSpent);
      return 'done';
    });
    expect([done, used]).toEqual(['done', ['difference', 'ranks']]);
    // Where it is the only one, it does all.
    await withSolver(stages.slice(1), means, (newSolver) => newSolver({ effort: 0.1 }));
  });
});
