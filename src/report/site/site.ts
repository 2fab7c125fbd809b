import { folderOf as folderOfFile } from '../record.js';
import type { Explanation } from '../../analyses/explain/explanation.js';
import type { Test } from '../../program/program.js';
import type { VerdictRecord } from '../record.js';
import { harmless } from './paths.js';
import type { VerdictCell } from './verdict-cells.js';
import { verdictCells } from './verdict-cells.js';

/** A test of the corpus, and where its page is. */
export interface SiteEntry {
  readonly test: Test;
  /** The text of the litmus file. */
  readonly text: string;
  /** Its page, from the site's folder. */
  readonly page: string;
}

/** A test with everything that was found out about it. */
export interface Findings extends SiteEntry {
  /** One for each model that was asked. */
  readonly records: readonly VerdictRecord[];
  /** For each query: why its verdicts are what they are. */
  readonly explanations: readonly Explanation[];
  /** Those that were given, and hold. */
  readonly proofs: readonly SiteProof[];
}

/** A proof of a verdict, as a file of the site (docs/proofs.md). */
export interface SiteProof {
  readonly query: number;
  readonly model: string;
  /** From the site's folder. */
  readonly path: string;
  /** The steps of a proof in clauses. */
  readonly steps?: string;
  /** How large it is, in words. */
  readonly size: string;
}

/** A query with its verdicts: a row of the index. */
export interface QueryRow {
  readonly entry: SiteEntry;
  /** Index of the query in its test; undefined where the test asks nothing. */
  readonly query?: number;
  /** One for each model of the site; of a client, one for each of its own. */
  readonly cells: readonly VerdictCell[];
}

/** What holds for all pages of a site. */
export interface Site {
  /** What was reported on, as the user named it. */
  readonly name: string;
  readonly models: readonly string[];
  readonly entries: readonly SiteEntry[];
  /** Which Remora made it. */
  readonly version: string;
}

/** What the page of a test has from its site. */
export interface PageSite extends Pick<Site, 'name' | 'models' | 'version'> {
  readonly folder: string;
  /** Where the folder is in the index. */
  readonly folderId: string;
  readonly before?: Neighbour;
  readonly after?: Neighbour;
}

/** The test before or after another one. */
export interface Neighbour {
  readonly name: string;
  readonly page: string;
}

/** What each test's page has from its site. */
export function pageSites({ entries, name, models, version }: Site): readonly PageSite[] {
  const folders = new Map([...new Set(entries.map(siteFolderOf))].map((f, i) => [f, folderId(i)]));
  const neighbour = (entry: SiteEntry | undefined): Neighbour | undefined =>
    entry && { name: entry.test.name, page: entry.page };
  return entries.map((entry, i) => {
    const folder = siteFolderOf(entry);
    const [before, after] = [neighbour(entries[i - 1]), neighbour(entries[i + 1])];
    return { name, models, version, folder, folderId: folders.get(folder)!, before, after };
  });
}

/** Where a folder is in the index, by its number. */
export const folderId = (folder: number): string => `folder-${folder + 1}`;

/** The model that explanations begin with, where it is one of those asked. */
const MAIN_MODEL = 'rdma-tso';

/** The model that stands for others: the main one, or one that papers state the verdict of, or the first. */
export function mainModel(
  models: readonly string[],
  published: readonly string[] = [],
): string | undefined {
  if (models.includes(MAIN_MODEL)) return MAIN_MODEL;
  return models.find((model) => published.includes(model)) ?? models[0];
}

/** The models that a test is shown under: those of the site, or of a client those that it was asked under. */
export const modelsOfSite = (
  { models }: Test,
  records: readonly VerdictRecord[],
  all: readonly string[],
): readonly string[] => (models === undefined ? all : records.map(({ model }) => model));

/** The rows of a test, one a query; one without a query where the test asks nothing. */
export function rowsOf(
  entry: SiteEntry,
  records: readonly VerdictRecord[],
  models: readonly string[],
): readonly QueryRow[] {
  const { queries } = entry.test;
  const asked = modelsOfSite(entry.test, records, models);
  if (queries.length === 0) return [{ entry, cells: [] }];
  return queries.map((_, query) => ({
    entry,
    query,
    cells: verdictCells(entry.test, records, asked, query),
  }));
}

/** The folder of a test, as the user named it. */
export function siteFolderOf({ test }: SiteEntry): string {
  return `${folderOfFile(test.file)}/`;
}

/** Where the index says what marks mean. */
export const LEGEND = 'marks';

/** Where a query is on its test's page. */
export const queryId = (query: number): string => `q${query + 1}`;

/** Where the verdict of a model on a query is explained; where there is nothing to explain, where it stands. */
export const verdictId = (query: number, model: string): string =>
  `${queryId(query)}-${harmless(model)}`;
