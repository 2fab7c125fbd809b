import { existsSync } from 'node:fs';
import { loadModelFile } from '../../../node/models.js';
import type { ModelOrName } from '../../../node/tests.js';
import { isC } from '../../../program/read.js';
import { loadC } from '../../../node/c.js';
import { readLitmus } from '../../../node/tests.js';
import { renderDiagnostic } from '../../../parse/diagnostics/index.js';
import { Libraries } from '../../../program/libraries.js';
import type { Test } from '../../../program/program.js';
import type { Unusable } from '../../../report/record.js';
import { warningsOf } from '../../inputs/corpus.js';
import { render } from '../../inputs/messages.js';
import { STDIN, STDIN_NAME } from '../../inputs/reader.js';
import { parseShard, shardKey, showShard } from '../../inputs/shard.js';
import { VERSION } from '../../package.js';
import type { FormatName } from '../../print/formats.js';
import { spelling } from '../../print/formats.js';
import type { CommandReport } from '../../print/print.js';
import { complain } from '../../print/print.js';
import type { FormatOf, VerdictFormat } from '../../print/reports.js';
import {
  RESULT_REPORTERS,
  compareReport,
  formatsOf,
  outcomesReport,
  verdictReport,
} from '../../print/reports.js';
import type { CorpusCommand, FileEntry, Header } from '../../results/format.js';
import { CORPUS_COMMANDS, differences, sameCorpus } from '../../results/format.js';
import type { Results, SavedResults } from '../../results/read.js';
import { savedAnswers, missing, readSaved, readSavedInput } from '../../results/read.js';
import { notReplayed, replayed } from '../../results/replay.js';
import { filesWith } from '../../results/saved-files.js';
import { conclude, refuse } from '../../run/answer.js';
import type { OutcomesRecord, VerdictRow } from '../../run/decide.js';
import { NO_STATES } from '../../run/decide.js';
import type { Journal } from '../../results/journal.js';
import { readJournal } from '../../results/journal.js';
import { isSizeHeader } from '../../results/share-records.js';
import { campaignReport } from '../campaign/reports.js';

/** A file with the results of one shard. */
interface ShardResults extends SavedResults {
  readonly path: string;
}

/** A test with its results. */
interface MergedTest {
  readonly entry: FileEntry;
  readonly test: Test;
  readonly results: Results;
}

/**
 * `remora merge`: joins the results of all shards of a run, and reports them as one run would have. It reads only the
 * files of results.
 */
export async function merge(
  paths: readonly string[],
  { reporter }: { readonly reporter?: FormatName },
): Promise<number> {
  const [path] = paths;
  const journal = paths.length === 1 && existsSync(path) ? readJournal(path) : undefined;
  if (journal !== undefined) return mergeJournal(journal, reporter);
  const read = await readParts(paths);
  if (read.parts.some(({ entries }) => [...entries.values()].some(({ file }) => isC(file))))
    await loadC();
  const errors = [...read.errors];
  if (errors.length === 0) errors.push(...strangers(read.parts));
  if (errors.length === 0) errors.push(...gaps(read.parts));
  if (errors.length === 0) errors.push(...misfits(read.parts[0].header, reporter));
  if (errors.length > 0) return refuse(errors);
  const models = savedModels(read.parts[0]);
  if ('errors' in models) return refuse(models.errors);
  const replays = read.parts.map((part) => replayed(part.path, part));
  const wrong = replays.flatMap((one) => one.errors);
  if (wrong.length > 0) return refuse(wrong);
  complain(notReplayed(replays.flatMap((one) => one.left)));
  return reportParts(read.parts, models.items, reporter);
}

/** Reports a command in parts: one file has all its results. */
async function mergeJournal(
  journal: Journal | { readonly error: string },
  reporter: FormatName = 'text',
): Promise<number> {
  if ('error' in journal) return refuse([journal.error]);
  const { header } = journal;
  if (reporter !== 'text') {
    const other = isSizeHeader(header) ? `: ${header.command} --resume has other formats` : '';
    return refuse([`results of ${String(header['command'])} are reported as text alone${other}`]);
  }
  const report = await campaignReport(journal);
  return 'errors' in report ? refuse(report.errors) : conclude({ format: 'text', ...report });
}

