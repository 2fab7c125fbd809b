import { readFileSync } from 'node:fs';
import { join } from 'node:path';
import fc from 'fast-check';
import { describe, expect, test } from 'vitest';
import { enumerateCandidates } from '../../src/check/enumerate/candidates.js';
import { pathsOf } from '../../src/check/enumerate/paths.js';
import { unroll } from '../../src/program/events/unroll.js';
import { analyse } from '../../src/analyses/robust/analysis.js';
import { compareExecutions } from '../../src/analyses/robust/exact.js';
import type { Comparison, Robustness } from '../../src/analyses/robust/result.js';
import { COMPARISONS } from '../../src/analyses/robust/result.js';
import { violating } from '../../src/analyses/robust/violating.js';
import { openSession } from '../../src/check/session.js';
import type { Model } from '../../src/model/term.js';
import type { Program, Test } from '../../src/program/program.js';
import type { ProgramShape } from '../../src/rdma/random/programs.js';
import { inBlocks, programs } from '../../src/rdma/random/programs.js';
import type { Execution } from '../../src/model/relation/concrete.js';
import { evaluate } from '../../src/model/relation/concrete.js';
import { conditionsOf, proves } from '../../src/rdma/conditions/conditions.js';
import type { ConditionModel } from '../../src/rdma/conditions/conditions.js';
import type { Verified } from '../../src/check/witness/verify.js';
import { models } from '../support/cats.js';
import { adapted, cat, litmus, modelOf, newSolver } from '../support/checker.js';
import { ENDING_FILES } from '../support/corpus.js';
import { one, two } from '../support/litmus.js';
import { ALL, cases, few } from '../support/random.js';

/** Robustness by the solver: known programs, and other ways to the same answer. */

const SC = modelOf('sc');
const MODELS = ['rdma-sc', 'rdma-tso'] as const satisfies readonly ConditionModel[];

const read = (file: string): Test => litmus(readFileSync(join('corpus', file), 'utf8'));

function robustness(
  subject: Test,
  model: string | Model,
  comparisons: readonly Comparison[],
  bound?: number,
): readonly Robustness[] {
  const m = modelOf(model);
  return analyse(
    { program: adapted(subject, m).program, comparisons },
    { models: [m, SC], newSolver, deadline: Infinity, ...(bound !== undefined && { bound }) },
  );
}

/** The verdicts in words, by complete executions, by prefixes and by final states. */
function verdicts(subject: Test, model: string | Model, bound?: number): readonly string[] {
  return robustness(subject, model, COMPARISONS, bound).map(
    ({ verdict, upTo, reason }) =>
      verdict +
      (upTo === undefined ? '' : ` up to ${upTo}`) +
      (reason === undefined ? '' : `: ${reason}`),
  );
}

const ROBUST = ['robust', 'robust', 'robust'];
const NOT = ['not robust', 'not robust', 'not robust'];

/** Robust under RDMA^SC and RDMA^TSO (robustness paper, Defs. 5 and 11). */
describe.each(MODELS)('published programs under %s', (model) => {
  test.each([
    ['robustness/R6a', ROBUST],
    ['robustness/R6b', ROBUST],
    ['robustness/R6c', NOT],
    ['robustness/R3a', ROBUST],
    ['robustness/R3b', NOT],
    ['robustness/R3c', ROBUST],
    ['decidability/A51', NOT],
    ['tso/RRPR3', NOT],
    ['tso/CRMA2', NOT],
    ['tso/SB3', NOT],
    ['tso/SB-flush', ROBUST],
  ])('%s', (file, expected) => {
    expect(verdicts(read(`${file}.litmus`), model)).toEqual(expected);
  });
});

test('a CPU program is robust under RDMA^SC, and not always under TSO', () => {
  const subject = read('tso/CPU-SB.litmus');
  expect(verdicts(subject, 'rdma-sc')).toEqual(ROBUST);
  expect(verdicts(subject, 'rdma-tso')).toEqual(NOT);
});

test('final states are coarser: what nobody can see at the end does not matter', () => {
  // The put may read x before or after the write, but writes the same value.
  const subject = litmus(two('thread T on 1 { z^2 := x; x := 0 }'));
  expect(verdicts(subject, 'rdma-tso')).toEqual(['not robust', 'not robust', 'robust']);
});

