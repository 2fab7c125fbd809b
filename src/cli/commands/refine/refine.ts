import { existsSync } from 'node:fs';
import type { RefineOptions, RefinementPair } from '../../../analyses/refine/refine.js';
import { refine as refinePair } from '../../../analyses/refine/refine.js';
import type { ImplementationFile } from '../../../parse/implementation-ast.js';
import { didYouMean } from '../../../parse/diagnostics/index.js';
import { DISK, shippedImplementations } from '../../../node/models.js';
import type { ClientOptions } from '../../../program/client.js';
import { Libraries } from '../../../program/libraries.js';
import type { ClientResult, Implemented, RefineReport } from '../../../report/refine.js';
import { refineJson, refineText } from '../../../report/refine.js';
import { AS_EXPECTED, BAD_INPUT, DEPARTS, UNDECIDED } from '../../command/exit.js';
import type { Reporters } from '../../print/formats.js';
import { render } from '../../inputs/messages.js';
import { localCommand } from './local.js';
import type { CommandReport } from '../../print/print.js';
import { readModels } from '../../inputs/models.js';
import type { Model } from '../../../model/term.js';
import type { InputReader } from '../../inputs/reader.js';
import { STDIN, openReader } from '../../inputs/reader.js';
import { generated } from './generated.js';
import type { ImplementationOptions, RefineCommandOptions, RefineFormat } from './pairs.js';
import { POLLED, readPairs, wrongLibraries } from './pairs.js';
import { smallerResult } from './smaller.js';
import { answer, refuse } from '../../run/answer.js';
import { startRun } from '../../run/tasks.js';
import { UsageError } from '../../command/usage.js';

/** I_W of the LOCO paper (App. F). It has no file: it is the translation of waits to polls. */
const WAITS_TO_POLLS = 'loco-wait';

/** Implementations to compare with their libraries, and clients. */
export interface RefineInputs {
  readonly reader: InputReader;
  readonly implementations: readonly ImplementationFile[];
  /** The names of their files, in the same order. */
  readonly names: readonly string[];
  /** Litmus files and folders of clients. */
  readonly paths: readonly string[];
  /** How clients are read as their libraries specify them. */
  readonly about: ClientOptions;
  /** How clients are read with implementations. */
  readonly inlined: ImplementationOptions;
  readonly errors: string[];
}