/**
 * The models of a run: by name if they come with Remora, otherwise from the file of results, since tests may need their
 * declarations.
 */
function savedModels({
  path,
  header,
}: ShardResults): { readonly items: readonly ModelOrName[] } | { readonly errors: string[] } {
  const items: ModelOrName[] = [];
  const errors: string[] = [];
  for (const { model: name, sources = [] } of header.models) {
    const [own] = sources;
    if (own === undefined) {
      items.push(name);
      continue;
    }
    const { model, sources: all } = loadModelFile(own.path, filesWith(sources));
    if (model.ok) items.push(model.value);
    else {
      const [first] = model.errors;
      errors.push(`${path}: model ${name}: ${renderDiagnostic(first, all)}`);
    }
  }
  return errors.length > 0 ? { errors } : { items };
}

async function readParts(
  paths: readonly string[],
): Promise<{ parts: readonly ShardResults[]; errors: string[] }> {
  const parts: ShardResults[] = [];
  const errors: string[] = [];
  for (const path of paths) {
    const read = path === STDIN ? await readSavedInput() : readSaved(path);
    const name = path === STDIN ? STDIN_NAME : path;
    if ('error' in read) errors.push(read.error);
    else if (read.saved === undefined) errors.push(`${name}: holds no results yet`);
    else parts.push({ path: name, ...read.saved });
  }
  return { parts, errors };
}

/** Messages about files that are of another run or another version. */
function strangers([first, ...others]: readonly ShardResults[]): readonly string[] {
  const { remora } = first.header;
  if (remora !== VERSION) {
    return [`${first.path}: results of version ${remora}, and this is ${VERSION}`];
  }
  return others.flatMap(({ path, header }) => {
    const all = [...differences(header, first.header)];
    if (!sameCorpus(header, first.header)) {
      all.push(otherCorpus(header.corpus, first.header.corpus));
    }
    if (all.length === 0) return [];
    return [`${path}: holds results of another run than ${first.path}: ${all.join('; ')}`];
  });
}

function otherCorpus(is: Header['corpus'], not: Header['corpus']): string {
  const chosen = ({ grep }: Header['corpus']) =>
    grep === undefined ? 'all tests' : `tests that match '${grep}'`;
  if (is.grep !== not.grep) return `${chosen(is)}, not ${chosen(not)}`;
  return is.files === not.files
    ? 'other litmus files'
    : `${is.files} litmus files, not ${not.files}`;
}

/** Messages about shards that are given twice, missing, or incomplete. */
function gaps(parts: readonly ShardResults[]): readonly string[] {
  const errors: string[] = [];
  const [{ path: firstPath, header: first }] = parts;
  const of = parseShard(first.shard)?.of ?? 1;
  const held = new Map<string, ShardResults>();
  for (const part of parts) {
    const { shard } = part.header;
    const twin = held.get(shard);
    if (parseShard(shard)?.of !== of) {
      errors.push(`${part.path}: holds shard ${shard}, and ${firstPath} ${first.shard}`);
    } else if (twin !== undefined) {
      errors.push(`${twin.path} and ${part.path} both hold shard ${shard}`);
    }
    held.set(shard, part);
  }
  if (errors.length > 0) return errors;
  const lacking: string[] = [];
  for (let index = 1; index <= of && lacking.length < SHOWN; index++) {
    if (!held.has(showShard({ index, of }))) lacking.push(showShard({ index, of }));
  }
  if (lacking.length > 0) {
    const more = of - held.size - lacking.length;
    const rest = more > 0 ? ` and ${more} more` : '';
    errors.push(`missing: shard ${lacking.join(', ')}${rest}`);
  }
  for (const part of parts) {
    const count = missing(part);
    if (count === 0) continue;
    const { shard, files } = part.header;
    const what = `shard ${shard} is not complete: ${count} of ${files} files are missing`;
    errors.push(`${part.path}: ${what}; --resume completes it`);
  }
  return errors;
}

/** How many missing shards are named. */
const SHOWN = 20;

