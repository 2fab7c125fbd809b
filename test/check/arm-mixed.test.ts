import { readFileSync } from 'node:fs';
import { join } from 'node:path';
import fc from 'fast-check';
import { describe, expect, test } from 'vitest';
import { operationsOf } from '../../src/model/instructions/operations.js';
import { printProgram } from '../../src/program/print.js';
import { readCases } from '../support/cases.js';
import { modelOf, states, verdicts } from '../support/checker.js';
import { hostPrograms } from '../support/host-programs.js';
import { litmus } from '../support/litmus.js';
import { cases } from '../support/random.js';
import { ROOT, remora } from '../support/run.js';

/** Programs in which some nodes have Arm's CPUs, and others x86's. */

const MIXED = 'rdma-tso+mixed';

/** A program whose nodes with these names have Arm's CPUs. */
const onArm = (text: string, ...nodes: readonly string[]): string =>
  text.replace(/^node (\w+) \{/gm, (whole, node: string) =>
    nodes.includes(node) ? `node ${node} [arm] {` : whole,
  );

const hostText = (name: string): string =>
  readFileSync(join(ROOT, `corpus/hosts/${name}.litmus`), 'utf8').replace(
    /^ {2}computed .*\n/gm,
    '',
  );

describe('the tests of hosts', () => {
  // Where only node 1 is Arm, and where only node 2 is: the page about hosts, section 4, last column.
  test.each([
    ['h-flag', 'fA'],
    ['h-flag-acq', 'ff'],
    ['h-flag-ishld', 'ff'],
    ['h-flag-ctrl', 'fA'],
    ['h-flag-clean', 'ff'],
    ['h-proxy', 'ff'],
    ['h-seq-second-acq', 'fA'],
    ['h-seq-get', 'Af'],
    ['h-post-sb', 'ff'],
    ['h-credit', 'fA'],
    ['h-credit-ld', 'ff'],
    ['h-credit-st', 'fA'],
    ['h-post-stores', 'Af'],
    ['h-post-fence', 'AA'],
    ['h-poll-get', 'ff'],
    ['h-poll-reuse', 'ff'],
    ['h-poll-earlier', 'Af'],
    ['h-lock-put-relaxed', 'fA'],
    ['h-cas-fails', 'fA'],
    ['h-swpa-late', 'fA'],
    ['h-faa-put', 'ff'],
    ['h-rsw', 'fA'],
    ['h-ppoca', 'fA'],
    ['h-ppoaa', 'ff'],
  ])('%s: %s', (name, [first, second]) => {
    const said = (letter: string): string[] => [letter === 'A' ? 'allowed' : 'forbidden'];
    const text = hostText(name);
    expect(verdicts(onArm(text, '1'), MIXED)).toEqual(said(first));
    expect(verdicts(onArm(text, '2'), MIXED)).toEqual(said(second));
  });
});

const ATOMIC = `RDMA t
node 1 [arm] { x = 0 }
node 2 { y = 0 }
thread T1 on 1 { r := CAS [al] (x, 0, 1) }
thread T2 on 2 { s := CAS(y, 0, 1) }
`;

test('an atomic is that of its node, and programs are printed as they are written', () => {
  const test = litmus(ATOMIC, modelOf(MIXED).instructions);
  const called = test.program.threads.flatMap(({ body }) =>
    body.flatMap((i) =>
      i.kind === 'call' ? [operationsOf(test.program.instructions).called(i)] : [],
    ),
  );
  expect(called.map(({ tag }) => tag)).toEqual(['arm', undefined]);
  expect(`RDMA t\n${printProgram(test.program)}`.replace(/\n\n/g, '\n')).toBe(ATOMIC);
});

test('a model without such nodes refuses them, and says which', async () => {
  const run = await remora(['check', '-', '-m', 'rdma-tso,rdma-tso+mixed'], { input: ATOMIC });
  expect(run.code).toBe(2);
  expect(run.stdout).toMatch(/^t under rdma-tso\+mixed\n/);
  expect(run.stderr).toBe(`<stdin>:4:1: rdma-tso has no nodes of the kind [arm], as node 1 is
4 | thread T1 on 1 { r := CAS [al] (x, 0, 1) }
  | ^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^
<stdin>:4:18: rdma-tso has no operation \`CAS [al] [arm]\`
4 | thread T1 on 1 { r := CAS [al] (x, 0, 1) }
  |                  ^^^^^^^^^^^^^^^^^^^^^^^
`);
});

test('the fix of an atomic is its acquire form, and is read with the tags of its node', async () => {
  const text = `RDMA t
node 1 {}
node 2 [arm] { x = 0; l = 1 }
thread T1 on 1 { x^2 := 1; l^2 := 0 }
thread T2 on 2 { a := CAS(l, 0, 1); s := x }
exists (a = 0 /\\ s = 0)
`;
  const run = await remora(['explain', '-', '-m', MIXED, '--fix'], { input: text });
  expect([run.code, run.stderr]).toEqual([0, '']);
  expect(run.stdout).toContain(
    'T2: put a := CAS [a] (l, 0, 1) in the place of a := CAS(l, 0, 1) (5:18)',
  );
  expect(run.stdout).toContain('node 2 [arm] { x = 0; l = 1 }');
});

test('the list of instructions says of which nodes an atomic is', async () => {
  const { stdout } = await remora(['instructions', MIXED]);
  expect(stdout).toContain('\nCAS: a := CAS(x, old, new)\n  on nodes [arm]\n');
});

test('with Arm everywhere, verdicts are those of Arm', () => {
  for (const { name, input } of readCases(join(ROOT, 'test/check/verdicts/arm.txt'))) {
    const text = input.replace(/^models:.*\n/, '');
    expect(verdicts(onArm(text, '1', '2'), MIXED), name).toEqual(verdicts(text, 'rdma-tso+arm'));
  }
});

test('with x86 everywhere, it is RDMA^TSO; with Arm everywhere, Arm; else between both', () => {
  fc.assert(
    fc.property(hostPrograms(false), fc.constantFrom('1', '2'), (text, node) => {
      const [least, most] = [states(text, 'rdma-tso'), states(text, 'rdma-tso+arm')];
      expect(states(text, MIXED)).toEqual(least);
      expect(states(onArm(text, '1', '2'), MIXED)).toEqual(most);
      const between = states(onArm(text, node), MIXED);
      expect(between).toEqual(expect.arrayContaining([...least]));
      expect(most).toEqual(expect.arrayContaining([...between]));
    }),
    { numRuns: cases(2000) },
  );
});
