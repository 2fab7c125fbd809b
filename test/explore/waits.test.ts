import { join } from 'node:path';
import fc from 'fast-check';
import { expect, test } from 'vitest';
import { enumerateCandidates } from '../../src/check/enumerate/candidates.js';
import { byCandidates, openEnds } from '../../src/check/by-candidates.js';
import { structureFor } from '../../src/check/structure.js';
import { readsLast, waitsOn } from '../../src/check/waits.js';
import { decideRuns } from '../../src/explore/decide.js';
import { byModelMachine } from '../../src/explore/explorer.js';
import type { Liveness } from '../../src/explore/progress.js';
import type { Said } from '../../src/explore/whole/decide.js';
import { saidBy } from '../../src/explore/whole/decide.js';
import { stateKey } from '../../src/program/final.js';
import type { Test } from '../../src/program/program.js';
import { allSubjects } from '../../src/program/subjects.js';
import { testCases } from '../support/cases.js';
import { adapted, modelOf } from '../support/checker.js';
import { litmus } from '../support/litmus.js';
import { cases } from '../support/random.js';
import { ROOT } from '../support/run.js';

/** Who waits for ever where reads are performed out of order: by the machine, and by executions; and executions say the same as machines that are in order. */

const LIMITS = { deadline: Infinity };

function byMachine(asked: Test, name: string) {
  const queries = [...asked.queries.keys()];
  return decideRuns(asked, modelOf(name), queries, LIMITS);
}

/** What executions say in which threads wait where it is in vain. */
function byAxioms(asked: Test, name: string): readonly string[] {
  const model = modelOf(name);
  const structure = structureFor(asked.program, model, undefined, { waits: true });
  if ('reason' in structure) throw new Error(structure.reason);
  if (structure.assumes === true) return asked.queries.map(() => 'unknown');
  const said = asked.queries.map(() => new Set<Said>());
  const { incomplete } = enumerateCandidates(
    structure,
    model,
    ({ events, run: { taken }, witness }) => {
      const waits = waitsOn(structure, events, taken);
      if (waits === undefined || !readsLast(structure, waits, witness)) return;
      for (const [q, query] of asked.queries.entries())
        said[q].add(saidBy({ structure, waits, taken }, query as Liveness));
    },
    { limit: Infinity },
  );
  expect(incomplete).toBe(undefined);
  const { upTo } = openEnds(structure);
  return said.map((all, q) => {
    if (all.has('fails')) return 'fails';
    const { quantifier } = asked.queries[q];
    const isOpen = upTo !== undefined && (quantifier === 'progress' || all.size === 0);
    return all.has('unclear') || isOpen ? 'unknown' : 'holds';
  });
}

testCases(join(ROOT, 'test/explore/waits'), (input) => {
  const [, name, text] = /^models: (.*)\n([^]*)$/.exec(input)!;
  const asked = adapted(litmus(text), modelOf(name));
  const answers = byMachine(asked, name);
  expect(answers.map(({ verdict }) => verdict)).toEqual(byAxioms(asked, name));
  return answers
    .map(({ verdict, upTo, reason, run = [] }) =>
      [
        verdict,
        ...(upTo === undefined ? [] : [`up to ${upTo}`]),
        ...(reason === undefined ? [] : [reason]),
        ...run.filter((line) => line.includes('waits for ever')),
      ].join(': '),
    )
    .join('\n');
});

