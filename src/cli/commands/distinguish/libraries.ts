import { dirname, join } from 'node:path';
import { MADE } from '../../../analyses/by-size/programs.js';
import { compareClient } from '../../../analyses/distinguish/clients.js';
import { distinctionOf } from '../../../analyses/distinguish/distinction.js';
import type { Wanted } from '../../../analyses/distinguish/part.js';
import { firstOf } from '../../../analyses/distinguish/part.js';
import { ClientGenerator, GENERATE_BOUNDS } from '../../../analyses/refine/generate.js';
import type { Pool } from '../../../analyses/workers.js';
import type { Model } from '../../../model/term.js';
import { DISK } from '../../../node/models.js';
import { readLitmus } from '../../../node/tests.js';
import { Libraries } from '../../../program/libraries.js';
import type { Test } from '../../../program/program.js';
import type { Engine } from '../../../rdma/engines.js';
import type { PairRecord } from '../../../report/distinguish.js';
import { UsageError } from '../../command/usage.js';
import { noSuchLibrary } from '../../inputs/corpus.js';
import { render } from '../../inputs/messages.js';
import type { Output } from '../../outputs/plan.js';
import { answer, refuse } from '../../run/answer.js';
import { startRun } from '../../run/tasks.js';
import type { Options } from './options.js';
import { namesOf, pairReport } from './pair.js';

/** How many clients are under way at once: each takes milliseconds. */
const AT_ONCE = 6;

/** How many threads and nodes clients have at most. */
const MOST = 3;

/** Does a model stand for a library? Then its programs are clients. */
export const isLibrary = ({ instructions }: Model): boolean => instructions.libraries.length > 0;

/** Do these models stand for libraries? @throws UsageError if only some do */
export function areLibraries(models: readonly Model[]): boolean {
  const library = models.find(isLibrary);
  if (library === undefined) return false;
  const other = models.find((model) => !isLibrary(model));
  if (other !== undefined) {
    throw new UsageError(`${library.name} is a library, and ${other.name} is none`);
  }
  if (models.length > 2) throw new UsageError('libraries are compared two at a time');
  return true;
}

/** Clients of two files for one library, the smallest first, and how they are decided. */
interface Clients {
  /** The libraries together, with each of the two files. */
  readonly pair: readonly [Model, Model];
  readonly clients: readonly Client[];
  readonly read: (text: string) => Test;
  /** What they call. */
  readonly operations: readonly string[];
}

interface Client {
  readonly calls: number;
  readonly text: string;
}

/**
 * The smallest client that tells two files for one library apart.
 *
 * @param calls the most calls of a client
 * @throws UsageError
 */
export async function distinguishLibraries(
  [a, b]: readonly [Model, Model],
  { calls, wanted }: { readonly calls: number; readonly wanted: Wanted },
  options: Options,
  outputs: readonly Output[],
): Promise<number> {
  checkOptions(options);
  const made = clientsOf([a, b], calls, options.with ?? []);
  if ('errors' in made) return refuse(made.errors);
  const { engine, reporter = 'text' } = options;
  const started = performance.now();
  return answer(startRun(options, true), {
    atOnce: AT_ONCE,
    last: ({ differing }) => wanted === 'first' && differing.length > 0,
    tasks: made.clients.map((client, i) => ({
      name: `client ${i + 1}`,
      do: (pool) => recordOf(pool, client, made, engine),
    })),
    report(results, interrupted) {
      const groups = wantedOf(results, wanted);
      const about = { models: namesOf([a, b]), operations: made.operations, marks: [], calls };
      const seconds = (performance.now() - started) / 1000;
      return pairReport({ ...about, groups, wanted, interrupted, seconds }, reporter, outputs);
    },
  });
}

/** What is found out about one client. */
async function recordOf(
  pool: Pool,
  { calls, text }: Client,
  { pair, read }: Clients,
  engine: Engine,
): Promise<PairRecord> {
  const record = { calls, programs: 1, differing: [], open: [], distinctions: [] };
  const compared = await compareClient(pool, read(text), pair, engine);
  if ('open' in compared) return { ...record, open: [{ litmus: text, reason: compared.open }] };
  const [first, second] = compared.only.map((states) => states.length > 0);
  if (!first && !second) return record;
  const found = await distinctionOf(pool, pair, text, read, engine);
  if ('unfinished' in found) return { ...record, unfinished: found.unfinished };
  return {
    ...record,
    differing: [{ litmus: text, more: [first, second] }],
    distinctions: [found],
  };
}

