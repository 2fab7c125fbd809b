import { readFileSync, readdirSync } from 'node:fs';
import { join } from 'node:path';
import ts from 'typescript-6';
import { expect, test } from 'vitest';
import { parseCat } from '../../src/parse/cat.js';
import { whole } from '../../src/parse/diagnostics/index.js';
import { valueOf } from '../support/litmus.js';
import { ROOT } from '../support/run.js';

/**
 * What the core knows of programs, it knows from declarations in model files: no event, operation, tag or guess
 * that `models` declares has its name in the sources of the core. Names in longer texts, as in hints, do not
 * count.
 */

/** The folders of the core. What is known of the shipped instructions alone is in src/rdma. */
const CORE = ['parse', 'model', 'program', 'solve', 'encode', 'check'];

/** The names that model files declare, and `wf`, which was a base relation before. */
function declaredNames(): ReadonlySet<string> {
  const names = new Set(['wf']);
  const files = readdirSync(join(ROOT, 'models'), { recursive: true, encoding: 'utf8' });
  for (const file of files.filter((name) => name.endsWith('.cat'))) {
    const source = { path: file, text: readFileSync(join(ROOT, 'models', file), 'utf8') };
    for (const item of valueOf(whole(parseCat(source))).items) {
      if (item.kind === 'event') item.labels.forEach(({ name }) => names.add(name.text));
      if (item.kind === 'operation' || item.kind === 'guess' || item.kind === 'tag') {
        names.add(item.name.text);
      }
    }
  }
  // An operation of barriers has the name of the token of `|`.
  names.delete('bar');
  return names;
}

/** Is `read` what a symbolic value is made by: the value that an event has read? It is no operation there. */
function isOfValue(literal: ts.Node): boolean {
  const { parent } = literal;
  if (ts.isPropertyAssignment(parent)) return parent.name.getText() === 'op';
  if (ts.isBinaryExpression(parent)) return /\bop$/.test(parent.left.getText());
  if (ts.isCaseClause(parent)) return /\bop$/.test(parent.parent.parent.expression.getText());
  // `readonly op: 'read'`
  const { parent: member } = parent;
  return ts.isPropertySignature(member) && member.name.getText() === 'op';
}

/** Is it a kind of step: where a loop is cut at its bound? */
const isKind = ({ parent }: ts.Node): boolean =>
  ts.isCaseClause(parent) ||
  (ts.isPropertyAssignment(parent) && parent.name.getText() === 'kind') ||
  (ts.isBinaryExpression(parent) && /\.kind$/.test(parent.left.getText())) ||
  (ts.isLiteralTypeNode(parent) &&
    ts.isPropertySignature(parent.parent) &&
    parent.parent.name.getText() === 'kind');

/** Words that are something else, too, and where. */
const EXCEPTIONS: ReadonlyMap<string, (literal: ts.Node) => boolean> = new Map([
  ['read', isOfValue],
  ['cut', isKind],
  // A model.
  ['sc', (literal: ts.Node) => ts.isArrayLiteralExpression(literal.parent)],
  // `Pick<ReadonlyMap<…>, 'get'>`, a method of maps
  ['get', (literal: ts.Node) => ts.isLiteralTypeNode(literal.parent)],
]);

/** The strings of a text that are just one of these names, each with its line. */
function namesIn(text: string, names: ReadonlySet<string>): readonly string[] {
  const file = ts.createSourceFile('source.ts', text, ts.ScriptTarget.Latest, true);
  const found: string[] = [];
  const visit = (node: ts.Node): void => {
    if (ts.isStringLiteralLike(node) && names.has(node.text)) {
      const { line } = file.getLineAndCharacterOfPosition(node.getStart());
      if (EXCEPTIONS.get(node.text)?.(node) !== true) found.push(`${line + 1}: ${node.text}`);
    }
    ts.forEachChild(node, visit);
  };
  visit(file);
  return found;
}

test('the core names no event, operation, tag or guess', () => {
  const names = declaredNames();
  expect(names.size).toBeGreaterThan(20);
  const files = CORE.flatMap((folder) =>
    readdirSync(join(ROOT, 'src', folder), { recursive: true, encoding: 'utf8' })
      .filter((file) => file.endsWith('.ts'))
      .map((file) => join('src', folder, file)),
  );
  expect(files.length).toBeGreaterThan(100);
  const found = files.flatMap((file) =>
    namesIn(readFileSync(join(ROOT, file), 'utf8'), names).map((place) => `${file}:${place}`),
  );
  expect(found).toEqual([]);
});

test.each([
  ["const a = 'nlR';", ['1: nlR']],
  ["if (b === 'poll') c();\nd('nfo', `CAS`);", ['1: poll', '2: nfo', '2: CAS']],
  ["switch (b.kind) { case 'read': }", ['1: read']],
  ["f('read'); const x = { kind: 'read' };", ['1: read', '1: read']],
  ["switch (v.op) { case 'read': } const x = { op: 'read' }; v.op !== 'read';", []],
  ["type A = { readonly op: 'read' }; type B = Pick<C, 'get'>;", []],
  ["g('get');", ['1: get']],
  ["const hint = 'poll(2) waits';", []],
])('%s', (text, found) => {
  expect(namesIn(text, declaredNames())).toEqual(found);
});
