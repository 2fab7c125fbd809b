import { describe, expect, test } from 'vitest';
import { cat } from '../support/checker.js';
import { edges, expectCycle, explained, published, under } from '../support/explained.js';
import { one, two } from '../support/litmus.js';

/** Executions in explanations: drawn as graphs, held against other models, told as an order. */

describe('graphs', () => {
  test('columns, rows, instructions', () => {
    const text = two(
      'thread T1 on 1 { while (x = 1) bound 2 { x := x + y }; z^2 := x } thread T2 on 2 { mfence } ' +
        'exists (x = 0)',
    );
    const { graph } = under(text, 'rdma-tso').admitted!;
    expect(graph.columns).toEqual([
      { thread: 'T1', node: '1' },
      { thread: 'T2', node: '2' },
    ]);
    const shown = graph.events.map(({ name, column, row, label, source, first }) => [
      name,
      column,
      row,
      label,
      first ? source : '…',
    ]);
    expect(shown).toEqual([
      ['init', null, 0, 'lW(x,0)', undefined],
      ['1', 0, 0, 'lR(x,0)', 'while (x = 1) bound 2 …'],
      [expect.any(String), 0, 1, 'nlR(x,0,n2)', 'z^2 := x'],
      [expect.any(String), 0, 2, 'nrW(z,0)', '…'],
      [expect.any(String), 1, 0, 'F', 'mfence'],
    ]);
  });

  test('a transitive relation is drawn without what its other edges imply', () => {
    const text = one('x := 1; x := 2; x := 3', 'exists (x = 3)');
    const [{ admitted }] = explained(text, ['sc'], 0, ['mo', 'po', 'fr', 'ext']).models;
    expect(edges(admitted!.graph, 'mo')).toEqual([
      'init lW(x,0) → lW(x,1)',
      'lW(x,1) → lW(x,2)',
      'lW(x,2) → lW(x,3)',
    ]);
    expect(edges(admitted!.graph, 'po')).toEqual(['lW(x,1) → lW(x,2)', 'lW(x,2) → lW(x,3)']);
    // `fr` is no relation of this model, and `ext` is none that is transitive.
    expect(edges(admitted!.graph, 'fr')).toEqual([]);
    expect(edges(admitted!.graph, 'ext')).toHaveLength(6);
  });

  test('the edges of a highlighted cycle make up a cycle', () => {
    for (const name of ['SB-flush', 'LB3bis', 'MP1', 'SB1', 'CRMA2', 'GFP1']) {
      for (const shown of [undefined, ['rf', 'mo'], ['ob'], ['ib', 'rb']]) {
        const [{ refuted }] = explained(published(name), ['rdma-tso'], 0, shown).models;
        for (const { way } of refuted!.ways!.shapes) {
          const marked = way.graph.edges.filter((e) => e.onCycle);
          const on = new Set(way.graph.events.filter((e) => e.onCycle).map((e) => e.id));
          expect(new Set(marked.flatMap((e) => [e.from, e.to]))).toEqual(on);
          // As many edges as events; edges of rf^-1 are drawn as rf, against the direction.
          expect(marked).toHaveLength(on.size);
          for (const id of on) {
            expect(marked.filter((e) => e.from === id || e.to === id)).toHaveLength(2);
          }
          const names = way.graph.relations.map((r) => r.name);
          expect(marked.every((e) => names.includes(e.relation))).toBe(true);
        }
      }
    }
  });
});

