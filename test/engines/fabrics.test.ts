import fc from 'fast-check';
import type { Drawn } from './harness.js';
import { compareOn } from './harness.js';

/** Random programs with what only some of them have: shared queues, work without completions, messages, several NICs. */

const some = (
  instructions: readonly string[],
  minLength: number,
  maxLength: number,
): fc.Arbitrary<string> =>
  fc
    .array(fc.constantFrom(...instructions), { minLength, maxLength })
    .map((list) => (list.length === 0 ? 'skip' : list.join('; ')));

const near = some(['h := x', 'i := y', 'x := 3', 'mfence'], 1, 2);

/** Two threads of node 1, and one of node 2. */
const together = (
  declared: readonly string[],
  one: fc.Arbitrary<string>,
  two: fc.Arbitrary<string>,
): fc.Arbitrary<Drawn> =>
  fc.tuple(one, two, near, fc.constantFrom(...declared)).map(([a, b, c, queues]) => ({
    text: `RDMA t node 1 { f = 0 } node 2 { x = 0; y = 0 }
      ${queues}
      thread T1 on 1 { a := 0; g := 0; p := 1; ${a} }
      thread T2 on 1 { b := 0; a := 0; g := 0; p := 2; ${b} }
      thread T3 on 2 { ${c} }`,
  }));

/** On queue pair `s` and, if it is another one, on `t`. */
const posted = (s: string, t: string, poll: readonly string[]): readonly string[] => [
  ...[`x^2.${s} := 1`, `y^2.${t} := p`, `x^2.${s} :=[unsignalled] p`, `a := x^2.${s}`],
  ...[`b := y^2.${t}`, `a := rfaa(x^2.${s}, 1)`, `rfence(2.${s})`, 'f := 1', 'g := f', 'r := a'],
  ...[`y^2.${t} :=[inline] g`, ...poll, ...poll],
];

const shared = together(
  ['qp s : T1, T2 -> 2'],
  some(posted('s', 's', ['poll(2.s)']), 1, 3),
  some(posted('s', 's', ['poll(2.s)']), 1, 2),
);
const completed = together(
  ['cq c { s, t }', 'cq c { s, t, u }', 'qp s : T1, T2 -> 2 cq c { s, u }'],
  some(posted('s', 's', ['poll(c)']), 1, 3),
  some(posted('s', 'u', ['poll(c)']), 1, 2),
).filter(({ text }) => !/cq c \{ s, t \}/.test(text) || !/\.u/.test(text));
const unsignalled = together(
  [''],
  some(posted('a', 'a', ['poll(2.a)']), 2, 4),
  some(posted('b', 'b', ['poll(2.b)']), 0, 1),
);

const MODELS = ['rdma-tso', 'rdma-manpage', 'rdma-ro', 'rdma-sc', 'rdma-tso-nopcie'];

/** Messages of T1, and what T2 does with them. */
const messages: fc.Arbitrary<Drawn> = fc
  .tuple(
    some(
      [
        ...['send(2, p)', 'send(2, p)', 'send [inline] (2, 3)', 'x^2 :=[imm] p', 'x^2 := p'],
        ...['a := x^2', 'poll(2)', 'p := 2', 'r := a', 'rfence(2)'],
      ],
      1,
      3,
    ),
    some(
      [
        ...['b := recv(1)', 'b := recv(1)', 'c := recv(1)', 'pollr(1)', 's := b', 's := x'],
        ...['x := 4', 'y^1 := 1', 'mfence'],
      ],
      1,
      3,
    ),
  )
  .map(([one, two]) => ({
    text: `RDMA t node 1 { y = 0; a = 0; p = 1 } node 2 { x = 0; b = 0; c = 0 }
      thread T1 on 1 { ${one} }
      thread T2 on 2 { ${two} }`,
  }));

const QUEUES = ['[nearA][farA]', '[nearB][farB]', '[nearA][farB]', ''];
/** Two queue pairs to node 2, and one of a thread there to itself, each with NICs or without. */
const cards: fc.Arbitrary<Drawn> = fc
  .tuple(
    fc.constantFrom(...QUEUES),
    fc.constantFrom(...QUEUES),
    fc.constantFrom(...QUEUES),
    some(
      [
        ...['x^2.a := 1', 'y^2.a := 2', 'x^2.b := 3', 'r := x^2.a', 'poll(2.a)'],
        ...['r := rfaa(y^2.a, 1)', 'r := rfaa(y^2.b, 2)', 's := r'],
      ],
      1,
      3,
    ),
    some(['u := y^2.l', 'poll(2.l)', 'v := x', 'w := y', 'x^2.l := y', 'y := 5'], 1, 3),
  )
  .map(([a, b, l, one, two]) => ({
    text: `RDMA t node 1 {} node 2 { x = 0 [gpu]; y = 0 }
      qp a : T1 -> 2 ${a} qp b : T1 -> 2 ${b} qp l : T2 -> 2 ${l}
      thread T1 on 1 { r := 0; ${one} }
      thread T2 on 2 { ${two} }`,
  }));

const ways = { smt: 200, enumerate: 200, naive: 200 };
const decided = { naive: 40 };

compareOn([
  {
    name: 'a queue pair of two threads',
    programs: shared,
    under: MODELS,
    ways,
    decided,
    telling: 5,
  },
  { name: 'completion queues', programs: completed, under: MODELS, ways, decided, telling: 5 },
  {
    name: 'work without completions',
    programs: unsignalled,
    under: MODELS,
    ways: { ...ways, operational: 200 },
    decided,
    telling: 5,
  },
  {
    name: 'messages',
    programs: messages,
    under: [...MODELS, 'rdma-ro-recvown', 'rdma-nics', 'rdma-ooo-rw'],
    ways,
    decided,
    telling: 5,
  },
  {
    name: 'several NICs, and unordered delivery',
    programs: cards,
    under: ['rdma-nics', 'rdma-nics-cpuflush', 'rdma-ooo-rw', 'rdma-tso'],
    ways,
    decided,
    telling: 5,
  },
]);
