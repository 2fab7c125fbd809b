import { runInNewContext } from 'node:vm';
import { build } from 'esbuild';
import { describe, expect, test } from 'vitest';
import { drawDot, drawSvg } from '../../src/report/picture/index.js';
import { COLORS, MARK, strokesFor } from '../../src/report/picture/theme.js';
import {
  LARGE,
  NAMED,
  NAMES,
  ODD,
  SMALL,
  graph,
  overlap,
  seen,
  wellFormed,
} from '../support/pictures.js';
import { ROOT } from '../support/run.js';

const SAMPLES = { SMALL, LARGE, ODD };
const EMPTY = graph({ threads: [], edges: [] });

describe.each(Object.entries(SAMPLES))('the picture of %s', (_, sample) => {
  const svg = drawSvg(sample, { title: 'a picture' });
  const { boxes, labels, ids } = seen(svg);

  test('has every event and every edge', () => {
    expect([...boxes.keys()].sort()).toEqual(sample.events.map((e) => `e${e.id}`).sort());
    const pairs = new Set(sample.edges.map((e) => `e${e.from}-e${e.to}`));
    expect(new Set(labels.keys())).toEqual(pairs);
    for (const { from, to, relation } of sample.edges) {
      expect(labels.get(`e${from}-e${to}`)!.text.split(/,? /)).toContain(relation);
    }
    for (const { label } of sample.events) expect(svg).toContain(`>${label}</tspan>`);
  });

  test('keeps columns and rows', () => {
    const middle = (id: number) => {
      const { x0, x1, y0, y1 } = boxes.get(`e${id}`)!;
      return { x: (x0 + x1) / 2, y: (y0 + y1) / 2 };
    };
    for (const a of sample.events) {
      for (const b of sample.events) {
        const [p, q] = [middle(a.id), middle(b.id)];
        if (a.column === null && b.column !== null) expect(p.y).toBeLessThan(q.y);
        if (a.column === null || b.column === null) continue;
        if (a.column === b.column) expect(p.x).toBeCloseTo(q.x, 1);
        if (a.column < b.column) expect(p.x).toBeLessThan(q.x);
        if (a.row === b.row) expect(p.y).toBeCloseTo(q.y, 1);
        if (a.row < b.row) expect(p.y).toBeLessThan(q.y);
      }
    }
  });

  test('has labels that cover neither events nor each other', () => {
    const all = [...labels.values()];
    all.forEach((a, i) => {
      for (const b of boxes.values()) expect(overlap(a, b)).toBe(false);
      for (const b of all.slice(0, i)) expect(overlap(a, b)).toBe(false);
    });
  });

  test('has arrows that end at the events that they lead to', () => {
    const heads = svg.matchAll(
      /<g id="[^"]*-e\d+-(e\d+)">[^]*?<polygon [^>]*points="(\S+),(\S+) [^]*?<\/g>/g,
    );
    let arrows = 0;
    for (const [, to, x, y] of heads) {
      const { x0, x1, y0, y1 } = boxes.get(to)!;
      const [across, down] = [
        Math.max(x0 - Number(x), Number(x) - x1),
        Math.max(y0 - Number(y), Number(y) - y1),
      ];
      expect(Math.abs(Math.max(across, down))).toBeLessThan(0.1);
      arrows += 1;
    }
    expect(arrows).toBe(labels.size);
  });

  test('shows all of it', () => {
    const [x, y, width, height] = /viewBox="([^"]*)"/.exec(svg)![1].split(' ').map(Number);
    const points = [...svg.matchAll(/ (?:d|points)="([^"]*)"/g)].flatMap(([, text]) =>
      [...text.matchAll(/(-?[\d.]+),(-?[\d.]+)/g)].map(([, a, b]) => [Number(a), Number(b)]),
    );
    const corners = [...boxes.values(), ...labels.values()].flatMap((r) => [
      [r.x0, r.y0],
      [r.x1, r.y1],
    ]);
    for (const [a, b] of [...points, ...corners]) {
      expect(a).toBeGreaterThan(x);
      expect(a).toBeLessThan(x + width);
      expect(b).toBeGreaterThan(y);
      expect(b).toBeLessThan(y + height);
    }
  });

  test('is SVG that says what it shows', () => {
    expect(wellFormed(svg)).toBe(true);
    expect(svg).toMatch(/^<svg [^>]*role="img"/);
    expect(svg).toMatch(/<title id="[^"]*">a picture<\/title>\n<desc id="[^"]*">.*T1 on node 1/);
    expect(new Set(ids).size).toBe(ids.length);
  });

  test('is the same every time', () => {
    expect(drawSvg(structuredClone(sample), { title: 'a picture' })).toBe(svg);
  });
});

