import { mkdtempSync, readFileSync, rmSync } from 'node:fs';
import { isBuiltin } from 'node:module';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { unzipSync } from 'fflate';
import { afterAll, beforeAll, expect, test } from 'vitest';
import { ROOT, run } from '../support/run.js';

/** The extension for VS Code as people install it: packed by vsce, which npm fetches, and unpacked. */

interface Manifest {
  readonly main: string;
  readonly icon: string;
  readonly contributes: Readonly<Record<string, unknown>>;
}

let folder: string;
let packed: Readonly<Record<string, Uint8Array>>;

beforeAll(async () => {
  folder = mkdtempSync(join(tmpdir(), 'remora-vscode-'));
  const file = join(folder, 'remora.vsix');
  const env = process.env as Record<string, string>;
  const done = await run(process.execPath, ['--import', 'tsx', 'scripts/vscode.ts', file], {
    cwd: ROOT,
    env,
    limit: 120_000,
  });
  expect(done.code, done.stderr).toBe(0);
  packed = unzipSync(new Uint8Array(readFileSync(file)));
}, 180_000);
afterAll(() => rmSync(folder, { recursive: true }));

const text = (file: string): string => new TextDecoder().decode(packed[`extension/${file}`]);

test('has each file that its manifest names', () => {
  const { main, icon, contributes } = JSON.parse(text('package.json')) as Manifest;
  const named = [main, icon, ...pathsIn(contributes)].map((path) => `extension/${path.slice(2)}`);
  expect(named.length).toBeGreaterThan(6);
  expect(Object.keys(packed)).toEqual(expect.arrayContaining(named));
});

test('has what starts the server, the client of the protocol included, and nothing of VS Code', () => {
  const code = text('dist/extension.cjs');
  expect(code).toContain('textDocument/codeLens');
  expect(code).toContain('remora/picture');
  const required = [...code.matchAll(/\brequire\("([^"]+)"\)/g)].map(([, name]) => name);
  const foreign = required.filter((name) => !isBuiltin(name));
  expect([...new Set(foreign)]).toEqual(['vscode']);
});

/** The relative paths in a part of the manifest. */
function pathsIn(part: unknown): readonly string[] {
  if (typeof part === 'string') return part.startsWith('./') ? [part] : [];
  return typeof part === 'object' && part !== null ? Object.values(part).flatMap(pathsIn) : [];
}
