import { readFileSync, readdirSync } from 'node:fs';
import { join } from 'node:path';
import fc from 'fast-check';
import { expect, test } from 'vitest';
import { byCandidates } from '../../src/check/by-candidates.js';
import { byModelMachine } from '../../src/explore/explorer.js';
import { stateKey } from '../../src/program/final.js';
import { allSubjects } from '../../src/program/subjects.js';
import { testCases } from '../support/cases.js';
import { adapt } from '../../src/rdma/translate.js';
import { adapted, modelOf } from '../support/checker.js';
import { armPrograms, hostPrograms } from '../support/host-programs.js';
import { litmus } from '../support/litmus.js';
import { QUICK, cases, some } from '../support/random.js';
import { ROOT } from '../support/run.js';

/** The machine of models in which reads are performed out of order: it ends as the axioms say. */

const ARM = ['', '-ish', '-core', '-dsb'].map((kind) => `rdma-tso+arm${kind}`);
const FABRICS = ['ro', 'srd', 'nics', 'tso-nopcie'].map((fabric) => `rdma-${fabric}+arm`);
const MIXED = 'rdma-tso+mixed';

/** The nodes with these names have Arm's CPUs. */
const onArm = (text: string, ...nodes: readonly string[]): string =>
  text.replace(/^node (\w+) \{/gm, (whole, node: string) =>
    nodes.includes(node) ? `node ${node} [arm] {` : whole,
  );

/** All final states by the machine, and by going through executions. */
function bothWays(text: string, name: string) {
  const model = modelOf(name);
  const source = /^node \w+ \[/m.test(text) ? litmus(text, model.instructions) : litmus(text);
  const asked = adapted(source, model);
  const subjects = allSubjects(asked.program);
  const [machine, axioms] = [byModelMachine, byCandidates].map((explorer) => {
    const { states, incomplete, upTo } = explorer.outcomes(asked, model, subjects, false, {
      deadline: performance.now() + 60_000,
    });
    return { states: states.map(stateKey), incomplete, upTo };
  });
  return { machine, axioms };
}

/** The verdict by the machine, and the run that shows it. */
testCases(join(ROOT, 'test/explore/whole'), (input) => {
  const [, name, text] = /^models: (.*)\n([^]*)$/.exec(input)!;
  const model = modelOf(name);
  const asked = adapted(litmus(text), model);
  const [answer] = byModelMachine.decide(asked, model, [0], { deadline: Infinity });
  const isMemory = (line: string): boolean => line === 'start' || line.startsWith('  ');
  return [answer.verdict, ...(answer.run ?? []).filter((line) => !isMemory(line))].join('\n');
});

const programsIn = (folder: string) =>
  readdirSync(join(ROOT, folder))
    .filter((file) => file.endsWith('.litmus'))
    .map((file) => ({
      file,
      text: readFileSync(join(ROOT, folder, file), 'utf8').replace(/^ {2}computed .*\n/gm, ''),
    }));

const hosts = programsIn('corpus/hosts');

/** Each model, and the nodes that have Arm's CPUs where others have not. */
const VARIANTS: readonly (readonly [model: string, ...nodes: string[]])[] = [
  ...ARM.map((model) => [model] as const),
  [MIXED, '1'],
  [MIXED, '2'],
  [MIXED, '1', '2'],
];

// A lock has thousands of states.
const small = hosts.filter(({ file }) => !file.includes('alock'));

test.each(QUICK ? small : hosts)('$file', ({ text }) => {
  const at = hosts.findIndex((one) => one.text === text);
  const tried = QUICK ? [VARIANTS[at % VARIANTS.length]] : VARIANTS;
  for (const [model, ...nodes] of tried) {
    const { machine, axioms } = bothWays(onArm(text, ...nodes), model);
    expect(machine.states.length).toBeGreaterThan(0);
    expect(machine, model).toEqual(axioms);
  }
});

test('programs of the papers, and of shared queues, with the CPUs of Arm', () => {
  const folders = ['corpus/tso', 'corpus/rmw', 'corpus/fabrics'];
  for (const { file, text } of some(folders.flatMap(programsIn), 0.1)) {
    const test = litmus(text);
    if (!adapt(test.program, modelOf('rdma-tso+arm')).ok) continue;
    const { machine, axioms } = bothWays(text, 'rdma-tso+arm');
    // Messages, power cuts and what may break have no machine.
    if (machine.incomplete?.startsWith('the model is no machine') === true) continue;
    expect(machine, file).toEqual(axioms);
  }
});

test('random programs with the operations of Arm', () => {
  fc.assert(
    fc.property(armPrograms(), fc.constantFrom(...ARM, ...FABRICS), (text, model) => {
      const { machine, axioms } = bothWays(text, model);
      expect(machine).toEqual(axioms);
    }),
    { numRuns: cases(3000) },
  );
});

test('random programs in which one node has x86 CPUs', () => {
  fc.assert(
    fc.property(hostPrograms(false), fc.constantFrom('1', '2'), (text, node) => {
      const { machine, axioms } = bothWays(onArm(text, node), MIXED);
      expect(machine).toEqual(axioms);
    }),
    { numRuns: cases(1000) },
  );
});
