import { join } from 'node:path';
import { expect, test } from 'vitest';
import { ok } from '../../src/parse/diagnostics/index.js';
import { loadModel } from '../../src/node/models.js';
import { termNames } from '../../src/model/print.js';
import type { Model } from '../../src/model/term.js';
import { BASE_RELATIONS, BASE_WORDS } from '../../src/model/bases.js';
import { testCases } from '../support/cases.js';
import { SHIPPED, modelOf } from '../support/checker.js';
import { valueOf } from '../support/litmus.js';
import { ownDefinitions, withInstructions } from '../support/model-files.js';

function load(text: string): Model {
  const files = { exists: () => false, read: (path: string) => ok({ path, text }) };
  return valueOf(loadModel('own.cat', withInstructions(files)).model);
}

/** What definitions mean, and operands of unions: `a: words`, or `a: -` without words. */
function meanings(text: string): readonly string[] {
  const model = load(text);
  const names = termNames(model);
  return [
    ...ownDefinitions(model).map((d) => `${d.name}: ${d.words ?? '-'}`),
    ...model.operandWords.map(({ term, words }) => `operand ${names.body(term)}: ${words}`),
  ];
}

/** What the relations of definitions are called in reasons, their bodies, and their words. */
function called(text: string): readonly string[] {
  const model = load(text);
  const names = termNames(model);
  return ownDefinitions(model).map(
    ({ term }) => `${names.name(term)} is ${names.body(term)}: ${names.words(term) ?? '-'}`,
  );
}

/** How the cases of a file are printed, by the first word of its name. */
const PRINTERS: Readonly<Record<string, (text: string) => string>> = {
  comments: (text) => meanings(text).join('\n'),
  lines: (text) => text.replace(/^.*$/gm, (line) => meanings(line).join(', ')),
  names: (text) => called(text).join('\n'),
};

testCases(join(import.meta.dirname, 'words'), (input, kind) => PRINTERS[kind](input));

test('every base relation has words, which no doc comment changes', () => {
  const model = load('let a = (** words *) rf | po');
  const rf = model.terms.findIndex((t) => t.op === 'base' && t.name === 'rf');
  expect(termNames(model).words(rf)).toBe('is read by the other');
  expect([...BASE_WORDS.keys()].sort()).toEqual([...BASE_RELATIONS].sort());
});

test('nothing in words moves the cursor of a terminal', () => {
  expect(meanings('(** a\u001B[2Jb\u202E *) let a = po')).toEqual(['a: a\uFFFD[2Jb\uFFFD']);
});

test('a recursive relation has its words inside of its definition, too', () => {
  const model = load('(** words *) let rec r = po | r;rf');
  const names = termNames(model);
  const variable = model.terms.findIndex((t) => t.op === 'rec');
  expect([names.text(variable), names.words(variable)]).toEqual(['r', 'words']);
});

test('every relation of the shipped models that reasons are told with has words', () => {
  for (const name of SHIPPED) {
    const model = modelOf(name);
    const names = termNames(model);
    const silent = model.definitions.filter(
      // A union without words is taken apart: no reason is told with it.
      ({ term, name }) =>
        model.terms[term].kind === 'rel' &&
        !(model.terms[term].op === 'union' && ['issued', 'observed'].includes(name)) &&
        names.words(term) === undefined,
    );
    expect([name, silent.map((d) => d.name)]).toEqual([name, []]);
  }
});
