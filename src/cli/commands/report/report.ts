import { availableParallelism } from 'node:os';
import { join } from 'node:path';
import pLimit from 'p-limit';
import { CPU_MODEL, MAIN_MODELS } from '../../../model/shipped.js';
import type { Model } from '../../../model/term.js';
import { pagePaths } from '../../../node/page-paths.js';
import type { Workers } from '../../../node/pool.js';
import { isRemote } from '../../../program/instructions.js';
import { findingsIn } from '../../../report/finding.js';
import type { VerdictRecord } from '../../../report/record.js';
import type { FabricRow } from '../../../report/fabric-rows.js';
import { assetsOf } from '../../../report/site/assets.js';
import { indexPage } from '../../../report/site/index-page.js';
import { fabricsPage } from '../../../report/site/fabrics-page.js';
import { FABRICS_PAGE, INDEX_PAGE } from '../../../report/site/paths.js';
import { inReadingOrder } from '../../../report/site/reading-order.js';
import type { Findings, PageSite, Site, SiteEntry } from '../../../report/site/site.js';
import { pageSites, rowsOf } from '../../../report/site/site.js';
import { whyOf } from '../../../report/site/why.js';
import { testSummary } from '../../../report/test-summary.js';
import { BAD_INPUT } from '../../command/exit.js';
import { modelsOf, testUnder } from '../../inputs/clients.js';
import type { Corpus, CorpusTest } from '../../inputs/corpus.js';
import { STDIN, STDIN_NAME } from '../../inputs/reader.js';
import { VERSION } from '../../package.js';
import { verdictCode } from '../../print/reports.js';
import type { CommandWork, CommandRefusal } from '../../run/answer.js';
import { answer } from '../../run/answer.js';
import type { LitmusInputs } from '../../run/begin.js';
import { readInputs } from '../../run/begin.js';
import { decideTask } from '../../run/decide.js';
import { withLines } from '../../run/in-c.js';
import type { CommandTask } from '../../run/tasks.js';
import type { SiteFabrics } from './site-fabrics.js';
import { fabricsOfSite, onFabrics } from './site-fabrics.js';
import type { SiteFile } from './site-folder.js';
import { obstacleAt, writeSite } from './site-folder.js';
import type { SiteProofs } from './site-proofs.js';
import { proofsOfSite } from './site-proofs.js';

export interface ReportOptions {
  /** The folder that the site is written to. */
  readonly out: string;
  readonly force?: boolean;
  readonly model?: readonly string[];
  /** Library files that replace those that clients name. */
  readonly library?: readonly string[];
  /** A folder of proofs that pages link. */
  readonly proof?: string;
  /** Files and folders of tests that are also decided on all fabrics. */
  readonly fabrics?: readonly string[];
  readonly bound?: number;
  readonly timeLimit?: number;
  readonly jobs?: number;
}

/** A test of the report: its verdicts, and its page. */
interface ReportedTest {
  readonly records: readonly VerdictRecord[];
  /** For a test of the page about fabrics. */
  readonly onFabrics?: readonly FabricRow[];
  /** The page; empty if the run was interrupted before. An empty page is not written. */
  readonly page: string;
}

/**
 * `remora report`: a site with the outcomes of a corpus, and a page for each test with explanations. Nothing is written
 * before everything is computed.
 */
export async function report(paths: readonly string[], options: ReportOptions): Promise<number> {
  const started = performance.now();
  const names = options.model ?? [...MAIN_MODELS, CPU_MODEL];
  const inputs = await readInputs({ names, paths, options: { ...options, engine: 'auto' } });
  return answer(inputs.run, questionsAbout(inputs, paths, options, started));
}

function questionsAbout(
  { models, corpus: read, files }: LitmusInputs,
  paths: readonly string[],
  options: ReportOptions,
  started: number,
): CommandWork<ReportedTest> | CommandRefusal {
  const { out, force } = options;
  const corpus = { ...read, tests: inReadingOrder(read.tests) };
  const errors = [...models.errors, ...corpus.errors];
  const said = [...corpus.warnings, ...errors];
  // This is checked before the work, which may take long.
  const rule = { inputs: files, force };
  const obstacle = obstacleAt(out, rule);
  if (obstacle !== undefined) return { refused: [...said, obstacle] };
  const fabrics = fabricsOfSite(options.fabrics, corpus, models.items);
  if (fabrics.errors.length > 0) return { refused: [...said, ...fabrics.errors] };
  const site = siteOf(paths, corpus, models.items, fabrics);
  const proofs = proofsOfSite(options.proof, corpus, models.items, site);
  return {
    said: [...said, ...proofs.refused],
    bad: errors.length + proofs.refused.length > 0,
    tasks:
      models.items.length === 0
        ? []
        : tasksOf(corpus, site, { proofs, fabrics }, models.items, options),
    report(results, interrupted) {
      const nothing = { format: 'text', text: '', code: BAD_INPUT } as const;
      if (interrupted) return { ...nothing, said: [`${out}: interrupted, nothing is written`] };
      if (results.length === 0) return nothing;
      const pages = pagesOf(site, results, corpus.errors);
      const written = [...assetsOf(site), ...pages, ...proofs.files];
      const problem = writeSite(out, written, rule);
      if (problem !== undefined) return { ...nothing, said: [problem] };
      const records = results.flatMap((r) => r.records);
      const findings = findingsIn(records, false);
      const summary = { records, findings, milliseconds: performance.now() - started };
      return {
        format: 'text',
        text: `${testSummary(summary)}${join(out, INDEX_PAGE)}\n`,
        code: verdictCode(findings),
      };
    },
  };
}

