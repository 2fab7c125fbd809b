// Measures what people wait for, and where the time goes. Prints medians, writes bench/results.json
// and bench/results.md. A timing is no test: nothing fails here.
import { execFileSync } from 'node:child_process';
import { readFileSync, writeFileSync } from 'node:fs';
import { cpus, totalmem } from 'node:os';
import { fileURLToPath } from 'node:url';
import { measureStages } from './stages.js';

const root = fileURLToPath(new URL('..', import.meta.url));
const cli = fileURLToPath(new URL('../dist/cli/main.js', import.meta.url));
const RUNS = Number(process.env.RUNS ?? 5);

/** Median, least and greatest of some numbers. */
function spread(numbers) {
  const sorted = [...numbers].sort((a, b) => a - b);
  const round = (n) => Math.round(n * 1000) / 1000;
  return {
    median: round(sorted[Math.floor(sorted.length / 2)]),
    min: round(sorted[0]),
    max: round(sorted.at(-1)),
  };
}

/** Seconds that a whole command takes, process start included. */
function timeCommand(args) {
  const seconds = [];
  for (let i = 0; i < RUNS; i++) {
    const start = performance.now();
    execFileSync(process.execPath, [cli, ...args], { cwd: root, stdio: 'ignore' });
    seconds.push((performance.now() - start) / 1000);
  }
  return spread(seconds);
}

const FIVE = 'sc,rdma-sc,rdma-tso,rdma-tso-nopcie,rdma-wait';
const COMMANDS = [
  ['corpus under five models, cold', ['test', 'corpus', '-m', FIVE], 3],
  [
    'published tests only, five models',
    ['test', 'corpus/tso', 'corpus/robustness', 'corpus/decidability', 'corpus/loco', '-m', FIVE],
    3,
  ],
  ['one file', ['check', 'corpus/tso/MP3bis.litmus'], 0.8],
  ['all final states of one file', ['outcomes', 'corpus/tso/IRIW1.litmus'], undefined],
];

const version = (name) =>
  JSON.parse(readFileSync(new URL(`../node_modules/${name}/package.json`, import.meta.url), 'utf8'))
    .version;

const results = {
  date: new Date().toISOString().slice(0, 10),
  machine: `${cpus().length} × ${cpus()[0].model.trim()}, ${Math.round(totalmem() / 2 ** 30)} GiB`,
  node: process.version,
  z3: version('z3-solver'),
  runs: RUNS,
  commands: COMMANDS.map(([name, args, goal]) => ({
    name,
    args,
    goal,
    seconds: timeCommand(args),
  })),
  stages: await measureStages(RUNS, spread),
};

const lines = [
  '# Benchmark',
  '',
  `${results.date}, ${results.machine}, Node ${results.node}, Z3 ${results.z3} (WebAssembly), medians of ${RUNS} runs.`,
  'Made by `npm run bench`.',
  '',
  '| command | seconds | least – most | goal |',
  '| --- | --- | --- | --- |',
  ...results.commands.map(
    ({ name, seconds: s, goal }) =>
      `| ${name} | ${s.median.toFixed(2)} | ${s.min.toFixed(2)} – ${s.max.toFixed(2)} | ${goal === undefined ? '' : `< ${goal}`} |`,
  ),
  '',
  `Where the time goes, in one thread: ${results.stages.tests} tests under five models, ${results.stages.queries} queries,`,
  `${results.stages.events} events and ${results.stages.clauses} clauses in all.`,
  '',
  '| stage | milliseconds | per query |',
  '| --- | --- | --- |',
  ...results.stages.rows.map(
    ({ stage, milliseconds }) =>
      `| ${stage} | ${milliseconds.median.toFixed(0)} | ${(milliseconds.median / results.stages.queries).toFixed(2)} |`,
  ),
];
const text = `${lines.join('\n')}\n`;
writeFileSync(new URL('./results.json', import.meta.url), `${JSON.stringify(results, null, 2)}\n`);
writeFileSync(new URL('./results.md', import.meta.url), text);
process.stdout.write(text);
