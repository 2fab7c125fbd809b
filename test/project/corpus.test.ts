import { readFileSync, readdirSync } from 'node:fs';
import { join, relative } from 'node:path';
import { beforeAll, describe, expect, test } from 'vitest';
import { decide } from '../../src/check/decide.js';
import { departs, expectedOf } from '../../src/check/expectation.js';
import type { Answer } from '../../src/check/result.js';
import { loadC } from '../../src/node/c.js';
import { loadModelNamed } from '../../src/node/models.js';
import { CPU_MODEL, MAIN_MODELS } from '../../src/model/shipped.js';
import type { Model } from '../../src/model/term.js';
import { isRemote } from '../../src/program/instructions.js';
import type { Query, Test } from '../../src/program/program.js';
import { decideRuns } from '../../src/explore/decide.js';
import { isMachine } from '../../src/machine/layers.js';
import { showQuery } from '../../src/program/print.js';
import { isStateQuery } from '../../src/program/program.js';
import { adapt } from '../../src/rdma/translate.js';
import { goldenTable } from '../../src/report/golden.js';
import type { VerdictRecord } from '../../src/report/record.js';
import { modelsOf, testUnder } from '../../src/cli/inputs/clients.js';
import type { CorpusTest } from '../../src/cli/inputs/corpus.js';
import { readCorpus } from '../../src/cli/inputs/corpus.js';
import { CLIENTS } from '../support/corpus.js';
import { ALL, QUICK } from '../support/random.js';
import { ClauseSearch } from '../../src/solve/search/search.js';

/**
 * Every published and every reviewed verdict of the corpus, the golden table, determinism: by Remora's own search. In test/check/stages, Z3 has the
 * same answers. The quick tests have the folders of which most verdicts are published; the long tests have all else.
 */

const QUICK_FOLDERS = ['corerma', 'decidability', 'loco', 'protocols', 'rmw', 'robustness', 'tso'];

if (!QUICK) await loadC();

const files = readdirSync('corpus', { recursive: true, encoding: 'utf8' }).filter((f) =>
  /\.(litmus|c)$/.test(f),
);
const { tests, errors } = readCorpus(
  QUICK ? QUICK_FOLDERS.map((folder) => `corpus/${folder}`) : ['corpus/'],
  { items: [] },
);

const clients = new Set(CLIENTS.map(({ file }) => file));
const isTried = (file: string): boolean =>
  ALL || (QUICK_FOLDERS.includes(file.split('/')[0]) && !clients.has(file)) === QUICK;

const models: readonly Model[] = [...MAIN_MODELS, CPU_MODEL].map(modelNamed);

function modelNamed(name: string): Model {
  const { model } = loadModelNamed(name);
  if (!model.ok) throw new Error(`${name} does not load`);
  return model.value;
}

function record(test: Test, model: Model): VerdictRecord {
  const source = { path: test.file, text: readFileSync(test.file, 'utf8') };
  const head = { test, source, model: model.name };
  const adapted = adapt(test.program, model);
  if (!adapted.ok) {
    return { ...head, answers: [], untranslatable: adapted.errors[0].message };
  }
  const answers: Answer[] = [];
  const program = adapted.value.program;
  const [onStates, onRuns] = [true, false].map((on) =>
    [...test.queries.keys()].filter((q) => isStateQuery(test.queries[q]) === on),
  );
  const asked = { ...test, program };
  if (onStates.length > 0) {
    const options = { queries: onStates, acyclicity: 'difference' } as const;
    decide(
      asked,
      model,
      () => new ClauseSearch(Infinity),
      options,
      (a) => answers.push(a),
    );
  }
  if (onRuns.length > 0 && isMachine(model)) {
    answers.push(...decideRuns(asked, model, onRuns, { deadline: Infinity }));
  }
  return { ...head, answers: answers.sort((a, b) => a.query - b.query) };
}

const decided = new Map<string, VerdictRecord>();

/** The same, decided once for all tests that ask for it. */
function recordOf(test: Test, model: Model): VerdictRecord {
  const key = `${test.file} ${model.name}`;
  const known = decided.get(key) ?? record(test, model);
  decided.set(key, known);
  return known;
}

function itemOf(file: string): CorpusTest {
  const found = tests.find(({ source }) => source.path === join('corpus', file));
  if (found === undefined) throw new Error(`${file} was not read`);
  return found;
}

/** What is asked under each model: clients bring their own, and one of CPUs is asked about CPU programs only. */
const askedOf = (item: CorpusTest): readonly { readonly test: Test; readonly model: Model }[] => {
  const asked = models.filter(({ name }) => name !== CPU_MODEL || !isRemote(item.test.program));
  return modelsOf(item, asked).map((model) => ({ test: testUnder(item, model), model }));
};

