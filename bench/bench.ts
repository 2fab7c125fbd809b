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
import type { Checker } from './against.js';
import { checkersAt, measureAgainst } from './against.js';
import { measureSpin } from './beside-spin.js';
import { measureLocks } from './large-locks.js';
import { measureBySize } from './by-size.js';
import { measureC } from './c-files.js';
import { measureCommands } from './commands.js';
import { measureEditor } from './editor.js';
import { measureGoals } from './goals.js';
import { measureLibraries } from './libraries.js';
import { measureGrowth } from './growth.js';
import { report } from './report.js';
import type { PartName, Parts, Results } from './results.js';
import { compileScripts } from './scripts.js';
import { measureProofs } from './proofs.js';
import { measureRobust } from './robust.js';
import { measureSite } from './site.js';
import { measureSizes } from './sizes.js';
import { measureStages } from './stages.js';

/** How each part is measured, in the order of the report. */
const PARTS: { readonly [Name in PartName]: (runs: number) => Parts[Name] } = {
  commands: measureCommands,
  c: measureC,
  bySize: measureBySize,
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
const NAMES = Object.keys(PARTS) as PartName[];
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
const usual = NAMES.filter((part) => (part === 'against') === isAgainst);
const { only = usual.join() } = values;
const chosen = only.split(',');
const wrong = chosen.find((part) => !(part in PARTS));
if (wrong !== undefined) {
  console.error(`no part '${wrong}': there are ${Object.keys(PARTS).join(', ')}`);
  process.exit(2);
}
let checkers: readonly Checker[];
try {
  checkers = checkersAt({ herd7, dartagnan });
} catch (error) {
  console.error((error as Error).message);
  process.exit(2);
}
const runs = Number(process.env.RUNS ?? 5);

const FILE = new URL('./results.json', import.meta.url);
const version = (name: string): string => {
  const manifest = new URL(`../node_modules/${name}/package.json`, import.meta.url);
  return (JSON.parse(readFileSync(manifest, 'utf8')) as { readonly version: string }).version;
};

/** Earlier results, which are kept but for what is measured now. */
const earlier: Partial<Results> = existsSync(FILE)
  ? (JSON.parse(readFileSync(FILE, 'utf8')) as Results)
  : {};

await compileScripts();
const fresh: Partial<Parts> = {};
const measure = <Name extends PartName>(part: Name): void => {
  process.stderr.write(`${part} …\n`);
  fresh[part] = PARTS[part](runs);
};
NAMES.filter((part) => chosen.includes(part)).forEach(measure);
const machine = `${cpus().length} × ${cpus()[0].model.trim()}, ${Math.round(totalmem() / 2 ** 30)} GiB`;
const stamp = { machine, date: new Date().toISOString().slice(0, 10), runs };
const all = NAMES.filter((part) => part in fresh || part in (earlier.measured ?? {}));
const each = <T>(of: (part: PartName) => T): Partial<Record<PartName, T>> =>
  Object.fromEntries(all.map((part) => [part, of(part)]));
const results = {
  node: process.version,
  z3: version('z3-solver'),
  measured: each((part) => (part in fresh ? stamp : earlier.measured?.[part])),
  ...each((part) => fresh[part] ?? earlier[part]),
} as Results;
const text = report(results);
process.stdout.write(text);
writeFileSync(FILE, `${JSON.stringify(results, null, 2)}\n`);
writeFileSync(new URL('./results.md', import.meta.url), text);
