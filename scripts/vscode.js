// Packs the extension for VS Code. Nothing is published.
import { build } from 'esbuild';
import { spawnSync } from 'node:child_process';
import { copyFileSync } from 'node:fs';

const FOLDER = 'editors/vscode';
await build({
  entryPoints: [`${FOLDER}/extension.ts`],
  outfile: `${FOLDER}/dist/extension.cjs`,
  bundle: true,
  platform: 'node',
  format: 'cjs',
  external: ['vscode'],
  minify: true,
  logLevel: 'warning',
});
copyFileSync('LICENSE', `${FOLDER}/LICENSE`);
const vsce = [
  'package',
  '--no-dependencies',
  '--allow-missing-repository',
  '--out',
  '../../remora.vsix',
];
const { status } = spawnSync('npx', ['--yes', '@vscode/vsce@3.9.2', ...vsce], {
  cwd: FOLDER,
  stdio: ['ignore', 'inherit', 'inherit'],
});
process.exit(status ?? 1);