describe('answers with a condition', () => {
  test('loops: up to the bound, unless no run goes on', () => {
    const spin = litmus(one('a := 0; while (a = 0) { a := x }'));
    expect(verdicts(spin, 'rdma-tso', 1)).toEqual([
      'unknown: no run ends within the loop bound of 1: --bound takes a larger one',
      'robust up to 1',
      'vacuous: no path of the program can be executed: an `assume` or a CAS that no run satisfies, or a loop that no run leaves',
    ]);
    const any = litmus(one('loop { x := 1 }'));
    expect(verdicts(any, 'rdma-tso')).toEqual([
      'robust up to 3',
      'robust up to 3',
      'robust up to 3',
    ]);
    const counted = litmus(one('a := 0; while (a < 2) { x := a; a := a + 1 }'));
    expect(verdicts(counted, 'rdma-tso')).toEqual(ROBUST);
    // One iteration is enough for a violation. With more iterations, SC would still not have this execution.
    const bad = litmus(one('loop { z^2 := x; x := x + 1 }'));
    expect(verdicts(bad, 'rdma-tso', 2)).toEqual([
      'not robust',
      'not robust',
      'not robust up to 2',
    ]);
  });

  test('a program without executions is robust only as far as it goes', () => {
    const subject = litmus(one('z^2 := x; poll(2); poll(2)'));
    const reason = 'vacuous: T polls node 2 more often than it has operations towards it';
    expect(verdicts(subject, 'rdma-tso')).toEqual([reason, 'robust', reason]);
    const stuck = litmus(one('z^2 := x; x := 1; assume(x = 2)'));
    expect(verdicts(stuck, 'rdma-tso')[1]).toBe('not robust');
  });

  test('a division by zero leaves it open', () => {
    const reason = 'unknown: some run divides by zero';
    expect(verdicts(litmus(one('a := 1 / x')), 'rdma-tso')).toEqual([
      reason,
      reason,
      'unknown: final states under sc: some run divides by zero',
    ]);
    // A thread that stops before the division does not divide.
    const found = robustness(litmus(one('z^2 := x; x := 1; a := 0; a := 1 / a')), 'rdma-sc', [
      'prefixes',
    ]);
    expect(found[0].verdict).toBe('not robust');
  });

  test('after its time nothing is begun', () => {
    const m = modelOf('rdma-sc');
    const { program } = read('robustness/R6a.litmus');
    const given = { models: [m, SC], newSolver, deadline: -1 };
    const [found] = analyse({ program, comparisons: ['complete'] }, given);
    expect(found).toMatchObject({ verdict: 'unknown', reason: 'time limit reached' });
  });
});

describe('violations', () => {
  const files = ['robustness/R6c', 'tso/SB3', 'tso/RRPR3', 'tso/IRIW1', 'field/ucx-get-put'];

  test.each(files)('%s: a shortest cycle, each step in its relation', (file) => {
    const program = read(`${file}.litmus`).program;
    for (const comparison of ['complete', 'prefixes'] as const) {
      const options = { prefixes: comparison === 'prefixes' };
      const found = compareExecutions(program, modelOf('rdma-tso'), SC, newSolver, options);
      const { witness, events, cycle = [] } = found.violation!;
      // Once more, from the pairs that the witness has.
      const holds = (name: string, a: number, b: number): boolean => {
        const has = (list: readonly (readonly [number, number])[]) =>
          list.some(([x, y]) => x === a && y === b);
        const [from, to] = [events, events].map((all, i) => all.find((e) => e.id === [a, b][i])!);
        if (name === 'po') return from.thread === to.thread && a < b;
        if (name === 'rf') return has(witness.rf);
        if (name === 'mo') return has(witness.mo);
        const sources = witness.rf.filter(([, r]) => r === a).map(([w]) => w);
        return sources.some((w) => witness.mo.some(([x, y]) => x === w && y === b));
      };
      expect(cycle.length).toBeGreaterThan(1);
      cycle.forEach(({ event, relation }, i) => {
        const next = cycle[(i + 1) % cycle.length].event;
        expect([relation, holds(relation, event.id, next.id)]).toEqual([relation, true]);
      });
      // No shorter one: no step leads to an event that is not the next on the cycle.
      const names = ['po', 'rf', 'mo', 'rb'];
      for (const [i, { event }] of cycle.entries()) {
        const reached = cycle.filter(
          (c) => c.event !== event && names.some((n) => holds(n, event.id, c.event.id)),
        );
        const next = cycle[(i + 1) % cycle.length].event;
        expect(reached.map((c) => c.event.id)).toEqual([next.id]);
      }
    }
  });

  test('say what was performed, read and written', () => {
    const [{ violation }] = robustness(read('robustness/R6c.litmus'), 'rdma-sc', ['complete']);
    expect(violation?.state).toEqual({ x: 1, y: 1, a: 1 });
    expect(
      violation?.cycle?.map(({ event: { thread, label, reads, writes } }) => [
        thread,
        label,
        reads,
        writes,
      ]),
    ).toEqual([
      ['T1', 'nrR', 1, undefined],
      ['T1', 'nrW', undefined, 1],
      ['T2', 'nrR', 1, undefined],
      ['T2', 'nlW', undefined, 1],
    ]);
    expect(violation?.events.map((e) => e.id)).toEqual(violation?.events.map((_, i) => i));
  });
});