describe('a cycle', () => {
  const bold = (svg: string) => [...svg.matchAll(/<path [^>]*stroke-width="2.6"/g)].length;

  test('is bold, and its events are marked', () => {
    const svg = drawSvg(SMALL);
    const marked = [...svg.matchAll(new RegExp(`<rect [^>]*fill="${MARK.light}"`, 'g'))];
    expect(marked).toHaveLength(4);
    // Some are in two parts, with the label in between.
    expect(bold(svg)).toBeGreaterThanOrEqual(4);
    expect(svg).toContain('>cycle</text>');
    expect(svg).toContain('Highlighted: ');
  });

  test('looks like the rest where it is not to be highlighted', () => {
    const svg = drawSvg(SMALL, { highlight: false });
    expect(bold(svg)).toBe(0);
    expect(svg).not.toMatch(new RegExp(`<rect [^>]*fill="${MARK.light}"`));
    expect(svg).not.toContain('>cycle<');
    expect(svg).not.toContain('Highlighted');
  });

  test('decides how an arrow looks that it shares with other relations', () => {
    const drawn = (edges: readonly string[]) =>
      drawSvg(graph({ threads: [['a', 'b']], edges }), { idPrefix: 'p' });
    const label = (edges: readonly string[]) => seen(drawn(edges)).labels.get('e0-e1')!.text;
    expect(label(['rf 0 1', 'mo 0 1', 'ob 0 1'])).toBe('rf, mo, ob');
    expect(label(['rf 0 1', 'mo 0 1', '!ob 0 1', '!rb 1 0'])).toBe('ob, rf, mo');
  });
});

