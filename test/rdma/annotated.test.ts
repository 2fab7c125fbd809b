import { isDeepStrictEqual } from 'node:util';
import fc from 'fast-check';
import { expect, test } from 'vitest';
import { evaluate } from '../../src/model/relation/concrete.js';
import type { Program } from '../../src/program/program.js';
import { OPERATIONAL_MODELS } from '../../src/rdma/machines/index.js';
import { createMachine, isFinal, startOf, stepsOf } from '../../src/rdma/machines/machine.js';
import type { Machine } from '../../src/rdma/machines/machine.js';
import { stateKey } from '../../src/rdma/machines/state.js';
import { inBlocks, programs } from '../../src/rdma/random/programs.js';
import type { Configuration } from '../support/annotated.js';
import { annotatedStart, annotatedSteps, forgotten } from '../support/annotated.js';
import { graphOf, graphOfPath, pathOf, replayed } from '../support/annotated-graphs.js';
import { isComplete, wrongIn, wrongOf } from '../support/annotated-paths.js';
import { modelOf } from '../support/checker.js';
import { litmus } from '../support/litmus.js';
import { candidates } from '../support/naive.js';
import { cases } from '../support/random.js';

/**
 * The paper's proof that its machine and its definition are equivalent, step by step, for runs of random programs (TSO paper, App. D): the
 * machine is that of `src/rdma/machines`, the annotated semantics that of test/support/annotated.ts.
 */

const TSO = OPERATIONAL_MODELS.get('rdma-tso')!;

const RANDOM = fc
  .sample(programs({ threads: 2, instructions: 4 }), { seed: 1, numRuns: cases(300, 30) })
  .map(inBlocks);

/** Configurations along a run: which step is taken is drawn. */
function* randomRun(
  machine: Machine,
  seed: number,
): Generator<readonly [Configuration, readonly Configuration[]]> {
  let state = seed;
  let at = annotatedStart(machine);
  for (;;) {
    const next = [...annotatedSteps(machine, at)];
    yield [at, next];
    if (next.length === 0) return;
    state = (state * 1103515245 + 12345) % 2 ** 31;
    at = next[Math.floor((state / 2 ** 31) * next.length)];
  }
}

test('TSO paper, Figs. 25–28, Thms D.12, D.13 and D.14: each annotated step is one of the machine, and each of the machine can be annotated', () => {
  let steps = 0;
  for (const text of RANDOM) {
    const machine = createMachine(litmus(text).program, TSO);
    expect(stateKey(forgotten(annotatedStart(machine)))).toBe(stateKey(startOf(machine)));
    for (const [at, next] of randomRun(machine, steps)) {
      const annotated = next.map((one) => stateKey(forgotten(one)));
      const plain = [...stepsOf(machine, forgotten(at))].map(({ state }) => stateKey(state));
      expect(annotated.toSorted()).toEqual(plain.toSorted());
      steps += next.length;
    }
  }
  expect(steps).toBeGreaterThan(cases(300, 30) * 15);
});

test('TSO paper, Def. D.1, Thm D.2: configurations stay well-formed, and final ones are complete', () => {
  let complete = 0;
  for (const [seed, text] of RANDOM.entries()) {
    const machine = createMachine(litmus(text).program, TSO);
    for (const [at] of randomRun(machine, seed)) {
      expect(wrongOf(at)).toEqual([]);
      if (!isFinal(machine, forgotten(at))) continue;
      expect(isComplete(at.path)).toBe(true);
      complete += 1;
    }
  }
  expect(complete).toBeGreaterThan(cases(300, 30) * 0.5);
});

test('TSO paper, Def. D.1: paths in another order are not well-formed, for each of its reasons', () => {
  const reasons = new Set<string>();
  for (const [seed, text] of RANDOM.entries()) {
    const machine = createMachine(litmus(text).program, TSO);
    const [last] = [...randomRun(machine, seed)].at(-1)!;
    for (const i of last.path.keys()) {
      for (const k of last.path.keys()) {
        const moved = last.path.toSpliced(i, 1).toSpliced(k, 0, last.path[i]);
        for (const reason of wrongIn(moved)) reasons.add(reason);
      }
      for (const reason of wrongIn([...last.path, last.path[i]])) reasons.add(reason);
    }
  }
  expect([...reasons].toSorted()).toEqual(
    ['backComp', 'bufFlushOrd', 'nicActOrder', 'nodup', 'pollOrder', 'wfrd'].toSorted(),
  );
});

const RECURSIVE = modelOf('rdma-tso-rec');

/** The executions of a program by the definition, each with its graph; undefined where they are too many. */
function executionsOf(program: Program) {
  const found = candidates(program, 300);
  return found?.map((candidate) => ({
    candidate,
    graph: graphOf(candidate),
    judged: evaluate(RECURSIVE, candidate.execution),
  }));
}

test('TSO paper, Thms D.3 and D.5: the graph of a run is well-formed and consistent', () => {
  let judged = 0;
  for (const [seed, text] of RANDOM.entries()) {
    const { program } = litmus(text);
    const machine = createMachine(program, TSO);
    const executions = executionsOf(program);
    if (executions === undefined) continue;
    for (const again of [0, 1, 2]) {
      const [last] = [...randomRun(machine, 3 * seed + again)].at(-1)!;
      if (!isFinal(machine, forgotten(last))) continue;
      const graph = graphOfPath(last.path, machine);
      const same = executions.filter((one) => isDeepStrictEqual(one.graph, graph));
      // Choices without events may lead to the same graph.
      expect([...new Set(same.map((one) => one.judged.consistent))]).toEqual([true]);
      judged += 1;
    }
  }
  expect(judged).toBeGreaterThan(cases(300, 30) * 0.5);
});

test('TSO paper, Thm D.11: each consistent execution has a run, step by step', () => {
  let replayedRuns = 0;
  for (const text of RANDOM) {
    const { program } = litmus(text);
    const machine = createMachine(program, TSO);
    for (const { candidate, graph, judged } of executionsOf(program) ?? []) {
      if (!judged.consistent) continue;
      for (const at of [0, -1]) {
        const path = pathOf(candidate, machine, RECURSIVE, judged, (free) => free.at(at)!);
        expect(wrongIn(path)).toEqual([]);
        expect(isComplete(path)).toBe(true);
        const last = replayed(machine, path)!;
        expect(isFinal(machine, forgotten(last))).toBe(true);
        expect(graphOfPath(last.path, machine)).toEqual(graph);
        replayedRuns += 1;
      }
    }
  }
  expect(replayedRuns).toBeGreaterThan(cases(300, 30) * 5);
});
