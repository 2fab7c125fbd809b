import { inProcess } from '../../src/analyses/in-process.js';
import type { Refinement } from '../../src/analyses/refine/refine.js';
import { refine } from '../../src/analyses/refine/refine.js';
import { expectedOf } from '../../src/check/expectation.js';
import type { Answer } from '../../src/check/result.js';
import type { Settings } from '../../src/libraries/inline.js';
import type { Model } from '../../src/model/term.js';
import { DISK, loadModelNamed, shippedImplementations } from '../../src/node/models.js';
import { readLitmus } from '../../src/node/tests.js';
import type { ClientOptions } from '../../src/program/client.js';
import { Libraries } from '../../src/program/libraries.js';
import { isStateQuery } from '../../src/program/program.js';
import type { Test } from '../../src/program/program.js';
import { prepare } from '../../src/rdma/prepare.js';
import type { FileChange } from './changes.js';
import type { Client } from './clients.js';
import { CLIENTS, PLAIN, generated, isOf } from './clients.js';
import { LIBRARY_FILES } from './library-files.js';

/**
 * What is asked of changed files: verdicts of the corpus, whether implementations keep what libraries promise, and whether the
 * lowest library is still the model RDMA^WAIT.
 */

const pool = inProcess();
const ENGINE = 'search';
const SHIPPED = new Libraries(DISK);
const NAMES = shippedImplementations();

/** Files as they are, but for one. */
const changedFiles = ({ path, text }: FileChange): Libraries =>
  new Libraries({
    ...DISK,
    read: (asked) => (asked === path ? { ok: true, value: { path, text } } : DISK.read(asked)),
  });

/** What implementations keep, where it is not the file of their library's name. */
const KEPT: Readonly<Record<string, string>> = {
  'loco-bal-all': 'bal-all',
  'loco-bal-sst': 'bal-all',
  'loco-bal-unfenced': 'bal-unfenced',
  'loco-rbl': 'rbl-repaired',
  'test-and-set-lock': 'lock-home',
  'ticket-lock-fenced': 'lock-fenced',
  'ticket-lock-home': 'lock-home',
};

/** Parameters with which mistakes show, besides their own. */
const SETTINGS: Readonly<Record<string, readonly Settings[]>> = {
  'loco-ack': [{}, { S: 1 }],
  'loco-kv': [{}, { C: 1 }],
  'loco-rbl': [{}, { S: 2 }],
  'ring-queue': [{}, { S: 1 }],
};

const settingsOf = (name: string): readonly Settings[] => SETTINGS[name] ?? [{}];

const libraryOf = (name: string): string => {
  const { implementation } = SHIPPED.implementation(SHIPPED.implementationFile(name, '.')!);
  if (!implementation.ok) throw new Error(implementation.errors[0].message);
  return implementation.value.implements.text;
};

/** What shows that a changed implementation is another one; undefined where nothing does. */
export async function catchesImplementation(
  change: FileChange,
  name: string,
): Promise<string | undefined> {
  const library = libraryOf(name);
  const libraries = changedFiles(change);
  const clients = CLIENTS.filter((client) => isOf(library, client) && isAbout(change, client));
  for (const client of clients) {
    const by =
      (await refuted(client, name, libraries)) ?? (await departs(client, [name], libraries));
    if (by !== undefined) return by;
  }
  const others = generated(library).filter((client) => isAbout(change, client));
  return firstOf(others, (client) => refuted(client, name, libraries));
}

const isAbout = ({ node }: FileChange, { text }: Client): boolean =>
  node === undefined || new RegExp(`^node ${node} `, 'm').test(text);

/** What is wrong with a changed library file, if it is none any more. */
export function mistakeIn(change: FileChange): string | undefined {
  const libraries = changedFiles(change);
  const all = LIBRARY_FILES.map((file) => SHIPPED.libraryFile(file, '.')!);
  const isConcerned = (file: string): boolean => {
    const { model, sources } = SHIPPED.compose([file]);
    return model.ok && sources.has(change.path);
  };
  for (const file of all.filter(isConcerned)) {
    const { model } = libraries.compose([file]);
    if (!model.ok) return model.errors[0].message;
  }
  return undefined;
}

/** What shows that a change of a library file is one. */
export async function catchesLibrary(change: FileChange): Promise<string | undefined> {
  const libraries = changedFiles(change);
  const clients = CLIENTS.filter((client) => isConcerned(client, change));
  // Where there is a model to compare with, that tells most.
  const isLowest = SHIPPED.compose([]).sources.has(change.path);
  const by =
    (await firstOf(isLowest ? PLAIN : [], (client) => isNotTheModel(client, libraries))) ??
    (await firstOf(clients, (client) => departs(client, NAMES, libraries)));
  if (by !== undefined || isLowest) return by;
  const concerned = NAMES.filter((name) => {
    const file = KEPT[name] ?? libraryOf(name);
    return SHIPPED.compose([SHIPPED.libraryFile(file, '.')!]).sources.has(change.path);
  });
  return firstOf(concerned, (name) => {
    const library = libraryOf(name);
    const own = clients.filter((client) => isOf(library, client));
    const others = generated(library).filter((_, i) => i % FEW === 0);
    return firstOf([...own, ...others], (client) => refuted(client, name, libraries));
  });
}

