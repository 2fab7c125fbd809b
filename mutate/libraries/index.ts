import type { FileChange } from './changes.js';
import { sectionOf } from './equivalent.js';
import { IMPLEMENTATIONS, implementationChanges } from './implementations.js';
import { catchesImplementation, catchesLibrary, mistakeIn } from './judge.js';
import { LIBRARY_FILES, libraryChanges } from './library-files.js';

export interface Mutant extends FileChange {
  /** The implementation or the library file that is changed. */
  readonly of: string;
  /** What shows that it is another one; undefined where nothing does. */
  readonly caughtBy: () => Promise<string | undefined>;
}

/** Every mutant of libraries and implementations. Changes of library files that leave none are left out. */
export const libraryMutants = (): readonly Mutant[] => [
  ...IMPLEMENTATIONS.flatMap((of) =>
    implementationChanges(of).map((change) => ({
      ...change,
      of,
      caughtBy: () => catchesImplementation(change, of),
    })),
  ),
  ...LIBRARY_FILES.flatMap((of) =>
    libraryChanges(of)
      .filter((change) => mistakeIn(change) === undefined)
      .map((change) => ({ ...change, of, caughtBy: () => catchesLibrary(change) })),
  ),
];

/** Changes libraries and implementations, one thing at a time. Gives whether all that survive are listed, and no other is. */
export async function runLibraryMutants(only: RegExp | undefined): Promise<boolean> {
  const counts = new Map<string, { caught: number; survived: number }>();
  let isGood = true;
  for (const { name, of, caughtBy } of libraryMutants()) {
    if (only !== undefined && !only.test(name)) continue;
    const by = await caughtBy();
    const count = counts.get(of) ?? { caught: 0, survived: 0 };
    counts.set(of, count);
    count[by === undefined ? 'survived' : 'caught'] += 1;
    if ((by === undefined) === (sectionOf(name) !== undefined)) continue;
    isGood = false;
    console.log(by === undefined ? `${name} survived` : `${name} is listed, and ${by} tells it`);
  }
  console.log('');
  for (const [of, { caught, survived }] of counts) {
    console.log(`${of}: ${caught + survived} mutants, ${caught} caught, ${survived} survived`);
  }
  return isGood;
}
