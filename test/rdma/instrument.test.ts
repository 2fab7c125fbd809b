import { readFileSync, readdirSync } from 'node:fs';
import { join } from 'node:path';
import fc from 'fast-check';
import { describe, expect, test } from 'vitest';
import { parseLitmus } from '../../src/index.js';
import type { ExploredRobustness, ExploreRobustnessOptions } from '../../src/rdma/loops/index.js';
import { exploreRobustness } from '../../src/rdma/loops/index.js';
import { instructionsOf } from '../../src/program/instructions.js';
import type { Program, Test } from '../../src/program/program.js';
import { inBlocks, programs } from '../../src/rdma/random/programs.js';
import type { ProgramShape } from '../../src/rdma/random/programs.js';
import { litmus, one, two, valueOf } from '../support/litmus.js';
import { robustByEnumeration } from '../support/prefixes.js';
import { modelOf } from '../support/checker.js';
import { cases } from '../support/random.js';

const JUDGES = { admits: modelOf('rdma-sc'), reference: modelOf('sc') };

/**
 * The decision procedure for robustness: compared with every execution of every prefix, compared with itself with
 * fewer simplifications, and run on programs with loops. The models judge every violation before it is
 * reported, as traces of their orders (decidability paper, Def. 4). So these tests look for violations that are missed.
 */

const read = (file: string): Test => valueOf(parseLitmus(readFileSync(file, 'utf8'), file));

const filesOf = (folder: string): readonly string[] =>
  readdirSync(join('corpus', folder)).map((name) => join('corpus', folder, name));

function decide(program: Program, options: ExploreRobustnessOptions = {}): ExploredRobustness {
  return valueOf(
    exploreRobustness(program, JUDGES, { deadline: performance.now() + 30_000, ...options }),
  );
}

/** The answer in words. */
function words(text: string, options: ExploreRobustnessOptions = {}): string {
  const found = decide(litmus(text).program, options);
  if (found.verdict === 'unknown') return `unknown: ${found.reason}`;
  return found.verdict;
}

const hasLoops = ({ threads }: Program): boolean =>
  threads.some((t) => [...instructionsOf(t.body)].some((i) => i.kind === 'loop'));

describe('every execution of every prefix (decidability paper, Def. 3, §6, §6.3, §6.5, App. D and App. D.2)', () => {
  const files = ['robustness', 'decidability', 'tso', 'cells'].flatMap(filesOf);
  const subjects = files.map((file) => [file, read(file).program] as const);
  const decidable = subjects.filter(([, p]) => exploreRobustness(p, JUDGES).ok);

  test.each(decidable.filter(([, p]) => !hasLoops(p)))('%s', (_, program) => {
    expect(decide(program).verdict).toBe(robustByEnumeration(program));
  });

  test('most of the corpus is there, with both answers', () => {
    expect(decidable.length).toBeGreaterThan(100);
    const verdicts = decidable.map(([, p]) => decide(p).verdict);
    expect(verdicts.filter((v) => v === 'robust').length).toBeGreaterThan(20);
    expect(verdicts.filter((v) => v === 'not robust').length).toBeGreaterThan(20);
  });

  const shapes: readonly [string, ProgramShape, number][] = [
    ['two threads', { threads: 2, instructions: 4, waits: false }, 60],
    ['three threads', { threads: 3, instructions: 3, waits: false }, 30],
    ['one long thread', { threads: 1, instructions: 8, waits: false }, 60],
    ['queue pairs with names', { threads: 2, instructions: 4, waits: false, queuePairs: true }, 60],
    ['all of the language', { threads: 2, instructions: 4, everything: true, waits: false }, 80],
  ];
  test.each(shapes)('random programs: %s', (_, shape, numRuns) => {
    fc.assert(
      fc.property(programs(shape), (source) => {
        const { program } = litmus(inBlocks(source));
        const expected = robustByEnumeration(program, 10_000);
        const { verdict } = decide(program);
        // A program that is not robust may be robust within the bounds of its loops.
        if (expected === undefined || verdict === 'unknown') return true;
        return verdict === expected || (verdict === 'not robust' && hasLoops(program));
      }),
      { numRuns: cases(numRuns) },
    );
  });
});

/**
 * As in the paper, with guesses (decidability paper, §6.2), and by one memory and an event that is put back (decidability paper, Thm 5.2).
 */
describe('what is left out changes nothing', () => {
  const variants: readonly ExploreRobustnessOptions[] = [
    { ordered: false },
    { reduce: false },
    { ordered: false, reduce: false },
  ];
  const agree = (program: Program): boolean => {
    const { verdict } = decide(program);
    return variants.every((v) => {
      const other = decide(program, { ...v, limit: 50_000 }).verdict;
      return other === 'unknown' || other === verdict;
    });
  };

  test.each(['robustness', 'decidability'].flatMap(filesOf))('%s', (file) => {
    expect(agree(read(file).program)).toBe(true);
  });

  test('random programs', () => {
    const shape = { threads: 2, instructions: 4, everything: true, waits: false };
    fc.assert(
      fc.property(programs(shape), (source) => agree(litmus(inBlocks(source)).program)),
      { numRuns: cases(40) },
    );
  });
});

