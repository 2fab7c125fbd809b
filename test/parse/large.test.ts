import { describe, expect, test } from 'vitest';
import { decodeSource } from '../../src/node/read.js';
import { FILE, HANG, checkLitmus, checkModel } from '../support/fuzzing.js';
import { two } from '../support/litmus.js';

/** Inputs that once took minutes, overflowed the stack or took all memory. The number says how often a part repeats. */
describe('large inputs', () => {
  const body = (text: string): string => two(`thread T on 1 { ${text} }`);
  const numbered = (n: number, text: (i: number) => string, between = '\n'): string =>
    Array.from({ length: n }, (_, i) => text(i)).join(between);

  test.each([
    ['instructions', body('x := 1;\n'.repeat(2000))],
    ['branches', body('if (x) { y := 1 }\n'.repeat(2000))],
    ['rows of a table', two(`T@1 | U@2 ;\n${'x := 1 | w := 1 ;\n'.repeat(2000)}`)],
    [
      'locations',
      `RDMA t node 1 { ${numbered(5000, (i) => `x${i} = 0`, ';')} } ${two('').slice(6)}`,
    ],
    ['registers', body(numbered(3000, (i) => `a${i} := 1`, ';'))],
    ['unknown names', body(numbered(5000, (i) => `known${i} := unknown${i}`, ';'))],
    ['queries', two(`thread T on 1 { skip } ${'exists (x = 1)\n'.repeat(2000)}`)],
    ['notes', two('note "x" '.repeat(10_000))],
    ['heads', 'RDMA t\n'.repeat(10_000)],
    ['broken items on one line', 'thread '.repeat(10_000)],
    ['else-ifs', body(`${'if (x) { skip } else '.repeat(5000)} { skip }`)],
    ['alternatives', body(`choose { skip } ${'or { skip } '.repeat(500)}`)],
    ['nested branches', body(`${'if (x) { '.repeat(5000)} skip ${'}'.repeat(5000)}`)],
    ['branches that do not end', body('if (x) { '.repeat(5000))],
    ['parentheses', body(`x := ${'('.repeat(10_000)}1${')'.repeat(10_000)}`)],
    ['a sum', body(`x := ${'1 + '.repeat(10_000)}1`)],
    ['signs', body(`x := ${'-'.repeat(10_000)}1`)],
    ['a condition', two(`thread T on 1 { skip } exists (${'x = 1 /\\ '.repeat(10_000)} true)`)],
    ['negations', two(`thread T on 1 { skip } exists ${'~'.repeat(10_000)} true`)],
    ['long names', body(`${'a'.repeat(100_000)} := 1; x := ${'b'.repeat(100_000)}`)],
    ['one long line of noise', 'é'.repeat(100_000)],
    ['iterations', body('loop bound 999999999 { while (x) bound 999999999 { x := 1 } }')],
  ])('%s', { timeout: HANG }, (_, text) => checkLitmus(text));

  test.each([
    ['definitions', numbered(2000, (i) => `let r${i} = po`)],
    ['each in terms of the last', `let r = po\n${'let r = r;rf\n'.repeat(2000)} acyclic r`],
    ['functions', numbered(500, (i) => `let f${i}(x) = x | po`)],
    [
      'fixpoints of each other',
      `let rec ${numbered(300, (i) => `r${i} = r${(i + 1) % 300}`, ' and ')}`,
    ],
    ['axioms', 'acyclic po | rf\n'.repeat(1000)],
    ['names to show', `show ${'po, '.repeat(10_000)}rf`],
    ['unknown names', numbered(10_000, (i) => `let known${i} = unknown${i}`)],
    ['unknown functions', numbered(10_000, (i) => `let r${i}(x) = unknown${i}(x)`)],
    ['broken items on one line', 'let '.repeat(10_000)],
    ['comments in comments', `${'(*'.repeat(50_000)}${'*)'.repeat(50_000)} acyclic po`],
    ['comments that do not end', '(*'.repeat(50_000)],
    ['parentheses', `acyclic ${'('.repeat(10_000)}po${')'.repeat(10_000)}`],
    ['brackets', `acyclic ${'[domain('.repeat(5000)}po${')]'.repeat(5000)}`],
    ['a union', `acyclic ${'po | '.repeat(10_000)} po`],
    ['complements', `acyclic ${'~'.repeat(10_000)}po`],
    ['stars', `acyclic po${'*'.repeat(10_000)}`],
    ['arguments', `let f(x) = x acyclic f(${'po, '.repeat(3000)}po)`],
    [
      'names that nobody knows, beside many that are known',
      `${numbered(5000, (i) => `let d${i} = po`)}\n${numbered(5000, (i) => `acyclic foo${i}`)}`,
    ],
    ['the same file again and again', 'include "rdma.cat"\n'.repeat(200)],
    [
      'functions that call functions twice',
      `let f0(x) = x;x\n${numbered(40, (i) => `let f${i + 1}(x) = f${i}(f${i}(x))`)}\nacyclic f40(po)`,
    ],
    [
      'functions that call functions with two arguments of their own',
      `let f0(x) = x\n${numbered(40, (i) => `let f${i + 1}(x) = f${i}(x;po) | f${i}(x;rf)`)}\nacyclic f40(po)`,
    ],
    [
      'functions that call a wrong one twice',
      `let f0(x) = [x]\n${numbered(40, (i) => `let f${i + 1}(x) = f${i}(x) | f${i}(x)`)}\nacyclic f40(po)`,
    ],
  ])('models: %s', { timeout: HANG }, (_, text) => checkModel(text));

  test('a byte that is not UTF-8 in the middle of a long line', { timeout: HANG }, () => {
    const input = new Uint8Array(1_000_000).fill(97);
    input[500_000] = 255;
    const source = decodeSource(FILE, input);
    expect(source.ok ? [] : source.errors.map(({ message }) => message)).toEqual([
      'not UTF-8 text: invalid byte at line 1, column 500001',
    ]);
  });
});
