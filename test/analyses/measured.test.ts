import { join } from 'node:path';
import fc from 'fast-check';
import { expect, test } from 'vitest';
import { inProcess } from '../../src/analyses/in-process.js';
import { addUp } from '../../src/analyses/measured/add-up.js';
import { askMeasured } from '../../src/analyses/measured/ask.js';
import type { Results } from '../../src/analyses/measured/read.js';
import { readResults } from '../../src/analyses/measured/read.js';
import { parseLitmus } from '../../src/node/tests.js';
import { renderDiagnostic } from '../../src/parse/diagnostics/index.js';
import { measuredText } from '../../src/report/measured.js';
import { showState } from '../../src/report/record.js';
import { testCases } from '../support/cases.js';
import { modelOf, newSolver } from '../support/checker.js';

/** Results of cards, read and held against models. What models allow is that of corpus/fabrics. */

const CARD = {
  ...{ remora: 'results 1', card: 'mlx5_0', vendor: 713, part: 4123, firmware: '20.1' },
  ...{ driver: 'mlx5_core', cpu: 'a CPU', link: 'infiniband', processes: 1, relaxed: false },
  ...{ pinned: true, rounds: 10, seed: 1 },
};

const MP = `RDMA mp
node 1 { one = 1 }
node 2 { d = 0; f = 0 }
thread T1 on 1 { d^2 := one; f^2 := one }
thread T2 on 2 { r := f; s := d }
exists (r = 1 /\\ s = 0)
`;

/** The lines of a file, written out. */
const fileOf = (lines: string): string =>
  lines
    .trim()
    .replaceAll(/^CARD ?(.*)$/gm, (_, more: string) =>
      JSON.stringify({ ...CARD, ...(JSON.parse(more || '{}') as object) }),
    )
    .replaceAll(
      /^MP (\d+)$/gm,
      (_, rounds: string) => `{"test":"mp","rounds":${rounds},"dropped":0,"program":"PROGRAM"}`,
    )
    .replaceAll('"PROGRAM"', () => JSON.stringify(MP));

function read(text: string): Results | string {
  const source = { path: 'results.jsonl', text };
  const found = readResults(source, parseLitmus);
  if (found.ok) return found.value;
  return found.errors
    .map((error) => renderDiagnostic(error, new Map([[source.path, source]])))
    .join('\n');
}

function told({ card, tests }: Results): string {
  const lines = tests.map(({ test: { name }, rounds, leftOut, seen }) => {
    const states = seen.map(({ state, times }) => `${showState(state)}: ${times}`).join('; ');
    return `${name}: ${leftOut === undefined ? `${rounds} rounds: ${states}` : `left out: ${leftOut}`}`;
  });
  return lines.map((line) => `${card.card}, ${card.firmware}: ${line}`).join('\n');
}

const SETTING = /^(models|named|others): (.*)\n/gm;

testCases(join(import.meta.dirname, 'measured'), async (input, kind) => {
  if (kind === 'read') {
    const found = read(fileOf(input));
    return typeof found === 'string' ? found : told(found);
  }
  const settings = new Map([...input.matchAll(SETTING)].map(([, key, list]) => [key, list]));
  const modelsIn = (key: string) => settings.get(key)?.split(', ').map(modelOf) ?? [];
  const files = input.replaceAll(SETTING, '').split(/^FILE$/m);
  const results = files.map((file) => {
    const found = read(fileOf(file));
    if (typeof found === 'string') throw new Error(found);
    return found;
  });
  const { cards, tests } = addUp(results);
  const pool = inProcess({ solver: async () => newSolver });
  const areNamed = settings.has('named');
  const models = modelsIn(areNamed ? 'named' : 'models');
  const question = { models, areNamed, others: modelsIn('others') };
  const found = [];
  for (const item of tests) found.push(await askMeasured(pool, item, question));
  const report = { cards, models: models.map(({ name }) => name), tests: found, columns: [] };
  return measuredText(report, Infinity);
});

test('whatever becomes of a file, it has results that add up, or one mistake with a place in it', () => {
  const good = fileOf(
    'CARD\nMP 3\n{"seen":{"T2:r":0,"T2:s":0},"times":1}\n{"seen":{"T2:r":1,"T2:s":1},"times":2}\n{"tests":1}\n',
  );
  const piece = fc.constantFrom(
    ...['"', '{', '}', '[', ',', ':', '\\', '\n', '\r', '-', '0', '9e9', '1e999', 'null', 'é'],
    ...['"times":1', '"seen":{}', '{"tests":1}\n', '"dropped":1,', '"leftOut":"x",', 'RDMA', ''],
  );
  const place = fc.nat(good.length);
  const edit = fc.tuple(place, fc.oneof(fc.nat(4), place), piece);
  fc.assert(
    fc.property(fc.array(edit, { minLength: 1, maxLength: 3 }), (edits) => {
      const text = edits.reduce(
        (old, [at, length, put]) => old.slice(0, at) + put + old.slice(at + length),
        good,
      );
      const found = readResults({ path: 'results.jsonl', text }, parseLitmus);
      if (found.ok) {
        for (const { rounds, seen } of found.value.tests) {
          expect(seen.reduce((sum, { times }) => sum + times, 0)).toBe(rounds);
        }
        return;
      }
      expect(found.errors).toHaveLength(1);
      const [{ span, message }] = found.errors;
      expect(message).not.toBe('');
      expect(0 <= span.start && span.start <= span.end && span.end <= text.length).toBe(true);
    }),
    { numRuns: 500, seed: 5 },
  );
});

test('what is undecided refutes nothing', async () => {
  const results = read(
    fileOf('CARD\nMP 1\n{"seen":{"T2:r":1,"T2:s":0},"times":1}\n{"tests":1}\n'),
  ) as Results;
  const { cards, tests } = addUp([results]);
  const pool = inProcess({ solver: async () => newSolver });
  const undecided = {
    ...pool,
    outcomes: async () => ({
      states: [],
      flags: [],
      milliseconds: 0,
      incomplete: 'the time is up',
    }),
  };
  const question = { models: [modelOf('rdma-tso')], areNamed: true, others: [] };
  const found = await askMeasured(undecided, tests[0], question);
  expect(found.alarms).toEqual([]);
  const report = { cards, models: ['rdma-tso'], tests: [found], columns: [] };
  const text = measuredText(report, Infinity);
  expect(text).toContain('r = 1, s = 0 (1)  ?      1/1');
  expect(text).toContain('Left: rdma-tso. Refuted: none.');
});
