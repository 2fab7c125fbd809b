import type { Label } from '../../src/model/bases.js';
import { applyBinary, applyUnary } from '../../src/program/arithmetic.js';
import type {
  Expression,
  Instruction,
  Program,
  Target,
  Thread,
} from '../../src/program/program.js';

/**
 * What threads can do on their own, by the definition of programs and their events: every path, with
 * every value that a read could read. It shares nothing with unrolling.
 */

/** A number, and the reads of its thread that it is computed from. */
export interface Known {
  readonly n: number;
  readonly from: readonly number[];
}

export interface Step {
  readonly label: Label;
  readonly location?: number;
  readonly node?: string;
  readonly work?: string;
  readonly reads?: number;
  readonly writes?: Known;
}

export interface ThreadRun {
  readonly steps: readonly Step[];
  readonly registers: readonly Known[];
}

/** The values that each location can hold. */
type Domain = readonly ReadonlySet<number>[];

/**
 * The runs of each thread of a program; loops run at most `bound` times. Undefined: a location has too
 * many values to try.
 */
export function threadRuns(
  program: Program,
  bound = program.bound ?? 3,
): readonly (readonly ThreadRun[])[] | undefined {
  const domain = program.locations.map(({ initial }) => new Set([initial]));
  for (let grown = true; grown;) {
    grown = false;
    // A read may justify the branch that it depends on, if the model lets it: so any branch counts.
    const runs = program.threads.flatMap((thread) => runsOf(thread, domain, bound, () => true));
    for (const { location, writes } of runs.flatMap(({ steps }) => steps)) {
      if (writes === undefined || domain[location!].has(writes.n)) continue;
      domain[location!].add(writes.n);
      grown = true;
    }
    if (domain.some(({ size }) => size > 12)) return undefined;
  }
  return program.threads.map((thread) => runsOf(thread, domain, bound, (found) => found));
}

/**
 * All runs of a thread in which each read reads some value of its location's domain.
 *
 * @param may whether to go on where a condition must be true, told whether it is
 */
function runsOf(
  thread: Thread,
  domain: Domain,
  bound: number,
  may: (holds: boolean) => boolean,
): readonly ThreadRun[] {
  const add = (run: ThreadRun, step: Step): ThreadRun => ({ ...run, steps: [...run.steps, step] });

  const evaluate = (e: Expression, run: ThreadRun): readonly (readonly [ThreadRun, Known])[] => {
    const locations = new Set<number>();
    const collect = (x: Expression): void => {
      if (x.kind === 'location') locations.add(x.location);
      if (x.kind === 'unary') collect(x.arg);
      if (x.kind === 'binary') [x.left, x.right].forEach(collect);
    };
    collect(e);
    let all = [{ run, seen: new Map<number, Known>() }];
    for (const location of locations) {
      all = all.flatMap((before) =>
        [...domain[location]].map((n) => ({
          run: add(before.run, { label: 'lR', location, reads: n }),
          seen: new Map([...before.seen, [location, { n, from: [before.run.steps.length] }]]),
        })),
      );
    }
    return all.flatMap(({ run, seen }) => {
      const value = (x: Expression): Known | undefined => {
        if (x.kind === 'int') return { n: x.value, from: [] };
        if (x.kind === 'location') return seen.get(x.location)!;
        if (x.kind === 'register') return run.registers[x.register];
        if (x.kind === 'unary') {
          const arg = value(x.arg);
          return arg && { ...arg, n: applyUnary(x.op, arg.n) };
        }
        const [left, right] = [value(x.left), value(x.right)];
        if (left === undefined || right === undefined) return undefined;
        const n = applyBinary(x.op, left.n, right.n);
        return n === undefined ? undefined : { n, from: [...left.from, ...right.from] };
      };
      // A run that divides by zero has no meaning, and is not one.
      const known = value(e);
      return known === undefined ? [] : [[run, known] as const];
    });
  };

  const store = (target: Target, writes: Known, run: ThreadRun): ThreadRun =>
    target.kind === 'location'
      ? add(run, { label: 'lW', location: target.location, writes })
      : { ...run, registers: run.registers.map((r, i) => (i === target.register ? writes : r)) };

  const operation = (i: Extract<Instruction, { kind: 'get' | 'put' }>, run: ThreadRun) => {
    const [first, second] =
      i.kind === 'get' ? (['nrR', 'nlW'] as const) : (['nlR', 'nrW'] as const);
    const { node, from, to, work } = i;
    return [...domain[from]].map((n) => {
      const writes = { n, from: [run.steps.length] };
      const write = { label: second, location: to, node, writes };
      const read = add(run, { label: first, location: from, node, reads: n });
      return add(read, work === undefined ? write : { ...write, work });
    });
  };

  const cas = (i: Extract<Instruction, { kind: 'cas' }>, run: ThreadRun): readonly ThreadRun[] => {
    const { location, target } = i;
    const [[, old]] = evaluate(i.expected, run);
    const [[, writes]] = evaluate(i.desired, run);
    const swap = add(run, { label: 'CAS', location, reads: old.n, writes });
    const fenced = add(run, { label: 'F' });
    const won = may(domain[location].has(old.n)) ? [store(target, old, swap)] : [];
    const lost = [...domain[location]].filter((n) => may(n !== old.n));
    return [
      ...won,
      ...lost.map((n) => {
        const seen = { n, from: [fenced.steps.length] };
        return store(target, seen, add(fenced, { label: 'lR', location, reads: n }));
      }),
    ];
  };

  /** Runs that need more iterations than the bound are left out. */
  const loop = (
    i: Extract<Instruction, { kind: 'loop' }>,
    run: ThreadRun,
    left: number,
  ): readonly ThreadRun[] => {
    const again = (before: ThreadRun) =>
      left === 0 ? [] : body(i.body, before).flatMap((after) => loop(i, after, left - 1));
    if (i.condition === undefined) return [run, ...again(run)];
    return evaluate(i.condition, run).flatMap(([after, { n }]) => [
      ...(may(n === 0) ? [after] : []),
      ...(may(n !== 0) ? again(after) : []),
    ]);
  };

  const instruction = (i: Instruction, run: ThreadRun): readonly ThreadRun[] => {
    switch (i.kind) {
      case 'assign':
        return evaluate(i.value, run).map(([after, value]) => store(i.target, value, after));
      case 'get':
      case 'put':
        return operation(i, run);
      case 'cas':
        return cas(i, run);
      case 'mfence':
        return [add(run, { label: 'F' })];
      case 'poll':
        return [add(run, { label: 'P', node: i.node })];
      case 'rfence':
        return [add(run, { label: 'nF', node: i.node })];
      case 'wait':
        return [add(run, { label: 'WT', work: i.work })];
      case 'assume':
        return evaluate(i.condition, run).flatMap(([after, { n }]) =>
          may(n !== 0) ? [after] : [],
        );
      case 'if':
        return evaluate(i.condition, run).flatMap(([after, { n }]) => [
          ...(may(n !== 0) ? body(i.then, after) : []),
          ...(may(n === 0) ? body(i.else, after) : []),
        ]);
      case 'choose':
        return i.branches.flatMap((branch) => body(branch, run));
      case 'loop':
        return loop(i, run, i.bound ?? bound);
    }
  };
  const body = (list: readonly Instruction[], run: ThreadRun): readonly ThreadRun[] =>
    list.reduce((runs, i) => runs.flatMap((r) => instruction(i, r)), [run] as readonly ThreadRun[]);

  return body(thread.body, {
    steps: [],
    registers: thread.registers.map(() => ({ n: 0, from: [] })),
  });
}
