import { describe, expect, test } from 'vitest';
import { cat } from '../support/checker.js';
import { explained, published, under } from '../support/explained.js';
import { two } from '../support/litmus.js';

/** Executions in explanations: drawn as graphs, and told as an order of events. */

describe('graphs', () => {
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

describe('an order of events, where there is no machine', () => {
  test('it agrees with the axiom, and keeps threads together', () => {
    const text = two(
      'thread T1 on 1 { x := 1; y := 1 } thread T2 on 1 { a := y; b := x } exists (a = 0 /\\ b = 1)',
    );
    const { order } = under(text, 'x86-tso-textbook').admitted!;
    // a := y is before y := 1, and b := x is after x := 1. Nothing else is ordered between the threads.
    expect(order).toEqual({
      kind: 'events',
      axiom: 'ppo | rfe | rb | mo',
      steps: ['T2 reads y = 0', 'T1 writes x = 1', 'T1 writes y = 1', 'T2 reads x = 1'].sort(
        (a, b) => order!.steps.indexOf(a) - order!.steps.indexOf(b),
      ),
    });
    const at = (step: string) => order!.steps.indexOf(step);
    expect(at('T2 reads y = 0')).toBeLessThan(at('T1 writes y = 1'));
    expect(at('T1 writes x = 1')).toBeLessThan(at('T2 reads x = 1'));
  });

  test('a third axiom that orders events leaves no machine', () => {
    const text = two('thread T1 on 1 { z^2 :=^d x; wait(d); rfence(2) } exists (z = 0)');
    const { order } = under(
      text,
      cat(`include "rdma-wait.cat" irreflexive rf;po;rf^-1;mo^-1 as own`),
    ).admitted!;
    expect(order).toMatchObject({ kind: 'events' });
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
    expect(order).toMatchObject({ kind: 'events', instead: 'limit of 10000 states reached' });
    expect(order!.steps).toHaveLength(4 * 8);
  });
});