describe('published', () => {
  test.each([
    ['robustness/R6a', 'robust'],
    ['robustness/R6b', 'robust'],
    ['robustness/R6c', 'not robust'],
    ['decidability/A51', 'not robust'],
  ])('%s is %s', (name, verdict) => {
    expect(decide(read(`corpus/${name}.litmus`).program).verdict).toBe(verdict);
  });

  test('the violation of the decidability paper, §5.1 and Thm 5.1: its normal form', () => {
    const file = 'corpus/decidability/A51.litmus';
    const { program } = read(file);
    const found = decide(program);
    if (found.verdict !== 'not robust') throw new Error(found.verdict);
    const { events, order, first } = found.run;
    const shown = order.map((id) => {
      const { label, location, reads, writes } = events[id];
      return `${label}(${program.locations[location!].name}, ${reads ?? writes})`;
    });
    expect([shown.slice(0, first), shown.slice(first)]).toEqual([
      ['nrR(w, 1)', 'nlW(y, 1)', 'lW(x, 2)'],
      ['nlR(x, 2)', 'nrW(z, 2)'],
    ]);
  });

  test('the same answer, and the same run, every time', () => {
    for (const file of filesOf('robustness')) {
      const { program } = read(file);
      const [a, b] = [decide(program), decide(program)];
      expect({ ...b, milliseconds: 0 }).toEqual({ ...a, milliseconds: 0 });
    }
  });
});

describe('decidability paper, §6.4 and App. D.1, case by case', () => {
  test.each([
    // A get is over with its poll, a put has only read its source by then.
    ['x := z^2; poll(2); x := 1', 'robust'],
    ['z^2 := x; poll(2); x := 1', 'robust'],
    ['z^2 := x; z^2 := x; poll(2); x := 1', 'not robust'],
    ['z^2 := x; z^2 := x; poll(2); poll(2); x := 1', 'robust'],
    // A fence forces the reads before it, and with them the poll of the put after it.
    ['x := z^2; rfence(2); z^2 := x', 'robust'],
    ['x := z^2; z^2 := x', 'not robust'],
    // nW -> nF: what a put reads after a fence is flushed by nlW before it.
    ['x := z^2; rfence(2); w^2 := x; poll(2); poll(2); x := 1', 'robust'],
    ['y := z^2; rfence(2); x := 1; w^2 := y', 'robust'],
    ['y := z^2; x := 1; w^2 := y', 'not robust'],
  ])('%s is %s', (body, verdict) => {
    expect(words(one(body))).toBe(verdict);
    expect(robustByEnumeration(litmus(one(body)).program)).toBe(verdict);
  });
});

describe('loops', () => {
  const protocol = (name: string) => decide(read(`corpus/protocols/${name}.litmus`).program);

  test.each([
    ['alternating-bit', 'robust'],
    ['alternating-bit-buffer', 'not robust'],
    ['alternating-bit-buffer-poll', 'robust'],
    ['ring-buffer', 'not robust'],
  ])('%s is %s, whatever its bounds', (name, verdict) => {
    const found = protocol(name);
    expect(found.verdict).toBe(verdict);
  });

  test('loops are not unrolled: their bounds do not matter', () => {
    const body = 'n := 0; while (n < 9) bound 2 { n := n + 1; w^2 := y; poll(2) } z^2 := x; x := 1';
    expect(words(one(body))).toBe('not robust');
    expect(words(one(body.replace('x := 1', 'poll(2); x := 1')))).toBe('robust');
  });

  test('loops that never end, and loops without events', () => {
    expect(words(one('while (1) { skip } z^2 := x; x := 1'))).toBe('robust');
    expect(words(one('loop { skip } z^2 := x; x := 1'))).toBe('not robust');
    expect(words(one('loop { loop { choose { skip } or { x := 1 } } z^2 := x }'))).toBe(
      'not robust',
    );
  });

  test('an assumption about registers that fails ends the thread, one about memory comes before', () => {
    expect(words(one('a := 1; z^2 := x; assume(a = 2); x := 1'))).toBe('robust');
    expect(words(one('z^2 := x; assume(y = 1); x := 1'))).toBe('robust');
    expect(words(one('z^2 := x; assume(y = 0); x := 1'))).toBe('not robust');
    const reader = (value: number) =>
      two(`thread T on 1 { y := 1; a := z^2; poll(2) } thread U on 2 { z := 1; b := y^1; poll(1);
        assume(b = ${value}) }`);
    expect(words(reader(1))).toBe('robust');
    expect(words(reader(2))).toBe('robust');
  });
});

