import type { Command } from 'commander';
import { bashScript } from './bash.js';
import { fishScript } from './fish.js';
import { commandWords } from './words.js';
import { zshScript } from './zsh.js';

const SCRIPTS = { bash: bashScript, zsh: zshScript, fish: fishScript } as const;

export type Shell = keyof typeof SCRIPTS;

export const SHELLS = Object.keys(SCRIPTS) as readonly Shell[];

/** A script with which a shell completes the commands of a program, their options and values. */
export const completionScript = (shell: Shell, program: Command): string =>
  SCRIPTS[shell](commandWords(program));
