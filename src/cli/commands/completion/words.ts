import type { Argument, Command, Option } from 'commander';
import { shippedModels } from '../../../node/models.js';

/** The completions in one place of a command line. */
export interface ValueWords {
  readonly words: readonly string[];
  /** Whether paths are also possible. */
  readonly paths: boolean;
}

export interface OptionWords {
  /** With its dash: `-m`. */
  readonly short?: string;
  readonly long: string;
  readonly text: string;
  /** The completions after the option, if it takes a value. */
  readonly value?: ValueWords;
}

/** A command as shells complete it. */
export interface CommandWords {
  readonly name: string;
  readonly text: string;
  readonly options: readonly OptionWords[];
  /** The completions of its arguments, in any place. */
  readonly operands: ValueWords;
}

/** The commands of a program, from their declarations. The program itself comes first. */
export function commandWords(program: Command): readonly CommandWords[] {
  const help = program.createHelp();
  const subcommands = help.visibleCommands(program);
  const names = subcommands.map((command) => command.name());
  const describe = (command: Command): CommandWords => ({
    name: command.name(),
    text: command.summary() || command.description(),
    options: help.visibleOptions(command).map(optionWords),
    operands: command === program ? { words: names, paths: false } : operandsOf(command, names),
  });
  return [program, ...subcommands].map(describe);
}

function optionWords(option: Option): OptionWords {
  const { short, long, description: text } = option;
  const takes = option.required || option.optional;
  const [, placeholder = ''] = /[<[](\w+)/.exec(option.flags) ?? [];
  return {
    long: long ?? option.flags,
    text,
    short,
    value: takes ? valuesOf(placeholder, option.argChoices) : undefined,
  };
}

function operandsOf(command: Command, names: readonly string[]): ValueWords {
  const all = command.registeredArguments.map((argument: Argument) =>
    valuesOf(
      argument.name(),
      argument.argChoices ?? (argument.name() === 'command' ? names : undefined),
    ),
  );
  return {
    words: [...new Set(all.flatMap(({ words }) => words))],
    paths: all.some(({ paths }) => paths),
  };
}

/** What a placeholder stands for. */
function valuesOf(placeholder: string, choices: readonly string[] | undefined): ValueWords {
  if (choices !== undefined) return { words: choices, paths: false };
  if (/^model\d?$/.test(placeholder)) return { words: shippedModels(), paths: true };
  return { words: [], paths: ['file', 'folder', 'path'].includes(placeholder) };
}
