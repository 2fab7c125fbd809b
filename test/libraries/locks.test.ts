import { readFileSync, readdirSync } from 'node:fs';
import { expect, test } from 'vitest';
import { whole } from '../../src/parse/diagnostics/index.js';
import type { LitmusFile } from '../../src/parse/litmus-ast.js';
import { parseLitmusFile } from '../../src/parse/litmus.js';
import { inlineTexts, shippedSource } from '../support/implementations.js';
import { inTurn } from '../support/random.js';
import { ROOT, remora } from '../support/run.js';
import { outcomesOf, statesOfClient, textsOf } from '../support/inlined-states.js';
import { valueOf } from '../support/litmus.js';

/**
 * Locks as libraries. Two threads count under a lock: `a` and `b` are what they found. Where the release promises to come
 * after what was written, they are not both 0. The three specifications differ in how far away the counter may be.
 */

const FOLDER = 'corpus/broken/locks';

const COUNT = (n: 1 | 2): string => {
  const result = ['a', 'b'][n - 1];
  return `lock.acquire(l); ${result} := c; c := ${result} + 1; lock.release(l)`;
};
/** The counter is on the own node, and is written by the own card. */
const BY_CARD = (n: 1 | 2): string =>
  COUNT(n).replace(/c := (\S+ \+ 1)/, 'more := $1; c^1 := more');
/** The counter is on the node `at`. */
const COUNT_AT = (n: 1 | 2, at: number, fence = ''): string => {
  const result = ['a', 'b'][n - 1];
  return `lock.acquire(l); got :=^w c^${at}; wait(w); ${result} := got; more := ${result} + 1; c^${at} := more; ${fence}lock.release(l)`;
};
const client = (nodes: string, threads: readonly [string, string], on: readonly [number, number]) =>
  `${nodes} lock l on 1 (user T1, T2)
  thread T1 on ${on[0]} { ${threads[0]} } thread T2 on ${on[1]} { ${threads[1]} } locations [a; b]`;

const CLIENTS = {
  'on one node': client('node 1 { c = 0 }', [COUNT(1), COUNT(2)], [1, 1]),
  "at the lock's node": client(
    'node 1 { c = 0 } node 2 {} node 3 {}',
    [COUNT_AT(1, 1), COUNT_AT(2, 1)],
    [2, 3],
  ),
  'by loop-back': client('node 1 { c = 0 }', [BY_CARD(1), BY_CARD(2)], [1, 1]),
  elsewhere: client(
    'node 1 {} node 2 {} node 3 { c = 0 }',
    [COUNT_AT(1, 3), COUNT_AT(2, 3)],
    [1, 2],
  ),
  'elsewhere, fenced': client(
    'node 1 {} node 2 {} node 3 { c = 0 }',
    [COUNT_AT(1, 3, 'sv.gf({3}); '), COUNT_AT(2, 3, 'sv.gf({3}); ')],
    [1, 2],
  ),
  'on another node': client('node 1 { c = 0 } node 2 {}', [COUNT_AT(1, 1), COUNT_AT(2, 1)], [2, 2]),
  'one at the lock': client(
    'node 1 { c = 0 } node 2 {}',
    [COUNT(1), COUNT_AT(2, 1, 'sv.gf({1}); ')],
    [1, 2],
  ),
} as const;
type Name = keyof typeof CLIENTS;
const NAMES = Object.keys(CLIENTS) as Name[];

const source = (library: string, name: Name) => ({
  path: 'case.litmus',
  text: `RDMA t uses ${library}, sv ${CLIENTS[name]}`,
});
const LOST = 'a=0 b=0';

const specified = (library: string, name: Name): readonly string[] =>
  statesOfClient(valueOf(whole(parseLitmusFile(source(library, name)))));
const inlined = (library: string, name: Name, text: { path: string; text: string }) =>
  valueOf(inlineTexts(source(library, name), [text]));
const implemented = (library: string, name: Name, text: { path: string; text: string }) =>
  decided(inlined(library, name, text));

/** All outcomes, of any number of iterations. */
function decided(file: LitmusFile): readonly string[] {
  const outcomes = outcomesOf(file);
  expect([outcomes.upTo, outcomes.incomplete]).toEqual([undefined, undefined]);
  return textsOf(outcomes);
}

