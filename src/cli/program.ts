import { existsSync } from 'node:fs';
import { Command } from 'commander';
import { didYouMean } from '../parse/diagnostics/index.js';
import { shippedModels } from '../node/models.js';
import { agreeCommand } from './commands/agree/command.js';
import { campaignCommand } from './commands/campaign/command.js';
import { checkCommand } from './commands/check/check.js';
import { compareCommand } from './commands/compare.js';
import { exitCodeOf, helpEnd } from './command/declare.js';
import { completionCommand } from './commands/completion/command.js';
import { distributeCommand } from './commands/distribute/command.js';
import { explainCommand } from './commands/explain/command.js';
import { refineCommand } from './commands/refine/command.js';
import { exploreCommand } from './commands/explore/command.js';
import { exportCommand } from './commands/export/command.js';
import { fmtCommand } from './commands/fmt/command.js';
import { instructionsCommand } from './commands/instructions/command.js';
import { lspCommand } from './commands/lsp/command.js';
import { mergeCommand } from './commands/merge/command.js';
import { outcomesCommand } from './commands/outcomes.js';
import { reportCommand } from './commands/report/command.js';
import { robustCommand } from './commands/robust/command.js';
import { checkStart } from './command/start.js';
import { testCommand } from './commands/check/test.js';
import { verifyCommand } from './commands/verify/command.js';
import { AS_EXPECTED, BAD_INPUT } from './command/exit.js';
import { VERSION } from './package.js';

/** The end of the general help. */
const GENERAL = {
  examples: [
    ['remora check corpus/tso/MP3bis.litmus', 'can it happen?'],
    ['remora explain corpus/tso/MP3bis.litmus', 'why?'],
    ['remora help check', 'options, examples and exit codes of a command'],
  ],
  codes: {
    asExpected: 'everything is as expected',
    departs: 'something is not: a verdict, a program that is not robust, a disagreement',
    undecided: 'something is undecided',
  },
} as const;

/** All commands. Made anew for each command line: what commander has read of one is not to be in the next. */
function newProgram(): Command {
  const program = new Command('remora')
    .description('Decides what RDMA programs can do under a memory model given as a cat file.')
    .version(VERSION)
    .showHelpAfterError('(see remora --help)')
    .exitOverride()
    .addHelpText('after', () => `\nModels: ${shippedModels().join(', ')}\n${helpEnd(GENERAL)}`)
    .hook('preAction', (_, command) => checkStart(command));
  for (const [heading, commands] of COMMANDS) {
    for (const command of commands) program.addCommand(command().helpGroup(heading));
  }
  return program;
}

/** Below their headings, as the general help lists them. */
const COMMANDS: readonly (readonly [heading: string, commands: readonly (() => Command)[]])[] = [
  [
    'Programs:',
    [
      ...[checkCommand, outcomesCommand, explainCommand, exploreCommand, robustCommand],
      ...[distributeCommand, fmtCommand],
    ],
  ],
  ['Models and libraries:', [compareCommand, refineCommand, instructionsCommand]],
  ['Corpora:', [testCommand, reportCommand, mergeCommand, campaignCommand]],
  ['Second opinions:', [agreeCommand, verifyCommand, exportCommand]],
  ['Editors and shells:', [lspCommand, completionCommand]],
];

/** Refuses an unknown command, also after `help`, where commander would show the general help. */
function checkName(program: Command, words: readonly string[]): void {
  const [name] = words[0] === 'help' ? words.slice(1) : words;
  if (name === undefined || name.startsWith('-')) return;
  const names = ['help', ...program.commands.map((command) => command.name())];
  if (names.includes(name)) return;
  if (name.endsWith('.litmus') || existsSync(name)) {
    const right = name.endsWith('.cat') ? `FILE.litmus --model ${name}` : name;
    program.error(`error: '${name}' is no command; one that decides: remora check ${right}`);
  }
  const guess = didYouMean(name, names);
  program.error(`error: unknown command '${name}'${guess === undefined ? '' : `; ${guess}`}`);
}

/**
 * Runs a command in the surroundings of this process.
 *
 * @param words what stands on the command line after the name of the program
 * @returns the exit code
 */
export async function runCommand(words: readonly string[]): Promise<number> {
  let ended: number = AS_EXPECTED;
  try {
    const program = newProgram();
    program.hook('postAction', (_, command) => void (ended = exitCodeOf(command)));
    checkName(program, words);
    await program.parseAsync(words, { from: 'user' });
    return ended;
  } catch (error) {
    const { exitCode, code } = error as { exitCode?: number; code?: string };
    if (code === undefined || !code.startsWith('commander.')) {
      const message = error instanceof Error ? error.message : String(error);
      process.stderr.write(`remora: internal error: ${message}\n`);
    }
    return exitCode === 0 ? AS_EXPECTED : BAD_INPUT;
  }
}
