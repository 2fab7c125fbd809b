import { describe, expect, test } from 'vitest';
import { expectedOf } from '../../src/check/expectation.js';
import { parseLitmus } from '../../src/index.js';
import type { Hardware, MachineRun } from '../../src/rdma/machines/index.js';
import {
  OPERATIONAL_MODELS,
  describeRun,
  exploreOutcomes,
  findRun,
  unsupported,
} from '../../src/rdma/machines/index.js';
import { finalValue, isFinal, startOf, stepsOf } from '../../src/rdma/machines/machine.js';
import { stateKey } from '../../src/rdma/machines/state.js';
import { isStateQuery } from '../../src/program/program.js';
import type { Program, StateQuery } from '../../src/program/program.js';
import { holds } from '../../src/check/witness/witness.js';
import { PLAIN_FILES } from '../support/corpus.js';
import { litmus, two, valueOf } from '../support/litmus.js';

/** Runs of the operational engine: for published verdicts, in words; and what it cannot explore. */

const MODELS = [...OPERATIONAL_MODELS];
const TSO = OPERATIONAL_MODELS.get('rdma-tso')!;

const programOf = (threads: string): Program => litmus(two(threads)).program;

const corpus = PLAIN_FILES.map(({ file, text }) => valueOf(parseLitmus(text, file)));

describe('published verdicts', () => {
  const runnable = corpus.filter((t) => unsupported(t.program).length === 0);
  const asked = runnable.flatMap((t) =>
    t.queries.filter(isStateQuery).flatMap((query) =>
      MODELS.flatMap(([model, hardware]) => {
        const expected = expectedOf(query, model);
        if (expected === undefined || expected.authority === 'claim') return [];
        return [{ t, query, hardware, expected: expected.verdict }];
      }),
    ),
  );

  test.each(['allowed', 'fails'])('%s: a run ends in the state', (verdict) => {
    for (const { t, query, hardware } of asked.filter((a) => a.expected === verdict)) {
      const run = runFor(t.program, query, hardware);
      expect(run, `${t.name}: ${query.text}`).toBeDefined();
      expectReplayed(run!);
      expect(holds(query.condition, finalOf(run!))).toBe(query.quantifier !== 'forall');
    }
  });

  test.each(['forbidden', 'holds'])('%s: no run ends in such a state', (verdict) => {
    for (const { t, query, hardware } of asked.filter((a) => a.expected === verdict)) {
      expect(runFor(t.program, query, hardware), `${t.name}: ${query.text}`).toBeUndefined();
    }
  });

  /** A run that shows `allowed` or `fails`. */
  function runFor(program: Program, query: StateQuery, hardware: Hardware): MachineRun | undefined {
    const wanted = query.quantifier !== 'forall';
    const found = findRun(program, hardware, (final) => holds(query.condition, final) === wanted);
    expect(found.kind).not.toBe('unknown');
    return found.kind === 'found' ? found.run : undefined;
  }
});

const finalOf =
  ({ start, steps }: MachineRun): Parameters<typeof holds>[1] =>
  (subject) =>
    finalValue(steps.at(-1)?.state ?? start, subject);

/** Takes each step of a run from the state before it, and expects to come to the state after. */
function expectReplayed({ machine, start, steps }: MachineRun): void {
  expect(start).toEqual(startOf(machine));
  let state = start;
  for (const step of steps) {
    const same = [...stepsOf(machine, state)].filter(
      (s) => stateKey(s.state) === stateKey(step.state),
    );
    expect(same.map((s) => s.move)).toContainEqual(step.move);
    state = step.state;
  }
  expect(isFinal(machine, state)).toBe(true);
}

