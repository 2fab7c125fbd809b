import { INTERRUPTION } from '../../../check/result.js';
import type { Generated, GenerateBounds } from '../../../analyses/refine/generate.js';
import { ClientGenerator, GENERATE_BOUNDS } from '../../../analyses/refine/generate.js';
import type { RefinementPair } from '../../../analyses/refine/refine.js';
import { refine as refinePair } from '../../../analyses/refine/refine.js';
import type { Pool } from '../../../analyses/workers.js';
import type { ImplementationFile } from '../../../parse/implementation-ast.js';
import type { ClientOptions } from '../../../program/client.js';
import type { Engine } from '../../../rdma/engines.js';
import type { ClientResult, Tried } from '../../../report/refine.js';
import { render } from '../../inputs/messages.js';
import type { ImplementationOptions, RefineCommandOptions } from './pairs.js';
import { besideOf, clientFile, fileOf, pairOf } from './pairs.js';
import { smallerResult } from './smaller.js';
import { startRun } from '../../run/tasks.js';

/** By default, at most so many generated clients are tried. */
const LIMIT = 10_000;

/** How many clients are under way at once: a client takes milliseconds, so some texts should wait for a worker. */
export const CLIENTS_AT_ONCE = 6;

/** The results of generated clients. */
interface GeneratedResults {
  readonly results: readonly ClientResult[];
  readonly tried: Tried;
  readonly interrupted: boolean;
}

/** Generated clients, each made when it is asked for. */
export interface GeneratedClients {
  readonly count: number;
  readonly bounds: GenerateBounds;
  /** The engine that workers are started with. */
  readonly engine: Engine;
  /** The largest number of calls for which all clients are among the first `tried`. */
  complete(tried: number): number;
  /** A client by its number, from 0. */
  read(index: number): { readonly errors: readonly string[] } | GeneratedClient;
  decide(client: GeneratedClient, pool: Pool, explained: boolean): Promise<ClientResult>;
}

/** A client, and the name for smaller clients. */
export interface GeneratedClient {
  readonly pair: RefinementPair;
  readonly name: string;
  readonly text: string;
}

/** The clients of the topmost libraries, the smallest first. */
export function generatedClients(
  implementations: readonly ImplementationFile[],
  about: ClientOptions,
  inlined: ImplementationOptions,
  options: RefineCommandOptions,
): { readonly errors: readonly string[] } | GeneratedClients {
  const below = new Set(implementations.flatMap(({ over }) => over.map(({ text }) => text)));
  const top = implementations
    .map((one) => one.implements.text)
    .filter((library) => !below.has(library));
  if (top.length === 0)
    return { errors: ['--generate makes clients of libraries: name an implementation of one'] };
  const beside = besideOf(inlined.implementations?.[0] ?? '.');
  const paths = top.map((name) => fileOf(name, about, beside));
  const { model, sources } = about.libraries.compose(paths);
  if (!model.ok) return { errors: render(model.errors, sources) };
  const bounds: GenerateBounds = { ...GENERATE_BOUNDS, ...givenBounds(options) };
  const generator = new ClientGenerator(model.value.instructions, top, bounds);
  const smallest = smallestClients(generator.clients(), options.limit ?? LIMIT);
  if (smallest.clients.length === 0) return { errors: [noClient(top, bounds)] };
  // Most clients are decided by the search alone; what it leaves open is asked again.
  const engine = options.engine === 'auto' ? 'search' : options.engine;
  return {
    count: smallest.clients.length,
    bounds,
    engine,
    complete: (tried) => completeUpTo(smallest, tried),
    read(index) {
      const name = `client-${index + 1}`;
      const text = generator.text(smallest.clients[index], name);
      const pair = pairOf({ path: clientFile(name, beside), text }, about, inlined);
      if (pair === 'no client') throw new Error('generated clients use libraries');
      return 'errors' in pair ? pair : { pair, name, text };
    },
    async decide({ pair, text }, pool, explained) {
      const ask = { ...options, explained };
      const first = await refinePair(pool, pair, { ...ask, engine });
      const isOpen = first.verdict === 'unknown' && engine !== options.engine;
      const found = isOpen ? await refinePair(pool, pair, ask) : first;
      return { ...found, text };
    },
  };
}

