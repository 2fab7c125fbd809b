import { readdirSync } from 'node:fs';
import { join } from 'node:path';
import fc from 'fast-check';
import { describe, expect, test } from 'vitest';
import { fail, ok, renderDiagnostic } from '../../src/parse/diagnostics/index.js';
import { MODELS_FOLDER, loadModel, parseModel } from '../../src/node/models.js';
import type { LoadedModel } from '../../src/model/load.js';
import type { Files } from '../../src/node/models.js';
import type { Axiom, Model, TermId } from '../../src/model/term.js';
import { decodeSource } from '../../src/node/read.js';
import { testCases } from '../support/cases.js';
import { ownDefinitions, ownTerm, withInstructions } from '../support/model-files.js';

/**
 * Files in memory, and the shipped instructions; a value that is not text is the reason why the file cannot
 * be read.
 */
function inMemory(files: Readonly<Record<string, string | { readonly reason: string }>>): Files {
  return withInstructions({
    exists: (path) => path in files,
    read: (path) => {
      const file = files[path];
      if (typeof file === 'string') return ok({ path, text: file });
      return fail([{ span: { file: path, start: 0, end: 0 }, message: file.reason }]);
    },
  });
}

const load = (text: string): LoadedModel => loadModel('case.cat', inMemory({ 'case.cat': text }));

const rendered = ({ model, sources }: LoadedModel): string =>
  model.ok
    ? print(model.value)
    : model.errors.map((error) => renderDiagnostic(error, sources)).join('\n');

/** A model as text, with all parentheses, so that cases show precedences and kinds. */
function print(model: Model): string {
  const { terms, groups, title, name, axioms, shown } = model;
  const signs = { union: '|', inter: '&', diff: '\\', seq: ';', product: '*' };
  const ends = { plus: '+', star: '*', opt: '?', inverse: '^-1' };
  const text = (id: TermId): string => {
    const term = terms[id];
    switch (term.op) {
      case 'base':
        return term.name;
      case 'empty':
        return term.kind === 'set' ? '{}' : '0';
      case 'universe':
        return '_';
      case 'rec':
        return groups[term.group].names[term.index];
      case 'fix': {
        const { names, bodies } = groups[term.group];
        const defined = names.map((rec, i) => `${rec} = ${text(bodies[i])}`).join(' and ');
        return `fix(${names[term.index]}: ${defined})`;
      }
      case 'union':
      case 'inter':
      case 'diff':
      case 'seq':
      case 'product':
        return `(${text(term.left)} ${signs[term.op]} ${text(term.right)})`;
      case 'plus':
      case 'star':
      case 'opt':
      case 'inverse':
        return `${text(term.arg)}${ends[term.op]}`;
      case 'compl':
        return `~${text(term.arg)}`;
      case 'identity':
        return `[${text(term.arg)}]`;
      case 'domain':
      case 'range':
        return `${term.op}(${text(term.arg)})`;
    }
  };
  const short = (id: TermId): string => (terms.length > 50 ? `term ${ownTerm(id)}` : text(id));
  const axiom = ({ flag, negated, test: kind, term, name: label }: Axiom): string =>
    `${flag ? 'flag ' : ''}${negated ? '~' : ''}${kind} ${short(term)} as ${label}`;
  return [
    ...(title === name ? [] : [`"${title}"`]),
    ...ownDefinitions(model).map((d) => `${d.name}: ${terms[d.term].kind} = ${short(d.term)}`),
    ...axioms.map(axiom),
    ...(shown.length === 0 ? [] : [`show ${shown.join(', ')}`]),
  ].join('\n');
}

testCases(join(import.meta.dirname, 'cat'), (input) => rendered(load(input)));

