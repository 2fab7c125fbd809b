import fc from 'fast-check';
import { ALL, QUICK } from '../support/random.js';
import type { Theme } from '../../src/rdma/random/layout.js';
import { declaredPrograms } from '../../src/rdma/random/declared.js';
import { inBlocks } from '../../src/rdma/random/programs.js';
import { vocabularyOf } from '../../src/rdma/random/vocabulary.js';
import { defaultInstructions } from '../../src/node/models.js';
import { modelOf } from '../support/checker.js';
import type { Drawn, Row } from './harness.js';
import { compareOn } from './harness.js';
import { MACHINES } from './settings.js';

/** Random programs with what only some of them have: shared queues, work without completions, messages, several NICs. */

const about = (theme: Theme, under: readonly string[]): fc.Arbitrary<Drawn> =>
  declaredPrograms(vocabularyOf(under.map(modelOf), defaultInstructions()), theme).map(
    (source) => ({
      text: inBlocks(source),
    }),
  );

const some = (instructions: readonly string[], minLength: number, maxLength: number) =>
  fc
    .array(fc.constantFrom(...instructions), { minLength, maxLength })
    .map((list) => (list.length === 0 ? 'skip' : list.join('; ')));

/** Puts, flushes and polls of T1, a CPU beside them, and what power cuts of both nodes leave. */
const cuts: fc.Arbitrary<Drawn> = fc
  .tuple(
    some(
      [
        ...['x^2.a := 1', 'y^2.a := 2', 'y^2.b := 3', 'y^2.a :=[atomicwrite] 4', 'f := 1'],
        ...['flush(x^2.a)', 'flush(y^2.b)', 'f := x^2.a', 'poll(2.a)', 'poll(2.a)', 'poll(2.b)'],
      ],
      2,
      4,
    ),
    some(['x := 5', 'y := 6', 'f^1 := x', 'poll(1)', 'mfence'], 0, 2),
  )
  .map(([one, two]) => ({
    text: `RDMA t node 1 { f = 0 } node 2 { x = 0; y = 0 }
      thread T1 on 1 { ${one} }
      thread T2 on 2 { ${two} }
      thread C on 1 { r := cut(f) }
      thread D on 2 { s := cut(x); t := cut(y) }`,
  }));

/** Work of T1 on a queue pair that may break, and on one that does not; T2 shares the first one, or looks on. */
const breaking: fc.Arbitrary<Drawn> = fc
  .tuple(
    fc.constantFrom('qp a : T1 -> 2 [fallible]', 'qp a : T1, T2 -> 2 [fallible]', 'cq c { a, b }'),
    some(
      [
        ...['x^2.a := 1', 'y^2.a := p', 'x^2.a :=[unsignalled] 4', 'y^2.a :=[inline] s'],
        ...['r := x^2.a', 'r := rfaa(x^2.a, 1)', 'r := rcas [unsignalled] (y^2.a, 0, 5)'],
        ...['s := poll(2.a)', 's := poll(2.a)', 'poll(2.a)', 't := poll(2.a)', 'rfence(2.a)'],
        ...['x^2.b := 2', 'poll(2.b)', 'p := 2', 'q := r', 'if (s = 1) { x^2.b := 3 }'],
      ],
      1,
      3,
    ),
    some(['x^2.a := 6', 'u := poll(2.a)'], 0, 1),
    some(['h := x', 'i := y', 'x := 3', 'mfence'], 1, 2),
  )
  .map(([declared, one, two, three]) => {
    const isShared = declared.includes('T2');
    const ofQueue = declared.startsWith('cq');
    const pairs = ofQueue ? `qp a : T1 -> 2 [fallible] ${declared}` : declared;
    const list = ofQueue ? one.replaceAll(/poll\(2\.[ab]\)/g, 'poll(c)') : one;
    return {
      text: `RDMA t node 1 { p = 1; r = 0 } node 2 { x = 0; y = 0 }
        ${pairs}
        thread T1 on 1 { s := 0; ${list} }
        ${isShared ? `thread T2 on 1 { ${two} }` : ''}
        thread T3 on 2 { ${three} }`,
    };
  });

