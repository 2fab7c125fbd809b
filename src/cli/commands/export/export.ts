import { join } from 'node:path';
import { prepare } from '../../../rdma/prepare.js';
import { DEFAULT_COUNTER_BOUND, notInstrumented } from '../../../rdma/loops/index.js';
import { isStateQuery } from '../../../program/program.js';
import { harmless } from '../../../report/site/paths.js';
import { interruptedAfter } from '../../../report/interruption.js';
import { createWorkers } from '../../../node/pool.js';
import type { ScriptText } from '../../../node/job.js';
import { eachOf, modelsOf, withoutClients } from '../../inputs/clients.js';
import { AS_EXPECTED, BAD_INPUT, INTERRUPTED, UNDECIDED } from '../../command/exit.js';
import { readCorpus } from '../../inputs/corpus.js';
import { renderFor } from '../../inputs/messages.js';
import { readModels } from '../../inputs/models.js';
import { DEFAULT_MODEL } from '../../run/options.js';
import type { Output, OverwriteRule } from '../../outputs/plan.js';
import { STDOUT, planOutputs } from '../../outputs/plan.js';
import type { OutputKind } from '../../outputs/checksum.js';
import { complain } from '../../print/print.js';
import type { InputReader } from '../../inputs/reader.js';
import { openReader } from '../../inputs/reader.js';
import { heedSignals } from '../../run/signals.js';
import { V8_FLAGS } from '../../run/v8.js';
import type { HerdOptions } from './herd.js';
import { herdScripts } from './herd.js';
import type { RunsOptions } from './runs.js';
import { runsScripts } from './runs.js';
import type { ScriptFile, Scripts } from './script.js';

interface Destination {
  /** A file, if it has the ending of the format, otherwise a folder. By default, standard output. */
  readonly out?: string;
  readonly force?: boolean;
  /** Seconds for one script. */
  readonly timeLimit?: number;
  /** MiB. */
  readonly memory?: number;
}

export interface ExportOptions extends Destination {
  readonly model?: readonly string[];
  /** Library files that replace those that clients name. */
  readonly library?: readonly string[];
  readonly bound?: number;
  /** Just one query of each test, counted from 1. */
  readonly query?: number;
}

/**
 * `remora export --smtlib`: every query of the tests under every model as an SMT-LIB 2 script: one to standard output
 * or a file, several into a folder. Mistakes in inputs are reported; the scripts of other inputs are written.
 */
export async function exportSmtlib(
  paths: readonly string[],
  options: ExportOptions,
): Promise<number> {
  const { model = DEFAULT_MODEL } = options;
  const reader = await openReader([...model, ...paths]);
  const scripts = smtlibScripts(paths, options, reader);
  return writeAndReport(scripts, options, reader, {
    ...{ kind: 'smt2', ending: '.smt2' },
    several: (n) => `${n} queries: choose one with --query and --model`,
  });
}

/**
 * `remora export --promela --model`: the queries of every program about runs, on the machine of every model, as a Promela model in which SPIN finds a
 * violated assertion, or an invalid end state, exactly if one of them fails. Written like scripts of `exportSmtlib`.
 */
export async function exportRuns(
  paths: readonly string[],
  options: RunsOptions & Destination,
): Promise<number> {
  const reader = await openReader([...options.model, ...paths]);
  return writeAndReport(runsScripts(paths, options, reader), options, reader, {
    ...{ kind: 'pml', ending: '.pml' },
    several: (n) => `${n} programs and models: choose one file and one model`,
  });
}

/** `remora export --litmus`: the queries of every program as litmus tests of herd7. Written like scripts of `exportSmtlib`. */
export async function exportHerd(
  paths: readonly string[],
  options: HerdOptions & Destination,
): Promise<number> {
  const reader = await openReader(paths);
  return writeAndReport(herdScripts(paths, options, reader), options, reader, {
    ...{ kind: 'herd', ending: '.litmus' },
    several: (n) => `${n} queries: choose one with --query`,
  });
}