describe('files', () => {
  const errors = (files: Parameters<typeof inMemory>[0]): string =>
    rendered(loadModel('dir/main.cat', inMemory(files)));
  const beside = (name: string): string => join(MODELS_FOLDER, name);

  test('an include is looked for beside the file, then among the models', () => {
    const files = {
      'dir/main.cat': 'include "a.cat" let d = c include "b.cat" let e = b',
      'dir/a.cat': '"not the title" let a = po include "c.cat"',
      [beside('b.cat')]: 'let b = a',
      'dir/c.cat': 'let c = rf',
      [beside('c.cat')]: 'let wrong = rf',
    };
    expect(errors(files).split('\n')).toEqual([
      'a: rel = po',
      'c: rel = rf',
      'd: rel = rf',
      'b: rel = po',
      'e: rel = po',
    ]);
  });

  test('the name is that of the file, and the title unless it has one', () => {
    const { model } = loadModel('dir/my-model.cat', inMemory({ 'dir/my-model.cat': 'acyclic po' }));
    expect(model.ok && [model.value.name, model.value.title]).toEqual(['my-model', 'my-model']);
  });

  test('a missing include', () => {
    expect(errors({ 'dir/main.cat': 'let a = po\ninclude "zzz.cat"' })).toBe(
      [
        "dir/main.cat:2:9: no file 'zzz.cat', neither beside this file nor among Remora's models",
        '2 | include "zzz.cat"',
        '  |         ^^^^^^^^^',
      ].join('\n'),
    );
  });

  test('a missing include of herd7, or one that is spelt wrong', () => {
    const hint = (name: string): string =>
      errors({ 'dir/main.cat': `include "${name}"` }).split(/\^ {2}/)[1];
    const library =
      "it is in herd7's library: put the model beside the files that it includes, or say -I FOLDER";
    expect(hint('armfences.cat')).toBe(library);
    expect(hint('coss.cat')).toBe("did you mean 'cos.cat'?");
    expect(hint('mine.cat')).toBeUndefined();
  });

  test('a file of herd7 beside the model hides the one of Remora, unless it writes down all orders', () => {
    const files = {
      'dir/main.cat': 'include "cos.cat" acyclic co | fr as c',
      'dir/cos.cat': 'include "cross.cat" with co from generate_cos(co0) let fr = rf^-1 ; co',
      'dir/cross.cat': 'let wrong = rf',
    };
    const loaded = loadModel('dir/main.cat', inMemory(files));
    const { model } = loaded;
    if (!model.ok) throw new Error(rendered(loaded));
    const { definitions, axioms } = model.value;
    expect(axioms.map(({ name }) => name)).toEqual(['c']);
    expect(definitions.some(({ name }) => name === 'wrong')).toBe(false);
    // The last definition of a name is the one that counts.
    const places = definitions.filter(({ name }) => name === 'fr').map(({ span }) => span?.file);
    expect(places.at(-1)).toBe('dir/cos.cat');
  });

  test('a model that includes a file of herd7 has its names from the start, and annotations of a file beside', () => {
    const files = {
      'dir/main.cat': '"t" let a = po-loc let b = Mine & M include "x.cat" acyclic a',
      'dir/x.cat': 'include "cross.cat"',
      'dir/main.bell': "enum a = 'mine let c = Mine",
    };
    const { model } = loadModel('dir/main.cat', inMemory(files));
    expect(model.ok && model.value.definitions.map(({ name }) => name)).toEqual(
      expect.arrayContaining(['po-loc', 'a', 'b', 'c']),
    );
    expect(errors({ ...files, 'dir/x.cat': 'let x = po' })).toContain(
      "unknown relation or set 'po-loc'",
    );
  });

  test('what such a model shows, it may have or not', () => {
    const shown = (text: string): readonly string[] | string => {
      const loaded = loadModel('dir/main.cat', inMemory({ 'dir/main.cat': text }));
      return loaded.model.ok ? loaded.model.value.shown : rendered(loaded);
    };
    expect(shown('include "cross.cat" show co, nothing show missing ; po as x')).toEqual(['co']);
    expect(shown('show co, nothing')).toContain("unknown relation or set 'nothing'");
  });

  test('includes are looked for beside the model, too', () => {
    const files = {
      'dir/main.cat': 'if "flag" include "no.cat" else include "sub/a.cat" end let c = b',
      'dir/sub/a.cat': 'include "b.cat"',
      'dir/b.cat': 'let b = po',
    };
    expect(errors(files)).toBe('b: rel = po\nc: rel = po');
  });

  test('a circular include', () => {
    const files = { 'dir/main.cat': 'include "b.cat"', 'dir/b.cat': 'include "../dir/main.cat"' };
    expect(errors(files)).toBe(
      [
        'dir/b.cat:1:9: circular include: main.cat → b.cat → main.cat',
        '1 | include "../dir/main.cat"',
        '  |         ^^^^^^^^^^^^^^^^^',
      ].join('\n'),
    );
  });

  test('an include that cannot be read', () => {
    const files = {
      'dir/main.cat': 'include "b.cat"',
      'dir/b.cat': { reason: 'the file is empty' },
    };
    expect(errors(files)).toBe(
      [
        "dir/main.cat:1:9: cannot include 'b.cat': the file is empty",
        '1 | include "b.cat"',
        '  |         ^^^^^^^',
      ].join('\n'),
    );
  });

  test('mistakes in included files are reported there, those of several files together', () => {
    const main = 'include "b.cat" include "c.cat"';
    const syntax = { 'dir/main.cat': main, 'dir/b.cat': 'let = po', 'dir/c.cat': 'let a' };
    expect(errors(syntax)).toMatch(/^dir\/b.cat:1:5: [^]*\ndir\/c.cat:1:6: /);
    const types = { 'dir/main.cat': main, 'dir/b.cat': 'let b = [po]', 'dir/c.cat': 'acyclic lR' };
    expect(errors(types)).toMatch(/^dir\/b.cat:1:10: [^]*\ndir\/c.cat:1:9: /);
  });

  test('a model that cannot be read', () => {
    expect(errors({ 'dir/main.cat': { reason: 'no such file' } })).toBe(
      'dir/main.cat: no such file',
    );
    expect(rendered(loadModel('no/such.cat'))).toBe('no/such.cat: no such file');
    expect(rendered(loadModel(MODELS_FOLDER))).toBe(`${MODELS_FOLDER}: is a directory, not a file`);
  });

  test('text is UTF-8 and not empty', () => {
    const decoded = (bytes: readonly number[]): string => {
      const result = decodeSource('f', Uint8Array.from(bytes));
      return result.ok ? result.value.text : result.errors[0].message;
    };
    const bytes = (text: string): number[] => [...new TextEncoder().encode(text)];
    expect(decoded(bytes('é\n'))).toBe('é\n');
    expect(decoded([])).toBe('the file is empty');
    const message = 'not UTF-8 text: invalid byte at line 2, column 3';
    expect(decoded([...bytes('a\n→b'), 0xff, ...bytes('c\n')])).toBe(message);
    expect(decoded([...bytes('a\nbc'), 0xe2, 0x86])).toBe(message);
  });
});

