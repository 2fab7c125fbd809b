import { Resvg, initWasm } from '@resvg/resvg-wasm';

/** The files that drawing needs. The caller reads them, because WebAssembly cannot. */
export interface PngFiles {
  /** `index_bg.wasm` of the package `@resvg/resvg-wasm`. */
  readonly wasm: Uint8Array;
  /** TTF or OTF: Cousine, regular and bold, and Arimo. */
  readonly fonts: readonly Uint8Array[];
}

/** Two pixels for each point, so that pictures are sharp on screens of high resolution. */
const DOTS_PER_INCH = 144;

let loading: Promise<void> | undefined;

/**
 * Makes a PNG on white of an SVG. The WebAssembly is only loaded at the first call: that of later calls is ignored.
 */
export async function pngOf(svg: string, { wasm, fonts }: PngFiles): Promise<Uint8Array> {
  loading ??= initWasm(wasm);
  await loading;
  const font = { fontBuffers: [...fonts] };
  const drawing = new Resvg(svg, { dpi: DOTS_PER_INCH, background: 'white', font });
  const image = drawing.render();
  const png = image.asPng();
  // The garbage collector never frees memory of WebAssembly.
  image.free();
  drawing.free();
  return png;
}
