import { expect, test } from 'vitest';
import { closeAll, startRun } from '../../src/cli/run/tasks.js';

/** How tasks of a command are run: in their order, some at once, up to an end. */

const tasks = (count: number, begun: number[], after: (i: number) => void = () => {}) =>
  Array.from({ length: count }, (_, i) => ({
    name: `${i}`,
    do: async () => {
      begun.push(i);
      // Not timers: under load, those that are later can come first.
      for (let turn = 0; turn <= i % 3; turn++)
        await new Promise((resolve) => setImmediate(resolve));
      after(i);
      return i;
    },
  }));

const ENGINE = { engine: 'search', jobs: 1 } as const;

test('what comes after the last result is never begun', async () => {
  const begun: number[] = [];
  const { results, interrupted } = await startRun(ENGINE, false).all(
    tasks(50, begun),
    (i) => i === 7,
    3,
  );
  expect(results).toEqual([0, 1, 2, 3, 4, 5, 6, 7]);
  expect(interrupted).toBe(false);
  expect(Math.max(...begun)).toBeLessThan(7 + 3);
});

test('nor what comes after an interruption', async () => {
  const begun: number[] = [];
  const interrupt = (i: number): void => void (i === 4 && process.emit('SIGINT'));
  const { results, interrupted } = await startRun(ENGINE, false).all(
    tasks(50, begun, interrupt),
    undefined,
    3,
  );
  expect(interrupted).toBe(true);
  expect(results).toEqual(begun);
  // How many were begun before depends on the other lanes.
  expect(begun.length).toBeLessThan(50);
});

test('without a number at once, all are begun, as each then says that it was interrupted', async () => {
  const begun: number[] = [];
  const interrupt = (i: number): void => void (i === 0 && process.emit('SIGINT'));
  const { results } = await startRun(ENGINE, false).all(tasks(20, begun, interrupt));
  expect(results).toHaveLength(20);
});

test('workers that nobody has closed are closed at once', async () => {
  const runner = startRun(ENGINE, true);
  await closeAll();
  const { results } = await runner.all([
    { name: 'late', do: (pool) => Promise.resolve(pool.problem) },
  ]);
  expect(results).toEqual(['this pool is closed']);
});
