import { Resvg, initWasm } from '@resvg/resvg-wasm';

/** What turns SVG into dots, as files: WebAssembly finds nothing by itself, not even fonts. */
export interface PngFiles {
  /** `index_bg.wasm` of the package `@resvg/resvg-wasm`. */
  readonly wasm: Uint8Array;
  /** TTF or OTF: Cousine, regular and bold, and Arimo. */
  readonly fonts: readonly Uint8Array[];
}

/** Twice as many dots as points, for screens with many of them. */
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
  // Memory of WebAssembly is not collected.
  image.free();
  drawing.free();
  return png;
}