/** Decides the clients in order until one fails. */
export async function generated(
  implementations: readonly ImplementationFile[],
  about: ClientOptions,
  inlined: ImplementationOptions,
  options: RefineCommandOptions,
): Promise<{ readonly errors: readonly string[] } | GeneratedResults> {
  const clients = generatedClients(implementations, about, inlined, options);
  if ('errors' in clients) return clients;
  const run = startRun({ ...options, engine: clients.engine }, true);
  const broken: string[] = [];
  const { results, interrupted } = await run.all(
    Array.from({ length: clients.count }, (_, i) => ({
      name: `client ${i + 1}`,
      do: async (pool): Promise<ClientResult | undefined> => {
        const client = clients.read(i);
        if (!('errors' in client)) return clients.decide(client, pool, true);
        broken.push(...client.errors);
        return undefined;
      },
    })),
    (result) => result === undefined || result.verdict === 'does not refine',
    CLIENTS_AT_ONCE,
  );
  if (broken.length > 0) return { errors: [...new Set(broken)] };
  const all = results.filter((result) => result !== undefined);
  const isDone = ({ reason }: ClientResult): boolean => reason !== INTERRUPTION;
  const done = all.filter(isDone);
  const open = all.findIndex((result) => !isDone(result));
  const tried: Tried = {
    clients: done.length,
    ...(interrupted ? { of: clients.count } : {}),
    complete: clients.complete(open < 0 ? all.length : open),
    bounds: boundsText(clients.bounds),
  };
  const failed = done.findIndex(({ verdict }) => verdict === 'does not refine');
  if (failed < 0 || interrupted) return { results: done, tried, interrupted };
  // All clients before it are done, so this is its number.
  const client = clients.read(failed);
  if ('errors' in client) throw new Error('it was read before');
  const less = await smallerResult(client, about, inlined, options);
  return {
    results: done.with(failed, less.result ?? done[failed]),
    tried,
    interrupted: less.interrupted,
  };
}

/** The message if bounds leave no client of libraries. */
export const noClient = (libraries: readonly string[], bounds: GenerateBounds): string =>
  `there is no client of ${libraries.join(', ')} with ${boundsText(bounds)}`;

/** The smallest clients, as many as are tried. */
interface SmallestClients {
  readonly clients: readonly Generated[];
  /** The number of calls of the first client that is left out; undefined if none is. */
  readonly next?: number;
}

export function smallestClients(all: Iterable<Generated>, limit: number): SmallestClients {
  const clients: Generated[] = [];
  for (const client of all) {
    if (clients.length === limit) return { clients, next: callsOf(client) };
    clients.push(client);
  }
  return { clients };
}

/** The largest number of calls for which all clients are among the first `tried`. */
export function completeUpTo({ clients, next }: SmallestClients, tried: number): number {
  const left = tried < clients.length ? callsOf(clients[tried]) : next;
  if (left !== undefined) return left - 1;
  return clients.length === 0 ? 0 : callsOf(clients[clients.length - 1]);
}

const callsOf = ({ threads }: Generated): number => threads.flat().length;

/** The bounds among the options of the command. */
export function givenBounds(options: RefineCommandOptions): Partial<GenerateBounds> {
  const { threads, nodes, calls, objects, locations, values } = options;
  const all = { threads, nodes, calls, objects, locations, values };
  return Object.fromEntries(Object.entries(all).filter(([, value]) => value !== undefined));
}

export function boundsText(b: GenerateBounds): string {
  const most = (count: number, what: string) => `${count} ${what}${count === 1 ? '' : 's'}`;
  return [
    `at most ${most(b.threads, 'thread')} on ${most(b.nodes, 'node')}`,
    `${most(b.calls, 'call')} a thread`,
    most(b.objects, 'object'),
    ...(b.locations === 0 ? [] : [most(b.locations, 'location')]),
    `values 0 to ${b.values}`,
  ].join(', ');
}
