import { unroll } from '../../src/program/events/unroll.js';
import type { FinalState } from '../../src/program/final.js';
import { CLIENTS } from '../support/corpus.js';
import { litmus } from '../support/litmus.js';
import { clients } from '../support/random-clients.js';
import { compareOn } from './harness.js';
import {
  ATOMICS,
  HAND_WRITTEN,
  PUBLISHED,
  STRAIGHT,
  TOGETHER,
  client,
  computing,
  hasManyValues,
} from './programs.js';
import { EXPLORED, all, VARIANTS, WITHOUT_VARIANT } from './settings.js';

/** Some of the corpus, programs written by hand, random programs that compute with what they have written, and clients of libraries. */

const hasOne = (states: readonly FinalState[]): boolean => states.length > 0;

compareOn([
  {
    dear: true,
    name: 'corpus without loops, explored',
    programs: STRAIGHT.filter((_, i) => i % 3 === 0),
    under: WITHOUT_VARIANT,
    ways: EXPLORED(Infinity),
    telling: 50,
  },
  {
    dear: true,
    name: 'atomics of the corpus, explored',
    programs: ATOMICS,
    under: VARIANTS,
    ways: EXPLORED(Infinity),
    telling: 100,
  },
  {
    name: 'corpus without loops, explored under SC',
    programs: STRAIGHT.filter((_, i) => i % 5 === 0),
    under: ['sc'],
    ways: all('smt', 'explored'),
    telling: 10,
  },
  {
    name: 'published tests, by all encodings',
    // The last few take as long as all the others.
    programs: PUBLISHED.filter(({ text }) => unroll(litmus(text).program).events.length <= 16),
    under: ['rdma-tso', 'rdma-tso-nopcie'],
    ways: all('smt', 'smt-ranks', 'smt-closure', 'smt-difference', 'search'),
    telling: 50,
  },
  {
    name: 'written by hand, on machines',
    programs: HAND_WRITTEN,
    under: WITHOUT_VARIANT,
    ways: all('smt', 'operational'),
    telling: 30,
  },
  {
    name: 'threads that compute with what the other has written',
    programs: TOGETHER,
    under: WITHOUT_VARIANT,
    ways: all('smt', 'enumerate', 'operational'),
    telling: 6,
    tells: (states, test) => states.length > 3 && hasManyValues(test),
  },
  {
    dear: true,
    name: 'random threads that compute with what they have written',
    programs: computing,
    under: WITHOUT_VARIANT,
    ways: { smt: 40, enumerate: 40, operational: 40 },
    decided: { smt: 100, enumerate: 100, operational: 100 },
    telling: 60,
    tells: (_, test) => hasManyValues(test),
    seed: 12,
  },
  {
    name: 'clients of the LOCO paper',
    programs: CLIENTS.filter(({ file }) => file.startsWith('loco/')),
    read: client,
    ways: all('smt', 'search', 'enumerate', 'auto'),
    telling: 16,
    tells: hasOne,
  },
  {
    name: 'random clients',
    programs: clients(3).map((text) => ({ text })),
    read: client,
    ways: { search: 300, enumerate: 300, smt: 30, auto: 30 },
    decided: { enumerate: 270 },
    telling: 90,
  },
]);
