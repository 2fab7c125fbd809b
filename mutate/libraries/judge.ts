import { readFileSync, readdirSync } from 'node:fs';
import { join } from 'node:path';
import { inProcess } from '../../src/analyses/in-process.js';
import { ClientGenerator, GENERATE_BOUNDS } from '../../src/analyses/refine/generate.js';
import { refine } from '../../src/analyses/refine/refine.js';
import { expectedOf } from '../../src/check/expectation.js';
import { DISK, loadModelNamed } from '../../src/node/models.js';
import { readLitmus } from '../../src/node/tests.js';
import { Libraries } from '../../src/program/libraries.js';
import type { Test } from '../../src/program/program.js';
import { prepare } from '../../src/rdma/prepare.js';
import type { FileChange } from './changes.js';

/** What is asked of changed files: the tests that the suite and the corpus have, and small clients. */

interface Client {
  readonly file: string;
  readonly text: string;
}

const pool = inProcess();
const ENGINE = 'search';

/** How many generated clients of a library are tried. */
const GENERATED = 250;

const LOCO = 'corpus/loco';

const withUses = (text: string): boolean => /^uses /m.test(text);

const corpus: readonly Client[] = readdirSync(LOCO)
  .filter((file) => file.endsWith('.litmus'))
  .sort()
  .map((file) => ({ file: join(LOCO, file), text: readFileSync(join(LOCO, file), 'utf8') }));

const plain: readonly Client[] = ['tso', 'loco', 'robustness']
  .flatMap((folder) =>
    readdirSync(`corpus/${folder}`, { recursive: true, encoding: 'utf8' }).map(
      (file) => `corpus/${folder}/${file}`,
    ),
  )
  .filter((file) => file.endsWith('.litmus'))
  .map((file) => ({ file, text: readFileSync(file, 'utf8') }))
  .filter(({ text }) => !withUses(text));

/** Files as they are, but for one. */
const changedFiles = ({ path, text }: FileChange): Libraries =>
  new Libraries({
    ...DISK,
    read: (asked) => (asked === path ? { ok: true, value: { path, text } } : DISK.read(asked)),
  });

/** What shows that a change of an implementation is one; undefined where nothing does. */
export async function catchesImplementation(
  change: FileChange,
  library: string,
): Promise<string | undefined> {
  const libraries = changedFiles(change);
  const clients = [...corpus.filter(({ text }) => uses(text, library)), ...generated(library)];
  for (const client of clients) {
    const why = await refuted(client, change.path, libraries);
    if (why !== undefined) return why;
  }
  return undefined;
}

const uses = (text: string, library: string): boolean =>
  /^uses (.*)$/m
    .exec(text)?.[1]
    .split(/,\s*/)
    .some((name) => name.split('-')[0] === library) === true;

async function refuted(
  { file, text }: Client,
  implementation: string,
  libraries: Libraries,
): Promise<string | undefined> {
  const specification = readLitmus(text, file, [], { libraries: new Libraries(DISK) }).test;
  const made = readLitmus(text, file, [], { libraries, implementations: [implementation] }).test;
  if (!made.ok) return `it cannot be read: ${made.errors[0].message}`;
  if (!specification.ok) throw new Error(specification.errors[0].message);
  const pair = { specification: specification.value, implementation: made.value };
  const { verdict, hangs } = await refine(pool, pair, { engine: ENGINE, explained: false });
  if (verdict === 'does not refine') return file;
  return hangs ? `${file} hangs` : undefined;
}

const made = new Map<string, readonly Client[]>();

function generated(library: string): readonly Client[] {
  const before = made.get(library);
  if (before !== undefined) return before;
  const libraries = new Libraries(DISK);
  const { model } = libraries.compose([libraries.libraryFile(library, '.')!]);
  if (!model.ok) throw new Error(model.errors[0].message);
  const bounds = { ...GENERATE_BOUNDS, calls: 2, values: 2 };
  const generator = new ClientGenerator(model.value.instructions, [library], bounds);
  const clients: Client[] = [];
  let i = 0;
  for (const client of generator.clients()) {
    // Every few of them: the first ones are all alike.
    if (i++ % 5 === 0) {
      clients.push({
        file: `generated-${i}.litmus`,
        text: generator.text(client, `generated-${i}`),
      });
    }
    if (clients.length === GENERATED) break;
  }
  made.set(library, clients);
  return clients;
}

/** What shows that a change of a library file is one: a verdict, the twin of RDMA^WAIT, an implementation. */
export async function catchesLibrary(change: FileChange): Promise<string | undefined> {
  const libraries = changedFiles(change);
  for (const { file, text } of corpus.filter((client) => withUses(client.text))) {
    const { test } = readLitmus(text, file, [], { libraries });
    if (!test.ok) return `${file}: ${test.errors[0].message}`;
    for (const [i, model] of (test.value.models ?? []).entries()) {
      const wrong = await departing(test.value, i);
      if (wrong) return `${file} with ${model.name}`;
    }
  }
  const twin = libraries.compose([]).model;
  const wait = loadModelNamed('rdma-wait').model;
  if (!twin.ok || !wait.ok) return 'it cannot be read';
  for (const { file, text } of plain) {
    const { test } = readLitmus(text, file);
    if (!test.ok) continue;
    const answers = await Promise.all(
      [twin.value, wait.value].map((model) => verdicts(test.value, model)),
    );
    if (answers[0] !== undefined && answers[1] !== undefined && answers[0] !== answers[1])
      return file;
  }
  for (const [implementation, library] of IMPLEMENTED) {
    for (const { file, text } of generated(library)) {
      const [a, b] = [[], [implementation]].map(
        (implementations) => readLitmus(text, file, [], { libraries, implementations }).test,
      );
      if (!a.ok || !b.ok) return `${file} cannot be read`;
      const pair = { specification: a.value, implementation: b.value };
      const { verdict } = await refine(pool, pair, { engine: ENGINE, explained: false });
      if (verdict === 'does not refine') return `${implementation}: ${file}`;
    }
  }
  return undefined;
}

const IMPLEMENTED = [
  ['loco-sv', 'sv'],
  ['loco-bal', 'bal'],
  ['loco-msw', 'msw'],
] as const;

async function departing(test: Test, index: number): Promise<boolean> {
  const model = test.models![index];
  const answers = await decided({ ...test, models: undefined }, model);
  return answers.some(({ query, verdict }) => {
    const expected = expectedOf(test.queries[query], model.name);
    return expected !== undefined && expected.verdict !== verdict;
  });
}

type Model = NonNullable<Test['models']>[number];

async function decided(test: Test, model: Model) {
  const [answers] = await pool.decide({
    kind: 'decide',
    engine: ENGINE,
    models: [model],
    tests: [test],
    queries: [...test.queries.keys()],
  });
  return answers;
}

async function verdicts(test: Test, model: Model): Promise<string | undefined> {
  const prepared = prepare(test.program, model, ENGINE);
  if (!prepared.ok) return undefined;
  const answers = await decided({ ...test, program: prepared.value.program }, model);
  return answers.map(({ verdict }) => verdict).join();
}
