import { askLocal } from '../../../analyses/ask/local.js';
import type { CallPromise, LocalAnswer } from '../../../analyses/local/local.js';
import type { Generated, GenerateBounds } from '../../../analyses/refine/generate.js';
import { ClientGenerator, GENERATE_BOUNDS } from '../../../analyses/refine/generate.js';
import type { RefinementPair } from '../../../analyses/refine/refine.js';
import type { Pool } from '../../../analyses/workers.js';
import { INTERRUPTION } from '../../../check/result.js';
import type { ImplementationFile } from '../../../parse/implementation-ast.js';
import type { ClientOptions } from '../../../program/client.js';
import type { LocalReport, LocalResult } from '../../../report/local.js';
import { localJson, localText } from '../../../report/local.js';
import { AS_EXPECTED, DEPARTS, UNDECIDED } from '../../command/exit.js';
import { render } from '../../inputs/messages.js';
import type { Reporters } from '../../print/formats.js';
import { conclude, refuse } from '../../run/answer.js';
import { startRun } from '../../run/tasks.js';
import {
  CLIENTS_AT_ONCE,
  boundsText,
  smallestClients,
  completeUpTo,
  givenBounds,
  noClient,
} from './generated.js';
import type { RefineCommandOptions, RefineFormat } from './pairs.js';
import { besideOf, clientFile, fileOf, pairOf } from './pairs.js';

/** Small bounds, since all executions of each client are tried. */
const BOUNDS: GenerateBounds = { ...GENERATE_BOUNDS, calls: 2, locations: 0, values: 1 };

/** By default, at most so many clients are tried. */
const LIMIT = 500;

/** How many candidate executions are tried for each client. */
const CANDIDATES = 20_000;

/** An implementation that was read. */
interface NamedImplementation {
  readonly path: string;
  readonly file: ImplementationFile;
}

/** What is wrong with an input. */
type Wrong = { readonly errors: readonly string[] };

/** `remora refine --local`: is each implementation locally sound? Each is compared with its own library alone. */
export async function localCommand(
  implementations: readonly NamedImplementation[],
  about: ClientOptions,
  options: RefineCommandOptions,
): Promise<number> {
  const start = performance.now();
  const results: LocalResult[] = [];
  let interrupted = false;
  for (const implementation of implementations) {
    const made = await decideLocally(implementation, about, options);
    if ('errors' in made) return refuse(made.errors);
    results.push(made.result);
    interrupted = made.interrupted;
    if (interrupted) break;
  }
  const seconds = (performance.now() - start) / 1000;
  const { reporter: format = 'text' } = options;
  const departs = results.some((r) => r.promise !== undefined || r.departure !== undefined);
  const isOpen = results.some((r) => r.unknown !== undefined);
  const code = departs ? DEPARTS : isOpen ? UNDECIDED : AS_EXPECTED;
  return conclude({ format, text: REPORTERS[format]({ results, seconds }), interrupted, code });
}

const REPORTERS: Reporters<RefineFormat, LocalReport> = { text: localText, json: localJson };

/** Tries clients of the library of an implementation, the smallest first, until one fails. */
async function decideLocally(
  { path, file }: NamedImplementation,
  about: ClientOptions,
  options: RefineCommandOptions,
): Promise<Wrong | { readonly result: LocalResult; readonly interrupted: boolean }> {
  const clients = localClients(path, file, about, options);
  if ('errors' in clients) return clients;
  // A mistake in the implementation itself shows in the first client.
  const first = clients.read(0);
  if ('errors' in first) return first;
  const run = startRun({ ...options, engine: 'search' }, true);
  const broken: string[] = [];
  const known = new Set<string>();
  const { results, interrupted } = await run.all(
    clients.smallest.clients.map((client, i) => ({
      name: `client ${i + 1}`,
      do: async (pool) => {
        const read = clients.read(i);
        if (!('errors' in read)) return tryClient(pool, client, read, known, options);
        broken.push(...read.errors);
        return undefined;
      },
    })),
    (result) => result === undefined || isBroken(result.answer),
    CLIENTS_AT_ONCE,
  );
  if (broken.length > 0) return { errors: [...new Set(broken)] };
  const tried = results.filter((result) => result !== undefined);
  return { result: localResult(file, clients, tried, interrupted), interrupted };
}

/** The clients on which an implementation is tried. */
interface LocalClients {
  readonly bounds: GenerateBounds;
  readonly smallest: ReturnType<typeof smallestClients>;
  /** A client by its number, from 0, with the calls of its library and with their implementations. */
  read(index: number): Wrong | { readonly text: string; readonly pair: RefinementPair };
}

