import { spawn } from 'node:child_process';
import { join } from 'node:path';
import type { CodeMutant } from './mutant.js';
import { ROOT } from './mutant.js';
import type { Stage } from './stages.js';

/**
 * Who caught a mistake: a verdict that is not the expected one, the independent evaluator, another engine that finds other
 * final states, or a test of Remora's own.
 */
export interface Catch {
  readonly how: 'verdict' | 'evaluator' | 'states' | 'test';
  /** The test, the query and what was said of it. */
  readonly where: string;
}

/** What became of one run. */
export type Finding =
  | { readonly kind: 'caught'; readonly by: Catch }
  | { readonly kind: 'as expected' }
  /** It was ended because it took too long, and nothing was wrong until then. */
  | { readonly kind: 'ended' }
  /** It does not run at all: nothing was decided. */
  | { readonly kind: 'broken'; readonly why: string };

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

/** Seconds for one query. */
const QUERY_LIMIT = 10;

/** Exit code of the command line where a verdict departs (docs/cli.md). */
const DEPARTS = 1;

/**
 * Runs a stage in a copy of Remora, in a process of its own.
 *
 * @param mutant the mistake in the copy; undefined: none. Test files are run over the sources with the mistake in them.
 */
export async function runStage(
  folder: string,
  { command, args, limit }: Stage,
  mutant?: CodeMutant,
): Promise<Finding> {
  const main = [join(folder, 'dist', 'cli', 'main.js'), command, ...args];
  const options = ['--json', '--jobs', '1', '--time-limit', `${QUERY_LIMIT}`];
  switch (command) {
    case 'test':
      return judge(await run([...main, ...options], limit));
    case 'agree':
      return judgeAgreement(await run([...main, ...options], limit));
    case 'vitest': {
      const config = join(ROOT, 'mutate', 'code', 'vitest.config.ts');
      const vitest = join(ROOT, 'node_modules', 'vitest', 'vitest.mjs');
      const how = ['--config', config, '--reporter', 'json', '--bail', '1'];
      return judgeTests(await run([vitest, 'run', ...args, ...how], limit, mutant));
    }
  }
}

function judge({ code, out, errors }: Ended): Finding {
  const text = out.split('\n').filter((line) => line !== '');
  const lines = text.map((line) => JSON.parse(line) as Line);
  const departing = lines.find((line) => line.departs === true);
  if (departing !== undefined) {
    const { verdict, expected } = departing;
    return caught('verdict', departing, `${verdict}, expected ${expected}`);
  }
  const refuted = lines.find((line) => line.reason?.startsWith('internal error') === true);
  if (refuted !== undefined) {
    return caught('evaluator', refuted, refuted.reason!.split('; execution:')[0]);
  }
  const lost = lines.find((line) => line.verdict === 'untranslatable');
  if (code === DEPARTS && lost !== undefined) {
    // Whether something was expected of a lost query is told by the exit code alone.
    return caught('verdict', lost, 'untranslatable');
  }
  if (code === undefined) return { kind: 'ended' };
  const decided = lines.some((line) => line.verdict !== 'unknown');
  if (code === 2 || !decided) {
    const why = errors.trim().split('\n')[0] || lines[0]?.reason || `exit code ${code}`;
    return { kind: 'broken', why };
  }
  return { kind: 'as expected' };
}

function caught(how: Catch['how'], { test, query, model }: Line, said: string): Finding {
  return { kind: 'caught', by: { how, where: `${test}, ${query} under ${model}: ${said}` } };
}

/** The line of `remora agree --json` as far as it matters here (docs/agree.md). */
interface Agreement {
  readonly agree: boolean;
  readonly disagreement?: { readonly program: string; readonly reason?: string };
}

function judgeAgreement(ended: Ended): Finding {
  if (ended.out === '') return broken(ended);
  const { agree, disagreement } = JSON.parse(ended.out) as Agreement;
  if (agree || disagreement === undefined) return { kind: 'as expected' };
  const { program, reason } = disagreement;
  const [how, said] =
    reason === undefined
      ? (['states', 'other final states'] as const)
      : (['evaluator', reason.split('; execution:')[0]] as const);
  return { kind: 'caught', by: { how, where: `${program}: ${said}` } };
}

/** The JSON report of Vitest as far as it matters here. */
interface Tests {
  readonly success: boolean;
  readonly testResults: readonly {
    readonly assertionResults: readonly { readonly fullName: string; readonly status: string }[];
  }[];
}

function judgeTests(ended: Ended): Finding {
  if (ended.out === '') return broken(ended);
  const { success, testResults } = JSON.parse(ended.out) as Tests;
  if (success) return { kind: 'as expected' };
  const all = testResults.flatMap(({ assertionResults }) => assertionResults);
  const failed = all.find(({ status }) => status === 'failed');
  if (failed === undefined) return broken(ended);
  return { kind: 'caught', by: { how: 'test', where: failed.fullName } };
}

/** Of a run that says nothing. */
function broken({ code, errors }: Ended): Finding {
  if (code === undefined) return { kind: 'ended' };
  return { kind: 'broken', why: errors.trim().split('\n')[0] || `exit code ${code}` };
}

interface Ended {
  /** Undefined where the process was ended because it took too long. */
  readonly code: number | undefined;
  readonly out: string;
  readonly errors: string;
}

function run(args: readonly string[], limit: number, mutant?: CodeMutant): Promise<Ended> {
  return new Promise((resolve, reject) => {
    const child = spawn(process.execPath, args, {
      stdio: ['ignore', 'pipe', 'pipe'],
      env: { ...process.env, REMORA_MUTANT: mutant?.name ?? '' },
    });
    const out: Buffer[] = [];
    const errors: Buffer[] = [];
    const text = (chunks: readonly Buffer[]) => Buffer.concat(chunks).toString();
    const timer = setTimeout(() => child.kill('SIGKILL'), limit * 1000);
    child.stdout.on('data', (chunk: Buffer) => out.push(chunk));
    child.stderr.on('data', (chunk: Buffer) => errors.push(chunk));
    child.on('error', reject);
    child.on('close', (code) => {
      clearTimeout(timer);
      resolve({ code: code ?? undefined, out: text(out), errors: text(errors) });
    });
  });
}
