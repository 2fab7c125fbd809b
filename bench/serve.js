// Questions by a server, beside a process for each.
import { spawn } from 'node:child_process';
import { existsSync, mkdtempSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { table } from './markdown.js';
import { CLI, range, spread, timeBareNode, timeCommand } from './process.js';

const FILE = 'corpus/tso/MP3bis.litmus';

const QUESTIONS = [
  ['one file', ['check', FILE]],
  ['one file, `smt` only', ['check', FILE, '--engine', 'smt']],
  ['all final states of one file', ['outcomes', 'corpus/tso/IRIW1.litmus']],
  ['why a verdict is what it is', ['explain', FILE]],
  ['and what would change it', ['explain', FILE, '--fix']],
  ['robustness of one file', ['robust', 'corpus/robustness/R6c.litmus']],
  ['published tests', ['test', 'corpus/tso', 'corpus/loco']],
];

/** Each question so many times as often as others: they are short. */
const TIMES = 4;

/** A server is there for long: its code is compiled by then. So each question is asked a few times before. */
const BEFORE = 10;

export function measureServe(runs) {
  const folder = mkdtempSync(join(tmpdir(), 'remora-bench-'));
  const address = join(folder, 'server');
  const server = spawn(process.execPath, [CLI, 'serve', '--listen', address], { stdio: 'ignore' });
  try {
    while (!existsSync(address)) sleep(20);
    const by = (args) => timeCommand([`--server=${address}`, ...args]);
    const rows = QUESTIONS.map(([name, args]) => {
      const first = by(args);
      range(BEFORE).forEach(() => by(args));
      // By turns: what else the machine does is then in all of them.
      const turns = range(TIMES * runs).map(() => [timeCommand(args), by(args), timeBareNode()]);
      const [cold, served, floor] = [0, 1, 2].map((i) => spread(turns.map((turn) => turn[i])));
      return { name, args, first, cold, served, floor };
    });
    return rows;
  } finally {
    server.kill();
    rmSync(folder, { recursive: true });
  }
}

const sleep = (ms) => Atomics.wait(new Int32Array(new SharedArrayBuffer(4)), 0, 0, ms);

const ms = (seconds) => (1000 * seconds).toFixed(0);

export const serveLines = (rows) => [
  'Whole command lines in milliseconds, process start included: by themselves; with `--server`, where a server was asked the same before; and',
  '`node -e 0`, which no command line can be faster than. The first time: the same question was not asked of this server before.',
  '',
  ...table(
    ['question', 'by itself', 'by a server', '`node -e 0`', 'by a server, the first time'],
    rows.map(({ name, cold, served, floor, first }) => [
      name,
      ms(cold.median),
      ms(served.median),
      ms(floor.median),
      ms(first),
    ]),
  ),
];
