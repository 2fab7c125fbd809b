import type { Command } from 'commander';
import { CommanderError } from 'commander';
import type { Engine } from '../../rdma/engines.js';
import { ENGINES, isNative, solves } from '../../rdma/engines.js';
import { solverProblem } from '../../node/probe.js';
import { DEFAULT_TIME_LIMIT } from '../../node/pool.js';
import { BAD_INPUT } from '../exit.js';
import { workingFolderProblem } from '../folders.js';
import type { RunOptions } from '../run.js';
import { ENGINE_LIMIT } from './options.js';

/** Options that a command may have: `agree` takes several engines. */
type Options = Partial<Omit<RunOptions, 'engine'>> & {
  readonly engine?: Engine | readonly Engine[];
  readonly limit?: number;
};

/**
 * Ends a command, before any test is run, that cannot do anything: the working folder is gone, or
 * its engine cannot use what is given for it: a solver, which is tried, or a limit.
 *
 * @throws CommanderError
 */
export async function checkStart(command: Command): Promise<void> {
  refuse(workingFolderProblem());
  const { engine, solver, limit, timeLimit = DEFAULT_TIME_LIMIT } = command.opts<Options>();
  const engines = [engine ?? []].flat();
  const lacking = engines.find(isNative);
  if (solver !== undefined && engines.length > 0 && lacking === undefined) {
    const asked = engines.join(', ');
    command.error(`error: --solver is for the engine native; ${asked} would not ask it`);
  }
  if (solver === undefined && lacking !== undefined) {
    const remedy = 'name it with --solver <command>';
    command.error(`error: the engine ${lacking} needs a solver of yours: ${remedy}`);
  }
  const limited = limit !== undefined && command.options.includes(ENGINE_LIMIT);
  if (limited && engines.length > 0 && engines.every(solves)) {
    const counting = ENGINES.filter((e) => !solves(e)).join(', ');
    const asked = engines.join(', ');
    command.error(`error: --limit is for the engines ${counting}; ${asked} would not heed it`);
  }
  if (solver !== undefined) refuse(await solverProblem(solver, timeLimit));
}

/** Reports a problem, if there is one, that no help is about. */
function refuse(problem: string | undefined): void {
  if (problem === undefined) return;
  process.stderr.write(`${problem}\n`);
  throw new CommanderError(BAD_INPUT, 'commander.start', problem);
}
