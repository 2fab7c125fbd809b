import fc from 'fast-check';
import { describe, expect, test } from 'vitest';
import { enumerateCandidates } from '../../src/check/enumerate/candidates.js';
import { unroll } from '../../src/program/events/unroll.js';
import type { Model } from '../../src/model/term.js';
import type { Test } from '../../src/program/program.js';
import { allSubjects, subjectName } from '../../src/program/subjects.js';
import { inBlocks, programs } from '../../src/rdma/random/programs.js';
import { evaluate } from '../../src/model/relation/concrete.js';
import type { Execution } from '../../src/model/relation/concrete.js';
import { pairs } from '../../src/model/relation/matrix.js';
import type { Verified } from '../../src/check/witness/verify.js';
import { models } from '../support/cats.js';
import { cat, litmus, modelOf } from '../support/checker.js';
import type { Candidate } from '../support/naive.js';
import { candidates } from '../support/naive.js';
import { cases, few } from '../support/random.js';

/** The enumeration on random programs: against the solver, and execution by execution. */

const LIMIT = 200_000;

interface Found {
  readonly verified: readonly Verified[];
  readonly incomplete: string | undefined;
}

function enumerated({ program }: Test, model: Model, onlyStates = false): Found {
  const verified: Verified[] = [];
  const states = onlyStates ? allSubjects(program) : undefined;
  const visit = (v: Verified): void => void verified.push(v);
  const { incomplete } = enumerateCandidates(unroll(program), model, visit, {
    limit: LIMIT,
    states,
  });
  return { verified, incomplete };
}

const stateOf = ({ program }: Test, { run }: Verified): string =>
  allSubjects(program)
    .map((s) => `${subjectName(program, s)}=${run.final(s)}`)
    .join(' ');

/** An execution by what was chosen in it, and the state that it ends in. */
function described(model: Model, { size, relations }: Execution, state: string): string {
  // What the model cannot see is chosen once.
  const chosen = model.bases.includes('nfo') ? ['rf', 'mo', 'nfo'] : ['rf', 'mo'];
  return [state, size, ...chosen.map((name) => [...pairs(relations.get(name)!)].join(' '))].join();
}

/** Executions are those of the naive enumeration that the model allows, each once. */
function agree(subject: Test, model: Model, naive: readonly Candidate[]): number {
  const { verified, incomplete } = enumerated(subject, model);
  expect(incomplete).toBeUndefined();
  const ids = verified.map((v) => JSON.stringify([v.events.map((e) => e.id), v.witness]));
  expect(new Set(ids).size).toBe(ids.length);
  const found = verified.map((v) => described(model, v.execution, stateOf(subject, v)));
  const allowed = naive.filter(({ execution }) => evaluate(model, execution).consistent);
  const describe = (c: Candidate): string => described(model, c.execution, c.state);
  const all = new Set(allowed.map(describe));
  expect(found.filter((execution) => !all.has(execution))).toEqual([]);
  // Executions in which a value comes from itself may be found or not.
  const sure = allowed.filter((c) => c.grounded).map(describe);
  const known = new Set(found);
  expect(sure.filter((execution) => !known.has(execution))).toEqual([]);
  const states = enumerated(subject, model, true).verified.map((v) => stateOf(subject, v));
  expect(states.sort()).toEqual([...new Set(verified.map((v) => stateOf(subject, v)))].sort());
  return all.size;
}

describe('executions are those that there are', () => {
  test('under the models that are shipped', () => {
    fc.assert(
      fc.property(programs({ instructions: 3 }), (source) => {
        const subject = litmus(inBlocks(source));
        const naive = candidates(subject.program, 1000);
        if (naive === undefined) return;
        for (const name of [
          'rdma-sc',
          'rdma-tso',
          'rdma-tso-4.4',
          'rdma-tso-nopcie',
          'rdma-tso-rec',
          'sc',
        ]) {
          agree(subject, modelOf(name), naive);
        }
      }),
      { numRuns: cases(30), seed: 22 },
    );
  });

  test('under random models', () => {
    let telling = 0;
    const several = fc.array(models, { minLength: 8, maxLength: 8 });
    for (const branches of [false, true]) {
      fc.assert(
        fc.property(programs({ branches, instructions: 3 }), several, (source, texts) => {
          const subject = litmus(inBlocks(source));
          const naive = candidates(subject.program, 500) ?? [];
          fc.pre(new Set(naive.map(({ state }) => state)).size > 2);
          for (const model of texts.map(cat)) {
            const left = agree(subject, model, naive);
            if (left > 0 && left < naive.length) telling += 1;
          }
        }),
        { numRuns: cases(30), seed: 23 },
      );
    }
    expect(telling).toBeGreaterThan(few(50));
  });
});
