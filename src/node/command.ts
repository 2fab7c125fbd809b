import { accessSync, constants, statSync } from 'node:fs';
import { basename, delimiter, join } from 'node:path';

/** A solver that is a program of its own, and how to talk to it. */
export interface SolverCommand {
  /** What messages call it. */
  readonly name: string;
  /** The path of the program. */
  readonly file: string;
  readonly args: readonly string[];
  /** The SMT-LIB logic to ask for; clauses are propositional, so every logic has them. */
  readonly logic: string;
  /** Whether `(reset)` is known to work, so that a process can be used again. */
  readonly resets: boolean;
}

/** What solvers that are known need to read SMT-LIB 2 from standard input, query by query. */
const KNOWN: Readonly<Record<string, { args: readonly string[]; logic?: string }>> = {
  // The finite-domain logic is Z3's SAT solver, and only Z3's.
  z3: { args: ['-in', '-smt2'], logic: 'QF_FD' },
  cvc5: { args: ['--incremental', '--lang=smt2', '-'] },
  cvc4: { args: ['--incremental', '--lang=smt2', '-'] },
  'yices-smt2': { args: ['--incremental'] },
};

/** Words are divided by blanks, and quotes keep blanks: the little of a shell that paths need. */
const WORD = /(?:[^\s'"]|'[^']*'|"[^"]*")+/g;
const QUOTED = /'([^']*)'|"([^"]*)"/g;

/** A command, or why there is none. */
type FoundCommand =
  | { readonly command: SolverCommand; readonly problem?: undefined }
  | { readonly command?: undefined; readonly problem: string };

/**
 * Reads a command line such as `z3` or `/opt/cvc5 --incremental`, and looks for the program.
 * Options are those of the user, or, where there are none, what a solver of this name needs.
 */
export function solverCommand(text: string, path = process.env['PATH'] ?? ''): FoundCommand {
  const words = (text.match(WORD) ?? []).map((word) => word.replace(QUOTED, '$1$2'));
  if (words.length === 0 || text.replace(WORD, '').trim() !== '') {
    return { problem: `--solver ${text}: not a command` };
  }
  const [program, ...given] = words;
  const file = find(program, path);
  if (file === undefined) return { problem: `--solver ${program}: no such command` };
  const name = basename(program).replace(/\.exe$/i, '');
  const known = Object.hasOwn(KNOWN, name) ? KNOWN[name] : undefined;
  const command = {
    name,
    file,
    args: given.length > 0 ? given : (known?.args ?? []),
    logic: known?.logic ?? 'QF_UF',
    resets: known !== undefined,
  };
  return { command };
}

/** The program that a name stands for, as a shell finds it. */
function find(program: string, path: string): string | undefined {
  if (program.includes('/')) return isExecutable(program) ? program : undefined;
  const files = path.split(delimiter).map((folder) => join(folder, program));
  return files.find(isExecutable) ?? files.map((file) => `${file}.exe`).find(isExecutable);
}

function isExecutable(file: string): boolean {
  try {
    accessSync(file, constants.X_OK);
    return statSync(file).isFile();
  } catch {
    return false;
  }
}
