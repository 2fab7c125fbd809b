/** What the package has beside its code. Modules of `src/cli` are as far from its folder as the bundle is; those in folders below are not. */
import { readFileSync } from 'node:fs';
import { fileURLToPath } from 'node:url';

/** The version of this package. */
export const { version: VERSION } = JSON.parse(
  readFileSync(new URL('../../package.json', import.meta.url), 'utf8'),
) as { readonly version: string };

/** The corpus that comes with Remora. */
export const SHIPPED_CORPUS = fileURLToPath(new URL('../../corpus', import.meta.url));
