import { mkdirSync, mkdtempSync, readFileSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { afterAll, beforeAll, expect, test } from 'vitest';
import { commandLine } from '../../editors/vscode/command.js';
import { ROOT } from '../support/run.js';

/** How the extension for VS Code finds Remora. */

let folder: string;
const put = (root: string, name: string): void => {
  mkdirSync(join(root, 'dist/cli'), { recursive: true });
  writeFileSync(join(root, 'package.json'), JSON.stringify({ name }));
  writeFileSync(join(root, 'dist/cli/main.js'), '');
};

beforeAll(() => {
  folder = mkdtempSync(join(tmpdir(), 'remora-command-'));
  for (const name of ['empty', 'user', 'clone', 'other']) mkdirSync(join(folder, name));
  put(join(folder, 'user/node_modules/remora'), 'remora');
  put(join(folder, 'clone'), 'remora');
  put(join(folder, 'other'), 'other');
});
afterAll(() => rmSync(folder, { recursive: true }));

const found = (...names: string[]) =>
  commandLine(
    [],
    names.map((name) => join(folder, name)),
  );

test('in the workspace: installed there, or a clone', () => {
  const main = (root: string) => ['node', join(folder, root, 'dist/cli/main.js')];
  expect(found('empty', 'user', 'clone')).toEqual(main('user/node_modules/remora'));
  expect(found('other', 'clone')).toEqual(main('clone'));
});

test('or else on the PATH, and never from a registry', () => {
  expect(found()).toEqual(['remora']);
  expect(found('empty', 'other')).toEqual(['remora']);
});

test('the setting goes before it, and is empty unless somebody sets it', () => {
  expect(commandLine(['npx', 'mine'], [join(folder, 'clone')])).toEqual(['npx', 'mine']);
  const manifest = JSON.parse(readFileSync(join(ROOT, 'editors/vscode/package.json'), 'utf8')) as {
    contributes: { configuration: { properties: Record<string, { default: unknown }> } };
  };
  expect(manifest.contributes.configuration.properties['remora.command'].default).toEqual([]);
});
