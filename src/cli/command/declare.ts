import type { Argument, ErrorOptions, Option, ParseOptionsResult } from 'commander';
import { Command } from 'commander';
import { AS_EXPECTED, BAD_INPUT, DEPARTS, INTERRUPTED, UNDECIDED } from './exit.js';
import { isUsageError } from './usage.js';
import { underHeadings } from './headings.js';
import { modelFolders } from './options.js';

/** The declaration of a command: everything that its help shows. */
export interface CommandDeclaration {
  readonly name: string;
  /** One line, for the list of commands. */
  readonly summary: string;
  readonly description: string;
  readonly arguments?: readonly Argument[];
  readonly options: readonly Option[];
  /** Command lines, each with what it does. */
  readonly examples: readonly (readonly [line: string, what: string])[];
  readonly codes: ExitCodes;
  /** A hint for an unknown option, if there is one, by the words of the command line. */
  readonly aboutUnknownOption?: (words: readonly string[]) => string | undefined;
}

/** What each exit code of a command means. A command never ends with a code that it leaves out. */
export interface ExitCodes {
  readonly asExpected: string;
  readonly departs?: string;
  readonly undecided?: string;
  /** What code 2 means; by default, wrong usage or input. */
  readonly badInput?: string;
  /** Does Ctrl-C end it with a code of its own? */
  readonly interrupted?: boolean;
}

/**
 * What a command does. Its parameters are the arguments, the options and the command itself; its result is the exit
 * code.
 */
type CommandAction<A extends unknown[]> = (...args: A) => number | Promise<number>;

/** A command whose usage errors, also those about options, refer to its own help. */
class OwnCommand extends Command {
  /** The exit code, once it has run. */
  code: number = AS_EXPECTED;

  constructor(private readonly what: CommandDeclaration) {
    super(what.name);
  }

  override error(message: string, options?: ErrorOptions): never {
    const isUnknown = options?.code === 'commander.unknownOption';
    const hint = isUnknown ? this.what.aboutUnknownOption?.(this.args) : undefined;
    return super.error(hint === undefined ? message : `${message}\n(${hint})`, options);
  }

  override parseOptions(args: string[]): ParseOptionsResult {
    try {
      return super.parseOptions(args);
    } catch (error) {
      return this.refuse(error);
    }
  }

  /** Reports a usage error; others are thrown again. */
  refuse(error: unknown): never {
    if (!isUsageError(error)) throw error;
    return this.error(`error: ${error.message}`);
  }
}

/** Makes the command of a declaration. */
export function declare<A extends unknown[]>(
  what: CommandDeclaration,
  action: CommandAction<A>,
): Command {
  const command = new OwnCommand(what);
  command
    .summary(what.summary)
    .description(what.description)
    .exitOverride()
    .showHelpAfterError(`(see remora ${what.name} --help)`)
    .addHelpText('after', helpEnd(what));
  for (const argument of what.arguments ?? []) command.addArgument(argument);
  for (const option of underHeadings(optionsOf(what))) command.addOption(option);
  return command.action(async (...args: unknown[]) => {
    try {
      command.code = await action(...(args as A));
    } catch (error) {
      command.refuse(error);
    }
  });
}

/** The options of a command: one that takes models is told where to look for them, too. */
function optionsOf({ options, arguments: named = [] }: CommandDeclaration): readonly Option[] {
  const at = options.findIndex(({ long }) => long === '--model');
  if (at < 0 && !named.some((argument) => /^model\d?$/.test(argument.name()))) return options;
  return [...options.slice(0, at + 1), modelFolders(), ...options.slice(at + 1)];
}

/** The exit code of a command that has run. */
export const exitCodeOf = (command: Command): number =>
  command instanceof OwnCommand ? command.code : AS_EXPECTED;

/** The end of a help: examples and exit codes. */
export function helpEnd({
  examples,
  codes,
}: Pick<CommandDeclaration, 'examples' | 'codes'>): string {
  return `\n${examplesText(examples)}\n\n${codesText(codes)}`;
}

function examplesText(examples: CommandDeclaration['examples']): string {
  const lines = examples.flatMap(([line, what]) => [`  ${line}`, `      ${what}`]);
  return ['Examples:', ...lines].join('\n');
}

function codesText(codes: ExitCodes): string {
  const { badInput = 'wrong usage, or an input that cannot be read or treated' } = codes;
  const meanings: readonly (readonly [number, string | undefined])[] = [
    [AS_EXPECTED, codes.asExpected],
    [DEPARTS, codes.departs],
    [BAD_INPUT, badInput],
    [UNDECIDED, codes.undecided],
    [INTERRUPTED, codes.interrupted === false ? undefined : 'ended by Ctrl-C or SIGTERM'],
  ];
  const lines = meanings.flatMap(([code, meaning]) =>
    meaning === undefined ? [] : [`  ${String(code).padEnd(3)}  ${meaning}`],
  );
  return ['Exit codes:', ...lines].join('\n');
}
