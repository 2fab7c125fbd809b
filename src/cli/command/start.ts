import { existsSync } from 'node:fs';
import type { Command } from 'commander';
import { CommanderError } from 'commander';
import type { Engine } from '../../rdma/engines.js';
import { mismatch } from '../../analyses/options.js';
import { solverProblem } from '../../node/probe.js';
import { lookIn } from '../../node/models.js';
import { DEFAULT_TIME_LIMIT } from '../../node/pool.js';
import { BAD_INPUT } from './exit.js';
import { isFolder, workingFolderProblem } from '../outputs/folders.js';
import type { RunOptions } from '../run/tasks.js';
import { ENGINE_LIMIT } from './options.js';

/** Options that a command may have: `agree` takes several engines. */
type Options = Partial<Omit<RunOptions, 'engine'>> & {
  readonly engine?: Engine | readonly Engine[];
  readonly limit?: number;
  /** Where models are looked for, too. */
  readonly include?: readonly string[];
};

/**
 * Ends a command before it runs any test, if it cannot succeed: the working folder is gone, or the engine cannot use
 * the given solver or limit, or a folder to look for models in is none. The solver is tried. From here on, models are looked for in these
 * folders.
 *
 * @param tried whether the command runs on this machine, so that its solver can be tried and its folders are there
 * @throws CommanderError
 */
export async function checkStart(command: Command, { tried = true } = {}): Promise<void> {
  endWith(workingFolderProblem());
  const options = command.opts<Options>();
  const { engine, solver, limit, timeLimit = DEFAULT_TIME_LIMIT, include = [] } = options;
  if (tried) include.forEach((folder) => endWith(folderProblem(folder)));
  lookIn(include);
  const engines = [engine ?? []].flat();
  const heeded = command.options.includes(ENGINE_LIMIT) ? limit : undefined;
  const problem = mismatch(engines, { solver, limit: heeded }, '--');
  if (problem !== undefined) command.error(`error: ${problem}`);
  if (solver !== undefined && tried) endWith(await solverProblem(solver, timeLimit));
}

/** Why models cannot be looked for in a folder. */
function folderProblem(folder: string): string | undefined {
  if (isFolder(folder)) return undefined;
  return existsSync(folder)
    ? `${folder}: is no folder: -I names folders in which models are looked for`
    : `${folder}: no such folder; -I names folders in which models are looked for`;
}

/** Reports a problem, if there is one, and ends the command without a hint at its help. */
function endWith(problem: string | undefined): void {
  if (problem === undefined) return;
  process.stderr.write(`${problem}\n`);
  throw new CommanderError(BAD_INPUT, 'commander.start', problem);
}
