import { readFileSync } from 'node:fs';
import { join } from 'node:path';
import { expect, test } from 'vitest';
import { COMMANDS } from '../../src/cli/lsp/commands.js';
import { ROOT } from '../support/run.js';

/** What the extension for VS Code says that it has: in its manifest, its code, and the page about editors. */

interface Manifest {
  readonly contributes: {
    readonly commands: readonly { readonly command: string; readonly title: string }[];
  };
}

const text = (path: string): string => readFileSync(join(ROOT, path), 'utf8');
const { contributes } = JSON.parse(text('editors/vscode/package.json')) as Manifest;

test('each command is one of the server, or of the extension, and all of these are there', () => {
  const own = [...text('editors/vscode/extension.ts').matchAll(/registerCommand\('([^']+)'/g)];
  const known = [...Object.keys(COMMANDS), ...own.map(([, name]) => name)];
  expect(contributes.commands.map(({ command }) => command).sort()).toEqual(known.sort());
});

test('the page about editors names each command', () => {
  const page = text('docs/editors.md');
  for (const { title } of contributes.commands) expect(page).toContain(`**${title}**`);
  for (const command of Object.keys(COMMANDS)) expect(page).toContain(`\`${command}\``);
});
