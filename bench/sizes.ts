// How large programs and their encodings are. That is counted, and the same every time.
import { DEFAULT_ENCODING } from './engines.js';
import { FAMILIES } from './families.js';
import { runScript } from './process.js';

const SIZES = [2, 4, 8, 16, 32, 64];

export function measureSizes() {
  return Object.keys(FAMILIES).map((family) => {
    process.stderr.write(`size of ${family}\n`);
    return { family, sizes: SIZES.map((k) => ({ k, ...sizeOf(family, k, DEFAULT_ENCODING) })) };
  });
}

/** Events, open pairs, clauses and edges, if the encoding can be made. */
export function sizeOf(family, k, acyclicity) {
  return runScript('size.js', { family, k, acyclicity }).objects[0];
}
