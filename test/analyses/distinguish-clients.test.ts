import { expect, test } from 'vitest';
import { compareClient } from '../../src/analyses/distinguish/clients.js';
import { inProcess } from '../../src/analyses/in-process.js';
import { DISK } from '../../src/node/models.js';
import { readLitmus } from '../../src/node/tests.js';
import { Libraries } from '../../src/program/libraries.js';

const libraries = new Libraries(DISK);

/** How many final states a client has only under its libraries, and only with another file for one of them. */
async function differences(client: string, other: string): Promise<readonly number[]> {
  const text = `RDMA client\n${client}\nexists (true)\n  expect allowed under ${other}`;
  const { test: read } = readLitmus(text, 'client.litmus', [], { libraries });
  if (!read.ok) throw new Error(read.errors[0].message);
  const [first, second] = read.value.models ?? [];
  const alone = { ...read.value, models: undefined };
  const compared = await compareClient(inProcess(), alone, [first, second], 'search');
  if ('open' in compared) throw new Error(compared.open);
  return compared.only.map((states) => states.length);
}

// LOCO paper, Def. 5.2: published, an own message is there at once for its writer, as for all others.
test('ring buffers whose writer is one of their readers', async () => {
  const client = (last: string) =>
    `uses rbl
     node 1 {}
     rbl x (writer T1; reader T1)
     rbl y (writer T1; reader T1)
     thread T1 on 1 { rbl.submit(x, 1); rbl.submit(y, 2); a := rbl.receive(y); ${last} }`;
  expect(await differences(client('b := rbl.receive(x)'), 'rbl-repaired')).toEqual([0, 1]);
  expect(await differences(client('b := rbl.receive(y)'), 'rbl-repaired')).toEqual([0, 0]);
});

test('a release that fences, and one that leaves that to its user', async () => {
  const client = (between: string) =>
    `uses lock, sv
     node 1 {}
     sv x
     lock l on 1 (user T1)
     thread T1 on 1 { sv.bcast(x, d, {1}); ${between} sv.write(x, 1) }`;
  expect(await differences(client('lock.release(l);'), 'lock-fenced')).toEqual([1, 0]);
  expect(await differences(client('sv.gf({1}); lock.release(l);'), 'lock-fenced')).toEqual([0, 0]);
});
