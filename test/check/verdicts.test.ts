import { join } from 'node:path';
import fc from 'fast-check';
import { expect, test } from 'vitest';
import { groupBy } from '../../src/model/relation/groups.js';
import type { Model } from '../../src/model/term.js';
import { showQuery } from '../../src/program/print.js';
import { itemsOf, readProgram, testCases } from '../support/cases.js';
import { answers, litmus, modelsOf, states, verdicts } from '../support/checker.js';
import { two } from '../support/litmus.js';
import { cases, few } from '../support/random.js';

/** Verdicts of small programs, and all of their final states. */

/** What models answer, each answer once, with `under` and the models that give it. */
function byAnswer<T>(
  models: readonly Model[],
  answers: readonly T[],
): readonly (readonly [answer: T, under: string])[] {
  const groups = groupBy([...models.keys()], (i) => JSON.stringify(answers[i]));
  return [...groups.values()].map((group) => [
    answers[group[0]],
    `under ${group.map((i) => models[i].name).join(', ')}`,
  ]);
}

/** For each query `exists (a = 1): forbidden under sc, x86-tso`, and the reason after a colon. */
function verdictLines(text: string, models: readonly Model[]): readonly string[] {
  const given = models.map((model) => verdicts(text, model));
  return litmus(text).queries.flatMap((query, i) => {
    const said = byAnswer(
      models,
      given.map((all) => all[i]),
    );
    return said.map(([answer, under]) => {
      const [verdict, ...reason] = answer.split(/: (.*)/, 2);
      return [showQuery(query), `${verdict} ${under}`, ...reason].join(': ');
    });
  });
}

/** `final states under sc`, and below it a line for each, and for what makes the list incomplete. */
function stateLines(text: string, models: readonly Model[]): readonly string[] {
  const given = models.map((model) => states(text, model));
  return byAnswer(models, given).flatMap(([found, under]) => [
    `final states ${under}`,
    ...(found.length === 0 ? ['none'] : found).map((line) => `  ${line}`),
  ]);
}

/** What an expression is, where x = -7 and y = 2. */
function valueOf(expression: string): string {
  const nodes = 'RDMA t node 1 { x = -7; y = 2; r = 0 }';
  const [state] = states(`${nodes} thread T on 1 { r := ${expression} } exists (r = 0)`, 'sc');
  return `${expression} is ${state.replace('r=', '')}`;
}

testCases(join(import.meta.dirname, 'verdicts'), (input, kind) => {
  if (kind === 'values') return input.split('\n').map(valueOf).join('\n');
  const { settings, text } = readProgram(input, ['models', 'cat', 'ask']);
  const models = modelsOf(settings);
  const lines = { verdicts: verdictLines, states: stateLines };
  return itemsOf(settings.ask ?? 'verdicts')
    .flatMap((what) => lines[what as keyof typeof lines](text, models))
    .join('\n');
});

test.each(['sc', 'rdma-tso'])('what is said of all runs holds for longer ones: %s', (model) => {
  let [empty, complete] = [0, 0];
  fc.assert(
    fc.property(looping, (threads) => {
      const text = `RDMA t node 1 { x = 0 } node 2 { z = 0 } ${threads} exists (x = 0)`;
      const [verdict] = verdicts(text, model, 1);
      const [short, long] = [states(text, model, 1), states(text, model, 3)];
      if (verdict.startsWith('vacuous')) {
        empty += 1;
        expect(long.filter((state) => state.includes('='))).toEqual([]);
      } else if (!short.some((line) => /^(up to|incomplete)/.test(line))) {
        complete += 1;
        expect(long).toEqual(short);
      }
    }),
    { numRuns: cases(150), seed: 8 },
  );
  expect(empty).toBeGreaterThan(few(15));
  expect(complete).toBeGreaterThan(few(10));
});

/** One or two threads with loops, assumptions and polls. */
const looping: fc.Arbitrary<string> = (() => {
  const plain = fc.constantFrom(
    'x := x + 1',
    'z^2 := x',
    'poll(2)',
    'assume(x = 2)',
    'assume(x < 2)',
    'assume(0)',
  );
  const inner = fc.oneof(fc.constant('x := x + 1'), plain);
  const piece = fc.oneof(
    plain,
    inner.map((body) => `loop { ${body} }`),
    inner.map((body) => `while (x < 2) { ${body} }`),
    inner.map((body) => `while (x = 1) { ${body} }`),
    fc.tuple(inner, inner).map(([a, b]) => `choose { ${a} } or { ${b} }`),
    fc.tuple(inner, inner).map(([a, b]) => `if (x = 1) { ${a} } else { ${b} }`),
  );
  const body = (maxLength: number) => fc.array(piece, { minLength: 1, maxLength });
  const second = fc.option(body(2), { freq: 1 });
  return fc
    .tuple(body(3), second)
    .map(([a, b]) =>
      [
        `thread T on 1 { ${a.join('; ')} }`,
        ...(b === null ? [] : [`thread U on 1 { ${b.join('; ')} }`]),
      ].join(' '),
    );
})();

test('what answers comes with its state and its execution', () => {
  const [found, none, fails] = answers(
    two(`thread T on 1 { x := 1 } thread U on 1 { a := x; b := x }
      exists (a = 0 /\\ b = 1) exists (a = 1 /\\ b = 0) forall (b = 1)`),
    'sc',
  );
  expect(found.state).toEqual({ a: 0, b: 1 });
  expect(found.witness?.reads.map(([, value]) => value)).toEqual([0, 1]);
  expect(none.state).toBeUndefined();
  expect(none.witness).toBeUndefined();
  expect(fails.state).toMatchObject({ b: 0 });
});
