import { mkdtempSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import fc from 'fast-check';
import { afterAll, beforeAll, describe, expect, test } from 'vitest';
import { position, renderDiagnostic, whole } from '../../src/parse/diagnostics/index.js';
import type { Result, SourceFile } from '../../src/parse/diagnostics/index.js';
import { MODELS_FOLDER, defaultInstructions, loadModel } from '../../src/node/models.js';
import type { LitmusFile } from '../../src/parse/litmus-ast.js';
import { parseLitmusFile } from '../../src/parse/litmus.js';
import { readSource } from '../../src/node/read.js';
import type { Test } from '../../src/program/program.js';
import { resolve } from '../../src/program/resolve.js';
import { adapt } from '../../src/rdma/translate.js';
import { readProgram, testCases } from '../support/cases.js';
import { cat } from '../support/checker.js';
import {
  printCondition,
  printExpr,
  printFile,
  printProgram,
  printTest,
} from '../support/litmus-text.js';
import { inBlocks, inColumns, programs } from '../../src/rdma/random/programs.js';

const MODELS = ['rdma-sc', 'rdma-tso', 'rdma-wait', 'sc'];

const sourceOf = (text: string): SourceFile => ({ path: 'case.litmus', text });

/** What is printed of a result: the value, or all errors with the lines that they point to. */
function rendered<T>(source: SourceFile, result: Result<T>, print: (value: T) => string): string {
  if (result.ok) return print(result.value);
  const sources = new Map([[source.path, source]]);
  return result.errors.map((error) => renderDiagnostic(error, sources)).join('\n');
}

/** The warnings of a test, as they are printed. */
const warned =
  (text: string) =>
  ({ warnings }: Test): string => {
    const sources = new Map([['case.litmus', sourceOf(text)]]);
    return warnings.map((w) => renderDiagnostic(w, sources)).join('\n') || 'no warning';
  };

function resolved(source: SourceFile, instructions = defaultInstructions()): Result<Test> {
  const parsed = whole(parseLitmusFile(source));
  return parsed.ok ? resolve(parsed.value, instructions, MODELS) : parsed;
}

/** What is wrong with a program; its calls are of the shipped instructions, or of those of the setting `cat`. */
function mistakes(input: string): string {
  const own = input.startsWith('cat:') ? readProgram(input, ['cat']) : undefined;
  const source = sourceOf(own?.text ?? input);
  const instructions = own && cat(own.settings.cat!).instructions;
  return rendered(source, resolved(source, instructions), () => 'no error');
}

/** A program in the instructions of a model, below the note on what was translated for it. */
function translated(source: SourceFile, modelName: string): string {
  const { model } = loadModel(join(MODELS_FOLDER, `${modelName}.cat`));
  const read = resolved(source);
  if (!model.ok || !read.ok) return rendered(source, read, printTest);
  return rendered(source, adapt(read.value.program, model.value), ({ program, note }) =>
    [note ?? 'as it is', printProgram(program)].join('\n'),
  );
}

/** Each line by itself, inside of a file that is good otherwise. */
function eachLine(text: string, before: string, print: (file: LitmusFile) => string): string {
  const lines = text.split('\n').map((line) => {
    const source = sourceOf(`RDMA t thread T on 1 { ${before}${line}`);
    return rendered(source, whole(parseLitmusFile(source)), print);
  });
  return lines.join('\n');
}

/** How the cases of a file are printed, by the first word of its name. */
const PRINTERS: Readonly<Record<string, (text: string) => string>> = {
  good: (text) => {
    const { value, errors } = parseLitmusFile(sourceOf(text));
    const lines = errors.map(({ span }) => position(text, span.start).line);
    return `${value === undefined ? 'nothing' : printFile(value)}\nerrors in ${lines.join(', ')}`;
  },
  tree: (text) => rendered(sourceOf(text), whole(parseLitmusFile(sourceOf(text))), printFile),
  expressions: (text) =>
    eachLine(text.replace(/$/gm, ') }'), 'assume(', ({ threads: [{ body }] }) => {
      const [statement] = body;
      return statement.kind === 'assume' ? printExpr(statement.condition) : statement.kind;
    }),
  conditions: (text) =>
    eachLine(text, '} exists ', ({ queries }) =>
      queries.map((q) => ('condition' in q ? printCondition(q.condition) : q.text)).join(),
    ),
  program: (text) => rendered(sourceOf(text), resolved(sourceOf(text)), printTest),
  warnings: (text) => rendered(sourceOf(text), resolved(sourceOf(text)), warned(text)),
  errors: mistakes,
  waits: (text) => translated(sourceOf(text), 'rdma-wait'),
  polls: (text) => translated(sourceOf(text), 'rdma-tso'),
};

testCases(join(import.meta.dirname, 'litmus'), (input, kind) => PRINTERS[kind](input));

describe('layouts', () => {
  /** A tree without what differs from layout to layout: where things stand. */
  const bare = (text: string): unknown => {
    const parsed = whole(parseLitmusFile(sourceOf(text)));
    if (!parsed.ok) throw new Error(rendered(sourceOf(text), parsed, printFile));
    return JSON.parse(
      JSON.stringify(parsed.value, (key, value: unknown) => (key === 'span' ? undefined : value)),
    );
  };

  test('blocks and columns give one tree', () => {
    const nodes = 'RDMA t node 1 { y = 0 } node 2 { x = 0 }';
    const query = 'exists (a = 1 /\\ b = 0)';
    const columns = `${nodes}
      T1@1                        | T2@2            ;
      x^2 :=^d 1                  | z := CAS(x, 0, 1) ;
                                  | a := y^1        ;
      if (a = 1) { y := 1; skip } |                 ;
      wait(d)                     | b := x          ; ${query}`;
    const blocks = `${nodes}
      thread T1 on 1 { x^2 :=^d 1; if (a = 1) { y := 1; skip } wait(d) }
      thread T2 on 2 { z := CAS(x, 0, 1); a := y^1; b := x } ${query}`;
    expect(bare(columns)).toEqual(bare(blocks));
    expect(bare(columns)).not.toEqual(bare(blocks.replace('y := 1', 'y := 2')));
  });

  test('of random programs too', () => {
    fc.assert(
      fc.property(programs(), (source) => {
        expect(bare(inColumns(source))).toEqual(bare(inBlocks(source)));
      }),
      { numRuns: 100, seed: 1 },
    );
  });
});

test('tabs, Windows line ends and wide characters leave the caret in its place', () => {
  const source = sourceOf('RDMA t "→ 🙂"\r\nthread T on 1 {\tx = 1 }\r\nnote "→ 🙂" 5\r\n');
  expect(rendered(source, resolved(source), printTest).split('\n')).toEqual([
    "case.litmus:2:19: an assignment is written ':='",
    '2 | thread T on 1 { x = 1 }',
    '  |                   ^',
    "case.litmus:3:12: unexpected '5'; expected a declaration or a query",
    '3 | note "→ 🙂" 5',
    '  |            ^',
  ]);
});

test('random programs resolve', () => {
  for (const waits of [false, true]) {
    fc.assert(
      fc.property(programs({ waits }), (source) => {
        const result = resolved(sourceOf(inBlocks(source)));
        expect(rendered(sourceOf(inBlocks(source)), result, () => '')).toBe('');
      }),
      { numRuns: 200, seed: 2 },
    );
  }
});

test('whatever the text, there is a file or a diagnostic', () => {
  const words =
    'RDMA_t RDMA node 1 2 { x = 0 } y ^ thread T on T1@1 | ; := :=^ poll ( ) wait CAS , assume if ' +
    'else while loop bound choose or exists ~exists forall true expect under_sc computed observed ' +
    'yes /\\ \\/ ~ && || ! = != < - + / % == // # " "x" @ : é \n';
  const soup = fc.array(fc.constantFrom(...words.split(/ /)), { maxLength: 40 });
  fc.assert(
    fc.property(soup, (tokens) => {
      const text = tokens.join(' ').replace(/_/g, ' ');
      const result = resolved(sourceOf(`RDMA t thread T on 1 { x := 1 } ${text}`));
      return result.ok || result.errors.length > 0;
    }),
    { numRuns: 2000, seed: 3 },
  );
});

describe('reading', () => {
  let folder = '';
  beforeAll(() => {
    folder = mkdtempSync(join(tmpdir(), 'litmus-'));
    writeFileSync(join(folder, 'empty'), '');
    writeFileSync(join(folder, 'latin'), Buffer.from('RDMA t\n# caf\xe9\n', 'latin1'));
    writeFileSync(join(folder, 'good'), 'RDMA é');
  });
  afterAll(() => rmSync(folder, { recursive: true }));

  const message = (name: string): string => {
    const result = readSource(join(folder, name));
    return result.ok ? result.value.text : result.errors.map((e) => e.message).join('\n');
  };

  test('a file', () => {
    expect(message('good')).toBe('RDMA é');
  });

  test.each([
    ['missing', 'no such file'],
    ['', 'is a directory, not a file'],
    ['good/below', 'cannot be read (ENOTDIR)'],
    ['empty', 'the file is empty'],
    ['latin', 'not UTF-8 text: invalid byte at line 2, column 6'],
  ])("not '%s'", (name, expected) => {
    expect(message(name)).toBe(expected);
  });

  test('an error without a text to quote names the file', () => {
    const path = join(folder, 'missing');
    const result = readSource(path);
    expect(result.ok ? '' : renderDiagnostic(result.errors[0], new Map())).toBe(
      `${path}: no such file`,
    );
  });
});