/** Puts and gets of two words, what comes before and after them, and a CPU that reads both words. */
const words: fc.Arbitrary<Drawn> = fc
  .tuple(
    some(
      [
        ...['[x, y]^2 := [1, u]', '[x, y]^2 := [u, v]', '[y, x]^2 :=[unsignalled] [v, 2]'],
        ...['[x, y]^2 :=[inline] [3, 4]', '[u, v] := [x, y]^2', '[v, u] := [y, z]^2'],
        ...['z^2 := 5', 'u := x^2', 'u := 6', 'v := u', 'poll(2)', 'poll(2)', 'rfence(2)'],
      ],
      2,
      4,
    ),
    some(['r := x', 's := y', 't := z', 'x := 7', '[p, q] := [u, v]^1'], 1, 3),
  )
  .map(([one, two]) => ({
    text: `RDMA t node 1 { u = 8; v = 9 } node 2 { x = 0; y = 0; z = 0; p = 0; q = 0 }
      thread T1 on 1 { ${one} }
      thread T2 on 2 { r := 0; s := 0; t := 0; ${two} }`,
  }));

/** Operations of T1 on two queue pairs, on locations with tags, and who looks at both nodes. */
const strictness: fc.Arbitrary<Drawn> = fc
  .tuple(
    fc.constantFrom('', '[strict]', '[relaxed]'),
    fc.constantFrom('', '[strict]', '[relaxed]'),
    fc.constantFrom(
      ...['', 'x^2 := 1;', 'x^2 := 1; poll(2); y^2.a := 4;', 'u := x^2; v := y^2;'],
      ...['x^2 := 1; rfence(2); y^2 := 2; poll(2); x^2.a := 4;', 'r := rfaa(x^2, 1); poll(2);'],
    ),
    some(
      [
        ...['x^2 := 1', 'y^2 := 2', 'x^2 := 3', 'y^2.a := 4', 'u := x^2', 'u := y^2', 'v := x^2'],
        ...['r := rfaa(x^2, 1)', 'poll(2)', 'poll(2)', 'rfence(2)', 's := u', 't := v'],
      ],
      1,
      3,
    ),
    fc.constantFrom('p := x; q := y', 'q := y; p := x', 'y := 5; p := x', 'u^1 := x'),
    fc.constantFrom('k := u; l := v', 'l := v; k := u', 'k := u; l := u'),
  )
  .map(([one, other, first, list, far, near]) => ({
    text: `RDMA t node 1 { u = 8 ${one}; v = 9; r = 0 } node 2 { x = 0 ${one}; y = 0 ${other} }
      thread T1 on 1 { s := 0; t := 0; ${first} ${list} }
      thread T2 on 2 { p := 0; q := 0; ${far} }
      thread T3 on 1 { k := 0; l := 0; ${near} }`,
  }));

const HAND_WRITTEN = [
  ...['rdma-ro', 'rdma-ro-tagged', 'rdma-ro-either', 'rdma-manpage', 'rdma-ro-manpage'],
];
const MODELS = ['rdma-tso', 'rdma-manpage', 'rdma-ro', 'rdma-sc', 'rdma-tso-nopcie'];
const RECEIVERS = [...MODELS, 'rdma-ro-recvown', 'rdma-nics', 'rdma-ooo-rw'];
const CARDS = ['rdma-nics', 'rdma-nics-cpuflush', 'rdma-ooo-rw', 'rdma-tso'];
const RELAXED = ['rdma-ro', 'rdma-ro-tagged', 'rdma-ro-either', 'rdma-ro-atomic', 'rdma-unordered'];

const PERSISTENT = [
  'rdma-tso',
  'rdma-ro',
  'rdma-manpage',
  'rdma-unordered',
  'rdma-nics',
  'rdma-srd',
];

const UNSIGNALLED = `RDMA t node 1 { b = 0 } node 2 { x = 0; y = 5 }
qp a : T1 -> 2 [fallible]
thread T1 on 1 { b :=[unsignalled] y^2.a; x^2.a := 1; s := poll(2.a); r := b }`;

/** Of work that fails, polls count the write, too. */
const COUNTED = `"own"
include "rmw.cat"
replace guess pf : kth (entries | completes \\ domain(same & (_ * nC))) \\ shared to kth P \\ shared in sqp
include "rdma-tso.cat"`;