/** The transitions of the TSO paper, Figs. 6, 8, 19 and 20 and what its buffers hold. */
describe('a run in words', () => {
  const inWords = (program: Program, hardware: Hardware): readonly string[] => {
    const found = findRun(program, hardware, () => true);
    return found.kind === 'found' ? describeRun(found.run) : [];
  };

  test('says what moves, and what is where after it', () => {
    const program = programOf('thread T on 1 { x := 1; z^2 := x; poll(2); a := x }');
    expect(inWords(program, TSO)).toEqual([
      'start',
      '  memory: x = 0, y = 0, z = 0, w = 0',
      'T writes x := 1 to its store buffer',
      '  memory: x = 0, y = 0, z = 0, w = 0',
      '  T store buffer: x := 1',
      'T puts z^2 := x into its store buffer',
      '  memory: x = 0, y = 0, z = 0, w = 0',
      '  T store buffer: x := 1, z^2 := x',
      "T's store buffer writes x := 1 to memory",
      '  memory: x = 1, y = 0, z = 0, w = 0',
      '  T store buffer: z^2 := x',
      "T's store buffer hands z^2 := x to the queue pair",
      '  memory: x = 1, y = 0, z = 0, w = 0',
      '  T->2 pipe: z^2 := x',
      'T->2 reads x = 1 for z^2 := x',
      '  memory: x = 1, y = 0, z = 0, w = 0',
      '  T->2 pipe: z := 1',
      'T->2 delivers z := 1 to wbR and acknowledges it',
      '  memory: x = 1, y = 0, z = 0, w = 0',
      '  T->2 pipe: ack',
      '  T->2 wbR: z := 1',
      'T->2 notifies the completion of a put',
      '  memory: x = 1, y = 0, z = 0, w = 0',
      '  T->2 wbR: z := 1',
      '  T->2 wbL: cn',
      'T polls a completion from node 2',
      '  memory: x = 1, y = 0, z = 0, w = 0',
      '  T->2 wbR: z := 1',
      'T->2 writes z := 1 to memory',
      '  memory: x = 1, y = 0, z = 1, w = 0',
      'T reads x = 1',
      '  memory: x = 1, y = 0, z = 1, w = 0',
      'T sets a = 1',
      '  memory: x = 1, y = 0, z = 1, w = 0',
    ]);
  });

  test('has words for every kind of move', () => {
    const threads = `thread T on 1 {
      x := w^2; rfence(2); z^2 := 7; poll(2); a := CAS(y, 0, 1); a := CAS(y, 0, 1); mfence; y := 2; a := y
    }`;
    const moves = (hardware: Hardware): readonly string[] =>
      inWords(programOf(threads), hardware).filter((line) => !line.startsWith(' '));
    const concrete = { ...TSO, queuePairs: 'six-buffers' } as const;
    expect(new Set(moves(concrete))).toEqual(
      new Set([
        'start',
        'T puts x := w^2 into its store buffer',
        "T's store buffer hands x := w^2 to the queue pair",
        'T->2 moves x := w^2 on',
        'T->2 reads w = 0 for x := w^2',
        'T->2 moves x := 0 on',
        'T->2 returns x := 0 to wbL and notifies its completion',
        'T->2 writes x := 0 to memory',
        'T puts rfence(2) into its store buffer',
        "T's store buffer hands rfence(2) to the queue pair",
        'T->2 is done with rfence(2)',
        'T puts z^2 := 7 into its store buffer',
        "T's store buffer hands z^2 := 7 to the queue pair",
        'T->2 reads the constant of z^2 := 7',
        'T->2 delivers z := 7 to wbR and acknowledges it',
        'T->2 moves ack on',
        'T->2 notifies the completion of a put',
        'T->2 writes z := 7 to memory',
        'T polls a completion from node 2',
        "T's CAS finds y = 0 and writes 1 to memory",
        "T's CAS finds y = 1, not 0",
        'T sets a = 1',
        'T passes its mfence',
        'T writes y := 2 to its store buffer',
        'T reads y = 2 in its store buffer',
        'T sets a = 2',
        "T's store buffer writes y := 2 to memory",
      ]),
    );
    expect(moves({ ...TSO, storeBuffers: false })).toContain('T writes y := 2 to memory');
  });
});

describe('what is not explored', () => {
  test('the state limit leaves the question open', () => {
    const racing = programOf(
      'thread T on 1 { x := 1; a := y; x := 2 } thread U on 1 { y := 1; a := x; y := 2 }',
    );
    const { incomplete, explored } = exploreOutcomes(racing, TSO, { stateLimit: 5 });
    expect(incomplete).toBe('state limit of 5 reached');
    expect(explored).toBe(5);
    expect(findRun(racing, TSO, () => false, { stateLimit: 5 })).toEqual({
      kind: 'unknown',
      reason: 'state limit of 5 reached',
    });
    expect(findRun(racing, TSO, () => false)).toEqual({ kind: 'none' });
  });

  test('a loop beyond its bound', () => {
    const waiting = programOf('thread T on 1 { x := 1 } thread U on 1 { while (x = 0) { skip } }');
    expect(exploreOutcomes(waiting, TSO)).toMatchObject({ upTo: 3, states: [{ x: 1 }] });
    expect(exploreOutcomes(waiting, TSO, { bound: 1 })).toMatchObject({ upTo: 1 });
    expect(findRun(waiting, TSO, () => false)).toEqual({ kind: 'none', upTo: 3 });
    const endless = programOf('thread T on 1 { while (1) { skip } }');
    expect(exploreOutcomes(endless, TSO)).toMatchObject({ upTo: 3, states: [] });
  });

  test('a poll that has nothing to poll', () => {
    const blocked = programOf('thread T on 1 { z^2 := x; poll(2); poll(2) }');
    const { states, upTo, incomplete } = exploreOutcomes(blocked, TSO);
    expect({ states, upTo, incomplete }).toEqual({ states: [] });
  });

  test('a value that is not defined', () => {
    const reason = 'some run divides by zero';
    const divided = programOf('thread T on 1 { a := 1 / x } thread U on 1 { x := 1 }');
    expect(exploreOutcomes(divided, TSO)).toMatchObject({ states: [{ a: 1 }], incomplete: reason });
    expect(findRun(divided, TSO, () => false)).toEqual({ kind: 'unknown', reason });
  });

  test('waits, which have no operational semantics', () => {
    const text = 'RDMA t node 1 { x = 0 } node 2 { z = 0 } thread T on 1 { z^2 :=^d x; wait(d) }';
    const { program } = litmus(text);
    const [error, ...more] = unsupported(program);
    expect(more).toEqual([]);
    expect(error.message).toBe('wait(d) cannot be run: waits have no operational semantics');
    expect(text.slice(error.span.start, error.span.end)).toBe('wait(d)');
    expect(unsupported(programOf('thread T on 1 { z^2 :=^d x; poll(2) }'))).toEqual([]);
  });
});
