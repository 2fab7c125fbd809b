import { askFix } from '../src/analyses/ask/fix.js';
import type * as core from '../src/core.js';
import { GAVE_UP } from '../src/check/stages.js';
import { FABRIC_MODELS } from '../src/model/fabrics.js';
import { showQuery } from '../src/program/print.js';
import { DEFAULT_COSTS } from '../src/rdma/additions.js';
import * as report from '../src/report/fabric-rows.js';
import type { Decider } from './decided.js';
import { decided } from './decided.js';
import type { InC } from './in-c.js';
import type { AskedModel, Mistake, OnAllFabrics, Part, Question } from './question.js';

const CLIENT =
  'This is a client of libraries: they decide it, whatever the fabric. The other tab has the answer.';

/** A program, and what it is asked under: `names[i]` is what the page calls `models[i]`. */
interface Asked {
  readonly test: core.Test;
  readonly source: core.SourceFile;
  readonly models: readonly core.Model[];
  readonly names: readonly string[];
  readonly warnings: readonly Mistake[];
}

/** All fabrics, and after them the reader's own models. */
export const modelsOnFabrics = ({ models }: Question): readonly AskedModel[] => [
  ...FABRIC_MODELS.map((name) => ({ name })),
  ...models.filter(({ text }) => text !== undefined),
];

/** On which fabrics a program is safe, and then, one after the other, what would rule out what can go wrong. */
export async function* askFabrics(
  asked: Asked,
  by: Decider,
  inC: InC | undefined,
): AsyncGenerator<Part> {
  const { test, source, models, warnings } = asked;
  const head = { kind: 'fabrics', name: test.name, warnings } as const;
  if (test.models !== undefined) {
    yield { ...head, queries: [], refused: CLIENT, open: false };
    return;
  }
  const records: core.VerdictRecord[] = [];
  for (const model of models) records.push(await decided(test, source, model, by));
  const rows = [...test.queries.keys()].map((query) =>
    report.fabricRow(
      { test, source },
      query,
      records.map((record) => report.onFabric(record, query)),
    ),
  );
  const open = rows.some(({ on }) => on.some(({ answer }) => answer?.reason === GAVE_UP));
  yield { ...head, queries: rows.map((row) => shown(row, asked)), open };
  yield* fixes(rows, models, by, inC);
}

/** With each fix that is found, all fixes so far. */
async function* fixes(
  rows: readonly report.FabricRow[],
  models: readonly core.Model[],
  { engine, pool }: Decider,
  inC: InC | undefined,
): AsyncGenerator<Part> {
  const found = rows.map(({ on }) => [...on]);
  const options = { costs: DEFAULT_COSTS, engine };
  for (const [i, { test, query, on }] of rows.entries()) {
    for (const [k, one] of on.entries()) {
      if (report.goesWrong(one) !== true) continue;
      const fix = await askFix(pool, test, models[k], query, options);
      const asked = { test, model: models[k], query };
      found[i][k] = { ...one, fix: (await inC?.fix(fix, asked)) ?? fix };
      const queries = rows.flatMap((row, n) => {
        const groups = report
          .fixGroups({ ...row, on: found[n] })
          .map(({ models, lines, patch }) => ({
            models,
            lines: patch.length > 0 ? [...lines, '', ...patch] : lines,
          }));
        return groups.length === 0 ? [] : [{ text: textOf(row), groups }];
      });
      yield { kind: 'fixes', queries };
    }
  }
}

const textOf = ({ test, query }: report.FabricRow): string => showQuery(test.queries[query]);

function shown(row: report.FabricRow, { models, names }: Asked): OnAllFabrics {
  const titles = report.withoutStart(new Map(models.map(({ name, title }) => [name, title])));
  return {
    text: textOf(row),
    fabrics: row.on.map((one, i) => ({
      name: names[i],
      model: one.model,
      verdict: report.outcomeOn(one),
      said: report.saidOf(one, titles),
    })),
    summary: report.inWords(row),
    assuming: report.assumedFor(row),
  };
}