/** Models of which something is published that the table does not have: what other papers, or other hardware, say. */
const others: readonly Model[] = ['corerma', 'rdma-inline'].map(modelNamed);

const othersOf = (query: Query): readonly Model[] =>
  others.filter(({ name }) =>
    ['published', 'computed'].includes(expectedOf(query, name)?.authority ?? ''),
  );

describe.each(files.filter(isTried))('%s', (file) => {
  const item = itemOf(file);
  const subject = item.test;
  const records = new Map<string, VerdictRecord>();
  beforeAll(() => {
    const others = subject.queries.flatMap(othersOf).map((model) => ({ test: subject, model }));
    for (const { test, model } of [...askedOf(item), ...others])
      records.set(model.name, recordOf(test, model));
  });

  test('is named after its file and asks something', () => {
    expect(file.replace(/\.\w+$/, '').endsWith(subject.name)).toBe(true);
    expect(subject.queries.length).toBeGreaterThan(0);
  });

  for (const [index, query] of subject.queries.entries()) {
    for (const { name } of [...modelsOf(item, models), ...othersOf(query)]) {
      const expected = expectedOf(query, name);
      if (expected === undefined) continue;
      test(`${showQuery(query)} is ${expected.verdict} under ${name} (${expected.authority})`, () => {
        const record = records.get(name);
        // Nobody wrote a claim for models that cannot be asked about this program.
        const isAsked = record !== undefined && record.untranslatable === undefined;
        if (expected.authority === 'claim' && !isAsked) return;
        const answer = record?.answers.find((a) => a.query === index);
        expect(answer?.verdict).toBe(expected.verdict);
        expect(departs(query, name, answer!)).toBe(false);
      });
    }
  }
});

test('every published test is there', () => {
  const published = files.filter(
    (f) =>
      !/^(c|field|events|cells|columns|corerma|protocols|fabrics|hosts|rmw|locks|libraries)\//.test(
        f,
      ),
  );
  // 37 of the TSO paper's appendix (TSO paper, §5), four of its Fig. 1 and one of its Fig. 3; 12 of the robustness
  // paper and nine on its text and theorems, eight of the decidability paper and five of the LOCO paper that no other states; 15 clients of
  // libraries from the LOCO paper, and the one that refutes its Theorem 5.3.
  expect(published).toHaveLength(42 + 12 + 9 + 8 + 5 + 15 + 1);
});

test.skipIf(QUICK)('docs/findings.md says how many verdicts are published', () => {
  const published = tests.flatMap((item) =>
    item.test.queries.flatMap((query) =>
      modelsOf(item, models).filter(
        ({ name }) => expectedOf(query, name)?.authority === 'published',
      ),
    ),
  );
  const claim = `computes all ${published.length} published verdicts of the corpus as they were published`;
  expect(readFileSync('docs/findings.md', 'utf8')).toContain(claim);
});

test('corpus/outcomes.md is what is computed (npm run golden)', () => {
  expect(errors).toEqual([]);
  const records = tests
    .filter(({ source }) => isTried(relative('corpus', source.path)))
    .flatMap((item) =>
      askedOf(item).map(({ test, model }) => ({ ...recordOf(test, model), test: item.test })),
    );
  const computed = goldenTable(
    records,
    models.map((m) => m.name),
  );
  const kept = readFileSync('corpus/outcomes.md', 'utf8');
  const isWhole = ({ heading }: Section): boolean =>
    ALL || QUICK_FOLDERS.includes(heading.replace('## corpus/', '')) === QUICK;
  expect(sectionsOf(computed).filter(isWhole)).toEqual(sectionsOf(kept).filter(isWhole));
});

interface Section {
  readonly heading: string;
  readonly text: string;
}

/** The table of each folder. */
const sectionsOf = (table: string): readonly Section[] =>
  table.split(/^(?=## )/m).map((text) => ({ heading: text.split('\n')[0], text: text.trimEnd() }));

test.runIf(QUICK || ALL)('answers do not depend on what was decided before', () => {
  const jobs = files.filter(isTried).slice(0, 60).map(itemOf).flatMap(askedOf);
  const answersOf = ({ answers }: VerdictRecord): string =>
    JSON.stringify(answers.map((a) => ({ ...a, milliseconds: 0 })));
  const forwards = jobs.map(({ test, model }) => answersOf(recordOf(test, model)));
  const backwards = [...jobs].reverse().map(({ test, model }) => answersOf(record(test, model)));
  expect(backwards.reverse()).toEqual(forwards);
});
