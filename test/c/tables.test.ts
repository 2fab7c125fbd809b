import { expect, test } from 'vitest';
import { tableOf } from '../../src/c/tables.js';
import { loadC } from '../../src/node/c.js';
import { interfaceTables } from '../../src/node/interfaces.js';

await loadC();

test('each line of a table is a call of C', () => {
  const tables = [...interfaceTables()];
  expect(tables.map(([name]) => name)).toEqual(['mpi', 'ofi', 'shmem', 'ucx']);
  for (const [name, text] of tables) expect(tableOf({ path: name, text }).errors).toEqual([]);
});
