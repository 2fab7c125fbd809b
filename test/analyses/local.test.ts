import { expect, test } from 'vitest';
import { stampOrder } from '../../src/analyses/local/stamp-order.js';
import { implementedCalls } from '../../src/analyses/local/subevents.js';
import { enumerateCandidates } from '../../src/check/enumerate/candidates.js';
import { structureFor } from '../../src/check/structure.js';
import { definitionOf, sureOrder } from '../../src/check/order-in-every-run.js';
import { related } from '../../src/model/relation/matrix.js';
import { DISK } from '../../src/node/models.js';
import { readLitmus } from '../../src/node/tests.js';
import { Libraries } from '../../src/program/libraries.js';
import { valueOf } from '../support/litmus.js';

const libraries = new Libraries(DISK);

/** Programs with calls that others come before, after and between. */
const CLIENTS: readonly (readonly [implementation: string, client: string])[] = [
  [
    'loco-sv',
    `uses sv node 1 {} node 2 { p = 0 } sv x, y
    thread T1 on 1 { p^2 := 1; sv.write(x, 1); sv.bcast(x, d, {2}); sv.gf({1, 2}); a := sv.read(y) }
    thread T2 on 2 { sv.write(y, 1); sv.bcast(y, d, {1}); sv.wait(d); b := sv.read(x) }`,
  ],
  [
    'loco-bal',
    `uses bal, sv node 1 {} node 2 {} sv x bal z (party T1, T2)
    thread T1 on 1 { sv.write(x, 1); sv.bcast(x, d, {2}); bal.bar(z) }
    thread T2 on 2 { bal.bar(z); b := sv.read(x) }`,
  ],
  [
    'loco-msw',
    `uses msw node 1 {} node 2 {} msw x on 1 of 2 words msw y on 2 of 2 words
    thread T1 on 1 { msw.write(x, <1, 1>); y :=^d msw.put(x); msw.wait(d) }
    thread T2 on 2 { a := msw.tryread(y) }`,
  ],
];

test.each(CLIENTS)(
  '%s: what is sure of a call is so in every execution',
  (name, client) => {
    const about = { libraries, implementations: [name] };
    const { models, program } = valueOf(readLitmus(`RDMA t ${client}`, 't.litmus', [], about).test);
    const [model] = models!;
    const structure = structureFor(program, model);
    if ('reason' in structure) throw new Error(structure.reason);
    let [executions, pairs] = [0, 0];
    enumerateCandidates(
      structure,
      model,
      ({ events, judgement }) => {
        executions += 1;
        const order = judgement.rel(definitionOf(model, 'hb'));
        for (const thread of program.threads.keys()) {
          for (const call of implementedCalls(structure, thread)) {
            const made = call.filter((e) => events.includes(e));
            const sure = sureOrder(model, made);
            for (const [i, a] of made.entries()) {
              for (const [j, b] of made.entries()) {
                if (i === j || !related(sure, i, j)) continue;
                pairs += 1;
                expect(related(order, events.indexOf(a), events.indexOf(b))).toBe(true);
              }
            }
          }
        }
      },
      { limit: 2000 },
    );
    expect(executions).toBeGreaterThan(1);
    expect(pairs).toBeGreaterThan(executions);
  },
  60_000,
);

test('stamps and their order are those of the table (LOCO paper, Fig. 10)', () => {
  const { stamps, inOrder } = stampOrder(valueOf(libraries.compose([]).model), ['1']);
  expect(stamps.filter(({ node }) => node === '1')).toHaveLength(
    stamps.filter(({ node }) => node === 'elsewhere').length,
  );
  const at = (label: string, node?: string) => ({ label, node });
  expect(inOrder(at('aCW'), at('aCR'))).toBe(false);
  expect(inOrder(at('aCW'), at('aGF', '1'))).toBe(true);
  expect(inOrder(at('aNRW', '1'), at('aGF', '1'))).toBe(true);
  expect(inOrder(at('aNRW', '1'), at('aGF', 'elsewhere'))).toBe(false);
  expect(inOrder(at('aGF', '1'), at('aNRW', 'elsewhere'))).toBe(true);
});
