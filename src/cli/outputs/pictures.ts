import type { Explanation } from '../../analyses/explain/explanation.js';
import type { ExecutionGraph } from '../../analyses/explain/graph.js';
import type { Timeline } from '../../analyses/timeline/timeline.js';
import type { Answer } from '../../check/result.js';
import type { Program, Test } from '../../program/program.js';
import type { Output, WantedOutput } from './plan.js';
import { STDOUT, wantedAs } from './plan.js';

/** Files for one picture. */
export interface PictureFiles {
  readonly dot?: string;
  readonly svg?: string;
  readonly png?: string;
}

/** A picture as text; PNG is made from the SVG. */
export interface Drawing {
  /** Timelines have no DOT. */
  dot?(): string;
  svg(): string;
}

const load = () => import('../../report/picture/index.js');

export async function executionDrawing(graph: ExecutionGraph): Promise<Drawing> {
  const { drawDot, drawSvg } = await load();
  return { dot: () => drawDot(graph), svg: () => drawSvg(graph) };
}

/** Draws a timeline. */
export async function timelineDrawing(timeline: Timeline, title: string): Promise<Drawing> {
  const { drawTimelineSvg } = await load();
  return { svg: () => drawTimelineSvg(timeline, title) };
}

/** Draws the run that shows an answer to a query about runs. */
export async function runDrawing(
  program: Program,
  answer: Pick<Answer, 'run' | 'round' | 'steps'>,
  title: string,
): Promise<Drawing> {
  const { drawRunDot, drawRunSvg, drawnRun } = await load();
  const run = drawnRun(program, answer);
  return { dot: () => drawRunDot(run, title), svg: () => drawRunSvg(run, title) };
}

/** The message if there is no picture. */
export const NO_PICTURE = 'there is no execution to draw';

/** Draws the run or execution of an explanation under one model: as a timeline, if it has one. */
export async function drawingOf({
  test,
  explanation,
}: {
  readonly test: Test;
  readonly explanation: Explanation;
}): Promise<Drawing | undefined> {
  const [why] = explanation.models;
  if (why === undefined) return undefined;
  const { model, verdict, run, admitted, refuted } = why;
  const title = `${test.name} under ${model}: ${explanation.question}: ${verdict}`;
  const shown = admitted ?? refuted?.ways?.shapes[0]?.way;
  const timeline = (run ?? shown)?.timeline;
  if (timeline !== undefined) return timelineDrawing(timeline, title);
  if (run !== undefined) {
    const { steps, round, data } = run;
    return runDrawing(test.program, { run: steps, round, steps: data }, title);
  }
  return shown && executionDrawing(shown.graph);
}

const DRAWN = {
  dot: (drawing: Drawing) => drawing.dot!(),
  svg: (drawing: Drawing) => drawing.svg(),
  png: async (drawing: Drawing) => {
    const { drawPng } = await import('./png.js');
    return drawPng(drawing.svg());
  },
} as const;

const KINDS = ['dot', 'svg', 'png'] as const;

/** Is there any picture to draw? */
export const wantsPicture = (files: PictureFiles): boolean =>
  KINDS.some((kind) => files[kind] !== undefined);

/** Does a picture go to standard output, instead of the report? */
export const printsPicture = (files: PictureFiles): boolean =>
  KINDS.some((kind) => files[kind] === STDOUT);

/** The pictures to write. */
export const picturesOf = (files: PictureFiles): readonly WantedOutput[] =>
  KINDS.flatMap((kind) => wantedAs(kind, files[kind]));

/** Writes the picture to those outputs that are pictures. Stops at one that cannot be written, and returns why. */
export async function drawInto(
  outputs: readonly Output[],
  drawing: Drawing,
): Promise<readonly string[]> {
  for (const { kind, path, write } of outputs) {
    if (!isPicture(kind)) continue;
    try {
      const problems = write(await DRAWN[kind](drawing));
      if (problems.length > 0) return problems;
    } catch (error) {
      return [`no picture in ${path}: ${error instanceof Error ? error.message : String(error)}`];
    }
  }
  return [];
}

const isPicture = (kind: Output['kind']): kind is keyof typeof DRAWN => Object.hasOwn(DRAWN, kind);
