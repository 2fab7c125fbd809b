import fc from 'fast-check';
import { describe, expect, test } from 'vitest';
import { inProcess } from '../../src/analyses/in-process.js';
import { enumerateCandidates } from '../../src/check/enumerate/candidates.js';
import { verifyWitness } from '../../src/check/witness/verify.js';
import type { Witness } from '../../src/check/witness/witness.js';
import { pairsIn } from '../../src/check/witness/witness.js';
import type { Model } from '../../src/model/term.js';
import { whole } from '../../src/parse/diagnostics/index.js';
import { parseLitmusFile } from '../../src/parse/litmus.js';
import { unroll } from '../../src/program/events/unroll.js';
import type { Test } from '../../src/program/program.js';
import { resolve } from '../../src/program/resolve.js';
import { allSubjects } from '../../src/program/subjects.js';
import type { Engine } from '../../src/rdma/engines.js';
import { cat, newSolver } from '../support/checker.js';
import { valueOf } from '../support/litmus.js';
import { candidates, judge } from '../support/naive.js';
import { cases, few } from '../support/random.js';

/** Models that declare instructions of their own: all engines, and the naive enumeration, agree on them. */

const ENGINES: readonly Engine[] = ['smt', 'search', 'enumerate', 'auto'];
const pool = inProcess({ solver: () => Promise.resolve(newSolver) });

function testIn(model: Model, text: string): Test {
  const source = { path: 'case.litmus', text };
  const sources = new Map([[source.path, source]]);
  const parsed = valueOf(whole(parseLitmusFile(source)), sources);
  return valueOf(resolve(parsed, model.instructions, []), sources);
}

/** The final states by an engine. */
async function statesBy(engine: Engine, model: Model, subject: Test): Promise<readonly string[]> {
  const subjects = allSubjects(subject.program);
  const job = {
    kind: 'outcomes',
    test: subject,
    models: [model],
    subjects,
    counted: false,
  } as const;
  const found = await pool.outcomes({ ...job, engine });
  expect([engine, found.incomplete]).toEqual([engine, undefined]);
  return found.states.map((state) =>
    Object.entries(state)
      .map(([name, value]) => `${name}=${value}`)
      .join(' '),
  );
}

/** The final states on which all engines agree; undefined if there is too much to go through. */
async function agreed(
  model: Model,
  text: string,
  limit = 20_000,
): Promise<readonly string[] | undefined> {
  const subject = testIn(model, text);
  const found = candidates(subject.program, limit);
  if (found === undefined) return undefined;
  const { all, grounded } = judge(model, found);
  const sorted = [...all].sort();
  // No value of these programs comes out of thin air.
  expect([...grounded].sort()).toEqual(sorted);
  for (const engine of ENGINES) {
    const states = await statesBy(engine, model, subject);
    expect([engine, ...[...states].sort()]).toEqual([engine, ...sorted]);
  }
  return sorted;
}

const RADD = `include "rdma-tso-base.cat"
(** adds at the NIC *)
event nMR by nic on qp
operation radd(remote x, value e) into own a on qp(x) work d
  : nMR reads x as v ; nlW writes a := v ; nrW writes x := v + e
let parts = same & (nMR * nrW)
guess aao : either (nMR * nMR) & sn \\ id
replace guess pf : kth nlW | (nrW \\ range(parts)) to kth P in sqp
let ippo = ippo | po & (CPU * nMR) | qpo & ((nlR | nrW | nMR | nF) * nMR)
  | qpo & (nMR * (nrW | nrR | nlW | nF))
let oppo = oppo | po & (CPU * nMR) | qpo & ((nlR | nrW | nMR | nF) * nMR)
  | qpo & (nMR * (nrW | nrR | nlW | nF))
let before = aao | parts^-1;aao
let issued = ippo | rf | pf | nfo | rbb | before | ((nfo | rbb);parts^-1) \\ id
let observed = oppo | (rf \\ rfb) | [nlW];pf | nfo | rb | mo | before
include "rdma-axioms.cat"`;

const remoteAtomics = cat(RADD);

