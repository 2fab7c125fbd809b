import { existsSync } from 'node:fs';
import { delimiter, join } from 'node:path';
import { afterEach, describe, expect, test, vi } from 'vitest';
import { drawPng } from '../src/picture/index.js';
import { NAMED, SMALL } from './support/pictures.js';

/** As with a native Z3: skipped where there is none, unless there must be one. */
const MISSING = !(process.env['PATH'] ?? '')
  .split(delimiter)
  .some((folder) => existsSync(join(folder, 'dot')));
const SKIP = MISSING && process.env['REMORA_NATIVE'] !== '1';

afterEach(() => {
  vi.unstubAllEnvs();
});

describe.skipIf(SKIP)(
  SKIP ? 'PNG (SKIPPED: there is no `dot`; Debian: apt-get install graphviz)' : 'PNG',
  () => {
    test.each([
      ['a cycle', SMALL],
      ['odd names', NAMED],
    ])('of %s', async (_, graph) => {
      const png = await drawPng(graph, { title: 'a "picture"' });
      expect([...png.subarray(0, 8)]).toEqual([0x89, 0x50, 0x4e, 0x47, 0x0d, 0x0a, 0x1a, 0x0a]);
      const size = new DataView(png.buffer, png.byteOffset);
      expect(size.getUint32(16)).toBeGreaterThan(600);
      expect(size.getUint32(20)).toBeGreaterThan(200);
    });
  },
);

test('PNG without Graphviz fails with a hint', async () => {
  vi.stubEnv('PATH', '/nonexistent');
  await expect(drawPng(SMALL)).rejects.toThrow(/needs Graphviz's command `dot`.*apt-get install/);
});