/** Of generated clients, every so many is tried: a library file takes more time than an implementation. */
const FEW = 8;

/** Whether a client is decided by what a file says. */
const isConcerned = ({ file, text }: Client, { path }: FileChange): boolean => {
  const { sources, inlined = [] } = readLitmus(text, file, [], { libraries: SHIPPED });
  return [sources, ...inlined.map((one) => one.sources)].some((all) => all.has(path));
};

async function firstOf<T>(
  all: readonly T[],
  tell: (one: T) => Promise<string | undefined>,
): Promise<string | undefined> {
  for (const one of all) {
    const told = await tell(one);
    if (told !== undefined) return told;
  }
  return undefined;
}

/** Whether an implementation does on a client what its library forbids, or hangs, and as shipped does not. */
async function refuted(
  client: Client,
  name: string,
  libraries: Libraries,
): Promise<string | undefined> {
  for (const settings of settingsOf(name)) {
    const key = `${name} ${client.file} ${JSON.stringify(settings)}`;
    const right = rights.get(key) ?? (await refinement(client, name, SHIPPED, settings));
    rights.set(key, right);
    // Not every client is one for every implementation.
    if (right === undefined || right.hangs || right.verdict === 'does not refine') continue;
    const made = await refinement(client, name, libraries, settings);
    if (made === undefined) return `${name} ${client.file}, with which it cannot be read`;
    if (made.verdict === 'does not refine') return `${name} ${client.file}`;
    if (made.hangs) return `${name} ${client.file}, where it hangs`;
  }
  return undefined;
}

const rights = new Map<string, Refinement | undefined>();

async function refinement(
  { file, text }: Client,
  name: string,
  libraries: Libraries,
  settings: Settings,
): Promise<Refinement | undefined> {
  const about = { libraries, instead: name in KEPT ? [KEPT[name]] : [] };
  const inlined = { ...about, implementations: [name], settings };
  const [specification, implementation] = [about, inlined].map(
    (options: ClientOptions) => readLitmus(text, file, [], options).test,
  );
  if (!specification.ok || !implementation.ok) return undefined;
  const pair = { specification: specification.value, implementation: implementation.value };
  return refine(pool, pair, { engine: ENGINE, explained: false });
}

/** Which verdict of a client is another one than the file says, of libraries or some implementations. */
async function departs(
  { file, text }: Client,
  names: readonly string[],
  libraries: Libraries,
): Promise<string | undefined> {
  const { test, inlined = [] } = readLitmus(text, file, [], { libraries });
  if (!test.ok) return `${file}: ${test.errors[0].message}`;
  const made = inlined.flatMap((client) => (client.test.ok ? [client.test.value] : []));
  for (const asked of [test.value, ...made]) {
    for (const model of asked.models ?? []) {
      if (asked !== test.value && !names.includes(model.name)) continue;
      if (await isWrong(asked, model)) return `${file} with ${model.name}`;
    }
  }
  return undefined;
}

async function isWrong(test: Test, model: Model): Promise<boolean> {
  const answers = (await decided(test, model)) ?? [];
  return answers.some(({ query, verdict }) => {
    const expected = expectedOf(test.queries[query], model.name);
    return expected !== undefined && expected.verdict !== verdict;
  });
}

/** The answers to questions about final states; undefined where the program means nothing under the model. */
async function decided(test: Test, model: Model): Promise<readonly Answer[] | undefined> {
  const prepared = prepare(test.program, model, ENGINE);
  if (!prepared.ok) return undefined;
  const [answers] = await pool.decide({
    kind: 'decide',
    engine: ENGINE,
    models: [model],
    tests: [{ ...test, program: prepared.value.program, models: undefined }],
    queries: [...test.queries.keys()].filter((i) => isStateQuery(test.queries[i])),
  });
  return answers;
}

/** Whether a program without libraries has other verdicts with the lowest library than with RDMA^WAIT. */
async function isNotTheModel(
  { file, text }: Client,
  libraries: Libraries,
): Promise<string | undefined> {
  const { model } = libraries.compose([]);
  if (!model.ok) return `${file}: ${model.errors[0].message}`;
  const { test } = readLitmus(text, file);
  const wait = loadModelNamed('rdma-wait').model;
  if (!test.ok || !wait.ok) throw new Error(`${file} cannot be read`);
  const known = waited.get(file) ?? { verdicts: await verdicts(test.value, wait.value) };
  waited.set(file, known);
  if (known.verdicts === undefined) return undefined;
  const own = await verdicts(test.value, model.value);
  return own === undefined || own === known.verdicts ? undefined : file;
}

const waited = new Map<string, { readonly verdicts?: string }>();

const verdicts = async (test: Test, model: Model): Promise<string | undefined> =>
  (await decided(test, model))?.map(({ verdict }) => verdict).join();
