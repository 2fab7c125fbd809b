import { Resvg, initWasm } from '@resvg/resvg-wasm';

/** The files that drawing needs. WebAssembly cannot read files, so the caller passes the module and the fonts. */
export interface PngFiles {
  /** `index_bg.wasm` of the package `@resvg/resvg-wasm`. */
  readonly wasm: Uint8Array;
  /** TTF or OTF: Cousine, regular and bold, and Arimo. */
  readonly fonts: readonly Uint8Array[];
}

/** Pixels for each point: two, so that pictures are sharp on screens of high resolution. */
const DOTS_PER_INCH = 144;

let loading: Promise<void> | undefined;

/**
 * A picture as PNG, on white, from its SVG. The WebAssembly is loaded once: it is that of the first call.
 */
export async function pngOf(svg: string, { wasm, fonts }: PngFiles): Promise<Uint8Array> {
  loading ??= initWasm(wasm);
  await loading;
  const font = { fontBuffers: [...fonts] };
  const drawing = new Resvg(svg, { dpi: DOTS_PER_INCH, background: 'white', font });
  const image = drawing.render();
  const png = image.asPng();
  // The garbage collector does not free memory of WebAssembly.
  image.free();
  drawing.free();
  return png;
}
