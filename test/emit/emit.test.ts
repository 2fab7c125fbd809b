import { readFileSync, readdirSync } from 'node:fs';
import { join } from 'node:path';
import { describe, expect, test } from 'vitest';
import { enumerate } from '../../src/check/decide.js';
import { emit } from '../../src/emit/emit.js';
import { loadC } from '../../src/node/c.js';
import { parseLitmus, readLitmus } from '../../src/node/tests.js';
import type { Program, Test } from '../../src/program/program.js';
import { observedSubjects } from '../../src/program/subjects.js';
import { instructionsOf } from '../../src/program/instructions.js';
import { PLAIN_FILES } from '../support/corpus.js';
import { adapted, modelOf, newSolver } from '../support/checker.js';
import { valueOf } from '../support/litmus.js';
import { QUICK, some } from '../support/random.js';
import { ROOT } from '../support/run.js';
import { textsOf } from '../support/inlined-states.js';
import { tracesOf } from '../support/traces.js';

await loadC();

const emitted = (text: string, inlines = false) =>
  emit(valueOf(parseLitmus(text)), 'test_0', inlines);

const body = (text: string, inlines = false): string => {
  const made = emitted(text, inlines);
  return 'text' in made ? made.text : made.leftOut;
};

const with_ = (thread: string, more = ''): string =>
  `RDMA t\nnode 1 { u = 1; v = 2 }\nnode 2 { x = 0; y = 0 }\n${more}\nthread T1 on 1 { ${thread} }\nexists (x = 1)`;

describe('instructions in C', () => {
  test.each([
    [
      'a put',
      'x^2 := u',
      'put(t, qp_2, (struct ibv_sge[]){ { (uintptr_t)u, 8, u_key } }, 1, x_addr, x_rkey, IBV_SEND_SIGNALED);',
    ],
    ['an unsignalled put', 'x^2 :=[unsignalled] u', 'x_addr, x_rkey, 0);'],
    [
      'a fence before a request is its flag',
      'rfence(2); x^2 := u',
      'IBV_SEND_SIGNALED | IBV_SEND_FENCE);',
    ],
    [
      'a fence before anything else is kept',
      'rfence(2); u := 3; x^2 := u',
      'remora_fence(t, qp_2);',
    ],
    [
      'several words are behind each other',
      '[y, x]^2 := [u, v]',
      '{ (uintptr_t)u, 8, u_key }, { (uintptr_t)v, 8, v_key } }, 2, y_addr, y_rkey',
    ],
    ['a constant is in memory', 'x^2 := 7', '{ (uintptr_t)k7, 8, k7_key }'],
    ['a poll', 'x^2 := u; poll(2)', 'take(t, cq_2);'],
    [
      'a wait for memory',
      'assume(u = 2)',
      `for (;;) {
        if (*u == 2)
            break;
        remora_wait(t);
    }`,
    ],
    [
      'a wait for what is read into registers, which reads the words before it once',
      'p := v; r := u; s := v - r; assume(s = 1)',
      `p = *v;
    remora_pause(t);
    for (;;) {
        r = *u;
        s = *v - r;
        if (s == 1)
            break;
        remora_wait(t);
    }`,
    ],
    [
      'a condition that each round makes worse',
      'r := 0; r := u + r; assume(r = 2)',
      'remora_assume(t, r == 2);',
    ],
    [
      'a condition on what was not read',
      'r := faa(u, 1); assume(r = 1)',
      'remora_assume(t, r == 1);',
    ],
    [
      'two reads are from left to right',
      'r := u + v',
      'int64_t now0 = *u;\n    int64_t now1 = *v;\n    r = now0 + now1;',
    ],
    [
      'a wait for an acquire',
      'r := ldapr(u); assume(r = 2)',
      `for (;;) {
        r = __atomic_load_n(u, __ATOMIC_ACQUIRE);
        if (r == 2)`,
    ],
    ['a release', 'stlr(u, 3)', '__atomic_store_n(u, 3, __ATOMIC_RELEASE);'],
    ['a fence', 'u := 3; dmb [ish][release]; v := 4', '__atomic_thread_fence(__ATOMIC_RELEASE);'],
    ['an atomic without order', 'r := CAS(u, 1, 2)', 'r = compare(u, 1, 2);'],
    ['an atomic with order', 'r := faa [a] (u, 1)', '__atomic_fetch_add(u, 1, __ATOMIC_ACQUIRE);'],
    ['a name of C', 'errno := u; x^2 := [inline] errno'.replace(':= [', ':=['), 'errno_2 = *u;'],
  ])('%s', (_, thread, line) => {
    expect(body(with_(thread))).toContain(line);
  });

  test('a constant is in the request, if that is asked for', () => {
    expect(body(with_('x^2 := 7'), true)).toContain('int64_t value0 = 7;');
    expect(body(with_('x^2 := 7'), true)).toContain('IBV_SEND_INLINE');
  });

  test('private memory is declared, and named after its thread where another means the name', () => {
    const text =
      'RDMA t\nnode 1 {}\nnode 2 { x = 0 }\nthread T1 on 1 { z := x^2 }\nthread T2 on 2 { z := x }\nexists (T1:z = 0 /\\ T2:z = 0)';
    expect(body(text)).toContain('node 1 { T1_z = 0 }');
    expect(body(text)).toContain('exists (T1_z = 0 /\\ T2:z = 0)');
  });
});

