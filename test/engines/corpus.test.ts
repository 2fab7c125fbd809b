import { compareOn } from './harness.js';
import { CELLS, PLAIN, PROTOCOLS } from './programs.js';
import { MACHINES, SC, SC_WITHOUT_PCIE, TSO, all } from './settings.js';

/** The corpus, by models that are equivalent, machines, and the naive enumeration. */

const MODELS = [TSO, SC, 'rdma-tso-nopcie'];
const isRing = ({ file }: { readonly file: string }): boolean => file.includes('ring-buffer');

/** Every other file, and then those between. */
const HALF_FIRST = [0, 1].flatMap((half) => PLAIN.filter((_, i) => i % 2 === half));

compareOn([
  {
    name: 'corpus: models, machines and the naive enumeration',
    programs: HALF_FIRST,
    under: [...MODELS, SC_WITHOUT_PCIE, 'sc', 'x86-tso', 'rdma-wait'],
    ways: { ...all('smt', 'operational'), naive: PLAIN.length / 2, ...MACHINES(Infinity) },
    decided: {
      smt: 2200,
      naive: 900,
      'simplified, every order': 700,
      'six buffers, every order': 600,
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
]);
