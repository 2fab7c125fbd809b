/** Plans from Redis are not trusted: the work is planned again from the plan's command line and files. */
import { CommanderError } from 'commander';
import { ownBuild } from './build.js';
import { UsageError } from '../../command/usage.js';
import { VERSION } from '../../package.js';
import type { Divided, Division } from './division.js';
import { divide } from './divide.js';
import { inFolderOf, strangerAmong } from './folder.js';
import type { Plan } from './plan.js';
import type { Failed } from './queue.js';

/**
 * Runs a function with the division of a plan, in a folder with the plan's files and no others. It fails if this Remora
 * divides the command line in another way than the plan says.
 */
export function withDivision<T>(
  name: string,
  plan: Plan,
  act: (division: Division) => Promise<T>,
): Promise<T | Failed> {
  const problem = stranger(name, plan);
  if (problem !== undefined) return Promise.resolve({ problem });
  return inFolderOf(plan.files, async (root) => {
    const division = await reread(name, plan, root);
    return 'problem' in division ? division : act(division);
  });
}

/** The message that a campaign needs another Remora than this, or undefined. */
function stranger(name: string, { remora, build }: Plan): string | undefined {
  if (remora !== VERSION)
    return `campaign '${name}' needs Remora ${remora}, and this is ${VERSION}`;
  if (build === ownBuild()) return undefined;
  return `campaign '${name}' needs another build of Remora ${VERSION}: that which campaign start was run with`;
}

async function reread(name: string, plan: Plan, root: string): Promise<Division | Failed> {
  const division = await divided(name, plan);
  if ('problem' in division) return division;
  if ('errors' in division) return { problem: division.errors.join('\n') };
  const other = strangerAmong(division.files, root);
  if (other !== undefined) {
    return { problem: `campaign '${name}' names a file that it does not bring: ${other}` };
  }
  const { header, unit, count, size } = division;
  const made = JSON.stringify([header, unit, count, size]);
  const said = JSON.stringify([plan.header, plan.unit, plan.count, plan.size]);
  if (made === said) return division;
  return { problem: `campaign '${name}' was begun with other models or libraries than are here` };
}

/**
 * Divides the command line of a plan. Commands throw if their words are wrong; `campaign start` would not have written
 * such a plan.
 */
async function divided(name: string, { words, paths }: Plan): Promise<Divided | Failed> {
  try {
    return await divide(words, paths);
  } catch (error) {
    if (!(error instanceof UsageError || error instanceof CommanderError)) throw error;
    return { problem: `campaign '${name}' has no command line of a campaign: ${error.message}` };
  }
}
