// What npm runs in a clone: builds `dist`, with the declarations of the library. `npm install -g` of a repository, as pre-commit does it, tells
// npm that all is global even in the clone that it makes. Then the packages that build are not installed there, and are now. So this is
// JavaScript: there may be nothing yet that compiles.
// @ts-check
import { spawnSync } from 'node:child_process';
import { existsSync } from 'node:fs';

/** @param {string[]} args */
const npm = (...args) => {
  const { status } = spawnSync('npm', args, {
    stdio: 'inherit',
    shell: process.platform === 'win32',
  });
  if (status !== 0) process.exit(status ?? 1);
};

if (!existsSync('node_modules/esbuild')) {
  npm('ci', '--no-global', '--include=dev', '--ignore-scripts', '--no-audit', '--no-fund');
}
// Maps lead to sources, which the package does not have.
if (['pack', 'publish'].includes(process.env['npm_command'] ?? ''))
  process.env['REMORA_MAPS'] = 'no';
npm('run', '--silent', 'types');
