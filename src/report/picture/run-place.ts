import type { Answer, RunStep } from '../../check/result.js';
import type { Program } from '../../program/program.js';
import type { Box } from './geometry.js';
import { HEAD, NAME, SMALL } from './place.js';
import { shortened, textWidth } from './text.js';

/** A run. It may end in a round of steps that is repeated for ever (a lasso). */
export interface DrawnRun {
  readonly program: Program;
  readonly steps: readonly RunStep[];
  /** How many of the steps come before the round; all of them, if there is none. */
  readonly before: number;
  /** Whether there is a round. If not, the last step is the one that breaks what is asked, and is marked. */
  readonly isLasso: boolean;
}

/** The run of an answer, for drawing. */
export const drawnRun = (
  program: Program,
  { steps = [], run = [], round }: Pick<Answer, 'steps' | 'run' | 'round'>,
): DrawnRun => ({ program, steps, before: run.length, isLasso: round !== undefined });

/** A column of a picture of a run: a thread, one of its queue pairs, or the memory of a node. */
export interface Lane {
  readonly kind: RunStep['lane']['kind'];
  /** The two lines of its head. */
  readonly name: string;
  readonly about: string;
  readonly head: Box;
  readonly x: number;
  readonly width: number;
}

export interface PlacedStep {
  readonly step: RunStep;
  /** The index of its lane. */
  readonly lane: number;
  readonly text: string;
  readonly box: Box;
  /** Whether nobody but the thread takes part in it. Then it has no outline. */
  readonly plain: boolean;
  /** Whether it is the last step of a run without a round: the one that breaks what is asked. */
  readonly marked: boolean;
}

/** The rows in which a thread is in a critical block. */
export interface RowSpan {
  readonly name: string;
  readonly box: Box;
}

export interface RunPlacement {
  readonly lanes: readonly Lane[];
  readonly steps: readonly PlacedStep[];
  readonly spans: readonly RowSpan[];
  /** The frame around the round, and the place of the words above it. */
  readonly round?: { readonly box: Box; readonly label: Box };
}

const LETTERS = 44;
export const ROW = 24;
const STEP_HEIGHT = 18;
const HEAD_HEIGHT = 34;
const LEAST = 52;
/** How much room the frame of a round takes on each side. */
const FRAME = { above: 26, below: 10, beside: 12 } as const;

export const ROUND_WORDS = 'and then, for ever';

/** The kinds of steps in which nobody but the thread takes part. */
const PLAIN: readonly string[] = ['set', 'enter', 'leave', 'pass'];

/**
 * Places a run. Time goes downwards: each step has a row of its own, and is in the lane in which it takes effect.
 *
 * @param gutters the widths of the spaces to the right of lanes
 */
export function placeRun(run: DrawnRun, gutters: readonly number[]): RunPlacement {
  const { steps: all, before, isLasso } = run;
  const drafts = lanesOf(run);
  const index = new Map(drafts.map(({ key }, i) => [key, i]));
  const laneOf = (step: RunStep): number => index.get(keyOf(step.lane))!;
  const widths = drafts.map(({ key, name, about }) => {
    const own = all.filter((step) => keyOf(step.lane) === key);
    const texts = own.map((step) => textWidth(textOf(step), NAME) + 14);
    return Math.max(LEAST, textWidth(name, HEAD) + 8, textWidth(about, SMALL) + 8, ...texts);
  });
  let x = 0;
  const lanes = drafts.map(({ kind, name, about }, i): Lane => {
    const middle = x + widths[i] / 2;
    x += widths[i] + (gutters[i] ?? 0);
    const head = { x: middle, y: 0, width: widths[i], height: HEAD_HEIGHT };
    return { kind, name, about, head, x: middle, width: widths[i] };
  });
  const isRound = isLasso && before < all.length;
  const first = HEAD_HEIGHT / 2 + 8 + ROW / 2;
  const rowOf = (i: number): number => first + i * ROW + (isRound && i >= before ? FRAME.above : 0);
  const steps = all.map((step, i): PlacedStep => {
    const lane = laneOf(step);
    const text = textOf(step);
    const width = textWidth(text, NAME) + 12;
    const box = { x: lanes[lane].x, y: rowOf(i), width, height: STEP_HEIGHT };
    const plain = PLAIN.includes(step.kind);
    return { step, lane, text, box, plain, marked: !isLasso && i === all.length - 1 };
  });
  const spans = spansOf(steps, lanes);
  if (!isRound) return { lanes, steps, spans };
  const [left, right] = [-FRAME.beside, x + FRAME.beside];
  const [top, bottom] = [rowOf(before) - ROW / 2 - 4, rowOf(all.length - 1) + ROW / 2 + 4];
  const width = textWidth(ROUND_WORDS, NAME);
  return {
    ...{ lanes, steps, spans },
    round: {
      box: {
        x: (left + right) / 2,
        y: (top + bottom) / 2,
        width: right - left,
        height: bottom - top,
      },
      label: { x: left + width / 2 + 4, y: top - 9, width, height: 14 },
    },
  };
}

const textOf = ({ brief }: RunStep): string => shortened(brief, LETTERS);

const keyOf = ({ kind, name }: RunStep['lane']): string => `${kind} ${name}`;

interface Draft {
  readonly key: string;
  readonly kind: Lane['kind'];
  readonly name: string;
  readonly about: string;
}

/**
 * The lanes of a run: the threads, each with its queue pairs, then the memories of nodes. Lanes without steps are left
 * out.
 */
function lanesOf({ program, steps }: DrawnRun): readonly Draft[] {
  const seen = new Map(steps.map(({ lane }) => [keyOf(lane), lane]));
  const draft = (kind: Lane['kind'], name: string, head: string, about: string): Draft[] => {
    const key = keyOf({ kind, name });
    return seen.has(key) ? [{ key, kind, name: head, about }] : [];
  };
  return [
    ...program.threads.flatMap(({ name, node }) => [
      ...draft('thread', name, name, `node ${node}`),
      ...[...seen.values()]
        .filter((lane) => lane.kind === 'network' && lane.name.startsWith(`${name}->`))
        .flatMap((lane) => draft('network', lane.name, lane.name, 'queue pair')),
    ]),
    ...program.nodes.flatMap((node) => draft('memory', node, 'memory', `node ${node}`)),
  ];
}

/** The rows in which threads are in blocks: from the step that enters to the step that leaves, or to the end. */
function spansOf(steps: readonly PlacedStep[], lanes: readonly Lane[]): readonly RowSpan[] {
  const spans: RowSpan[] = [];
  const last = steps.at(-1);
  const open: { readonly name: string; readonly from: PlacedStep }[] = [];
  const close = ({ name, from }: (typeof open)[number], to: number): void => {
    const { x, width } = lanes[from.lane];
    const top = from.box.y - ROW / 2;
    const box = { x, y: (top + to) / 2, width: width + 8, height: to - top };
    spans.push({ name, box });
  };
  for (const placed of steps) {
    const { kind, mark = '' } = placed.step;
    if (kind === 'enter') open.push({ name: mark, from: placed });
    if (kind !== 'leave') continue;
    const at = open.findLastIndex(({ name, from }) => name === mark && from.lane === placed.lane);
    if (at < 0) continue;
    const [entered] = open.splice(at, 1);
    close(entered, placed.box.y + ROW / 2);
  }
  for (const entered of open) close(entered, last!.box.y + ROW / 2);
  return spans;
}
