import { readdirSync } from 'node:fs';
import { join } from 'node:path';
import { expect, test } from 'vitest';
import { ALL } from '../support/random.js';
import { ROOT, remora } from '../support/run.js';

/** On the programs about fabrics, the machines of model files end as executions do: on all of them, or on each third. */

const FABRICS = join(ROOT, 'corpus/fabrics');

// Of a queue pair of several threads, who posts first decides what is flushed.
const FAILING = /^fail-(?!shared|wait).*litmus$/;
// Which of two steps came first has to be remembered, and how many completions are in a queue.
const SHARED = /^(?:sh|cq|ooo|nic-(?:lanes|two|answers)|srd|un)-.*litmus$/;
// The call of a message has the events of the receive that it takes.
const MESSAGES = /^(?:msg|nic-(?:cpu-)?msg|ooo-(?:msg|send|atomic-imm)).*litmus$/;

/** What is asked, the model, and how many programs are compared at least. */
const ROWS: readonly (readonly [name: string, files: RegExp, model: string, least: number])[] = [
  ['queue pairs that may break', FAILING, 'rdma-tso', 25],
  ['shared queues', SHARED, 'rdma-tso', 26],
  ['shared queues', SHARED, 'rdma-nics', 26],
  ['messages', MESSAGES, 'rdma-ooo-rw', 29],
  ['messages', MESSAGES, 'rdma-nics', 29],
];

test.each(ROWS)('%s, %s, under %s', async (_, pattern, model, least) => {
  const files = readdirSync(FABRICS).filter((file) => pattern.test(file));
  const tried = files.filter((_, i) => ALL || i % 3 === 0);
  const paths = tried.map((file) => join(FABRICS, file));
  const engines = ['--engine', 'search,operational'];
  const { stdout } = await remora(['agree', '-m', model, ...engines, ...paths]);
  expect(stdout).toContain('no disagreement');
  expect(Number(/agree on (\d+) programs/.exec(stdout)![1])).toBeGreaterThanOrEqual(
    ALL ? least : least / 4,
  );
});
