import { mkdirSync, mkdtempSync, readFileSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { afterAll, beforeAll, expect, test } from 'vitest';
import { commandLine } from '../../editors/vscode/command.js';
import { isAsked } from '../../editors/vscode/documents.js';
import { ROOT } from '../support/run.js';

/** How the extension for VS Code finds Remora, and when it starts it. */

let folder: string;
const put = (root: string, name: string): void => {
  mkdirSync(join(root, 'dist/cli'), { recursive: true });
  writeFileSync(join(root, 'package.json'), JSON.stringify({ name }));
  writeFileSync(join(root, 'dist/cli/main.cjs'), '');
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
  const main = (root: string) => ['node', join(folder, root, 'dist/cli/main.cjs')];
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

test.each([
  ['remora-litmus', '', true],
  ['remora-cat', '', true],
  ['c', '/* RDMA put\n   node 1 { x = 0 }\n   thread f on 1 */\nvoid f(void) { }\n', true],
  ['c', '// Copyright\n\n// RDMA put\n// thread f = g(1) on 1\nvoid g(int n) { }\n', true],
  ['c', '/* RDMA writes go to the thread on the other side. */\nint x;\n', false],
  ['c', '// RDMA\nstruct node node1 { 1 };\n', false],
  ['c', 'int main(void) { return 0; }\n', false],
  ['cpp', '/* RDMA put\n   node 1 { x = 0 }\n   thread f on 1 */\n', false],
])('a document of the language %s: %j', (languageId, text, asked) => {
  expect(isAsked({ languageId, getText: () => text })).toBe(asked);
});
