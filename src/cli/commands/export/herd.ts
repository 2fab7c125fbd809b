import { herdTest } from '../../../emit/herd.js';
import { isas } from '../../../node/isas.js';
import { isaOf } from '../../../parse/isa.js';
import { harmless } from '../../../report/site/paths.js';
import { UsageError } from '../../command/usage.js';
import { withoutClients } from '../../inputs/clients.js';
import { readCorpus } from '../../inputs/corpus.js';
import { renderFor } from '../../inputs/messages.js';
import { readModels } from '../../inputs/models.js';
import type { InputReader } from '../../inputs/reader.js';
import { DEFAULT_MODEL } from '../../run/options.js';
import type { ScriptFile, Scripts } from './script.js';

export interface HerdOptions {
  /** The word that tests are to begin with. */
  readonly litmus: string;
  /** Just one query of each test, counted from 1. */
  readonly query?: number;
}

/** Queries as litmus tests of herd7: one test for each query, and one for a program without. */
export function herdScripts(
  paths: readonly string[],
  { litmus: language, query: only }: HerdOptions,
  reader: InputReader,
): Scripts {
  // The others are for tests that are read: they name no registers for those that are written.
  const all = isas().filter(({ registers }) => registers.length > 0);
  const isa = isaOf(all, language);
  if (isa === undefined) {
    const known = all.flatMap(({ languages }) => languages).join(', ');
    throw new UsageError(`--litmus ${language}: not written; there are ${known}`);
  }
  const { corpus, refused } = withoutClients(
    readCorpus(paths, readModels(DEFAULT_MODEL, 'smt', reader), reader),
    'export --litmus',
    'herd7 has no libraries',
  );
  const errors = [...corpus.errors, ...refused];
  const scripts: ScriptFile[] = [];
  for (const { source, test } of corpus.tests) {
    const { queries, name } = test;
    if (only !== undefined && only > queries.length) {
      errors.push(`${source.path}: there is no query ${only}: the test has ${queries.length}`);
      continue;
    }
    for (const [index, query] of (queries.length > 0 ? queries : [undefined]).entries()) {
      if (only !== undefined && only !== index + 1) continue;
      const made = herdTest(test, isa, language, query);
      const number = queries.length > 1 ? `.${index + 1}` : '';
      if ('error' in made) errors.push(renderFor(source, [made.error]));
      else
        scripts.push({
          file: harmless(`${name}${number}.litmus`),
          path: source.path,
          of: { text: made.text },
        });
    }
  }
  return { scripts, warnings: corpus.warnings, errors: [...new Set(errors)] };
}
