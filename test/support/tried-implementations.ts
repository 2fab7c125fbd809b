import { implementationChanges } from '../../mutate/libraries/implementations.js';
import type { Generated, GenerateBounds } from '../../src/analyses/refine/generate.js';
import { ClientGenerator, GENERATE_BOUNDS } from '../../src/analyses/refine/generate.js';
import type { RefinementPair } from '../../src/analyses/refine/refine.js';
import { DISK } from '../../src/node/models.js';
import { readLitmus } from '../../src/node/tests.js';
import { Libraries } from '../../src/program/libraries.js';
import { valueOf } from './litmus.js';
import { ALL, some } from './random.js';

/** An implementation, and how clients are read with it. */
export interface Tried {
  readonly name: string;
  readonly library: string;
  /** The library file that it keeps. */
  readonly keeps: string;
  readonly implementation: string;
  readonly libraries: Libraries;
  /** A node that the change is about: clients without it cannot be read. */
  readonly node?: string;
}

/** Implementations whose executions are few, with the library of each and the library file that it keeps. */
const SHIPPED: readonly (readonly [name: string, library: string, keeps: string])[] = [
  ['loco-av', 'av', 'av'],
  ['loco-bal', 'bal', 'bal'],
  ['loco-bal-unfenced', 'bal', 'bal-unfenced'],
  ['loco-ov', 'ov', 'ov'],
  ['loco-sv', 'sv', 'sv'],
];

/** Broken on purpose, by library. */
const BROKEN = [
  ['av', 'av-cpu-at-home', 'av-load-gets', 'av-store-puts'],
  ['bal', 'bal-late-fence', 'bal-no-waiting', 'bal-too-early'],
  ['ov', 'ov-pull-nobody'],
  ['sv', 'sv-fence-no-wait', 'sv-fence-puts', 'sv-wait-nothing'],
].flatMap(([library, ...names]) => names.map((name) => ({ library, name })));

const unchanged = new Libraries(DISK);

/** Shipped implementations in which one statement is gone, or two changed places, or a set has one node less. */
const changed = SHIPPED.flatMap(([implementation, library, keeps]): readonly Tried[] =>
  implementationChanges(implementation).map(({ name, path, text, node }) => {
    const libraries = new Libraries({
      ...DISK,
      read: (asked) => (asked === path ? { ok: true, value: { path, text } } : DISK.read(asked)),
    });
    return { name, library, keeps, implementation, libraries, node };
  }),
);

/** Of fewer, none departs. */
const TENTH = 0.1;

/** Implementations as they are shipped, broken ones, and changed ones. */
export const TRIED: readonly Tried[] = [
  ...SHIPPED.map(([name, library, keeps]) => {
    return { name, library, keeps, implementation: name, libraries: unchanged };
  }),
  ...some(BROKEN, TENTH).map(({ name, library }) => {
    const implementation = `corpus/broken/${name}.impl`;
    return { name, library, keeps: library, implementation, libraries: unchanged };
  }),
  ...some(changed, TENTH),
];

/** A client with calls of one library, and the same as text. */
export interface TriedClient {
  readonly text: string;
  /** The same with nothing but the calls. */
  readonly alone: string;
}

/** What clients have beside calls, how many are tried, and every so many of all: neighbours are alike. */
interface Sample {
  readonly bounds: Partial<GenerateBounds>;
  readonly count: number;
  readonly step: number;
}

/** With accesses to memory between the calls. */
export const MIXED: Sample = {
  bounds: { values: 2 },
  ...(ALL ? { count: 60, step: 4 } : { count: 16, step: 13 }),
};

/** With nothing but calls. These are enough to find what is wrong with each of the implementations. */
export const CALLS: Sample = {
  bounds: { locations: 0, objects: 1, values: 1 },
  ...{ count: 100, step: 3 },
};

/** Small clients of what an implementation implements. */
export function clientsOf({ library, keeps }: Tried, sample: Sample): readonly TriedClient[] {
  const made = samples.get(sample) ?? new Map<string, readonly TriedClient[]>();
  samples.set(sample, made);
  const clients = made.get(keeps) ?? generate(library, keeps, sample);
  made.set(keeps, clients);
  return clients;
}

const samples = new Map<Sample, Map<string, readonly TriedClient[]>>();

function generate(
  library: string,
  keeps: string,
  { bounds: own, count, step }: Sample,
): readonly TriedClient[] {
  const bounds = { ...GENERATE_BOUNDS, calls: 2, ...own };
  const { instructions } = valueOf(unchanged.compose([unchanged.libraryFile(keeps, '.')!]).model);
  const generator = new ClientGenerator(instructions, [library], bounds);
  const found: TriedClient[] = [];
  let i = 0;
  for (const client of generator.clients()) {
    if (client.shape.locations.length === 0 && bounds.locations > 0) continue;
    if (i++ % step > 0) continue;
    const [text, alone] = [client, onlyCalls(client)].map((one) => generator.text(one, 'client'));
    found.push({ text, alone });
    if (found.length === count) break;
  }
  return found;
}

const onlyCalls = ({ shape, threads }: Generated): Generated => ({
  shape: { ...shape, locations: [] },
  threads: threads.map((calls) => calls.filter(({ kind }) => kind.kind !== 'plain')),
});

/** A client with its calls, and with their implementation; undefined where one of both cannot be read. */
export function readTried(
  text: string,
  { libraries, keeps, implementation, node }: Tried,
): RefinementPair | undefined {
  if (node !== undefined && !text.includes(`\nnode ${node} `)) return undefined;
  const about = { libraries, instead: [keeps] };
  const [specified, made] = [about, { ...about, implementations: [implementation] }].map(
    (options) => readLitmus(text, 'client.litmus', [], options).test,
  );
  return specified.ok && made.ok
    ? { specification: specified.value, implementation: made.value }
    : undefined;
}
