import fc from 'fast-check';
import type { Test } from '../../src/program/program.js';
import { UNORDERED, models } from '../support/cats.js';
import { cat } from '../support/checker.js';
import { litmus } from '../support/litmus.js';
import type { Drawn } from './harness.js';
import { compareOn } from './harness.js';
import {
  ADDING,
  MAXIMUM,
  PLAIN,
  adding,
  inInstructionsOf,
  random,
  withModels,
} from './programs.js';
import { candidatesOf } from './ways.js';

/** Random models, models as a user may write them, and models that are read as machines. */

/** The final states of all executions, whatever a model forbids. */
const statesWithoutModel = ({ program }: Test): number => {
  const found = candidatesOf(program);
  return found === 'too many' ? 0 : new Set(found.map(({ state }) => state)).size;
};

const SIX = fc.array(models, { minLength: 6, maxLength: 6 });

/** Models of relations that are made of two, of which an encoding leaves out what axioms make up for. */
const made: fc.Arbitrary<string> = (() => {
  const pair = fc.constantFrom(
    '((rf^-1 ; mo) \\ id)',
    '((mo ; rf) \\ id)',
    '((mo ; rf) \\ [lR])',
    '((rf^-1 ; mo) \\ po)',
    '((po ; rf) \\ id)',
    '((rf^-1 ; (mo | po)) \\ id)',
  );
  const beside = fc.constantFrom('po', '(po \\ (W * R))', 'rf', '(rf \\ sthd)', 'mo', 'po | rf');
  const set = fc.constantFrom('R', 'W', 'lR', 'CAS');
  const step = fc.oneof(
    pair,
    fc.tuple(set, pair).map(([s, r]) => `[${s}] ; ${r}`),
    fc.tuple(pair, set).map(([r, s]) => `${r} ; [${s}]`),
    fc.tuple(set, pair, set).map(([s, r, t]) => `[${s}] ; ${r} ; [${t}]`),
  );
  return fc.tuple(step, step, beside).map(
    ([one, two, rest]) => `let R = lR | nlR | nrR | CAS
let W = lW | nlW | nrW | CAS
acyclic (${one}) | (${rest})
acyclic (${two}) | po`,
  );
})();

/** A variation of RDMA^TSO. */
const own = (change: string): string =>
  `"own"\ninclude "rdma-tso-base.cat"\n${change}\ninclude "rdma-tso-orders.cat"\ninclude "rdma-axioms.cat"`;

/** Enumerating executions of a model that is defined by itself takes too long for more than some of the corpus. */
const RECURSIVE = 'rdma-tso-rec';

/** All shipped models that are machines, and models of a user's kind. */
const READ = [
  ...['sc', 'rdma-sc', 'rdma-sc-no-ib', 'rdma-tso', 'rdma-tso-4.4', RECURSIVE, 'rdma-wait'],
  ...['rdma-tso-nopcie', 'rdma-tso-late', 'rdma-tso-loclock', 'rdma-tso-getfirst'],
  ...['rdma-tso-failwrite', 'rdma-ro', 'rdma-ro-tagged', 'rdma-manpage', 'rdma-inline'],
  ...['rdma-ro-either', 'rdma-ro-atomic', 'rdma-ro-manpage', 'rdma-unordered'],
  'corerma',
  ...['rdma-tso-glob', 'rdma-tso-out', 'rdma-inline', 'corerma'],
  // PSO, and a strong remote fence.
  own('let oppo = oppo \\ po & (lW * lW) & ~loc'),
  own('let oppo = oppo | qpo & ((nrW | nlW) * nF)'),
];

/** Programs in which several answers are for one place, which is read meanwhile. */
const answersToOnePlace: fc.Arbitrary<Drawn> = fc
  .tuple(
    fc.array(
      fc.constantFrom(
        ...['x := z^2', 'x := w^2', 'x := p^2', 'u^2 := x', 'v^2 := x', 'poll(2)', 'x := 3'],
        ...['r := x', 'x^1 := 5', 'y := x^1', 'x^1.a := 6', 'x := rfaa(z^2, 1)', 'x^1 := y'],
      ),
      { minLength: 3, maxLength: 5 },
    ),
    fc.constantFrom('', 'thread V on 1 { q := x; x := 9 }', 'thread V on 2 { u := z; z := 7 }'),
  )
  .map(([body, other]) => ({
    text: `RDMA answers
node 1 { x = 0; y = 0 }
node 2 { z = 1; w = 2; p = 4; u = 0; v = 0 }
thread T on 1 { ${body.join('; ')} }
${other}`,
    models: [UNORDERED],
  }));