/** Small programs with remote fetch-and-adds among other instructions. */
const counters: fc.Arbitrary<string> = (() => {
  const instruction = fc.constantFrom(
    ...['a := radd(c^2, 1)', 'a := radd(c^2, 1)', 'b := radd(c^2, 2)', 'b := radd(d^2, 1)'],
    ...['c^2 := 1', 'b := c^2', 'poll(2)', 'poll(2)', 'rfence(2)', 'r := a', 'mfence'],
    ...['if (a = 1) { r := 3 }', 'choose { a := radd(c^2, 1) } or { skip }'],
  );
  const far = fc.array(instruction, { minLength: 1, maxLength: 2 });
  const near = fc.array(fc.constantFrom('c := 5', 'd := c', 'r := c', 'r := d', 'mfence'), {
    minLength: 0,
    maxLength: 1,
  });
  return fc.tuple(far, far, near, fc.boolean()).map(([one, two, own, together]) => {
    const threads = [
      `thread T1 on 1 { a := 0; b := 0; ${one.join('; ')} }`,
      `thread T2 on ${together ? 1 : 3} { a := 0; b := 0; ${two.join('; ')} }`,
      ...(own.length === 0 ? [] : [`thread T3 on 2 { ${own.join('; ')} }`]),
    ];
    return `RDMA t node 1 {} node 2 { c = 0; d = 0 } node 3 {} ${threads.join('\n')}`;
  });
})();

test('remote atomics: random programs', async () => {
  let compared = 0;
  let several = 0;
  await fc.assert(
    fc.asyncProperty(counters, async (text) => {
      const states = await agreed(remoteAtomics, text, 600);
      if (states === undefined) return;
      compared += 1;
      if (states.length > 1) several += 1;
    }),
    { numRuns: cases(200), seed: 5 },
  );
  expect(compared).toBeGreaterThan(few(20));
  expect(several).toBeGreaterThan(few(5));
});

/** What the models below have in common: signals, and calls that wait for one. */
const SIGNALS = `include "instructions.cat"
event S by cpu
event V by cpu
operation signal() : S
operation await() : V
operation both(own x, own y, value e) : lW writes x := e , lW writes y := e
operation half(own x, value e) = v : lR reads x as r ; if r > e { lW writes x := r - e } , lR reads x as v
let rb = (rf^-1 ; mo) \\ id
let hb = po | rf | rb | mo`;

const dividing = cat(`${SIGNALS}
operation share(own x, value e) = r
  : lR reads x as v ; if v / e > 0 { lW writes x := v / e } ; lR reads x as r
acyclic hb as ordered`);

const total = cat(`${SIGNALS}
guess bus : total (lW \\ IW) * (lW \\ IW)
acyclic po & (lW * lW) | po & loc | bus | rf | rb | mo as ordered`);

const totalByNode = cat(`${SIGNALS}
guess arrive : total (nrW * nrW) & sn
let rdma = po & sqp & (nrW * nrW) | po & ((lR | lW) * (lR | lW))
acyclic rdma | same & (nlR * nrW) | arrive & loc | rf | rb | mo as ordered
irreflexive arrive ; po & sqp as queued`);

const one = cat(`${SIGNALS}
guess ev : one S to each V in ext
acyclic hb | ev as ordered`);

const inTurn = cat(`${SIGNALS}
guess ev : kth S to kth V in (S | V) * (S | V) unordered
acyclic hb | ev as ordered`);

const MEMORY = 'RDMA t node 1 { x = 0; y = 0; u = 0; v = 0 } node 2 { z = 0; w = 0 }';

const PROGRAMS: readonly [string, Model, string, number][] = [
  [
    'a total order of writes: the readers agree on it',
    total,
    `thread T1 on 1 { x := 1 } thread T2 on 1 { y := 1 }
     thread T3 on 1 { a := x; a := a * 2 + y } thread T4 on 1 { b := y; b := b * 2 + x }`,
    1,
  ],
  [
    'a total order of writes in branches',
    total,
    `thread T1 on 1 { choose { x := 1 } or { y := 1 } choose { x := 2 } or { y := 2 } }
     thread T2 on 1 { if (x = 1) { y := 3 } }`,
    1,
  ],
  [
    'writes beside each other',
    total,
    'thread T1 on 1 { both(x, y, 1) } thread T2 on 1 { a := y; b := x }',
    1,
  ],
  [
    'an event of a call under a condition, and one beside it',
    one,
    'thread T1 on 1 { x := 2; a := half(x, 1) } thread T2 on 1 { x := 1 }',
    1,
  ],
  [
    'a total order for each node, of writes that may not be there',
    totalByNode,
    `thread T1 on 1 { z^2 := 1; w^2 := 1 }
     thread T2 on 1 { choose { w^2 := 2 } or { skip } z^2 := 2 } thread T3 on 2 { a := z; b := w }`,
    1,
  ],
  [
    'one source of two',
    one,
    'thread T1 on 1 { x := 1; signal } thread T2 on 1 { y := 1; signal } thread T3 on 1 { await; a := x; b := y }',
    3,
  ],
  [
    'sources in branches',
    one,
    `thread T1 on 1 { x := 1; choose { signal } or { x := 2 } } thread T2 on 1 { await; a := x }
     thread T3 on 1 { y := 1; signal; choose { await } or { skip } }`,
    1,
  ],
  ['no source', one, 'thread T1 on 1 { await; a := x; signal }', 0],
  [
    'the k-th of another thread',
    inTurn,
    `thread T1 on 1 { x := 1; signal; y := 1; signal } thread T2 on 1 { await; a := y; await; b := y }`,
    2,
  ],
  [
    'the k-th where branches decide',
    inTurn,
    `thread T1 on 1 { choose { signal } or { skip } x := 1; signal; y := 1; choose { signal } or { skip } }
     thread T2 on 1 { await; a := x; choose { await; b := y } or { skip } }`,
    2,
  ],
  ['more of them than there are', inTurn, 'thread T1 on 1 { signal; await; await }', 0],
];