describe('counters', () => {
  const polls = (n: number) =>
    one(`w^2 := y; w^2 := y; w^2 := y; w^2 := y; x := z^2; i := 0;
      while (i < ${n}) { poll(2); i := i + 1 } x := 2`);

  test('a bound that leaves out runs is raised, unless it is given: then the answer is open', () => {
    expect(words(polls(5))).toBe('robust');
    expect(words(polls(4))).toBe('not robust');
    expect(words(polls(5), { counterBound: 3 })).toMatch(/^unknown: runs with more than 3 /);
    expect(words(polls(4), { counterBound: 3 })).toMatch(/^unknown: runs with more than 3 /);
    expect(words(polls(5), { counterBound: 5 })).toBe('robust');
    expect(words(polls(4), { counterBound: 5 })).toBe('not robust');
    // More and more puts are not polled yet. That makes no difference.
    expect(words(one('loop { w^2 := y; w^2 := y; poll(2); x := z^2; x := 1 }'))).toBe('not robust');
    const more = 'thread T on 1 { loop { w^2 := 1; w^2 := 2; poll(2) } }';
    expect(words(two(`${more} thread U on 2 { a := w; b := w }`))).toBe('robust');
    const flag = 'thread T on 1 { loop { w^2 := 1; w^2 := 2; poll(2); x := 1 } }';
    expect(words(two(`${flag} thread U on 1 { a := x; z^2 := 1 }`))).toBe('robust');
  });

  test('without polls in loops, counters go as far as they have to', () => {
    const puts = 'w^2 := y; '.repeat(6);
    const polled = (n: number) => one(`${puts} x := z^2; ${'poll(2); '.repeat(n)} x := 1`);
    expect(words(polled(7), { counterBound: 1 })).toBe('robust');
    expect(words(polled(6), { counterBound: 1 })).toBe('not robust');
  });

  test('a poll with nothing to poll ends its thread', () => {
    expect(words(one('poll(2); z^2 := x; x := 1'))).toBe('robust');
  });
});

describe('what cannot be decided', () => {
  test('values without end, where they matter and there is no violation', () => {
    expect(words(one('loop { x := x + 1 } z^2 := y; y := 1'))).toBe('not robust');
    const waiting = (then: string) =>
      two(
        `thread T on 1 { loop { x := x + 1 } } thread U on 1 { assume(x = 3); z^2 := y; ${then} }`,
      );
    expect(words(waiting('y := 1'))).toBe('not robust');
    expect(words(waiting('poll(2); y := 1'), { limit: 500 })).toBe(
      'unknown: limit of 500 states reached: the values of x are too many, perhaps without end',
    );
    const counting = (then: string) =>
      one(`n := 0; loop { n := n + 1; if (n > 3) { z^2 := x; ${then} } }`);
    expect(words(counting('x := 1'))).toBe('not robust');
    expect(words(counting('poll(2); x := 1'), { limit: 500 })).toBe(
      'unknown: limit of 500 states reached: the values that T depends on are too many, perhaps without end',
    );
    const squares = one('n := 3; loop { n := n * n; if (n > 3) { z^2 := x; poll(2); x := 1 } }');
    expect(words(squares)).toBe('unknown: a value can leave the integers that are exact (2^53)');
  });

  test('division by zero', () => {
    const divide = (by: string) => one(`a := 1; z^2 := x; b := 6 / ${by}; if (b = 2) { x := 1 }`);
    expect(words(divide('y'))).toBe('unknown: some run divides by zero');
    expect(words(divide('a'))).toBe('robust');
    expect(words(divide('(a + 2)'))).toBe('not robust');
  });

  test('too many states, or too little time', () => {
    const { program } = read('corpus/protocols/ring-buffer.litmus');
    expect(decide(program, { limit: 100 })).toMatchObject({
      verdict: 'unknown',
      reason: 'limit of 100 states reached',
    });
    const found = decide(program, { deadline: performance.now() - 1 });
    expect(found).toMatchObject({
      verdict: 'unknown',
      reason: 'time limit reached after 1 states',
    });
  });

  test('waits are not covered', () => {
    const found = exploreRobustness(litmus(one('z^2 :=^d x; wait(d); x := 1')).program, JUDGES);
    expect(found.ok ? [] : found.errors.map((e) => e.message)).toEqual([
      'wait(d) is not covered: robustness is decided for programs with polls',
    ]);
  });
});

describe('programs with CAS, branches and several reads in an expression', () => {
  test.each([
    // A CAS that fails reads, one that succeeds writes.
    [one('z^2 := x; a := CAS(x, 0, 1)'), 'not robust'],
    [one('z^2 := x; a := CAS(x, 7, 1)'), 'robust'],
    [one('z^2 := x; poll(2); a := CAS(x, 0, 1)'), 'robust'],
    [one('y := z^2; a := CAS(y, 0, 1)'), 'not robust'],
    [one('z^2 := x; if (y = 0) { x := 1 } else { skip }'), 'not robust'],
    [one('z^2 := x; if (y = 1) { x := 1 } else { skip }'), 'robust'],
    [one('z^2 := x; y := x + y'), 'robust'],
    [one('x := z^2; y := x + y'), 'not robust'],
    [one('x := z^2; mfence; y := x + y'), 'not robust'],
    [one('x := z^2; choose { poll(2) } or { skip } y := x + y'), 'not robust'],
    [one('x := z^2; choose { poll(2) } or { poll(2); mfence } y := x + y'), 'robust'],
  ])('%s', (text, verdict) => {
    expect(words(text)).toBe(verdict);
    expect(robustByEnumeration(litmus(text).program)).toBe(verdict);
  });
});
