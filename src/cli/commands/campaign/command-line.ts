/** The command line of a campaign. */
import type { Command, Option } from 'commander';
import { didYouMean } from '../../../parse/diagnostics/index.js';
import { agreeCommand } from '../agree/command.js';
import { checkCommand } from '../check/check.js';
import { compareCommand } from '../compare.js';
import { outcomesCommand } from '../outcomes.js';
import { distinguishCommand } from '../distinguish/command.js';
import { refineCommand } from '../refine/command.js';
import { synthesiseCommand } from '../synthesise/command.js';
import { checkStart } from '../../command/start.js';
import { testCommand } from '../check/test.js';
import type { Engine } from '../../../rdma/engines.js';
import { isNative } from '../../../rdma/engines.js';
import { SHORT_FORMATS } from '../../print/formats.js';
import { UsageError } from '../../command/usage.js';

const DIVIDED = {
  agree: agreeCommand,
  refine: refineCommand,
  distinguish: distinguishCommand,
  synthesise: synthesiseCommand,
  check: checkCommand,
  test: testCommand,
  compare: compareCommand,
  outcomes: outcomesCommand,
} as const;

export type CampaignCommand = keyof typeof DIVIDED;

/** A command line that was read. */
export interface AskedCommand {
  readonly command: CampaignCommand;
  /** The arguments that are not options. */
  readonly operands: readonly string[];
  readonly options: object;
  /** Do its engines ask a solver, which each worker names for itself? */
  readonly native: boolean;
}

/** The solver in the header of results, if each worker has its own. */
const WORKERS_OWN = 'of the workers';

/**
 * The options that a campaign takes: a fixed list, since a worker reads its command line from Redis. No option names a
 * program, or a file to write to.
 */
const TAKEN: ReadonlySet<string> = new Set([
  ...[
    'model',
    'include',
    'library',
    'implementation',
    'set',
    'grep',
    'shipped',
    'all',
    'equivalent',
    'random',
    'seed',
  ],
  ...['generate', 'threads', 'nodes', 'calls', 'objects', 'locations', 'values'],
  ...['operations', 'tags', 'namedPairs', 'both'],
  ...['bound', 'timeLimit', 'limit', 'engine'],
]);

/** Why a campaign does not take some other options. */
const REFUSED: Readonly<Record<string, string>> = {
  shard: 'its jobs are the parts',
  out: 'campaign watch --out writes the results',
  resume: 'campaign watch --out goes on with a file',
  watch: 'campaign watch shows how far it is',
  bail: 'all jobs are done',
  of: 'only tests that are made can be divided',
  local: 'only --generate can be done in parts',
  jobs: 'campaign work --jobs says how many threads a worker has',
  solver: 'name the engine native, and for each worker its own solver: campaign work --solver',
  reporter: 'remora merge prints what campaign watch --out wrote, in any format',
  quiet: 'remora merge prints what campaign watch --out wrote',
};

const isCommand = (name: string): name is CampaignCommand => name in DIVIDED;

/**
 * Reads a command line like the command itself, without running it.
 *
 * @throws UsageError, and what commander throws, if it cannot be that of a campaign
 */
export async function readWords([name = '', ...words]: readonly string[]): Promise<AskedCommand> {
  const names = Object.keys(DIVIDED);
  if (!isCommand(name)) {
    const hint = didYouMean(name, names) ?? `there are ${names.join(', ')}`;
    const what = name === '' ? 'name the command of the campaign' : `'${name}' is no such command`;
    throw new UsageError(`${what}, as in campaign start NAME -- agree --random 1000: ${hint}`);
  }
  const command: Command = DIVIDED[name]();
  let operands: readonly string[] = [];
  command.action((...given: unknown[]) => {
    operands = given.slice(0, -2).flatMap((one) => (one ?? []) as string | readonly string[]);
  });
  await command.parseAsync([...words], { from: 'user' });
  const refused = command.options.find(
    (option) =>
      !TAKEN.has(option.attributeName()) &&
      command.getOptionValueSource(option.attributeName()) === 'cli',
  );
  if (refused !== undefined) {
    const why = REFUSED[refused.attributeName()] ?? 'workers write no files';
    throw new UsageError(`${spelled(refused, words)} is not for a campaign: ${why}`);
  }
  const { engine = [] } = command.opts<{ readonly engine?: Engine | readonly Engine[] }>();
  const native = [engine].flat().some(isNative);
  // Stands for the solvers of workers: it is never started.
  if (native) command.setOptionValue('solver', WORKERS_OWN);
  await checkStart(command, { tried: false });
  const options = command.opts<object>();
  const problem = problemWith(name, operands, options);
  if (problem !== undefined) throw new UsageError(problem);
  return { command: name, operands, options, native };
}

/** An option as it was given: `--json` also sets the reporter. */
const spelled = (option: Option, words: readonly string[]): string =>
  option.attributeName() === 'reporter'
    ? (words.find((word) => SHORT_FORMATS.some((name) => word === `--${name}`)) ?? '--reporter')
    : (option.long ?? option.flags);

/** Why a command cannot be done in parts, or undefined. */
function problemWith(
  command: CampaignCommand,
  operands: readonly string[],
  options: { readonly random?: number; readonly generate?: boolean },
): string | undefined {
  if (command === 'agree' && options.random === undefined) {
    return 'a campaign of agree is about --random <n> programs';
  }
  if (command === 'refine' && options.generate !== true) {
    return 'a campaign of refine is about clients that --generate makes';
  }
  return operands.includes('-') ? 'a campaign does not read standard input' : undefined;
}
