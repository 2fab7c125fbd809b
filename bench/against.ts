// Remora beside other checkers on this machine, on programs of CPUs under x86-TSO, which all of them know: whole commands,
// starts included.
import { spawnSync } from 'node:child_process';
import {
  accessSync,
  constants,
  existsSync,
  mkdtempSync,
  rmSync,
  statSync,
  writeFileSync,
} from 'node:fs';
import { tmpdir } from 'node:os';
import { join, resolve } from 'node:path';
import type { CpuTest } from './cpu-families.js';
import { CPU_FAMILIES, cpuTest } from './cpu-families.js';
import type { Spread } from './process.js';
import { CLI, ROOT, codeOf, spread } from './process.js';

const SIZES = [2, 4, 6, 8, 10, 12];

/** Seconds for one answer. A series ends with the first that takes longer. */
const TIME_LIMIT = 60;

/** By their words: verdicts. */
type Says = Readonly<Partial<Record<string, string>>>;

/** What the other checkers say of an outcome that is asked for with `exists`. */
const HERD_SAYS: Says = { Sometimes: 'allowed', Always: 'allowed', Never: 'forbidden' };
const DARTAGNAN_SAYS: Says = { Ok: 'allowed', PASS: 'allowed', No: 'forbidden', FAIL: 'forbidden' };

type AnswerRead = (text: string) => string | undefined;

/** How a file is given to a checker, and how its answer is read from what it prints. */
export interface Checker {
  readonly name: string;
  /** What is asked: for one outcome, or for all final states. */
  readonly ask: 'one' | 'all';
  /** In which syntax. */
  readonly file: keyof CpuTest;
  readonly command: (file: string) => readonly [program: string, args: readonly string[]];
  /** Where there is a verdict: reads it. */
  readonly verdict?: AnswerRead;
  readonly cwd?: string;
  readonly env?: NodeJS.ProcessEnv;
}

const REMORA: readonly Checker[] = [
  { name: 'remora', ask: 'one', file: 'remora', command: remora('check'), verdict: ofRemora },
  { name: 'remora', ask: 'all', file: 'remora', command: remora('outcomes') },
];

const herd7 = (path: string): readonly Checker[] => [
  {
    name: 'herd7',
    ask: 'one',
    file: 'x86',
    command: (file) => [path, ['-speedcheck', 'fast', file]],
    verdict: (text) => HERD_SAYS[/^Observation \S+ (\w+)/m.exec(text)?.[1] ?? ''],
  },
  { name: 'herd7', ask: 'all', file: 'x86', command: (file) => [path, [file]] },
];

const dartagnan = (folder: string): readonly Checker[] => [
  {
    name: 'dartagnan',
    ask: 'one',
    file: 'x86',
    command: (file) => ['java', ['-jar', JAR, TSO, '--target=tso', file]],
    cwd: folder,
    env: { ...process.env, DAT3M_HOME: folder },
    verdict: (text) => DARTAGNAN_SAYS[/\b(Ok|No|PASS|FAIL)\b/.exec(text)?.[1] ?? ''],
  },
];

const JAR = join('dartagnan', 'target', 'dartagnan.jar');
const TSO = join('cat', 'tso.cat');

function remora(command: string): Checker['command'] {
  return (file) => [process.execPath, [CLI, command, file, '-m', 'x86-tso']];
}

function ofRemora(text: string): string | undefined {
  return /^ +(allowed|forbidden)/m.exec(text)?.[1];
}

export interface Paths {
  readonly herd7?: string | undefined;
  readonly dartagnan?: string | undefined;
}

/**
 * The checkers at some paths: herd7 itself, and the folder that Dartagnan was built in.
 *
 * @throws Error in words where there is none
 */
export function checkersAt({ herd7: herdPath, dartagnan: folder }: Paths): readonly Checker[] {
  return [
    ...REMORA,
    ...(herdPath === undefined ? [] : herd7(program('--against-herd7', herdPath))),
    ...(folder === undefined ? [] : dartagnan(built('--against-dartagnan', folder))),
  ];
}

function program(option: string, path: string): string {
  const full = resolve(path);
  try {
    if (!statSync(full).isFile()) throw new Error('no file');
    accessSync(full, constants.X_OK);
  } catch {
    throw new Error(`${option}: '${path}' is no program that can be started`);
  }
  return full;
}

function built(option: string, folder: string): string {
  const full = resolve(folder);
  const missing = [JAR, TSO].find((part) => !existsSync(join(full, part)));
  if (missing !== undefined) throw new Error(`${option}: there is no ${missing} in '${folder}'`);
  return full;
}

/** Seconds of an answer, and the verdict where it is one; or why there is none. */
type Timed =
  | { readonly end: string; readonly verdict?: undefined }
  | { readonly end?: undefined; readonly seconds: Spread; readonly verdict?: string | undefined };

export type AgainstAnswer = Timed & Pick<Checker, 'name' | 'ask'> & { readonly k: number };

export interface FamilyAgainst {
  readonly family: string;
  readonly answers: readonly AgainstAnswer[];
}

/** By family, size, checker and what is asked: seconds, and the verdict where it is one. */
export function measureAgainst(
  checkers: readonly Checker[],
  runs: number,
  sizes: readonly number[] = SIZES,
): readonly FamilyAgainst[] {
  const folder = mkdtempSync(join(tmpdir(), 'remora-bench-'));
  try {
    return CPU_FAMILIES.map((family) => ({ family, answers: measureFamily(family) }));
  } finally {
    rmSync(folder, { recursive: true });
  }

  function measureFamily(family: string): readonly AgainstAnswer[] {
    const stopped = new Set<Checker>();
    return sizes.flatMap((k) => {
      const pathOf = mapped(cpuTest(family, k), (syntax, text) => {
        const path = join(folder, `${family}-${k}.${syntax}.litmus`);
        writeFileSync(path, text);
        return path;
      });
      return checkers
        .filter((checker) => !stopped.has(checker))
        .map((checker): AgainstAnswer => {
          const answer = measure(checker, pathOf[checker.file], runs);
          if (answer.end !== undefined) stopped.add(checker);
          const { name, ask } = checker;
          process.stderr.write(
            `${family} ${k} ${name} ${ask}: ${answer.end ?? answer.seconds.median}\n`,
          );
          return { k, name, ask, ...answer };
        });
    });
  }
}

/** The same of both syntaxes. */
const mapped = (
  { remora, x86 }: CpuTest,
  of: (syntax: string, text: string) => string,
): CpuTest => ({ remora: of('remora', remora), x86: of('x86', x86) });

function measure(
  { command, verdict, cwd = ROOT, env = process.env }: Checker,
  file: string,
  runs: number,
): Timed {
  const [path, args] = command(file);
  let said: string | undefined;
  const times: number[] = [];
  for (let run = 0; run < runs; run++) {
    const started = performance.now();
    const { stdout, stderr, error } = spawnSync(path, args, {
      cwd,
      env,
      encoding: 'utf8',
      maxBuffer: 2 ** 28,
      timeout: TIME_LIMIT * 1000,
      killSignal: 'SIGKILL',
    });
    times.push((performance.now() - started) / 1000);
    if (error !== undefined) return { end: codeOf(error) === 'ETIMEDOUT' ? 'time' : error.message };
    said = verdict?.(`${stdout}\n${stderr}`);
    if (verdict !== undefined && said === undefined) {
      return { end: `no answer: ${(stderr || stdout).trim().split('\n')[0]}` };
    }
  }
  return { seconds: spread(times), verdict: said };
}
