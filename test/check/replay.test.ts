import fc from 'fast-check';
import { expect, test } from 'vitest';
import type { EventStructure } from '../../src/program/events/structure.js';
import { isRead } from '../../src/program/events/structure.js';
import { unroll } from '../../src/program/events/unroll.js';
import type { PerformedEvent } from '../../src/check/witness/replay.js';
import { replay } from '../../src/check/witness/replay.js';
import type { WitnessMeaning } from '../../src/check/witness/witness.js';
import { runOfWitness } from '../../src/check/witness/witness.js';
import { litmus, one } from '../support/litmus.js';
import { inBlocks, programs } from '../../src/rdma/random/programs.js';

const drawn = fc.tuple(programs(), fc.infiniteStream(fc.integer({ min: -1, max: 2 })));

/** A run in which every choice and every read has the next value drawn. */
const randomRun = (s: EventStructure, numbers: Iterator<number>): WitnessMeaning => {
  const choices = Array.from({ length: s.choices }, () => Number(numbers.next().value > 0));
  const reads = s.events.filter(isRead).map((e) => [e.id, numbers.next().value!] as const);
  return runOfWitness(s, { choices, reads, rf: [], mo: [], guessed: {} });
};

/** What a thread does in a run. */
const actions = (s: EventStructure, run: WitnessMeaning, thread: number): PerformedEvent[] =>
  s.events
    .filter((e) => e.thread === thread && run.executed(e.id))
    .map(({ id, label, location, node, queuePair, work, value }) => ({
      label,
      ...(location !== undefined && { location }),
      ...(node !== undefined && { node }),
      ...(queuePair !== undefined && { queuePair }),
      ...(work !== undefined && { work }),
      ...(isRead(s.events[id]) && { reads: readValue(s, run, id) }),
      ...(value !== undefined && { writes: run.value(value)! }),
    }));
const readValue = (s: EventStructure, run: WitnessMeaning, event: number): number =>
  run.value(s.values.findIndex((v) => v.op === 'read' && v.event === event))!;

/** An action that no program of the generator can perform. */
const altered = (a: PerformedEvent): PerformedEvent =>
  a.writes === undefined ? { ...a, node: '9' } : { ...a, writes: 1000 };

test('what a run does is what replaying its instructions does, and nothing else is', () => {
  let compared = 0;
  fc.assert(
    fc.property(drawn, fc.nat(), ([source, numbers], at) => {
      const s = unroll(litmus(inBlocks(source)).program);
      const run = randomRun(s, numbers);
      if (s.constraints.some((c) => run.taken(c.path) && run.value(c.condition) === 0)) return;
      s.program.threads.forEach((thread, t) => {
        const done = actions(s, run, t);
        const registers = s.registers[t].map((v) => run.value(v));
        const performs = (what: readonly PerformedEvent[]) =>
          replay(s.program, thread, what, registers, s.bound);
        expect(performs(done)).toBe(true);
        compared += 1;
        expect(performs([...done, { label: 'F' }, { label: 'F' }])).toBe(false);
        const others = registers.map((v) => v! + 1000);
        expect(replay(s.program, thread, done, others, s.bound)).toBe(others.length === 0);
        if (done.length === 0) return;
        const wrong = done.map((action, i) => (i === at % done.length ? altered(action) : action));
        expect(performs(wrong)).toBe(false);
      });
    }),
    { numRuns: 300, seed: 4 },
  );
  expect(compared).toBeGreaterThan(300);
});

test('replaying finds the path that leaves the registers given', () => {
  const silent = 'a := 0; loop { a := a + 1 } choose { loop { a := a + 1 } x := 1 } or { x := 2 }';
  const { program } = litmus(one(silent));
  const [thread] = program.threads;
  const left = (writes: number, bound: number) =>
    [0, 1, 2, 3, 4, 5].filter((a) =>
      replay(program, thread, [{ label: 'lW', location: 0, writes }], [a], bound),
    );
  expect(left(1, 2)).toEqual([0, 1, 2, 3, 4]);
  expect(left(2, 2)).toEqual([0, 1, 2]);
  expect(left(3, 2)).toEqual([]);
});

test('of a thread of 20,000 instructions, and of an iteration for each of as many', () => {
  const long = `a := 0; ${'a := a + 1; '.repeat(20_000)} x := a`;
  const loop = 'a := 0; while (a < 20000) { a := a + 1 }; x := a';
  for (const text of [long, loop]) {
    const { program } = litmus(one(text));
    const write = { label: 'lW', location: 0 };
    const replayed = (writes: number) =>
      replay(program, program.threads[0], [{ ...write, writes }], undefined, 20_000);
    expect(replayed(20_000)).toBe(true);
    expect(replayed(19_999)).toBe(false);
  }
});

test('of a thread with more choices than can be tried one by one', () => {
  const choices = 'choose { a := 1 } or { a := 2 }; '.repeat(60);
  const loops = 'loop { choose { skip } or { skip } }; '.repeat(10);
  const { program } = litmus(one(`choose { s := 1 } or { s := 2 }; ${choices} ${loops} x := s`));
  const replayed = (writes: number) =>
    replay(program, program.threads[0], [{ label: 'lW', location: 0, writes }], [writes], 3);
  expect(replayed(2)).toBe(true);
  expect(replayed(3)).toBe(false);
});