describe('models that disagree', () => {
  test('the execution that one admits, and the cycle by which the other rejects it', () => {
    const { models, comparisons } = explained(published('CPU-SB'), ['rdma-sc', 'rdma-tso', 'sc']);
    expect(models.map((m) => m.verdict)).toEqual(['forbidden', 'allowed', 'forbidden']);
    expect(comparisons.map((c) => [c.admits, c.rejects])).toEqual([
      ['rdma-tso', 'rdma-sc'],
      ['rdma-tso', 'sc'],
    ]);
    const [{ graph, violations, lacks }] = comparisons;
    expectCycle(graph!, violations[0], [
      'lW(x,1) → lR(y,0)  oppo: po & (CPU * CPU)',
      'lR(y,0) → lW(y,1)  rb\n  lR(y,0) → lW(y,0)  rf^-1\n  lW(y,0) → lW(y,1)  mo',
      'lW(y,1) → lR(x,0)  oppo: po & (CPU * CPU)',
      'lR(x,0) → lW(x,1)  rb\n  lR(x,0) → lW(x,0)  rf^-1\n  lW(x,0) → lW(x,1)  mo',
    ]);
    // What TSO does not order is just what store buffers delay.
    const labels = new Map(graph!.events.map((e) => [e.id, e.label]));
    expect(lacks?.relation).toBe('ob');
    expect(lacks?.steps.map((s) => `${labels.get(s.from)} → ${labels.get(s.to)}`)).toEqual([
      'lW(x,1) → lR(y,0)',
      'lW(y,1) → lR(x,0)',
    ]);
  });

  test('polls and waits: the programs differ, and so cannot be compared', () => {
    const { models, comparisons } = explained(published('MP3'), ['sc', 'rdma-wait', 'rdma-tso']);
    expect(models.map((m) => [m.verdict, m.note])).toEqual([
      ['forbidden', undefined],
      ['allowed', '2 polls read as waits for rdma-wait'],
      ['allowed', undefined],
    ]);
    // The model that takes the program as `sc` does is held against it.
    expect(comparisons.map((c) => [c.admits, c.incomparable])).toEqual([['rdma-tso', undefined]]);
    const [alone] = explained(published('MP3'), ['sc', 'rdma-wait']).comparisons;
    expect(alone).toMatchObject({
      admits: 'rdma-wait',
      rejects: 'sc',
      incomparable: expect.stringContaining('2 polls read as waits for rdma-wait'),
      violations: [],
    });
  });

  test('models that agree are not compared', () => {
    expect(explained(published('ST2'), ['rdma-sc', 'rdma-tso']).comparisons).toEqual([]);
  });
});

describe('an order of events, where there is no machine', () => {
  test('it agrees with the axiom, and keeps threads together', () => {
    const text = two(
      'thread T1 on 1 { x := 1; y := 1 } thread T2 on 1 { a := y; b := x } exists (a = 0 /\\ b = 1)',
    );
    const { order } = under(text, 'sc').admitted!;
    // a := y is before y := 1, and b := x after x := 1, which is all that there is to say.
    expect(order).toEqual({
      kind: 'events',
      axiom: 'sc',
      steps: ['T2 reads y = 0', 'T1 writes x = 1', 'T1 writes y = 1', 'T2 reads x = 1'].sort(
        (a, b) => order!.steps.indexOf(a) - order!.steps.indexOf(b),
      ),
    });
    const at = (step: string) => order!.steps.indexOf(step);
    expect(at('T2 reads y = 0')).toBeLessThan(at('T1 writes y = 1'));
    expect(at('T1 writes x = 1')).toBeLessThan(at('T2 reads x = 1'));
  });

  test('waits have no machine', () => {
    const text = two('thread T1 on 1 { z^2 :=^d x; wait(d); rfence(2) } exists (z = 0)');
    const { order } = under(text, 'rdma-wait').admitted!;
    expect(order).toMatchObject({ kind: 'events', axiom: 'ob' });
    expect(order!.steps).toContain('T1 passes wait(d)');
    expect(order!.steps).toContain('the NIC of T1 passes rfence(2)');
    expect(order!.steps).toContain("the NIC of T1 writes z = 0 into node 2's memory");
  });

  test('where a run would take too long to find, events are told instead', () => {
    // Eight threads, each of which puts, polls and reads: too many orders to try.
    const ring = [...Array(8).keys()];
    const text = [
      'RDMA ring',
      ...ring.map((i) => `node ${i + 1} { x${i} = 0 }`),
      ...ring.map((i) => {
        const next = (i + 1) % 8;
        const put = `x${next}^${next + 1} := 1; poll(${next + 1})`;
        return `thread T${i} on ${i + 1} { ${put}; a${i} := x${i} }`;
      }),
      `exists (${ring.map((i) => `a${i} = 0`).join(' /\\ ')})`,
    ].join('\n');
    const { order } = under(text, 'rdma-tso').admitted!;
    expect(order).toMatchObject({ kind: 'events', instead: 'state limit of 10000 reached' });
    expect(order!.steps).toHaveLength(4 * 8);
  });

  test('a model without order has none to show', () => {
    const { order } = under(one('x := 1', 'exists (x = 1)'), cat('empty 0 as nothing')).admitted!;
    expect(order).toBeUndefined();
  });
});
