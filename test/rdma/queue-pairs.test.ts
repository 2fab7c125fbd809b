import fc from 'fast-check';
import { describe, expect, test } from 'vitest';
import { enumerate } from '../../src/check/decide.js';
import { allSubjects } from '../../src/program/subjects.js';
import { conditionsOf, proves } from '../../src/rdma/conditions/conditions.js';
import { notUnderConditions } from '../../src/rdma/conditions/covered.js';
import type { ConditionModel } from '../../src/rdma/conditions/conditions.js';
import { describeRun } from '../../src/rdma/machines/describe.js';
import { exploreOutcomes, findRun } from '../../src/rdma/machines/explore.js';
import { OPERATIONAL_MODELS } from '../../src/rdma/machines/index.js';
import { inBlocks, programs } from '../../src/rdma/random/programs.js';
import { openSession } from '../../src/check/session.js';
import { cat, litmus, modelOf, newSolver } from '../support/checker.js';
import { two } from '../support/litmus.js';
import { cases, few } from '../support/random.js';

/** Queue pairs with names, and operations on the own node, in the theories of RDMA programs. */

describe('loop-back without the PCIe guarantee', () => {
  /** The semantics page, "Loop-back and named queue pairs". */
  const asked = litmus(`RDMA t
    node 1 { x = 0; y = 1; z = 0 }
    thread T1 on 1 { x := y^1; a := x^1; rfence(1); z^1 := 5 }
    thread T2 on 1 { c := z; d := x }`);
  const { program } = asked;
  const subjects = allSubjects(program);
  const states = (model: string) => enumerate(asked, modelOf(model), newSolver, subjects).states;
  const wanted = { a: 1, c: 5, d: 0 };

  test('what is pending for the CPU is so for remote reads of the own node', () => {
    for (const model of ['rdma-tso-nopcie', 'rdma-tso', 'rdma-sc']) {
      expect(states(model)).not.toContainEqual(expect.objectContaining(wanted));
    }
    const hardware = OPERATIONAL_MODELS.get('rdma-tso-nopcie')!;
    const kinds = ['simplified', 'six-buffers'] as const;
    for (const queuePairs of kinds) {
      const found = exploreOutcomes(program, { ...hardware, queuePairs }).states;
      expect(found).toEqual(states('rdma-tso-nopcie'));
    }
  });

  test('with terms for all of a queue pair it would not be', () => {
    const all = cat(`include "rdma-tso-base.cat"
      let oppo = oppo \\ qpo & (nrW * nrR) \\ qpo & (nrW * nlW)
      let rfb = rfb | (rf & sqp)
      let rbb = rbb | (rb & sqp)
      let issued = ippo | rf | pf | rbb
      let observed = oppo | (rf \\ rfb) | [nlW];pf | rb | mo
      include "rdma-axioms.cat"`);
    const found = enumerate(asked, all, newSolver, subjects).states;
    expect(found).toContainEqual(expect.objectContaining(wanted));
  });
});

test('runs name the queue pair', () => {
  const { program } = litmus(two('thread T on 1 { z^2.a := 1; poll(2.a); x := z^2; rfence(2.a) }'));
  const found = findRun(program, OPERATIONAL_MODELS.get('rdma-tso')!, () => true);
  const lines = found.kind === 'found' ? describeRun(found.run) : [];
  expect(lines).toContain('T polls a completion from queue pair 2.a');
  expect(lines).toContain("T's store buffer hands z^2.a := 1 to the queue pair");
  expect(lines).toContain("T's store buffer hands x := z^2 to the queue pair");
  expect(lines).toContain('T->2.a is done with rfence(2.a)');
  expect(lines).toContain('T->2 reads z = 1 for x := z^2');
});

describe('conditions on syntax', () => {
  test('two queue pairs of one thread towards a node: no tree', () => {
    const { program } = litmus(
      two('thread T1 on 1 { z^2.a := 1; w^2.b := 1 } thread T2 on 2 { a := w; b := z }'),
    );
    const found = conditionsOf(program, 'rdma-sc')!;
    expect(found.treeFenced.map(({ property }) => property)).toEqual(['3c']);
    expect(found.fenced.map(({ cell }) => cell.name)).toEqual(['C3']);
  });

  test('of a queue pair with a name nothing else is different', () => {
    const body = (to: string): string => `thread T1 on 1 { z^${to} := 1; x := w^${to}; poll(${to}) }
      thread T2 on 2 { a := w; b := z }`;
    const kinds = (to: string) => {
      const found = conditionsOf(litmus(two(body(to))).program, 'rdma-tso')!;
      const cells = [...found.ldrf, ...found.fenced].map(({ cell, route }) => [cell, route]);
      return [cells, found.treeFenced.map(({ property }) => property)];
    };
    expect(kinds('2.a')).toEqual(kinds('2'));
  });

  test('loop-back is refused, with its place', () => {
    const { program } = litmus(two('thread T on 1 { z^2 := 1; x^1.a := 1; rfence(1.a) }'));
    const messages = notUnderConditions(program).map(({ message, span }) => [
      message,
      span.end > span.start,
    ]);
    const message =
      'the static conditions for robustness do not know operations towards the own node';
    expect(messages).toEqual([
      [message, true],
      [message, true],
    ]);
  });

  test.each<ConditionModel>(['rdma-sc', 'rdma-tso'])('what they prove is so: %s', (name) => {
    const notSc = cat(`include "${name}.cat"
      ~acyclic (po | rf | rb | mo) as violation`);
    let proved = 0;
    const shape = { branches: false, threads: 2, instructions: 3, queuePairs: true };
    fc.assert(
      fc.property(programs(shape), (source) => {
        const { program } = litmus(inBlocks(source));
        const found = conditionsOf(program, name);
        if (found === undefined || !proves(found)) return true;
        proved += 1;
        const session = openSession(program, notSc, newSolver);
        if ('reason' in session) throw new Error(session.reason);
        const { kind } = session.find();
        session.solver.dispose();
        return kind === 'none';
      }),
      { numRuns: cases(300) },
    );
    expect(proved).toBeGreaterThan(few(150));
  });
});
