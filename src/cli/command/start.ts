import type { Command } from 'commander';
import { CommanderError } from 'commander';
import type { Engine } from '../../rdma/engines.js';
import { mismatch } from '../../analyses/options.js';
import { solverProblem } from '../../node/probe.js';
import { DEFAULT_TIME_LIMIT } from '../../node/pool.js';
import { BAD_INPUT } from './exit.js';
import { workingFolderProblem } from '../outputs/folders.js';
import type { RunOptions } from '../run/tasks.js';
import { ENGINE_LIMIT } from './options.js';

/** Options that a command may have: `agree` takes several engines. */
type Options = Partial<Omit<RunOptions, 'engine'>> & {
  readonly engine?: Engine | readonly Engine[];
  readonly limit?: number;
};

/**
 * Ends a command before it runs any test, if it cannot succeed: the working folder is gone, or the engine cannot use
 * the given solver or limit. The solver is tried.
 *
 * @param tried whether the solver runs on this machine, and so can be tried
 * @throws CommanderError
 */
export async function checkStart(command: Command, { tried = true } = {}): Promise<void> {
  endWith(workingFolderProblem());
  const { engine, solver, limit, timeLimit = DEFAULT_TIME_LIMIT } = command.opts<Options>();
  const engines = [engine ?? []].flat();
  const heeded = command.options.includes(ENGINE_LIMIT) ? limit : undefined;
  const problem = mismatch(engines, { solver, limit: heeded }, '--');
  if (problem !== undefined) command.error(`error: ${problem}`);
  if (solver !== undefined && tried) endWith(await solverProblem(solver, timeLimit));
}

/** Reports a problem, if there is one, and ends the command without a hint at its help. */
function endWith(problem: string | undefined): void {
  if (problem === undefined) return;
  process.stderr.write(`${problem}\n`);
  throw new CommanderError(BAD_INPUT, 'commander.start', problem);
}
