import { expect, test } from 'vitest';
import { CLIENTS, isOf } from '../../mutate/libraries/clients.js';
import { inProcess } from '../../src/analyses/in-process.js';
import { local } from '../../src/analyses/local/local.js';
import type { RefinementPair } from '../../src/analyses/refine/refine.js';
import { refine } from '../../src/analyses/refine/refine.js';
import { ALL } from '../support/random.js';
import type { Tried } from '../support/tried-implementations.js';
import { CALLS, MIXED, TRIED, clientsOf, readTried } from '../support/tried-implementations.js';

/** What is locally sound is sound, for many implementations, right and wrong. With all cases there are 68 of them. */

/** How many candidates of executions of a client are tried. None has more. */
const LIMIT = 3000;

const circumstances = {
  newSolver: () => {
    throw new Error('no solver is needed');
  },
  acyclicity: 'closure',
  deadline: Infinity,
} as const;

/** Def. 3.13 for one client, which has nothing but calls. */
function isLocallySound({ specification, implementation }: RefinementPair): boolean {
  const { program } = specification;
  const promises = program.threads.flatMap(({ body }, t) => body.map((_, k) => [t, k] as const));
  const input = {
    specification: program,
    implementation: implementation.program,
    promises,
    limit: LIMIT,
  };
  const models = [specification.models![0], implementation.models![0]];
  const { promise, order } = local(input, { ...circumstances, models });
  if (promise !== undefined) return false;
  if (order.kind === 'unknown') expect(order.reason).toMatch(/^loops were unrolled/);
  return order.kind === 'kept';
}

const pool = inProcess();

async function refines(pair: RefinementPair): Promise<boolean> {
  const { verdict } = await refine(pool, pair, { engine: 'search', explained: false });
  expect(verdict).not.toBe('unknown');
  return verdict === 'refines';
}

/** The proof of the theorem takes the calls of a client out of its executions: local soundness for these calls is what it needs. */
test('LOCO paper, Thm E.3: what is locally sound for the calls of a client refines the client', async () => {
  const seen = { sound: 0, unsound: 0, departs: 0 };
  const wrong: string[] = [];
  for (const one of TRIED) {
    for (const { text, alone } of clientsOf(one, MIXED)) {
      const [whole, calls] = [text, alone].map((each) => readTried(each, one));
      if (whole === undefined || calls === undefined) continue;
      const isSound = isLocallySound(calls);
      const isRefined = await refines(whole);
      seen[isSound ? 'sound' : isRefined ? 'unsound' : 'departs'] += 1;
      if (isSound && !isRefined) wrong.push(`${one.name}\n${text}`);
    }
  }
  expect(wrong).toEqual([]);
  expect(seen.sound).toBeGreaterThan(ALL ? 2500 : 120);
  expect(seen.unsound).toBeGreaterThan(ALL ? 500 : 3);
  expect(seen.departs).toBeGreaterThan(ALL ? 150 : 3);
});

/** Whether an implementation is locally sound for all small clients; undefined: there is none that can be read. */
function isSoundSmall(one: Tried): boolean | undefined {
  const clients = clientsOf(one, CALLS).flatMap(({ text }) => readTried(text, one) ?? []);
  return clients.length === 0 ? undefined : clients.every(isLocallySound);
}

test('LOCO paper, Thm 3.14: what is locally sound for all small clients refines those of the corpus', async () => {
  const seen = { sound: 0, unsound: 0, departs: 0, clients: 0 };
  const wrong: string[] = [];
  for (const one of TRIED) {
    const isSound = isSoundSmall(one);
    if (isSound === undefined) continue;
    let departing: string | undefined;
    for (const { file, text } of CLIENTS.filter((client) => isOf(one.library, client))) {
      const pair = readTried(text, one);
      if (pair === undefined) continue;
      seen.clients += 1;
      if (await refines(pair)) continue;
      departing = file;
      break;
    }
    seen[isSound ? 'sound' : departing === undefined ? 'unsound' : 'departs'] += 1;
    if (isSound && departing !== undefined) wrong.push(`${one.name}: ${departing}`);
  }
  expect(wrong).toEqual([]);
  expect(seen.sound).toBeGreaterThan(ALL ? 15 : 5);
  expect(seen.departs).toBeGreaterThan(ALL ? 30 : 2);
  expect(seen.clients).toBeGreaterThan(ALL ? 300 : 70);
});
