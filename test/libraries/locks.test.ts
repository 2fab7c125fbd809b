import { readFileSync, readdirSync } from 'node:fs';
import { expect, test } from 'vitest';
import { whole } from '../../src/parse/diagnostics/index.js';
import { parseLitmusFile } from '../../src/parse/litmus.js';
import { inlineTexts, shippedSource } from '../support/implementations.js';
import { statesOfClient } from '../support/inlined-states.js';
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
const implemented = (library: string, name: Name, text: { path: string; text: string }) =>
  statesOfClient(valueOf(inlineTexts(source(library, name), [text])));

test.each([
  ['lock', ['on one node', 'elsewhere, fenced']],
  ['lock-home', ['on one node', "at the lock's node", 'elsewhere, fenced']],
  ['lock-fenced', NAMES],
])('%s keeps what it promises, and promises no more', (library, kept) => {
  const safe = NAMES.filter((name) => !specified(library, name).includes(LOST));
  expect(safe).toEqual(kept);
});

test.each([
  ['ticket-lock', 'lock'],
  ['mcs-lock', 'lock'],
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

test('ticket-lock-local refines lock-home among threads of its node', () => {
  const states = implemented('lock-home', 'on one node', shippedSource('ticket-lock-local'));
  expect(states).toEqual(specified('lock-home', 'on one node'));
});

/** Each with a specification that it breaks, and a client that shows it. */
const BROKEN: Readonly<Record<string, readonly [library: string, client: Name]>> = {
  'mcs-no-wait': ['lock', 'on one node'],
  'ticket-home-fence': ['lock-fenced', 'elsewhere'],
  'ticket-late-fence': ['lock-fenced', 'elsewhere'],
  'ticket-no-queue': ['lock', 'on one node'],
  'ticket-no-wait': ['lock', 'on one node'],
  'ticket-not-atomic': ['lock', 'on one node'],
};

test('each broken lock has a client', () => {
  const names = readdirSync(FOLDER).map((name) => name.replace(/\.impl$/, ''));
  expect(names).toEqual(Object.keys(BROKEN));
});

test.each(Object.entries(BROKEN))('%s is refuted', (name, [library, one]) => {
  const text = readFileSync(`${FOLDER}/${name}.impl`, 'utf8');
  expect(specified(library, one)).not.toContain(LOST);
  expect(implemented(library, one, { path: name, text })).toContain(LOST);
});

test.each([
  ['ticket-lock', 'lock-home', "at the lock's node"],
  ['mcs-lock', 'lock-home', "at the lock's node"],
  ['ticket-lock', 'lock-fenced', 'elsewhere'],
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
