import { askFix } from '../../analyses/ask/fix.js';
import { askWhy } from '../../analyses/ask/explain.js';
import type { Pool } from '../../analyses/workers.js';
import type { Fix } from '../../analyses/repair/fix.js';
import { queryAt } from '../../editor/hover.js';
import type { Workspace } from '../../editor/workspace.js';
import type { LoadedModel } from '../../model/load.js';
import { loadModelNamed } from '../../model/shipped.js';
import type { Model } from '../../model/term.js';
import type { Client } from '../../program/client.js';
import type { Test } from '../../program/program.js';
import { DEFAULT_COSTS } from '../../rdma/additions.js';
import { PLAIN } from '../../report/colours.js';
import { foundIn, recomputed } from '../../report/computed.js';
import { explanationText } from '../../report/explain.js';
import { decidedBy } from '../../report/record.js';
import type { VerdictRecord } from '../../report/record.js';
import { verdictText } from '../../report/text.js';
import type { Diagnostic, SourceFile } from '../../parse/diagnostics/index.js';
import { renderDiagnostic } from '../../parse/diagnostics/index.js';
import { modelsOf, testUnder } from '../inputs/clients.js';
import { withLines } from '../run/in-c.js';
import { DEFAULT_MODEL } from '../run/options.js';
import { NO_PICTURE, drawingOf } from '../outputs/pictures.js';
import { contentOf } from '../inputs/shard.js';
import { decideTask } from '../run/decide.js';

/** The clause search alone, since an editor should not wait for Z3 to load. */
const ENGINE = 'search';

/** A test as commands have it. */
export interface Item {
  readonly test: Test;
  readonly inlined: readonly Test[];
  readonly source: { readonly path: string; readonly text: string };
}

/** The test of a file, and the same test with calls replaced by implementations; undefined if the file has mistakes. */
export function itemOf(client: Client, path: string): Item | undefined {
  const { test, inlined = [], sources } = client;
  const source = sources.get(path);
  if (!test.ok || source === undefined) return undefined;
  const below = inlined.flatMap((one) => (one.test.ok ? [one.test.value] : []));
  return { test: test.value, inlined: below, source };
}

/** The models that a test is asked under: those of its libraries, or the usual one. */
export function modelsFor(item: Item, workspace: Workspace): readonly Model[] {
  if (item.test.models !== undefined) return modelsOf(item, []);
  return DEFAULT_MODEL.flatMap((name) => valueOf(loadModelNamed(name, workspace.files)));
}

const valueOf = ({ model }: LoadedModel): readonly Model[] => (model.ok ? [model.value] : []);

/** Decides all queries of a test under some models: a record for each. */
export async function verdictsUnder(
  pool: Pool,
  item: Item,
  models: readonly Model[],
): Promise<readonly VerdictRecord[]> {
  const { path, text } = item.source;
  const source = { path, text, content: contentOf(text), position: 0 };
  const rows = await decideTask({ ...item, source }, models, { engine: ENGINE }, undefined).do(
    pool,
  );
  return rows.map(({ record }) => record);
}

/** The verdict of a query under each model, one line for each. */
export function verdictsOf(records: readonly VerdictRecord[], query: number): readonly string[] {
  return records.map((record) => {
    const answer = record.answers.find((one) => one.query === query);
    const by = decidedBy(record.test, record.model);
    if (answer !== undefined) return `${verdictText(record, answer, PLAIN)} (${by})`;
    return `no verdict ${by}: ${record.untranslatable ?? 'it has no machine'}`;
  });
}

/** The same in few words: without states and reasons. */
export function verdictsInShort(
  records: readonly VerdictRecord[],
  query: number,
): readonly string[] {
  return records.map((record) => {
    const answer = record.answers.find((one) => one.query === query);
    return `${answer?.verdict ?? 'no verdict'} ${decidedBy(record.test, record.model)}`;
  });
}

/**
 * The timeline of the query at a place of a test's file, as SVG, or why there is no picture. The model is a client's
 * first library, or else the one with this name.
 */
export async function picture(
  pool: Pool,
  item: Item,
  query: number,
  name: string,
  workspace: Workspace,
): Promise<Shown> {
  const named = workspace.modelFile(name, item.source.path) ?? name;
  const loaded = loadModelNamed(named, workspace.files);
  const [model] = modelsOf(item, valueOf(loaded));
  if (model === undefined) {
    return { why: loaded.model.ok ? NO_PICTURE : inLines(loaded.model.errors, loaded.sources) };
  }
  const test = await withLines(testUnder(item, model), item.source, [model]);
  const why = await askWhy(pool, test, [model], query, { engine: ENGINE, timelines: true });
  if (!why.ok) return { why: inLines(why.errors, new Map()) };
  const drawing = await drawingOf({ test, explanation: why.value });
  return drawing === undefined
    ? { why: why.value.unfinished ?? NO_PICTURE }
    : { svg: drawing.svg() };
}

/** A picture, or why there is none. */
export type Shown = { readonly svg: string } | { readonly why: string };

const inLines = (errors: readonly Diagnostic[], sources: ReadonlyMap<string, SourceFile>): string =>
  errors.map((error) => renderDiagnostic(error, sources)).join('\n');

/** Explains the answer to a query in words: by the execution that shows it, or the cycle that every candidate has. */
export async function explainInWords(
  pool: Pool,
  item: Item,
  models: readonly Model[],
  query: number,
): Promise<string> {
  const [model] = models;
  const test = await withLines(testUnder(item, model), item.source, [model]);
  const why = await askWhy(pool, test, [model], query, { engine: ENGINE });
  if (why.ok) return explanationText(why.value, PLAIN, test);
  return inLines(why.errors, new Map());
}

/** Finds what would change the answer to a query of a plain program. */
export const fixOf = (pool: Pool, { test }: Item, model: Model, query: number): Promise<Fix> =>
  askFix(pool, test, model, query, { costs: DEFAULT_COSTS, engine: ENGINE });

/** The text of a file with new verdicts in its `computed` lines. Lines for models that are not there stay. */
export async function withNewVerdicts(
  pool: Pool,
  item: Item,
  workspace: Workspace,
): Promise<string> {
  const { test, source } = item;
  const named = new Set(
    test.queries.flatMap(({ expectations }) =>
      expectations.flatMap(({ models }) => models.map(({ text }) => text)),
    ),
  );
  const models =
    test.models !== undefined
      ? modelsOf(item, [])
      : [...named].flatMap((name) => {
          const file = workspace.modelFile(name, source.path);
          return file === undefined ? [] : valueOf(loadModelNamed(file, workspace.files));
        });
  const records = await verdictsUnder(pool, item, models);
  return recomputed(source.text, test.queries, foundIn(records));
}

/** The query at a place, or else the last one above it, or the first one. */
export const queryNear = (item: Item, offset: number): number => {
  const { queries } = item.test;
  const above = queries.findLastIndex(({ span }) => span.start <= offset);
  return queryOf(item, offset) ?? Math.max(0, above);
};

/** The query at a place of a test's file, by its index. */
export const queryOf = ({ test, source }: Item, offset: number): number | undefined =>
  queryAt(test.queries, source.path, offset);
