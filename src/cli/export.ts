import { mkdirSync, writeFileSync } from 'node:fs';
import { dirname, join } from 'node:path';
import { prepare } from '../check/engine.js';
import { DEFAULT_COUNTER_BOUND, promelaScript } from '../instrument/index.js';
import { smtlibScript } from '../report/script.js';
import { AS_EXPECTED, BAD_INPUT } from './exit.js';
import { readCorpus, readModels, renderFor } from './inputs.js';

export interface ExportOptions {
  readonly model: readonly string[];
  readonly bound?: number;
  /** Just one query of each test, counted from 1. */
  readonly query?: number;
  /** A file that ends in `.smt2`, or else a folder. */
  readonly out?: string;
}

interface Script {
  readonly file: string;
  readonly text: string;
}

interface Scripts {
  readonly scripts: readonly Script[];
  readonly errors: readonly string[];
}

/**
 * `remora export --smtlib`: every query of the tests under every model as an SMT-LIB 2 script: one
 * to standard output or a file, several into a folder. What is wrong with an input is reported, and
 * the others are written.
 */
export function exportSmtlib(paths: readonly string[], options: ExportOptions): number {
  return report(smtlibScripts(paths, options), options.out, {
    ending: '.smt2',
    several: (n) => `${n} queries: choose one with --query and --model`,
  });
}

export interface PromelaOptions {
  readonly counterBound?: number;
  /** A file that ends in `.pml`, or else a folder. */
  readonly out?: string;
}

/**
 * `remora export --promela`: every program as a Promela model in which SPIN finds a violated assertion
 * exactly if the program is not robust. Written as `exportSmtlib` does.
 */
export function exportPromela(paths: readonly string[], options: PromelaOptions): number {
  return report(promelaScripts(paths, options), options.out, {
    ending: '.pml',
    several: (n) => `${n} programs: choose one file`,
  });
}

function promelaScripts(
  paths: readonly string[],
  { counterBound = DEFAULT_COUNTER_BOUND }: PromelaOptions,
): Scripts {
  // The procedure is about programs with polls, as this model has them.
  const models = readModels(['rdma-sc'], 'smt');
  const [model] = models.items;
  const corpus = readCorpus(paths);
  const errors = [...models.errors, ...corpus.errors];
  const scripts: Script[] = [];
  for (const { source, test } of corpus.tests) {
    const prepared = prepare(test.program, model, 'smt');
    if (!prepared.ok) {
      errors.push(renderFor(source, prepared.errors));
      continue;
    }
    const { program, note } = prepared.value;
    const script = promelaScript({ ...test, program }, source, {
      counterBound,
      ...(note !== undefined && { note }),
    });
    if ('reason' in script) errors.push(`${source.path}: ${script.reason}`);
    else scripts.push({ file: `${test.name}.pml`, text: script.text });
  }
  return { scripts, errors };
}

function smtlibScripts(
  paths: readonly string[],
  { model: names, bound, query }: ExportOptions,
): Scripts {
  const models = readModels(names, 'smt');
  const corpus = readCorpus(paths);
  const errors = [...models.errors, ...corpus.errors];
  const scripts: Script[] = [];
  for (const { source, test } of corpus.tests) {
    if (query !== undefined && query > test.queries.length) {
      errors.push(
        `${source.path}: there is no query ${query}: the test has ${test.queries.length}`,
      );
      continue;
    }
    for (const model of models.items) {
      const prepared = prepare(test.program, model, 'smt');
      if (!prepared.ok) {
        errors.push(renderFor(source, prepared.errors));
        continue;
      }
      const { program, note } = prepared.value;
      for (const index of query === undefined ? test.queries.keys() : [query - 1]) {
        const script = smtlibScript({ ...test, program }, model, index, {
          ...(bound !== undefined && { bound }),
          ...(note !== undefined && { note }),
        });
        const number = test.queries.length === 1 ? '' : `.${index + 1}`;
        const file = `${test.name}${number}.${model.name}.smt2`;
        if ('reason' in script) errors.push(`${source.path}: ${script.reason}`);
        else scripts.push({ file, text: script.text });
      }
    }
  }
  return { scripts, errors };
}

interface Format {
  /** How the name of a file ends. */
  readonly ending: string;
  /** What there are several of, and how to choose one. */
  readonly several: (count: number) => string;
}

/** Writes what there is, reports what is wrong, and gives the exit code. */
function report({ scripts, errors }: Scripts, out: string | undefined, format: Format): number {
  const nothing = scripts.length === 0 && errors.length > 0;
  const problem = nothing ? undefined : write(scripts, out, format);
  const all = problem === undefined ? errors : [...errors, problem];
  for (const error of all) process.stderr.write(`${error}\n`);
  return all.length === 0 ? AS_EXPECTED : BAD_INPUT;
}

/** Writes the scripts where they are wanted; gives what is in the way, if something is. */
function write(
  scripts: readonly Script[],
  out: string | undefined,
  { ending, several }: Format,
): string | undefined {
  if (out === undefined || out.endsWith(ending)) {
    const [only] = scripts;
    if (scripts.length !== 1) {
      return `there are ${several(scripts.length)}, or give a folder with --out`;
    }
    if (out !== undefined) return save([{ ...only, file: out }], out);
    process.stdout.write(only.text);
    return undefined;
  }
  const files = scripts.map(({ file }) => file);
  const twice = files.find((file, i) => files.indexOf(file) !== i);
  if (twice !== undefined) return `${join(out, twice)}: two tests have the same name`;
  return save(
    scripts.map(({ file, text }) => ({ file: join(out, file), text })),
    out,
  );
}

function save(scripts: readonly Script[], out: string): string | undefined {
  try {
    for (const { file, text } of scripts) {
      mkdirSync(dirname(file), { recursive: true });
      writeFileSync(file, text);
    }
    return undefined;
  } catch (error) {
    return `${out}: cannot be written (${(error as NodeJS.ErrnoException).code})`;
  }
}
