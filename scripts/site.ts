// Builds the site: static files, for any host. `--open` shows it on this machine. Its report is of the corpus, or of the paths that are given.
import { spawn } from 'node:child_process';
import { renameSync, rmSync } from 'node:fs';
import { join } from 'node:path';
import { parseArgs } from 'node:util';
import { writeFieldPage } from './field.js';
import { writeMeasurementsPage } from './measurements.js';
import { buildPlayground } from './playground.js';
import { serve } from './serve.js';

const SITE = 'site';
const { values, positionals } = parseArgs({
  allowPositionals: true,
  options: { open: { type: 'boolean' }, base: { type: 'string', default: '/' } },
});
const place = ['--outDir', SITE, '--base', values.base];
// They are at docs/field.md and docs/measurements.md on the site, and nowhere in the repository.
writeFieldPage('website/made');
writeMeasurementsPage('website/made');
// VitePress empties the folder of the site, and mostly uses one processor: the report is written elsewhere meanwhile.
const REPORT = 'website/made/report';
rmSync(REPORT, { recursive: true, force: true });
const reported = positionals.length > 0 ? positionals : ['corpus'];
/** What is also decided on all fabrics, of what is reported. Deciding all of the corpus would take as long as its report. */
const onFabrics = ['corpus/fabrics', 'corpus/field'].flatMap((folder) =>
  reported.flatMap((path) =>
    `${folder}/`.startsWith(`${path}/`) ? folder : path.startsWith(`${folder}/`) ? path : [],
  ),
);
await Promise.all([
  run(
    'dist/cli/main.cjs',
    'report',
    ...reported,
    ...onFabrics.flatMap((folder) => ['--fabrics', folder]),
    '--out',
    REPORT,
  ),
  run('node_modules/vitepress/bin/vitepress.js', 'build', 'website', ...place).then(() =>
    buildPlayground(join(SITE, 'play')),
  ),
]);
renameSync(REPORT, join(SITE, 'report'));
if (values.open) {
  // Where something else has the port, any other does.
  const { address } = await serve(SITE, 8080).catch(() => serve(SITE));
  console.log(`${address}play/ is the playground; Ctrl-C ends this`);
}

/** Runs a command of this repository; its failure is ours. */
function run(script: string, ...args: readonly string[]): Promise<void> {
  const child = spawn(process.execPath, [script, ...args], {
    stdio: ['ignore', 'inherit', 'inherit'],
  });
  return new Promise((resolve, reject) => {
    child.on('error', reject);
    child.on('close', (code) => (code === 0 ? resolve() : process.exit(code ?? 1)));
  });
}
