import { spawnSync } from 'node:child_process';
import { describe, expect, test } from 'vitest';
import type { Box, CurvePath, PicturePoint } from '../../src/report/picture/geometry.js';
import { bottom, left, right, top } from '../../src/report/picture/geometry.js';
import { drawRunDot, drawRunSvg, drawnRun } from '../../src/report/picture/index.js';
import { runPictureOf } from '../../src/report/picture/run-picture.js';
import { exploredIn } from '../support/explored.js';
import { wellFormed } from '../support/pictures.js';

/** Pictures of the runs that exploration finds. */

const RUNS = [
  'alock-no-fence',
  'alock-no-poll',
  'barrier-sense-first',
  'one-word',
  'peterson-own-flags',
  'sherman-elsewhere',
  'tas',
  'tas-elsewhere',
  'tas-rfaa',
].flatMap((name) => {
  const { test: asked, answers } = exploredIn(`corpus/locks/${name}.litmus`, 'rdma-tso');
  return answers.flatMap((answer) => {
    if (answer.steps === undefined) return [];
    const run = drawnRun(asked.program, answer);
    return [[`${name}, query ${answer.query + 1}`, run] as const];
  });
});

test('there are runs that end, and rounds', () => {
  expect(RUNS.filter(([, run]) => run.isLasso).length).toBeGreaterThan(0);
  expect(RUNS.filter(([, run]) => !run.isLasso).length).toBeGreaterThan(5);
});

/** The corners of a path: round ones are between them. */
const pointsOf = (path: CurvePath): readonly PicturePoint[] => [
  path[0][0],
  ...path.map((c) => c[3]),
];

/** Does a line along an axis come into a box? */
const crosses = (a: PicturePoint, b: PicturePoint, box: Box): boolean =>
  Math.max(a.x, b.x) > left(box) &&
  Math.min(a.x, b.x) < right(box) &&
  Math.max(a.y, b.y) > top(box) &&
  Math.min(a.y, b.y) < bottom(box);

describe.each(RUNS)('%s', (_, run) => {
  const picture = runPictureOf(run, 'a run');
  const { steps, arrows, lanes, spans, round, frame } = picture;

  test('has a row for each step, downwards, each in its lane', () => {
    expect(steps.map(({ step }) => step)).toEqual(run.steps);
    steps.forEach(({ box, lane, step }, i) => {
      expect(box.x).toBe(lanes[lane].x);
      expect(lanes[lane].kind).toBe(step.lane.kind);
      expect(box.width).toBeLessThanOrEqual(lanes[lane].width);
      if (i > 0) expect(top(box)).toBeGreaterThan(bottom(steps[i - 1].box));
    });
    lanes
      .slice(1)
      .forEach((lane, i) => expect(left(lane.head)).toBeGreaterThan(right(lanes[i].head)));
  });

  test('has an arrow for what carries on, which crosses no other step', () => {
    const wanted = run.steps.flatMap(({ from, pending }, i) => [
      ...(from === undefined ? [] : [`${from} ${i}`]),
      ...(pending ? [`${i} undefined`] : []),
    ]);
    expect(arrows.map(({ from, to }) => `${from} ${to}`).sort()).toEqual(wanted.sort());
    for (const { from, to, path } of arrows) {
      const points = pointsOf(path);
      const others = steps.filter((_step, i) => i !== from && i !== to);
      points.slice(1).forEach((point, i) => {
        for (const { box, text } of others)
          expect([text, crosses(points[i], point, box)]).toEqual([text, false]);
      });
      // It begins at the one box, and ends at the other.
      const at = ({ box }: (typeof steps)[number], { x, y }: PicturePoint): boolean =>
        (x === left(box) || x === right(box)) && Math.abs(y - box.y) < box.height / 2;
      expect(at(steps[from], points[0])).toBe(true);
      if (to !== undefined) expect(at(steps[to], points[points.length - 1])).toBe(true);
    }
  });

  test('shades where threads are in blocks', () => {
    const shaded = steps.filter(({ box, lane }) =>
      spans.some((span) => span.box.x === lanes[lane].x && crosses(box, box, span.box)),
    );
    const inside = new Map<number, number>();
    const expected = steps.filter(({ step: { kind }, lane }) => {
      const before = inside.get(lane) ?? 0;
      const after = before + (kind === 'enter' ? 1 : kind === 'leave' && before > 0 ? -1 : 0);
      inside.set(lane, after);
      return before > 0 || after > 0;
    });
    expect(shaded).toEqual(expected);
  });

  test('has a frame around the round, or marks the last step', () => {
    const marked = steps.filter((s) => s.marked);
    expect(marked).toEqual(run.isLasso ? [] : steps.slice(-1));
    expect(round !== undefined).toBe(run.isLasso && run.before < run.steps.length);
    if (round === undefined) return;
    steps.forEach(({ box }, i) => expect(crosses(box, box, round.box)).toBe(i >= run.before));
  });

  test('shows all of it, as SVG that says what it shows', () => {
    const svg = drawRunSvg(run, 'a run');
    expect(wellFormed(svg)).toBe(true);
    const texts = [...svg.matchAll(/<tspan [^>]*>([^<]*)<\/tspan>/g)].map(([, text]) => text);
    for (const { text } of steps) expect(texts).toContain(text.replaceAll('>', '&gt;'));
    for (const { step } of steps) {
      expect(svg).toContain(`<title>${step.text.replaceAll('>', '&gt;')}</title>`);
    }
    const points = arrows.flatMap(({ path }) => pointsOf(path));
    for (const { x, y } of points) {
      expect(Math.abs(x - frame.x)).toBeLessThan(frame.width / 2);
      expect(Math.abs(y - frame.y)).toBeLessThan(frame.height / 2);
    }
    expect(drawRunSvg(structuredClone(run), 'a run')).toBe(svg);
  });
});

const SKIP = spawnSync('dot', ['-V']).error !== undefined && process.env['REMORA_NATIVE'] !== '1';

test.skipIf(SKIP)('Graphviz puts all of it where it is in SVG', () => {
  const [, run] = RUNS.find(([name]) => name.startsWith('tas,'))!;
  const { steps, arrows } = runPictureOf(run, 'a run');
  const { stdout, status } = spawnSync('dot', ['-Tplain'], {
    input: drawRunDot(run, 'a run'),
    encoding: 'utf8',
  });
  expect(status).toBe(0);
  const nodes = new Map(
    [...stdout.matchAll(/^node (e\d+) (\S+) (\S+)/gm)].map(([, name, x, y]) => [
      name,
      { x: Number(x) * 72, y: -Number(y) * 72 },
    ]),
  );
  expect(nodes.size).toBe(steps.length);
  steps.forEach(({ box }, i) => {
    const [at, first] = [nodes.get(`e${i}`)!, nodes.get('e0')!];
    expect(Math.abs(at.x - first.x - (box.x - steps[0].box.x))).toBeLessThan(0.5);
    expect(Math.abs(at.y - first.y - (box.y - steps[0].box.y))).toBeLessThan(0.5);
  });
  const edges = [...stdout.matchAll(/^edge e(\d+) e(\d+)/gm)].map(([, a, b]) => `${a} ${b}`);
  expect(edges.sort()).toEqual(arrows.map(({ from, to }) => `${from} ${to}`).sort());
});