export interface PromelaOptions extends Destination {
  readonly counterBound?: number;
}

/**
 * `remora export --promela`: every program as a Promela model in which SPIN finds a violated assertion
 * exactly if the program is not robust. Written like scripts of `exportSmtlib`.
 */
export async function exportPromela(
  paths: readonly string[],
  options: PromelaOptions,
): Promise<number> {
  const reader = await openReader(paths);
  return writeAndReport(promelaScripts(paths, options, reader), options, reader, {
    ...{ kind: 'pml', ending: '.pml' },
    several: (n) => `${n} programs: choose one file`,
  });
}

function promelaScripts(
  paths: readonly string[],
  { counterBound = DEFAULT_COUNTER_BOUND }: PromelaOptions,
  reader: InputReader,
): Scripts {
  // The procedure is about programs with polls, which this model has.
  const models = readModels(['rdma-sc'], 'smt');
  const [model] = models.items;
  const { corpus, refused } = withoutClients(
    readCorpus(paths, models, reader),
    'export --promela',
    'it is about robustness, and they have no such machine',
  );
  const errors = [...models.errors, ...corpus.errors, ...refused];
  const scripts: ScriptFile[] = [];
  for (const { source, test } of corpus.tests) {
    const prepared = prepare(test.program, model, 'smt');
    if (!prepared.ok) {
      errors.push(renderFor(source, prepared.errors));
      continue;
    }
    const { program, note } = prepared.value;
    const unknown = notInstrumented(program);
    if (unknown.length > 0) {
      errors.push(renderFor(source, unknown));
      continue;
    }
    const options = { counterBound, note };
    scripts.push({
      file: harmless(`${test.name}.pml`),
      path: source.path,
      of: { format: 'promela', models: [], test: { ...test, program }, source, options },
    });
  }
  return { scripts, warnings: corpus.warnings, errors };
}

function smtlibScripts(
  paths: readonly string[],
  { model: names = DEFAULT_MODEL, library, bound, query }: ExportOptions,
  reader: InputReader,
): Scripts {
  const models = readModels(names, 'smt', reader);
  const corpus = readCorpus(paths, models, reader, { library });
  const errors = [...models.errors, ...corpus.errors];
  const warnings = [...corpus.warnings];
  const scripts: ScriptFile[] = [];
  for (const { source, test } of eachOf(corpus)) {
    if (query !== undefined && query > test.queries.length) {
      errors.push(
        `${source.path}: there is no query ${query}: the test has ${test.queries.length}`,
      );
      continue;
    }
    const asked = query === undefined ? [...test.queries.keys()] : [query - 1];
    const about = asked.filter((index) => isStateQuery(test.queries[index]));
    if (about.length < asked.length) {
      const none = asked.filter((index) => !about.includes(index)).map((index) => index + 1);
      const whole = about.length === 0 ? errors : warnings;
      whole.push(`${source.path}: ${runsText(none)}`);
    }
    if (about.length === 0) continue;
    for (const model of modelsOf({ test }, models.items)) {
      const prepared = prepare(test.program, model, 'smt');
      if (!prepared.ok) {
        errors.push(renderFor(source, prepared.errors));
        continue;
      }
      const { program, note } = prepared.value;
      const options = {
        bound,
        note,
      };
      for (const index of about) {
        const number = test.queries.length === 1 ? '' : `.${index + 1}`;
        scripts.push({
          file: harmless(`${test.name}${number}.${model.name}.smt2`),
          path: source.path,
          of: { format: 'smtlib', models: [model], test: { ...test, program }, index, options },
        });
      }
    }
  }
  return { scripts, warnings, errors };
}

/** Why queries have no script, by their numbers. */
const runsText = (numbers: readonly number[]): string =>
  numbers.length === 1
    ? `query ${numbers[0]} is about runs, and has no script: remora explore answers it`
    : `queries ${numbers.join(', ')} are about runs, and have no script: remora explore answers them`;

