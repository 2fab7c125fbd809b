import { describe, expect, test } from 'vitest';
import type { Diagnostic } from '../../src/parse/diagnostics/index.js';
import type { Program } from '../../src/program/program.js';
import { instructionsOf } from '../../src/program/instructions.js';
import { notUnderConditions as byConditions } from '../../src/rdma/conditions/covered.js';
import { REMOTE_ATOMICS, callFor, isUnknown, viewed } from '../../src/rdma/instructions.js';
import { notInstrumented as byLoops } from '../../src/rdma/loops/covered.js';
import { unsupported } from '../../src/rdma/machines/index.js';
import { litmus, one } from '../support/litmus.js';

/** Which instructions the theories of this folder know, and what they say of the others. */

const ATOMICS = `a := 1; p := rcas(z^2.q, a, a + 1); p :=^d rfaa(z^2, 1); p := rxchg(z^2, a); b := faa(x, a); y := xchg(x, 2)`;

const { program } = litmus(one(ATOMICS));

test('a call that is viewed and called again stays the same', () => {
  const calls = [...instructionsOf(program.threads[0].body)].flatMap((i) =>
    i.kind === 'call' ? [i] : [],
  );
  expect(calls.map((i) => i.operation)).toEqual([...REMOTE_ATOMICS, 'faa', 'xchg']);
  for (const call of calls) {
    expect(isUnknown(call)).toBe(false);
    const view = viewed(call);
    expect(view.kind).toBe(
      REMOTE_ATOMICS.includes(call.operation) ? 'remote-atomic' : call.operation,
    );
    // A copy: what was viewed is remembered.
    expect(callFor({ ...(view as Parameters<typeof callFor>[0]) })).toEqual(call);
  }
});

test('the machines know all of these', () => {
  expect(unsupported(program)).toEqual([]);
});

describe('what a theory does not know has its place, and a hint', () => {
  const said = (errors: readonly Diagnostic[]) =>
    errors.map(({ message, hint }) => [message, hint]);

  test.each<[string, (p: Program) => readonly Diagnostic[], readonly string[], string]>([
    [
      'the static conditions for robustness',
      byConditions,
      REMOTE_ATOMICS,
      'robust without --static does',
    ],
    [
      'proofs of robustness',
      byLoops,
      [...REMOTE_ATOMICS, 'faa', 'xchg'],
      'robust without --explore does, up to a loop bound',
    ],
  ])('%s', (theory, errorsOf, unknown, hint) => {
    const errors = errorsOf(program);
    expect(said(errors)).toEqual(
      unknown.map((name) => [`${theory} do not know the operation \`${name}\``, hint]),
    );
    expect(errors.every(({ span }) => span.end > span.start)).toBe(true);
  });
});
