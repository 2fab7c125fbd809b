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
import { CPU_FAMILIES, cpuTest } from './cpu-families.js';
import { CLI, ROOT, spread } from './process.js';

const SIZES = [2, 4, 6, 8, 10, 12];

/** Seconds for one answer. A series ends with the first that takes longer. */
const TIME_LIMIT = 60;

/** What the other checkers say of an outcome that is asked for with `exists`. */
const HERD_SAYS = { Sometimes: 'allowed', Always: 'allowed', Never: 'forbidden' };
const DARTAGNAN_SAYS = { Ok: 'allowed', PASS: 'allowed', No: 'forbidden', FAIL: 'forbidden' };

/** How a file is given to a checker, and how its answer is read from what it prints. */
const REMORA = [
  { name: 'remora', ask: 'one', file: 'remora', command: remora('check'), verdict: ofRemora },
  { name: 'remora', ask: 'all', file: 'remora', command: remora('outcomes') },
];

const herd7 = (path) => [
  {
    name: 'herd7',
    ask: 'one',
    file: 'x86',
    command: (file) => [path, ['-speedcheck', 'fast', file]],
    verdict: (text) => HERD_SAYS[/^Observation \S+ (\w+)/m.exec(text)?.[1]],
  },
  { name: 'herd7', ask: 'all', file: 'x86', command: (file) => [path, [file]] },
];

const dartagnan = (folder) => [
  {
    name: 'dartagnan',
    ask: 'one',
    file: 'x86',
    command: (file) => ['java', ['-jar', JAR, TSO, '--target=tso', file]],
    cwd: folder,
    env: { ...process.env, DAT3M_HOME: folder },
    verdict: (text) => DARTAGNAN_SAYS[/\b(Ok|No|PASS|FAIL)\b/.exec(text)?.[1]],
  },
];

const JAR = join('dartagnan', 'target', 'dartagnan.jar');
const TSO = join('cat', 'tso.cat');

function remora(command) {
  return (file) => [process.execPath, [CLI, command, file, '-m', 'x86-tso']];
}

function ofRemora(text) {
  return /^ +(allowed|forbidden)/m.exec(text)?.[1];
}

/**
 * The checkers at some paths: herd7 itself, and the folder that Dartagnan was built in.
 *
 * @throws Error in words where there is none
 */
export function checkersAt({ herd7: herdPath, dartagnan: folder }) {
  return [
    ...REMORA,
    ...(herdPath === undefined ? [] : herd7(program('--against-herd7', herdPath))),
    ...(folder === undefined ? [] : dartagnan(built('--against-dartagnan', folder))),
  ];
}

function program(option, path) {
  const full = resolve(path);
  try {
    if (!statSync(full).isFile()) throw new Error('no file');
    accessSync(full, constants.X_OK);
  } catch {
    throw new Error(`${option}: '${path}' is no program that can be started`);
  }
  return full;
}

function built(option, folder) {
  const full = resolve(folder);
  const missing = [JAR, TSO].find((part) => !existsSync(join(full, part)));
  if (missing !== undefined) throw new Error(`${option}: there is no ${missing} in '${folder}'`);
  return full;
}

/** By family, size, checker and what is asked: seconds, and the verdict where it is one. */
export function measureAgainst(checkers, runs, sizes = SIZES) {
  const folder = mkdtempSync(join(tmpdir(), 'remora-bench-'));
  try {
    return CPU_FAMILIES.map((family) => ({ family, answers: measureFamily(family) }));
  } finally {
    rmSync(folder, { recursive: true });
  }

  function measureFamily(family) {
    const stopped = new Set();
    return sizes.flatMap((k) => {
      const files = Object.entries(cpuTest(family, k)).map(([syntax, text]) => {
        const path = join(folder, `${family}-${k}.${syntax}.litmus`);
        writeFileSync(path, text);
        return [syntax, path];
      });
      const pathOf = Object.fromEntries(files);
      return checkers
        .filter((checker) => !stopped.has(checker))
        .map((checker) => {
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

function measure({ command, verdict, cwd = ROOT, env = process.env }, file, runs) {
  const [path, args] = command(file);
  let said;
  const times = [];
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
    if (error !== undefined) return { end: error.code === 'ETIMEDOUT' ? 'time' : error.message };
    said = verdict?.(`${stdout}\n${stderr}`);
    if (verdict !== undefined && said === undefined) {
      return { end: `no answer: ${(stderr || stdout).trim().split('\n')[0]}` };
    }
  }
  return { seconds: spread(times), verdict: said };
}