interface ScriptFormat {
  readonly kind: OutputKind;
  /** That of files. */
  readonly ending: string;
  /** The message that there are several, and how to choose one. */
  readonly several: (count: number) => string;
}

/** Writes the scripts, reports mistakes, and gives the exit code. */
async function writeAndReport(
  { scripts, warnings, errors }: Scripts,
  { out = STDOUT, force, timeLimit, memory }: Destination,
  { files: inputs }: InputReader,
  format: ScriptFormat,
): Promise<number> {
  const nothing = scripts.length === 0 && errors.length > 0;
  const written = nothing
    ? NONE
    : await writeScripts(scripts, out, format, { inputs, force, timeLimit, memory });
  const all = [...errors, ...written.problems];
  complain([...warnings, ...all, ...written.unfinished, ...written.interruption]);
  if (written.interruption.length > 0) return INTERRUPTED;
  if (all.length > 0) return BAD_INPUT;
  return written.unfinished.length > 0 ? UNDECIDED : AS_EXPECTED;
}

/** How writing ended: why some scripts are not written, and how many are if it was interrupted. */
interface ExportEnd {
  readonly problems: readonly string[];
  /** Messages about scripts that took too much time or memory. */
  readonly unfinished: readonly string[];
  readonly interruption: readonly string[];
}

const NONE: ExportEnd = { problems: [], unfinished: [], interruption: [] };

/** Makes and writes the scripts, until a signal comes. */
async function writeScripts(
  scripts: readonly ScriptFile[],
  out: string,
  { kind, ending, several }: ScriptFormat,
  { timeLimit, memory, ...rule }: OverwriteRule & Pick<Destination, 'timeLimit' | 'memory'>,
): Promise<ExportEnd> {
  const single = out === STDOUT || out.endsWith(ending);
  if (single && scripts.length !== 1) {
    const problem = `there are ${several(scripts.length)}, or give a folder with --out`;
    return { ...NONE, problems: [problem] };
  }
  const files = namesOf(scripts).map((file) => (single ? out : join(out, file)));
  const twice = files.find((file, i) => files.indexOf(file) !== i);
  if (twice !== undefined) return { ...NONE, problems: [`${twice}: two tests have the same name`] };
  const wanted = files.map((path) => ({ kind, path }));
  const plan = planOutputs(wanted, { ...rule, makesFolders: true, toStdout: true });
  if (plan.errors.length > 0) return { ...NONE, problems: plan.errors };
  const problems: string[] = [];
  const unfinished: string[] = [];
  const pool = createWorkers({ jobs: 1, preload: false, flags: V8_FLAGS, timeLimit, memory });
  const signals = heedSignals();
  try {
    for (const [i, script] of scripts.entries()) {
      if (await signals.interrupted()) {
        const interruption = interruptedAfter(i, scripts.length, 'files');
        return { problems, unfinished, interruption };
      }
      const end = 'format' in script.of ? await pool.script(script.of) : script.of;
      if ('unfinished' in end) unfinished.push(`${script.path}: ${end.unfinished}`);
      else problems.push(...writeOne(script, end, plan.outputs[i]));
    }
    return { problems, unfinished, interruption: [] };
  } finally {
    await pool.close();
    signals.release();
  }
}

/** The name of every script's file. Tests of one name, in other folders, are told apart by where they come from. */
function namesOf(scripts: readonly ScriptFile[]): readonly string[] {
  const from = new Map<string, Set<string>>();
  for (const { file, path } of scripts) from.set(file, (from.get(file) ?? new Set()).add(path));
  return scripts.map(({ file, path }) =>
    from.get(file)?.size === 1 ? file : harmless(`${path.replace(/\.[^./]*$/, '')}.${file}`),
  );
}

/** Writes a script; returns why that failed, if it did. */
function writeOne({ path }: ScriptFile, script: ScriptText, output: Output): readonly string[] {
  if ('reason' in script) return [`${path}: ${script.reason}`];
  return output.write(script.text);
}
