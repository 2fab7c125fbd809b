import { readFileSync } from 'node:fs';
import fc from 'fast-check';
import { areMany, valueSets } from '../../src/encode/bounds/values.js';
import { parseLitmus } from '../../src/index.js';
import type { Model } from '../../src/model/term.js';
import * as m from '../../src/model/relation/matrix.js';
import { whole } from '../../src/parse/diagnostics/index.js';
import { parseLitmusFile } from '../../src/parse/litmus.js';
import { unroll } from '../../src/program/events/unroll.js';
import type { Program, Test } from '../../src/program/program.js';
import { instructionsOf } from '../../src/program/instructions.js';
import { resolve } from '../../src/program/resolve.js';
import { unsupported } from '../../src/rdma/machines/index.js';
import { LOCATIONS } from '../../src/rdma/random/nodes.js';
import type { ProgramShape } from '../../src/rdma/random/programs.js';
import { inBlocks, programs } from '../../src/rdma/random/programs.js';
import { adapt } from '../../src/rdma/translate.js';
import { modelOf } from '../support/checker.js';
import { ENDING_FILES } from '../support/corpus.js';
import { litmus, valueOf } from '../support/litmus.js';
import type { Drawn } from './harness.js';

/** Where the programs of rows come from, and how they are read. */

export const random = (shape: ProgramShape): fc.Arbitrary<Drawn> =>
  programs(shape).map((source) => ({ text: inBlocks(source) }));

/** Random programs of a shape, each with models of its own. */
export const withModels = (
  shape: ProgramShape,
  models: fc.Arbitrary<readonly string[]>,
): fc.Arbitrary<Drawn> =>
  fc
    .tuple(programs(shape), models)
    .map(([source, texts]) => ({ text: inBlocks(source), models: texts }));

/** A client of libraries, which are its models. */
export const client = (text: string): Test => valueOf(parseLitmus(text, 'client.litmus'));

/** Reads programs in the instructions that a model declares. */
export function inInstructionsOf({ instructions }: Model): (text: string) => Test {
  return (text) => {
    const source = { path: 'case.litmus', text };
    const sources = new Map([[source.path, source]]);
    return valueOf(
      resolve(valueOf(whole(parseLitmusFile(source)), sources), instructions, []),
      sources,
    );
  };
}

/** Files of the corpus whose programs come to an end. */
const files = ENDING_FILES.map((drawn) => ({ ...drawn, folder: drawn.file.split('/')[0] }));

/** Of single cells: tests in test/mutate, too, ask all engines about them. */
export const CELLS = files.filter(({ folder }) => folder === 'cells');
/** Their executions are too many to go through. */
export const PROTOCOLS = files.filter(({ folder }) => folder === 'protocols');
export const PLAIN = files.filter(({ folder }) => !['cells', 'protocols'].includes(folder));
export const PUBLISHED = files.filter(({ folder }) =>
  ['decidability', 'robustness', 'tso'].includes(folder),
);

/** Those without loops, for machines. */
export const STRAIGHT = PLAIN.filter(({ text }) => {
  const adapted = adapt(litmus(text).program, modelOf('rdma-tso'));
  return (
    adapted.ok && !hasLoop(adapted.value.program) && unsupported(adapted.value.program).length === 0
  );
});
export const ATOMICS = STRAIGHT.filter(({ folder }) => folder === 'rmw');

function hasLoop({ threads }: Program): boolean {
  return threads.some(({ body }) => [...instructionsOf(body)].some((i) => i.kind === 'loop'));
}

/** Small programs with the remote fetch-and-adds of a model of a user's kind, among other instructions. */
export const ADDING = readFileSync('test/engines/models/radd.cat', 'utf8');
/** The example of docs/instructions.md. */
export const [, MAXIMUM] = /^```cat rdma-max\.cat\n([^]*?)^```/m.exec(
  readFileSync('docs/instructions.md', 'utf8'),
)!;
export const adding: fc.Arbitrary<Drawn> = (() => {
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
    const text = `RDMA t node 1 {} node 2 { c = 0; d = 0 } node 3 {} ${threads.join('\n')}`;
    return { text };
  });
})();

const ONES = 'RDMA t node 1 { x = 1; y = 1 } node 2 { z = 1 }';

