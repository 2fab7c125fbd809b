import { readFileSync, readdirSync } from 'node:fs';
import { createRequire } from 'node:module';
import { join } from 'node:path';
import { beforeAll, describe, expect, test } from 'vitest';
import type { IGrammar } from 'vscode-textmate';
import textmate from 'vscode-textmate';
import oniguruma from 'vscode-oniguruma';
import { LITMUS_KEYWORDS } from '../../src/parse/keywords.js';
import { litmusLexer } from '../../src/parse/litmus-lexer.js';
import { lexCat } from '../../src/parse/cat-lexer.js';
import { ROOT } from '../support/run.js';

/** The grammars that editors colour files by, held against the lexers: they cannot drift apart. */

const SYNTAXES = join(ROOT, 'editors/vscode/syntaxes');
const filesIn = (folder: string, ending: RegExp): readonly string[] =>
  readdirSync(join(ROOT, folder), { recursive: true, encoding: 'utf8' })
    .filter((file) => ending.test(file))
    .map((file) => join(folder, file))
    .sort();

let grammars: Readonly<Record<'litmus' | 'cat', IGrammar>>;

beforeAll(async () => {
  const wasm = createRequire(import.meta.url).resolve('vscode-oniguruma/release/onig.wasm');
  await oniguruma.loadWASM(new Uint8Array(readFileSync(wasm)));
  const registry = new textmate.Registry({
    onigLib: Promise.resolve({
      createOnigScanner: (sources) => new oniguruma.OnigScanner(sources),
      createOnigString: (text) => new oniguruma.OnigString(text),
    }),
    loadGrammar: async (scope) => {
      const file = join(SYNTAXES, `${scope.split('.').at(-1)}.tmLanguage.json`);
      return textmate.parseRawGrammar(readFileSync(file, 'utf8'), file);
    },
  });
  const load = async (name: string) => (await registry.loadGrammar(`source.remora.${name}`))!;
  grammars = { litmus: await load('litmus'), cat: await load('cat') };
});

/** The scopes at each place of a text. */
function scopesOf(text: string, language: 'litmus' | 'cat'): (offset: number) => string {
  const starts: number[] = [];
  const scopes: string[] = [];
  let state = textmate.INITIAL;
  let offset = 0;
  for (const line of text.split('\n')) {
    const { tokens, ruleStack } = grammars[language].tokenizeLine(line, state);
    state = ruleStack;
    for (const token of tokens) {
      starts.push(offset + token.startIndex);
      scopes.push(token.scopes.join(' '));
    }
    offset += line.length + 1;
  }
  return (at) => scopes[starts.findLastIndex((start) => start <= at)];
}

describe('litmus files and implementations', () => {
  test.each(filesIn('corpus', /\.(litmus|impl)$/).filter((_, i) => i % 4 === 0))('%s', (file) => {
    const text = readFileSync(join(ROOT, file), 'utf8');
    const scopeAt = scopesOf(text, 'litmus');
    const words = new Set<string>(
      LITMUS_KEYWORDS.filter((word) => !['true', 'false'].includes(word)),
    );
    litmusLexer.reset(text);
    const wrong: string[] = [];
    for (const { type = '', value, offset } of litmusLexer) {
      const scope = scopeAt(offset);
      const [is, what] = [
        (part: string) => scope.includes(part),
        `${value} at ${offset}: ${scope}`,
      ];
      if (type === 'comment' && !is('comment')) wrong.push(what);
      else if (type === 'string' && !is('string')) wrong.push(what);
      else if (type === 'int' && !is('constant.numeric') && !is('variable.parameter'))
        wrong.push(what);
      else if ((type === 'header' || type === 'under') && !is('keyword')) wrong.push(what);
      else if (type.startsWith('kw_') && words.has(value) && !is('keyword')) wrong.push(what);
      else if (type === 'ident' && (is('comment') || is('string'))) wrong.push(what);
    }
    expect(wrong).toEqual([]);
  });
});

describe('models', () => {
  test.each(filesIn('models', /\.cat$/))('%s', (file) => {
    const text = readFileSync(join(ROOT, file), 'utf8');
    const scopeAt = scopesOf(text, 'cat');
    const tokens = lexCat({ path: file, text });
    const wrong: string[] = [];
    let end = 0;
    for (const { type, value, span } of tokens) {
      // What is between two tokens is blank or a comment.
      for (let at = end; at < span.start; at++) {
        if (/\S/.test(text[at]) && !scopeAt(at).includes('comment')) wrong.push(`comment at ${at}`);
      }
      end = span.end;
      const scope = scopeAt(span.start);
      const what = `${value} at ${span.start}: ${scope}`;
      if (scope.includes('comment')) wrong.push(what);
      else if (type === 'string' && !scope.includes('string')) wrong.push(what);
      else if (type.startsWith('kw_') && !scope.includes('keyword')) wrong.push(what);
    }
    expect(wrong).toEqual([]);
  });
});
