/** The page of a site about fabrics: which tests are on it, and what is found of them. */
import { resolve, sep } from 'node:path';
import type { Pool } from '../../../analyses/workers.js';
import { FABRIC_MODELS } from '../../../model/fabrics.js';
import type { Model } from '../../../model/term.js';
import type { FabricRow } from '../../../report/fabric-rows.js';
import { fabricRow, onFabric } from '../../../report/fabric-rows.js';
import type { VerdictRecord } from '../../../report/record.js';
import { isClient } from '../../inputs/clients.js';
import type { Corpus, CorpusTest } from '../../inputs/corpus.js';
import { readModels } from '../../inputs/models.js';
import { decideTask } from '../../run/decide.js';

/** The fabrics of a site, and which tests are decided on them. */
export interface SiteFabrics {
  /** None if the site has no such page. */
  readonly models: readonly Model[];
  /** The names of those that the report is asked for, too, and explains. */
  readonly explained: ReadonlySet<string>;
  readonly tests: ReadonlySet<CorpusTest>;
  /** Paths that no test of the report is at. */
  readonly errors: readonly string[];
}

/**
 * @param given files and folders of tests of the report, if it is to have the page
 * @param asked the models of the report
 */
export function fabricsOfSite(
  given: readonly string[] = [],
  { tests }: Corpus,
  asked: readonly Model[],
): SiteFabrics {
  const models = given.length === 0 ? [] : readModels(FABRIC_MODELS, 'auto').items;
  // A model of another file may have the name of a fabric.
  const files = new Set(models.map(({ file }) => file));
  const explained = asked.flatMap(({ name, file }) => (files.has(file) ? [name] : []));
  const plain = tests.filter(({ test }) => !isClient(test));
  const within = (path: string): readonly CorpusTest[] => {
    const [file, folder] = [resolve(path), resolve(path) + sep];
    return plain.filter(({ source }) => {
      const place = resolve(source.path);
      return place === file || place.startsWith(folder);
    });
  };
  const found = given.map((path) => ({ path, tests: within(path) }));
  return {
    models,
    explained: new Set(explained),
    tests: new Set(found.flatMap((one) => one.tests)),
    errors: found
      .filter((one) => one.tests.length === 0)
      .map(({ path }) => `--fabrics ${path}: this report has no test there that models decide`),
  };
}

/**
 * A test on all fabrics; undefined if it is not on the page.
 *
 * @param records what is found of it already
 */
export async function onFabrics(
  pool: Pool,
  item: CorpusTest,
  { models, explained, tests }: SiteFabrics,
  records: readonly VerdictRecord[],
  bound: number | undefined,
): Promise<readonly FabricRow[] | undefined> {
  if (!tests.has(item)) return undefined;
  const own = records.filter(({ model }) => explained.has(model));
  const known = new Map(own.map((record) => [record.model, record]));
  const rest = models.filter(({ name }) => !known.has(name));
  const decided = await decideTask(item, rest, { engine: 'auto', bound }, undefined).do(pool);
  for (const { record } of decided) known.set(record.model, record);
  return [...item.test.queries.keys()].map((query) =>
    fabricRow(
      item,
      query,
      models.map(({ name }) => onFabric(known.get(name)!, query)),
    ),
  );
}