const BREAKING = ['rdma-tso', 'rdma-manpage', 'rdma-ro', 'rdma-ooo-rw', 'sc'];

const row = (
  name: string,
  theme: Theme,
  under: readonly string[],
  more: Partial<Row> = {},
): Row => ({
  ...{ name, under, programs: about(theme, under) },
  ways: { smt: 200, enumerate: 200, naive: 200 },
  decided: { naive: 40 },
  telling: 5,
  ...more,
});

/** The machine of the model, too, with what can come first coming first, and in every order. */
const RUNS = { operational: 100, 'read machine, every order': 50 } as const;
const BY_MACHINES: Partial<Row> = {
  ways: { smt: 100, enumerate: 100, naive: 100, ...RUNS },
  decided: { naive: 20, operational: 70, 'read machine, every order': 25 },
};
/** Six programs of some kinds take some engines ten seconds: the quick tests do without. */
const slowly = <Ways extends object>(ways: Ways): Partial<Ways> => (QUICK ? {} : ways);
const FEWER: Partial<Row> = {
  ways: { smt: 100, enumerate: 100, ...slowly({ naive: 50 }), ...RUNS },
  decided: { ...slowly({ naive: 10 }), operational: 35, 'read machine, every order': 12 },
};

/** Six programs of some kinds take one way half a minute, which the long tests ask about those of other rows. */
const atLength = <Ways extends object>(ways: Ways): Partial<Ways> => (ALL ? ways : {});
const ON_PLACES: Partial<Row> = {
  ways: { smt: 100, enumerate: 100, ...atLength({ naive: 50 }), ...RUNS },
  decided: { ...atLength({ naive: 10 }), operational: 35, 'read machine, every order': 12 },
};

/** The machine of the TSO paper with one buffer, with what can come first coming first, and in every order. */
const PIPE = { simplified: 100, 'simplified, every order': 40 } as const;
const ON_PIPE = { simplified: 50, 'simplified, every order': 15 } as const;

compareOn([
  row('a queue pair of two threads', 'shared', MODELS, BY_MACHINES),
  row('completion queues', 'completions', MODELS, BY_MACHINES),
  row('work without completions', 'tags', MODELS, {
    ways: { smt: 200, enumerate: 200, naive: 200, operational: 200, ...PIPE },
    decided: { naive: 80, ...ON_PIPE },
  }),
  row('messages', 'messages', RECEIVERS, FEWER),
  row('several NICs', 'places', CARDS, ON_PLACES),
  row('relaxed and unordered regions', 'places', RELAXED, FEWER),
  row('relaxed ordering on the machines of the TSO paper', 'places', HAND_WRITTEN, {
    dear: true,
    programs: strictness,
    ways: { enumerate: 400, ...MACHINES(400) },
    decided: {
      ...{ simplified: 320, 'six buffers': 280 },
      ...{ 'simplified, every order': 120, 'six buffers, every order': 80 },
    },
    telling: 40,
  }),
  row('power cuts, flushes and atomic writes', 'tags', PERSISTENT, { programs: cuts, telling: 50 }),
  row('several words', 'tags', [...MODELS, 'rdma-srd'], {
    dear: true,
    programs: words,
    ways: {
      ...{ smt: 80, enumerate: 80, operational: 80 },
      ...slowly({ naive: 40 }),
      ...atLength(PIPE),
    },
    decided: { operational: 40, ...slowly({ naive: 8 }), ...atLength(ON_PIPE) },
    telling: 20,
  }),
  row('unordered delivery', 'tags', ['rdma-srd'], {
    ways: { ...BY_MACHINES.ways, ...PIPE },
    decided: { ...BY_MACHINES.decided, ...ON_PIPE },
  }),
  row('unordered delivery of several words', 'words', ['rdma-srd'], {
    ways: { enumerate: 100, ...PIPE },
    decided: { ...ON_PIPE },
  }),
  row('queue pairs that may break', 'tags', BREAKING, {
    ...{ programs: breaking, ...FEWER },
  }),
  row('what is counted depends on how a call goes', 'tags', ['rdma-tso'], {
    programs: [{ text: UNSIGNALLED, models: [COUNTED] }],
    ways: { smt: 1, search: 1, enumerate: 1, naive: 1 },
    decided: { naive: 1 },
    telling: 1,
  }),
]);
