import { MAIN_MODELS } from '../../src/model/shipped.js';
import type { ProgramShape } from '../../src/rdma/random/programs.js';
import { compareOn } from './harness.js';
import { random } from './programs.js';
import {
  EXPLORED,
  GLOBAL_WITHOUT_PCIE,
  LATE_WITHOUT_PCIE,
  MACHINES,
  OF_MACHINES,
  SC,
  SC_WITHOUT_PCIE,
  TSO,
  VARIANTS,
  WITHOUT_VARIANT,
} from './settings.js';

/** Random programs of many shapes, under models that come with Remora. */

const ATOMIC: ProgramShape = { threads: 2, instructions: 3, branches: false, atomics: true };
const LARGER: ProgramShape = { threads: 2, instructions: 4, atomics: true };
const FAR: ProgramShape = { queuePairs: true, loopBack: true };

/** The seed is the number of the day, so that other programs are tried tomorrow. `REMORA_SEED` repeats a day. */
const today = Number(new Date().toISOString().slice(0, 10).replaceAll('-', ''));
const ENGINES = { smt: 300, search: 300, enumerate: 300, operational: 300, 'six-buffers': 300 };
const EVERYTHING = {
  programs: random({ everything: true, instructions: 3 }),
  limit: 1000,
};

compareOn([
  {
    // TSO paper, Thms C.5 and C.6; decidability paper, Thm 4.1.
    dear: true,
    name: 'small programs: definitions that are equivalent, and weaker models',
    programs: random({ instructions: 3 }),
    under: [TSO, SC, 'rdma-tso-nopcie', 'sc', 'x86-tso'],
    ways: { smt: 120, naive: 30, ...EXPLORED(8), operational: 50 },
    decided: { naive: 100 },
    telling: 100,
    weaker: { models: ['sc', 'rdma-sc', 'rdma-tso', 'rdma-tso-nopcie'], apart: 15 },
  },
  {
    dear: true,
    name: 'small programs: machines with variants of atomics',
    programs: random({ instructions: 3 }),
    under: VARIANTS,
    ways: EXPLORED(8),
    telling: 15,
  },
  {
    dear: true,
    name: 'small programs without branches',
    programs: random({ instructions: 3, branches: false }),
    under: [TSO, SC, 'rdma-tso-nopcie', 'sc', 'x86-tso'],
    ways: { smt: 30, naive: 30 },
    decided: { naive: 100 },
    telling: 50,
  },
  {
    // TSO paper, Thms 4.6, C.2 and C.3.
    name: 'without remote operations RDMA^TSO is x86-TSO, and RDMA^SC is SC',
    programs: random({ instructions: 3, remote: false }),
    under: [
      ['rdma-tso', 'x86-tso', 'rdma-wait', 'rdma-tso-nopcie'],
      ['rdma-sc', 'sc'],
    ],
    ways: { smt: 120 },
    telling: 100,
    weaker: { models: ['sc', 'rdma-tso'], apart: 2 },
  },
  {
    name: 'programs with polls, and their translation to waits',
    programs: random({ instructions: 4, branches: false }),
    under: [['rdma-tso', 'rdma-wait']],
    ways: { smt: 120 },
    telling: 20,
  },
  {
    name: 'programs with waits, and their translation to polls',
    programs: random({ instructions: 4, branches: false, waits: true }),
    under: [['rdma-tso', 'rdma-wait']],
    ways: { smt: 120 },
    telling: 20,
  },
  ...(
    [
      ['waits', { waits: true, instructions: 4 }],
      ['all of the language', { everything: true, loopBack: true, instructions: 4 }],
      ['atomics and waits', { atomics: true, waits: true, instructions: 3 }],
    ] as const
  ).map(([name, shape]) => ({
    // The library beside it fences nothing, and what it guesses is about nothing.
    name: `${name}: RDMA^WAIT as a library is RDMA^WAIT, also beside a library that nothing calls`,
    programs: random(shape),
    under: [['rdma-wait', 'lib/rl', 'lib/sv']],
    ways: { smt: 120 },
    telling: 50,
  })),
  {
    name: 'waits',
    programs: random({ instructions: 3, waits: true }),
    under: ['rdma-wait'],
    ways: { smt: 40, naive: 40 },
    decided: { naive: 20 },
    telling: 20,
  },
  {
    name: 'more instructions',
    programs: random({ instructions: 4 }),
    under: ['rdma-sc', 'rdma-tso', 'rdma-tso-nopcie', 'sc'],
    ways: { smt: 20, enumerate: 20 },
    telling: 20,
  },
  {
    name: 'more instructions and waits',
    programs: random({ instructions: 4, waits: true }),
    under: ['rdma-wait'],
    ways: { smt: 20, enumerate: 20 },
    telling: 10,
  },
  {
    // TSO paper, Thms 3.1 and 4.5, App. B.
    name: 'two threads on machines',
    programs: random({ instructions: 3, threads: 2 }),
    under: [...WITHOUT_VARIANT, SC_WITHOUT_PCIE],
    ways: MACHINES(30),
    decided: { 'simplified, every order': 50, 'six buffers, every order': 50 },
    telling: 50,
  },
  {
    dear: true,
    name: 'queue pairs with names, and the own node',
    programs: random({ instructions: 3, threads: 2, ...FAR }),
    under: WITHOUT_VARIANT,
    ways: { smt: 30, operational: 30 },
    telling: 30,
  },
  ...[ATOMIC, { ...ATOMIC, ...FAR }].map((shape, i) => ({
    dear: true,
    name: `atomics on machines${i === 0 ? '' : ', and queue pairs with names'}`,
    programs: random(shape),
    under: [...OF_MACHINES, GLOBAL_WITHOUT_PCIE, LATE_WITHOUT_PCIE],
    ways: { smt: [20, 10][i], ...MACHINES([40, 20][i]) },
    decided: { 'simplified, every order': 50, 'six buffers, every order': 50 },
    telling: 50,
    seed: 23,
  })),
  ...[LARGER, { ...LARGER, ...FAR }].map((shape, i) => ({
    dear: true,
    name: `atomics, explored${i === 0 ? '' : ', and queue pairs with names'}`,
    programs: random(shape),
    under: OF_MACHINES,
    ways: EXPLORED(8),
    limit: 20_000,
    decided: { operational: 60 },
    telling: 20,
    seed: 23,
  })),
  {
    name: 'atomics, explored under SC',
    programs: random({ ...LARGER, instructions: 3 }),
    under: ['sc'],
    ways: { smt: 15, explored: 15 },
    telling: 4,
  },
  {
    ...EVERYTHING,
    name: 'all of the language, by all engines',
    under: WITHOUT_VARIANT,
    ways: { ...ENGINES, tiny: 80 },
    decided: { enumerate: 600, operational: 600, 'six-buffers': 600, tiny: 50 },
    telling: 300,
  },
  {
    ...EVERYTHING,
    dear: true,
    name: `all of the language, by all engines, with the seed of the day (REMORA_SEED=${today})`,
    seed: today,
    under: WITHOUT_VARIANT,
    ways: { smt: 200, search: 200, enumerate: 200, operational: 200, 'six-buffers': 200 },
    decided: { smt: 450, search: 450, enumerate: 450, operational: 450, 'six-buffers': 450 },
    telling: 150,
  },
  {
    ...EVERYTHING,
    name: 'all of the language, tiny, under the other main models',
    under: MAIN_MODELS.filter((name) => !WITHOUT_VARIANT.includes(name)),
    ways: { smt: 80, tiny: 80 },
    decided: { tiny: 50 },
    telling: 50,
  },
  {
    name: 'all of the language, by all encodings',
    programs: random({ everything: true, instructions: 4 }),
    under: ['rdma-tso'],
    ways: { smt: 25, 'smt-ranks': 25, 'smt-closure': 25, 'smt-difference': 25, search: 25 },
    telling: 10,
  },
]);
