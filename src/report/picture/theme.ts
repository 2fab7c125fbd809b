/** How the arrows of a relation look. */
export interface Stroke {
  readonly color: Color;
  readonly dash: 'solid' | 'dashed' | 'dotted';
}

/** A colour on a light ground, and its counterpart on a dark one. DOT and PNG always have a light ground. */
export interface Color {
  readonly light: string;
  readonly dark: string;
}

/**
 * The palette of Okabe and Ito, whose colours colour-blind people can tell apart. Each is made darker or lighter until
 * it can be read as text: its contrast to the ground, white or #1e1e1e, is at least 4.5 to 1. That brings the colours
 * closer to each other, so those that look alike to colour-blind people differ in lightness, and if possible in dashes.
 * The names are those of the palette.
 */
const GREEN: Color = { light: '#00664a', dark: '#1fb88b' };
const BLUE: Color = { light: '#0068a3', dark: '#6fc0f2' };
const VERMILLION: Color = { light: '#c04a00', dark: '#ff8f52' };
const PURPLE: Color = { light: '#ab4b89', dark: '#f5b9da' };
const ORANGE: Color = { light: '#6b4e00', dark: '#ffd76e' };
const SLATE: Color = { light: '#5b6470', dark: '#a9b4c0' };

export const INK: Color = { light: '#1b1b1b', dark: '#eaeaea' };
/** For instructions and explanations. */
export const FAINT: Color = { light: '#5c5c5c', dark: '#b4b4b4' };
/** For program order. */
export const PALE: Color = { light: '#909090', dark: '#757575' };
/** The ground of events on the highlighted cycle. */
export const MARK: Color = { light: '#fff0d2', dark: '#40300c' };

/** For what waits in a buffer. */
const WAITING: Color = { light: '#e6b566', dark: '#8a6420' };

/** The ground of pictures. */
export const GROUND: Color = { light: '#ffffff', dark: '#1e1e1e' };

/** The ground of a thread in a critical block. */
export const INSIDE: Color = { light: '#e3edfa', dark: '#1d3148' };

/** How program order looks. */
export const ORDER: Stroke = { color: PALE, dash: 'solid' };

/** The widths of lines. */
export const PEN = { box: 0.8, marked: 2.2, order: 1, arrow: 1.1, cycle: 2.6 } as const;

/** How the box around the events of a call looks. */
export const CALL = { stroke: PALE, pen: PEN.box, dash: 'dashed' } as const;

export const COLORS: readonly Color[] = [
  GREEN,
  BLUE,
  VERMILLION,
  PURPLE,
  ORANGE,
  SLATE,
  INK,
  FAINT,
  PALE,
  MARK,
  INSIDE,
  GROUND,
  WAITING,
];

/**
 * How well-known relations look, so that they look the same in all pictures. It is only about looks: a relation with
 * any other name gets the first look that is free.
 */
const KNOWN: { readonly [relation: string]: Stroke } = {
  rf: { color: GREEN, dash: 'solid' },
  mo: { color: BLUE, dash: 'solid' },
  co: { color: BLUE, dash: 'solid' },
  rb: { color: VERMILLION, dash: 'solid' },
  fr: { color: VERMILLION, dash: 'solid' },
  nfo: { color: PURPLE, dash: 'dashed' },
  // Remote atomics: their order at a node, and their two parts.
  rao: { color: PURPLE, dash: 'solid' },
  rmw: { color: ORANGE, dash: 'solid' },
  pf: { color: ORANGE, dash: 'dashed' },
  wf: { color: ORANGE, dash: 'dashed' },
  ib: { color: INK, dash: 'dotted' },
  ob: { color: INK, dash: 'dashed' },
  po: { color: SLATE, dash: 'solid' },
  ppo: { color: SLATE, dash: 'dashed' },
  ippo: { color: SLATE, dash: 'dashed' },
  oppo: { color: SLATE, dash: 'dotted' },
};

/** How the arrows of a run look, by the step that they lead to. */
export const RUN_STROKES = {
  network: { color: SLATE, dash: 'solid' },
  memory: { color: BLUE, dash: 'solid' },
  buffered: { color: ORANGE, dash: 'dashed' },
  polled: { color: PURPLE, dash: 'dotted' },
  pending: { color: VERMILLION, dash: 'dashed' },
} as const satisfies { readonly [name: string]: Stroke };

/** How the lines of a timeline look. */
export const TIMELINE_STROKES = {
  wire: { color: SLATE, dash: 'solid' },
  memory: { color: BLUE, dash: 'solid' },
  completion: { color: PURPLE, dash: 'dotted' },
  wait: { color: WAITING, dash: 'solid' },
  cycle: { color: INK, dash: 'solid' },
  back: { color: VERMILLION, dash: 'dashed' },
} as const satisfies { readonly [name: string]: Stroke };

const HUES = [VERMILLION, BLUE, GREEN, PURPLE, ORANGE, INK];
const DASHES = ['dashed', 'dotted', 'solid'] as const;
const FREE: readonly Stroke[] = DASHES.flatMap((dash) => HUES.map((color) => ({ color, dash })));

/** How the relations of a picture look. If there are too many of them, some look the same. */
export function strokesFor(relations: readonly string[]): ReadonlyMap<string, Stroke> {
  const known = (name: string): Stroke | undefined =>
    Object.hasOwn(KNOWN, name) ? KNOWN[name] : undefined;
  const taken = relations.flatMap((name) => known(name) ?? []);
  const free = FREE.filter((f) => !taken.some((t) => t.color === f.color && t.dash === f.dash));
  let next = 0;
  return new Map(relations.map((name) => [name, known(name) ?? free[next++ % free.length]]));
}

/**
 * A font: `known` is one whose widths Graphviz knows; `families` are those that SVG asks for, the best first. PNG only
 * has the last but one of these.
 */
export interface Font {
  readonly known: string;
  readonly families: string;
}

export const CODE: Font = {
  known: 'Courier New',
  families:
    "ui-monospace,'SF Mono',Menlo,Consolas,'DejaVu Sans Mono','Liberation Mono',Cousine,monospace",
};

export const LEGEND_WORDS: Font = {
  known: 'Arial',
  families: "Arial,Helvetica,'Liberation Sans',Arimo,sans-serif",
};

/**
 * CSS that gives an SVG the dark colours on a dark ground. In a file of its own, the picture asks the system of the
 * reader; in a page, it follows the `color-scheme` of the page. If a program does not know `light-dark()`, it shows the
 * light colours.
 */
export function styleFor(id: string): string {
  const swap = ({ light, dark }: Color): string =>
    ['fill', 'stroke']
      .map((what) => `#${id} [${what}="${light}"]{${what}:light-dark(${light},${dark})}`)
      .join('\n');
  return [
    `#${id}:root{color-scheme:light dark}`,
    // Without this test, a program that does not know `light-dark()` may show no colour at all.
    '@supports (color:light-dark(#000,#fff)){',
    ...COLORS.map(swap),
    '}',
  ].join('\n');
}
