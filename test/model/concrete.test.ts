import { join } from 'node:path';
import fc from 'fast-check';
import { describe, expect, test } from 'vitest';
import { ok } from '../../src/parse/diagnostics/index.js';
import { BASE_RELATIONS, BASE_SETS } from '../../src/model/bases.js';
import { MODELS_FOLDER, defaultInstructions, loadModel } from '../../src/node/models.js';
import type { Model } from '../../src/model/term.js';
import { evaluate } from '../../src/model/relation/concrete.js';
import type { Execution } from '../../src/model/relation/concrete.js';
import {
  elements,
  emptyRel,
  emptySet,
  pairs,
  relOf,
  setOf,
} from '../../src/model/relation/matrix.js';
import { ownDefinitions, withInstructions } from '../support/model-files.js';

type Pairs = readonly (readonly [number, number])[];

const { labels: LABELS, guesses } = defaultInstructions();
const READS = ['lR', 'CAS', 'nlR', 'nrR'];
const WRITES = ['lW', 'CAS', 'nlW', 'nrW'];

/** The labels of which the base sets are made that an execution has for each model. */
const BY_LABELS: Readonly<Record<string, readonly string[]>> = {
  R: READS,
  W: WRITES,
  CPU: LABELS.flatMap(({ name, by }) => (by === 'cpu' ? [name] : [])),
  NIC: LABELS.flatMap(({ name, by }) => (by === 'nic' ? [name] : [])),
};
const SETS = [
  ...BASE_SETS,
  ...LABELS.map(({ name }) => name),
  'unsignalled',
  'fallible',
  'atomicwrite',
];
const RELATIONS = [...BASE_RELATIONS, ...guesses.map(({ name }) => name)];
/** What only messages and shared queues have. */
const RARE = ['post', 'cqo', 'take', 'pfs', 'rpost', 'rtake', 'msg', 'pfr', 'told', 'scq', 'ends'];

/** An execution from what is not empty in it: `IW`, events by their labels, relations. */
function execution(
  size: number,
  sets: Readonly<Record<string, readonly number[]>>,
  relations: Readonly<Record<string, Pairs>>,
): Execution {
  return {
    size,
    sets: new Map(
      SETS.map((name) => {
        const labels = BY_LABELS[name] ?? [name];
        const all = labels.flatMap((label) => sets[label] ?? []);
        return [name, all.length === 0 ? emptySet(size) : setOf(size, all)];
      }),
    ),
    relations: new Map(
      RELATIONS.filter((name) => name !== 'id').map((name) => [
        name,
        name in relations ? relOf(size, relations[name]) : emptyRel(size),
      ]),
    ),
  };
}

function parsed(text: string): Model {
  const files = { exists: () => false, read: (path: string) => ok({ path, text }) };
  const { model } = loadModel('test.cat', withInstructions(files));
  if (!model.ok) throw new Error(model.errors.map(({ message }) => message).join('\n'));
  return model.value;
}

function shipped(name: string): Model {
  const { model } = loadModel(join(MODELS_FOLDER, `${name}.cat`));
  if (!model.ok) throw new Error(`${name} does not load`);
  return model.value;
}

