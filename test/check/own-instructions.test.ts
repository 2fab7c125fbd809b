import { describe, expect, test } from 'vitest';
import { inProcess } from '../../src/analyses/in-process.js';
import { enumerateCandidates } from '../../src/check/enumerate/candidates.js';
import { verifyWitness } from '../../src/check/witness/verify.js';
import type { Witness } from '../../src/check/witness/witness.js';
import { pairsIn } from '../../src/check/witness/witness.js';
import { readLayers } from '../../src/machine/layers.js';
import type { Model } from '../../src/model/term.js';
import { unroll } from '../../src/program/events/unroll.js';
import { allSubjects } from '../../src/program/subjects.js';
import { compareRow } from '../engines/harness.js';
import { inInstructionsOf } from '../engines/programs.js';
import { all as ways } from '../engines/settings.js';
import { cat, newSolver } from '../support/checker.js';
import { candidates, judge } from '../support/naive.js';

/** Models that declare instructions of their own: all engines, and the naive enumeration, agree on them. */

const ENGINES = ['smt', 'search', 'enumerate', 'auto'] as const;
const pool = inProcess({ solver: () => Promise.resolve(newSolver) });

/** What the models below have in common: signals, and calls that wait for one. */
const SIGNALS = `include "instructions.cat"
event S by cpu
event V by cpu
operation signal() : S
operation await() : V
operation both(own x, own y, value e) : lW writes x := e , lW writes y := e
operation negate(own x) = v : lR reads x as v ; lW writes x := -v
operation half(own x, value e) = v : lR reads x as r ; if r > e { lW writes x := r - e } , lR reads x as v
let rb = (rf^-1 ; mo) \\ id
let hb = po | rf | rb | mo`;

const dividing = cat(`${SIGNALS}
operation share(own x, value e) = r
  : lR reads x as v ; if v / e > 0 { lW writes x := v / e } ; lR reads x as r
acyclic hb as ordered`);

