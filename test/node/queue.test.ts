import { expect, test } from 'vitest';
import { createQueue } from '../../src/node/queue.js';

/** Tasks of workers: their order, how many run at a time, and that none is lost. */

/** A task that ends when it is told to. */
function task(): { readonly run: () => Promise<void>; readonly end: () => void; begun: boolean } {
  let end = (): void => {};
  const ended = new Promise<void>((resolve) => (end = resolve));
  const made = {
    run: () => ((made.begun = true), ended),
    end: () => end(),
    begun: false,
  };
  return made;
}

const settled = (): Promise<void> => new Promise((resolve) => setImmediate(resolve));

test('so many tasks run at a time, the others in order', async () => {
  const queue = createQueue(2, () => false);
  const tasks = [task(), task(), task(), task()];
  const begun = (): boolean[] => tasks.map((t) => t.begun);
  const all = tasks.map(({ run }) => queue.add(false, run));
  await settled();
  expect(begun()).toEqual([true, true, false, false]);
  tasks[1].end();
  await settled();
  expect(begun()).toEqual([true, true, true, false]);
  tasks[0].end();
  tasks[2].end();
  tasks[3].end();
  await Promise.all(all);
  expect(begun()).toEqual([true, true, true, true]);
});

test('a worker that is free gets what it is better for, or else what is there', async () => {
  let prefers = false;
  const queue = createQueue(2, () => prefers);
  const [first, second, solving, searching] = [task(), task(), task(), task()];
  void queue.add(false, first.run);
  void queue.add(false, second.run);
  void queue.add(true, solving.run);
  void queue.add(false, searching.run);
  first.end();
  await settled();
  expect([solving.begun, searching.begun]).toEqual([false, true]);
  prefers = false;
  second.end();
  await settled();
  expect(solving.begun).toBe(true);
});

test('a task that fails, at once or later, makes room for the next', async () => {
  const queue = createQueue(1, () => false);
  const thrown = queue.add(false, () => {
    throw new Error('at once');
  });
  const rejected = queue.add(false, () => Promise.reject(new Error('later')));
  const next = queue.add(false, () => Promise.resolve(7));
  await expect(thrown).rejects.toThrow('at once');
  await expect(rejected).rejects.toThrow('later');
  expect(await next).toBe(7);
});