/** Messages why results cannot be shown in a format. */
function misfits({ command, models }: Header, format: FormatName | undefined): readonly string[] {
  if (format === undefined) return [];
  if (!canWrite(command, format)) {
    const writers = CORPUS_COMMANDS.filter((name) => canWrite(name, format)).join(', ');
    return [`${spelling(format)} is for results of ${writers}, and these are of ${command}`];
  }
  if (format !== 'herd' || models.length === 1) return [];
  return ['--herd prints the log of one model, and these are of more'];
}

const canWrite = (command: CorpusCommand, format: FormatName): boolean =>
  format in RESULT_REPORTERS[command];

/** Makes the report; the default format is that of the command whose results they are. */
function reportParts(
  parts: readonly ShardResults[],
  asked: readonly ModelOrName[],
  format: FormatName | undefined,
): Promise<number> {
  const unread = [...new Set(parts.flatMap((part) => part.header.errors))];
  const { done, broken } = testsIn(parts, asked);
  const sources = done.map(({ entry, test }) => ({
    source: { path: entry.file, text: entry.source },
    test,
  }));
  const errors = [...unread, ...broken.map((one) => render(one.errors, one.sources).join('\n'))];
  complain([...warningsOf(sources), ...errors]);
  const joined = reportFor(parts[0].header, done, { broken, unread }, format);
  return conclude(joined, { bad: errors.length > 0 });
}

/** The tests of all parts, in the order of the corpus, and files that are no tests. */
function testsIn(
  parts: readonly ShardResults[],
  asked: readonly ModelOrName[],
): { readonly done: readonly MergedTest[]; readonly broken: Unusable['broken'] } {
  const [{ header }] = parts;
  const broken: Unusable['broken'][number][] = [];
  const done: MergedTest[] = [];
  const files = parts.flatMap(({ entries, results }) =>
    [...entries.values()].map((entry) => ({ entry, results })),
  );
  files.sort((a, b) => a.entry.position - b.entry.position);
  for (const { entry, results } of files) {
    const source = { path: entry.file, text: entry.source };
    const { test: parsed, sources } = readLitmus(source.text, source.path, asked, {
      libraries: new Libraries(filesWith(entry.libraries)),
      instead: header.library,
    });
    if (parsed.ok) done.push({ entry, results, test: parsed.value });
    else broken.push({ source, errors: parsed.errors, sources });
  }
  return { done, broken };
}

/** The report that the command would make, in a format that `misfits` accepts. */
function reportFor(
  { command, all, ...header }: Header,
  done: readonly MergedTest[],
  unusable: Unusable,
  asked: FormatName | undefined,
): CommandReport {
  const models = header.models.map((m) => m.model);
  const format = asked ?? formatsOf(command)[0];
  if (command === 'outcomes') {
    return outcomesReport(done.flatMap(listingsOf), all, format as FormatOf<'outcomes'>);
  }
  const rows = done.flatMap(rowsOf);
  if (command === 'compare') {
    const some = done.length === 0 || done.some(({ entry }) => entry.models.length > 0);
    return compareReport(rows, [models[0], models[1]], format as FormatOf<'compare'>, some);
  }
  const answers = rows.flatMap((row) => row.record.answers);
  const milliseconds = answers.reduce((sum, a) => sum + a.milliseconds, 0);
  const details = { models, unusable, milliseconds };
  return verdictReport(rows, format as VerdictFormat, command === 'check', details);
}

function rowsOf({ entry, test, results }: MergedTest): readonly VerdictRow[] {
  const source = { path: entry.file, text: entry.source };
  return entry.models.map(({ error, ...head }) => {
    const untranslatable = head.untranslatable !== undefined;
    const answers = untranslatable ? [] : savedAnswers(results, test, shardKey(entry), head.model);
    return { record: { test, source, ...head, answers }, error };
  });
}

function listingsOf({ entry, test, results }: MergedTest): readonly OutcomesRecord[] {
  return entry.models.map(({ model, note, error }) => ({
    test,
    model,
    outcomes: results.outcomes(shardKey(entry), model) ?? NO_STATES,
    note,
    error,
  }));
}
