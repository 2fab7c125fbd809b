import { mkdtempSync, readFileSync, readdirSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import fc from 'fast-check';
import { afterAll, beforeAll, describe, expect, test } from 'vitest';
import { instructionsOf } from '../../src/program/instructions.js';
import type { Program } from '../../src/program/program.js';
import type { ProgramShape } from '../../src/rdma/random/programs.js';
import { inBlocks, programs } from '../../src/rdma/random/programs.js';
import type { Approach } from '../../src/analyses/robust/analysis.js';
import { analyse } from '../../src/analyses/robust/analysis.js';
import { fixRobustness } from '../../src/analyses/robust/fix.js';
import type { Comparison, Robustness } from '../../src/analyses/robust/result.js';
import { DEFAULT_COSTS } from '../../src/rdma/additions.js';
import type { PrintedRepair } from '../../src/analyses/repair/print.js';
import { adapted, litmus, modelOf, newSolver } from '../support/checker.js';
import { one } from '../support/litmus.js';
import { remora } from '../support/run.js';
import { ALL, cases } from '../support/random.js';

/** Robustness under RDMA^SC by exploration: it agrees with the solver, and takes loops as they are. */

const MODEL = modelOf('rdma-sc');
const given = (bound?: number) => ({
  models: [MODEL, modelOf('sc')],
  newSolver,
  deadline: performance.now() + 30_000,
  ...(bound !== undefined && { bound }),
});

function robustness(
  program: Program,
  comparison: Comparison = 'prefixes',
  ways: Approach = {},
  bound?: number,
): Robustness {
  return analyse({ program, comparisons: [comparison], ...ways }, given(bound))[0];
}

const hasLoops = ({ threads }: Program): boolean =>
  threads.some((t) => [...instructionsOf(t.body)].some((i) => i.kind === 'loop'));

const explored = (program: Program): Robustness['verdict'] =>
  robustness(program, 'prefixes', { explore: true }).verdict;

describe('exploration and solver agree on programs without loops', () => {
  test('the corpus', () => {
    const folders = ['robustness', 'decidability', 'tso', 'cells', 'events', 'field'];
    const counts = { robust: 0, 'not robust': 0, unknown: 0, vacuous: 0 };
    for (const folder of folders) {
      for (const [i, file] of readdirSync(join('corpus', folder)).entries()) {
        if (!ALL && i % 3 !== 0) continue;
        const path = join('corpus', folder, file);
        let program: Program;
        try {
          ({ program } = adapted(litmus(readFileSync(path, 'utf8')), MODEL));
        } catch {
          continue; // Its waits have no translation.
        }
        if (hasLoops(program)) continue;
        const { verdict, reason } = robustness(program);
        // The exploration computes only values that are used, and so does not see a division there.
        if (reason === 'some run divides by zero') continue;
        expect([path, explored(program)]).toEqual([path, verdict]);
        counts[verdict] += 1;
      }
    }
    expect(Math.min(counts.robust, counts['not robust'])).toBeGreaterThan(ALL ? 50 : 15);
  });

  const shapes: readonly [string, ProgramShape, number][] = [
    ['two threads', { threads: 2, instructions: 4, waits: false }, 60],
    ['three threads', { threads: 3, instructions: 3, waits: false }, 30],
  ];
  test.each(shapes)('random programs: %s; and ib changes nothing', (_, shape, numRuns) => {
    fc.assert(
      fc.property(programs(shape), (source) => {
        const { program } = litmus(inBlocks(source));
        const { verdict } = robustness(program);
        const without = { ...given(), models: [modelOf('rdma-sc-no-ib'), modelOf('sc')] };
        const [{ verdict: other }] = analyse({ program, comparisons: ['prefixes'] }, without);
        expect([verdict, other]).toEqual([explored(program), explored(program)]);
      }),
      { numRuns: cases(numRuns) },
    );
  });
});

const protocol = (name: string): Program =>
  litmus(readFileSync(`corpus/protocols/${name}.litmus`, 'utf8')).program;

describe('loops', () => {
  test('are taken as they are where the solver stops at a bound', () => {
    const poll = protocol('alternating-bit-buffer-poll');
    expect(robustness(poll, 'prefixes', {}, 2)).toMatchObject({ verdict: 'robust', upTo: 2 });
    for (const comparison of ['prefixes', 'complete'] as const) {
      const found = robustness(poll, comparison);
      expect(found).toMatchObject({ verdict: 'robust', explored: { cycles: 1 } });
      expect(found.upTo).toBeUndefined();
    }
  });

  test('a violation that takes more rounds than the bound allows', () => {
    const ring = protocol('ring-buffer');
    expect(robustness(ring, 'prefixes', {}, 2)).toMatchObject({ verdict: 'robust', upTo: 2 });
    expect(robustness(ring, 'prefixes', {}, 3).verdict).toBe('not robust');
    const found = robustness(ring);
    expect(found.verdict).toBe('not robust');
    const { order, cycle, events, graph } = found.violation!;
    // Each event of a thread is observed once. The second part is there because of the last one.
    const threads = events.filter((e) => e.thread !== undefined).map((e) => e.id);
    expect([...order!.flat()].sort((a, b) => a - b)).toEqual(threads);
    expect(order![1].length).toBeGreaterThan(0);
    expect(cycle!.map(({ relation }) => relation)).toEqual(['po', 'rb', 'po', 'rb']);
    expect(graph.events.filter((e) => e.onCycle).map((e) => e.id)).toEqual(
      cycle!.map(({ event }) => event.id).sort((a, b) => a - b),
    );
  });

  test('of complete executions, what is left open is said', () => {
    expect(robustness(protocol('ring-buffer'), 'complete')).toMatchObject({
      verdict: 'robust',
      upTo: 2,
      hint: 'some execution in which threads stop is not SC: see --prefixes',
    });
  });

  test('counters have bounds where polls are in loops', () => {
    const text = one(`w^2 := y; w^2 := y; w^2 := y; w^2 := y; x := z^2; i := 0;
      while (i < 4) bound 2 { poll(2); i := i + 1 } x := 2`);
    const { program } = litmus(text);
    // Four completions are left at the fifth poll, which would be the one of the get.
    for (const comparison of ['prefixes', 'complete'] as const) {
      expect(robustness(program, comparison, { counterBound: 3 })).toMatchObject({
        verdict: 'unknown',
        reason:
          'runs with more than 3 completions of a queue pair to be polled are left open: a higher counter bound is needed',
        explored: { counterBound: 3 },
      });
    }
    // Without a bound, the first that leaves out runs is raised.
    expect(robustness(program)).toMatchObject({
      verdict: 'not robust',
      explored: { countedTo: 6 },
    });
    expect(robustness(program, 'prefixes', { counterBound: 5 }).verdict).toBe('not robust');
  });

  test('the programs of the lower bounds: decidability paper, Fig. 5, Thm 7.1', () => {
    const counted: Record<string, number | undefined> = {};
    for (const file of readdirSync('corpus/decidability').filter((f) => /^(vass|tape)/.test(f))) {
      const { program } = litmus(readFileSync(join('corpus/decidability', file), 'utf8'));
      const { verdict, explored } = robustness(program, 'prefixes', { explore: true });
      expect([file, verdict]).toEqual([file, /-robust/.test(file) ? 'robust' : 'not robust']);
      counted[file.replace('.litmus', '')] = explored?.countedTo;
    }
    expect(counted).toEqual({
      tape: undefined,
      'tape-robust': undefined,
      'vass-one': 3,
      'vass-one-robust': undefined,
      'vass-two': 3,
      'vass-two-robust': 3,
    });
  });

  test('a limit of states leaves the answer of the solver', () => {
    const poll = protocol('alternating-bit-buffer-poll');
    expect(robustness(poll, 'prefixes', { limit: 5 })).toMatchObject({ upTo: 3 });
    expect(robustness(poll, 'prefixes', { limit: 5, explore: true })).toMatchObject({
      verdict: 'unknown',
      reason: 'limit of 5 states reached',
    });
  });

  test('other models have the solver alone', () => {
    const program = protocol('alternating-bit-buffer-poll');
    const models = [modelOf('rdma-tso-nopcie'), modelOf('sc')];
    const [{ explored: none }] = analyse(
      { program, comparisons: ['prefixes'] },
      { ...given(), models },
    );
    expect(none).toBeUndefined();
  });
});

describe('repair', () => {
  const fixed = (text: string, comparison: 'complete' | 'prefixes'): PrintedRepair =>
    fixRobustness({ test: litmus(text), comparison, costs: DEFAULT_COSTS }, given());
  const added = (repair: PrintedRepair): readonly string[] =>
    repair.kind !== 'found'
      ? [repair.kind]
      : repair.additions.map(({ text, place }) =>
          'before' in place ? `${text} < ${place.before}` : `${text} > ${place.endOf}`,
        );

  test('in a loop, at its end: before it there is nothing to poll', () => {
    expect(added(fixed(one('loop { x := 1; z^2 := x }'), 'prefixes'))).toEqual([
      'poll(2) > loop { … }',
    ]);
  });

  test('in the branch that has something to poll', () => {
    const text = one('choose { z^2 := x } or { skip }; x := 1');
    for (const comparison of ['complete', 'prefixes'] as const) {
      expect(added(fixed(text, comparison))).toEqual(['poll(2) > choose { … } or { … }']);
    }
  });

  test('no poll is added that nothing may be left for', () => {
    const late = one('z^2 := x; x := 1; poll(2)');
    // The only completion is needed by a later poll. So another get is needed, with a poll of its own.
    expect(added(fixed(late, 'prefixes'))).toEqual(['flushed2 := flush2^2; poll(2) < x := 1']);
  });

  test('what takes more rounds to go wrong than the bound allows', () => {
    const text = one('n := 0; loop { n := (n + 1) % 6; if (n = 5) { z^2 := x; x := 1 } }');
    const found = fixed(text.replace('node 1', 'bound 4\nnode 1'), 'prefixes');
    expect(added(found)).toEqual(['poll(2) < x := 1']);
    expect(found.kind === 'found' ? found.upTo : 0).toBeUndefined();
  });
});

describe('the command line', () => {
  let folder: string;
  beforeAll(() => void (folder = mkdtempSync(join(tmpdir(), 'remora-explore-'))));
  afterAll(() => rmSync(folder, { recursive: true }));
  const A51 = 'corpus/decidability/A51.litmus';

  test('--explore is about rdma-sc and prefixes; a picture has the cycle', async () => {
    const svg = join(folder, 'a51.svg');
    const { stdout, code } = await remora(['robust', A51, '--explore', '--svg', svg]);
    expect(code).toBe(1);
    expect(stdout).toBe(
      [
        'A51 under rdma-sc, threads may stop anywhere',
        '  not robust: some execution is not SC',
        '  by exploration, with loops as they are: 6 states for 1 possible cycle',
        '    leaves memory with x = 2, y = 1, z = 2, w = 1',
        '    observed in this order, in two parts:',
        '      T1  y := w^2  9:18  nrR(w, 1)',
        '      T1  y := w^2  9:18  nlW(y, 1)',
        '      T1  x := 2    9:38  lW(x, 2)',
        '      --',
        '      T1  z^2 := x  9:28  nlR(x, 2)',
        '      T1  z^2 := x  9:28  nrW(z, 2)',
        '    cycle:',
        '      T1  z^2 := x  9:28  nlR(x, 2)  po →',
        '      T1  x := 2    9:38  lW(x, 2)   rf → back to the first',
        '',
        '',
      ].join('\n'),
    );
    expect(readFileSync(svg, 'utf8')).toContain('Highlighted: rf from 5 lW(x,2) to 3 nlR(x,2,n2)');
  });

  test('JSON', async () => {
    const { stdout } = await remora(['robust', A51, '--explore', '--json']);
    expect(JSON.parse(stdout)).toMatchObject({
      comparison: 'prefixes',
      verdict: 'not robust',
      explored: { cycles: 1, states: 6 },
      violation: { order: [expect.any(Array), expect.any(Array)] },
    });
  });

  test.each([
    [['-m', 'rdma-tso'], 'rdma-tso: the exploration decides robustness under rdma-sc only\n'],
    [
      ['--bound', '2'],
      '--explore takes loops as they are: it does not go with --bound\n(see remora robust --help)\n',
    ],
    [['--outcomes'], /^error: --explore is about executions in which threads stop anywhere: /],
    [['--counter-bound', 'x'], /^error: option '--counter-bound <n>' argument 'x' is invalid\./],
  ])('%j is refused', async (args, expected) => {
    const { code, stdout, stderr } = await remora(['robust', A51, '--explore', ...args]);
    expect([code, stdout]).toEqual([2, '']);
    expect(stderr).toMatch(expected);
  });

  test('what cannot be read is reported once, and nothing is drawn', async () => {
    const svg = join(folder, 'nowhere.svg');
    const found = await remora(['robust', 'corpus/nowhere', '--svg', svg]);
    expect([found.code, found.stderr]).toEqual([2, 'corpus/nowhere: no such file or folder\n']);
    const wait = await remora([
      'robust',
      'corpus/loco/L3b.litmus',
      '--fix',
      '-o',
      svg,
      '--svg',
      join(folder, 'other.svg'),
    ]);
    expect([wait.code, wait.stdout]).toEqual([2, '']);
    expect(wait.stderr.match(/cannot be translated/g)).toHaveLength(1);
    expect(wait.stderr).not.toMatch(/no program|draw|TypeError/);
  });

  test('there may be nothing to draw', async () => {
    const svg = join(folder, 'none.svg');
    const robust = await remora(['robust', 'corpus/robustness/R6a.litmus', '--svg', svg]);
    expect([robust.code, robust.stderr]).toEqual([2, 'there is no violation to draw\n']);
    expect(robust.stdout).toContain('robust: every execution is SC');
    const many = await remora(['robust', 'corpus/decidability', 'corpus/robustness', '--dot', svg]);
    expect([many.code, many.stderr]).toEqual([
      2,
      'a picture, or a file for the fix, is of one program under one model\n',
    ]);
  });
});
