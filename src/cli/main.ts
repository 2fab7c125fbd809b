#!/usr/bin/env node
import { Command, CommanderError, Option } from 'commander';
import type { Engine } from '../check/engine.js';
import { ENGINES, isNative } from '../check/engine.js';
import { DEFAULT_TIME_LIMIT } from '../workers/pool.js';
import { shippedModels } from '../model/shipped.js';
import { solverProblem } from '../solve/probe.js';
import { check, compare, outcomes, test } from './commands.js';
import { AS_EXPECTED, BAD_INPUT } from './exit.js';
import { workingFolderProblem } from './folders.js';
import type { RunOptions } from './run.js';
import {
  costs,
  engineNames,
  modelNames,
  positive,
  seconds,
  seed,
  shard,
  workers,
} from './values.js';
import { VERSION } from './version.js';

const MODELS = `a model's name or .cat file; several with commas or by repeating`;
const COSTS = 'what additions cost (default: rfence=1,mfence=2,poll=5,get-and-poll=10)';
const DEFAULT_MODEL = ['rdma-tso'];

const program = new Command('remora')
  .description('Decides what RDMA programs can do under a memory model given as a cat file.')
  .version(VERSION)
  .showHelpAfterError('(see remora --help)')
  .exitOverride()
  .addHelpText('after', `\nModels: ${shippedModels().join(', ')}`);

const ONE_ENGINE = new Option('--engine <name>', 'the way to a verdict')
  .choices(ENGINES)
  .default('auto');

const solver = (): Option =>
  new Option('--solver <command>', 'an SMT-LIB 2 solver, to be run by the engine native');

const common = (command: Command, engine = ONE_ENGINE): Command =>
  command
    .option('--bound <n>', "unroll loops n times (default: the file's bound, or 3)", positive)
    .option('--time-limit <s>', 'seconds for one query (default: 60)', seconds)
    .option('--jobs <n>', 'worker threads (default: the number of cores)', workers)
    .addOption(engine)
    .option('--limit <n>', 'candidates or states that an engine without solver tries', positive)
    .addOption(engine === ONE_ENGINE ? solver().implies({ engine: 'native' }) : solver())
    .option('--json', 'one JSON object a line');

/** Options that a command may have: `agree` takes several engines. */
type AnyOptions = Partial<Omit<RunOptions, 'engine'>> & {
  readonly engine?: Engine | readonly Engine[];
};

// What keeps a command from running at all is reported once, before any test is run.
program.hook('preAction', async (_, command) => {
  const { engine, solver, timeLimit = DEFAULT_TIME_LIMIT } = command.opts<AnyOptions>();
  const engines = [engine ?? []].flat();
  const lacking = engines.find(isNative);
  const problem =
    workingFolderProblem() ??
    (solver !== undefined
      ? engines.length > 0 && lacking === undefined
        ? `--solver is for the engine native; ${engines.join(', ')} would not ask it`
        : await solverProblem(solver, timeLimit)
      : lacking &&
        `the engine ${lacking} needs a solver of yours: name it with --solver <command>`);
  if (problem === undefined) return;
  process.stderr.write(`${problem}\n`);
  throw new CommanderError(BAD_INPUT, 'commander.solver', problem);
});

const force = (): Option =>
  new Option('--force', 'write over inputs, and over files that Remora did not write');

/** Options for corpora that take long or many computers. */
const spread = (command: Command): Command =>
  command
    .option('--shard <i/n>', 'only part i of n of the files, told apart by content', shard)
    .option('--out <file>', 'write every result to a file as soon as it is there')
    .addOption(force())
    .option('--resume <file>', 'the same, but compute only what the file does not hold yet');

const names = (text: string, earlier: readonly string[] = []): readonly string[] => [
  ...earlier,
  ...text.split(',').filter((name) => name !== ''),
];

const run =
  <A extends unknown[]>(action: (...args: A) => number | Promise<number>) =>
  async (...args: A): Promise<void> => {
    process.exitCode = await action(...args);
  };

spread(common(program.command('check')))
  .summary('decide the queries of litmus files')
  .description('Decides every query of the files: allowed, with the final state, or forbidden.')
  .argument('<path...>', 'litmus files, or folders of them')
  .option('-m, --model <model>', `${MODELS} (default: rdma-tso)`, modelNames)
  .option('--herd', "herd7's log format, for mcompare7")
  .action(run((paths: string[], o) => check(paths, { ...o, model: o.model ?? DEFAULT_MODEL })));

spread(common(program.command('test')))
  .summary('check a corpus against what its files expect')
  .description(
    'Decides every query of the files under every model, prints the table of outcomes, and ' +
      'fails where a verdict departs from what the files expect.',
  )
  .argument('[path...]', 'litmus files, or folders of them (default: corpus)')
  .option('-m, --model <model>', `${MODELS} (default: all main models)`, modelNames)
  .option('--markdown', 'the table as Markdown')
  .action(run(test));

