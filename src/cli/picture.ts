import type { ExecutionGraph } from '../analyses/explain/graph.js';
import type { Output, WantedOutput } from './output.js';
import { wantedAs } from './output.js';

/** Files for the picture of one execution. */
export interface PictureFiles {
  readonly dot?: string;
  readonly svg?: string;
  readonly png?: string;
}

const load = () => import('../report/picture/index.js');

const DRAWN = {
  dot: async (graph: ExecutionGraph) => (await load()).drawDot(graph),
  svg: async (graph: ExecutionGraph) => (await load()).drawSvg(graph),
  png: async (graph: ExecutionGraph) => (await import('./png.js')).drawPng(graph),
} as const;

const KINDS = ['dot', 'svg', 'png'] as const;

/** Is there any picture to draw? */
export const wantsPicture = (files: PictureFiles): boolean =>
  KINDS.some((kind) => files[kind] !== undefined);

/** The pictures to write. */
export const picturesOf = (files: PictureFiles): readonly WantedOutput[] =>
  KINDS.flatMap((kind) => wantedAs(kind, files[kind]));

/** Draws an execution into those of the outputs that are pictures; says why one cannot be written. */
export async function drawInto(
  outputs: readonly Output[],
  graph: ExecutionGraph,
): Promise<string | undefined> {
  for (const { kind, path, write } of outputs) {
    if (!isPicture(kind)) continue;
    try {
      const problem = write(await DRAWN[kind](graph));
      if (problem !== undefined) return problem;
    } catch (error) {
      return `no picture in ${path}: ${error instanceof Error ? error.message : String(error)}`;
    }
  }
  return undefined;
}

const isPicture = (kind: Output['kind']): kind is keyof typeof DRAWN => Object.hasOwn(DRAWN, kind);
