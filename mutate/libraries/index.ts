import type { FileChange } from './changes.js';
import { implementationChanges, libraryChanges } from './changes.js';
import { EQUIVALENT } from './equivalent.js';
import { catchesImplementation, catchesLibrary } from './judge.js';

/** The implementations that are changed, and what they are of. */
const IMPLEMENTATIONS = [
  ['loco-sv', 'sv'],
  ['loco-bal', 'bal'],
  ['loco-rbl', 'rbl'],
  ['loco-msw', 'msw'],
] as const;

/** The library files that are changed. */
const FILES = [
  'stamps.cat',
  'libraries.cat',
  'rdma-so.cat',
  'sv.cat',
  'barrier-so.cat',
  'ring.cat',
  'rbl.cat',
  'rbl-weak.cat',
  'rbl-repaired.cat',
] as const;

interface Mutant extends FileChange {
  readonly caughtBy: () => Promise<string | undefined>;
}

const mutants = (): readonly Mutant[] => [
  ...IMPLEMENTATIONS.flatMap(([name, library]) =>
    implementationChanges(name).map((change) => ({
      ...change,
      caughtBy: () => catchesImplementation(change, library),
    })),
  ),
  ...FILES.flatMap(libraryChanges).map((change) => ({
    ...change,
    caughtBy: () => catchesLibrary(change),
  })),
];

/** Changes libraries and implementations, one thing at a time. Gives whether all that survive are listed, and no other is. */
export async function runLibraryMutants(only: RegExp | undefined): Promise<boolean> {
  const chosen = mutants().filter(({ name }) => only === undefined || only.test(name));
  let [caught, isGood] = [0, true];
  for (const { name, what, caughtBy } of chosen) {
    const by = await caughtBy();
    const listed = EQUIVALENT.has(name);
    if (by !== undefined) caught += 1;
    if ((by === undefined) === listed) continue;
    isGood = false;
    console.log(
      by === undefined ? `${name} survives: ${what}` : `${name} is listed, and ${by} shows it`,
    );
  }
  const survived = chosen.length - caught;
  console.log(
    `\nlibraries: ${chosen.length} mutants, ${caught} caught, ${survived} equivalent or surviving`,
  );
  return isGood;
}
