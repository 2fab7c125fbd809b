/**
 * Files of the package beside its code. They are found from here, since modules directly in `src/cli` are as deep below
 * the package as the bundle is; modules in subfolders are deeper.
 */
import { readFileSync } from 'node:fs';
import { fileURLToPath } from 'node:url';

/** The version of this package. */
export const { version: VERSION } = JSON.parse(
  readFileSync(new URL('../../package.json', import.meta.url), 'utf8'),
) as { readonly version: string };

/** The corpus that comes with Remora. */
export const SHIPPED_CORPUS = fileURLToPath(new URL('../../corpus', import.meta.url));
