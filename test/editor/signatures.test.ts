import { describe, expect, test } from 'vitest';
import { signaturesAt } from '../../src/editor/signatures.js';
import { operationsOf } from '../../src/model/instructions/operations.js';
import { instructionsOf } from '../../src/program/instructions.js';
import { diagnose } from '../../src/editor/diagnose.js';
import { some } from '../support/random.js';
import { ROOT } from '../support/run.js';
import { paths, workspaceOf } from '../support/workspace.js';

/** What is told of a call while it is written. */

/** The form and the parameter that is meant where `▮` stands. */
function told(marked: string, path = '/x/t.litmus'): string | undefined {
  const offset = marked.indexOf('▮');
  const text = marked.slice(0, offset) + marked.slice(offset + 1);
  const found = signaturesAt(path, offset, workspaceOf({ [path]: text }));
  if (found === undefined) return undefined;
  const form = found.forms[found.form];
  const parameter = form.parameters[found.parameter];
  if (parameter === undefined) return form.text;
  return `${form.text}: ${form.text.slice(...parameter.at)}, ${parameter.takes}`;
}

const HEAD = 'RDMA t\nnode 1 { y = 0 }\nnode 2 { x = 0 }\nthread T on 1 { ';
const own = 'a location of the own node';

describe('of a plain program', () => {
  test.each([
    ['x^2 := put(▮', `y^n := put(x): x, ${own}`],
    ['x^2 := put(▮y) }', `y^n := put(x): x, ${own}`],
    ['x^2 :=[inline] put(▮', 'y^n :=[inline] put(e): e, a value'],
    ['a := get(▮x^2)', 'x := get(y^n): y^n, a location of another node: x^2'],
    ['a := CAS(▮', `a := CAS(x, old, new): x, ${own}`],
    ['a := CAS(y, ▮', 'a := CAS(x, old, new): old, a value'],
    ['a := CAS(y, (b + 1) * 2, ▮2)', 'a := CAS(x, old, new): new, a value'],
    ['a := CAS(y, (b + ▮', 'a := CAS(x, old, new): old, a value'],
    ['a := CAS(y, faa(y, ▮', 'a := faa(x, e): e, a value'],
    ['poll(▮', 'poll(n): n, a node, or a queue pair that leads to it'],
    ['dmb[ld](▮)', 'dmb[ld]()'],
    ['mfence(▮', 'mfence()'],
    ['while (y = 0) { poll(▮', 'poll(n): n, a node, or a queue pair that leads to it'],
    // No call of an operation.
    ['x^2 := y▮', undefined],
    ['if (▮', undefined],
    ['poll(2)▮', undefined],
    ['poll(2); # put(▮', undefined],
    ['nothing(▮', undefined],
  ])('%s', (written, expected) => {
    expect(told(`${HEAD}${written}`)).toBe(expected);
  });
});

test('of a table of columns, with mistakes above', () => {
  const text =
    'RDMA t\nnode 1 { y = }\nnode 2 { x = 0 }\nT1@1 | T2@2 ;\nx^2 := 1 | a := xchg(x, ▮;\n';
  expect(told(text)).toBe('a := xchg(x, e): e, a value');
});

test('of the libraries of a client', () => {
  const text = 'RDMA t\nuses sv\nnode 1 {}\nnode 2 {}\nsv x\nthread T on 1 { ';
  expect(told(`${text}sv.bcast(x, d, {1, ▮`)).toBe(
    'sv.bcast(x, d, N): N, a set of nodes: {1, 2}, or nodes',
  );
  expect(told(`${text}a := sv.read(▮`)).toBe('a := sv.read(x): x, an object of the library');
  // An operation that only programs without libraries have.
  expect(told(`${text}poll(▮`)).toBe(undefined);
});

test('of an implementation', () => {
  const text = 'implements bal "b"\nover rl\nmethod m(x) { y^2 := put(▮';
  expect(told(text, '/x/t.impl')).toContain('put(x)');
});

test('an operation that a model declares is told as it declares it', () => {
  const workspace = workspaceOf({});
  for (const { name, tag, parameters, words } of workspace.plainInstructions.operations) {
    const call = tag === undefined ? `${name}(` : `${name}[${tag}](`;
    const path = '/x/t.litmus';
    const text = `${HEAD}${call}`;
    const found = signaturesAt(path, text.length, workspaceOf({ [path]: text }))!;
    const form = found.forms[found.form];
    expect(form.words).toBe(words);
    const shown = form.parameters.map(({ at }) => form.text.slice(...at).replace(/\^n$/, ''));
    expect(shown).toEqual(parameters.map((p) => (p.kind === 'peer' ? 'n' : p.name)));
  }
});

const PROGRAMS = paths.filter((path) => path.endsWith('.litmus'));
const disk = workspaceOf({});

test.each(some(PROGRAMS).map((path) => [path.slice(ROOT.length), path] as const))(
  '%s: each argument of a call is told as that of its operation',
  (_, path) => {
    const { client } = diagnose(path, disk);
    const test = client?.test.ok === true ? client.test.value : undefined;
    if (test === undefined) return;
    const { threads, instructions } = test.program;
    const { text } = disk.source(path)!;
    for (const one of threads.flatMap(({ body }) => [...instructionsOf(body)])) {
      if (one.kind !== 'call') continue;
      const written = text.slice(one.span.start, one.span.end);
      const bracket = /^[^\n]*?:=[^(]*\b[\w.]+\(|^[\w.]+(\[\w+\])?\(/.exec(written)?.[0];
      const { name } = operationsOf(instructions).named(one.operation, one.tags);
      if (bracket?.includes(name) !== true) continue;
      const found = signaturesAt(path, one.span.start + bracket.length, disk);
      expect(found?.forms[found.form].text, written).toContain(`${name}`);
      expect(found?.parameter).toBe(0);
    }
  },
);