const oneOfThem = fc
  .constantFrom(...READ.filter((name) => name !== RECURSIVE))
  .map((model) => [model]);

const ATOMIC = { instructions: 4, threads: 2, atomics: true };
const FAR = { ...ATOMIC, queuePairs: true, loopBack: true };

compareOn([
  {
    name: 'a remote maximum, which writes or not, and an order of its own',
    programs: adding.map(({ text }) => ({ text: text.replaceAll('radd', 'rmax') })),
    read: inInstructionsOf(cat(MAXIMUM)),
    under: [MAXIMUM],
    ways: { enumerate: 200, search: 200, 'read machine': 200 },
    decided: { 'read machine': 150 },
    telling: 20,
  },
  ...[false, true].map((branches) => ({
    name: `random models on programs ${branches ? 'with' : 'without'} branches`,
    programs: withModels({ branches, instructions: 3 }, SIX).filter(
      ({ text }) => statesWithoutModel(litmus(text)) > 2,
    ),
    ways: { smt: 40, naive: 40 },
    telling: 10,
    tells: (states: readonly unknown[], test: Test) =>
      states.length > 0 && states.length < statesWithoutModel(test),
  })),
  {
    name: 'random models, by all encodings',
    programs: withModels(
      { instructions: 2 },
      models.map((text) => [text]),
    ),
    ways: { smt: 60, 'smt-ranks': 60, 'smt-closure': 60, 'smt-difference': 60, search: 60 },
    telling: 15,
    tells: (states: readonly unknown[]) => states.length > 0,
  },
  {
    name: 'relations that are made of two lead where they lead, by whatever is in the middle',
    programs: withModels(
      { instructions: 3 },
      made.map((text) => [text]),
    ),
    ways: { smt: 120, 'hard search': 120, enumerate: 120 },
    limit: 20_000,
    decided: { enumerate: 100 },
    telling: 20,
  },
  {
    name: 'operations that a model declares',
    programs: adding,
    read: inInstructionsOf(cat(ADDING)),
    under: [ADDING],
    ways: { smt: 200, search: 200, enumerate: 200, auto: 200, 'read machine': 200, naive: 100 },
    limit: 600,
    decided: { naive: 50, 'read machine': 150 },
    telling: 20,
    isGrounded: true,
  },
  ...[{ instructions: 3 }, ATOMIC, FAR].map((shape, i) => ({
    name: `models as machines: ${['small programs', 'atomics', 'queue pairs with names'][i]}`,
    programs: withModels(shape, oneOfThem),
    ways: { enumerate: 270, 'read machine': 270 },
    limit: 2000,
    decided: { enumerate: 135, 'read machine': 135 },
    telling: 50,
  })),
  {
    name: 'models as machines: reads of several writes that nothing orders',
    programs: answersToOnePlace,
    ways: { enumerate: 300, search: 300, 'read machine': 300 },
    limit: 20_000,
    decided: { enumerate: 300, 'read machine': 300 },
    telling: 150,
  },
  {
    name: 'models as machines: corpus',
    programs: PLAIN.map(({ text }, i) => ({
      text,
      models: READ.filter((_, m) => i % 8 === m % 8),
    })),
    ways: { enumerate: Infinity, 'read machine': Infinity },
    limit: 2000,
    decided: { enumerate: 200, 'read machine': 200 },
    telling: 100,
  },
  {
    name: 'models as machines: steps that come first lose no final state',
    programs: random(FAR),
    under: ['rdma-tso', 'rdma-tso-nopcie'],
    ways: { 'read machine, every order': 30, 'read machine, some': 30 },
    decided: { 'read machine, every order': 30, 'read machine, some': 30 },
    telling: 10,
    seed: 5,
  },
]);
