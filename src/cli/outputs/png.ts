import { readFileSync } from 'node:fs';
import { createRequire } from 'node:module';
import type { PngFiles } from '../../report/picture/png.js';
import { pngOf } from '../../report/picture/png.js';

/** An SVG as PNG, on white. */
export const drawPng = (svg: string): Promise<Uint8Array> => pngOf(svg, pngFiles());

/** The renderer and fonts for PNG, read from their packages. */
export function pngFiles(): PngFiles {
  const packages = createRequire(import.meta.url);
  const fonts = [
    packages.resolve('@expo-google-fonts/cousine/400Regular/Cousine_400Regular.ttf'),
    packages.resolve('@expo-google-fonts/cousine/700Bold/Cousine_700Bold.ttf'),
    packages.resolve('@expo-google-fonts/arimo/400Regular/Arimo_400Regular.ttf'),
  ];
  const wasm = packages.resolve('@resvg/resvg-wasm/index_bg.wasm');
  return { wasm: readFileSync(wasm), fonts: fonts.map((font) => readFileSync(font)) };
}
