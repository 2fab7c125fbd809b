import { readFileSync } from 'node:fs';
import { join } from 'node:path';
import { describe, expect, test } from 'vitest';
import { completionsAt } from '../../src/editor/complete.js';
import { diagnose } from '../../src/editor/diagnose.js';
import { foldsOf } from '../../src/editor/folding.js';
import { hoverAt } from '../../src/editor/hover.js';
import { linksOf } from '../../src/editor/links.js';
import { definitionsAt, referencesAt } from '../../src/editor/navigate.js';
import { symbolsOf } from '../../src/editor/symbols.js';
import { ALL, QUICK, some } from '../support/random.js';
import { ROOT } from '../support/run.js';
import { paths, workspaceOf } from '../support/workspace.js';

/** Theorems are open beside each other, as in an editor: what they include is right where it is included. */
const theorems = paths.filter((path) => path.includes('/theorems/'));
const disk = workspaceOf(
  Object.fromEntries(theorems.map((path) => [path, readFileSync(path, 'utf8')])),
);

describe.each(some(paths).map((path) => [path.slice(ROOT.length), path] as const))(
  '%s',
  (_, path) => {
    const text = readFileSync(path, 'utf8');

    test('names are where they are said to be, and are defined', () => {
      const links = linksOf(path, disk);
      const own = links.filter(({ name }) => name.span.file === path);
      expect(own.length).toBeGreaterThan(0);
      for (const { name, to } of own) {
        const { start, end } = name.span;
        const written = text.slice(start, end);
        // A member of a family stands for itself where its name is computed, and so does an include in its quotes.
        const isMade =
          /[[("]| in /.test(written) ||
          written === '' ||
          name.text.startsWith(`${written}_`) ||
          /\[\w+ in /.test(text);
        if (!isMade) expect(written).toBe(name.text);
        expect(to.name.text === name.text || to.kind === 'thread').toBe(true);
        expect(definitionsAt(path, start, disk).length).toBeGreaterThan(0);
      }
    });

    // It puts libraries together, and is read in a way of its own.
    test.skipIf(path.endsWith('libraries.cat'))(
      'nothing is wrong with it, and its parts lie in it',
      () => {
        expect(
          diagnose(path, disk).diagnostics.filter((one) => one.severity === undefined),
        ).toEqual([]);
        for (const { at, whole } of symbolsOf(path, disk)) {
          expect(whole.start).toBeLessThanOrEqual(whole.end);
          expect([at.file, whole.file]).toEqual([path, path]);
          expect(whole.end).toBeLessThanOrEqual(text.length);
        }
        const lines = text.split('\n').length;
        for (const { from, to } of foldsOf({ path, text })) {
          expect(from).toBeLessThan(to);
          expect(to).toBeLessThan(lines);
        }
      },
    );
  },
);

describe('scopes of models', () => {
  const A = '/own/a.cat';
  const TEXT =
    'let r = po\nlet s = r\nlet r = rf | r\nlet f(r) = r ; s\nlet rec t = r | t\nacyclic f(r) | t\n';
  const own = workspaceOf({ [A]: TEXT });
  const lines = (nth: number): readonly number[] => {
    const at = [...TEXT.matchAll(/\br\b/g)][nth].index;
    return referencesAt(A, at, own).places.map(
      ({ start }) => TEXT.slice(0, start).split('\n').length,
    );
  };

  test('a later definition takes the place of an earlier one, and a parameter that of both', () => {
    expect(lines(0)).toEqual([1, 2, 3]);
    expect(lines(2)).toEqual([3, 5, 6]);
    expect(lines(4)).toEqual([4, 4]);
  });

  test('a recursive definition names itself', () => {
    const { places } = referencesAt(A, TEXT.indexOf('t = r'), own);
    expect(places).toHaveLength(3);
  });

  test('what loops read under one name is one name, in a sum as well', () => {
    const text = `library own
include "stamps.cat"
object x : copied
operation read(object x)
  | = sum(v) : for n in nodes { aNRR(n) reads x[n] as v }, for n in {here} { aNRR(n) reads x[n] as v }
let so = 0
`;
    const path = join(ROOT, 'own.cat');
    const { places } = referencesAt(path, text.indexOf('v)'), workspaceOf({ [path]: text }));
    expect(places.map(({ start }) => text.slice(start - 3, start + 1))).toEqual([
      ...['um(v', 'as v', 'as v'],
    ]);
  });

  test('what is half written has names, too', () => {
    const text =
      'let r = po\nlet rec f(a) = a ; r\nlet s = g(r) | f(r)\ninitial w\nevent w by cpu\n';
    const path = '/own/half.cat';
    const half = workspaceOf({ [path]: text });
    const at = (name: string) =>
      referencesAt(path, text.indexOf(name), half).places.map(
        ({ start }) => text.slice(0, start).split('\n').length,
      );
    expect(at('r = po')).toEqual([1, 2, 3, 3]);
    expect(at('a)')).toEqual([2, 2]);
    expect(at('w\nevent')).toEqual([4, 5]);
  });

  test('a name of a file that two others include is one name in all of them', () => {
    const files = workspaceOf({
      '/own/shared.cat': 'let shown = x\n',
      '/own/one.cat': 'let x = po\ninclude "shared.cat"\nacyclic x | shown\n',
      '/own/two.cat': 'let x = rf\ninclude "shared.cat"\nacyclic shown\n',
    });
    const { places } = referencesAt('/own/one.cat', 'let '.length, files);
    expect(places.map(({ file }) => file)).toEqual([
      ...['/own/one.cat', '/own/one.cat', '/own/shared.cat', '/own/two.cat'],
    ]);
  });
});

describe('names of litmus files', () => {
  const FILE = join(ROOT, 'names.litmus');
  const placesOf = (text: string, name: string): readonly number[] => {
    const at = text.indexOf(name);
    const { places } = referencesAt(FILE, at, workspaceOf({ [FILE]: text }));
    return places.map(({ start }) => text.slice(0, start).split('\n').length);
  };

  test('an identifier is waited for before an operation has it, or is given to a call of a library', () => {
    const before = 'RDMA t\nnode 1 {} node 2 { z = 0 }\nthread T on 1 {\nwait(d)\n; x :=^d z^2 }\n';
    expect(placesOf(before, 'd)')).toEqual([4, 5]);
    const given =
      'RDMA t\nuses sv\nnode 1 {} node 2 {}\nsv x\nthread T on 1 {\nsv.bcast(x, d, {2})\n; sv.wait(d) }\n';
    expect(placesOf(given, 'd,')).toEqual([6, 7]);
  });

  test('a node may be computed', () => {
    const text =
      'RDMA t\nnode 1 {}\nnode 2 { z = 0 }\nthread T on 1 {\nx := z^2\n; poll(1 + 1) }\n';
    expect(placesOf(text, '2 {')).toEqual([3, 5, 6]);
  });

  test('names in a call that is half written are those of others', () => {
    const text =
      'RDMA t\nnode 1 { y = 0 }\nnode 2 { z = 0 }\nthread T on 1 {\na := 1\n; b := cas(a, z^2.q, y)\n; put(y) }\n';
    expect(placesOf(text, 'a :=')).toEqual([5, 6]);
    expect(placesOf(text, 'y = 0')).toEqual([2, 6, 7]);
    expect(placesOf(text, 'z = 0')).toEqual([3, 6]);
  });

  test('nodes in a call of no operation that there is', () => {
    const text =
      'RDMA t\nuses sv\nnode 1 {}\nnode 2 {}\nsv x\nthread T on 1 {\nsv.bcst(x, d, {2})\n; sv.bcst(x, d, {1, 2} \\ {1}) }\n';
    expect(placesOf(text, '2 {}')).toEqual([4, 7, 8]);
    expect(placesOf(text, '1 {}')).toEqual([3, 6, 8, 8]);
  });
});

test('in an implementation, what is held for an object is no name of a method', () => {
  const path = join(ROOT, 'own.impl');
  const text = `implementation own implements sv over rl
for object x {
  node n { w = 0 }
}
read(x) {
  a := x.w;
  return a
}
write(x, w) {
  x.w := w
}
`;
  const linesOf = (name: string): readonly number[] => {
    const { places } = referencesAt(path, text.indexOf(name), workspaceOf({ [path]: text }));
    return places.map(({ start }) => text.slice(0, start).split('\n').length);
  };
  expect(linesOf('w = 0')).toEqual([3, 6, 10]);
  expect(linesOf('w) {')).toEqual([9, 10]);
  expect(linesOf('a :=')).toEqual([6, 7]);
});

test('nothing throws in what is half written', () => {
  const tried = paths.filter((_, i) => i % (QUICK ? 97 : ALL ? 23 : 61) === 0);
  for (const path of tried) {
    const text = readFileSync(path, 'utf8');
    const here = join(ROOT, `half.${path.split('.').at(-1)}`);
    for (let end = 0; end < text.length; end += 37) {
      const own = workspaceOf({ [here]: text.slice(0, end) });
      completionsAt(here, end, own);
      hoverAt(here, end, own);
      symbolsOf(here, own);
      diagnose(here, own);
    }
  }
});

describe('the machine of a model', () => {
  const said = (text: string, at: string): string | undefined => {
    const path = join(ROOT, 'models/own.cat');
    return hoverAt(path, text.indexOf(at) + 1, workspaceOf({ [path]: text }))?.text;
  };
  const OWN = '"own"\ninclude "rdma-tso.cat"\nlet slow = [nrW] ; po\n';

  test('is told at labels', () => {
    const text = said(OWN, 'nrW');
    expect(text).toContain("the NIC's write at the other end");
    expect(text).toContain('Its machine:');
    expect(text).toMatch(/observed\n +after /);
  });

  test('is told at axioms, or why there is none', () => {
    expect(said(`${OWN}irreflexive po+ as more\n`, 'irreflexive')).toContain(
      "This model is no machine: axiom 'more' is a third order;",
    );
    const alone = '"own"\nacyclic po | rf | mo | (rf^-1 ; mo) \\ id as one\n';
    expect(said(alone, 'acyclic')).toContain('This model is a machine');
    expect(said('let slow = [nrW] ; po\n', 'nrW')).not.toContain('machine');
  });
});
