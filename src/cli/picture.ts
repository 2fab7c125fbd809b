import { writeFileSync } from 'node:fs';
import type { ExecutionGraph } from '../explain/graph.js';

/** Files for the picture of one execution. */
export interface PictureFiles {
  readonly dot?: string;
  readonly svg?: string;
  readonly png?: string;
}

const load = () => import('../picture/index.js');

const DRAWN = {
  dot: async (graph: ExecutionGraph) => (await load()).drawDot(graph),
  svg: async (graph: ExecutionGraph) => (await load()).drawSvg(graph),
  png: async (graph: ExecutionGraph) => (await import('./png.js')).drawPng(graph),
} as const;

const KINDS = ['dot', 'svg', 'png'] as const;

/** Is there any picture to draw? */
export const wantsPicture = (files: PictureFiles): boolean =>
  KINDS.some((kind) => files[kind] !== undefined);

/** Draws an execution into each of the files; says why there is no picture where one cannot be written. */
export async function drawInto(
  files: PictureFiles,
  graph: ExecutionGraph,
): Promise<string | undefined> {
  for (const kind of KINDS) {
    const file = files[kind];
    if (file === undefined) continue;
    try {
      writeFileSync(file, await DRAWN[kind](graph));
    } catch (error) {
      return `no picture in ${file}: ${error instanceof Error ? error.message : String(error)}`;
    }
  }
  return undefined;
}
