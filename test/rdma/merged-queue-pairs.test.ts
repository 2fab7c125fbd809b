import fc from 'fast-check';
import { describe, expect, test } from 'vitest';
import { OPERATIONAL_MODELS } from '../../src/rdma/machines/index.js';
import type { Machine, Transition } from '../../src/rdma/machines/machine.js';
import { createMachine, startOf, stepsOf } from '../../src/rdma/machines/machine.js';
import type { MachineState, Packet, QueuePairState } from '../../src/rdma/machines/state.js';
import { stateKey } from '../../src/rdma/machines/state.js';
import type { Program } from '../../src/program/program.js';
import { inBlocks, programs } from '../../src/rdma/random/programs.js';
import { PLAIN_FILES } from '../support/corpus.js';
import { litmus } from '../support/litmus.js';

/**
 * The two kinds of queue pairs, step by step (TSO paper, App. B): in each state that the machine with six buffers comes to, what the
 * paper's proof of their equivalence says of it. Final states of both are compared elsewhere.
 */

const TSO = OPERATIONAL_MODELS.get('rdma-tso')!;

/** What each buffer may hold (TSO paper, Def. B.1), from the first to the last that an operation passes through. */
const HOLDS: readonly (readonly Packet['kind'][])[] = [
  ['put', 'get', 'rfence'],
  ['sent', 'get'],
  ['get', 'fetched', 'ack'],
  ['fetched', 'ack'],
];

const isWellFormed = ({ stages, wbR, wbL }: QueuePairState): boolean =>
  stages.every((stage, i) => stage.every((e) => HOLDS[i].includes(e.kind))) &&
  wbR.every((e) => e.kind === 'write') &&
  wbL.every((e) => e.kind === 'write' || e.kind === 'completion');

/** One buffer in the place of four (TSO paper, Def. B.4). The oldest entries are in the last. */
const merged = (queuePair: QueuePairState): QueuePairState => ({
  ...queuePair,
  stages: [queuePair.stages.toReversed().flat()],
});

/** Four buffers in the place of one, each entry as far on its way as it can be (TSO paper, Def. B.5). */
function unmerged(queuePair: QueuePairState, holds = HOLDS): QueuePairState {
  const stages: Packet[][] = holds.map(() => []);
  let at = stages.length - 1;
  for (const entry of queuePair.stages[0]) {
    while (at > 0 && !holds[at].includes(entry.kind)) at -= 1;
    stages[at].push(entry);
  }
  return { ...queuePair, stages };
}

const each = (
  state: MachineState,
  change: (of: QueuePairState) => QueuePairState,
): MachineState => ({
  ...state,
  queuePairs: state.queuePairs.map((queuePair) => change(queuePair)),
});

/** The states that a machine comes to, up to so many. */
function statesOf(machine: Machine, limit: number): readonly MachineState[] {
  const states = [startOf(machine)];
  const keys = new Set(states.map(stateKey));
  for (let i = 0; i < states.length && states.length < limit; i++) {
    for (const { state } of stepsOf(machine, states[i])) {
      if (keys.size === keys.add(stateKey(state)).size) continue;
      states.push(state);
    }
  }
  return states;
}

const isSilent = ({ move }: Transition): boolean =>
  move.kind === 'nic' && move.step.rule === 'forward';

/** Entries move on as long as nothing is seen of it. */
function forwarded(machine: Machine, state: MachineState): MachineState {
  const step = [...stepsOf(machine, state)].find(isSilent);
  return step === undefined ? state : forwarded(machine, step.state);
}

/** Expects of all states of a program what the paper proves, and says how many silent and visible steps there were. */
function compare(program: Program, limit: number): readonly [silent: number, visible: number] {
  const six = createMachine(program, { ...TSO, queuePairs: 'six-buffers' });
  const one = createMachine(program, { ...TSO, queuePairs: 'simplified' });
  const keysOf = (steps: Iterable<Transition>): readonly string[] =>
    Array.from(steps, ({ state }) => stateKey(state));
  const keysOfMerged = (steps: readonly Transition[]): readonly string[] =>
    steps.map(({ state }) => stateKey(each(state, merged)));
  let [silent, visible] = [0, 0];
  for (const state of statesOf(six, limit)) {
    const simple = each(state, merged);
    const spread = each(simple, unmerged);
    const steps = [...stepsOf(six, state)];
    const simpleSteps = keysOf(stepsOf(one, simple));
    // Lemmas B.2 and B.3.
    expect(state.queuePairs.every(isWellFormed)).toBe(true);
    // Lemma B.6.
    expect(stateKey(each(spread, merged))).toBe(stateKey(simple));
    // Lemma B.7.
    const quiet = steps.filter(isSilent);
    expect(new Set([stateKey(simple), ...keysOfMerged(quiet)]).size).toBe(1);
    // Lemma B.8, Theorem B.9.
    const seen = steps.filter((step) => !isSilent(step));
    expect(simpleSteps).toEqual(expect.arrayContaining([...keysOfMerged(seen)]));
    // Lemma B.10.
    expect(stateKey(forwarded(six, state))).toBe(stateKey(spread));
    // Lemma B.11, Theorem B.12.
    const spreadSteps = keysOfMerged([...stepsOf(six, spread)]);
    expect(spreadSteps).toEqual(expect.arrayContaining([...simpleSteps]));
    silent += quiet.length;
    visible += seen.length;
  }
  return [silent, visible];
}

// TSO paper, Fig. 21, Defs. B.1, B.4 and B.5, Lemmas B.2, B.3 and B.6–B.8, Thm B.9, Lemmas B.10 and B.11, Thm B.12.
describe('each step of one is a step of the other', () => {
  const files = PLAIN_FILES.filter(({ file }) => file.startsWith('tso/'));

  test.each(files)('$file', ({ text }) => {
    compare(litmus(text).program, 500);
  });

  test('of random programs', () => {
    let [silent, visible] = [0, 0];
    fc.assert(
      fc.property(programs({ instructions: 4, threads: 2 }), (source) => {
        const { program } = litmus(inBlocks(source));
        const found = compare(program, 200);
        silent += found[0];
        visible += found[1];
      }),
      { numRuns: 30 },
    );
    expect(silent).toBeGreaterThan(300);
    expect(visible).toBeGreaterThan(1000);
  });
});

test('Def. B.5 of the TSO paper as printed keeps the values of puts in outR, where Def. B.1 has none', () => {
  const printed = HOLDS.with(2, ['sent', 'fetched', 'ack']);
  const sent = { kind: 'sent', location: 0, value: 1 } as const;
  const pipe: QueuePairState = { stages: [[sent]], wbR: [], wbL: [] };
  expect(isWellFormed(unmerged(pipe))).toBe(true);
  expect(isWellFormed(unmerged(pipe, printed))).toBe(false);
});