/** Reads implementations. @throws UsageError */
export async function readRefine(
  given: readonly string[],
  options: RefineCommandOptions,
): Promise<RefineInputs> {
  const reader = await openReader(given);
  const libraries = new Libraries({ ...DISK, read: reader.read });
  const { names, implementations, paths, errors } = sortNamed(given, libraries);
  const isPolled = given.includes(WAITS_TO_POLLS);
  if (implementations.length === 0 && !isPolled && errors.length === 0) {
    throw new UsageError(
      'name an implementation: a file that ends in .impl, or one that comes with Remora',
    );
  }
  if (options.model !== undefined && !isPolled) {
    throw new UsageError(
      `-m is the model below ${WAITS_TO_POLLS}, which is not among the implementations`,
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
  errors.push(...wrongLibraries(about));
  const polled = isPolled ? polledModel(options, reader) : undefined;
  errors.push(...(polled?.errors ?? []));
  const inlined: ImplementationOptions = {
    ...about,
    implementations: names,
    settings: options.set ?? {},
    polled: polled?.model,
  };
  return { reader, implementations, names, paths, about, inlined, errors };
}

/** The model that programs with polls in the place of waits run on, or why there is none, ready to print. */
function polledModel(
  { model: names = [POLLED], engine }: RefineCommandOptions,
  reader: InputReader,
): { readonly model?: Model; readonly errors: readonly string[] } {
  if (names.length > 1) throw new UsageError('-m: name one model');
  const { items, errors } = readModels(names, engine, reader);
  return { model: items.at(0), errors };
}

/** `remora refine`: is every outcome of implementations one that their libraries allow? */
export async function refine(
  given: readonly string[],
  options: RefineCommandOptions,
): Promise<number> {
  const start = performance.now();
  const read = await readRefine(given, options);
  const { reader, implementations, names, paths, about, inlined, errors } = read;
  if (options.local === true && errors.length === 0) {
    const files = names.map((path, i) => ({ path, file: implementations[i] }));
    return localCommand(files, about, options);
  }
  const pairs = errors.length > 0 ? [] : paths;
  const { clients, notices } = readPairs(pairs, reader, about, inlined, errors);
  if (errors.length > 0) return refuse(errors);
  const ask: RefineOptions = { ...options, explained: true };
  return answer(startRun(options, true), {
    said: notices,
    tasks: clients.map((pair) => ({
      name: pair.specification.name,
      do: (pool) => refinePair(pool, pair, ask),
    })),
    async report(results, interrupted) {
      const named = interrupted
        ? { results, interrupted }
        : await withSmaller(clients, results, read, options);
      const isAsked = options.generate === true && !named.interrupted;
      const made = isAsked
        ? await generated(implementations, about, inlined, options)
        : { results: [], tried: undefined, interrupted: false };
      if ('errors' in made) return { said: made.errors, format: 'text', text: '', code: BAD_INPUT };
      const seconds = (performance.now() - start) / 1000;
      const { results: those, tried } = made;
      const report = {
        ...{ implemented: implementedBy(read), named: named.results, generated: those },
        ...{ tried, seconds },
      };
      return reportOf(report, options, named.interrupted || made.interrupted);
    },
  });
}

/** The results; the first failure also has a smaller client that fails. */
async function withSmaller(
  clients: readonly RefinementPair[],
  results: readonly ClientResult[],
  { about, inlined }: RefineInputs,
  options: RefineCommandOptions,
): Promise<{ readonly results: readonly ClientResult[]; readonly interrupted: boolean }> {
  const failed = results.findIndex(({ verdict }) => verdict === 'does not refine');
  if (failed < 0) return { results, interrupted: false };
  const client = { pair: clients[failed], name: `${results[failed].client}-smaller` };
  const { result, interrupted } = await smallerResult(client, about, inlined, options);
  return { results: results.with(failed, { ...results[failed], smaller: result }), interrupted };
}

function reportOf(
  report: RefineReport,
  { reporter: format = 'text' }: RefineCommandOptions,
  interrupted: boolean,
): CommandReport {
  const all = [...report.named, ...report.generated];
  const departs = all.some((r) => r.verdict === 'does not refine' || r.hangs);
  const isOpen = all.some((r) => r.verdict === 'unknown');
  const code = departs ? DEPARTS : isOpen ? UNDECIDED : AS_EXPECTED;
  return { format, text: REPORTERS[format](report), interrupted, code };
}

const REPORTERS: Reporters<RefineFormat, RefineReport> = { text: refineText, json: refineJson };

/** The implementations for reports. */
export const implementedBy = ({
  implementations,
  inlined: { polled },
}: RefineInputs): readonly Implemented[] => [
  ...implementations.map(({ name, implements: library, over }) => ({
    name: name.text,
    library: library.text,
    over: over.map(({ text }) => text),
  })),
  ...(polled === undefined ? [] : [{ name: WAITS_TO_POLLS, library: 'rl', over: [polled.name] }]),
];

/** Divides the arguments into implementations, and litmus files or folders. */
function sortNamed(given: readonly string[], libraries: Libraries) {
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

/** The message that there is neither a file nor an implementation of a name. */
function notThere(name: string): string {
  const known = [...shippedImplementations(), WAITS_TO_POLLS];
  const hint = didYouMean(name, known) ?? `there are ${known.join(', ')}, and files of your own`;
  const isPath = name.includes('/') || name.endsWith('.litmus') || name.endsWith('.impl');
  return isPath ? `${name}: no such file` : `${name}: no such file or implementation: ${hint}`;
}
