import { readFileSync } from 'node:fs';
import fc from 'fast-check';
import { describe, expect, test } from 'vitest';
import type { Test } from '../../src/program/program.js';
import { askedAlways } from '../../src/explore/asked.js';
import { codecOf } from '../../src/explore/codec.js';
import { machineOf } from '../../src/explore/prepare.js';
import { explore } from '../../src/explore/search.js';
import { symmetryOf } from '../../src/explore/symmetry/symmetry.js';
import { modelOf } from '../support/checker.js';
import { testUnder } from '../support/explored.js';
import { litmus } from '../support/litmus.js';
import { cases, few } from '../support/random.js';

/**
 * The states that are found up to symmetry stand for all that there are, and for no others: all states, turned into those
 * that stand for them, are as many, and the same.
 */

const LIMIT = 40_000;

interface Compared {
  readonly incomplete?: string;
  /** How many states there are, and how many are found up to symmetry. */
  readonly all: number;
  readonly found: number;
  /** How many of all have none that stands for them, and how many that are found stand for none of all. */
  readonly missing: number;
  readonly strangers: number;
}

function compared(test: Test, model: string): Compared {
  const { program } = testUnder(test, model);
  const asked = { ...askedAlways([]), room: 4, resting: true, reduces: true };
  // All is done on one machine, so that the control states of threads have the same numbers.
  const machine = machineOf(program, modelOf(model), asked);
  if ('message' in machine) throw new Error(machine.message);
  const codec = codecOf(machine);
  const states: Int32Array[] = [];
  const listed = (found: Int32Array[]) => ({
    state(s: Int32Array): boolean {
      found.push(s.slice());
      return false;
    },
  });
  const limits = { states: LIMIT };
  // All states have to be gone through, for all places to be known.
  let incomplete: string | undefined;
  const learn = (mirror: Parameters<Parameters<typeof symmetryOf>[3]>[0]): void => {
    states.length = 0;
    ({ incomplete } = explore(machine, listed(states), false, limits, mirror));
  };
  const representatives: Int32Array[] = [];
  const up = explore(machine, { ...listed(representatives), isSame: () => true }, false, limits);
  incomplete = up.incomplete;
  if (incomplete !== undefined) return { incomplete, all: 0, found: 0, missing: 0, strangers: 0 };
  const symmetry = symmetryOf(machine, codec, () => true, learn)!;
  if (incomplete !== undefined) return { incomplete, all: 0, found: 0, missing: 0, strangers: 0 };
  const bytesOf = (s: Int32Array): string =>
    [...codec.bytes.subarray(0, symmetry.encode(s))].join();
  learn(symmetry.mirror);
  const found = new Set(representatives.map(bytesOf));
  const stoodFor = new Set(states.map(bytesOf));
  const missing = [...stoodFor].filter((s) => !found.has(s));
  const strangers = [...found].filter((s) => !stoodFor.has(s));
  return {
    ...{ all: states.length, found: up.states },
    ...{ missing: missing.length, strangers: strangers.length },
  };
}

const lock = (name: string, symmetric: string): Test =>
  litmus(`${readFileSync(`corpus/locks/${name}.litmus`, 'utf8')}\nsymmetric ${symmetric}`);

describe('locks', () => {
  test.each([
    ['tas', 'T'],
    ['ticket-lock', 'T'],
    ['mcs', 'T'],
    ['alock-1-2', 'T'],
    ['sherman', 'T'],
    ['reader-writer', 'T'],
  ])('%s', (name, group) => {
    for (const model of ['rdma-tso', 'rdma-sc', 'sc']) {
      const { incomplete, all, found, missing, strangers } = compared(lock(name, group), model);
      expect({ incomplete, missing, strangers }).toEqual({
        ...{ incomplete: undefined, missing: 0, strangers: 0 },
      });
      // Few states are the same when threads change places.
      expect(all / found).toBeGreaterThan(1.7);
      expect(all / found).toBeLessThanOrEqual(2);
    }
  });
});

test('random families', () => {
  const instruction = fc.constantFrom(
    'z^9 := x[i]; poll(9)',
    'y := i',
    'r := y',
    'r := x[i]',
    'x[i] := r',
    'z^9 := i',
    'a := z^9',
    'poll(9)',
    'a := rcas(z^9, 0, i); poll(9); r := a',
    'b := rfaa(w^9, 1); poll(9); s := b',
    's := s + 1',
    'x[i] := i',
    'q := CAS(x[i], 0, i)',
    'mfence',
    'if (r = i) { v^9 := x[i] }',
    'if (r = 1) { s := 1 } else if (r = 2) { s := 2 } else { s := 0 }',
    'if (r = 1) { x[1]^1 := i; poll(1) } else if (r = 2) { x[2]^2 := i; poll(2) } else if (r = 3) { x[3]^3 := i; poll(3) }',
    'while (r != 0) { r := x[i] }',
    'critical c { skip }',
    'choose { r := 0 } or { s := 1 }',
  );
  const body = fc.array(instruction, { minLength: 2, maxLength: 4 });
  const bodies = fc.sample(body, { seed: 17, numRuns: cases(150) });
  let symmetric = 0;
  for (const some of bodies) {
    const text = some.join('; ').replaceAll('y', 'x[i]');
    const source = `RDMA t node n in 1..3 { x = 0 } node 9 { z = 0; w = 0; v = 0 }
      threads T[i in 1..3] on i { r := 0; s := 0; ${text} } symmetric T`;
    const { incomplete, all, found, missing, strangers } = compared(litmus(source), 'rdma-tso');
    if (incomplete !== undefined) {
      expect(incomplete).toMatch(/^(?:the threads that are declared symmetric are not|limit of)/);
      continue;
    }
    expect({ text, missing, strangers }).toEqual({ text, missing: 0, strangers: 0 });
    expect(all).toBeLessThanOrEqual(6 * found);
    symmetric++;
  }
  expect(symmetric).toBeGreaterThan(few(50));
});
