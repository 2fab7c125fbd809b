import { readFileSync, readdirSync } from 'node:fs';
import { expect, test } from 'vitest';
import type { SourceFile } from '../../src/parse/diagnostics/index.js';
import { whole } from '../../src/parse/diagnostics/index.js';
import { parseLitmusFile } from '../../src/parse/litmus.js';
import { inlineTexts, shippedSource } from '../support/implementations.js';
import { statesOfClient } from '../support/inlined-states.js';
import { valueOf } from '../support/litmus.js';

/**
 * The key-value store of the LOCO paper (section 6.2, appendix H, Thm H.3): the sketch as an implementation, and what breaks where a fence,
 * an acknowledgement or a check is left out (docs/libraries.md).
 */

const FOLDER = 'corpus/broken/kv';

const got = (flag: string): string => `got :=^d ${flag}; wait(d); r := got`;
const NODES = 'node 1 { f = 0 } node 2 { g = 0 }';
const key = (name: string, users = 'U1, U2'): string =>
  `kv ${name} on 1 (user ${users}; watcher W1, W2)`;

/** One key, two or three users. `f` and `g` tell that a call is over, outside of the store. */
const CLIENTS = {
  // An insertion that is over is found.
  inserted: `${NODES} ${key('k')}
    thread U1 on 1 { a := kv.insert(k, 1); f := 1 }
    thread U2 on 2 { ${got('f^1')}; b := kv.lookup(k) }
    thread W1 on 1 {} thread W2 on 2 { kv.track(k) }`,
  // So is an update, where the entry is.
  updated: `${NODES} ${key('k')}
    thread U1 on 1 { a := kv.insert(k, 1); ${got('g^2')}; b := kv.lookup(k) }
    thread U2 on 2 { c := kv.update(k, 2); g := 1 }
    thread W1 on 1 {} thread W2 on 2 { kv.track(k) }`,
  // What is deleted is not updated.
  deleted: `${NODES} ${key('k')}
    thread U1 on 1 { a := kv.insert(k, 1); e := kv.delete(k); f := 1 }
    thread U2 on 2 { ${got('f^1')}; b := kv.update(k, 2) }
    thread W1 on 1 {} thread W2 on 2 { kv.track(k); kv.track(k) }`,
  // What was found to be gone is gone for others.
  gone: `${NODES} ${key('k', 'U1, U2, U3')}
    thread U1 on 1 { a := kv.insert(k, 1); ${got('g^2')}; b := kv.lookup(k) }
    thread U2 on 2 { c := kv.delete(k) }
    thread U3 on 2 { e := kv.lookup(k); h := kv.lookup(k); g := 1 }
    thread W1 on 1 { kv.track(k) } thread W2 on 2 { kv.track(k) }`,
  // What was found to be there is there for others.
  found: `${NODES} ${key('k', 'U1, U2, U3')}
    thread U1 on 1 { a := kv.insert(k, 1) }
    thread U3 on 1 { e := kv.lookup(k); f := 1 }
    thread U2 on 2 { ${got('f^1')}; b := kv.lookup(k) }
    thread W1 on 1 {} thread W2 on 2 { kv.track(k) }`,
  // The room of one key is given to another.
  reused: `${NODES} ${key('k')} ${key('l')}
    thread U1 on 1 { a := kv.insert(k, 1); e := kv.delete(k); h := kv.insert(l, 2) }
    thread U2 on 2 { b := kv.lookup(k) }
    thread W1 on 1 {} thread W2 on 2 { kv.track(k); kv.track(k); kv.track(l) }`,
  // Two keys: what is inserted or updated is there before the next call.
  two: `${NODES} ${key('k')} ${key('l')}
    thread U1 on 1 { a := kv.insert(k, 1); h := kv.update(k, 3); c := kv.lookup(l) }
    thread U2 on 2 { b := kv.insert(l, 2); e := kv.lookup(k) }
    thread W1 on 1 { kv.track(l) } thread W2 on 2 { kv.track(k) }`,
  // Two threads of one node look for room.
  crowded: `${NODES} ${key('k', 'U1, U2, U3')} ${key('l', 'U1, U2, U3')}
    thread U1 on 1 { a := kv.insert(k, 1); c := kv.delete(k) }
    thread U2 on 2 { b := kv.lookup(k) }
    thread U3 on 1 { h := kv.insert(l, 2) }
    thread W1 on 1 {} thread W2 on 2 { kv.track(k); kv.track(k); kv.track(l) }`,
  // The entry is on another node than those that delete it and look for it first.
  third: `node 1 { f = 0 } node 2 {} node 3 { g = 0 } kv k on 1 (user U1, U2, U3; watcher W1, W2, W3)
    thread U1 on 3 { a := kv.insert(k, 1); r := g; b := kv.lookup(k) }
    thread U2 on 2 { c := kv.delete(k) }
    thread U3 on 1 { e := kv.lookup(k); h := kv.lookup(k); one := 1; g^3 := one }
    thread W1 on 1 { kv.track(k); kv.track(k) } thread W2 on 2 { kv.track(k) } thread W3 on 3 { kv.track(k) }`,
  both: `${NODES} ${key('k')}
    thread U1 on 1 { a := kv.insert(k, 1) } thread U2 on 2 { b := kv.insert(k, 2) }
    thread W1 on 1 { kv.track(k) } thread W2 on 2 { kv.track(k) }`,
} as const;
type Name = keyof typeof CLIENTS;

