import { mkdtempSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import fc from 'fast-check';
import { afterAll, beforeAll, describe, expect, test } from 'vitest';
import { emit } from '../../src/emit/emit.js';
import type { Test } from '../../src/program/program.js';
import { allSubjects, subjectName } from '../../src/program/subjects.js';
import type { ProgramShape } from '../../src/rdma/random/programs.js';
import { inBlocks, programs } from '../../src/rdma/random/programs.js';
import { CARD, SKIP_CARD, card } from '../support/card.js';
import { modelOf } from '../support/checker.js';
import { allowedBy, build, resultsIn, start } from '../support/emitted.js';
import { litmus } from '../support/litmus.js';
import { ALL } from '../support/random.js';

/**
 * Random programs, emitted in one folder, on the weak card: each final state that is seen is allowed by the model of the fabric. Rounds are
 * dropped where a poll has nothing to wait for, and where the system holds a thread up for longer than the limit.
 */

const [PROGRAMS, ROUNDS] = ALL ? [500, 2000] : [20, 20];

const SHAPES: readonly ProgramShape[] = [
  { threads: 2, instructions: 3, atomics: true },
  { threads: 3, instructions: 3, branches: false },
  { threads: 2, instructions: 4, queuePairs: true, loopBack: true },
  { threads: 2, instructions: 4, atomics: true, branches: false },
];

/** A program that is asked about all that it has. */
function drawn(at: number): Test {
  const shape = SHAPES[at % SHAPES.length];
  const [source] = fc.sample(programs(shape), { numRuns: 1, seed: at });
  const text = inBlocks(source).replace('RDMA random', `RDMA random-${at}`);
  const { program } = litmus(text);
  const asked = allSubjects(program).map((one) => `${subjectName(program, one, true)} = 0`);
  return litmus(`${text}exists (${asked.join(' /\\ ') || 'true'})\n`);
}

describe.skipIf(SKIP_CARD)(`random programs on ${CARD}`, () => {
  const folder = mkdtempSync(join(tmpdir(), 'remora-random-'));
  let library: string;

  beforeAll(() => {
    library = card();
    const tests: Test[] = [];
    // Remote exchanges are nothing that verbs have.
    for (let at = 0; tests.length < PROGRAMS; at++) {
      const test = drawn(at);
      if ('text' in emit(test, 'tried')) tests.push(test);
    }
    expect(build(folder, tests)).toEqual({ written: PROGRAMS, stderr: '' });
  }, 3_600_000);
  afterAll(() => rmSync(folder, { recursive: true }));

  test.each(['tso', 'ro'])(
    'under %s',
    async (fabric) => {
      const out = `${fabric}.jsonl`;
      const args = ['--rounds', `${ROUNDS}`, '--limit', '100', '--out', out];
      const ended = await start(folder, { library, fabric, room: `room-${fabric}` }, args).end;
      expect(ended).toEqual({ code: 0, errors: '' });
      const all = resultsIn(join(folder, out));
      expect(all).toHaveLength(PROGRAMS);
      for (const { test: name, program, times } of all) {
        const allowed = [...allowedBy(program, modelOf(`rdma-${fabric}`))];
        for (const state of times.keys()) {
          expect(allowed, `${name}: ${state}\n${program}`).toContain(state);
        }
      }
    },
    7_200_000,
  );
});
