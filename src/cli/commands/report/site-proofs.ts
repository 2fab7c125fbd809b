import { readFileSync } from 'node:fs';
import { extname } from 'node:path';
import type { Model } from '../../../model/term.js';
import { harmless } from '../../../report/site/paths.js';
import type { Site, SiteProof } from '../../../report/site/site.js';
import { findTests } from '../../inputs/find.js';
import { judgeProof } from '../../proofs/judge.js';
import type { Corpus } from '../../inputs/corpus.js';
import { programDigest } from '../../proofs/write.js';
import { PROOFS, isInClauses, readProof, stepsPath } from '../../proofs/read.js';
import type { SiteFile } from './site-folder.js';

/** The proofs of a site. */
export interface SiteProofs {
  /** For each test of the corpus. */
  readonly ofTests: readonly (readonly SiteProof[])[];
  readonly files: readonly SiteFile[];
  /** Why some are not shown, ready to print. */
  readonly refused: readonly string[];
}

/**
 * Checks the proofs in a folder, each against its test. Proofs that are wrong, or about no test of the corpus, are
 * refused.
 */
export function proofsOfSite(
  folder: string | undefined,
  { tests }: Corpus,
  models: readonly Model[],
  { entries }: Site,
): SiteProofs {
  const ofTests = tests.map((): SiteProof[] => []);
  const files: SiteFile[] = [];
  const found = folder === undefined ? [] : findTests([folder], PROOFS);
  const refused: string[] = found.flatMap(({ errors }) => errors);
  const byDigest = new Map<string, number[]>();
  tests.forEach(({ source }, i) => {
    const digest = programDigest(source);
    byDigest.set(digest, [...(byDigest.get(digest) ?? []), i]);
  });
  for (const path of found.flatMap((one) => one.files)) {
    const read = readProof(path);
    if ('unread' in read) {
      refused.push(read.unread);
      continue;
    }
    const { heading } = read.value;
    const about = byDigest.get(heading.program) ?? [];
    if (about.length === 0)
      refused.push(`${path}: a proof about none of the programs: that of ${heading.test}`);
    for (const i of about) {
      const outcome = judgeProof(read.value, tests[i], { items: models }, {});
      if (!('holds' in outcome)) {
        refused.push(
          `${path}: ${'wrong' in outcome ? `not shown: ${outcome.wrong}` : outcome.unread}`,
        );
        continue;
      }
      const { model, query } = heading;
      const place = entries[i].page.replace(/^[^/]+\//, 'proofs/').replace(/\.html$/, '');
      const own = `${place}/${harmless(model)}-${query + 1}${extname(path)}`;
      if (files.some(([other]) => other === own)) continue;
      const steps = isInClauses(read.value) ? stepsPath(own) : undefined;
      files.push([own, readFileSync(path, 'utf8')]);
      if (steps !== undefined) files.push([steps, readFileSync(stepsPath(path), 'utf8')]);
      ofTests[i].push({ model, query, path: own, steps, size: outcome.size });
    }
  }
  return { ofTests, files, refused };
}
