import { mkdtempSync, readFileSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { describe, expect, test } from 'vitest';
import {
  PAGE,
  PICTURE,
  TOPICS,
  differencesPage,
  differencesOf,
} from '../../scripts/differences.js';
import { shippedModels } from '../../src/node/models.js';
import { blocksOf, textOf } from '../support/documents.js';
import { ALL, QUICK } from '../support/random.js';
import { ROOT, remora } from '../support/run.js';

/** docs/differences.md: the smallest programs that tell the models apart that come with Remora. */

const programs = blocksOf(PAGE).filter(({ language }) => language === 'litmus');

const ALL_MODELS = [...new Set(TOPICS.flatMap(({ models }) => models))].join();

test('every model of RDMA is in the first table', () => {
  const cpus = ['sc', 'x86-tso', 'x86-tso-textbook'];
  expect(TOPICS[0].models).toEqual(shippedModels().filter((name) => !cpus.includes(name)));
});

// The programs were found by going through executions.
test.each(QUICK ? ['search'] : ['search', 'smt'])(
  'every program has the verdicts that it expects, by the engine %s',
  async (engine) => {
    const folder = mkdtempSync(join(tmpdir(), 'remora-differences-'));
    for (const [i, { text }] of programs.entries()) {
      writeFileSync(join(folder, `${i}.litmus`), text);
    }
    const { code, stdout } = await remora([
      'test',
      folder,
      '--quiet',
      '-m',
      ALL_MODELS,
      '--engine',
      engine,
    ]);
    rmSync(folder, { recursive: true });
    const expected = programs.flatMap(({ text }) =>
      [...text.matchAll(/expect \w+ under (.*)/g)].flatMap(([, models]) => models.split(', ')),
    );
    expect(stdout).toContain(` ${expected.length} expectations held, 0 failed`);
    expect(code).toBe(0);
  },
  300_000,
);

describe.each(TOPICS)('$title', ({ name, models }) => {
  const own = programs.filter(({ text }) => text.startsWith(`RDMA ${name}-`));

  test('each program tells models of the table apart', () => {
    expect(own.length).toBeGreaterThan(0);
    for (const { text } of own) {
      const named = (verdict: string): readonly string[] =>
        [...text.matchAll(new RegExp(`expect ${verdict} under (.*)`, 'g'))].flatMap(([, list]) =>
          list.split(', '),
        );
      const isVacuous = /^# no execution under /m.test(text);
      expect(named('allowed').length).toBeGreaterThan(0);
      expect(named('forbidden').length > 0 || isVacuous).toBe(true);
      const all = [...named('allowed'), ...named('forbidden')];
      expect(all.filter((model) => !models.includes(model))).toEqual([]);
    }
  });
});

test('the picture has the order of the first table', () => {
  const [, order] = /^Those that allow less come first: (.*)\.$/m.exec(textOf(PAGE))!;
  const svg = readFileSync(join(ROOT, PICTURE), 'utf8');
  const edges = [...svg.matchAll(/<title>(\w+)&#45;&gt;(\w+)<\/title>/g)];
  expect(edges.map(([, less, more]) => `${less} < ${more}`).sort()).toEqual(
    order.split(', ').sort(),
  );
});

test.runIf(ALL)(
  'the page is what Remora finds (npm run golden)',
  () => {
    expect(textOf(PAGE)).toBe(differencesPage(TOPICS.map(differencesOf)));
  },
  900_000,
);