/** Files that say a part of a model, in the words of other files: these stand before them. */
const FRAGMENTS: ReadonlyMap<string, readonly string[]> = new Map([
  ['rdma-tso-orders.cat', ['rdma-tso-base.cat']],
  ['rdma-axioms.cat', ['rdma-tso-base.cat', 'rdma-tso-orders.cat']],
  ['failures.cat', ['rmw.cat']],
  ['gb.cat', ['rdma-tso-base.cat', 'rdma-tso-orders.cat']],
]);

describe('models', () => {
  const names = readdirSync(MODELS_FOLDER).filter((name) => name.endsWith('.cat'));

  test.each(names)('%s loads, after what it builds on', (name) => {
    const before = FRAGMENTS.get(name) ?? [];
    const main = [...before, name].map((file) => `include "${file}"`).join(' ');
    const loaded = parseModel(main, join(MODELS_FOLDER, 'all.cat'));
    expect(loaded.model.ok ? '' : rendered(loaded)).toBe('');
  });

  test('the bases of a model are those its axioms depend on', () => {
    const bases = 'let unused = wf let rec r = po | r ; rf acyclic r flag ~empty WT as w show nfo';
    const { model } = load(bases);
    expect(model.ok && [...model.value.bases].sort()).toEqual(['WT', 'po', 'rf']);
  });
});

test('operands come before their users, and groups are contiguous', () => {
  const { model } = loadModel(join(MODELS_FOLDER, 'rdma-tso-rec.cat'));
  if (!model.ok) throw new Error('does not load');
  const { terms, groups } = model.value;
  terms.forEach((term, id) => {
    const operands = 'left' in term ? [term.left, term.right] : 'arg' in term ? [term.arg] : [];
    expect(operands.every((operand) => operand < id)).toBe(true);
  });
  expect(groups).toHaveLength(1);
  const [{ vars, bodies, start, end }] = groups;
  expect(vars).toEqual([start, start + 1]);
  expect(bodies.every((body) => body < end)).toBe(true);
  terms.forEach((term, id) => {
    if (term.op === 'fix') expect(id).toBeGreaterThanOrEqual(end);
  });
});

test('nesting has an end, and no stack overflows', () => {
  const message = (text: string): string => rendered(load(`acyclic ${text}`)).split('\n')[0];
  expect(message(`${'po|rf;'.repeat(400)}po`)).toMatch(/^acyclic/);
  expect(message(`${'('.repeat(2000)}po${')'.repeat(2000)}`)).toBe('acyclic po as acyclic-1');
  for (const text of [`${'po|rf;'.repeat(20000)}po`, `${'~'.repeat(20000)}po`]) {
    expect(message(text)).toMatch(/: nested more than 1000 deep$/);
  }
  const first = (text: string): string => rendered(load(text)).split('\n')[0];
  const items = (open: string): string =>
    `${open.repeat(20000)} acyclic po ${'end '.repeat(20000)}`;
  const local = `let a = ${'let b = '.repeat(3000)} po ${'in b '.repeat(3000)}`;
  const texts = [items('if not "a" '), items('forall x in {po} do '), local];
  for (const text of texts) expect(first(text)).toMatch(/: nested more than 1000 deep$/);
  expect(first(`${'forall x in {po} do '.repeat(100)} acyclic x ${'end '.repeat(100)}`)).toBe(
    'acyclic po as acyclic-1',
  );
});

test('whatever the text, there is a model or a diagnostic', () => {
  const words =
    'let rec and x y f lR po = ( ) [ ] | & ; \\ * + ? ^-1 ~ , 0 _ as show unshow flag include ' +
    '"x.cat" acyclic empty irreflexive domain in { } \'X (* *) // @ " \n fun -> match with || end ' +
    'try if then else ++ procedure call forall do from';
  const soup = fc.array(fc.constantFrom(...words.split(/ /)), { maxLength: 40 });
  fc.assert(
    fc.property(soup, (tokens) => {
      const { model } = load(tokens.join(' '));
      return model.ok || model.errors.length > 0;
    }),
    { numRuns: 2000 },
  );
});
