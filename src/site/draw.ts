import type { ExecutionGraph } from '../explain/graph.js';
import { drawSvg } from '../picture/index.js';
import type { Pool } from '../workers/pool.js';
import type { Draw } from './picture.js';

/** An execution to be drawn; `id` begins all ids in the picture. */
export interface DrawInput {
  readonly graph: ExecutionGraph;
  readonly id: string;
}

/** Draws an execution as SVG. Runs in a worker: `pool.analyse` with the analysis `draw`. */
export function draw({ graph, id }: DrawInput): Promise<string> {
  return drawSvg(graph, { idPrefix: id });
}

/** Stands for the ids of a picture that is drawn once and shown in several places. */
const ANY = 'id-of-a-picture';

/** Has pictures drawn by workers; one that is wanted again gets other ids. */
export function drawing(pool: Pool): Draw {
  const drawn = new Map<string, Promise<string | { readonly unfinished: string }>>();
  return async (graph, id) => {
    const key = JSON.stringify(graph);
    const known = drawn.get(key) ?? drawBy(pool, graph);
    drawn.set(key, known);
    const picture = await known;
    return typeof picture === 'string' ? picture.replaceAll(ANY, id) : picture;
  };
}

async function drawBy(
  pool: Pool,
  graph: ExecutionGraph,
): Promise<string | { readonly unfinished: string }> {
  const found = await pool.analyse({
    kind: 'analysis',
    analysis: 'draw',
    engine: 'smt',
    models: [],
    input: { graph, id: ANY },
  });
  return 'output' in found ? found.output : found;
}
