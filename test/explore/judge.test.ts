import { readFileSync } from 'node:fs';
import fc from 'fast-check';
import { expect, test } from 'vitest';
import { askedAlways } from '../../src/explore/asked.js';
import { machineForFinals, ofPrograms, searchFinals } from '../../src/explore/finals.js';
import { finished } from '../../src/explore/finish.js';
import { wrongRun } from '../../src/explore/judge.js';
import { machineOf } from '../../src/explore/prepare.js';
import type { Run } from '../../src/explore/runs.js';
import { runTo, stepsIn } from '../../src/explore/runs.js';
import { explore } from '../../src/explore/search.js';
import { tidied } from '../../src/explore/tidy.js';
import { tellRun } from '../../src/explore/told.js';
import type { Machine } from '../../src/machine/machine.js';
import type { Program } from '../../src/program/program.js';
import { allSubjects } from '../../src/program/subjects.js';
import { random } from '../engines/programs.js';
import { modelOf } from '../support/checker.js';
import { testUnder } from '../support/explored.js';
import { litmus } from '../support/litmus.js';
import { ALL, QUICK, cases } from '../support/random.js';

/**
 * Runs of machines that are read from model files: their graphs are well-formed, and judged by the axioms of the models, as the
 * paper proves of its own machine (TSO paper, Thms D.3 and D.5).
 */

const MODELS = ['rdma-tso', 'rdma-tso-nopcie', 'rdma-ro', 'rdma-manpage', 'rdma-sc', 'x86-tso'];

/** A machine for the final states of a program; undefined where the model is none for it. */
function machineFor(program: Program, model: string, reduces: boolean): Machine | undefined {
  const options = { ...ofPrograms(program, {}), subjects: allSubjects(program), reduces };
  const machine = machineForFinals(program, modelOf(model), options);
  return 'message' in machine ? undefined : machine;
}

function runsOf(machine: Machine): readonly Run[] {
  const ends: number[] = [];
  const end = searchFinals(machine, { states: 20_000 }, (_, index) => ends.push(index) < 0);
  return ends.map((index) => end.runTo(index));
}

const translated = (text: string, model: string): Program | undefined => {
  try {
    return testUnder(litmus(text), model).program;
  } catch {
    return undefined;
  }
};

test.each(MODELS)('the axioms allow each run to a final state: %s', (name) => {
  let judged = 0;
  const remote = name !== 'x86-tso';
  const more = { atomics: true, queuePairs: true, loopBack: true };
  const drawn = random(remote ? { instructions: 3, ...more } : { instructions: 3, remote });
  fc.assert(
    fc.property(drawn, ({ text }) => {
      const program = translated(text, name);
      const machine = program && machineFor(program, name, true);
      for (const run of machine === undefined ? [] : runsOf(machine)) {
        expect(finished(machine!, run)).toBeDefined();
        expect(wrongRun(machine!, modelOf(name), run)).toBeUndefined();
        judged += 1;
      }
    }),
    { numRuns: cases(60) },
  );
  expect(judged).toBeGreaterThan(10);
});

/** What a thread reads may be in memory already in the other order. */
const BUFFERED = / in its store buffer$/;

test('a run in another order is a run to the same state, which the axioms allow', () => {
  let moved = 0;
  fc.assert(
    fc.property(random({ instructions: 3 }), ({ text }) => {
      const program = translated(text, 'rdma-tso')!;
      const machine = machineFor(program, 'rdma-tso', true);
      const single = machineFor(program, 'rdma-tso', false)!;
      for (const run of machine === undefined ? [] : runsOf(machine)) {
        const tidy = tidied(single, run);
        const told = (one: Run): readonly string[] =>
          tellRun(single, stepsIn(one), false).map(({ text: line }) =>
            line.includes(' reads ') ? line.replace(BUFFERED, '') : line,
          );
        expect(told(tidy).toSorted()).toEqual(told(run).toSorted());
        expect(wrongRun(single, modelOf('rdma-tso'), tidy)).toBeUndefined();
        if (told(tidy).join() !== told(run).join()) moved += 1;
      }
    }),
    { numRuns: cases(60) },
  );
  expect(moved).toBeGreaterThan(5);
});

const text = (name: string): string => readFileSync(`corpus/locks/${name}.litmus`, 'utf8');

test('of a run that goes on, what was begun is brought to its end', () => {
  const program = translated(text('tas-elsewhere'), 'rdma-tso')!;
  const asked = { ...askedAlways([]), reduces: true, resting: true, room: 4 };
  const machine = machineOf(program, modelOf('rdma-tso'), asked) as Machine;
  const explored = explore(machine, {}, false, {});
  let longer = 0;
  const step = ALL ? 7 : QUICK ? 101 : 41;
  for (let state = 0; state < explored.states; state += step) {
    const run = runTo(explored, state);
    const steps = finished(machine, run)!;
    if (steps.length > stepsIn(run).length) longer += 1;
    expect(wrongRun(machine, modelOf('rdma-tso'), run)).toBeUndefined();
  }
  expect(longer).toBeGreaterThan(3);
});

test('a run that another model does not allow is found out', () => {
  const program = translated(
    `RDMA message
node 1 { x = 0; y = 0 }
thread T on 1 { x := 1; a := y }
thread U on 1 { y := 1; b := x }`,
    'rdma-tso',
  )!;
  const machine = machineFor(program, 'rdma-tso', true)!;
  const reasons = runsOf(machine).map((run) => wrongRun(machine, modelOf('rdma-sc'), run));
  expect(reasons).toContain(
    'internal error, please report it: a run of the machine is none by the axioms: ob of rdma-sc fails',
  );
  expect(reasons).toContain(undefined);
});

test('steps that the machine does not take are no run', () => {
  const program = translated(text('tas'), 'rdma-tso')!;
  const asked = { ...askedAlways([]), reduces: true, resting: true, room: 4 };
  const machine = machineOf(program, modelOf('rdma-tso'), asked) as Machine;
  const run = runTo(explore(machine, {}, false, {}), 30);
  expect(finished(machine, { ...run, moves: run.moves.toReversed() })).toBeUndefined();
});