describe('constructs', () => {
  // 0 and 1 are reads, 2 and 3 writes, 3 an initial one.
  const four = execution(
    4,
    { lR: [0, 1], lW: [2, 3], IW: [3] },
    {
      po: [
        [0, 1],
        [1, 2],
      ],
      rf: [
        [3, 0],
        [2, 1],
      ],
      mo: [[3, 2]],
    },
  );
  const value = (text: string): string => {
    const model = parsed(`let x = ${text}`);
    const [{ term }] = ownDefinitions(model);
    const judged = evaluate(model, four);
    return model.terms[term].kind === 'set'
      ? [...elements(judged.set(term))].join(' ')
      : [...pairs(judged.rel(term))].map((pair) => pair.join('')).join(' ');
  };

  test.each([
    ['lR', '0 1'],
    ['lR | IW', '0 1 3'],
    ['lW & IW', '3'],
    ['lW \\ IW', '2'],
    ['~lR', '2 3'],
    ['_', '0 1 2 3'],
    ['0 | lR', '0 1'],
    ['domain(rf)', '2 3'],
    ['range(rf)', '0 1'],
    ['po', '01 12'],
    ['id', '00 11 22 33'],
    ['0', ''],
    ['po | mo', '01 12 32'],
    ['po & (lR * lW)', '12'],
    ['po \\ (lR * lR)', '12'],
    ['~(_ * lW)', '00 01 10 11 20 21 30 31'],
    ['po ; rf', '11'],
    ['rf^-1 ; mo', '02'],
    ['(rf^-1 ; mo) \\ id', '02'],
    ['lR * IW', '03 13'],
    ['[IW]', '33'],
    ['[lR] ; po ; [lR]', '01'],
    ['po+', '01 02 12'],
    ['po?', '00 01 11 12 22 33'],
    ['po*', '00 01 02 11 12 22 33'],
    ['co', '32'],
  ])('%s', (text, expected) => {
    expect(value(text)).toBe(expected);
  });

  test.each([
    ['let rec x = po | x ; x', 'po+'],
    ['let rec x = po | mo | x ; (po | mo)', '(po | mo)+'],
    ['let rec x = po ; y and y = id | rf | x', 'po+ ; (id | rf)'],
    ['let rec x = x', '0'],
    ['let rec x = x | x ; x', '0'],
  ])('%s is %s', (recursive, plain) => {
    const model = parsed(`${recursive} let p = ${plain} empty (x \\ p) | (p \\ x)`);
    expect(evaluate(model, four).consistent).toBe(true);
  });

  test('a recursive set: what a read reaches in program order', () => {
    const model = parsed('let rec s = lR | range([s] ; po) let t = s');
    expect([...elements(evaluate(model, four).set(ownDefinitions(model)[1].term))]).toEqual([
      0, 1, 2,
    ]);
  });

  test('axioms, negations and flags', () => {
    const model = parsed(
      `acyclic po as holds
       acyclic po | rf as fails
       ~acyclic po | rf as negated
       irreflexive rf ; po as loop
       empty IW as set
       ~empty rf as some
       flag ~empty IW as raised
       flag empty IW as lowered`,
    );
    const judged = evaluate(model, four);
    expect(judged.axioms.map(({ axiom, holds }) => `${axiom.name} ${holds}`)).toEqual([
      'holds true',
      'fails false',
      'negated true',
      'loop false',
      'set false',
      'some true',
    ]);
    expect(judged.flags.map(({ name }) => name)).toEqual(['raised']);
    expect(judged.consistent).toBe(false);
  });

  test('a base that the execution lacks is a bug', () => {
    const bare = { size: 1, sets: new Map(), relations: new Map() };
    expect(() => evaluate(parsed('acyclic po'), bare)).toThrow("the execution has no 'po'");
    expect(evaluate(parsed('empty id'), bare).consistent).toBe(false);
  });
});

/** The names of the axioms that fail. */
const broken = (model: string, judged: Execution): readonly string[] =>
  evaluate(shipped(model), judged)
    .axioms.filter(({ holds }) => !holds)
    .map(({ axiom }) => axiom.name);

