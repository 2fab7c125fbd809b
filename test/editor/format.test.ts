import { readFileSync, readdirSync } from 'node:fs';
import { join } from 'node:path';
import { describe, expect, test } from 'vitest';
import fc from 'fast-check';
import { format } from '../../src/editor/format.js';
import { languageOf } from '../../src/editor/language.js';
import { lexemesOf } from '../../src/editor/lexemes.js';
import { parseCat } from '../../src/parse/cat.js';
import { parseImplementation } from '../../src/parse/implementation.js';
import { parseLitmusFile } from '../../src/parse/litmus.js';
import type { SourceFile } from '../../src/parse/diagnostics/index.js';
import { ROOT } from '../support/run.js';

/** All files of the corpus, of the models, and those that commands are tested with. */
const files: readonly SourceFile[] = ['corpus', 'models', 'test/files'].flatMap((folder) =>
  readdirSync(join(ROOT, folder), { recursive: true, encoding: 'utf8' })
    .filter((file) => languageOf(file) !== undefined)
    .sort()
    .map((file) => join(ROOT, folder, file))
    .map((path) => ({ path, text: readFileSync(path, 'utf8') })),
);

const PARSERS = {
  cat: parseCat,
  litmus: parseLitmusFile,
  implementation: parseImplementation,
} as const;

/** What a file says: its tree without places; texts of queries with one blank for any blanks. */
function said(source: SourceFile): string {
  const { value, errors } = PARSERS[languageOf(source.path)!](source);
  const messages = errors.map(({ message, hint }) => `${message} ${hint}`);
  return JSON.stringify([value, messages], (key, part) =>
    /^(span|verdictSpan)$/.test(key) ? undefined : key === 'text' ? part.replace(/\s+/g, '') : part,
  );
}

const comments = (source: SourceFile): readonly string[] =>
  lexemesOf(source).flatMap(({ type, value }) =>
    type === 'comment' ? [value.trimEnd().replace(/\s+/g, ' ')] : [],
  );

function keepsAll(source: SourceFile): void {
  const made = { ...source, text: format(source) };
  expect(said(made)).toBe(said(source));
  expect(comments(made)).toEqual(comments(source));
  expect(format(made)).toBe(made.text);
}

test('there are files to try', () => {
  expect(files.length).toBeGreaterThan(400);
});

test.each(files.map((file) => [file.path.slice(ROOT.length), file] as const))(
  '%s: formatting changes nothing of what it says, and formatting again changes nothing at all',
  (_, file) => keepsAll(file),
);

/** Takes the blanks of a file apart, or puts others in their place: never where a string or comment would change. */
function shaken(source: SourceFile, choose: () => number): SourceFile {
  const tokens = lexemesOf(source);
  let [text, end] = ['', 0];
  for (const { span } of tokens) {
    const gap = source.text.slice(end, span.start);
    const others = gap.includes('\n')
      ? ['\n', '\n\n\n\n', '  \n\t ', gap]
      : ['  ', '\t', '      ', gap];
    text += gap === '' ? '' : others[choose() % others.length];
    text += source.text.slice(span.start, span.end);
    end = span.end;
  }
  return { ...source, text: `${text}\n` };
}

test('so it is with any blanks', () => {
  fc.assert(
    fc.property(fc.constantFrom(...files), fc.infiniteStream(fc.nat(3)), (file, stream) => {
      const source = shaken(file, () => stream.next().value!);
      expect(said(source)).toBe(said(file));
      keepsAll(source);
    }),
    { numRuns: 300, seed: Number(process.env['REMORA_SEED'] ?? 1) },
  );
});

describe('one layout', () => {
  const litmus = (text: string): string => format({ path: 'a.litmus', text });
  const cat = (text: string): string => format({ path: 'a.cat', text });

  test.each([
    [
      'thread T1 on 1{x^2:=1;poll( 2 ) ;y:=-1}\n',
      'thread T1 on 1 { x^2 := 1; poll(2); y := -1 }\n',
    ],
    ['exists(a=1/\\~( b!=0))"why"\n', 'exists (a = 1 /\\ ~(b != 0))  "why"\n'],
    ['exists (a = 1)\nexpect allowed under sc\n', 'exists (a = 1)\n  expect allowed under sc\n'],
    ['node 1{x=0;y=0[relaxed]}\n', 'node 1 { x = 0; y = 0 [relaxed] }\n'],
    [
      'threads T[i in 1 .. 3] on i{c[i%3+1]^(i %3+1):=i}\n',
      'threads T[i in 1..3] on i { c[i % 3 + 1]^(i % 3 + 1) := i }\n',
    ],
    ['x :=^ d y^2 . a\n', 'x :=^d y^2.a\n'],
    ['if(a=1){\nskip\n}else{\nb:=2\n}\n', 'if (a = 1) {\n  skip\n} else {\n  b := 2\n}\n'],
    ['a:=<1,2>;b := 1<2\n', 'a := <1, 2>; b := 1 < 2\n'],
    ['sv.bcast(x,_,{1,2}\\{1})\n', 'sv.bcast(x, _, {1, 2} \\ {1})\n'],
  ])('%j', (before, after) => expect(litmus(before)).toBe(after));

  test.each([
    ['let rb=(rf^-1;mo)\\id\n', 'let rb = (rf^-1 ; mo) \\ id\n'],
    ['let f(a,b)=a*b|~b+\n', 'let f(a, b) = a * b | ~b+\n'],
    ['acyclic(po|rf)as sc\n', 'acyclic (po | rf) as sc\n'],
    ['let a=\npo\n|rf\n', 'let a =\n    po\n  | rf\n'],
    ['flag ~ empty WT as w\n', 'flag ~empty WT as w\n'],
    [
      'operation faa(own x,value e)=v:FAA reads x as v writes x:=v + e\n',
      'operation faa(own x, value e) = v : FAA reads x as v writes x := v + e\n',
    ],
  ])('%j', (before, after) => expect(cat(before)).toBe(after));

  test('a line may be as long as a file', () => {
    const declared = Array.from({ length: 20_000 }, (_, i) => `x${i} = 0`);
    const text = (begin: string, end: string): string => begin + declared.join('; ') + end;
    expect(litmus(text('node 1 {\t', '}\n'))).toBe(text('node 1 { ', ' }\n'));
  });

  test('columns that lines have in common stay columns', () => {
    const text = 'let a =\n    po  & (CPU*CPU)\n  | qpo & (nF*nF)   (* last *)\n';
    expect(cat(text)).toBe('let a =\n    po  & (CPU * CPU)\n  | qpo & (nF * nF) (* last *)\n');
  });

  test('so does what stands behind tabs and wide signs', () => {
    const text = 'x := 1;\t\t(* a *)\ny := "ß𝔸";\t(* b *)\n';
    expect(litmus(text)).toBe('x := 1;    (* a *)\ny := "ß𝔸"; (* b *)\n');
  });

  test('what stands below something else by chance is in no column', () => {
    const text = 'thread T on 1 { y := 1; x := 1 }\nthread U on 1 { a := y;  b :=  x }\n';
    expect(litmus(text)).toBe(
      'thread T on 1 { y := 1; x := 1 }\nthread U on 1 { a := y; b := x }\n',
    );
  });

  test('a file with characters of no language stays as it is', () => {
    expect(cat('let  a =  "x\n')).toBe('let  a =  "x\n');
  });
});
