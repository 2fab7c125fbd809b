import type { Answer, RunStep } from '../../check/result.js';
import type { Program } from '../../program/program.js';
import type { Box } from './geometry.js';
import { HEAD, NAME, SMALL } from './place.js';
import { shortened, textWidth } from './text.js';

/** A run, and behind it the round that is taken for ever, if there is one. */
export interface DrawnRun {
  readonly program: Program;
  readonly steps: readonly RunStep[];
  /** How many of the steps come before the round; all, where there is none. */
  readonly before: number;
  /** Whether there is a round: then no step is the last straw. */
  readonly isLasso: boolean;
}

/** The run of an answer, as it is drawn. */
export const drawnRun = (
  program: Program,
  { steps = [], run = [], round }: Pick<Answer, 'steps' | 'run' | 'round'>,
): DrawnRun => ({ program, steps, before: run.length, isLasso: round !== undefined });

/** A column of a run: a thread, one of its queue pairs, or the memory of a node. */
export interface Lane {
  readonly kind: RunStep['lane']['kind'];
  /** What its head says. */
  readonly name: string;
  readonly about: string;
  readonly head: Box;
  readonly x: number;
  readonly width: number;
}

export interface PlacedStep {
  readonly step: RunStep;
  /** Index of its lane. */
  readonly lane: number;
  readonly text: string;
  readonly box: Box;
  /** Is it only about the thread itself? Then it has no outline. */
  readonly plain: boolean;
  /** Is it the last straw? */
  readonly marked: boolean;
}

/** A thread is in a block. */
export interface RowSpan {
  readonly name: string;
  readonly box: Box;
}

export interface RunPlacement {
  readonly lanes: readonly Lane[];
  readonly steps: readonly PlacedStep[];
  readonly spans: readonly RowSpan[];
  /** Around the round, with its words above. */
  readonly round?: { readonly box: Box; readonly label: Box };
}

const LETTERS = 44;
export const ROW = 24;
const STEP_HEIGHT = 18;
const HEAD_HEIGHT = 34;
const LEAST = 52;
/** What the frame of a round takes above and below. */
const FRAME = { above: 26, below: 10, beside: 12 } as const;

export const ROUND_WORDS = 'and then, for ever';

/** Kinds of steps that nobody else takes part in. */
const PLAIN: readonly string[] = ['set', 'enter', 'leave', 'pass'];

/**
 * Places a run: time goes downwards, a row for each step, and each step is in the lane where it is seen.
 *
 * @param gutters how wide the spaces to the right of lanes are
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

/** The lanes of a run: each thread with its queue pairs, then the memories of nodes. Those without steps are left out. */
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

/** Where threads are in blocks: from the step that enters to the one that leaves, or to the end. */
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
