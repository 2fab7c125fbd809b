import { readFileSync, readdirSync } from 'node:fs';
import { join } from 'node:path';
import fc from 'fast-check';
import { describe, expect, test } from 'vitest';
import { whole } from '../../src/parse/diagnostics/index.js';
import { writeOutFamilies } from '../../src/parse/families.js';
import { litmusLexer } from '../../src/parse/litmus-lexer.js';
import { parseLitmusFile } from '../../src/parse/litmus.js';
import type { LitmusFile } from '../../src/parse/litmus-ast.js';
import { tokenize } from '../../src/parse/tokens.js';
import { valueOf } from '../support/litmus.js';
import { ROOT } from '../support/run.js';

const parse = (text: string): LitmusFile =>
  valueOf(whole(parseLitmusFile({ path: 't.litmus', text })));

/** A tree without places, and without the texts of conditions. */
const bare = (text: string): unknown =>
  JSON.parse(
    JSON.stringify(parse(text), (key, value: unknown) =>
      /span$/i.test(key) || (key === 'text' && String(value).includes('=')) ? undefined : value,
    ),
  );

/** What a text with a family has. Most locks have threads of one kind. */
const FAMILY = /\.\.|\[\w+ in /;

describe('families', () => {
  test.each([
    [
      'locations with tags',
      'node 1 { c[0..1] = 3 [a] [b]; x = 0 [a] } thread T on 1 { skip } locations [c[0]; [c[1]]; x]',
      'node 1 { c_0 = 3 [a] [b]; c_1 = 3 [a] [b]; x = 0 [a] } thread T on 1 { skip } locations [c_0; [c_1]; x]',
    ],
    [
      'arguments, tags of calls and of signs',
      'node 1 { c[0..1] = 0 } threads T[i in 1..2] on 1 { put [c] (c[i - 1], i, i.q); c[0]^(i + 1).q :=[c] c[1]; poll(i % 2 + 1) }',
      `node 1 { c_0 = 0; c_1 = 0 }
       thread T1 on 1 { put [c] (c_0, 1, 1.q); c_0^2.q :=[c] c_1; poll(1 % 2 + 1) }
       thread T2 on 1 { put [c] (c_1, 2, 2.q); c_0^3.q :=[c] c_1; poll(2 % 2 + 1) }`,
    ],
    [
      'names that are something else, too',
      'node c { c[1..1] = 0 } thread T on c { c[1] :=^c c[1]^c.c; wait(c); c(1); c[1] := 0 } exists (c:c[1] = 0) expect c under sc',
      'node c { c_1 = 0 } thread T on c { c_1 :=^c c_1^c.c; wait(c); c(1); c_1 := 0 } exists (c:c_1 = 0) expect c under sc',
    ],
    [
      'blocks in blocks, and conditions',
      'node n in 1..2 { x = n } threads T[i in 1..2] on i { while (x[i] = 0) bound 2 { if (i = 1) { skip } } } forall (x[1] = x[2] => T1:a = 0)',
      `node 1 { x_1 = 1 } node 2 { x_2 = 2 }
       thread T1 on 1 { while (x_1 = 0) bound 2 { if (1 = 1) { skip } } }
       thread T2 on 2 { while (x_2 = 0) bound 2 { if (2 = 1) { skip } } }
       forall (x_1 = x_2 => T1:a = 0)`,
    ],
  ])('%s', (_name, short, long) => {
    expect(bare(`RDMA t ${short}`)).toEqual(bare(`RDMA t ${long}`));
  });

  test('a file without families has the tokens that it had', () => {
    const corpus = join(ROOT, 'corpus');
    let compared = 0;
    const files = readdirSync(corpus, { recursive: true, encoding: 'utf8' });
    const plain = files
      .filter((name) => name.endsWith('.litmus'))
      .map((path) => ({ path, text: readFileSync(join(corpus, path), 'utf8') }))
      .filter(({ text }) => !FAMILY.test(text));
    for (const source of plain) {
      // The name of a copy, in a condition of a client, is one token of several.
      if (/\b[xyz]\[\d\] *=/.test(source.text)) continue;
      compared += 1;
      const tokens = tokenize(litmusLexer, source, new Set(['blank', 'comment']));
      expect(writeOutFamilies(tokens)).toEqual({ tokens, errors: [] });
    }
    expect(compared).toBeGreaterThan(plain.length - 30);
  });

  test('members keep their places; instructions of different threads have different ones', () => {
    const text = 'RDMA t node n in 1..2 { x = 0 } threads T[i in 1..2] on i { x[i] := 1; skip }';
    const { nodes, threads } = parse(text);
    const textAt = ({ start, end }: { start: number; end: number }): string =>
      text.slice(start, end);
    expect(nodes.map(({ node }) => textAt(node.span))).toEqual(['n in 1..2', 'n in 1..2']);
    expect(threads.map(({ name }) => textAt(name.span))).toEqual(['T[i in 1..2]', 'T[i in 1..2]']);
    const [one, two] = threads.map(({ body }) => body);
    expect(two.map(({ span }) => textAt(span))).toEqual(['x[i] := 1', 'skip']);
    expect(one[1].span).not.toBe(two[1].span);
  });

  test('conditions are kept as they were written', () => {
    const { queries } = parse('RDMA t node 1 { x[0..1] = 0 } thread T on 1 {} exists (x[0] = 1)');
    expect(queries.map(({ text }) => text)).toEqual(['x[0] = 1']);
  });

  test('whatever the text, there is a file or a diagnostic', () => {
    const words =
      'node threads thread n in 1..2 T x c [ ] [1] [i [n] i ( ) { } ; := :=^ ^ . .. 0 3 + - * / % = on exists locations -> :';
    const soup = fc.array(fc.constantFrom(...words.split(' ')), { maxLength: 30 });
    fc.assert(
      fc.property(soup, soup, (inside, outside) => {
        const text = `RDMA t node 1 { c[0..1] = 0; ${inside.join(' ')} } threads T[i in 1..2] on i { ${inside.join(' ')} } ${outside.join(' ')}`;
        const { value, errors } = parseLitmusFile({ path: 't.litmus', text });
        return value !== undefined || errors.length > 0;
      }),
      { numRuns: 2000, seed: 5 },
    );
  });

  test.each([
    ['indices in indices', `x := ${'c['.repeat(30_000)}`],
    ['nodes in nodes', `x := ${'c^('.repeat(30_000)}`],
    ['parentheses', `c[${'('.repeat(20_000)}`],
    ['many indices', `c${'[0]'.repeat(60_000)} := 1`],
    ['signs', `c[${'-'.repeat(60_001)}1] := 1`],
    ['a long thread', `} threads T[i in 0..63] on 1 { ${'skip;'.repeat(30_000)}`],
    ['many locations', `} node 2 { ${'c[0..63] = 0;'.repeat(20_000)}`],
    ['locations in locations', `} node n in 1..2 { ${'{c['.repeat(30_000)}`],
  ])('time is not quadratic: %s', (_name, text) => {
    const source = `RDMA t node 1 { c[0..1] = 0 } thread T on 1 { ${text} }`;
    expect(parseLitmusFile({ path: 't.litmus', text: source }).errors).not.toEqual([]);
  });
});
