import { createHash } from 'node:crypto';
import { readdirSync, statSync } from 'node:fs';
import { join } from 'node:path';
import { LEFT_OUT, OPEN } from './left-out.js';
import type { CodeMutant } from './mutant.js';
import { ROOT, mutantsOfFile } from './mutant.js';

/** Where verdicts come from: files, and folders with all that is in them, in the order in which a program goes through Remora. */
const SOURCES = [
  'src/parse/integers.ts',
  'src/program/resolve.ts',
  'src/program/resolve-thread.ts',
  'src/program/resolve-call.ts',
  'src/program/resolve-argument.ts',
  'src/program/resolve-objects.ts',
  'src/program/resolve-queries.ts',
  'src/program/resolve-runs.ts',
  'src/program/resolve-subject.ts',
  'src/program/thread-names.ts',
  'src/program/accessed.ts',
  'src/program/arithmetic.ts',
  'src/program/counted.ts',
  'src/program/final.ts',
  'src/program/events',
  'src/model/automaton.ts',
  'src/model/interpret.ts',
  'src/model/operators',
  'src/model/relation',
  'src/encode',
  'src/solve/search',
  'src/check/decide.ts',
  'src/check/session.ts',
  'src/rdma/translate.ts',
  'src/machine',
  'src/explore',
  'src/rdma/machines',
];

/** The files that mistakes are put into. */
export const sourceFiles = (): readonly string[] => SOURCES.flatMap(filesIn);

const filesIn = (path: string): readonly string[] =>
  statSync(join(ROOT, path)).isFile()
    ? [path]
    : readdirSync(join(ROOT, path), { recursive: true, encoding: 'utf8' })
        .filter((file) => file.endsWith('.ts'))
        .sort()
        .map((file) => `${path}/${file}`);

/** All mutants that may change a verdict. */
export const codeMutants = (): readonly CodeMutant[] =>
  sourceFiles().flatMap((file) => {
    const out = LEFT_OUT.flatMap(({ mutants }) => mutants.filter((one) => one.startsWith(file)));
    return out.includes(file)
      ? []
      : mutantsOfFile(file).filter((mutant) => !out.some((one) => isMeant(mutant, one)));
  });

/** Is a mutant known to survive? */
export const isOpen = (mutant: CodeMutant): boolean => OPEN.some((entry) => isMeant(mutant, entry));

/** Is a mutant one of those that an entry of `left-out.ts` is about? */
export function isMeant({ name, what }: CodeMutant, entry: string): boolean {
  const [, place, change] = /^(.*?)(?:: (.*))?$/.exec(entry)!;
  return `${name}/`.startsWith(`${place}/`) && (change === undefined || change === what);
}

/** The mutant of a name. */
export function mutantNamed(name: string): CodeMutant {
  const file = name.slice(0, name.indexOf('.ts/') + '.ts'.length);
  const mutant = mutantsOfFile(file).find((one) => one.name === name);
  if (mutant === undefined) throw new Error(`no mutant has the name ${name}`);
  return mutant;
}

/** Which mutants are run. */
export interface Chosen {
  /** Only mutants with names that match: all of these, unless `sample` says how many. */
  readonly only?: RegExp;
  readonly sample?: number;
  /** Another text chooses others. */
  readonly seed: string;
}

/** How many are run where nothing is said. */
const SAMPLE = 200;

export function chosenMutants({ only, sample, seed }: Chosen): readonly CodeMutant[] {
  if (only === undefined) return sampleOf(codeMutants(), sample ?? SAMPLE, seed);
  const mutants = codeMutants().filter(({ name }) => only.test(name));
  return sample === undefined ? mutants : sampleOf(mutants, sample, seed);
}

/**
 * Some of the mutants, in their order. Each name has its own lot: where the sources change, the rest of a
 * sample stays.
 */
export function sampleOf(
  mutants: readonly CodeMutant[],
  size: number,
  seed: string,
): readonly CodeMutant[] {
  const lots = new Map(mutants.map(({ name }) => [name, lot(`${seed} ${name}`)]));
  const last = [...lots.values()].sort()[size];
  return mutants.filter(({ name }) => last === undefined || lots.get(name)! < last);
}

const lot = (text: string): string => createHash('sha256').update(text).digest('hex');