describe('prefixes', () => {
  /** The sequences of events that each thread can perform. */
  const sequences = (program: Program, prefixes: boolean): readonly ReadonlySet<string>[] => {
    const structure = unroll(program, undefined, { prefixes });
    return program.threads.map(
      (_, t) =>
        new Set(pathsOf(structure, t, () => true).map((p) => p.events.map((e) => e.id).join())),
    );
  };

  test('are those of the paths, event by event (decidability paper, Def. 1 and App. B)', () => {
    const shape: ProgramShape = { everything: true, waits: true, instructions: 4 };
    fc.assert(
      fc.property(programs(shape), (source) => {
        const text = inBlocks(source);
        // With `assume`, a path may end where no run goes on.
        if (text.includes('assume')) return;
        const { program } = litmus(text);
        const whole = sequences(program, false);
        const found = sequences(program, true);
        const expected = whole.map(
          (list) =>
            new Set(
              [...list].flatMap((ids) =>
                ids
                  .split(',')
                  .map((_, n, all) => all.slice(0, n).join())
                  .concat(ids),
              ),
            ),
        );
        expect(found).toEqual(expected);
      }),
      { numRuns: cases(80) },
    );
  });

  test('may end between the halves of a put, and before a poll that has nothing to poll', () => {
    const [found] = sequences(litmus(one('z^2 := x; poll(2); poll(2)')).program, true);
    expect(found).toEqual(new Set(['', '2', '2,3', '2,3,4']));
  });

  test('may end where the next thing would be an iteration beyond the bound', () => {
    const ends = (body: string): ReadonlySet<string> => {
      const found = new Set<string>();
      const { program } = litmus(one(body));
      const structure = unroll(program, undefined, { prefixes: true });
      const visit = ({ events, witness }: Verified): void => {
        const reads = new Map(witness.reads);
        const own = events.filter((e) => e.thread >= 0);
        found.add(own.map((e) => `${e.label} ${reads.get(e.id) ?? ''}`.trim()).join());
      };
      enumerateCandidates(structure, SC, visit, { limit: 1000 });
      return found;
    };
    // The register would let the loop go on, but the thread stops before the condition is evaluated.
    expect(ends('a := 0; while (a = 0) bound 1 { a := x }')).toEqual(new Set(['', 'lR 0']));
    const inner =
      'a := 0; while (a = 0) bound 1 { a := x; while (y > 1) bound 1 { skip } }; z^2 := x';
    expect(ends(inner)).toEqual(new Set(['', 'lR 0', 'lR 0,lR 0']));
    // Here the condition is the read itself.
    expect(ends('while (x = 0) bound 1 { skip }')).toEqual(new Set(['', 'lR 0']));
  });

  test('what is asked of registers alone is asked only of threads that go on', () => {
    const endsOf = (body: string): ReadonlySet<string> => {
      const ends = new Set<string>();
      enumerateCandidates(
        unroll(litmus(one(body)).program, undefined, { prefixes: true }),
        SC,
        ({ events }) => {
          const own = events.filter((e) => e.thread >= 0);
          ends.add(own.map((e) => e.label).join());
        },
        { limit: 1000 },
      );
      return ends;
    };
    expect(endsOf('a := x; assume(a = 1); y := 1')).toEqual(new Set(['', 'lR']));
    expect(endsOf('assume(x = 1); y := 1')).toEqual(new Set(['']));
  });
});

/** Does a model admit an execution that is none of the reference? By going through all of them. */
function enumerated(program: Program, model: Model, prefixes: boolean): string {
  let [all, outside] = [0, 0];
  const visit = ({ execution }: { readonly execution: Execution }): void => {
    all += 1;
    if (!evaluate(SC, execution).consistent) outside += 1;
  };
  const structure = unroll(program, undefined, { prefixes });
  const { incomplete } = enumerateCandidates(structure, model, visit, { limit: 20_000 });
  if (incomplete !== undefined) return incomplete;
  return all === 0 ? 'vacuous' : outside === 0 ? 'robust' : 'not robust';
}

describe('going through all executions gives the same verdict', () => {
  test.each([
    ['complete', 11],
    ['prefixes', 8],
  ] as const)('%s, on small files of the corpus', (comparison, size) => {
    let [robust, not] = [0, 0];
    const tried = ENDING_FILES.filter((_, i) => ALL || i % 3 === 0);
    for (const { file, text } of tried) {
      const subject = litmus(text);
      const prefixes = comparison === 'prefixes';
      const structure = unroll(subject.program);
      if (structure.cuts.length > 0 || structure.divisions.length > 0) continue;
      if (structure.events.length > size || subject.program.threads.length > 2) continue;
      if (structure.events.some((e) => e.label === 'WT')) continue;
      for (const name of MODELS) {
        const [{ verdict }] = robustness(subject, name, [comparison]);
        expect([file, name, verdict]).toEqual([
          file,
          name,
          enumerated(subject.program, modelOf(name), prefixes),
        ]);
        if (verdict === 'robust') robust += 1;
        else not += 1;
      }
    }
    expect(Math.min(robust, not)).toBeGreaterThan(ALL ? 15 : 4);
  });
});

