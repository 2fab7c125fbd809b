#!/usr/bin/env node
import { createRequire } from 'node:module';
import { setFlagsFromString } from 'node:v8';
import { Command, InvalidArgumentError } from 'commander';
import { shippedModels } from '../model/shipped.js';
import { check, compare, outcomes, test } from './commands.js';
import { AS_EXPECTED, BAD_INPUT } from './exit.js';

// Most runs are over before optimised code pays for its making: let V8 wait longer with it. Over
// the corpus this saves a fifth of all processor time.
setFlagsFromString('--interrupt-budget=500000');
setFlagsFromString('--wasm-tiering-budget=30000000');

const { version } = createRequire(import.meta.url)('../../package.json') as { version: string };

const positive = (text: string): number => {
  if (!/^[1-9][0-9]*$/.test(text))
    throw new InvalidArgumentError('a whole number from 1 is needed.');
  return Number(text);
};
const seconds = (text: string): number => {
  const value = Number(text);
  if (!(value > 0)) throw new InvalidArgumentError('a number of seconds above 0 is needed.');
  return value;
};
/** `-m a,b -m c` names three models. */
const modelNames = (text: string, earlier: readonly string[] | undefined): readonly string[] => {
  const names = text.split(',').filter((name) => name !== '');
  if (names.length === 0) throw new InvalidArgumentError('a model is needed.');
  return [...(earlier ?? []), ...names];
};

const MODELS = `a model's name or .cat file; several with commas or by repeating`;
const DEFAULT_MODEL = ['rdma-tso'];

const program = new Command('remora')
  .description('Decides what RDMA programs can do under a memory model given as a cat file.')
  .version(version)
  .showHelpAfterError('(see remora --help)')
  .exitOverride()
  .addHelpText('after', `\nModels: ${shippedModels().join(', ')}`);

const common = (command: Command): Command =>
  command
    .option('--bound <n>', "unroll loops n times (default: the file's bound, or 3)", positive)
    .option('--time-limit <s>', 'seconds for one query (default: 60)', seconds)
    .option('--jobs <n>', 'worker threads (default: the number of cores)', positive)
    .option('--json', 'one JSON object a line');

const run =
  <A extends unknown[]>(action: (...args: A) => Promise<number>) =>
  async (...args: A): Promise<void> => {
    process.exitCode = await action(...args);
  };

common(program.command('check'))
  .summary('decide the queries of litmus files')
  .description('Decides every query of the files: allowed, with the final state, or forbidden.')
  .argument('<path...>', 'litmus files, or folders of them')
  .option('-m, --model <model>', `${MODELS} (default: rdma-tso)`, modelNames)
  .option('--herd', "herd7's log format, for mcompare7")
  .action(run((paths: string[], o) => check(paths, { ...o, model: o.model ?? DEFAULT_MODEL })));

common(program.command('test'))
  .summary('check a corpus against what its files expect')
  .description(
    'Decides every query of the files under every model, prints the table of outcomes, and ' +
      'fails where a verdict departs from what the files expect.',
  )
  .argument('[path...]', 'litmus files, or folders of them', ['corpus'])
  .option('-m, --model <model>', `${MODELS} (default: all main models)`, modelNames)
  .option('--markdown', 'the table as Markdown')
  .action(run(test));

common(program.command('compare'))
  .summary('compare two models')
  .description('Shows the verdicts that differ between two models.')
  .argument('<model1>', "a model's name or .cat file")
  .argument('<model2>', "a model's name or .cat file")
  .argument('[path...]', 'litmus files, or folders of them', ['corpus'])
  .action(run(compare));

common(program.command('outcomes'))
  .summary('list all final states')
  .description('Lists every final state that the model allows.')
  .argument('<path...>', 'litmus files, or folders of them')
  .option('-m, --model <model>', `${MODELS} (default: rdma-tso)`, modelNames)
  .option('--all', 'all final values, not only those that the queries mention')
  .option('--herd', "herd7's log format, for mcompare7")
  .action(run((paths: string[], o) => outcomes(paths, { ...o, model: o.model ?? DEFAULT_MODEL })));

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
