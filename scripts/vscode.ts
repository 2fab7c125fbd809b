// Packs the extension for VS Code, as remora.vsix or as the file that is named. Nothing is published.
import { build } from 'esbuild';
import { spawnSync } from 'node:child_process';
import { copyFileSync, readFileSync, writeFileSync } from 'node:fs';
import { resolve } from 'node:path';
import { drawPng } from '../src/cli/outputs/png.js';

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
// Marketplaces take no SVG.
const icon = readFileSync(`${FOLDER}/icon.svg`, 'utf8');
writeFileSync(`${FOLDER}/dist/icon.png`, await drawPng(icon));
const vsce = [
  'package',
  '--no-dependencies',
  '--allow-missing-repository',
  '--out',
  resolve(process.argv[2] ?? 'remora.vsix'),
];
const { status } = spawnSync('npx', ['--yes', '@vscode/vsce@3.9.2', ...vsce], {
  cwd: FOLDER,
  stdio: ['ignore', 'inherit', 'inherit'],
});
process.exit(status ?? 1);