function localClients(
  path: string,
  { implements: { text: library } }: ImplementationFile,
  about: ClientOptions,
  options: RefineCommandOptions,
): Wrong | LocalClients {
  const { model, sources } = about.libraries.compose([fileOf(library, about, besideOf(path))]);
  if (!model.ok) return { errors: render(model.errors, sources) };
  const bounds = { ...BOUNDS, ...givenBounds(options), locations: 0 };
  const generator = new ClientGenerator(model.value.instructions, [library], bounds);
  const settings = options.set ?? {};
  const inlined = { ...about, implementations: [path], settings };
  const smallest = smallestClients(generator.clients(), options.limit ?? LIMIT);
  if (smallest.clients.length === 0) return { errors: [noClient([library], bounds)] };
  return {
    bounds,
    smallest,
    read(index) {
      const name = `client-${index + 1}`;
      const text = generator.text(smallest.clients[index], name);
      const pair = pairOf({ path: clientFile(name, besideOf(path)), text }, about, inlined);
      if (pair === 'no client') throw new Error('a generated client is one');
      return 'errors' in pair ? pair : { text, pair };
    },
  };
}

/** A client that was tried, and its result. */
interface TriedClient {
  readonly text: string;
  readonly answer: LocalAnswer;
}

/** @param known the calls of earlier clients; those of this client are added */
async function tryClient(
  pool: Pool,
  client: Generated,
  {
    text,
    pair: { specification, implementation },
  }: Exclude<ReturnType<LocalClients['read']>, Wrong>,
  known: Set<string>,
  { bound }: RefineCommandOptions,
): Promise<TriedClient> {
  const [above] = specification.models!;
  const [below] = implementation.models!;
  const question = {
    specification: specification.program,
    implementation: implementation.program,
    promises: newCalls(client, known),
    limit: CANDIDATES,
  };
  return { answer: await askLocal(pool, question, [above, below], bound), text };
}

function localResult(
  file: ImplementationFile,
  { bounds, smallest }: LocalClients,
  tried: readonly TriedClient[],
  interrupted: boolean,
): LocalResult {
  const isDone = ({ answer: { order } }: TriedClient): boolean =>
    order.kind !== 'unknown' || order.reason !== INTERRUPTION;
  const done = tried.filter(isDone);
  const open = tried.findIndex((one) => !isDone(one));
  const failed = done.find(({ answer }) => isBroken(answer));
  const reasons = done.flatMap(({ answer: { order } }) =>
    order.kind === 'unknown' ? [order.reason] : [],
  );
  const executions = done.map(({ answer: { order } }) =>
    order.kind === 'kept' ? order.executions : 0,
  );
  return {
    name: file.name.text,
    library: file.implements.text,
    over: file.over.map(({ text }) => text),
    calls: done.reduce((sum, { answer }) => sum + answer.promised, 0),
    clients: done.length,
    ...(interrupted ? { of: smallest.clients.length } : {}),
    complete:
      failed === undefined ? completeUpTo(smallest, open < 0 ? tried.length : open) : undefined,
    executions: executions.reduce((a, b) => a + b, 0),
    bounds: boundsText(bounds),
    ...(failed === undefined ? {} : { text: failed.text, ...failureOf(failed.answer) }),
    ...(reasons.length === 0 ? {} : { unknown: { clients: reasons.length, reason: reasons[0] } }),
  };
}

const isBroken = ({ promise, order }: LocalAnswer): boolean =>
  promise !== undefined || order.kind === 'departs';

function failureOf({ promise, order }: LocalAnswer): Pick<LocalResult, 'departure'> & {
  readonly promise?: CallPromise;
} {
  if (promise !== undefined) return { promise };
  return order.kind === 'departs' ? { departure: order.departure } : {};
}

/** The calls of a client that no earlier client has. Calls are the same if threads, objects and arguments are. */
function newCalls(
  { shape, threads }: Generated,
  known: Set<string>,
): readonly (readonly [number, number])[] {
  return threads.flatMap((calls, thread) =>
    calls.flatMap((call, k) => {
      const { kind, ...named } = call;
      const operation = kind.kind === 'operation' ? kind.operation.name : '';
      const key = JSON.stringify([shape, thread, operation, named]);
      if (known.has(key)) return [];
      known.add(key);
      return [[thread, k] as const];
    }),
  );
}
