import type { CallPromise, LocalAnswer } from '../../../analyses/local/local.js';
import { INTERRUPTION } from '../../../check/result.js';
import { askLocal } from '../../../analyses/ask/local.js';
import type { Generated, GenerateBounds } from '../../../analyses/refine/generate.js';
import { ClientGenerator, GENERATE_BOUNDS } from '../../../analyses/refine/generate.js';
import { render } from '../../inputs/messages.js';
import type { ImplementationFile } from '../../../parse/implementation-ast.js';
import type { ClientOptions } from '../../../program/client.js';
import type { LocalReport, LocalResult } from '../../../report/local.js';
import { localJson, localText } from '../../../report/local.js';
import { AS_EXPECTED, BAD_INPUT, DEPARTS, INTERRUPTED, UNDECIDED } from '../../command/exit.js';
import type { Reporters } from '../../print/formats.js';
import { chosen } from '../../print/formats.js';
import { complain, print } from '../../print/print.js';
import { AT_ONCE, boundsText, chosenClients, completeUpTo, given, noClient } from './generated.js';
import type { RefineCommandOptions } from './pairs.js';
import { besideOf, clientFile, fileOf, pairOf } from './pairs.js';
import { startRun } from '../../run/tasks.js';

/** Clients have calls of one library alone, and few of them: all executions are gone through. */
const BOUNDS: GenerateBounds = { ...GENERATE_BOUNDS, calls: 2, locations: 0, values: 1 };

/** How many clients are tried at most, where nothing else is said. */
const LIMIT = 500;

/** How many candidates of executions are tried for each. */
const CANDIDATES = 20_000;

/** `remora refine --local`: is each implementation locally sound? Each is held against its own library alone. */
export async function localCommand(
  implementations: readonly { readonly path: string; readonly file: ImplementationFile }[],
  about: ClientOptions,
  options: RefineCommandOptions,
): Promise<number> {
  const start = performance.now();
  const results: LocalResult[] = [];
  let stopped = false;
  for (const { path, file } of implementations) {
    const made = await one(path, file, about, options);
    if ('errors' in made) {
      complain(made.errors);
      return BAD_INPUT;
    }
    results.push(made.result);
    stopped ||= made.interrupted;
    if (stopped) break;
  }
  const seconds = (performance.now() - start) / 1000;
  const format = chosen('refine', options.reporter);
  print(format, REPORTERS[format]({ results, seconds }));
  if (stopped) return INTERRUPTED;
  if (results.some((r) => r.promise !== undefined || r.departure !== undefined)) return DEPARTS;
  return results.some((r) => r.unknown !== undefined) ? UNDECIDED : AS_EXPECTED;
}

const REPORTERS: Reporters<'refine', LocalReport> = { text: localText, json: localJson };

async function one(
  path: string,
  file: ImplementationFile,
  about: ClientOptions,
  options: RefineCommandOptions,
): Promise<
  | { readonly errors: readonly string[] }
  | { readonly result: LocalResult; readonly interrupted: boolean }
> {
  const library = file.implements.text;
  const { model, sources } = about.libraries.compose([fileOf(library, about, besideOf(path))]);
  if (!model.ok) return { errors: render(model.errors, sources) };
  const bounds = { ...BOUNDS, ...given(options), locations: 0 };
  const generator = new ClientGenerator(model.value.instructions, [library], bounds);
  const inlined = {
    ...about,
    implementations: [path],
    settings: options.set ?? {},
    polls: false,
  };
  const smallest = chosenClients(generator.clients(), options.limit ?? LIMIT);
  const { clients } = smallest;
  if (clients.length === 0) return { errors: [noClient([library], bounds)] };
  const pairFor = (client: Generated, i: number) => {
    const name = `client-${i + 1}`;
    const text = generator.text(client, name);
    const pair = pairOf({ path: clientFile(name, besideOf(path)), text }, about, inlined);
    if (pair === 'no client') throw new Error('a generated client is one');
    return { text, pair };
  };
  // What is wrong with an implementation itself is so in the first client.
  const [{ pair: first }] = clients.slice(0, 1).map(pairFor);
  if ('errors' in first) return { errors: first.errors };
  const run = startRun({ ...options, engine: 'search' }, true);
  const broken: string[] = [];
  const known = new Set<string>();
  const { results, interrupted } = await run.all(
    clients.map((client, i) => ({
      name: `client ${i + 1}`,
      do: async (pool) => {
        const { text, pair } = pairFor(client, i);
        if ('errors' in pair) {
          broken.push(...pair.errors);
          return undefined;
        }
        const promises = newCalls(client, known);
        const { specification, implementation } = pair;
        const [above] = specification.models!;
        const [below] = implementation.models!;
        const answer = await askLocal(
          pool,
          {
            specification: specification.program,
            implementation: implementation.program,
            promises,
            limit: CANDIDATES,
          },
          [above, below],
          options.bound,
        );
        return { answer, text };
      },
    })),
    (result) => result === undefined || isBroken(result.answer),
    AT_ONCE,
  );
  if (broken.length > 0) return { errors: [...new Set(broken)] };
  const all = results.filter((result) => result !== undefined);
  const isDone = ({ answer: { order } }: (typeof all)[number]): boolean =>
    order.kind !== 'unknown' || order.reason !== INTERRUPTION;
  const done = all.filter(isDone);
  const open = all.findIndex((one) => !isDone(one));
  const failed = done.find(({ answer }) => isBroken(answer));
  const unknown = done.flatMap(({ answer: { order } }) =>
    order.kind === 'unknown' ? [order.reason] : [],
  );
  const executions = done.map(({ answer: { order } }) =>
    order.kind === 'kept' ? order.executions : 0,
  );
  const result: LocalResult = {
    name: file.name.text,
    library,
    over: file.over.map(({ text }) => text),
    calls: done.reduce((sum, { answer }) => sum + answer.promised, 0),
    clients: done.length,
    ...(interrupted ? { of: clients.length } : {}),
    complete:
      failed === undefined ? completeUpTo(smallest, open < 0 ? all.length : open) : undefined,
    executions: executions.reduce((a, b) => a + b, 0),
    bounds: boundsText(bounds),
    ...(failed === undefined ? {} : { text: failed.text, ...failureOf(failed.answer) }),
    ...(unknown.length === 0 ? {} : { unknown: { clients: unknown.length, reason: unknown[0] } }),
  };
  return { result, interrupted };
}

const isBroken = ({ promise, order }: LocalAnswer): boolean =>
  promise !== undefined || order.kind === 'departs';

function failureOf({ promise, order }: LocalAnswer): Pick<LocalResult, 'departure'> & {
  readonly promise?: CallPromise;
} {
  if (promise !== undefined) return { promise };
  return order.kind === 'departs' ? { departure: order.departure } : {};
}

/** The calls of a client that no earlier client has: by the threads and objects that there are, and what they are given. */
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
