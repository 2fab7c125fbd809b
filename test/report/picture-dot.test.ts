import { spawnSync } from 'node:child_process';
import { existsSync } from 'node:fs';
import { delimiter, join } from 'node:path';
import { describe, expect, test } from 'vitest';
import { drawDot, drawSvg } from '../../src/report/picture/index.js';
import { LARGE, NAMED, NAMES, ODD, SMALL, seen } from '../support/pictures.js';

/** As with a native Z3: skipped where there is none, unless there must be one. */
const MISSING = !(process.env['PATH'] ?? '')
  .split(delimiter)
  .some((folder) => existsSync(join(folder, 'dot')));
const SKIP = MISSING && process.env['REMORA_NATIVE'] !== '1';

const WHERE = SKIP
  ? 'in Graphviz (SKIPPED: there is no `dot`; Debian: apt-get install graphviz)'
  : 'in Graphviz';

describe.skipIf(SKIP)(`DOT ${WHERE}`, () => {
  test.each([
    ['dot', 'SMALL', SMALL],
    ['neato', 'LARGE', LARGE],
    ['dot', 'ODD', ODD],
  ])('%s puts events where they are in SVG: %s', (command, _, graph) => {
    const { stdout, status } = spawnSync(command, ['-Tplain'], {
      input: drawDot(graph),
      encoding: 'utf8',
    });
    expect(status).toBe(0);
    const { boxes } = seen(drawSvg(graph));
    const nodes = new Map(
      [...stdout.matchAll(/^node (e\d+) (\S+) (\S+)/gm)].map(([, name, x, y]) => [
        name,
        { x: Number(x) * 72, y: -Number(y) * 72 },
      ]),
    );
    expect([...nodes.keys()].sort()).toEqual([...boxes.keys()].sort());
    // The same, except for where the picture begins, and for the digits that Graphviz writes.
    const [first] = boxes.keys();
    const middle = (name: string) => {
      const { x0, x1, y0, y1 } = boxes.get(name)!;
      return { x: (x0 + x1) / 2, y: (y0 + y1) / 2 };
    };
    for (const [name, at] of nodes) {
      const [from, to] = [nodes.get(first)!, middle(name)];
      expect(Math.abs(at.x - from.x - (to.x - middle(first).x))).toBeLessThan(0.5);
      expect(Math.abs(at.y - from.y - (to.y - middle(first).y))).toBeLessThan(0.5);
    }
    const edges = [...stdout.matchAll(/^edge (e\d+) (e\d+)/gm)].map(([, a, b]) => `${a}-${b}`);
    for (const { from, to } of graph.edges) expect(edges).toContain(`e${from}-e${to}`);
  });

  test('takes names as they are, whatever they mean in DOT', () => {
    const { stdout, status } = spawnSync('dot', ['-Tsvg'], {
      input: drawDot(NAMED, { title: NAMES.join(' ') }),
      encoding: 'utf8',
    });
    expect(status).toBe(0);
    const texts = [...stdout.matchAll(/<text [^>]*>([^<]*)<\/text>/g)].map(([, text]) => text);
    for (const name of ['&quot;quoted&quot;', '&lt;b&gt;&amp;amp;&lt;/b&gt;', 'a\\Nb\\']) {
      expect(texts).toContain(name);
    }
  });
});
