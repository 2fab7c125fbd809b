import { existsSync } from 'node:fs';
import pLimit from 'p-limit';
import type { Pair, RefineOptions, Refinement } from '../analyses/refine/refine.js';
import { refine as refinePair } from '../analyses/refine/refine.js';
import type { GenerateBounds } from '../analyses/refine/generate.js';
import { ClientGenerator, GENERATE_BOUNDS } from '../analyses/refine/generate.js';
import type { Settings } from '../libraries/inline.js';
import type { ImplementationFile } from '../parse/implementation-ast.js';
import { didYouMean } from '../parse/diagnostics/index.js';
import type { SourceFile } from '../parse/diagnostics/index.js';
import { DISK, loadModelNamed, shippedImplementations } from '../node/models.js';
import { readLitmus } from '../node/tests.js';
import type { ClientOptions } from '../program/client.js';
import { inInstructionsOf } from '../program/in-model.js';
import { withPolls } from '../rdma/polling.js';
import { Libraries } from '../program/libraries.js';
import type { Engine } from '../rdma/engines.js';
import type { Implemented, RefineReport, Tried } from '../report/refine.js';
import { refineJson, refineText } from '../report/refine.js';
import { AS_EXPECTED, BAD_INPUT, DEPARTS, INTERRUPTED, UNDECIDED } from './exit.js';
import { filesInLine } from './clients.js';
import { findTests } from './find.js';
import type { FormatOf, Reporters } from './formats.js';
import { chosen } from './formats.js';
import { render } from './inputs.js';
import { complain, print } from './print.js';
import type { InputReader } from './reader.js';
import { STDIN, openReader } from './reader.js';
import { startRun } from './run.js';
import { UsageError } from './usage.js';

export interface RefineCommandOptions extends Partial<Omit<GenerateBounds, 'plainCalls'>> {
  readonly library?: readonly string[];
  readonly set?: Settings;
  readonly generate?: boolean;
  readonly local?: boolean;
  readonly limit?: number;
  readonly bound?: number;
  readonly timeLimit?: number;
  readonly jobs?: number;
  readonly engine: Engine;
  readonly reporter?: FormatOf<'refine'>;
}

/** I_W of the LOCO paper (App. F): no file, but the translation of waits into polls. */
const WAITS_TO_POLLS = 'loco-wait';

/** The model of what is left of a program then. */
const POLLED = 'rdma-tso';

/** How clients are read with implementations in the place of calls. */
interface Below extends ClientOptions {
  /** Whether polls take the place of waits in what is left. */
  readonly polls: boolean;
}

/** How many generated clients are tried at most, where nothing else is said. */
const LIMIT = 10_000;

/** So many clients are under way at once: a client takes milliseconds, and its text waits for a worker. */
export const AT_ONCE = 6;

/** What `--local` does instead. */
type Locally = (
  implementations: readonly { readonly path: string; readonly file: ImplementationFile }[],
  about: ClientOptions,
  options: RefineCommandOptions,
) => Promise<number>;

/** `remora refine`: is every outcome of implementations one that their libraries allow? */
export async function refine(
  given: readonly string[],
  options: RefineCommandOptions,
  locally: Locally,
): Promise<number> {
  const start = performance.now();
  const reader = await openReader(given);
  const libraries = new Libraries({ ...DISK, read: reader.read });
  const { names, implementations, paths, errors } = sorted(given, libraries);
  const isPolled = given.includes(WAITS_TO_POLLS);
  if (implementations.length === 0 && !isPolled && errors.length === 0) {
    throw new UsageError(
      'name an implementation: a file that ends in .impl, or one that comes with Remora',
    );
  }
  if (options.local === true && (paths.length > 0 || isPolled || options.generate === true)) {
    throw new UsageError('--local takes implementation files alone, and makes its own clients');
  }
  const isAlone = options.generate === true || options.local === true;
  if (errors.length === 0 && paths.length === 0 && !isAlone) {
    throw new UsageError('name clients, or let them be generated with --generate');
  }
  for (const name of Object.keys(options.set ?? {})) {
    const known = implementations.flatMap((one) => one.parameters.map((p) => p.name.text));
    if (known.includes(name) || errors.length > 0) continue;
    const hint =
      didYouMean(name, known) ??
      (known.length > 0 ? `there is ${known.join(', ')}` : 'there is none');
    errors.push(`--set ${name}: no implementation here has a parameter of this name: ${hint}`);
  }
  const about: ClientOptions = { libraries, instead: options.library ?? [] };
  if (options.local === true && errors.length === 0) {
    const files = names.map((path, i) => ({ path, file: implementations[i] }));
    return locally(files, about, options);
  }
  const inlined: Below = {
    ...about,
    implementations: names,
    settings: options.set ?? {},
    polls: isPolled,
  };
  const { clients, notices } = readPairs(
    errors.length > 0 ? [] : paths,
    reader,
    about,
    inlined,
    errors,
  );
  complain(errors);
  if (errors.length > 0) return BAD_INPUT;
  complain(notices);
  const run = startRun(options, true);
  const ask: RefineOptions = { ...options, limit: undefined, explained: true };
  const { results: named, interrupted } = await run.all(
    clients.map((pair) => ({
      name: pair.specification.name,
      do: (pool) => refinePair(pool, pair, ask),
    })),
  );
  let results: readonly Refinement[] = named;
  let tried: Tried | undefined;
  let stopped = interrupted;
  if (options.generate === true && !interrupted) {
    const made = await generated(implementations, about, inlined, options);
    if ('errors' in made) {
      complain(made.errors ?? []);
      return BAD_INPUT;
    }
    results = [...named, ...made.results];
    tried = made.tried;
    stopped = made.interrupted;
  }
  const report: RefineReport = {
    implemented: [
      ...implementations.map(implementedBy),
      ...(isPolled ? [{ name: WAITS_TO_POLLS, library: 'rl', over: [POLLED] }] : []),
    ],
    results,
    tried,
    seconds: (performance.now() - start) / 1000,
  };
  const format = chosen('refine', options.reporter);
  print(format, REPORTERS[format](report));
  if (stopped) return INTERRUPTED;
  if (results.some((r) => r.verdict === 'does not refine' || r.hangs)) return DEPARTS;
  return results.some((r) => r.verdict === 'unknown') ? UNDECIDED : AS_EXPECTED;
}

