import { describe, expect, test } from 'vitest';
import { ok } from '../../src/parse/diagnostics/index.js';
import { loadModel } from '../../src/node/models.js';
import { namesOf } from '../../src/model/print.js';
import type { Model } from '../../src/model/term.js';
import { BASE_RELATIONS, BASE_WORDS } from '../../src/model/bases.js';
import { SHIPPED, modelOf } from '../support/checker.js';
import { valueOf } from '../support/litmus.js';

function load(text: string): Model {
  const files = { exists: () => false, read: (path: string) => ok({ path, text }) };
  return valueOf(loadModel('own.cat', files).model);
}

/** The words of a model's names, each as `name: words`; of definitions only. */
const said = (text: string): readonly string[] =>
  load(text).definitions.map((d) => `${d.name}: ${d.words ?? ''}`);

/** The words of the operands of unions, as cat text and words. */
function operands(text: string): readonly string[] {
  const model = load(text);
  const names = namesOf(model);
  return model.operandWords.map(({ term, words }) => `${names.body(term)}: ${words}`);
}

describe('doc comments', () => {
  test('before let, let rec and and', () => {
    const text = `(** one *) let a = po
      (** two *)
      let rec b = po | b;rf
      (** three *) and c = b
      let (** four *) d = rf`;
    expect(said(text)).toEqual(['a: one', 'b: two', 'c: three', 'd: four']);
  });

  test('over several lines, with other comments inside', () => {
    expect(said('(** one\n   two  (* three *)\n\tfour *)\n\n let a = po')).toEqual([
      'a: one two (* three *) four',
    ]);
  });

  test.each([
    ['an ordinary one', '(* words *) let a = po'],
    ['stars only', '(***) let a = po'],
    ['a rule of stars', '(*** words ***) let a = po'],
    ['an empty one', '(**) let a = po'],
    ['blanks', '(**  *) let a = po'],
    ['another comment between', '(** words *) (* remark *) let a = po'],
    ['something else between', '(** words *) show po let a = po'],
    ['inside of the definition', 'let a = (** words *) po'],
    ['before an operand of a sequence', 'let a = po ; (** words *) rf'],
    ['at the end', 'let a = po (** words *)'],
  ])('%s says nothing', (_, text) => {
    expect(said(text).filter((line) => line !== 'po: ')).toEqual(['a: ']);
    expect(operands(text)).toEqual([]);
  });

  test('of two in a row the nearer one counts', () => {
    expect(said('(** far *) (** near *) let a = po')).toEqual(['a: near']);
  });

  test('before operands of unions', () => {
    const text = `let a = (** one *) po & (lR * lW)
      | (** two *) po;rf
      (** three *) | (rf | mo)+
      | rf | (** four *) (po | (** five *) rf^-1)`;
    expect(operands(text)).toEqual([
      'po & (lR * lW): one',
      'po;rf: two',
      '(rf | mo)+: three',
      'rf^-1: five',
      'po | rf^-1: four',
    ]);
  });

  test('in a closure, and in a function that is called', () => {
    const text = 'let f(r) = (** one *) r;r | po let a = ((** two *) po;rf | f(rf))+';
    expect(operands(text)).toEqual(['po;rf: two', 'rf;rf: one']);
  });

  test('base relations keep their own words', () => {
    const model = load('let a = (** words *) rf | po');
    expect(model.operandWords).toEqual([]);
    const names = namesOf(model);
    const rf = model.terms.findIndex((t) => t.op === 'base' && t.name === 'rf');
    expect(names.words(rf)).toBe('is read by the other');
    expect([...BASE_WORDS.keys()].sort()).toEqual([...BASE_RELATIONS].sort());
  });

  test('nothing in words moves the cursor of a terminal', () => {
    expect(said('(** a\u001B[2Jb\u202E *) let a = po')).toEqual(['a: a\uFFFD[2Jb\uFFFD']);
  });
});

describe('names', () => {
  const wordsIn = (model: Model, name: string): string | undefined =>
    namesOf(model).words(model.definitions.findLast((d) => d.name === name)!.term);

  test('a definition that changes one of its name inherits the words', () => {
    const model = load('(** words *) let a = po | rf let a = a \\ id let b = a | mo');
    expect(wordsIn(model, 'a')).toBe('words');
    expect(wordsIn(model, 'b')).toBeUndefined();
    expect(namesOf(model).body(model.definitions[2].term)).toBe('a | mo');
  });

  test('a second name of a relation is not what it is called', () => {
    const model = load('(** words *) let rb = rf^-1;mo let fr = rb');
    const [{ term }] = model.definitions;
    expect([namesOf(model).name(term), wordsIn(model, 'fr')]).toEqual(['rb', 'words']);
  });

  test('a recursive relation is called the same inside of its definition', () => {
    const model = load('(** words *) let rec r = po | r;rf');
    const names = namesOf(model);
    const variable = model.terms.findIndex((t) => t.op === 'rec');
    expect([names.text(variable), names.words(variable)]).toEqual(['r', 'words']);
    expect(names.body(model.definitions[0].term)).toBe('po | r;rf');
  });

  test('every relation of the shipped models that reasons are told with has words', () => {
    for (const name of SHIPPED) {
      const model = modelOf(name);
      const names = namesOf(model);
      const silent = model.definitions.filter(
        (d) => model.terms[d.term].kind === 'rel' && names.words(d.term) === undefined,
      );
      expect([name, silent.map((d) => d.name)]).toEqual([name, []]);
    }
  });
});
