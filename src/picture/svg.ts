import type { ExecutionGraph } from '../explain/graph.js';
import { describe } from './describe.js';
import { dressed } from './dress.js';
import type { PictureOptions } from './dot.js';
import { dotOf } from './dot.js';

/** What is used of Graphviz. */
interface Layouter {
  layout(dot: string, format: 'svg', engine: 'nop2'): string;
}

let loading: Promise<Layouter> | undefined;

/** Graphviz in WebAssembly, loaded when the first picture is drawn. */
function graphviz(): Promise<Layouter> {
  loading ??= import('@hpcc-js/wasm-graphviz').then(({ Graphviz }) => Graphviz.load());
  return loading;
}

/** A picture of an execution as SVG: for a file, or for the inside of a page. */
export async function drawSvg(
  graph: ExecutionGraph,
  options: PictureOptions = {},
): Promise<string> {
  const { dot, prefix } = dotOf(graph, options);
  const layouter = await graphviz();
  const description = describe(graph, options.highlight ?? true, options.title);
  return dressed(layouter.layout(dot, 'svg', 'nop2'), prefix, description);
}
