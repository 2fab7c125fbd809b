import { readFileSync, readdirSync } from 'node:fs';
import { ClientGenerator, GENERATE_BOUNDS } from '../../src/analyses/refine/generate.js';
import { DISK } from '../../src/node/models.js';
import { Libraries } from '../../src/program/libraries.js';

/** The clients that judge: those of the corpus, and generated ones. */

export interface Client {
  readonly file: string;
  readonly text: string;
}

/** All files of the corpus in some folders. */
function read(folders: readonly string[]): readonly Client[] {
  return folders.flatMap((folder) =>
    readdirSync(`corpus/${folder}`)
      .filter((name) => name.endsWith('.litmus'))
      .sort()
      .map((name) => `corpus/${folder}/${name}`)
      .map((file) => ({ file, text: readFileSync(file, 'utf8') })),
  );
}

const USES = /^uses (.*)$/m;

/** Clients of libraries that people wrote. */
export const CLIENTS = read(['libraries', 'loco']).filter(({ text }) => USES.test(text));

/** Programs without libraries: the lowest library decides them as its model does. */
export const PLAIN = read(['cells', 'events', 'loco', 'rmw', 'robustness', 'tso']).filter(
  ({ text }) => !USES.test(text),
);

export const isOf = (library: string, { text }: Client): boolean =>
  USES.exec(text)?.[1].split(/,\s*/).includes(library) === true;

/** Libraries whose generated clients tell something: with locks and stores, that takes more calls than these have. */
const GENERATED = ['acc', 'av', 'bal', 'msw', 'ov', 'rbl', 'sv'];

/** So many of them, every fifth: neighbours are alike. */
const [COUNT, STEP] = [200, 5];

/** Small clients of a library. */
export function generated(library: string): readonly Client[] {
  const before = made.get(library);
  if (before !== undefined) return before;
  const clients = GENERATED.includes(library) ? generate(library) : [];
  made.set(library, clients);
  return clients;
}

const made = new Map<string, readonly Client[]>();

function generate(library: string): readonly Client[] {
  const libraries = new Libraries(DISK);
  const { model } = libraries.compose([libraries.libraryFile(library, '.')!]);
  if (!model.ok) throw new Error(model.errors[0].message);
  const bounds = { ...GENERATE_BOUNDS, calls: 2, values: 2 };
  const generator = new ClientGenerator(model.value.instructions, [library], bounds);
  const clients: Client[] = [];
  let i = 0;
  for (const client of generator.clients()) {
    if (clients.length === COUNT) break;
    if (i++ % STEP > 0) continue;
    const name = `generated-${i}`;
    clients.push({ file: `${library} ${name}.litmus`, text: generator.text(client, name) });
  }
  return clients;
}
