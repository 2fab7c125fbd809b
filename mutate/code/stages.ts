import { existsSync, readdirSync, statSync } from 'node:fs';
import { join } from 'node:path';
import type { Programs } from './programs.js';

/**
 * One run, and its arguments: of `remora test`, where a verdict must not depart; of `remora agree`, where engines
 * must have the same final states; or of test files.
 */
export interface Stage {
  readonly command: 'test' | 'agree' | 'vitest';
  readonly args: readonly string[];
}

/** Shipped models that `remora test` leaves out by default: other forms of the main ones. */
const OTHER_FORMS = 'rdma-sc-no-ib,rdma-tso-4.4,rdma-tso-rec';

/** Models of what fabrics do differently, which it leaves out as well. */
const FABRICS =
  'rdma-inline,rdma-manpage,rdma-ro,rdma-ro-atomic,rdma-ro-either,rdma-ro-manpage,rdma-ro-tagged,rdma-unordered';

/** Models of what cards may do differently with remote atomics, which it leaves out, too. */
const ATOMICS =
  'rdma-tso-failwrite,rdma-tso-getfirst,rdma-tso-glob,rdma-tso-late,rdma-tso-loclock,rdma-tso-out';

/**
 * Queries about runs are no part of the corpus but for locks, which take long; what is no program, and what only models of one's own
 * ask about, are in no corpus.
 */
const PROGRAM_TESTS = [
  'test/parse/litmus.test.ts',
  'test/check/own-instructions.test.ts',
  'test/program',
  'test/rdma/runs.test.ts',
].map(testsIn);

/** What may be left out of a program. */
const LEAVING_OUT = testsIn('test/check/last-iteration.test.ts');

/** What is printed for SPIN. */
const PROMELA = testsIn('test/explore/promela.test.ts');

const EXPLANATIONS = testsIn('test/analyses/explain.test.ts');

/** Instructions of models of one's own, which have guesses of all kinds. */
const OWN_INSTRUCTIONS = testsIn('test/check/own-instructions.test.ts');

/** Ways to final states, compared with each other. */
const ENGINES = ['random', 'models', 'programs'].map((name) =>
  testsIn(`test/engines/${name}.test.ts`),
);

/** The machines of the TSO paper, and the one that is read from a model file. */
const [PAPERS, READ] = [['simplified', 'six-buffers'], ['operational']];

/** Folders that take longer than all others together. */
const SLOW = ['libraries', 'locks'];

/** What a mutant has to pass, by where it is; the first entry that fits. */
export type Stages = readonly (readonly [where: string, stages: readonly Stage[]])[];

export function allStages(corpus: string, programs: Programs): Stages {
  const searched = corpusStages(corpus, 'search');
  const generated = generatedStages(programs);
  const engines = [agree('search', 'operational'), agree('search', 'enumerate')];
  return [
    ['src/rdma/translate.ts', [...machineStages(corpus, programs, PAPERS), test(corpus, 'rmw')]],
    ['src/rdma/machines/', machineStages(corpus, programs, PAPERS)],
    ['src/machine/', [...machineStages(corpus, programs, READ), ...exploreStages(corpus), PROMELA]],
    ['src/explore/promela/', [PROMELA]],
    // Runs to final states, which are part of explanations.
    ['src/explore/final-run.ts', [EXPLANATIONS]],
    ['src/explore/', exploreStages(corpus)],
    ['src/solve/search/', [...searched.slice(0, 2), ...generated, testsIn('test/solve')]],
    // The encodings of acyclicity that the search has no need of.
    [
      'src/encode/acyclicity/',
      [...corpusStages(corpus, 'smt'), testsIn('test/encode'), ...ENGINES],
    ],
    [
      'src/encode/',
      [...searched, ...generated, testsIn('test/encode'), ...ENGINES, OWN_INSTRUCTIONS],
    ],
    ['src/parse/', [...searched, testsIn('test/parse/integers.test.ts')]],
    [
      'src/program/',
      [...searched, ...engines, test(corpus, 'libraries'), ...PROGRAM_TESTS, LEAVING_OUT],
    ],
    [
      'src/model/',
      [
        ...[...searched, ...generated, testsIn('test/model'), testsIn('test/encode')],
        ...[...ENGINES, LEAVING_OUT, OWN_INSTRUCTIONS],
      ],
    ],
    [
      'src/check/',
      [...searched, ...generated, test(corpus, 'libraries'), testsIn('test/check'), ...ENGINES],
    ],
  ];
}

