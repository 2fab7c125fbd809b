import { dirname } from 'node:path';
import { DISK } from '../../node/models.js';
import type { ModelFiles } from '../../model/load.js';
import { ok } from '../../parse/diagnostics/index.js';
import type { SourceFile } from '../../parse/diagnostics/index.js';

/** Files with the texts that they had; all others as they are now. */
export function filesWith(sources: readonly SourceFile[] = []): ModelFiles {
  const texts = new Map(sources.map((source) => [source.path, source]));
  return {
    ...DISK,
    // In which folders includes were looked for is not written down, but where they were found.
    folders: [...new Set(sources.map(({ path }) => dirname(path)))],
    exists: (file) => texts.has(file) || DISK.exists(file),
    read: (file) => {
      const source = texts.get(file);
      return source === undefined ? DISK.read(file) : ok(source);
    },
  };
}
