import type { Statement } from '../parse/litmus-ast.js';
import { oppositeOf } from './arithmetic.js';
import type { Following } from './around.js';
import { Exhausted, Refusal } from './core.js';
import { isNever } from './sequences.js';
import { isSame } from './state.js';
import type { Fork } from './ways.js';
import { lastForgotten } from './ways.js';

/** One run through the function of a thread. */
export interface Run {
  /** What it has written. */
  readonly body: readonly Statement[];
  readonly forks: readonly Fork[];
}

type Start = (following: Pick<Following, 'findings' | 'decisions' | 'forgot'>) => Run;

/**
 * Follows a function on all of its ways. A run goes once through it; where ways cannot be put together again, another run takes the other
 * way. What a run finds out about a place, such as that a poll there need not find anything, holds for all runs, which begin again.
 *
 * @throws Refusal if something is not understood, or takes too much work
 */
export function follow(start: Start): readonly Statement[] {
  const findings = new Set<string>();
  const all = new Follower(start);
  for (;;) {
    try {
      return all.from(findings);
    } catch (error) {
      if (error instanceof Exhausted) throw error;
      const shown = error instanceof Refusal ? (error.shows ?? all.forgotten(findings)) : undefined;
      if (shown === undefined) throw error;
      findings.add(shown);
    }
  }
}

class Follower {
  private forgot: readonly number[] = [];

  constructor(private readonly start: Start) {}

  from(findings: ReadonlySet<string>): readonly Statement[] {
    return this.explore(findings, []).body;
  }

  /** The last place where the last run forgot something, and that no finding is about. */
  forgotten(findings: ReadonlySet<string>): string | undefined {
    return lastForgotten(this.forgot, findings);
  }

  /** A run with the given decisions, and in it what the runs write that decide otherwise behind them. */
  private explore(findings: ReadonlySet<string>, decisions: readonly number[]): Run {
    const forgot: number[] = [];
    this.forgot = forgot;
    const run = this.start({ findings, decisions, forgot });
    for (const [at, fork] of run.forks.entries()) {
      if (at < decisions.length) continue;
      const before = run.forks.slice(0, at).map(({ taken }) => taken);
      for (const [other, { out }] of fork.ways.entries()) {
        if (other === fork.taken) continue;
        const { forks } = this.explore(findings, [...before, other]);
        const way = forks[at].ways[other];
        out.push(...way.out.slice(way.length));
      }
    }
    return run;
  }
}

/** Without the ways that no run of the program takes, as they assume what is never so, and with one way of those that do the same. */
export function pruned(body: readonly Statement[]): readonly Statement[] {
  return body.flatMap((one): readonly Statement[] => {
    if (one.kind === 'if') {
      const [then, otherwise] = [pruned(one.then), pruned(one.else)];
      if (isNever(then) && isNever(otherwise)) return [neverAt(one)];
      if (isNever(then)) {
        return [
          { kind: 'assume', condition: oppositeOf(one.condition), span: one.span },
          ...otherwise,
        ];
      }
      if (isNever(otherwise)) {
        return [{ kind: 'assume', condition: one.condition, span: one.span }, ...then];
      }
      return [{ ...one, then, else: otherwise }];
    }
    if (one.kind !== 'choose') return [one];
    const possible = one.branches.map(pruned).filter((branch) => !isNever(branch));
    const branches = possible.filter(
      (branch, i) => possible.findIndex((other) => isSame(other, branch)) === i,
    );
    if (branches.length === 0) return [neverAt(one)];
    return branches.length === 1 ? branches[0] : [{ ...one, branches }];
  });
}

const neverAt = ({ span }: Statement): Statement => ({
  kind: 'assume',
  condition: { kind: 'int', value: 0, span },
  span,
});

/**
 * Instructions are told apart by their places. What stands in a helper or a loop is written out several times: the later ones end a
 * character earlier each.
 */
export function withOwnPlaces(body: readonly Statement[]): readonly Statement[] {
  const places = new Set<string>();
  const placed = (one: Statement): Statement => {
    const inner =
      one.kind === 'if'
        ? { ...one, then: one.then.map(placed), else: one.else.map(placed) }
        : one.kind === 'choose'
          ? { ...one, branches: one.branches.map((branch) => branch.map(placed)) }
          : one;
    const { file, start, end } = one.span;
    let last = end;
    while (last > start && places.has(`${start} ${last}`)) last -= 1;
    places.add(`${start} ${last}`);
    return { ...inner, span: { file, start, end: last } };
  };
  return body.map(placed);
}