/** Those of a file. */
export const stagesFor = (stages: Stages, file: string): readonly Stage[] =>
  stages.find(([where]) => file.startsWith(where))![1];

/**
 * The corpus, in the order in which a mutant is most quickly caught: the small tests that are
 * there to guard the construction of events, the rest of the corpus, and small tests again
 * under models in other forms, which need what the main models do not, such as `let rec`, those of fabrics,
 * some of which look at tags, and those of remote atomics.
 */
function corpusStages(corpus: string, engine: string): readonly Stage[] {
  const events = join(corpus, 'events');
  const others = readdirSync(corpus)
    .filter((name) => name !== 'events' && !SLOW.includes(name))
    .map((name) => join(corpus, name))
    .filter(holdsTests);
  const under = (folder: string, models: string) =>
    existsSync(folder) ? [[folder, '--model', models]] : [];
  const stages = [
    ...(existsSync(events) ? [[events]] : []),
    ...(others.length > 0 ? [others] : []),
    ...under(join(events, 'forms'), OTHER_FORMS),
    ...under(join(corpus, 'fabrics'), FABRICS),
    ...under(join(corpus, 'rmw'), ATOMICS),
  ];
  return stages.map((args) => ({ command: 'test', args: [...args, '--engine', engine] }));
}

const holdsTests = (path: string): boolean =>
  statSync(path).isDirectory()
    ? readdirSync(path, { recursive: true, encoding: 'utf8' }).some(isTest)
    : isTest(path);

const isTest = (path: string): boolean => path.endsWith('.litmus');

/** Of the machines: remote atomics, on both kinds of queue pairs, and final states that the models give, too. */
function machineStages(
  corpus: string,
  { small }: Programs,
  engines: readonly string[],
): readonly Stage[] {
  const models = `rdma-sc,rdma-tso,rdma-tso-nopcie,${ATOMICS}`;
  const tested = engines.map((engine): Stage => ({
    command: 'test',
    args: [join(corpus, 'rmw'), '--model', models, '--engine', engine],
  }));
  const agreeing = engines.flatMap((engine): Stage[] => [
    agree('search', engine),
    { command: 'agree', args: [small, '--engine', `search,${engine}`] },
  ]);
  return [...tested, ...agreeing];
}

/** Of explorations: locks, and what no lock shows. */
const exploreStages = (corpus: string): readonly Stage[] => [
  ...['runs', 'symmetry'].map((name) => testsIn(`test/rdma/${name}.test.ts`)),
  ...ENGINES,
  test(corpus, 'locks'),
];

/**
 * Programs that grow, with verdicts that are argued for (bench/verdicts.ts), and the final states of small ones and of random ones,
 * against the machine and the enumeration of executions, which share no code with the search. What the corpus asks is decided
 * with few conflicts, so that it sees little of what a search learns: these take hundreds.
 */
const generatedStages = ({ large, small }: Programs): readonly Stage[] => [
  { command: 'test', args: [large, '--model', 'rdma-tso', '--engine', 'search'] },
  { command: 'agree', args: [small, '--engine', 'search,operational'] },
  agree('search', 'enumerate'),
];

/** Engines have the same final states of random programs. */
const agree = (...engines: readonly string[]): Stage => ({
  command: 'agree',
  args: ['--random', '40', '--engine', engines.join()],
});

const test = (corpus: string, folder: string): Stage => ({
  command: 'test',
  args: [join(corpus, folder)],
});

function testsIn(path: string): Stage {
  return { command: 'vitest', args: [path] };
}