describe('models', () => {
  test('store buffering is weak under TSO only', () => {
    // 0 and 1 are the initial writes of x and y; x := 1 (2); a := y (3); y := 1 (4); b := x (5)
    const sb = execution(
      6,
      { IW: [0, 1], lW: [0, 1, 2, 4], lR: [3, 5] },
      {
        po: [
          ...[2, 3, 4, 5].flatMap(
            (e) =>
              [
                [0, e],
                [1, e],
              ] as const,
          ),
          [2, 3],
          [4, 5],
        ],
        sthd: [
          [2, 3],
          [3, 2],
          [4, 5],
          [5, 4],
        ],
        loc: [
          [0, 2],
          [2, 0],
          [0, 5],
          [5, 0],
          [2, 5],
          [5, 2],
          [1, 3],
          [3, 1],
          [1, 4],
          [4, 1],
        ],
        rf: [
          [1, 3],
          [0, 5],
        ],
        mo: [
          [0, 2],
          [1, 4],
        ],
      },
    );
    expect(broken('sc', sb)).toEqual(['sc']);
    expect(broken('rdma-sc', sb)).toEqual(['ob']);
    expect(broken('rdma-sc-no-ib', sb)).toEqual(['ob']);
    expect(broken('x86-tso', sb)).toEqual([]);
    for (const model of ['rdma-tso', 'rdma-tso-4.4', 'rdma-tso-rec', 'rdma-wait']) {
      expect(broken(model, sb)).toEqual([]);
    }
  });

  /** `y^2 := x; poll(2)?; x := 1`, where the put sends 1. */
  const lateput = (polled: boolean): Execution => {
    // 0 and 1 are the initial writes of x and y, 2 and 3 the put, 4 the poll, 5 the write
    const events = polled ? [2, 3, 4, 5] : [2, 3, 5];
    const po = events.flatMap((e, i) => [0, 1, ...events.slice(0, i)].map((d) => [d, e] as const));
    const other = events.flatMap((d) => events.map((e) => [d, e] as const));
    const pair: Pairs = [2, 3, 4].flatMap((d) => [2, 3, 4].map((e) => [d, e] as const));
    return execution(
      6,
      { IW: [0, 1], lW: [0, 1, 5], nlR: [2], nrW: [3], P: polled ? [4] : [] },
      {
        po,
        sthd: other,
        sqp: pair,
        loc: [
          [0, 2],
          [2, 0],
          [0, 5],
          [5, 0],
          [2, 5],
          [5, 2],
          [1, 3],
          [3, 1],
        ],
        rf: [[5, 2]],
        mo: [
          [0, 5],
          [1, 3],
        ],
        pf: polled ? [[3, 4]] : [],
      },
    );
  };

  test('a put may read what is written after it, unless it was polled', () => {
    expect(broken('sc', lateput(false))).toEqual(['sc']);
    for (const model of ['rdma-sc', 'rdma-tso', 'rdma-tso-nopcie']) {
      expect(broken(model, lateput(false))).toEqual([]);
      expect(broken(model, lateput(true))).toContain('ib');
    }
  });

  test('remote operations are outside of x86-TSO', () => {
    expect(broken('x86-tso', lateput(false))).toContain('cpu-only');
  });

  test('polls under RDMA^WAIT raise a flag', () => {
    const { flags } = evaluate(shipped('rdma-wait'), lateput(true));
    expect(flags.map(({ name }) => name)).toEqual(['polls-ignored']);
  });

  // Theorems C.5 and C.6 of the TSO paper use nothing of the relations that ib and ob are made of,
  // so that they hold of any; only the axioms that fail may differ.
  test('the three definitions of RDMA^TSO agree', () => {
    const [plain, third, recursive] = ['rdma-tso', 'rdma-tso-4.4', 'rdma-tso-rec'].map(shipped);
    const size = 6;
    const event = fc.nat({ max: size - 1 });
    // Polls of failures are only on queue pairs that may break, and the others know no power cuts.
    const common = LABELS.filter(
      ({ name, occasions = [] }) => occasions.join() !== 'fallible' && name !== 'PX',
    );
    const labels = fc.tuple(
      ...Array.from({ length: size }, () => fc.constantFrom(...common.map(({ name }) => name))),
    );
    const few = fc.array(fc.tuple(event, event), { maxLength: 5 });
    const relations = fc.record(
      Object.fromEntries(
        RELATIONS.flatMap((name) => (RARE.includes(name) ? [] : [[name, few] as const])),
      ),
    );
    let consistent = 0;
    fc.assert(
      fc.property(labels, relations, (named, drawn) => {
        const sets = Object.fromEntries(
          SETS.map((set) => [set, named.flatMap((label, e) => (label === set ? [e] : []))]),
        );
        const random = execution(size, sets, drawn);
        const verdicts = [plain, third, recursive].map((m) => evaluate(m, random).consistent);
        if (verdicts[0]) consistent++;
        expect(new Set(verdicts).size).toBe(1);
      }),
      { numRuns: 1500 },
    );
    expect(consistent).toBeGreaterThan(20);
  });
});