/** The pages of tests, and those that list them. */
function pagesOf(
  site: Site,
  results: readonly ReportedTest[],
  errors: readonly string[],
): readonly SiteFile[] {
  const rows = results.flatMap(({ records }, i) => rowsOf(site.entries[i], records, site.models));
  const pages = results.map(({ page }, i): SiteFile => [site.entries[i].page, page]);
  const onFabrics = results.flatMap(({ onFabrics: own }, i) =>
    own === undefined ? [] : [{ entry: site.entries[i], rows: own }],
  );
  return [
    ...pages,
    ...(site.fabrics.length === 0
      ? []
      : [[FABRICS_PAGE, fabricsPage(site, onFabrics)] satisfies SiteFile]),
    [INDEX_PAGE, indexPage(site, rows, errors)],
  ];
}

function siteOf(
  paths: readonly string[],
  { tests }: Corpus,
  models: readonly Model[],
  { models: fabrics, explained }: SiteFabrics,
): Site {
  const pages = pagePaths(tests.map(({ source }) => source.path));
  return {
    name: paths.map((path) => (path === STDIN ? STDIN_NAME : path)).join(', '),
    models: models.map((m) => m.name),
    fabrics: fabrics.map(({ name, title }) => ({ name, title, explained: explained.has(name) })),
    entries: tests.map(({ test, source }, i): SiteEntry => ({
      test,
      text: source.text,
      page: pages[i],
    })),
    version: VERSION,
  };
}

/** How many tests are under way for each worker: enough that no worker waits. */
const TESTS_PER_WORKER = 2;

/** One task a test: its page is made while others are decided, and the progress bar moves steadily. */
function tasksOf(
  corpus: Corpus,
  site: Site,
  { proofs, fabrics }: { readonly proofs: SiteProofs; readonly fabrics: SiteFabrics },
  models: readonly Model[],
  options: ReportOptions,
): readonly CommandTask<ReportedTest, Workers>[] {
  const limit = pLimit(TESTS_PER_WORKER * (options.jobs ?? availableParallelism()));
  const sites = pageSites(site);
  return corpus.tests.map((item, i) => {
    // By default a CPU model is only asked about CPU programs, since others have no execution under it.
    const plain = models.filter(
      (m) => options.model !== undefined || m.name !== CPU_MODEL || !isRemote(item.test.program),
    );
    const concerned = modelsOf(item, plain);
    return {
      name: item.test.name,
      do: (pool) =>
        limit(async () => {
          const entry = { ...site.entries[i], proofs: proofs.ofTests[i] };
          const treated = await treat(pool, item, sites[i], entry, concerned, options.bound);
          const own = await onFabrics(pool, item, fabrics, treated.records, options.bound);
          return { ...treated, ...(own && { onFabrics: own }) };
        }),
    };
  });
}

/** Decides a test, explains its verdicts, and makes its page. */
async function treat(
  pool: Workers,
  item: CorpusTest,
  site: PageSite,
  entry: SiteEntry & Pick<Findings, 'proofs'>,
  models: readonly Model[],
  bound: number | undefined,
): Promise<ReportedTest> {
  const search = { engine: 'auto', bound } as const;
  const rows = await decideTask(item, models, search, undefined).do(pool);
  const records = rows.map((row) => row.record);
  // A client with its calls inlined is another program: its verdicts are shown, but explained only by `explain`.
  const own = models.filter((model) => testUnder(item, model) === item.test);
  const told = await withLines(item.test, item.source, own);
  const explanations = await Promise.all(
    told.queries.map((_, query) => whyOf(pool, told, query, own, records, bound)),
  );
  const page = await pool.page({ site, findings: { ...entry, records, explanations } });
  return { records, page: page ?? '' };
}
