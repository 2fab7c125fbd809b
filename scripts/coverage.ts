// Which functions of `src` are entered by no test: `npm run coverage`, and `npm run coverage -- --long` with the long tests. It
// takes a copy of the project, puts marks into its sources, builds it and runs the tests there. So a function counts wherever it runs:
// in the process of the tests, in a command, in a worker, in a process that is killed.
import { spawnSync } from 'node:child_process';
import { cpSync, mkdtempSync, readFileSync, rmSync, symlinkSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { Instrumenter } from './instrument.js';

const copy = mkdtempSync(join(tmpdir(), 'remora-coverage-'));
const log = join(copy, 'entered.log');
try {
  const files = filesOfProject();
  for (const file of files) cpSync(file, join(copy, file));
  symlinkSync(join(process.cwd(), 'node_modules'), join(copy, 'node_modules'));
  const instrumenter = new Instrumenter(log);
  for (const file of files.filter(isCounted)) {
    const path = join(copy, file);
    writeFileSync(path, instrumenter.instrument(file, readFileSync(path, 'utf8')));
  }
  run('npm', 'run', '--silent', 'types');
  // What was entered for the build does not count.
  writeFileSync(log, '');
  run('npx', 'vitest', 'run');
  if (process.argv.includes('--long')) run('npx', 'vitest', 'run', '--mode', 'long');
  const entered = new Set(readFileSync(log, 'utf8').split('\n'));
  const { functions } = instrumenter;
  const missed = functions.filter((_, id) => !entered.has(`${id}`));
  for (const { file, line, name } of missed) console.log(`${file}:${line} ${name}`);
  console.log(`\n${functions.length - missed.length} of ${functions.length} functions are entered`);
} finally {
  rmSync(copy, { recursive: true, force: true });
}

/** All that git would add. */
function filesOfProject(): readonly string[] {
  const command = ['ls-files', '--cached', '--others', '--exclude-standard', '-z'];
  const { stdout } = spawnSync('git', command, { encoding: 'utf8', maxBuffer: 2 ** 28 });
  return stdout.split('\0').filter((file) => file !== '');
}

/** Scripts of pages run in browsers, which keep no marks. */
function isCounted(file: string): boolean {
  return /^src\/.*\.ts$/.test(file) && !file.startsWith('src/report/site/browser/');
}

/** Tests of times and sizes, of the sources themselves, and of what git or npm does may fail with marks, and in a copy. */
function run(program: string, ...args: readonly string[]): void {
  const { status } = spawnSync(program, args, {
    cwd: copy,
    stdio: ['ignore', 'inherit', 'inherit'],
  });
  if (status !== 0) console.log(`${[program, ...args].join(' ')} fails with marks in the sources`);
}