test.each([
  [
    'memory of a device',
    'RDMA t\nnode 1 { x = 0 [gpu] }\nthread T on 1 { x := 1 }\nexists (x = 1)',
    'its memory is [gpu]',
  ],
  ['work identifiers', with_('x^2 :=^d u; wait(d)'), 'work identifier'],
  ['work that nobody waits for', with_('x^2 :=^d u'), 'work identifier'],
  ['what verbs have not', with_('z := rxchg(x^2, 1)'), 'no remote exchange'],
  ['what C has no word for', with_('u := 3; dmb [st]; v := 4'), 'C has no word for dmb'],
  ['two orders of words', with_('[x, y]^2 := [u, v]; [y, x]^2 := [u, v]'), 'two orders'],
  [
    'regions of two kinds',
    with_('[x, y]^2 := [u, v]').replace('y = 0', 'y = 0 [strict]'),
    'two kinds',
  ],
  ['no end', with_('loop { x^2 := u }'), 'any number of times'],
])('%s: left out', (_, text, reason) => {
  expect(body(text)).toContain(reason);
});

/** Conditions in threads: what is waited for, and what is not. */
const WAITS = [
  'assume(u = 2)',
  'assume(u + v = 3); x^2 := u',
  'r := u; assume(r >= 1); x^2 := u',
  'r := u; s := v - r; assume(s = 1); u := 5',
  'r := u; if (r = 1) { s := u; assume(s = 2) } else { assume(0) }',
  'r := 0; r := u + r; assume(r = 2); x^2 := u',
  'r := faa(u, 1); assume(r = 1); v := 3',
  'r := xchg(u, 1); assume(r = 0 - v)',
  'r := ldar(u); assume(r = 1); s := CAS [a] (v, 1, 2); stlr [seq_cst] (u, 5)',
  'r := ldapr(u); s := ldapr(v); dmb [ish][ld]; assume(s = r); dmb [ish][release]; stlr(v, 2)',
  'r := CAS(u, 1, 2); s := CAS [l] (v, r, 2); t := CAS [al] (v, r, 2); q := xchg [l] (u, t)',
].map((thread) => ({ file: thread, test: valueOf(parseLitmus(with_(thread))) }));

const has = ({ threads }: Program, is: (kind: string) => boolean): boolean =>
  threads.some((t) => [...instructionsOf(t.body)].some((i) => is(i.kind)));

const C_FILES = readdirSync(join(ROOT, 'corpus/c'), { recursive: true, encoding: 'utf8' })
  .filter((file) => file.endsWith('.c'))
  .sort();

/**
 * Loops have no traces; of queues that are shared C says in which ways they can be polled; and what is "or" in a condition is several
 * conditions in C. Then the final states are compared.
 */
const hasTraces = (program: Program): boolean =>
  !has(program, (kind) => kind === 'loop') &&
  program.completionQueues === undefined &&
  !/"op":"(?:\|\||&&)"/.test(JSON.stringify(program.threads));

const MODEL = modelOf('rdma-tso');

/** The final values that a test asks about. */
function statesOf(test: Test): readonly string[] {
  const asked = adapted(test, MODEL);
  return textsOf(enumerate(asked, MODEL, newSolver, observedSubjects(asked), 4)).toSorted();
}

/** Those that are tried, from all folders: a third in the long tests, and all where all cases are tried. */
const share = <T>(list: readonly T[]): readonly T[] => some(list, QUICK ? 0 : 0.3);

describe('the corpus', () => {
  const read = PLAIN_FILES.flatMap(({ file, text }) => {
    const found = parseLitmus(text, file);
    return found.ok && !file.startsWith('broken') ? [{ file, test: found.value }] : [];
  });
  const inC = share(C_FILES).map((file) => {
    const text = readFileSync(join(ROOT, 'corpus/c', file), 'utf8');
    return { file, test: valueOf(readLitmus(text, file).test) };
  });

  test('is read back as the same programs', () => {
    const tried = [...share(read), ...inC, ...WAITS];
    let count = 0;
    for (const { file, test: original } of tried) {
      const made = emit(original, 'test_0');
      if ('leftOut' in made) continue;
      const back = readLitmus(made.text, `${file}.c`);
      const test = valueOf(back.test, back.sources);
      const said = (one: Test) =>
        hasTraces(made.test.program) ? tracesOf(one.program) : statesOf(one);
      expect({ file, said: said(test) }).toEqual({ file, said: said(made.test) });
      count++;
    }
    expect(count).toBeGreaterThan(tried.length / 2);
  });
});