test.each([
  ['lock', ['on one node', 'elsewhere, fenced', 'one at the lock']],
  [
    'lock-home',
    [
      ...['on one node', "at the lock's node", 'by loop-back', 'elsewhere, fenced'],
      ...['on another node', 'one at the lock'],
    ],
  ],
  ['lock-fenced', NAMES],
])('%s keeps what it promises, and promises no more', (library, kept) => {
  const safe = NAMES.filter((name) => !specified(library, name).includes(LOST));
  expect(safe).toEqual(kept);
});

test.each([
  ['ticket-lock', 'lock'],
  ['mcs-lock', 'lock'],
  ['alock', 'lock'],
  ['combining-lock', 'lock'],
  ['test-and-set-lock', 'lock'],
  ['test-and-set-lock', 'lock-home'],
  ['ticket-lock-home', 'lock'],
  ['ticket-lock-home', 'lock-home'],
  ['ticket-lock-fenced', 'lock'],
  ['ticket-lock-fenced', 'lock-home'],
  ['ticket-lock-fenced', 'lock-fenced'],
])('%s refines %s', (name, library) => {
  for (const one of NAMES) {
    const states = implemented(library, one, shippedSource(name));
    expect(states).not.toEqual([]);
    expect(specified(library, one)).toEqual(expect.arrayContaining([...states]));
  }
});

test.each(['ticket-lock-local', 'test-and-set-lock-local'])(
  '%s refines lock among threads of its node',
  (name) => {
    const states = implemented('lock', 'on one node', shippedSource(name));
    expect(states).toEqual(specified('lock', 'on one node'));
  },
);

test.each([
  ['two local, one remote', [1, 1, 2]],
  ['one local, two remote', [1, 2, 3]],
  ['three remote, of which two are on one node', [2, 2, 3]],
] as const)('alock refines lock with three threads: %s', (_, nodes) => {
  const counts = nodes.map((node, i) => {
    const [got, more] = [`got${i}`, `more${i}`];
    const found = ['a', 'b', 'd'][i];
    const code =
      node === 1
        ? `${found} := c; c := ${found} + 1`
        : `${got} :=^w c^1; wait(w); ${found} := ${got}; ${more} := ${found} + 1; c^1 := ${more}; sv.gf({1})`;
    return `thread T${i + 1} on ${node} { lock.acquire(l); ${code}; lock.release(l) }`;
  });
  const text = `RDMA t uses lock, sv node 1 { c = 0 } node 2 {} node 3 {} lock l on 1 (user T1, T2, T3)
    ${counts.join('\n')} locations [a; b; d]`;
  const states = decided(valueOf(inlineTexts({ path: 'x', text }, [shippedSource('alock')])));
  // Each finds what the one before it left, in whatever order.
  expect(states).toHaveLength(6);
});

/** Each with a specification that it breaks, and a client that shows it. */
const BROKEN: Readonly<Record<string, readonly [library: string, client: Name]>> = {
  'alock-no-fence': ['lock', 'one at the lock'],
  'alock-no-wait': ['lock', 'one at the lock'],
  'alock-victim-first': ['lock', 'one at the lock'],
  'mcs-no-wait': ['lock', 'on one node'],
  'tas-no-wait': ['lock', 'elsewhere, fenced'],
  'tas-not-atomic': ['lock', 'on one node'],
  'tas-one-word': ['lock', 'one at the lock'],
  'ticket-home-fence': ['lock-fenced', 'elsewhere'],
  'ticket-late-fence': ['lock-fenced', 'elsewhere'],
  'ticket-no-queue': ['lock', 'on one node'],
  'ticket-no-wait': ['lock', 'on one node'],
  'ticket-not-atomic': ['lock', 'on one node'],
};

/** Clients in the corpus, of three threads. */
const COMBINING = { 'combining-both': 'lock-combined', 'combining-late': 'lock-combined-late' };

test('each broken lock has a client', () => {
  const names = readdirSync(FOLDER).map((name) => name.replace(/\.impl$/, ''));
  expect(names).toEqual([STUCK, ...Object.keys({ ...BROKEN, ...COMBINING })].sort());
});

