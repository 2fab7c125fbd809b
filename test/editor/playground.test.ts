import { readFileSync, readdirSync } from 'node:fs';
import { join } from 'node:path';
import { StringStream } from '@codemirror/language';
import type { StreamParser } from '@codemirror/language';
import { expect, test } from 'vitest';
import { C, CAT, LITMUS } from '../../playground/language.js';
import { isCText } from '../../playground/recognised.js';
import { lexCat } from '../../src/parse/cat-lexer.js';
import { ITEM_WORDS } from '../../src/parse/keywords.js';
import { litmusLexer } from '../../src/parse/litmus-lexer.js';
import { ROOT } from '../support/run.js';

/** The colours of the playground's editors, held against the lexers on the corpus and on all models. */

/** How each place of a text is coloured. */
function colours<State>(text: string, parser: StreamParser<State>): (offset: number) => string {
  const found: string[] = [];
  const state = parser.startState!(2);
  for (const line of text.split('\n')) {
    const stream = new StringStream(line, 2, 2);
    while (!stream.eol()) {
      const colour = parser.token(stream, state) ?? '';
      for (let at = stream.start; at < stream.pos; at++) found.push(colour);
      stream.start = stream.pos;
    }
    found.push('');
  }
  return (at) => found[at];
}

const filesIn = (folder: string, ending: string): readonly string[] =>
  readdirSync(join(ROOT, folder), { recursive: true, encoding: 'utf8' })
    .filter((file) => file.endsWith(ending))
    .map((file) => readFileSync(join(ROOT, folder, file), 'utf8'));

test('litmus files', () => {
  for (const text of filesIn('corpus', '.litmus')) {
    const colourAt = colours(text, LITMUS);
    litmusLexer.reset(text);
    for (const { type = '', value, offset } of litmusLexer) {
      // A text may go on behind the end of its line: that is coloured as what it looks like.
      if (type === 'string' && value.includes('\n')) continue;
      const expected =
        type === 'comment' || type === 'string'
          ? type
          : type.startsWith('kw_') && !['true', 'false'].includes(value)
            ? 'keyword'
            : undefined;
      if (expected !== undefined) expect([value, colourAt(offset)]).toEqual([value, expected]);
    }
  }
});

test('words with which items begin', () => {
  for (const word of ITEM_WORDS)
    expect([word, colours(word, LITMUS)(0)]).toEqual([word, 'keyword']);
});

test('models', () => {
  for (const text of filesIn('models', '.cat')) {
    const colourAt = colours(text, CAT);
    let end = 0;
    for (const { type, value, span } of lexCat({ path: 'model.cat', text })) {
      for (let at = end; at < span.start; at++) {
        if (/\S/.test(text[at]))
          expect([text.slice(end, span.start), colourAt(at)][1]).toBe('comment');
      }
      end = span.end;
      if (type.startsWith('kw_')) expect([value, colourAt(span.start)]).toEqual([value, 'keyword']);
      else expect(colourAt(span.start)).not.toBe('comment');
    }
  }
});

test('C is told from litmus files', () => {
  for (const text of filesIn('corpus', '.litmus')) expect(isCText(text), text).toBe(false);
  for (const text of filesIn('corpus/c', '.c')) {
    expect(isCText(text), text).toBe(true);
    const bare = text.replace(/\/\* RDMA[^]*?\*\/\n/, '');
    expect(isCText(bare), bare).toBe(true);
  }
  for (const begun of ['', '# a remark\n', 'RDMA t\n', 'RDM', 'node 1 { x = 0 }\n'])
    expect(isCText(begun), begun).toBe(false);
});

test('C', () => {
  const text = `/* a\n   thing */ static int x = 0x1f; // more\n#define A "b/*"\nf(x);\n`;
  const colourAt = colours(text, C);
  const shown = ['/*', 'thing', 'static', 'int', 'x', '0x1f', '// more', '#define', '"b', 'f('];
  expect(shown.map((one) => colourAt(text.indexOf(one)))).toEqual([
    ...['comment', 'comment', 'keyword', 'keyword', 'variableName', 'number', 'comment'],
    ...['keyword', 'string', 'typeName'],
  ]);
});