spread(common(program.command('compare')))
  .summary('compare two models')
  .description('Shows the verdicts that differ between two models.')
  .argument('<model1>', "a model's name or .cat file")
  .argument('<model2>', "a model's name or .cat file")
  .argument('[path...]', 'litmus files, or folders of them (default: corpus)')
  .action(run(compare));

spread(common(program.command('outcomes')))
  .summary('list all final states')
  .description('Lists every final state that the model allows.')
  .argument('<path...>', 'litmus files, or folders of them')
  .option('-m, --model <model>', `${MODELS} (default: rdma-tso)`, modelNames)
  .option('--all', 'all final values, not only those that the queries mention')
  .option('--herd', "herd7's log format, for mcompare7")
  .action(run((paths: string[], o) => outcomes(paths, { ...o, model: o.model ?? DEFAULT_MODEL })));

program
  .command('robust')
  .summary('is every execution one of SC?')
  .description(
    'Finds out whether programs have executions that are not sequentially consistent, and shows one; ' +
      'with --static, also what their syntax says of it.',
  )
  .argument('<path...>', 'litmus files, or folders of them')
  .option('-m, --model <model>', `${MODELS} (default: rdma-tso)`, modelNames)
  .option('--prefixes', 'also executions in which threads stop anywhere')
  .option('--outcomes', 'compare final states, not executions')
  .option('--explore', 'decide by exploration alone, loops as they are (rdma-sc, --prefixes)')
  .option(
    '--counter-bound <n>',
    'how far writes that polls in loops wait for are counted in it (default: 3)',
    positive,
  )
  .option('--limit <n>', 'states that it looks at (default: 1000000)', positive)
  .option('--static', 'also the conditions on syntax that imply robustness')
  .option('--table', 'a table of all of this, as Markdown')
  .option('--fix', 'print the program with the cheapest additions that make it robust')
  .option('-o, --out <file>', 'write that program to a file, too')
  .addOption(force())
  .option('--cost <costs>', COSTS, costs)
  .option('--bound <n>', "unroll loops n times (default: the file's bound, or 3)", positive)
  .option('--time-limit <s>', 'seconds for one program (default: 60)', seconds)
  .option('--jobs <n>', 'worker threads (default: the number of cores)', workers)
  .addOption(ONE_ENGINE)
  .addOption(solver().implies({ engine: 'native' }))
  .option('--json', 'one JSON object a line')
  .option('--dot <file>', 'the picture of the violation, for Graphviz')
  .option('--svg <file>', 'the picture of the violation')
  .option('--png <file>', 'the picture of the violation, as dots')
  .action(
    run(async (paths: string[], o) => {
      const { robust } = await import('./robust.js');
      return robust(paths, o);
    }),
  );

program
  .command('merge')
  .summary('join the results of shards into one report')
  .description('Joins what --out wrote for all shards of a run, and reports it as one run would.')
  .argument('<file...>', 'the files of results, one a shard')
  .option('--json', 'one JSON object a line')
  .option('--markdown', 'the table of test as Markdown')
  .option('--herd', "herd7's log format, for mcompare7")
  .action(
    run(async (paths: string[], o) => {
      const { merge } = await import('./merge.js');
      return merge(paths, o);
    }),
  );

const ENGINES_TO_COMPARE = new Option(
  '--engine <names>',
  `engines to compare, of ${ENGINES.join(', ')} (default: smt, enumerate, operational)`,
).argParser(engineNames);

common(program.command('agree'), ENGINES_TO_COMPARE)
  .summary('compare engines, or models, on files or random programs')
  .description(
    'Compares the final states that several engines find under each model, on litmus files or on ' +
      'random programs. The first disagreement is shrunk to a small litmus file.',
  )
  .argument('[path...]', 'litmus files, or folders of them')
  .option('-m, --model <model>', `${MODELS} (default: rdma-tso)`, modelNames)
  .option('--equivalent', 'the models have to agree with each other, too')
  .option('--random <n>', 'compare on n random programs', positive)
  .option('--seed <n>', 'which random programs (default: 1)', seed)
  .option('--out <file>', 'write the litmus file of a disagreement to a file, too')
  .addOption(force())
  .action(
    run(async (paths: string[], o) => {
      // Generating programs takes a large library, which the other commands need not wait for.
      const { agree } = await import('./agree.js');
      return agree(paths, { ...o, model: o.model ?? DEFAULT_MODEL });
    }),
  );

