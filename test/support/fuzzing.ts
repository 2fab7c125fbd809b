import { readFileSync, readdirSync } from 'node:fs';
import { join } from 'node:path';
import fc from 'fast-check';
import { expect } from 'vitest';
import { computeBounds } from '../../src/encode/bounds/bounds.js';
import type { Diagnostic, SourceFile } from '../../src/parse/diagnostics/index.js';
import { renderDiagnostic } from '../../src/parse/diagnostics/index.js';
import { unroll, unrollWithin } from '../../src/program/events/unroll.js';
import { parseModel } from '../../src/index.js';
import { readLitmus } from '../../src/node/tests.js';
import { MODELS_FOLDER } from '../../src/node/models.js';
import { MAIN_MODELS } from '../../src/model/shipped.js';
import type { Model } from '../../src/model/term.js';
import { inInstructionsOf } from '../../src/program/in-model.js';
import type { Test } from '../../src/program/program.js';
import { adapt } from '../../src/rdma/translate.js';
import { litmus, two } from './litmus.js';
import { ALL } from './random.js';
import { ROOT } from './run.js';

/**
 * Whatever the input, there is a result, or mistakes with their places: nothing is thrown, and
 * nothing goes on for ever. A failure prints its seed and the smallest input that fails.
 *
 * With `REMORA_SEED=<integer>` the inputs are those of that seed, and there are ten times as many as `npm run test:all` tries. This is
 * for daily runs, each with another number.
 */
const GIVEN = process.env['REMORA_SEED'];
const TIMES = GIVEN === undefined ? (ALL ? 1 : 0.4) : 10;
const SEED = GIVEN === undefined ? {} : { seed: Number.parseInt(GIVEN, 10) };

/** Milliseconds until a test counts as hanging; all of them together take a fraction. */
export const HANG = 60_000 * Math.max(1, TIMES);

export function always<T>(
  inputs: fc.Arbitrary<T>,
  numRuns: number,
  check: (input: T) => void,
): void {
  fc.assert(fc.property(inputs, check), { numRuns: Math.ceil(numRuns * TIMES), ...SEED });
}

/** Some inputs, for what is too slow to be run on each of them alone. */
export function some<T>(inputs: fc.Arbitrary<T>, count: number): readonly T[] {
  return fc.sample(inputs, { numRuns: count, ...SEED });
}

const filesOf = (folder: string, ending: string): string[] =>
  readdirSync(folder, { recursive: true, encoding: 'utf8' })
    .filter((name) => name.endsWith(ending))
    .sort()
    .map((name) => readFileSync(join(folder, name), 'utf8'));

/** The texts of the corpus and of the models. */
export const TESTS = filesOf(join(ROOT, 'corpus'), '.litmus');
export const MODELS = filesOf(MODELS_FOLDER, '.cat');

const main = MAIN_MODELS.map((name): Model => {
  const { model } = parseModel(
    readFileSync(join(MODELS_FOLDER, `${name}.cat`), 'utf8'),
    join(MODELS_FOLDER, `${name}.cat`),
  );
  if (!model.ok) throw new Error(`${name} does not load`);
  return model.value;
});

export const FILE = 'input.litmus';

/** What only a mistake of Remora's own can put into a message. */
const SLIPS = ['undefined', 'NaN', '[object Object]', 'Infinity', '\n    at '];

/** Mistakes are told in one way: where, what, the line and a caret below. */
export function checkErrors(
  errors: readonly Diagnostic[],
  sources: ReadonlyMap<string, SourceFile>,
): void {
  expect(errors.length).toBeGreaterThan(0);
  for (const error of errors) {
    const { span, message } = error;
    const text = sources.get(span.file)?.text;
    if (text === undefined) throw new Error(`a mistake in '${span.file}', which was not read`);
    if (!(0 <= span.start && span.start <= span.end && span.end <= text.length)) {
      throw new Error(`${message}: from ${span.start} to ${span.end} of ${text.length}`);
    }
    const rendered = renderDiagnostic(error, sources);
    if (text === '') continue;
    const [head, line, caret, ...more] = rendered.split('\n');
    const [, row, column] = /:(\d+):(\d+): \S/.exec(head)!.map(Number);
    const lines = text.split('\n');
    const isRight =
      /\S/.test(message) &&
      more.length === 0 &&
      row <= lines.length &&
      column <= lines[row - 1].length + 1 &&
      line.startsWith(`${row} | `) &&
      /^ +\| +\^+( {2}\S.*)?$/u.test(caret);
    // `expect` would take longer than what it is about: there are tens of thousands of mistakes.
    if (!isRight) throw new Error(`this is not how mistakes are told:\n${rendered}`);
    for (const slip of SLIPS) if (rendered.includes(slip)) expect(text).toContain(slip);
  }
}

/** A litmus text is refused with places, or is good for all stages before the solver. */
export function checkLitmus(text: string): void {
  const sources = new Map([[FILE, { path: FILE, text }]]);
  const { test, sources: read } = readLitmus(text, FILE);
  if (test.ok) checkTest(test.value, new Map([...sources, ...read]));
  else checkErrors(test.errors, new Map([...sources, ...read]));
}

function checkTest(
  { program, queries, models = main }: Test,
  sources: ReadonlyMap<string, SourceFile>,
): void {
  for (const { span } of queries) expect(span.end).toBeGreaterThan(span.start);
  for (const model of [...main, ...models]) {
    const adapted = adapt(program, model);
    if (!adapted.ok) checkErrors(adapted.errors, sources);
  }
  const structure = unrollWithin(20, program);
  if (structure === undefined) return;
  expect(structure.events.length).toBeLessThanOrEqual(20);
  const bounds = computeBounds(structure, models === main ? main[2] : models[0]);
  if (!bounds.ok) expect(bounds.reason).toMatch(/\S/);
}

const { program: SMALL } = litmus(two('thread T on 1 { z^2 := x; poll(2); a := y }'));

/** A model text is refused with places, or can be used. */
export function checkModel(text: string): void {
  const { model, sources } = parseModel(text);
  if (!model.ok) {
    checkErrors(model.errors, sources);
  } else if (model.value.terms.length < 300) {
    // Some have lost the operations that the program calls.
    const meant = inInstructionsOf(SMALL, model.value);
    if (meant.ok) expect(computeBounds(unroll(meant.value), model.value).ok).toBe(true);
  }
}