const guarded = cat(`${SIGNALS}
operation second(own x, own y) = v : lR reads x as v ; lR reads y as w when w = 1
operation alike(own x, own y) = v : lR reads x as v ; lR reads y as w when w = v
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

/** Whether a signal is guessed about depends on what comes after it. */
const awaited = cat(`${SIGNALS}
guess bus : either (domain(po & (S * V)) * domain(po & (S * V))) & ext
acyclic hb as ordered
empty bus as none`);

const oneFollowed = cat(`${SIGNALS}
guess bus : one domain(po & (S * S)) to each V in ext
acyclic hb as ordered`);

const followed = cat(`${SIGNALS}
guess ev : one S & domain(po) to each V in ext
acyclic hb | ev as ordered`);

const inTurn = cat(`${SIGNALS}
guess ev : kth S to kth V in (S | V) * (S | V) unordered
acyclic hb | ev as ordered`);

/** Work without a completion of its own: a later one covers it. The tag has no form, and is for all operations. */
const signalled = cat(`include "rdma-tso-base.cat"
tag silent on operation
let done = (nlW | nrW \\ range(rmw)) \\ silent
replace guess pf : kth done to kth P in sqp
let cov = (id | same | qpo) ; [done] ; pf
let issued = ippo | rf | [NIC] ; cov | nfo | rbb | rao | issr(nfo | rbb)
let observed = oppo | (rf \\ rfb) | [nlW] ; cov | nfo | rb | mo | raw
include "rdma-axioms.cat"`);

/** Each with its outcome, and whether that is allowed where every operation has a completion, and where some have none. */
const UNSIGNALLED: readonly [string, string, string, string][] = [
  ['x^2 :=[silent] u; y^2 := v; poll(2); u := 2', 'x = 2', 'forbidden', 'forbidden'],
  ['x^2 := u; y^2 :=[silent] v; poll(2); v := 2', 'y = 2', 'allowed', 'allowed'],
  ['a :=[silent] x^2; y^2 := u; poll(2); r := a', 'r = 0', 'forbidden', 'forbidden'],
  [
    'x^2 := u; y^2 :=[silent] v; z^2 := v; poll(2); poll(2); v := 2',
    'z = 2',
    'allowed',
    'forbidden',
  ],
  ['a := rcas[silent](x^2, 1, 2); y^2 := u; poll(2); r := a', 'r = 0', 'forbidden', 'forbidden'],
];

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
    'a value with a sign',
    one,
    'thread T1 on 1 { x := 2; a := negate(x) } thread T2 on 1 { b := negate(x) }',
    3,
  ],
  [
    'a guard about another value than that of the operation',
    guarded,
    'thread T1 on 1 { y := 1; x := 2; a := second(x, y) } thread T2 on 1 { x := 1; y := 2; b := alike(x, y) }',
    2,
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
  [
    'a source that something of any kind comes after',
    followed,
    'thread T1 on 1 { x := 1; signal; a := y } thread T2 on 1 { y := 1; signal } thread T3 on 1 { await; b := x }',
    2,
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
  [
    'events that depend on later ones',
    awaited,
    'thread T1 on 1 { signal; a := x; await } thread T2 on 1 { signal; x := 1 }',
    2,
  ],
  [
    'and all of them are there',
    awaited,
    'thread T1 on 1 { signal; await } thread T2 on 1 { signal; await }',
    0,
  ],
  ['more of them than there are', inTurn, 'thread T1 on 1 { signal; await; await }', 0],
];

test.each(UNSIGNALLED)('%s: %s', async (body, outcome, all, some) => {
  const [name, value] = outcome.split(' = ');
  const text = (thread: string): string =>
    `RDMA t node 1 { u = 1; v = 1; a = 0 } node 2 { x = 1; y = 0; z = 0 } thread T on 1 { ${thread} }`;
  for (const [thread, verdict] of [
    [body.replaceAll('[silent]', ''), all],
    [body, some],
  ]) {
    await compareRow({
      name: thread,
      programs: [{ text: text(thread) }],
      read: inInstructionsOf(signalled),
      under: [{ name: 'own', model: signalled }],
      ways: { ...ways(...ENGINES), naive: Infinity },
      telling: 1,
      tells: (states) => {
        const isAllowed = states.some((state) => state[name] === Number(value));
        expect([thread, isAllowed ? 'allowed' : 'forbidden']).toEqual([thread, verdict]);
        return true;
      },
    });
  }
});

describe('other kinds of guesses', () => {
  test.each(PROGRAMS)('%s', async (name, model, body, least) => {
    await compareRow({
      name,
      programs: [{ text: `${MEMORY} ${body}` }],
      read: inInstructionsOf(model),
      under: [{ name: 'own', model }],
      ways: { ...ways(...ENGINES), naive: Infinity },
      isGrounded: true,
      telling: 1,
      tells: (states) => {
        if (least === 0) expect(states).toEqual([]);
        else expect(states.length).toBeGreaterThanOrEqual(least);
        return true;
      },
    });
  });
});

test.each([
  ['b := 2; a := share(x, b)', undefined],
  ['b := y; a := share(x, b)', 'some run'],
  ['b := 0; a := share(x, b)', 'some run'],
  ['a := share(x, 0)', 'some run'],
])('%s: a run in which an operation divides by zero counts for nothing', async (body, doubt) => {
  const text = `${MEMORY} thread T1 on 1 { ${body} } thread T2 on 1 { y := 2 }`;
  const subject = inInstructionsOf(dividing)(text);
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

test.each([
  [
    awaited,
    `thread T1 on 1 { signal; choose { await; r := 1 } or { r := 0 } }
     thread T2 on 1 { signal; choose { await; s := 1 } or { s := 0 } }`,
    3,
  ],
  [
    oneFollowed,
    'thread T1 on 1 { signal; choose { signal } or { skip } } thread T2 on 1 { await }',
    1,
  ],
])(
  'where branches decide what a guess is about, only executions one by one tell: %#',
  async (model, body, count) => {
    const subject = inInstructionsOf(model)(`${MEMORY} ${body}`);
    const subjects = allSubjects(subject.program);
    for (const engine of ENGINES) {
      const job = { kind: 'outcomes', test: subject, models: [model], subjects } as const;
      const { states, incomplete } = await pool.outcomes({ ...job, counted: false, engine });
      const found = [engine, states.length, incomplete];
      // By default, so are tiny programs without an encoding.
      if (engine === 'enumerate' || engine === 'auto')
        expect(found).toEqual([engine, count, undefined]);
      else expect(found).toEqual([engine, 0, 'it depends on branches what the guess bus is about']);
    }
  },
);

test('a guess that depends on other calls has no machine', () => {
  const message = 'what the guess bus is about depends on other calls';
  expect(readLayers(awaited)).toMatchObject({ message });
});

describe('wrong witnesses are refused', () => {
  const named = PROGRAMS.filter(([, , , least]) => least > 0);

  test.each(named)('%s', (_, model, body) => {
    const structure = unroll(inInstructionsOf(model)(`${MEMORY} ${body}`).program);
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
    const structure = unroll(inInstructionsOf(inTurn)(text).program);
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
