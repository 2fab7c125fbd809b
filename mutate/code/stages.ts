import { existsSync, readdirSync } from 'node:fs';
import { join } from 'node:path';
import type { Programs } from './programs.js';

/**
 * One run, and its arguments: of `remora test`, where a verdict must not depart; of `remora agree`, where engines
 * must have the same final states; or of test files.
 */
export interface Stage {
  readonly command: 'test' | 'agree' | 'vitest';
  readonly args: readonly string[];
  /** Seconds after which it is ended: what was said until then counts. */
  readonly limit: number;
}

/** Seconds for what takes some seconds, and for what takes a minute: much more, as a machine may be busy. */
const QUICK = 120;
const SLOW = 300;

/** Shipped models that `remora test` leaves out by default: other forms of the main ones. */
const OTHER_FORMS = 'rdma-sc-no-ib,rdma-tso-4.4,rdma-tso-rec';

/** Models of what fabrics do differently, which it leaves out as well. */
const FABRICS = 'rdma-manpage,rdma-ro,rdma-ro-tagged';

/** Models of what cards may do differently with remote atomics, which it leaves out, too. */
const ATOMICS =
  'rdma-tso-failwrite,rdma-tso-getfirst,rdma-tso-glob,rdma-tso-late,rdma-tso-loclock,rdma-tso-out';

/** Folders of which each is about a part of the sources, with the stages that its mutants have to pass; others pass `rest`. */
export interface Stages {
  readonly of: readonly (readonly [folder: string, stages: readonly Stage[]])[];
  readonly rest: readonly Stage[];
}

export function allStages(corpus: string, programs: Programs): Stages {
  const [searched, solved] = [corpusStages(corpus, 'search'), corpusStages(corpus, 'smt')];
  return {
    of: [
      ['src/rdma/machines/', machineStages(corpus)],
      ['src/rdma/explore/', exploreStages(corpus)],
      ['src/solve/search/', searchStages(corpus, programs)],
      // The encodings of acyclicity that the search has no need of.
      ['src/encode/acyclicity/', [...solved, testsIn('test/encode')]],
      ['src/encode/', [...searched, ...generatedStages(programs), testsIn('test/encode')]],
    ],
    rest: searched,
  };
}

/**
 * The corpus, in the order in which a mutant is most quickly caught: the small tests that are
 * there to guard the construction of events, the rest of the corpus, and small tests again
 * under models in other forms, which need what the main models do not, such as `let rec`, those of fabrics,
 * some of which look at tags, and those of remote atomics.
 *
 * @param engine not the default, which decides tiny tests without the code that these mutants are of
 */
function corpusStages(corpus: string, engine: string): readonly Stage[] {
  const events = join(corpus, 'events');
  const forms = join(events, 'forms');
  const fabrics = join(corpus, 'fabrics');
  const atomics = join(corpus, 'rmw');
  const others = readdirSync(corpus, { withFileTypes: true })
    .filter((entry) => entry.isDirectory() || entry.name.endsWith('.litmus'))
    .map((entry) => join(corpus, entry.name))
    .filter((path) => path !== events);
  const stages = [
    ...(existsSync(events) ? [[events]] : []),
    ...(others.length > 0 ? [others] : []),
    ...(existsSync(forms) ? [[forms, '--model', OTHER_FORMS]] : []),
    ...(existsSync(fabrics) ? [[fabrics, '--model', FABRICS]] : []),
    ...(existsSync(atomics) ? [[atomics, '--model', ATOMICS]] : []),
  ];
  const limit = engine === 'search' ? QUICK : SLOW;
  return stages.map((args) => ({ command: 'test', args: [...args, '--engine', engine], limit }));
}

/** Of the machines: remote atomics, on both kinds of queue pairs. */
function machineStages(corpus: string): readonly Stage[] {
  const atomics = join(corpus, 'rmw');
  const models = `rdma-sc,rdma-tso,rdma-tso-nopcie,${ATOMICS}`;
  return ['operational', 'six-buffers'].map((engine) => ({
    command: 'test',
    args: [atomics, '--model', models, '--engine', engine],
    limit: SLOW,
  }));
}

/** Of explorations: locks, and what no lock shows. */
const exploreStages = (corpus: string): readonly Stage[] => [
  { command: 'test', args: [join(corpus, 'locks')], limit: SLOW },
  ...['explore', 'runs', 'symmetry'].map((name) => testsIn(`test/rdma/${name}.test.ts`)),
];

/**
 * Of the search: what the corpus asks is decided with few conflicts, so that it sees little of what is learnt. Programs
 * that are generated take hundreds. What no program needs, such as that clauses are forgotten, tests show.
 */
const searchStages = (corpus: string, programs: Programs): readonly Stage[] => [
  ...corpusStages(corpus, 'search').slice(0, 2),
  ...generatedStages(programs),
  testsIn('test/solve'),
];

/**
 * Programs that grow, with verdicts that are argued for (bench/verdicts.ts), and the final states of small ones and of random ones,
 * against the machine and the enumeration of executions, which share no code with the search.
 */
const generatedStages = ({ large, small }: Programs): readonly Stage[] => [
  { command: 'test', args: [large, '--model', 'rdma-tso', '--engine', 'search'], limit: QUICK },
  { command: 'agree', args: [small, '--engine', 'search,operational'], limit: QUICK },
  { command: 'agree', args: ['--random', '40', '--engine', 'search,enumerate'], limit: QUICK },
];

const testsIn = (path: string): Stage => ({ command: 'vitest', args: [path], limit: SLOW });
