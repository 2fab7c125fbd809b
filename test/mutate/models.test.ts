import { readFileSync } from 'node:fs';
import { describe, expect, test } from 'vitest';
import { EQUIVALENT, equivalentOf } from '../../mutate/equivalent.js';
import { MODELS, mutantsOf } from '../../mutate/models/index.js';
import type { Mutant } from '../../mutate/models/mutant.js';
import { membersOf } from '../../mutate/models/places.js';
import type { Entry, Table } from '../../mutate/models/tables.js';
import { entryOf, labelsOf } from '../../mutate/models/tables.js';
import { mutatedModel, originalModel } from '../../mutate/models/text.js';
import { loadModelNamed, shippedModels } from '../../src/node/models.js';
import type { Model } from '../../src/model/term.js';
import { valueOf } from '../support/litmus.js';

/** The mutants of models as data: that they are what they say. `npm run mutate` runs them. */

const names = new Map(MODELS.map((model) => [model, mutantsOf(model)] as const));

test('every shipped model is mutated', () => {
  expect([...MODELS].sort()).toEqual(shippedModels());
});

test('a model without edits is the model as it is loaded from disk', () => {
  for (const model of MODELS) {
    const loaded = valueOf(loadModelNamed(model).model);
    const { terms, groups, axioms, bases } = originalModel(model);
    expect(loaded).toMatchObject({ terms, groups, axioms, bases });
  }
});

test('names are unique within a model', () => {
  for (const [model, mutants] of names) {
    expect([model, new Set(mutants.map((m) => m.name)).size]).toEqual([model, mutants.length]);
  }
});

describe.each(MODELS)('%s', (model) => {
  test('every eleventh mutant, and each of declarations, messages, shared queues and failures, loads and is another model', () => {
    const original = JSON.stringify(partsOf(originalModel(model)));
    for (const mutant of names.get(model)!.filter(isTried)) {
      const text = JSON.stringify(partsOf(mutatedModel(mutant)));
      expect([mutant.name, text === original]).toEqual([mutant.name, false]);
    }
  });
});

const isTried = ({ name }: Mutant, i: number): boolean =>
  i % 11 === 0 || /^(declared|messages|shared|failures)-/.test(name);

const partsOf = ({ terms, axioms, instructions }: Model) => [
  terms,
  axioms.map(({ span: _, ...axiom }) => axiom),
  instructions,
];

/** The tables of the TSO paper, Fig. 9 (robustness paper, Fig. 4; decidability paper, Fig. 4), and remote atomics (docs/atomics.md). */
const ROWS: Readonly<Record<string, string>> = {
  //      lR lW CAS F P  nlR nrW nrR nAR nlW nF
  CPU: 'yyyyyyyyyyy',
  nlR: '-----qqqqqq',
  nrW: '------qqqqq',
  nrR: '---------qq',
  nAR: '------qqqqq',
  nlW: '---------qq',
  nF: '-----qqqqqq',
};

const NIC = ['nlR', 'nrW', 'nrR', 'nAR', 'nlW', 'nF'];

function expectedEntry(model: string, table: Table, row: string, column: string): Entry {
  const labels = labelsOf(originalModel(model));
  if (model === 'rdma-tso-getfirst' && `${row} ${column}` === 'nrR nAR') return 'q';
  // What is posted later may overtake an atomic there.
  const overtakes = model === 'rdma-tso-out' && ['nrW', 'nrR', 'nAR'].includes(column);
  if (overtakes && row === 'nAR') return '-';
  // Unordered delivery; and what may pass puts and atomics of other operations.
  if (model === 'rdma-srd' && NIC.includes(row) && NIC.includes(column)) {
    return '-';
  }
  const passes = model === 'rdma-ooo-rw' && ['nrW', 'nrR'].includes(column);
  if (passes && ['nrW', 'nAR'].includes(row)) return '-';
  const entry = (ROWS[row] ?? ROWS.CPU)[labels.indexOf(column)] as Entry;
  if (table === 'ippo') return entry;
  const gone = [
    'nrW nF',
    'nlW nF',
    ...(model.includes('-sc') ? [] : ['lW lR', 'lW P', 'lW WT']),
    ...(model === 'rdma-tso-nopcie' ? ['nrW nrR', 'nrW nAR', 'nrW nlW'] : []),
    // There, an answer does not wait for puts before it, and a read does not.
    ...(['rdma-ro-atomic', 'rdma-ooo-rw'].includes(model) ? ['nrW nlW'] : []),
    // To two memories, or by two NICs.
    ...(model.startsWith('rdma-nics')
      ? ['nrW nrW', 'nrW nrR', 'nrW nAR', 'nrW nlW', 'nlW nlW']
      : []),
    // A read there that reads nothing is a flush.
    ...(model === 'rdma-unordered' ? ['nrW nlW'] : []),
  ];
  return gone.includes(`${row} ${column}`) ? '-' : entry;
}

test.each(MODELS.filter((m) => m.startsWith('rdma-')))('the tables of %s', (name) => {
  const model = originalModel(name);
  const labels = labelsOf(model);
  const show = (entry: (table: Table, row: string, column: string) => Entry) =>
    (['ippo', 'oppo'] as const).map((table) =>
      labels.map((row) => labels.map((column) => entry(table, row, column)).join(' ')),
    );
  expect(show((...cell) => entryOf(model, ...cell))).toEqual(
    show((...cell) => expectedEntry(name, ...cell)),
  );
});

test('every cell of both tables has a mutant', () => {
  const mutants = new Set(names.get('rdma-tso')!.map((m) => m.name));
  const labels = labelsOf(originalModel('rdma-tso'));
  const cells = ['ippo', 'oppo'].flatMap((table) =>
    labels.flatMap((row) => labels.map((column) => `${table}-${row}-${column}`)),
  );
  expect(cells.filter((cell) => !mutants.has(cell))).toEqual([]);
  expect(cells).toHaveLength(242);
});

test('unions are taken apart outside of parentheses', () => {
  expect(membersOf('a | (b | c) | [d];e')).toEqual(['a', '(b | c)', '[d];e']);
});

describe('equivalent mutants', () => {
  test('every entry matches a mutant of each model that it names', () => {
    for (const { models, names: pattern, section } of EQUIVALENT) {
      const matched = models.flatMap((m) =>
        names.get(m as (typeof MODELS)[number])!.filter((x) => pattern.test(x.name)),
      );
      expect([section, matched.length > 0]).toEqual([section, true]);
    }
  });

  test('the argument is written down', () => {
    const text = readFileSync('mutate/equivalent.md', 'utf8');
    for (const { section } of EQUIVALENT) expect(text).toContain(`## ${section}\n`);
  });

  test('widened and added entries are never listed, but for what is named', () => {
    const listed = [...names].flatMap(([model, mutants]) =>
      mutants.filter((m) => m.direction === 'stronger' && equivalentOf(model, m.name)),
    );
    const distinct = new Set(listed.map((m) => m.name));
    expect([...distinct].sort()).toEqual([
      'ib-add-nfo',
      'ib-add-rbb',
      'ib-issr-with-id',
      'ib-rao-both-parts',
      'inst-maybe-ib',
      'inst-maybe-ob',
      'ob-add-issr',
      'ob-add-nfo',
      'pf-later',
      'pf-older',
      'pf-older-gets',
    ]);
  });
});
