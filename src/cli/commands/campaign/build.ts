import { createHash } from 'node:crypto';
import { readFileSync } from 'node:fs';
import { fileURLToPath } from 'node:url';

/**
 * Identifies the build that this process runs, by the text of the bundle. A version is not enough: somebody may build
 * again between two commands.
 */
export const ownBuild = (bundle = import.meta.url): string =>
  createHash('sha256')
    .update(readFileSync(fileURLToPath(bundle)))
    .digest('hex');
