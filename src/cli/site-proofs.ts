import type { Model } from '../model/term.js';
import { leavesOf } from '../proof/text.js';
import { harmless } from '../report/site/paths.js';
import type { Site, SiteProof } from '../report/site/site.js';
import { findTests } from './find.js';
import type { Corpus } from './inputs.js';
import { programDigest } from './proofs.js';
import type { SiteFile } from './site-folder.js';
import { judge, readCertificate } from './verify.js';

/** The proofs of a site. */
export interface SiteProofs {
  /** For each test of the corpus. */
  readonly ofTests: readonly (readonly SiteProof[])[];
  readonly files: readonly SiteFile[];
  /** Why some are not shown, ready to print. */
  readonly refused: readonly string[];
}

/** Checks the proofs in a folder, each against the test that it is about. Those that show nothing of the corpus are not shown. */
export function proofsOfSite(
  folder: string | undefined,
  { tests }: Corpus,
  models: readonly Model[],
  { entries }: Site,
): SiteProofs {
  const ofTests = tests.map((): SiteProof[] => []);
  const files: SiteFile[] = [];
  const found = folder === undefined ? [] : findTests([folder], ['.proof']);
  const refused: string[] = found.flatMap(({ errors }) => errors);
  const byDigest = new Map<string, number[]>();
  tests.forEach(({ source }, i) => {
    const digest = programDigest(source);
    byDigest.set(digest, [...(byDigest.get(digest) ?? []), i]);
  });
  for (const path of found.flatMap((one) => one.files)) {
    const read = readCertificate(path);
    if ('unread' in read) {
      refused.push(read.unread);
      continue;
    }
    const { heading, proof } = read.certificate;
    const about = byDigest.get(heading.program) ?? [];
    if (about.length === 0)
      refused.push(`${path}: a proof about none of the programs: that of ${heading.test}`);
    for (const i of about) {
      const outcome = judge(read.certificate, tests[i], { items: models }, {});
      if (!('holds' in outcome)) {
        refused.push(
          `${path}: ${'wrong' in outcome ? `not shown: ${outcome.wrong}` : outcome.unread}`,
        );
        continue;
      }
      const { model, query } = heading;
      const place = entries[i].page.replace(/^[^/]+\//, 'proofs/').replace(/\.html$/, '');
      const own = `${place}/${harmless(model)}-${query + 1}.proof`;
      if (files.some(([other]) => other === own)) continue;
      files.push([own, read.text]);
      ofTests[i].push({ model, query, path: own, leaves: leavesOf(proof) });
    }
  }
  return { ofTests, files, refused };
}
