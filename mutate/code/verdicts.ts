import { spawn } from 'node:child_process';
import { join } from 'node:path';
import type { Stage } from './stages.js';

/** Who caught a mistake: a verdict that is not the expected one, or the independent evaluator. */
export interface Catch {
  readonly how: 'verdict' | 'evaluator';
  /** The test, the query and what was said of it. */
  readonly where: string;
}

/** What became of one run. */
export type Finding =
  | { readonly kind: 'caught'; readonly by: Catch }
  | { readonly kind: 'as expected' }
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

/** Seconds for one query, and for a whole run. */
const QUERY_LIMIT = 10;
const RUN_LIMIT = 300;

/** Exit code of the command line where a verdict departs (docs/cli.md). */
const DEPARTS = 1;

/** Runs `remora test` in a copy of Remora, in a process of its own. */
export async function runStage(folder: string, stage: Stage): Promise<Finding> {
  const main = join(folder, 'dist', 'cli', 'main.js');
  const options = ['--json', '--jobs', '1', '--time-limit', `${QUERY_LIMIT}`];
  const { code, out, errors } = await run([main, 'test', ...stage, ...options]);
  const text = out.split('\n').filter((line) => line !== '');
  return judge(
    text.map((line) => JSON.parse(line) as Line),
    code,
    errors,
  );
}

function judge(lines: readonly Line[], code: number | undefined, errors: string): Finding {
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

interface Ended {
  /** Undefined where the process was ended because it took too long. */
  readonly code: number | undefined;
  readonly out: string;
  readonly errors: string;
}

function run(args: readonly string[]): Promise<Ended> {
  return new Promise((resolve, reject) => {
    const child = spawn(process.execPath, args, { stdio: ['ignore', 'pipe', 'pipe'] });
    const out: Buffer[] = [];
    const errors: Buffer[] = [];
    const text = (chunks: readonly Buffer[]) => Buffer.concat(chunks).toString();
    const timer = setTimeout(() => child.kill('SIGKILL'), RUN_LIMIT * 1000);
    child.stdout.on('data', (chunk: Buffer) => out.push(chunk));
    child.stderr.on('data', (chunk: Buffer) => errors.push(chunk));
    child.on('error', reject);
    child.on('close', (code) => {
      clearTimeout(timer);
      resolve({ code: code ?? undefined, out: text(out), errors: text(errors) });
    });
  });
}