const REPORTERS: Reporters<'refine', RefineReport> = { text: refineText, json: refineJson };

const implementedBy = ({ name, implements: library, over }: ImplementationFile): Implemented => ({
  name: name.text,
  library: library.text,
  over: over.map(({ text }) => text),
});

/** What was named: implementations, and litmus files or folders. */
function sorted(given: readonly string[], libraries: Libraries) {
  const names: string[] = [];
  const implementations: ImplementationFile[] = [];
  const paths: string[] = [];
  const errors: string[] = [];
  for (const one of given) {
    if (one === WAITS_TO_POLLS) continue;
    const isFile = one === STDIN || (existsSync(one) && !one.endsWith('.impl'));
    const path = isFile ? undefined : libraries.implementationFile(one, '.');
    if (path === undefined && !isFile) errors.push(notThere(one));
    else if (path === undefined) paths.push(one);
    else {
      const { implementation, sources } = libraries.implementation(path);
      names.push(path);
      if (implementation.ok) implementations.push(implementation.value);
      else errors.push(...render(implementation.errors, sources));
    }
  }
  return { names, implementations, paths, errors };
}

/** That there is neither a file nor an implementation of a name. */
function notThere(name: string): string {
  const known = [...shippedImplementations(), WAITS_TO_POLLS];
  const hint = didYouMean(name, known) ?? `there are ${known.join(', ')}, and files of your own`;
  const isPath = name.includes('/') || name.endsWith('.litmus') || name.endsWith('.impl');
  return isPath ? `${name}: no such file` : `${name}: no such file or implementation: ${hint}`;
}

/**
 * The clients that paths name, each as specified and as implemented. What is wrong is added to the errors. Other
 * tests in folders of clients are left out, with a notice.
 */
function readPairs(
  paths: readonly string[],
  reader: InputReader,
  about: ClientOptions,
  inlined: Below,
  errors: string[],
): { readonly clients: readonly Pair[]; readonly notices: readonly string[] } {
  const clients: Pair[] = [];
  const others: string[] = [];
  for (const [i, { files, errors: unread }] of findTests(paths).entries()) {
    errors.push(...unread);
    for (const path of files) {
      const file = reader.read(path);
      const pair = file.ok
        ? pairOf(file.value, about, inlined)
        : { errors: render(file.errors, new Map()) };
      if (pair === 'no client' && path !== paths[i]) others.push(path);
      else if (pair === 'no client') errors.push(`${path}: ${NO_CLIENT}`);
      else if ('errors' in pair) errors.push(...pair.errors);
      else clients.push(pair);
    }
  }
  if (others.length === 0 || errors.length > 0) return { clients, notices: [] };
  if (clients.length === 0) {
    errors.push(`${others[0]}: ${NO_CLIENT}, and no other file here is one`);
  }
  return {
    clients,
    notices: [`left out: ${filesInLine(others)}: no \`uses\`, so no client of a library`],
  };
}

const NO_CLIENT = 'this is no client of a library: it has no `uses`';

/** A client in both forms, or what is wrong with it, ready to print. */
export function pairOf(
  { path, text }: SourceFile,
  about: ClientOptions,
  inlined: Below,
): Pair | 'no client' | { readonly errors: readonly string[] } {
  const specification = readLitmus(text, path, [], about);
  if (!specification.test.ok) {
    return { errors: render(specification.test.errors, specification.sources) };
  }
  const rl = about.libraries.compose([]).model;
  const polled = loadModelNamed(POLLED).model;
  if (!rl.ok || !polled.ok) throw new Error('models that come with Remora are there');
  const { models } = specification.test.value;
  if (models === undefined && !inlined.polls) return 'no client';
  // A plain file is a client of the library that needs no name.
  const specified = { ...specification.test.value, models: models ?? [rl.value] };
  const named = (inlined.implementations ?? []).length > 0 && models !== undefined;
  const implementation = named ? readLitmus(text, path, [], inlined) : specification;
  if (!implementation.test.ok) {
    return { errors: render(implementation.test.errors, implementation.sources) };
  }
  const made = implementation.test.value;
  if (!inlined.polls) return { specification: specified, implementation: made };
  const below = inInstructionsOf(made.program, polled.value);
  if (!below.ok) return { errors: render(below.errors, implementation.sources) };
  const program = withPolls(below.value);
  return {
    specification: specified,
    implementation: { ...made, program, models: [polled.value] },
  };
}