program
  .command('explain')
  .summary('say why a verdict is what it is')
  .description(
    'Explains the answer to every query of the files: by an execution and the steps that lead to it, or ' +
      'by the axioms that rule it out and the cycles that every candidate has.',
  )
  .argument('<path...>', 'litmus files, or folders of them')
  .option('-m, --model <model>', `${MODELS} (default: rdma-tso)`, modelNames)
  .option('--query <n>', 'only query n of each test, counted from 1', positive)
  .option('--fix', 'also what would change the answer: additions, or what stands in the way')
  .option('--cost <costs>', COSTS, costs)
  .option('--show <relations>', "relations to show, with commas (default: the model's)", names)
  .option('--bound <n>', "unroll loops n times (default: the file's bound, or 3)", positive)
  .option('--time-limit <s>', 'seconds for one query (default: 60)', seconds)
  .option('--jobs <n>', 'worker threads (default: the number of cores)', workers)
  .option('--json', 'one JSON object a line, one a query')
  .option('--markdown', 'in words, for people who write programs, as Markdown')
  .option('--dot <file>', 'the picture of one query, for Graphviz')
  .option('--svg <file>', 'the picture of one query')
  .option('--png <file>', 'the picture of one query, as dots')
  .addOption(force())
  .action(
    run(async (paths: string[], o) => {
      const { explain } = await import('./explain.js');
      return explain(paths, { ...o, model: o.model ?? DEFAULT_MODEL });
    }),
  );

program
  .command('report')
  .summary('write a site with the outcomes of a corpus')
  .description(
    'Writes a folder of pages that browsers show: the table of outcomes, and a page for each test with ' +
      'its program, its verdicts, and why they are so.',
  )
  .argument('<path...>', 'litmus files, or folders of them')
  .requiredOption(
    '--out <folder>',
    'the folder: a new one, an empty one, or that of a former report',
  )
  .addOption(force())
  .option('-m, --model <model>', `${MODELS} (default: all main models)`, modelNames)
  .option('--bound <n>', "unroll loops n times (default: the file's bound, or 3)", positive)
  .option('--time-limit <s>', 'seconds for one query (default: 60)', seconds)
  .option('--jobs <n>', 'worker threads (default: the number of cores)', workers)
  .action(
    run(async (paths: string[], o) => {
      const { report } = await import('./report.js');
      return report(paths, o);
    }),
  );

program
  .command('distribute')
  .summary('turn a program over shared memory into one over RDMA')
  .description(
    'Turns threads over shared memory into clients of a server that has the memory, prints the program, ' +
      'and checks that it is fenced as a tree, free of local races, and robust.',
  )
  .argument('<file>', 'a litmus file')
  .requiredOption('--server <n>', 'which thread is the server, counted from 1', positive)
  .option('-m, --model <model>', "a model's name (default: rdma-sc)", modelNames)
  .option('--time-limit <s>', 'seconds for the check (default: 60)', seconds)
  .option('-o, --out <file>', 'write the program to a file')
  .addOption(force())
  .action(
    run(async (path: string, o) => {
      const { distribute } = await import('./distribute.js');
      return distribute(path, o);
    }),
  );

program
  .command('export')
  .summary('write queries, or programs, for other tools')
  .description(
    'Writes the queries of the files as scripts for SMT solvers, or their programs as models in ' +
      'which SPIN decides robustness, to keep or to run elsewhere.',
  )
  .argument('<path...>', 'litmus files, or folders of them')
  .addOption(new Option('--smtlib', 'queries as SMT-LIB 2').conflicts('counterBound'))
  .addOption(
    new Option('--promela', 'programs as Promela, in which SPIN decides robustness').conflicts(
      'smtlib,model,query,bound'.split(','),
    ),
  )
  .option('-m, --model <model>', `${MODELS} (default: rdma-tso)`, modelNames)
  .option('--query <n>', 'only query n of each test, counted from 1', positive)
  .option('--bound <n>', "unroll loops n times (default: the file's bound, or 3)", positive)
  .option(
    '--counter-bound <n>',
    'how far writes that polls in loops wait for are counted (default: 3)',
    positive,
  )
  .option(
    '-o, --out <path>',
    'a file (.smt2, .pml) or a folder for several (default: standard output)',
  )
  .addOption(force())
  .action(
    run(async (paths: string[], o, command: Command) => {
      const { exportPromela, exportSmtlib } = await import('./export.js');
      if (o.promela === true) return exportPromela(paths, o);
      if (o.smtlib === true) return exportSmtlib(paths, { ...o, model: o.model ?? DEFAULT_MODEL });
      return command.error('error: a format is needed: --smtlib or --promela');
    }),
  );

// A reader that has seen enough, such as `head`, is no error; a full disk is.
process.stdout.on('error', (error: NodeJS.ErrnoException) => {
  if (error.code === 'EPIPE') process.exit();
  process.stderr.write(`remora: the results cannot be written: ${error.message}\n`);
  process.exit(BAD_INPUT);
});
process.stderr.on('error', () => {});

try {
  await program.parseAsync();
} catch (error) {
  const { exitCode, code } = error as { exitCode?: number; code?: string };
  if (code === undefined || !code.startsWith('commander.')) {
    const message = error instanceof Error ? error.message : String(error);
    process.stderr.write(`remora: internal error: ${message}\n`);
  }
  process.exitCode = exitCode === 0 ? AS_EXPECTED : BAD_INPUT;
}
