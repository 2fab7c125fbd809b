import { readdirSync } from 'node:fs';
import { describe, expect, test } from 'vitest';
import type { RunStep } from '../../src/check/result.js';
import { exploredIn } from '../support/explored.js';
import { ALL } from '../support/random.js';

/** Runs as data: which step carries on which. */

const LOCKS = 'corpus/locks';
/** The others take longer. */
const SMALL = readdirSync(LOCKS).filter(
  (name) =>
    !/-(1-2|2-1|late|swap|at-reader|pass|three|wait)/.test(name) && !name.startsWith('bakery'),
);

/** By kind of step: the kinds that it may carry on. None: it begins something. */
const ORIGINS: Readonly<Record<string, readonly string[]>> = {
  drain: ['write'],
  'read-local': ['post'],
  'read-remote': ['post'],
  perform: ['post'],
  fence: ['post'],
  deliver: ['read-local', 'post'],
  // Where a write is one step, nothing is delivered before.
  'flush-remote': ['deliver', 'perform', 'read-local', 'post'],
  'flush-local': ['read-remote', 'perform'],
  poll: ['flush-local', 'deliver', 'perform', 'post'],
};

function check(steps: readonly RunStep[], isLasso: boolean, model: string): void {
  const followers = new Map<string, number>();
  steps.forEach((step, at) => {
    const isOfThread = step.kind === 'fence' && step.lane.kind === 'thread';
    // Under SC, what a put writes is in memory when it is polled.
    const isInMemory = step.kind === 'poll' && model === 'sc';
    const allowed = isOfThread
      ? undefined
      : isInMemory
        ? [...ORIGINS.poll, 'flush-remote']
        : ORIGINS[step.kind];
    expect([at, step.kind, step.from === undefined]).toEqual([
      at,
      step.kind,
      allowed === undefined,
    ]);
    if (step.from === undefined) return;
    expect(step.from).toBeLessThan(at);
    const before = steps[step.from];
    expect(allowed, `${at}: ${step.text}`).toContain(before.kind);
    expect(step.operation).toBe(before.operation);
    // What a write is, it is on all its way; an answer is what was read.
    if (step.kind === 'drain' || (step.kind === 'flush-remote' && before.kind === 'deliver')) {
      expect([step.location, step.value]).toEqual([before.location, before.value]);
    }
    if (step.kind === 'flush-remote' && before.kind !== 'post') {
      expect(step.value).toBe(before.value);
    }
    if (step.kind === 'flush-local') expect(step.value).toBe(before.found ?? before.value);
    // Nothing is done twice.
    const key = `${step.from} ${step.kind}`;
    followers.set(key, (followers.get(key) ?? 0) + 1);
  });
  expect([...followers.values()].filter((count) => count > 1)).toEqual([]);
  // What is written is in memory at the end, or pending.
  steps.forEach(({ kind, text, pending = false }, at) => {
    if (kind !== 'deliver' && !(kind === 'write' && text.endsWith('store buffer'))) return;
    const arrives = steps.some(({ from, kind: k }) => from === at && /^(drain|flush)/.test(k));
    expect([at, text, pending]).toEqual([at, text, !isLasso && !arrives]);
  });
}

describe.each(['sc', 'rdma-sc', 'rdma-tso', 'rdma-tso-nopcie'])('under %s', (model) => {
  test('each step carries on what it is a step of', () => {
    let runs = 0;
    for (const [i, name] of SMALL.entries()) {
      if (!ALL && model !== 'sc' && i % 3 !== 0) continue;
      for (const { verdict, run, round, steps = [] } of exploredIn(`${LOCKS}/${name}`, model)
        .answers) {
        if (verdict !== 'fails') continue;
        expect(steps.map(({ text }) => text)).toEqual([...run!, ...(round ?? [])]);
        check(steps, round !== undefined, model);
        runs++;
      }
    }
    expect(runs).toBeGreaterThan(model === 'sc' ? 0 : ALL ? 5 : 1);
  });
});
