import type { Explanation } from '../../src/analyses/explain/explanation.js';
import type { Timeline } from '../../src/analyses/timeline/timeline.js';
import { remora } from './run.js';
import type { Rectangle } from './pictures.js';
import { overlap } from './pictures.js';

/** A timeline, and the words beside it. */
export interface ToldTimeline {
  readonly name: string;
  readonly timeline: Timeline;
  /** One step a line, in order; none of a circle. */
  readonly words?: readonly string[];
  /** Of a circle: the names of its events in words, in order. */
  readonly circle?: readonly string[];
}

/** Everything that `explain` draws in space and time of some files or folders. */
export async function timelinesOf(...paths: readonly string[]): Promise<readonly ToldTimeline[]> {
  const { stdout } = await remora(['explain', ...paths, '--timeline', '--json']);
  return toldIn(stdout);
}

/** The same of what it has printed. */
export function toldIn(json: string): readonly ToldTimeline[] {
  const lines = json.split('\n').filter((line) => line !== '');
  return lines.flatMap((line) => {
    const { file, question, models } = JSON.parse(line) as Explanation;
    return models.flatMap(({ model, run, admitted, refuted }): ToldTimeline[] => {
      const name = `${file}: ${question} under ${model}`;
      const told: ToldTimeline[] = [];
      if (run?.timeline) {
        const words = [...run.steps, ...(run.round ?? [])];
        told.push({ name, timeline: run.timeline, words });
      }
      if (admitted?.timeline) {
        told.push({ name, timeline: admitted.timeline, words: admitted.order!.steps });
      }
      for (const { way } of refuted?.ways?.shapes ?? []) {
        if (way.timeline === undefined) continue;
        const nameOf = (id: number) => way.graph.events.find((e) => e.id === id)!.name;
        const circle = way.violation.steps.map(({ from }) => nameOf(from));
        told.push({ name, timeline: way.timeline, circle });
      }
      return told;
    });
  });
}

/** A text of a picture, and about where its letters are. */
interface SeenText extends Rectangle {
  readonly text: string;
}

export interface SeenTimeline {
  readonly heads: readonly Rectangle[];
  /** What stands at steps. */
  readonly labels: readonly SeenText[];
  /** What stands above lanes. */
  readonly lanes: readonly SeenText[];
}

/** What a picture shows, read off its SVG. */
export function seenTimeline(svg: string): SeenTimeline {
  const heads: Rectangle[] = [];
  const labels: SeenText[] = [];
  const lanes: SeenText[] = [];
  for (const [, part, body] of svg.matchAll(/<g id="[^"]*-([a-z]+)\d*">([^]*?)<\/g>/g)) {
    // What the legend shows stands beside its words.
    if (part !== 'k') {
      for (const [, points] of body.matchAll(/<polygon [^>]*points="([^"]*)"/g)) {
        const corners = points.split(' ').map((point) => point.split(',').map(Number));
        heads.push({
          x0: Math.min(...corners.map(([x]) => x)),
          x1: Math.max(...corners.map(([x]) => x)),
          y0: Math.min(...corners.map(([, y]) => y)),
          y1: Math.max(...corners.map(([, y]) => y)),
        });
      }
    }
    if (part === 'e') labels.push(...textsIn(body));
    if (part === 'heads') lanes.push(...textsIn(body));
  }
  return { heads, labels, lanes };
}

const textsIn = (body: string): SeenText[] =>
  [...body.matchAll(/<text ([^>]*)>(.*?)<\/text>/g)].map(([, attributes, escaped]) => {
    const get = (name: string) => new RegExp(` ?${name}="([^"]*)"`).exec(` ${attributes}`)![1];
    const text = escaped.replaceAll(/&\w+;/g, '.');
    const size = Number(get('font-size'));
    // Of the widest letters that there are: those of code.
    const width = get('font-family').includes('mono')
      ? text.length * size * 0.6
      : text.length * size * 0.5;
    const [x, y] = [Number(get('x')), Number(get('y'))];
    const anchor = get('text-anchor');
    const x0 = anchor === 'start' ? x : anchor === 'end' ? x - width : x - width / 2;
    return { text, x0, x1: x0 + width, y0: y - size * 0.75, y1: y + size * 0.22 };
  });

/** Heads of arrows that labels cover, and heads of lanes that cover each other. */
export function covered(svg: string): readonly string[] {
  const { heads, labels, lanes } = seenTimeline(svg);
  return [
    ...labels.flatMap((label) =>
      heads.some((head) => overlap(head, label))
        ? [`${label.text} covers the head of an arrow`]
        : [],
    ),
    ...lanes.flatMap((a, i) =>
      lanes.slice(0, i).some((b) => overlap(a, b)) ? [`${a.text} is on the head of a lane`] : [],
    ),
    ...labels.flatMap((a, i) =>
      labels.slice(0, i).some((b) => overlap(a, b)) ? [`${a.text} is on another label`] : [],
    ),
  ];
}

/** Where the numbers, the words or the order of steps are not those of the words beside the picture. */
export function departures({ timeline, words, circle }: ToldTimeline): readonly string[] {
  const { steps, ways } = timeline;
  const numbers = steps.flatMap(({ number }) => number ?? []);
  if (words !== undefined) {
    return [
      ...steps.flatMap(({ number, text }) =>
        number === undefined || words[number - 1] === text ? [] : [`${number}. ${text}`],
      ),
      ...numbers.flatMap((n, i) => (i > 0 && n <= numbers[i - 1] ? [`${n} is too low`] : [])),
    ];
  }
  const edges = ways.filter(({ look }) => look === 'cycle' || look === 'back');
  const drawn = edges.map(({ from }) => String(steps[from].number));
  return JSON.stringify(drawn) === JSON.stringify(circle) ? [] : [`${drawn} is not ${circle}`];
}
