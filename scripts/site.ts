// Builds the site: static files, for any host. `--open` shows it on this machine.
import { spawnSync } from 'node:child_process';
import { join } from 'node:path';
import { parseArgs } from 'node:util';
import { writeFieldPage } from './field.js';
import { buildPlayground } from './playground.js';
import { serve } from './serve.js';

const SITE = 'site';
const { values } = parseArgs({
  options: { open: { type: 'boolean' }, base: { type: 'string', default: '/' } },
});
const place = ['--outDir', SITE, '--base', values.base];
// It is at docs/field.md on the site, and nowhere in the repository.
writeFieldPage('website/made');
run('node_modules/vitepress/bin/vitepress.js', 'build', 'website', ...place);
await buildPlayground(join(SITE, 'play'));
run('dist/cli/main.js', 'report', 'corpus', '--out', join(SITE, 'report'));
if (values.open) {
  // Where something else has the port, any other does.
  const { address } = await serve(SITE, 8080).catch(() => serve(SITE));
  console.log(`${address}play/ is the playground; Ctrl-C ends this`);
}

/** Runs a command of this repository; its failure is ours. */
function run(script: string, ...args: readonly string[]): void {
  const { status } = spawnSync(process.execPath, [script, ...args], {
    stdio: ['ignore', 'inherit', 'inherit'],
  });
  if (status !== 0) process.exit(status ?? 1);
}