describe('other kinds of guesses', () => {
  test.each(PROGRAMS)('%s', async (_, model, body, least) => {
    const states = await agreed(model, `${MEMORY} ${body}`);
    expect(states).toBeDefined();
    if (least === 0) expect(states).toEqual([]);
    else expect(states!.length).toBeGreaterThanOrEqual(least);
  });
});

test.each([
  ['b := 2; a := share(x, b)', undefined],
  ['b := y; a := share(x, b)', 'some run'],
  ['b := 0; a := share(x, b)', 'some run'],
  ['a := share(x, 0)', 'some run'],
])('%s: a run in which an operation divides by zero counts for nothing', async (body, doubt) => {
  const text = `${MEMORY} thread T1 on 1 { ${body} } thread T2 on 1 { y := 2 }`;
  const subject = testIn(dividing, text);
  const subjects = allSubjects(subject.program);
  const expected = judge(dividing, candidates(subject.program, 10_000)!).all;
  for (const engine of ENGINES) {
    const job = { kind: 'outcomes', test: subject, models: [dividing], subjects } as const;
    const { states, incomplete } = await pool.outcomes({ ...job, counted: false, engine });
    expect([engine, states.length]).toEqual([engine, expected.size]);
    if (doubt === undefined) expect(incomplete).toBeUndefined();
    else expect(incomplete).toContain(doubt);
  }
});

describe('wrong witnesses are refused', () => {
  const named = PROGRAMS.filter(([, , , least]) => least > 0);

  test.each(named)('%s', (_, model, body) => {
    const structure = unroll(testIn(model, `${MEMORY} ${body}`).program);
    const found: Witness[] = [];
    enumerateCandidates(structure, model, ({ witness }) => void found.push(witness), {
      limit: 10_000,
    });
    expect(found.length).toBeGreaterThan(0);
    for (const witness of found) {
      expect(verifyWitness(structure, model, witness)).not.toHaveProperty('wrong');
      for (const name of Object.keys(witness.guessed)) {
        const pairs = pairsIn(witness, name);
        if (pairs.length === 0) continue;
        const [[a, b]] = pairs;
        for (const wrong of [
          pairs.slice(1),
          [...pairs, pairs[0]],
          [...pairs, [b, a] as const],
          [...pairs, [a, a] as const],
          [...pairs, [structure.events.length, a] as const],
        ]) {
          const changed = { ...witness, guessed: { ...witness.guessed, [name]: wrong } };
          expect(verifyWitness(structure, model, changed)).toHaveProperty('wrong');
        }
      }
    }
  });

  test('a path on which an event has no partner', () => {
    const text = `${MEMORY} thread T1 on 1 { choose { signal } or { skip } } thread T2 on 1 { await }`;
    const structure = unroll(testIn(inTurn, text).program);
    const witnesses: Witness[] = [];
    enumerateCandidates(structure, inTurn, ({ witness }) => void witnesses.push(witness), {
      limit: 10,
    });
    expect(witnesses).toHaveLength(1);
    const other = { ...witnesses[0], choices: witnesses[0].choices.map((c) => 1 - c) };
    expect(verifyWitness(structure, inTurn, other)).toEqual({
      wrong: 'an event has no partner in ev',
    });
  });
});
