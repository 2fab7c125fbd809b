// Measures what people wait for, where the time goes and how it grows. Prints medians, writes
// bench/results.json and bench/results.md. A timing is no test: nothing fails here.
//
//   RUNS=1 npm run bench                           fewer runs than five
//   npm run bench -- --only stages,growth          these parts; the others are kept from last time
//   npm run bench -- --only growth --family iriw   one family; the others are kept from last time
//   npm run bench -- --against-herd7 PATH          only that: herd7 beside Remora on this machine; PATH is the program
//   npm run bench -- --against-dartagnan PATH      the same with Dartagnan; PATH is the folder that it was built in
import { existsSync, readFileSync, writeFileSync } from 'node:fs';
import { cpus, totalmem } from 'node:os';
import { parseArgs } from 'node:util';
import { checkersAt, measureAgainst } from './against.js';
import { measureSpin } from './beside-spin.js';
import { measureLocks } from './large-locks.js';
import { measureCommands } from './commands.js';
import { measureEditor } from './editor.js';
import { measureGoals } from './goals.js';
import { measureLibraries } from './libraries.js';
import { measureGrowth } from './growth.js';
import { report } from './report.js';
import { measureProofs } from './proofs.js';
import { measureRobust } from './robust.js';
import { measureSite } from './site.js';
import { measureSizes } from './sizes.js';
import { measureStages } from './stages.js';

const PARTS = {
  commands: measureCommands,
  stages: measureStages,
  goals: measureGoals,
  robust: measureRobust,
  sizes: measureSizes,
  locks: measureLocks,
  spin: measureSpin,
  libraries: measureLibraries,
  proofs: measureProofs,
  editor: measureEditor,
  site: measureSite,
  growth: (runs) =>
    family === undefined
      ? measureGrowth(runs)
      : [
          ...(earlier.growth ?? []).filter((g) => g.family !== family),
          ...measureGrowth(runs, { families: [family] }),
        ],
  against: (runs) => measureAgainst(checkers, runs),
};
const { values } = parseArgs({
  options: {
    only: { type: 'string' },
    family: { type: 'string' },
    'against-herd7': { type: 'string' },
    'against-dartagnan': { type: 'string' },
  },
});
const { family, 'against-herd7': herd7, 'against-dartagnan': dartagnan } = values;
const isAgainst = herd7 !== undefined || dartagnan !== undefined;
// The others are not on every machine.
const usual = Object.keys(PARTS).filter((part) => (part === 'against') === isAgainst);
const { only = usual.join() } = values;
const chosen = only.split(',');
const wrong = chosen.find((part) => !(part in PARTS));
if (wrong !== undefined) {
  console.error(`no part '${wrong}': there are ${Object.keys(PARTS).join(', ')}`);
  process.exit(2);
}
let checkers;
try {
  checkers = checkersAt({ herd7, dartagnan });
} catch (error) {
  console.error(error.message);
  process.exit(2);
}
const runs = Number(process.env.RUNS ?? 5);

const FILE = new URL('./results.json', import.meta.url);
const version = (name) =>
  JSON.parse(readFileSync(new URL(`../node_modules/${name}/package.json`, import.meta.url), 'utf8'))
    .version;

/** What is kept of earlier results: all parts that this version knows. */
const earlier = existsSync(FILE) ? JSON.parse(readFileSync(FILE, 'utf8')) : {};
const { measured = {} } = earlier;
const kept = Object.keys(PARTS).filter((part) => part in measured);

const fresh = {};
for (const part of Object.keys(PARTS)) {
  if (!chosen.includes(part)) continue;
  process.stderr.write(`${part} …\n`);
  fresh[part] = PARTS[part](runs);
}
const stamp = { date: new Date().toISOString().slice(0, 10), runs };
const all = Object.keys(PARTS).filter((part) => part in fresh || kept.includes(part));
const each = (of) => Object.fromEntries(all.map((part) => [part, of(part)]));
const results = {
  machine: `${cpus().length} × ${cpus()[0].model.trim()}, ${Math.round(totalmem() / 2 ** 30)} GiB`,
  node: process.version,
  z3: version('z3-solver'),
  measured: each((part) => (part in fresh ? stamp : measured[part])),
  ...each((part) => fresh[part] ?? earlier[part]),
};
const text = report(results);
process.stdout.write(text);
writeFileSync(FILE, `${JSON.stringify(results, null, 2)}\n`);
writeFileSync(new URL('./results.md', import.meta.url), text);
