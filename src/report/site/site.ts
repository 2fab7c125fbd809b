import { folderOf as folderOfFile } from '../record.js';
import type { Explanation } from '../../analyses/explain/explanation.js';
import type { Test } from '../../program/program.js';
import type { VerdictRecord } from '../record.js';
import { harmless } from './paths.js';
import type { VerdictCell } from './verdict-cells.js';
import { verdictCells } from './verdict-cells.js';

/** A test of the corpus, and the place of its page. */
export interface SiteEntry {
  readonly test: Test;
  /** The text of the litmus file. */
  readonly text: string;
  /** The path of its page in the folder of the site. */
  readonly page: string;
}

/** A test, and everything that was found out about it. */
export interface Findings extends SiteEntry {
  /** A record for each model that was asked. */
  readonly records: readonly VerdictRecord[];
  /** Why the verdicts on queries are what they are. */
  readonly explanations: readonly Explanation[];
  /** The proofs that were passed in. Only those that hold are here. */
  readonly proofs: readonly SiteProof[];
}

/** A proof of a verdict, as a file of the site (docs/proofs.md). */
export interface SiteProof {
  readonly query: number;
  readonly model: string;
  /** Its path in the folder of the site. */
  readonly path: string;
  /** For a proof in clauses, the path of the file with its steps. */
  readonly steps?: string;
  /** Its size, in words. */
  readonly size: string;
}

/** A query with its verdicts: a row of the index. */
export interface QueryRow {
  readonly entry: SiteEntry;
  /** The index of the query in its test. Undefined if the test asks nothing. */
  readonly query?: number;
  /** A cell for each model of the site. For a client, one for each set of libraries that decides it. */
  readonly cells: readonly VerdictCell[];
}

/** A fabric of the page about them. */
export interface SiteFabric {
  readonly name: string;
  readonly title: string;
  /** Whether the pages of tests explain what it decides. */
  readonly explained: boolean;
}

/** What all pages of a site have in common. */
export interface Site {
  /** What the site is about: the files and folders, as the user named them. */
  readonly name: string;
  readonly models: readonly string[];
  /** The fabrics of the page about them; none if there is no such page. */
  readonly fabrics: readonly SiteFabric[];
  readonly entries: readonly SiteEntry[];
  /** The version of Remora that made it. */
  readonly version: string;
}

/** What the page of a test needs to know about its site. */
export interface PageSite extends Pick<Site, 'name' | 'models' | 'version'> {
  readonly folder: string;
  /** The id of the folder in the index. */
  readonly folderId: string;
  readonly before?: Neighbour;
  readonly after?: Neighbour;
}

/** The page of the test before or after another one. */
export interface Neighbour {
  readonly name: string;
  readonly page: string;
}

/** What the pages of the tests need to know about their site, in the order of the tests. */
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

/** The id of a folder in the index, by its number. */
export const folderId = (folder: number): string => `folder-${folder + 1}`;

/** The model whose explanation comes first, if it is one of those asked. */
const MAIN_MODEL = 'rdma-tso';

/** The model to begin with: the main one; or else one whose verdicts are published; or else the first. */
export function mainModel(
  models: readonly string[],
  published: readonly string[] = [],
): string | undefined {
  if (models.includes(MAIN_MODEL)) return MAIN_MODEL;
  return models.find((model) => published.includes(model)) ?? models[0];
}

/** The models that are shown for a test: those of the site; or for a client, those that it was asked under. */
export const modelsOfSite = (
  { models }: Test,
  records: readonly VerdictRecord[],
  all: readonly string[],
): readonly string[] => (models === undefined ? all : records.map(({ model }) => model));

/** The rows of a test in the index: one for each query. A test that asks nothing has one row, without a query. */
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

/** The id of the legend in the index. */
export const LEGEND = 'marks';

/** The id of a query on the page of its test. */
export const queryId = (query: number): string => `q${query + 1}`;

/**
 * The id of the place where the verdict of a model is explained. If there is nothing to explain, of the verdict itself.
 */
export const verdictId = (query: number, model: string): string =>
  `${queryId(query)}-${harmless(model)}`;
