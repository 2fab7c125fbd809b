// How large programs and their encodings are. That is counted, and the same every time.
import type { Acyclicity } from '../dist/encode/acyclicity/choice.js';
import { DEFAULT_ENCODING } from './engines.js';
import { FAMILIES } from './families.js';
import { runScript } from './process.js';
import type { Size, SizeGiven } from './size-run.js';

const SIZES = [2, 4, 8, 16, 32, 64];

/** Of those whose encoding cannot be made, only k is known. */
type SizeAt = { readonly k: number } & Partial<Size>;

export interface FamilySizes {
  readonly family: string;
  readonly sizes: readonly SizeAt[];
}

export function measureSizes(): readonly FamilySizes[] {
  return Object.keys(FAMILIES).map((family) => {
    process.stderr.write(`size of ${family}\n`);
    return { family, sizes: SIZES.map((k) => ({ k, ...sizeOf(family, k, DEFAULT_ENCODING) })) };
  });
}

/** Events, open pairs, clauses and edges, if the encoding can be made. */
export function sizeOf(family: string, k: number, acyclicity: Acyclicity): Size | undefined {
  return runScript<SizeGiven, Size>('size-run', { family, k, acyclicity }).objects[0];
}
