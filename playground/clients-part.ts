import type * as core from '../src/core.js';
import { resolveClient } from '../src/program/client.js';
import { Libraries } from '../src/program/libraries.js';

/** What resolves clients of libraries, which are in these files. It is loaded once a program may be one. */
export function clientReader(files: core.ModelFiles): core.ReadContext['client'] {
  const libraries = new Libraries(files);
  return (file) => resolveClient(file, { libraries });
}