describe('a legend', () => {
  test('has the relations that occur, and program order', () => {
    const names = ({ relations }: typeof SMALL) => relations.map((r) => r.name);
    const shown = (svg: string) =>
      [...svg.matchAll(/-k\d+">\n[^]*?<text [^>]*>([^<]*)</g)].map(([, name]) => name);
    expect(shown(drawSvg(ODD)).sort()).toEqual([...names(ODD), 'cycle'].sort());
    const plain = graph({ threads: [['a', 'b', 'c']], edges: ['rf 0 1'] });
    expect(shown(drawSvg(plain))).toEqual(['rf', 'po']);
    expect(shown(drawSvg(EMPTY))).toEqual([]);
  });

  test('explains relations', () => {
    const svg = drawSvg(SMALL);
    expect(svg).toContain('>is read by the other</text>');
    expect(svg).toContain('>comes before the other in program order</text>');
  });
});

describe('names', () => {
  test('are drawn as they are, whatever they mean elsewhere', () => {
    const svg = drawSvg(NAMED, { title: NAMES.join(' ') });
    expect(wellFormed(svg)).toBe(true);
    const plain = (text: string) =>
      text
        .replaceAll(/<[^>]*>/g, '')
        .replaceAll('&lt;', '<')
        .replaceAll('&gt;', '>')
        .replaceAll('&quot;', '"')
        .replaceAll('&#39;', "'")
        .replaceAll('&amp;', '&');
    const texts = [...svg.matchAll(/<text [^>]*>(.*?)<\/text>/g)].map(([, text]) => plain(text));
    NAMES.forEach((name, i) => {
      const drawn = name.replaceAll(/[\t\u0007]/g, ' ').replace('\ud800', '\ufffd');
      expect(texts).toContain(drawn);
      expect(texts).toContain(`${i} ${drawn}`);
      expect(texts).toContain(`node ${drawn}`);
    });
  });

  test('that are long are cut off where they only help', () => {
    const long = 'x'.repeat(80);
    const svg = drawSvg(graph({ threads: [[`lW(${long},1): ${long} := 1`]], edges: [] }));
    const [box] = seen(svg).boxes.values();
    expect(box.x1 - box.x0).toBeGreaterThan(85 * 13 * 0.6);
    expect(svg).toContain(`>${'x'.repeat(29)}…</tspan>`);
    expect(svg).toContain(`: ${long} := 1</title>`);
  });
});

describe('identifiers', () => {
  test('differ from picture to picture', () => {
    const svgs = [
      drawSvg(SMALL),
      drawSvg(SMALL, { highlight: false }),
      drawSvg(SMALL, { idPrefix: 'a' }),
      drawSvg(SMALL, { idPrefix: '1 é' }),
      drawSvg(SMALL, { idPrefix: '1_e9_' }),
      drawSvg(ODD),
    ];
    const ids = svgs.flatMap((svg) => seen(svg).ids);
    expect(new Set(ids).size).toBe(ids.length);
    for (const id of ids) expect(id).toMatch(/^[A-Za-z][\w-]*$/);
  });

  test('begin as asked for', () => {
    const { ids } = seen(drawSvg(ODD, { idPrefix: 'mine-2' }));
    for (const id of ids) expect(id).toMatch(/^mine-2(-|$)/);
  });
});

describe('colours', () => {
  const luminance = (color: string): number => {
    const [r, g, b] = [1, 3, 5].map((at) => {
      const part = parseInt(color.slice(at, at + 2), 16) / 255;
      return part <= 0.04045 ? part / 12.92 : ((part + 0.055) / 1.055) ** 2.4;
    });
    return 0.2126 * r + 0.7152 * g + 0.0722 * b;
  };
  const contrast = (a: string, b: string): number => {
    const [x, y] = [luminance(a), luminance(b)].sort((p, q) => q - p);
    return (x + 0.05) / (y + 0.05);
  };

  test('can be read on light and on dark grounds', () => {
    const svg = drawSvg(ODD);
    const texts = new Set(
      [...svg.matchAll(/<t(?:ext|span) [^>]*fill="([^"]*)"/g)].map((m) => m[1]),
    );
    for (const { light, dark } of COLORS) {
      if (!texts.has(light)) continue;
      for (const ground of ['#ffffff', '#f6f8fa']) {
        expect(contrast(light, ground)).toBeGreaterThanOrEqual(4.5);
      }
      for (const ground of ['#000000', '#121212', '#1e1e1e']) {
        expect(contrast(dark, ground)).toBeGreaterThanOrEqual(4.5);
      }
      texts.delete(light);
    }
    expect([...texts]).toEqual([]);
  });

  test('can be read on marked events', () => {
    for (const { light, dark } of COLORS.filter((c) => ['#1b1b1b', '#5c5c5c'].includes(c.light))) {
      expect(contrast(light, MARK.light)).toBeGreaterThanOrEqual(4.5);
      expect(contrast(dark, MARK.dark)).toBeGreaterThanOrEqual(4.5);
    }
  });

  test('of a relation are the same in all pictures if it is well known, and its own if not', () => {
    const names = ['rf', 'mo', 'rb', 'a', 'b', 'constructor', 'ob'];
    const strokes = strokesFor(names);
    expect(strokes.get('rb')).toEqual(strokesFor(['rb']).get('rb'));
    const looks = names.map((n) => JSON.stringify(strokes.get(n)));
    expect(new Set(looks).size).toBe(names.length);
  });
});

test('a picture is drawn without Node, and is the same', async () => {
  const bundled = await build({
    stdin: {
      contents: `export { drawSvg } from './src/report/picture/index.js'`,
      resolveDir: ROOT,
    },
    bundle: true,
    platform: 'browser',
    format: 'iife',
    globalName: 'picture',
    write: false,
  });
  const drawn: unknown = runInNewContext(
    `${bundled.outputFiles[0].text}; picture.drawSvg(${JSON.stringify(LARGE)})`,
  );
  expect(drawn).toBe(drawSvg(LARGE));
});

test('a picture may be called otherwise than its title', () => {
  const svg = drawSvg(SMALL, { title: 'above', name: 'a & b' });
  expect(svg).toMatch(/<title id="[^"]*">a &amp; b<\/title>/);
  expect(svg).toContain('>above</text>');
});

test('DOT draws itself, whatever command is asked', () => {
  expect(drawDot(SMALL)).toMatch(/^digraph execution \{\n  graph \[layout="nop2"/);
});

test('a graph without threads is drawn', () => {
  expect(wellFormed(drawSvg(EMPTY))).toBe(true);
});
