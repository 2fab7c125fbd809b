import fc from 'fast-check';
import { readsLeftOut } from '../../src/check/last-iteration.js';
import { unroll } from '../../src/program/events/unroll.js';
import type { Test } from '../../src/program/program.js';
import { models } from '../support/cats.js';
import { SHIPPED, cat } from '../support/checker.js';
import { compareOn } from './harness.js';
import { CELLS, PLAIN, PROTOCOLS, spinning } from './programs.js';
import { MACHINES, SC, SC_WITHOUT_PCIE, TSO, all } from './settings.js';

/** What takes long: the corpus, by models that are equivalent, machines, and the naive enumeration; and programs of loops. */

const MODELS = [TSO, SC, 'rdma-tso-nopcie'];
const isRing = ({ file }: { readonly file: string }): boolean => file.includes('ring-buffer');

/** Every other file, and then those between. */
const HALF_FIRST = [0, 1].flatMap((half) => PLAIN.filter((_, i) => i % 2 === half));

/** Does the program have loops that need no bound if they have their last iteration alone? */
const losesBound = ({ program }: Test): boolean =>
  unroll(program, 3, { leavable: ['lR'] }).cuts.length < unroll(program, 3).cuts.length;

compareOn([
  {
    name: 'corpus: models, machines and the naive enumeration',
    programs: HALF_FIRST,
    under: [...MODELS, SC_WITHOUT_PCIE, 'sc', 'x86-tso', 'rdma-wait'],
    ways: {
      ...all('smt', 'operational', 'simplified', 'six buffers'),
      naive: PLAIN.length / 6,
      'simplified, every order': PLAIN.length / 2,
      'six buffers, every order': PLAIN.length / 2,
    },
    decided: {
      smt: 2200,
      naive: 250,
      'simplified, every order': 300,
      'six buffers, every order': 250,
    },
    telling: 1000,
  },
  {
    name: 'protocols: models and machines',
    programs: PROTOCOLS.filter((f) => !isRing(f)),
    under: [...MODELS, SC_WITHOUT_PCIE],
    ways: { ...all('smt', 'operational'), ...MACHINES(Infinity) },
    decided: { 'simplified, every order': 0, 'six buffers, every order': 0 },
    telling: 5,
  },
  {
    // Under the recursive definition, these two take a third of the time of the corpus.
    name: 'ring buffers: models and machines',
    programs: PROTOCOLS.filter(isRing),
    under: ['rdma-tso', SC, 'rdma-tso-nopcie', SC_WITHOUT_PCIE],
    ways: { ...all('smt', 'operational'), ...MACHINES(Infinity) },
    decided: { 'simplified, every order': 0, 'six buffers, every order': 0 },
    telling: 2,
  },
  {
    name: 'single cells: definitions that are equivalent',
    programs: CELLS,
    under: [TSO, SC],
    ways: all('smt'),
    telling: 50,
  },
  {
    name: 'loops that only read, and their last iterations',
    programs: fc
      .tuple(
        spinning,
        fc.oneof(
          // One form of x86-TSO is enough.
          fc.constantFrom<string>(...SHIPPED.filter((name) => name !== 'x86-tso-textbook')),
          models.filter((text) => readsLeftOut(cat(text)).length > 0),
        ),
      )
      .map(([{ text }, model]) => ({ text, models: [model] })),
    ways: { 'loops as they are': 100, 'last iterations': 100 },
    decided: { 'loops as they are': 60, 'last iterations': 60 },
    telling: 30,
    tells: (states: readonly unknown[], test: Test) => states.length > 0 && losesBound(test),
  },
]);
