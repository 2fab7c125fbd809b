import { spawn } from 'node:child_process';
import { join } from 'node:path';
import { createInterface } from 'node:readline';
import { commandIn } from './copy.js';
import type { CodeMutant } from './mutant.js';
import { ROOT } from './mutant.js';
import type { Stage } from './stages.js';

/**
 * Who caught a mistake: a verdict that is not the expected one, the independent evaluator, another engine that finds other
 * final states, or a test of Remora's own. `none`: there is no verdict where one is expected, or nothing runs at all.
 */
export interface Catch {
  readonly how: 'verdict' | 'evaluator' | 'states' | 'test' | 'none';
  /** The test, the query and what was said of it. */
  readonly where: string;
}

/** What became of one run; `ended`: it took too long, and nothing was wrong until then. */
export type Finding = Catch | 'as expected' | 'ended';

/** The lines of `remora test --json` as far as they matter here (docs/json.md). */
interface Line {
  readonly test: string;
  readonly query: string;
  readonly model: string;
  readonly verdict: string;
  readonly reason?: string;
  readonly expected?: string;
  readonly departs?: boolean;
}

/** Seconds for one query. On a busy machine the longest takes half of that, without any mistake. */
const QUERY_LIMIT = 60;

/** Exit code of the command line where a verdict departs (docs/cli.md). */
const DEPARTS = 1;

/**
 * Runs a stage in a copy of Remora, in a process of its own, until a mistake shows.
 *
 * @param limit seconds after which it is ended
 * @param mutant the mistake in the copy; undefined: none. Test files are run over the sources with the mistake in them.
 */
export async function runStage(
  folder: string,
  { command, args }: Stage,
  limit: number,
  mutant?: CodeMutant,
): Promise<Finding> {
  const main = [commandIn(folder), command, ...args];
  const options = ['--json', '--jobs', '1', '--time-limit', `${QUERY_LIMIT}`];
  switch (command) {
    case 'test':
      return judge(await run([...main, ...options], limit, { until: caughtBy }));
    case 'agree':
      return judgeAgreement(await run([...main, ...options], limit));
    case 'vitest': {
      const config = join(ROOT, 'mutate', 'code', 'vitest.config.ts');
      const vitest = join(ROOT, 'node_modules', 'vitest', 'vitest.mjs');
      const how = ['--config', config, '--reporter', 'json', '--bail', '1'];
      return judgeTests(await run([vitest, 'run', ...args, ...how], limit, { mutant }));
    }
  }
}

function judge(ended: Ended): Finding {
  const caught = ended.lines.map(caughtBy).find((one) => one !== undefined);
  if (caught !== undefined) return caught;
  if (ended.code === DEPARTS) return { how: 'verdict', where: 'a query has no verdict' };
  return ended.code === 2 || ended.lines.length === 0 ? nothing(ended) : finished(ended);
}

/** What is wrong with a verdict. */
function caughtBy(text: string): Catch | undefined {
  const line = JSON.parse(text) as Line;
  const { test, query, model, verdict, reason = '', expected, departs } = line;
  const caught = (how: Catch['how'], said: string): Catch => ({
    how,
    where: `${test}, ${query} under ${model}: ${said}`,
  });
  if (departs === true) return caught('verdict', `${verdict}, expected ${expected}`);
  if (reason.startsWith('internal error')) return caught('evaluator', reason.split('; exec')[0]);
  const isUndecided = verdict === 'unknown' && expected !== undefined;
  return isUndecided ? caught('none', reason.split('\n')[0]) : undefined;
}

/** The line of `remora agree --json` as far as it matters here (docs/agree.md). */
interface Agreement {
  readonly agree: boolean;
  readonly disagreement?: { readonly program: string; readonly reason?: string };
}

function judgeAgreement(ended: Ended): Finding {
  if (ended.lines.length === 0) return nothing(ended);
  const { disagreement } = JSON.parse(ended.lines[0]) as Agreement;
  if (disagreement === undefined) return finished(ended);
  const { program, reason } = disagreement;
  if (reason === undefined) return { how: 'states', where: `${program}: other final states` };
  return { how: 'evaluator', where: `${program}: ${reason.split('; execution:')[0]}` };
}

/** The JSON report of Vitest as far as it matters here. */
interface Tests {
  readonly success: boolean;
  readonly testResults: readonly {
    readonly assertionResults: readonly { readonly fullName: string; readonly status: string }[];
  }[];
}

function judgeTests(ended: Ended): Finding {
  if (ended.lines.length === 0) return nothing(ended);
  const { success, testResults } = JSON.parse(ended.lines.join('\n')) as Tests;
  if (success) return finished(ended);
  const all = testResults.flatMap(({ assertionResults }) => assertionResults);
  const failed = all.find(({ status }) => status === 'failed');
  return { how: 'test', where: failed?.fullName ?? 'no test runs' };
}

const finished = ({ code }: Ended): Finding => (code === undefined ? 'ended' : 'as expected');

/** Of a run that says nothing. */
const nothing = ({ code, errors }: Ended): Finding =>
  code === undefined
    ? 'ended'
    : { how: 'none', where: errors.split('\n')[0] || `exit code ${code}` };

interface Ended {
  /** Undefined where the process was ended. */
  readonly code: number | undefined;
  readonly lines: readonly string[];
  readonly errors: string;
}

interface RunOptions {
  /** The process is ended by a line of which something is said here. */
  readonly until?: (line: string) => unknown;
  readonly mutant?: CodeMutant;
}

function run(args: readonly string[], limit: number, options: RunOptions = {}): Promise<Ended> {
  const { until, mutant } = options;
  return new Promise((resolve, reject) => {
    const child = spawn(process.execPath, args, {
      stdio: ['ignore', 'pipe', 'pipe'],
      env: { ...process.env, REMORA_MUTANT: mutant?.name ?? '' },
    });
    const lines: string[] = [];
    const errors: Buffer[] = [];
    const timer = setTimeout(() => child.kill('SIGKILL'), limit * 1000);
    createInterface(child.stdout).on('line', (line) => {
      // What comes after it was ended may be half a line.
      if (child.killed) return;
      lines.push(line);
      if (until?.(line) !== undefined) child.kill('SIGKILL');
    });
    child.stderr.on('data', (chunk: Buffer) => errors.push(chunk));
    child.on('error', reject);
    child.on('close', (code) => {
      clearTimeout(timer);
      resolve({ code: code ?? undefined, lines, errors: Buffer.concat(errors).toString().trim() });
    });
  });
}
