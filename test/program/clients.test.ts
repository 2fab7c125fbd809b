import { join } from 'node:path';
import { DISK, defaultInstructions } from '../../src/node/models.js';
import { renderDiagnostic } from '../../src/parse/diagnostics/index.js';
import { ok } from '../../src/parse/diagnostics/index.js';
import type { Client } from '../../src/program/client.js';
import { resolveClient } from '../../src/program/client.js';
import { Libraries } from '../../src/program/libraries.js';
import { readTestOrClient } from '../../src/program/read.js';
import { readProgram, testCases } from '../support/cases.js';
import { printTest } from '../support/litmus-text.js';

/** What calls of libraries mean, and what is said of wrong ones. */

/** Reads a client; a library `own` beside it has the text of `cat`. */
function readClient(text: string, cat?: string): Client {
  const files = {
    ...DISK,
    exists: (path: string) => (path === 'own.cat' ? cat !== undefined : DISK.exists(path)),
    read: (path: string) => (path === 'own.cat' ? ok({ path, text: cat! }) : DISK.read(path)),
  };
  return readTestOrClient(
    { path: 'case.litmus', text },
    {
      instructions: defaultInstructions(),
      models: [],
      client: (file) => resolveClient(file, { libraries: new Libraries(files) }),
    },
  );
}

testCases(join(import.meta.dirname, 'clients'), (input) => {
  const { settings, text } = readProgram(input, ['cat']);
  const { test: read, sources } = readClient(text, settings.cat);
  const all = read.ok ? read.value.warnings : read.errors;
  const lines = all.map((one) => renderDiagnostic(one, sources));
  return [...lines, ...(read.ok ? [printTest(read.value)] : [])].join('\n');
});