/** The results of all calls, which are those names that are not the store's own. */
function source(client: string): SourceFile {
  const results = [...client.matchAll(/(\w+) := (?:kv|got|g;)/g)].map(([, name]) => name);
  const observed = results.length > 0 ? ` locations [${results.sort().join('; ')}]` : '';
  return { path: 'case.litmus', text: `RDMA t uses kv ${client}${observed}` };
}

const specified = (client: string): readonly string[] =>
  statesOfClient(valueOf(whole(parseLitmusFile(source(client)))));
const implemented = (client: string, ...implementations: readonly SourceFile[]) =>
  statesOfClient(valueOf(inlineTexts(source(client), implementations)));

const KV = shippedSource('loco-kv');

test.each(Object.entries(CLIENTS))('loco-kv: %s', (_, client) => {
  const states = implemented(client, KV);
  expect(states).not.toEqual([]);
  expect(specified(client)).toEqual(expect.arrayContaining([...states]));
});

test('over a ticket lock, ring buffers and shared variables of its own', () => {
  const below = ['ticket-lock', 'loco-rbl', 'loco-sv'].map(shippedSource);
  for (const name of ['inserted', 'updated'] as const) {
    const states = implemented(CLIENTS[name], KV, ...below);
    expect(states).not.toEqual([]);
    expect(specified(CLIENTS[name])).toEqual(expect.arrayContaining([...states]));
  }
});

/** Each with a client that shows it, and an outcome that no map has. */
const BROKEN: Readonly<Record<string, readonly [client: Name, outcome: string]>> = {
  'delete-late-fence': ['gone', 'a=1 b=1 c=1 e=1 h=none r=1'],
  'delete-no-acknowledgement': ['deleted', 'a=1 b=1 e=1 r=1'],
  'delete-no-fence': ['gone', 'a=1 b=1 c=1 e=1 h=none r=1'],
  'early-acknowledgement': ['inserted', 'a=1 b=none r=1'],
  'early-valid': ['found', 'a=1 b=none e=1 r=1'],
  'insert-no-acknowledgement': ['inserted', 'a=1 b=none r=1'],
  'insert-no-fence': ['two', 'a=1 b=1 c=none e=none h=1'],
  'insert-no-lock': ['both', 'a=1 b=1'],
  'no-checksum': ['reused', 'a=1 b=2 e=1 h=1'],
  'no-counter': ['reused', 'a=1 b=2 e=1 h=1'],
  'no-reservation': ['crowded', 'a=1 b=2 c=1 h=1'],
  'no-valid': ['found', 'a=1 b=none e=1 r=1'],
  'update-no-fence': ['updated', 'a=1 b=1 c=1 r=1'],
  'update-no-local-fence': ['two', 'a=1 b=1 c=none e=1 h=1'],
};

test('each broken store has a client', () => {
  const names = readdirSync(FOLDER).map((name) => name.replace(/\.impl$/, ''));
  expect(names).toEqual(Object.keys(BROKEN));
});

test.each(Object.entries(BROKEN))('%s is refuted', (name, [one, outcome]) => {
  const text = readFileSync(`${FOLDER}/${name}.impl`, 'utf8');
  expect(specified(CLIENTS[one])).not.toContain(outcome);
  expect(implemented(CLIENTS[one], KV)).not.toContain(outcome);
  expect(implemented(CLIENTS[one], { path: name, text })).toContain(outcome);
});

/** Clients of two threads on two nodes, two calls each; each watcher has a call for each message. */
function generated(keys: readonly string[]): readonly string[] {
  const calls = keys.flatMap((k) =>
    ['insert', 'update', 'delete', 'lookup'].map((method) => [method, k] as const),
  );
  const threads = calls.flatMap((first) => calls.map((second) => [first, second]));
  const body = (thread: (typeof threads)[number], results: readonly string[], value: number) =>
    thread
      .map(([method, k], i) => {
        const given = method === 'insert' || method === 'update' ? `, ${value + i}` : '';
        return `${results[i]} := kv.${method}(${k}${given})`;
      })
      .join('; ');
  const watch = (thread: (typeof threads)[number]): string =>
    thread
      .filter(([method]) => method === 'insert' || method === 'delete')
      .map(([, k]) => `kv.track(${k})`)
      .join('; ');
  return threads.flatMap((one) =>
    threads.map(
      (two) => `node 1 {} node 2 {} ${keys.map((k) => key(k)).join(' ')}
        thread U1 on 1 { ${body(one, ['a', 'b'], 1)} } thread U2 on 2 { ${body(two, ['c', 'd'], 3)} }
        thread W1 on 1 { ${watch(two)} } thread W2 on 2 { ${watch(one)} }`,
    ),
  );
}

test.each([
  [1, ['k'], 37],
  [2, ['k', 'l'], 631],
])('loco-kv, generated clients of %i key(s)', (_, keys, every) => {
  const clients = generated(keys).filter((__, i) => i % every === 0);
  expect(clients.length).toBeGreaterThan(5);
  for (const client of clients) {
    expect(specified(client), client).toEqual(expect.arrayContaining([...implemented(client, KV)]));
  }
});
