/** The command line of a campaign. */
import type { Command, Option } from 'commander';
import { didYouMean } from '../../parse/diagnostics/index.js';
import { agreeCommand } from '../declare/agree.js';
import { checkCommand } from '../declare/check.js';
import { compareCommand } from '../declare/compare.js';
import { outcomesCommand } from '../declare/outcomes.js';
import { refineCommand } from '../declare/refine.js';
import { checkStart } from '../declare/start.js';
import { testCommand } from '../declare/test.js';
import { SHORT_FORMATS } from '../formats.js';
import { UsageError } from '../usage.js';

const COMMANDS = {
  agree: agreeCommand,
  refine: refineCommand,
  check: checkCommand,
  test: testCommand,
  compare: compareCommand,
  outcomes: outcomesCommand,
} as const;

export type CampaignCommand = keyof typeof COMMANDS;

/** What stands on a command line. */
export interface AskedCommand {
  readonly command: CampaignCommand;
  readonly operands: readonly string[];
  readonly options: object;
}

/** Options that a campaign has no use for, and why. */
const REFUSED: Readonly<Record<string, string>> = {
  shard: 'its jobs are the parts',
  out: 'campaign watch --out writes the results',
  resume: 'campaign watch --out goes on with a file',
  force: 'workers write no files',
  proof: 'workers write no files',
  update: 'workers write no files',
  watch: 'campaign watch shows how far it is',
  bail: 'all jobs are done',
  local: 'only --generate can be done in parts',
  reporter: 'remora merge prints what campaign watch --out wrote, in any format',
  quiet: 'remora merge prints what campaign watch --out wrote',
};

const isCommand = (name: string): name is CampaignCommand => name in COMMANDS;

/**
 * Reads a command line as the command itself does, and does nothing.
 *
 * @throws UsageError, and what commander throws, if it cannot be that of a campaign
 */
export async function readWords([name = '', ...words]: readonly string[]): Promise<AskedCommand> {
  const names = Object.keys(COMMANDS);
  if (!isCommand(name)) {
    const hint = didYouMean(name, names) ?? `there are ${names.join(', ')}`;
    const what = name === '' ? 'name the command of the campaign' : `'${name}' is no such command`;
    throw new UsageError(`${what}, as in campaign start NAME -- agree --random 1000: ${hint}`);
  }
  const command: Command = COMMANDS[name]();
  let operands: readonly string[] = [];
  command.action((...given: unknown[]) => {
    operands = given.slice(0, -2).flatMap((one) => (one ?? []) as string | readonly string[]);
  });
  await command.parseAsync([...words], { from: 'user' });
  await checkStart(command);
  const refused = command.options.find(
    (option) =>
      option.attributeName() in REFUSED &&
      command.getOptionValueSource(option.attributeName()) === 'cli',
  );
  if (refused !== undefined) {
    const why = REFUSED[refused.attributeName()];
    throw new UsageError(`${spelled(refused, words)} is not for a campaign: ${why}`);
  }
  const options = command.opts<object>();
  const problem = part(name, operands, options);
  if (problem !== undefined) throw new UsageError(problem);
  return { command: name, operands, options };
}

/** An option as it was given: `--json` also sets the reporter. */
const spelled = (option: Option, words: readonly string[]): string =>
  option.attributeName() === 'reporter'
    ? (words.find((word) => SHORT_FORMATS.some((name) => word === `--${name}`)) ?? '--reporter')
    : (option.long ?? option.flags);

/** What keeps a command from being done in parts, if anything. */
function part(
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