/** The results for each number of calls, with those clients that are wanted. */
function wantedOf(results: readonly PairRecord[], wanted: Wanted): readonly PairRecord[] {
  const least = results.find(({ differing }) => differing.length > 0)?.calls ?? Infinity;
  const own = results.filter(({ calls }) => wanted === 'both' || calls <= least);
  const all = own.flatMap(({ differing }) => differing);
  const told = new Set(firstOf(all, wanted));
  return own.map((one) =>
    one.differing.some((program) => told.has(program)) ? one : { ...one, distinctions: [] },
  );
}

/** @throws UsageError */
function checkOptions({ operations, tags, resume }: Options): void {
  const [given] = [
    ...(operations === undefined ? [] : ['--operations']),
    ...(tags ? [] : ['--no-tags']),
    ...(resume === undefined ? [] : ['--resume']),
  ];
  if (given !== undefined) throw new UsageError(`${given}: not for libraries`);
}

/** The library of a machine's memory, which clients use without saying so. */
const MEMORY = 'rl';

/** @param others libraries that clients use, too, by name or path; memory by itself only if it is among them */
function clientsOf(
  [a, b]: readonly [Model, Model],
  calls: number,
  others: readonly string[],
): Clients | { readonly errors: readonly string[] } {
  const [name, other] = [a, b].map(({ instructions }) => instructions.libraries[0].name);
  if (name !== other) {
    const hint = 'there are to be two files for one library';
    throw new UsageError(`${a.name} is of the library ${name}, and ${b.name} of ${other}: ${hint}`);
  }
  const libraries = new Libraries(DISK);
  const beside = join(dirname(a.file), `${MADE}.litmus`);
  const named = others.filter((one) => one !== MEMORY);
  const paths = named.map((one) => ({ one, path: libraries.libraryFile(one, '.') }));
  const missing = paths.flatMap(({ one, path }) => (path === undefined ? [one] : []));
  if (missing.length > 0) return { errors: missing.map((one) => noSuchLibrary(one, '--with')) };
  const together = [a, b].map((model) =>
    libraries.compose([model.file, ...paths.flatMap(({ path }) => path ?? [])], {
      name: model.name,
    }),
  );
  // What is wrong with one is mostly wrong with the other, too.
  const [errors] = together.flatMap(({ model, sources }) =>
    model.ok ? [] : [render(model.errors, sources)],
  );
  if (errors !== undefined) return { errors };
  const pair = together.flatMap(({ model }) => (model.ok ? [model.value] : []));
  const { instructions } = pair[0];
  const used = instructions.libraries.flatMap((one) => (one.name === MEMORY ? [] : one.name));
  const bounds = {
    ...GENERATE_BOUNDS,
    ...{ threads: Math.min(calls, MOST), nodes: MOST, calls },
    locations: others.includes(MEMORY) ? GENERATE_BOUNDS.locations : 0,
  };
  const generator = new ClientGenerator(instructions, used, bounds);
  const clients: Client[] = [];
  for (const client of generator.clients()) {
    const own = client.threads.flat().length;
    if (own > calls) break;
    clients.push({ calls: own, text: generator.text(client, MADE) });
  }
  const read = (text: string): Test => {
    const { test } = readLitmus(text, beside, [], { libraries, instead: [a.file] });
    if (!test.ok) throw new Error(`a client that was made is wrong: ${test.errors[0].message}`);
    return { ...test.value, models: undefined };
  };
  const operations = instructions.operations.flatMap(({ name: own, library, tag }) =>
    used.includes(library ?? '') && tag === undefined ? own : [],
  );
  const plain = bounds.locations === 0 ? [] : ['read', 'write', 'put', 'get'];
  return { pair: [pair[0], pair[1]], clients, read, operations: [...operations, ...plain] };
}
