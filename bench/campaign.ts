// A campaign that is disturbed: one of two workers is killed ten times, Redis is stopped and started once, and every
// program has to be counted once. Then the rate of an undisturbed one, beside one process without Redis.
// Writes bench/campaign.md. It takes long: `npm run build && npx tsx bench/campaign.ts [programs]`. Needs redis-server.
import type { ChildProcess } from 'node:child_process';
import { spawn, spawnSync } from 'node:child_process';
import { once } from 'node:events';
import { mkdtempSync, readFileSync, rmSync, writeFileSync } from 'node:fs';
import { cpus, loadavg, tmpdir } from 'node:os';
import { join } from 'node:path';
import { setTimeout as sleep } from 'node:timers/promises';
import { fileURLToPath } from 'node:url';

const MAIN = fileURLToPath(new URL('../dist/cli/main.cjs', import.meta.url));
const PROGRAMS = Number(process.argv[2] ?? 100_000);
const KILLS = 10;
/** So many programs are compared for the rate, so many times. */
const RATED = Math.min(1000, PROGRAMS);
const ROUNDS = 3;
const ASKED = ['--engine', 'search,enumerate', '--limit', '50', '-m', 'rdma-tso'];

const folder = mkdtempSync(join(tmpdir(), 'remora-bench-campaign-'));
const socket = join(folder, 'redis');
const env = { ...process.env, REMORA_REDIS: socket };
const processes = new Set<ChildProcess>();

/** A process, what it has said so far, and its exit code. */
interface Started {
  readonly said: () => string;
  readonly ended: Promise<number | null>;
  kill(signal: NodeJS.Signals): void;
}

function start(program: string, args: readonly string[]): Started {
  const child = spawn(program, args, { cwd: folder, env, stdio: ['ignore', 'pipe', 'pipe'] });
  processes.add(child);
  let said = '';
  child.stdout.on('data', (text: Buffer) => (said += text));
  child.stderr.on('data', (text: Buffer) => (said += text));
  const ended = once(child, 'exit').then(([code]) => code as number | null);
  void ended.then(() => processes.delete(child));
  return { said: () => said, ended, kill: (signal) => void child.kill(signal) };
}
const remora = (...args: readonly string[]): Started => start(process.execPath, [MAIN, ...args]);
const campaign = (action: string, name: string, ...args: readonly string[]): Started =>
  remora('campaign', action, name, ...args);

async function startRedis(): Promise<Started> {
  const args = ['--port', '0', '--unixsocket', socket, '--appendonly', 'yes', '--save', ''];
  const redis = start('redis-server', [...args, '--dir', folder, '--logfile', join(folder, 'log')]);
  const ping = () => spawnSync('redis-cli', ['-s', socket, 'ping'], { encoding: 'utf8' }).stdout;
  while (!ping()?.includes('PONG')) await sleep(50);
  return redis;
}

/** A job that is done: which programs it was, and what came of them. */
interface Job {
  readonly job: unknown;
  readonly from: number;
  readonly to: number;
  readonly programs: number;
  readonly disagreements: readonly unknown[];
}

/** The lines of the jobs that a file has so far. */
const linesOf = (file: string): readonly Job[] => {
  try {
    return readFileSync(file, 'utf8')
      .split('\n')
      .slice(1, -1)
      .map((line) => JSON.parse(line) as Job);
  } catch {
    return [];
  }
};
const sum = (numbers: readonly number[]): number => numbers.reduce((a, b) => a + b, 0);
const seconds = (since: number): number => (performance.now() - since) / 1000;

async function disturbed() {
  let redis = await startRedis();
  const out = join(folder, 'campaign.jsonl');
  const begun = performance.now();
  await campaign('start', 'disturbed', '--', 'agree', '--random', `${PROGRAMS}`, ...ASKED).ended;
  const worker = () => campaign('work', 'disturbed', '--jobs', '1');
  const steady = worker();
  let victim = worker();
  const watch = campaign('watch', 'disturbed', '--out', out);
  let [kills, restarts] = [0, 0];
  let finished = false;
  void watch.ended.then(() => (finished = true));
  while (!finished) {
    await sleep(500);
    const done = sum(linesOf(out).map(({ from, to }) => to - from));
    if (kills < KILLS && done >= ((kills + 1) * PROGRAMS) / (KILLS + 3)) {
      victim.kill('SIGKILL');
      await victim.ended;
      kills += 1;
      victim = worker();
      process.stderr.write(`${done} programs; ${kills} kills\n`);
    }
    if (restarts === 0 && done >= PROGRAMS / 2) {
      redis.kill('SIGTERM');
      await redis.ended;
      await sleep(3000);
      redis = await startRedis();
      restarts = 1;
      process.stderr.write(`${done} programs; Redis was stopped and started\n`);
    }
  }
  const codes = await Promise.all([watch, steady, victim].map((child) => child.ended));
  const took = seconds(begun);
  const lines = [...linesOf(out)].sort((a, b) => a.from - b.from);
  const tiled = lines.every(({ from }, i) => from === (lines[i - 1]?.to ?? 0));
  redis.kill('SIGTERM');
  await redis.ended;
  return {
    kills,
    restarts,
    took,
    codes,
    jobs: lines.length,
    distinct: new Set(lines.map(({ job }) => job)).size,
    counted: sum(lines.map(({ programs }) => programs)),
    tiled: tiled && lines.at(-1)?.to === PROGRAMS,
    disagreements: sum(lines.map(({ disagreements }) => disagreements.length)),
    report: watch
      .said()
      .split('\n')
      .filter((line) => !/^campaign|Redis/.test(line)),
    heard: steady
      .said()
      .split('\n')
      .filter((line) => /Redis/.test(line))
      .map((line) => line.replace(socket, 'SOCKET')),
  };
}