/** @param assumes whether there are assumptions, which machines in order do not always take for waits */
const step = (node: 1 | 2, at: number, assumes: boolean): fc.Arbitrary<string> => {
  const there = node === 1 ? 2 : 1;
  const own = node === 1 ? ['x', 'y'] : ['z', 'w'];
  const other = node === 1 ? ['z', 'w'] : ['x', 'y'];
  const place = fc.constantFrom(...own);
  const value = fc.constantFrom(0, 1, 2);
  const wait = fc
    .tuple(place, value, fc.constantFrom('l', 'ldar(l)', 'ldapr(l)'))
    .map(
      ([l, v, read]) =>
        `r${at} := ${v}; while (r${at} = ${v}) { r${at} := ${read.replace('l)', `${l})`).replace(/^l$/, l)} }`,
    );
  const put = fc.tuple(fc.constantFrom(...other), value).map(([l, v]) => `${l}^${there} := ${v}`);
  return fc.oneof(
    { weight: 3, arbitrary: wait },
    { weight: 3, arbitrary: put },
    {
      weight: 1,
      arbitrary: place.map((l) => `r${at} := 1; while (r${at} != 0) { r${at} := CAS(${l}, 0, 1) }`),
    },
    { weight: Number(assumes), arbitrary: place.map((l) => `assume(${l} = 1)`) },
    {
      weight: Number(assumes),
      arbitrary: place.map((l) => `a${at} := ldar(${l}); assume(a${at} = 1)`),
    },
    { weight: 2, arbitrary: fc.tuple(place, value).map(([l, v]) => `${l} := ${v}`) },
    { weight: 1, arbitrary: put.map((one) => `if (r0 = 1) { ${one} }`) },
    { weight: 1, arbitrary: fc.constant(`poll(${there})`) },
    { weight: 1, arbitrary: place.map((l) => `a${at} := ${l}; if (a${at} = 1) { ${l} := 2 }`) },
  );
};

const thread = (node: 1 | 2, assumes: boolean) =>
  fc
    .tuple(...[1, 2, 3].map((at) => step(node, at, assumes)))
    .map((steps) => `at enter; r0 := 1; ${steps.join('; ')}; at c; e := 1`);

const waiting = (assumes: boolean) =>
  fc
    .tuple(
      thread(1, assumes),
      fc
        .constantFrom<1 | 2>(1, 2)
        .chain((n) => thread(n, assumes).map((body) => `on ${n} { ${body} }`)),
    )
    .map(
      ([first, second]) =>
        `RDMA t\nnode 1 { x = 0; y = 0 }\nnode 2 { z = 0; w = 0 }\nthread T1 on 1 { ${first} }\nthread T2 ${second}\n` +
        'deadlock\nprogress T1:enter -> T1:c\nprogress T2:enter -> T2:c\n',
    );

test('random programs that wait, on Arm: the machine says what executions say', () => {
  const seen = new Set<string>();
  fc.assert(
    fc.property(
      waiting(true),
      fc.constantFrom('rdma-tso+arm', 'rdma-ro+arm', 'rdma-tso+arm-core'),
      (text, model) => {
        const asked = adapted(litmus(text), modelOf(model));
        const verdicts = byMachine(asked, model).map(({ verdict }) => verdict);
        expect(verdicts).toEqual(byAxioms(asked, model));
        for (const verdict of verdicts) seen.add(verdict);
      },
    ),
    { numRuns: cases(300), seed: 7 },
  );
  expect([...seen]).toEqual(expect.arrayContaining(['fails', 'holds']));
});

test('random programs that wait, in order: executions say what the machine says that goes through loops for ever', () => {
  fc.assert(
    fc.property(
      waiting(false),
      fc.constantFrom('rdma-tso', 'rdma-ro', 'rdma-sc'),
      (text, model) => {
        const asked = adapted(litmus(text), modelOf(model));
        const found = byAxioms(asked, model);
        const verdicts = byMachine(asked, model).map(({ verdict }) => verdict);
        expect(verdicts.map((one, q) => (found[q] === 'unknown' ? 'unknown' : one))).toEqual(found);
      },
    ),
    { numRuns: cases(300), seed: 7 },
  );
});

test('random programs that wait, on Arm: their last iterations end as all of them do', () => {
  const model = modelOf('rdma-tso+arm');
  fc.assert(
    fc.property(waiting(true), (text) => {
      const asked = adapted(litmus(text), model);
      // The machine goes through all iterations.
      const [machine, axioms] = [byModelMachine, byCandidates].map((explorer) => {
        const found = explorer.outcomes(asked, model, allSubjects(asked.program), false, LIMITS);
        expect(found.incomplete).toBe(undefined);
        return found.states.map(stateKey);
      });
      expect(machine).toEqual(axioms);
    }),
    { numRuns: cases(300), seed: 7 },
  );
});
