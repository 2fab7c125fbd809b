import pLimit from 'p-limit';
import type { Pool } from '../../../analyses/workers.js';
import { JSON_FORMAT } from '../../../report/json.js';
import type { ClientResult } from '../../../report/refine.js';
import { render } from '../../inputs/messages.js';
import { complain } from '../../print/print.js';
import type { GeneratedClient, GeneratedClients } from '../refine/generated.js';
import { CLIENTS_AT_ONCE, boundsText, generatedClients } from '../refine/generated.js';
import type { RefineCommandOptions } from '../refine/pairs.js';
import { explainedSmaller } from '../refine/smaller.js';
import type { RefineInputs } from '../refine/refine.js';
import { implementedBy, readRefine } from '../refine/refine.js';
import { contentOf } from '../../inputs/shard.js';
import { VERSION } from '../../package.js';
import type { DividedCommand } from './division.js';
import type { CampaignPart, RefineRecord } from '../../results/records.js';
import { wrongLine } from '../../results/records.js';

/** Clients a job: a few seconds. */
const SIZE = 50;

/** `refine --generate`: ranges of generated clients. */
export async function divideRefine(
  operands: readonly string[],
  options: RefineCommandOptions,
): Promise<DividedCommand> {
  const read = await readRefine(operands, options);
  const { reader, implementations, about, inlined, paths } = read;
  const errors = [...read.errors];
  if (paths.length > 0) {
    errors.push(
      `${paths[0]}: a campaign is about the clients that --generate makes, and no others`,
    );
  }
  if (errors.length > 0) return { errors };
  const clients = generatedClients(implementations, about, inlined, options);
  if ('errors' in clients) return clients;
  const { count } = clients;
  // The first client reads the files of libraries, so that now all files are read.
  const first = clients.read(0);
  if ('errors' in first) return first;
  const files = [...new Set(reader.files)];
  const texts = files.flatMap((path) => {
    const file = reader.read(path);
    if (!file.ok) complain(render(file.errors, new Map()));
    return file.ok ? [file.value.text] : [];
  });
  const { engine, bound, timeLimit, library, set } = options;
  return {
    header: {
      remora: VERSION,
      format: JSON_FORMAT,
      command: 'refine',
      implementations: implementedBy(read),
      content: contentOf(texts.join('\n')),
      clients: count,
      complete: clients.complete(count),
      bounds: boundsText(clients.bounds),
      engine,
      bound,
      timeLimit,
      library,
      set,
    },
    unit: 'client',
    count,
    size: SIZE,
    paths: [],
    files,
    run: { ...options, engine: clients.engine },
    warnings: [],
    async work({ id, from, to }, pool) {
      const record = await decideRange(clients, read, options, { from, to }, pool);
      return JSON.stringify({ job: id, from, to, ...record });
    },
    wrong: (job, results) => wrongLine('refine', results, job),
  };
}

/** Decides all clients of a range. The first that fails is shrunk and explained. */
async function decideRange(
  clients: GeneratedClients,
  { about, inlined }: RefineInputs,
  options: RefineCommandOptions,
  { from, to }: CampaignPart,
  pool: Pool,
): Promise<RefineRecord> {
  const started = performance.now();
  const lane = pLimit(CLIENTS_AT_ONCE);
  const results = await Promise.all(
    Array.from({ length: to - from }, (_, i) =>
      lane(async () => {
        const client = readClient(clients, from + i);
        return { client, result: await clients.decide(client, pool, false) };
      }),
    ),
  );
  if (pool.problem !== undefined) throw new Error(pool.problem);
  const failed = results.find(({ result }) => result.verdict === 'does not refine');
  const less =
    failed === undefined
      ? undefined
      : ((await explainedSmaller(failed.client, about, inlined, options, pool)) ??
        (await clients.decide(failed.client, pool, true)));
  const shown = results.map((one): ClientResult =>
    one === failed && less !== undefined ? less : one.result,
  );
  return {
    clients: results.length,
    results: shown.filter(({ verdict, hangs }) => hangs || verdict !== 'refines'),
    milliseconds: performance.now() - started,
  };
}

function readClient(clients: GeneratedClients, index: number): GeneratedClient {
  const client = clients.read(index);
  if ('errors' in client) throw new Error(client.errors.join('\n'));
  return client;
}
