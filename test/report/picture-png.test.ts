import { mkdtempSync, readFileSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { Resvg } from '@resvg/resvg-wasm';
import { expect, test } from 'vitest';
import { drawPng, pngFiles } from '../../src/cli/outputs/png.js';
import { BASE_WORDS } from '../../src/model/bases.js';
import { SPARE } from '../../src/report/picture/legend.js';
import { pngOf } from '../../src/report/picture/png.js';
import { drawSvg } from '../../src/report/picture/index.js';
import { textWidth } from '../../src/report/picture/text.js';
import { CODE, LEGEND_WORDS } from '../../src/report/picture/theme.js';
import { NAMED, SMALL } from '../support/pictures.js';
import { remora } from '../support/run.js';

function sizeOf(png: Uint8Array): readonly [number, number] {
  expect([...png.subarray(0, 8)]).toEqual([0x89, 0x50, 0x4e, 0x47, 0x0d, 0x0a, 0x1a, 0x0a]);
  const numbers = new DataView(png.buffer, png.byteOffset);
  return [numbers.getUint32(16), numbers.getUint32(20)];
}

test.each([
  ['a cycle', SMALL],
  ['odd names', NAMED],
])('PNG of %s has two dots for each point', async (_, graph) => {
  const [, width, height] = /width="(\d+)pt" height="(\d+)pt"/.exec(drawSvg(graph))!;
  expect(sizeOf(await drawPng(drawSvg(graph)))).toEqual([2 * Number(width), 2 * Number(height)]);
});

test('PNG has texts, in fonts that are as wide as the layout takes them to be', async () => {
  const svg = drawSvg(SMALL);
  const given = pngFiles();
  expect(await pngOf(svg, given)).not.toEqual(await pngOf(svg, { ...given, fonts: [] }));
  const drawn = (text: string, families: string, weight = 'normal'): number => {
    const look = `font-family="${families}" font-weight="${weight}" font-size="100"`;
    const lone = `<svg xmlns="http://www.w3.org/2000/svg" width="9000" height="300"><text y="200" ${look}>${text}</text></svg>`;
    return new Resvg(lone, { font: { fontBuffers: [...given.fonts] } }).innerBBox()!.width;
  };
  for (const weight of ['normal', 'bold']) {
    for (const text of ['MMMMMMMMMM', 'nrW(x,1)_[]', 'h\u00e9h\u00e9\u2026M']) {
      const width = drawn(text, CODE.families, weight);
      expect(width).toBeLessThan(textWidth(text, 100) + 1);
      expect(width).toBeGreaterThan(textWidth(text, 100) - 30);
    }
  }
  for (const words of BASE_WORDS.values()) {
    expect(drawn(words, LEGEND_WORDS.families)).toBeLessThan(textWidth(words, 100) * SPARE);
  }
});

test('explain --png writes one, whatever programs there are', async () => {
  const folder = mkdtempSync(join(tmpdir(), 'remora-png-'));
  try {
    const file = join(folder, 'a.png');
    const { code } = await remora(['explain', 'corpus/tso/SB1.litmus', '--png', file], {
      env: { PATH: '/nonexistent' },
    });
    expect(code).toBe(0);
    expect(sizeOf(readFileSync(file))[0]).toBeGreaterThan(600);
  } finally {
    rmSync(folder, { recursive: true });
  }
});