describe('random programs', () => {
  test('verdicts agree with each other, with the conditions, and with final states', () => {
    const counts = new Map<string, number>();
    fc.assert(
      fc.property(programs({ instructions: 3 }), (source) => {
        const text = inBlocks(source);
        const subject = litmus(text);
        for (const name of MODELS) {
          const [complete, prefixes, outcomes] = robustness(subject, name, COMPARISONS);
          const shown = [text, name, complete.verdict, prefixes.verdict, outcomes.verdict];
          const conditions = conditionsOf(subject.program, name)!;
          // Robustness paper, Thms 5 and 17, Cors. 1 and 3.
          if (proves(conditions))
            expect([...shown, prefixes.verdict]).toEqual([...shown, 'robust']);
          // Robustness paper, Thms 6 and 18.
          if (conditions.treeFenced.length === 0) expect(conditions.fenced).toEqual([]);
          if (prefixes.verdict === 'robust') expect(shown).not.toContain('not robust');
          if (complete.verdict === 'robust')
            expect([...shown, outcomes.verdict]).toEqual([...shown, 'robust']);
          const key = `${complete.verdict}${proves(conditions) ? ', proved' : ''}`;
          counts.set(key, (counts.get(key) ?? 0) + 1);
        }
      }),
      { numRuns: cases(45) },
    );
    const least = ['robust', 'robust, proved', 'not robust'].map((key) => counts.get(key) ?? 0);
    expect(Math.min(...least)).toBeGreaterThan(few(5));
  });

  test('with branches and loops, up to their bounds', () => {
    let proved = 0;
    fc.assert(
      fc.property(programs({ everything: true, waits: false, instructions: 4 }), (source) => {
        const text = inBlocks(source);
        const { program } = litmus(text);
        for (const name of MODELS) {
          if (!proves(conditionsOf(program, name)!)) continue;
          proved += 1;
          const options = { prefixes: true };
          const { verdict } = compareExecutions(program, modelOf(name), SC, newSolver, options);
          expect([text, name, verdict]).not.toContain('not robust');
        }
      }),
      { numRuns: cases(60) },
    );
    expect(proved).toBeGreaterThan(few(25));
  });
});

describe('a model and what another rules out', () => {
  test('random models: the solver finds an execution just where there is one', () => {
    const counts = { found: 0, none: 0 };
    fc.assert(
      fc.property(programs({ instructions: 2 }), models, models, (source, first, second) => {
        const { program } = litmus(inBlocks(source));
        const [model, reference] = [cat(first), cat(second)];
        const all: Execution[] = [];
        // Without a model: executions that any axiom could tell apart are different.
        const free = cat('acyclic po & 0\nempty (rf & nfo & mo) & 0');
        const visit = ({ execution }: { readonly execution: Execution }) =>
          void all.push(execution);
        const { incomplete } = enumerateCandidates(unroll(program), free, visit, { limit: 1500 });
        if (incomplete !== undefined) return;
        for (const question of violating(model, reference)) {
          const expected = all.some(
            (execution) =>
              evaluate(model, execution).consistent &&
              evaluate(reference, execution).axioms.some(
                ({ axiom, holds }) => axiom === question.axiom && !holds,
              ),
          );
          const session = openSession(program, question.model, newSolver);
          if ('reason' in session) throw new Error(session.reason);
          const { kind } = session.find();
          session.solver.dispose();
          expect([inBlocks(source), first, second, kind]).toEqual([
            inBlocks(source),
            first,
            second,
            expected ? 'found' : 'none',
          ]);
          counts[kind === 'found' ? 'found' : 'none'] += 1;
        }
      }),
      { numRuns: cases(80) },
    );
    expect(Math.min(counts.found, counts.none)).toBeGreaterThan(few(10));
  });

  test('a reference with several axioms gives several questions, one table of terms', () => {
    const reference = cat('acyclic po | rf as one\nirreflexive rf ; mo as two\n~empty rf as three');
    const questions = violating(SC, reference);
    expect(questions.map(({ axiom }) => axiom.name)).toEqual(['one', 'two', 'three']);
    expect(questions.map(({ model }) => model.axioms.at(-1)!.negated)).toEqual([true, true, false]);
    expect(new Set(questions.map(({ model }) => model.terms)).size).toBe(1);
    expect(violating(SC, SC)).toEqual([]);
  });
});
