import { readFileSync, readdirSync } from 'node:fs';
import { join } from 'node:path';
import { describe, expect, test } from 'vitest';
import { enumerateCandidates } from '../../src/check/enumerate/candidates.js';
import { unroll } from '../../src/program/events/unroll.js';
import { candidatesOf } from '../../src/analyses/explain/candidates.js';
import { factsIn, isPositive, factKey } from '../../src/analyses/explain/facts.js';
import { proofOf } from '../../src/analyses/explain/proof.js';
import type { Test } from '../../src/program/program.js';
import { evaluate } from '../../src/model/relation/concrete.js';
import { loadZ3 } from '../../src/node/z3.js';
import type { Verified } from '../../src/check/witness/verify.js';
import { holds } from '../../src/check/witness/witness.js';
import { adapted, cat, litmus, modelOf, newSolver } from '../support/checker.js';
import { under } from '../support/explained.js';
import { ROOT } from '../support/run.js';
import { stateQuery } from '../../src/program/program.js';

/** Where the answer to a question of an engineer is no, the cycles that are shown prove it. */

const FOLDER = join(ROOT, 'corpus/field');

const read = (name: string): string => readFileSync(join(FOLDER, `${name}.litmus`), 'utf8');

/** Programs with waits are for rdma-wait; the others have polls. */
const modelFor = (text: string): string => (/\bwait\(/.test(text) ? 'rdma-wait' : 'rdma-tso');

/** The answers in question, by the file's name and the number of its query. */
const answers = readdirSync(FOLDER)
  .filter((file) => file.endsWith('.litmus'))
  .sort()
  .flatMap((file) => {
    const name = file.replace('.litmus', '');
    return litmus(read(name)).queries.map((_, query) => [name, query] as const);
  })
  .filter(([name, query]) => {
    const model = modelFor(read(name));
    const { expectations } = litmus(read(name)).queries[query];
    return expectations.some(
      (e) => e.verdict === 'forbidden' && e.models.some((m) => m.text === model),
    );
  });

/** The way in which the circles that are shown cover candidates. */
function proofFor(test: Test, query: number, model: string) {
  const candidates = candidatesOf(
    test.program,
    stateQuery(test, query),
    modelOf(model),
    newSolver,
    {},
  );
  const { shapes, incomplete } = proofOf(modelOf(model), candidates, Infinity);
  expect(incomplete).toBeUndefined();
  return { candidates, shapes };
}

test('there are as many such answers as the corpus says', () => {
  expect(answers).toHaveLength(32);
});

describe.each(answers)('%s, query %i', (name, query) => {
  const text = read(name);
  const model = modelFor(text);
  const program = adapted(litmus(text), modelOf(model));

  test('every candidate has one of the circles, and no shape is superfluous', () => {
    const { candidates, shapes } = proofFor(program, query, model);
    const without = (some: typeof shapes) => some.flat().map(({ facts }) => facts);
    expect(candidates.find([], { without: without(shapes) }).kind).toBe('none');
    for (const shape of shapes) {
      const others = without(shapes.filter((other) => other !== shape));
      expect(candidates.find([], { without: others }).kind).toBe('found');
    }
    candidates.dispose();
  });

  test('the first circle reads or writes what the condition mentions', () => {
    const { shapes } = under(text, model, query).refuted!.ways!;
    const names = program.queries[query].text.match(/[a-z]\w*/g)!;
    const [{ way }] = shapes;
    const on = new Set(way.violation.steps.flatMap(({ from, to }) => [from, to]));
    const about = way.graph.events.filter(
      ({ id, source = '', label }) =>
        on.has(id) && names.some((n) => label.includes(`(${n},`) || source.startsWith(`${n} :=`)),
    );
    expect(about).not.toEqual([]);
    expect(way.asked).not.toEqual([]);
    expect(names).toEqual(expect.arrayContaining([...way.asked]));
    // Nothing else is wrong in this execution, for instance with the value of a get that is only there to flush.
    const cores = under(text, model, query).refuted!.cores;
    expect(way.others.map((v) => v.axiom)).toEqual(
      cores.length === 1
        ? []
        : cores.map(([axiom]) => axiom).filter((a) => a !== way.violation.axiom),
    );
  });
});

test('the three answers about ping-pong show three different circles', () => {
  const circle = (query: number): string => {
    const { graph, violation } = under(read('ping-pong'), 'rdma-tso', query).refuted!.ways!
      .shapes[0].way;
    const sources = new Map(graph.events.map((e) => [e.id, `${e.source} ${e.label}`]));
    return violation.steps
      .map(({ from }) => sources.get(from))
      .sort()
      .join('; ');
  };
  expect(new Set([0, 1, 2].map(circle)).size).toBe(3);
  expect(circle(0)).toContain('c1 := from_server lR(from_server,2)');
  expect(circle(1)).toContain('s1 := from_client lR(from_client,2)');
  expect(circle(2)).toContain('s3 := from_client');
});

describe('the circles cover the candidates, counted one by one without a solver', () => {
  test.each([
    'deepep-head-get',
    'libfabric-completion-get',
    'lock-release-same-server-local',
    'rpma-read-flushes-same',
    'sherman-split-get',
    'two-queue-pairs-get',
    'ucx-get-put-poll',
  ])('%s', (name) => {
    const program = litmus(read(name));
    const structure = unroll(program.program);
    // No axiom forbids anything, and flush orders are told apart.
    const free = cat('include "rmw.cat" flag ~empty nfo as seen');
    for (const query of program.queries.keys()) {
      const { condition } = stateQuery(program, query);
      const { candidates, shapes } = proofFor(program, query, 'rdma-tso');
      candidates.dispose();
      let seen = 0;
      const visit = (candidate: Verified): void => {
        if (!holds(condition, candidate.run.final)) return;
        seen += 1;
        const facts = new Set(factsIn(candidate, free.instructions).map(factKey));
        const its = shapes
          .flat()
          .filter((way) => way.facts.every((fact) => isPositive(fact) && facts.has(factKey(fact))));
        expect(its).not.toEqual([]);
        const { axioms } = evaluate(modelOf('rdma-tso'), candidate.execution);
        const broken = axioms.filter((a) => !a.holds).map(({ axiom }) => axiom.name);
        for (const way of its) expect(broken).toContain(way.chosen.axiom.name);
      };
      const { incomplete } = enumerateCandidates(structure, free, visit, { limit: 1_000_000 });
      expect(incomplete).toBeUndefined();
      expect(seen).toBeGreaterThan(1);
    }
  });
});

test('what was asked before makes no difference to what is found', async () => {
  const circles = async (before: readonly string[]): Promise<string> => {
    const fresh = await loadZ3();
    const shown = (name: string): string =>
      JSON.stringify(
        litmus(read(name)).queries.map((_, query) => under(read(name), 'rdma-tso', query, fresh)),
      );
    before.forEach(shown);
    return shown('ping-pong');
  };
  const first = await circles([]);
  expect(await circles(['libfabric-completion-get'])).toBe(first);
});