/** Two threads that compute with what they have written, over `x` and `y`, which they may send to `z` and back. */
export const computing: fc.Arbitrary<Drawn> = (() => {
  const name = fc.constantFrom('x', 'y');
  const factor = fc.constantFrom(1, 2, 3);
  const compute = fc
    .tuple(name, factor, name, fc.constantFrom('+', '-'), name)
    .map(([to, k, a, sign, b]) => `${to} := ${k}*${a} ${sign} ${b}`);
  const send = name.map((from) => `z^2 := ${from}; poll(2)`);
  const fetch = name.map((to) => `${to} := z^2; poll(2)`);
  const instruction = fc.oneof(
    { weight: 4, arbitrary: compute },
    { weight: 1, arbitrary: send },
    { weight: 1, arbitrary: fetch },
  );
  const body = (maxLength: number) => fc.array(instruction, { minLength: 2, maxLength });
  return fc.tuple(body(3), body(2)).map(([a, b]) => ({
    text: `${ONES} thread T1 on 1 { ${a.join('; ')} } thread T2 on 1 { ${b.join('; ')} }`,
  }));
})();

/** Two programs of this kind, which have many values. */
export const TOGETHER: readonly Drawn[] = [
  'thread T1 on 1 { x := 3*x + y; x := x + 5*y } thread T2 on 1 { y := 5*x + 7*y; y := x - y }',
  `thread T1 on 1 { x := z^2; poll(2); y := 3*x + y; z^2 := y; poll(2); x := z^2; poll(2); y := 2*x - y; z^2 := y }
   thread T2 on 2 { z := 5*z - 3; z := z*z + 3 }`,
].map((threads) => ({ text: `${ONES} ${threads}` }));

/** Are there many values if every read may read from every write? */
export function hasManyValues({ program }: Test): boolean {
  const structure = unroll(program);
  const { events } = structure;
  const mayRead = m.emptyRel(events.length);
  for (const w of events) {
    if (w.value === undefined) continue;
    for (const r of events) {
      if (r.label.endsWith('R') && r.location === w.location) m.relate(mayRead, w.id, r.id);
    }
  }
  return areMany(valueSets(structure, mayRead));
}

/** Loops over two locations. Most have their last iteration alone, and some keep what they have read before. */
const LOOPS = [
  'while (A = 0) { skip }',
  'while (A != B) { skip }',
  'while (A = 0) { assume(B != 2) }',
  'while (A != 1) { r := B }',
  'r := 0; while (r = 0) { r := A }',
  'r := A; while (r != 1) { r := A }',
  'r := A; while (r = B) { if (r) { r := A } else { r := B } }',
  'r := A; while (r != 1) { s := A + B; r := s }',
  'while (A = 0) { choose { r := 1 } or { r := B } }',
  'while (A = 0) { while (B = 0) { skip } }',
  'loop { r := A }',
  'loop { assume(A = B) }',
  'r := 1; while (r) { loop { s := A } s := B; r := s != 1 }',
  'r := 0; while (A = 0) { if (B = 1) { r := 1 } }',
  'r := 0; while (A = 0) { s := r; r := B }',
  'r := 0; while (A = r) { r := r + 1 }',
  'while (A = 0) { r := 6 / (B + 1) }',
  'while (A = 0) { B := 1 }',
];

/** Programs in which each thread has such a loop, and one more writes what many of them wait for. */
export const spinning: fc.Arbitrary<Drawn> = (() => {
  const writes = fc
    .constantFrom(...LOCATIONS['1'])
    .chain((x) => fc.constantFrom(`${x} := 1`, `${x} := 2`));
  const writer = fc
    .array(writes, { minLength: 1, maxLength: 3 })
    .map((body) => ({ name: 'W', node: '1', body }));
  const looping = ({ node, body }: { readonly node: string; readonly body: readonly string[] }) =>
    fc
      .record({
        loop: fc.constantFrom(...LOOPS),
        A: fc.constantFrom(...LOCATIONS[node]),
        B: fc.constantFrom(...LOCATIONS[node]),
        place: fc.nat(body.length),
      })
      .map(({ loop, A, B, place }) =>
        body.toSpliced(place, 0, loop.replaceAll('A', A).replaceAll('B', B)),
      );
  return programs({ threads: 2, instructions: 2 }).chain((source) =>
    fc.tuple(writer, ...source.threads.map(looping)).map(([last, ...bodies]) => {
      const threads = source.threads.map((thread, i) => ({ ...thread, body: bodies[i] }));
      return { text: inBlocks({ ...source, threads: [...threads, last] }) };
    }),
  );
})();

/** Loops, which random programs rarely have, and what they rarely do. */
export const HAND_WRITTEN: readonly Drawn[] = readFileSync('test/engines/hand-written.txt', 'utf8')
  .split(/\n(?=# )/)
  .map((text) => ({ text }));