/** Clients of the topmost libraries, one after the other until one fails. */
async function generated(
  implementations: readonly ImplementationFile[],
  about: ClientOptions,
  inlined: Below,
  options: RefineCommandOptions,
) {
  const below = new Set(implementations.flatMap(({ over }) => over.map(({ text }) => text)));
  const top = implementations
    .map((one) => one.implements.text)
    .filter((library) => !below.has(library));
  if (top.length === 0)
    return { errors: ['--generate makes clients of libraries: name an implementation of one'] };
  const paths = top.map((name) => fileOf(name, about));
  const { model, sources } = about.libraries.compose(paths);
  if (!model.ok) return { errors: render(model.errors, sources) };
  const bounds: GenerateBounds = {
    ...GENERATE_BOUNDS,
    ...given(options),
    plainCalls: Math.min(options.calls ?? Infinity, GENERATE_BOUNDS.plainCalls),
  };
  const generator = new ClientGenerator(model.value.instructions, top, bounds);
  const limit = options.limit ?? LIMIT;
  const clients = [];
  let [complete, size] = [0, 0];
  for (const client of generator.clients()) {
    const calls = client.threads.flat().length;
    if (clients.length === limit) break;
    if (calls > size) [complete, size] = [size, calls];
    clients.push(client);
  }
  if (clients.length < limit) complete = size;
  const few = pLimit(AT_ONCE);
  // Most clients are decided by the search alone; what it leaves open is asked again.
  const quick = {
    ...options,
    engine: options.engine === 'auto' ? 'search' : options.engine,
  } as const;
  const run = startRun(quick, true);
  const broken: string[] = [];
  const { results, interrupted } = await run.all(
    clients.map((client, i) => ({
      name: `client ${i + 1}`,
      do: (pool) =>
        few(async () => {
          const name = `client-${i + 1}`;
          const text = generator.text(client, name);
          const pair = pairOf({ path: `${name}.litmus`, text }, about, inlined);
          if (pair === 'no client') throw new Error('generated clients use libraries');
          if ('errors' in pair) {
            broken.push(...pair.errors);
            return undefined;
          }
          const ask = { ...options, limit: undefined, explained: true };
          const first = await refinePair(pool, pair, { ...ask, engine: quick.engine });
          const isOpen = first.verdict === 'unknown' && quick.engine !== options.engine;
          const found = isOpen ? await refinePair(pool, pair, ask) : first;
          return { found, text, calls: client.threads.flat().length };
        }),
    })),
    (result) => result === undefined || result.found.verdict === 'does not refine',
  );
  if (broken.length > 0) return { errors: broken };
  const done = results.filter((result) => result !== undefined);
  const failed = done.find(({ found }) => found.verdict === 'does not refine');
  const tried: Tried = {
    clients: done.length,
    complete: failed === undefined ? complete : Math.max(0, failed.calls - 1),
    bounds: boundsText(bounds),
    text: failed?.text,
  };
  return { results: done.map(({ found }) => found), tried, interrupted };
}

/** The file of a library: the one that was asked for in its place, or the one of its name. */
export function fileOf(library: string, { libraries, instead = [] }: ClientOptions): string {
  const asked = instead
    .map((name) => libraries.libraryFile(name, '.'))
    .find((path) => path !== undefined && libraries.nameOf(path) === library);
  return asked ?? libraries.libraryFile(library, '.') ?? library;
}

/** The bounds that were given. */
export function given(options: RefineCommandOptions): Partial<GenerateBounds> {
  const { threads, nodes, calls, objects, locations, values } = options;
  const all = { threads, nodes, calls, objects, locations, values };
  return Object.fromEntries(Object.entries(all).filter(([, value]) => value !== undefined));
}

export function boundsText(b: GenerateBounds): string {
  const most = (count: number, what: string) => `${count} ${what}${count === 1 ? '' : 's'}`;
  const plain =
    b.locations === 0 || b.plainCalls >= b.calls
      ? ''
      : `, or ${b.plainCalls} with plain accesses among them`;
  return [
    `at most ${most(b.threads, 'thread')} on ${most(b.nodes, 'node')}`,
    `${most(b.calls, 'call')} a thread${plain}`,
    most(b.objects, 'object'),
    ...(b.locations === 0 ? [] : [most(b.locations, 'location')]),
    `values 0 to ${b.values}`,
  ].join(', ');
}
