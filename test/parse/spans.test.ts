import { describe, expect, test } from 'vitest';
import type { Binding, CatItem } from '../../src/parse/cat-ast.js';
import { parseCat } from '../../src/parse/cat.js';
import { whole } from '../../src/parse/diagnostics/index.js';
import type { Span } from '../../src/parse/diagnostics/index.js';
import type { LitmusFile, Statement } from '../../src/parse/litmus-ast.js';
import { parseLitmusFile } from '../../src/parse/litmus.js';
import { MODELS, TESTS } from '../support/fuzzing.js';
import { valueOf } from '../support/litmus.js';

/** The span of a thing is its text, no more and no less: read by itself, it gives the same thing. */

/** A tree without what differs from place to place. */
const bare = (tree: unknown): unknown =>
  JSON.parse(
    JSON.stringify(tree, (key, value: unknown) => (/span$/i.test(key) ? undefined : value)),
  );

const textOf =
  (text: string) =>
  ({ span }: { readonly span: Span }): string =>
    text.slice(span.start, span.end);

describe('litmus files', () => {
  const parse = (text: string): LitmusFile =>
    valueOf(whole(parseLitmusFile({ path: 't.litmus', text })));
  const THREAD = 'thread T on 1 { skip }';
  const alone = (item: string, uses = ''): LitmusFile => parse(`RDMA t ${uses} ${THREAD} ${item}`);
  /** In clients, some names are values. */
  const usesOf = ({ uses }: LitmusFile): string =>
    uses.length === 0 ? '' : `uses ${uses.map(({ text }) => text).join(', ')}`;
  // What families stand for is at the place of the family.
  const written = TESTS.filter((text) => !/\[\w+ in |node \w+ in |\w\[\d+\.\./.test(text));
  const files = written.map((text) => ({ text, file: parse(text), slice: textOf(text) }));

  test('names and nodes', () => {
    for (const { file, slice } of files) {
      expect(slice(file.name)).toBe(file.name.text);
      for (const node of file.nodes) {
        expect(slice(node.node)).toBe(node.node.text);
        expect(bare(alone(slice(node)).nodes[0])).toEqual(bare(node));
        for (const location of node.locations) {
          const [read] = alone(`node 1 { ${slice(location)} }`).nodes[0].locations;
          expect(bare(read)).toEqual(bare(location));
        }
      }
    }
  });

  test('threads and columns', () => {
    const found = { blocks: 0, columns: 0 };
    for (const { file, slice } of files) {
      for (const thread of file.threads) {
        const text = slice(thread);
        if (text.startsWith('thread ')) {
          expect(bare(parse(`RDMA t ${usesOf(file)} ${text}`).threads)).toEqual(bare([thread]));
          found.blocks += 1;
        } else {
          expect(text.replaceAll(' ', '')).toBe(`${thread.name.text}@${thread.node.text}`);
          found.columns += 1;
        }
      }
    }
    expect(Math.min(found.blocks, found.columns)).toBeGreaterThan(0);
  });

  test('instructions', () => {
    for (const { file, slice } of files.slice(0, 100)) {
      for (const statement of file.threads.flatMap((t) => t.body)) {
        if (hasBody(statement))
          expect(slice(statement)).toMatch(/^(if|while|loop|choose)\b[^{}]*$/);
        else {
          const [{ body }] = parse(
            `RDMA t ${usesOf(file)} thread T on 1 { ${slice(statement)} }`,
          ).threads;
          expect(bare(body)).toEqual(bare([statement]));
        }
      }
    }
  });

  const hasBody = ({ kind }: Statement): boolean =>
    ['if', 'while', 'loop', 'choose'].includes(kind);

  test('queries and what belongs to them', () => {
    for (const { file, slice } of files) {
      for (const query of file.queries) {
        const about = [...query.expectations, ...query.observations].map(slice).join(' ');
        const around = [usesOf(file), ...new Set(file.objects.map(slice))].join(' ');
        const [read] = alone(`${slice(query)} ${about}`, around).queries;
        const where = undefined;
        const published = false;
        const expected = {
          ...query,
          label: undefined,
          expectations: query.expectations.map((e) => ({ ...e, where, published })),
          observations: query.observations.map((o) => ({ ...o, remark: where })),
        };
        expect(bare(read)).toEqual(bare(expected));
      }
    }
  });

  test('filters and listed names', () => {
    const text = `RDMA t ${THREAD} filter (a = 1 /\\ b = 2) locations [x; T:a; [y];]`;
    const { filter, listed } = parse(text);
    expect(textOf(text)(filter!)).toBe('filter (a = 1 /\\ b = 2)');
    expect(listed.map(textOf(text))).toEqual(['x', 'T:a', '[y]']);
  });
});

describe('models', () => {
  const parse = (text: string): readonly CatItem[] =>
    valueOf(whole(parseCat({ path: 'm.cat', text }))).items;
  const words = (binding: Binding) => ({ ...binding, words: undefined });

  test('items, definitions and their bodies', () => {
    let definitions = 0;
    for (const text of MODELS) {
      const slice = textOf(text);
      for (const item of parse(text)) {
        if (item.kind === 'operation' || item.kind === 'guess') {
          // Messages are about the head, or about something in the body.
          expect(slice(item)).toBe(
            `${item.replace ? 'replace ' : ''}${item.kind} ${item.name.text}`,
          );
          continue;
        }
        // What is dropped ends with a name, in brackets or not.
        if (item.kind === 'drop' || item.kind === 'dropInstead') continue;
        if (item.kind === 'instead') {
          expect(slice(item)).toBe(`instead ${item.label.text}`);
          continue;
        }
        if (item.kind === 'library' || item.kind === 'object') {
          expect(slice(item)).toBe(`${item.kind} ${item.name.text}`);
          continue;
        }
        expect(withoutWords(parse(slice(item)))).toEqual(withoutWords([item]));
        if (item.kind !== 'let') continue;
        for (const binding of item.bindings.map(words)) {
          definitions += 1;
          const [read] = parse(`let ${slice(binding)} acyclic (${slice(binding.body)})`);
          expect(withoutWords(read)).toEqual(
            withoutWords({ ...item, recursive: false, bindings: [binding] }),
          );
          for (const name of binding.names) expect(slice(name)).toBe(name.text);
        }
      }
    }
    expect(definitions).toBeGreaterThan(50);
  });

  /** A doc comment stands before what it is about. */
  const withoutWords = (tree: unknown): unknown =>
    JSON.parse(JSON.stringify(bare(tree), (key, v: unknown) => (key === 'words' ? undefined : v)));
});
