import { existsSync } from 'node:fs';
import { Command } from 'commander';
import { shippedModels } from '../node/models.js';
import { didYouMean } from '../parse/diagnostics/index.js';
import { exitCodeOf, helpEnd } from './command/declare.js';
import { AS_EXPECTED, BAD_INPUT } from './command/exit.js';
import { checkStart } from './command/start.js';
import { COMMAND_NAMES, makeCommands } from './commands/index.js';
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

/**
 * The program with the command that a command line names, or with all commands if it names none: the general help and
 * completion list them.
 */
async function newProgram(words: readonly string[]): Promise<Command> {
  const program = new Command('remora')
    .description(
      'Decides what RDMA programs, as litmus files or in C, can do under a memory model given as a cat file.',
    )
    .version(VERSION)
    .showHelpAfterError('(see remora --help)')
    .exitOverride()
    .addHelpText('after', () => `\nModels: ${shippedModels().join(', ')}\n${helpEnd(GENERAL)}`)
    .hook('preAction', (_, command) => checkStart(command));
  const named = COMMAND_NAMES.find((name) => name === nameIn(words));
  const areAll = named === 'completion' || (named === undefined && !isVersion(words));
  const commands = await makeCommands((name) => areAll || name === named);
  for (const command of commands) program.addCommand(command);
  return program;
}

const isVersion = ([first]: readonly string[]): boolean => first === '-V' || first === '--version';

/** The name of the command, also after `help`. */
const nameIn = ([first, second]: readonly string[]): string | undefined =>
  first === 'help' ? second : first;

/** Refuses an unknown command, also after `help`, where commander would show the general help. */
function checkName(program: Command, words: readonly string[]): void {
  const name = nameIn(words);
  const names = ['help', ...COMMAND_NAMES];
  if (name === undefined || name.startsWith('-') || names.includes(name)) return;
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
 * @param words the words of the command line after the name of the program
 * @returns the exit code
 */
export async function runCommand(words: readonly string[]): Promise<number> {
  let ended: number = AS_EXPECTED;
  try {
    const program = await newProgram(words);
    program.hook('postAction', (_, command) => void (ended = exitCodeOf(command)));
    checkName(program, words);
    await program.parseAsync(words, { from: 'user' });
    return ended;
  } catch (error) {
    const { exitCode, code } = error as { exitCode?: number; code?: string };
    if (code === undefined || !code.startsWith('commander.')) {
      const message = error instanceof Error ? error.message : String(error);
      process.stderr.write(`remora: internal error: ${message}\n`);
      await (await import('./run/tasks.js')).closeAll();
    }
    return exitCode === 0 ? AS_EXPECTED : BAD_INPUT;
  }
}