/** Wall time, and processor time of all threads. */
interface Took {
  readonly wall: number;
  readonly cpu: number;
}

/** How long a command line takes. */
function timed(line: string): Took {
  const script = `TIMEFORMAT='%R %U %S'; time ${line} >/dev/null 2>/dev/null`;
  const { stderr } = spawnSync('bash', ['-c', script], { cwd: folder, env, encoding: 'utf8' });
  const [wall, user, system] = stderr.trim().split('\n').at(-1)!.split(' ').map(Number);
  return { wall, cpu: user + system };
}

interface Round {
  readonly alone: Took;
  readonly worker: Took;
}

/** The same programs by one process, and by one worker of a campaign, each with two threads; in turns. */
async function rates(): Promise<readonly Round[]> {
  const redis = await startRedis();
  const command = `agree --random ${RATED} ${ASKED.join(' ')}`;
  const node = `'${process.execPath}' '${MAIN}'`;
  const rounds: Round[] = [];
  for (let i = 0; i < ROUNDS; i++) {
    const alone = timed(`${node} ${command} --jobs 2`);
    await campaign('start', `rate-${i}`, '--', ...command.split(' ')).ended;
    const worker = timed(`${node} campaign work rate-${i} --jobs 2`);
    rounds.push({ alone, worker });
    process.stderr.write(`${JSON.stringify(rounds.at(-1))}\n`);
  }
  redis.kill('SIGTERM');
  await redis.ended;
  return rounds;
}

const load = () =>
  loadavg()
    .map((n) => n.toFixed(1))
    .join(', ');
try {
  const loads = [load()];
  const found = await disturbed();
  loads.push(load());
  process.stderr.write(`${JSON.stringify(found, null, 2)}\n`);
  const rounds = await rates();
  loads.push(load());
  const row = ({ alone, worker }: Round): string =>
    `| ${alone.wall.toFixed(1)} | ${alone.cpu.toFixed(1)} | ${worker.wall.toFixed(1)} | ${worker.cpu.toFixed(1)} | ${(alone.wall / worker.wall).toFixed(2)} | ${(alone.cpu / worker.cpu).toFixed(2)} |`;
  const version = spawnSync('redis-server', ['--version'], { encoding: 'utf8' }).stdout.match(
    /v=(\S+)/,
  )![1];
  const text = `# A campaign that is disturbed

By \`npx tsx bench/campaign.ts ${PROGRAMS}\`, on ${new Date().toISOString().slice(0, 10)}: ${cpus().length} × ${cpus()[0].model.trim()}, Node.js ${process.version},
Redis ${version}. Load of the machine (1, 5, 15 minutes) before, between and after: ${loads.join('; ')}.

${PROGRAMS} programs, \`agree --random ${PROGRAMS} ${ASKED.join(' ')}\`, by two workers with one thread each. One worker was killed by
SIGKILL ${found.kills} times, and another took its place; Redis was stopped and started ${found.restarts === 1 ? 'once' : `${found.restarts} times`}.

| | |
| --- | --- |
| jobs, and how many are different | ${found.jobs}, ${found.distinct} |
| programs counted | ${found.counted} |
| every number from 1 to ${PROGRAMS} is in exactly one job | ${found.tiled ? 'yes' : 'no'} |
| disagreements | ${found.disagreements} |
| seconds | ${found.took.toFixed(0)} |
| exit codes of watch, of the worker that was not killed, of the last of the others | ${found.codes.join(', ')} |

\`campaign watch\` reported:

\`\`\`
${found.report.join('\n').trim()}
\`\`\`

The worker that was not killed said of Redis:

\`\`\`
${found.heard.join('\n')}
\`\`\`

## The rate

${RATED} of these programs by one process without Redis, and by one worker of a campaign, both with \`--jobs 2\`, starts included, in turns. Rate: that
of the worker by that of the process, by time, and by processor time, which the load of the machine changes less.

| process, s | processor, s | worker, s | processor, s | rate | by processor |
| --- | --- | --- | --- | --- | --- |
${rounds.map(row).join('\n')}
`;
  process.stdout.write(text);
  writeFileSync(new URL('./campaign.md', import.meta.url), text);
  if (found.counted !== PROGRAMS || !found.tiled || found.disagreements > 0) process.exitCode = 1;
} finally {
  for (const child of processes) child.kill('SIGKILL');
  rmSync(folder, { recursive: true, force: true });
}