/** One of which no outcome is wrong: it may not let anybody in again. docs/libraries.md has the client. */
const STUCK = 'combining-put';

test.each(inTurn(Object.entries(COMBINING), 0))('%s is refuted', async (name, client) => {
  const [broken, right] = [`${FOLDER}/${name}.impl`, 'combining-lock'].map((implementation) =>
    remora(['refine', implementation, `corpus/libraries/${client}.litmus`], { cwd: ROOT }),
  );
  expect((await broken).stdout).toMatch(/ does not refine\n/);
  expect((await right).stdout).toMatch(/ refines\n/);
});

test.each(Object.entries(BROKEN))('%s is refuted', (name, [library, one]) => {
  const text = readFileSync(`${FOLDER}/${name}.impl`, 'utf8');
  expect(specified(library, one)).not.toContain(LOST);
  // Some have loops that nobody can say more of than up to a bound: what they do within it is enough.
  expect(statesOfClient(inlined(library, one, { path: name, text }))).toContain(LOST);
});

test.each([
  ['combining-lock', 'lock-home', 'on another node'],
  ['ticket-lock', 'lock-home', "at the lock's node"],
  ['mcs-lock', 'lock-home', "at the lock's node"],
  ['alock', 'lock-home', "at the lock's node"],
  ['ticket-lock', 'lock-fenced', 'elsewhere'],
  ['test-and-set-lock', 'lock-fenced', 'elsewhere'],
  ['ticket-lock-home', 'lock-fenced', 'elsewhere'],
  ['ticket-lock-local', 'lock-home', 'by loop-back'],
  ['test-and-set-lock-local', 'lock-home', 'by loop-back'],
  ['alock', 'lock-home', 'by loop-back'],
] as const)('%s does not refine the stronger %s', (name, library, one) => {
  expect(specified(library, one)).not.toContain(LOST);
  expect(implemented(library, one, shippedSource(name))).toContain(LOST);
});

test('a lock that somebody releases without having it promises nothing', () => {
  const misused = client('node 1 { c = 0 }', [COUNT(1), `lock.release(l); ${COUNT(2)}`], [1, 1]);
  const text = `RDMA t uses lock, sv ${misused}`;
  expect(statesOfClient(valueOf(whole(parseLitmusFile({ path: 'x', text }))))).toContain(LOST);
});

test('nobody takes a lock that is kept', () => {
  const kept = client('node 1 { c = 0 }', ['lock.acquire(l)', COUNT(2)], [1, 1]);
  const text = `RDMA t uses lock, sv ${kept.replace('locations [a; b]', 'locations [b]')}`;
  // Whoever keeps it took it last.
  expect(statesOfClient(valueOf(whole(parseLitmusFile({ path: 'x', text }))))).toEqual(['b=0']);
  const both = client('node 1 {}', ['lock.acquire(l); a := 1', 'lock.acquire(l); b := 1'], [1, 1]);
  const twice = { path: 'x', text: `RDMA t uses lock, sv ${both}` };
  expect(statesOfClient(valueOf(whole(parseLitmusFile(twice))))).toEqual([]);
});

test('who gives back what another thread of its node took does so by an atomic, not by a put', async () => {
  const enters = 'at enter; lock.acquire(l); critical c { skip } lock.release(l)';
  const text = `RDMA t uses lock node 1 {} node 2 {} lock l on 1 (user T1, T2, T3)
    threads T[i in 1..2] on 1 { ${enters} } thread T3 on 2 { ${enters} }
    exclusive c of T1, T2, T3 progress T3:enter -> T3:c`;
  const verdicts = async (implementation: string): Promise<readonly string[]> => {
    const args = ['explore', '-', '--implementation', implementation];
    const { stdout } = await remora(args, { cwd: ROOT, input: text });
    return [...stdout.matchAll(/^ {4}(holds|fails);/gm)].map(([, verdict]) => verdict);
  };
  expect(await verdicts('combining-lock')).toEqual(['holds', 'holds']);
  expect(await verdicts(`${FOLDER}/${STUCK}.impl`)).toEqual(['holds', 'fails']);
});
