import { join } from 'node:path';
import fc from 'fast-check';
import { describe, expect, test } from 'vitest';
import { prove } from '../../src/analyses/prove/prove.js';
import { readCorpus } from '../../src/cli/inputs/corpus.js';
import { readModels } from '../../src/cli/inputs/models.js';
import { judgeProof } from '../../src/cli/proofs/judge.js';
import { modelDigest, programDigest } from '../../src/cli/proofs/write.js';

import { structureFor } from '../../src/check/structure.js';
import { openIn } from '../../src/program/events/open.js';
import type { EventStructure } from '../../src/program/events/structure.js';
import { stateQuery } from '../../src/program/program.js';
import type { Claim } from '../../src/proof/contradiction.js';
import type { Certificate } from '../../src/proof/text.js';
import { parseCertificate } from '../../src/proof/text.js';
import { proofVerifier } from '../../src/proof/verify.js';
import { ROOT } from '../support/run.js';

/** Proofs that are changed at random, as by somebody who writes the right checksum below them. */

const MODELS = readModels(['rdma-tso'], 'auto');
const [MODEL] = MODELS.items;

const itemOf = (name: string) => readCorpus([join(ROOT, `corpus/${name}.litmus`)], MODELS).tests[0];

function proofOf(name: string): string {
  const item = itemOf(name);
  const digests = { program: programDigest(item.source), modelDigest: modelDigest(MODEL) };
  const circumstances = { models: [MODEL] } as unknown as Parameters<typeof prove>[1];
  const asked = { test: item.test, query: 0, digests, remora: '', format: 'tree' } as const;
  const proved = prove(asked, circumstances);
  if (!('tree' in proved)) throw new Error(`${name} has no tree`);
  return proved.tree;
}

const parsed = (text: string): Certificate | undefined => {
  const read = parseCertificate({ path: 'changed.proof', text });
  return read.ok ? read.value : undefined;
};

/** Another number, a line less, two lines exchanged, or a word of another line. */
function changeOf(text: string, how: number, at: number, other: number): string {
  const lines = text.trimEnd().split('\n');
  const [i, k] = [at % lines.length, other % lines.length];
  const swap = (word: string): string => lines.map((line, n) => (n === i ? word : line)).join('\n');
  const words = lines[i].split(/(?<= )(?=\S)/);
  const theirs = lines[k].trim().split(' ');
  const w = other % words.length;
  switch (how) {
    case 0:
      return `${swap(lines[i].replace(/\d+(?!.*\d)/, String(other % 14)))}\n`;
    case 1:
      return `${lines.filter((_, n) => n !== i).join('\n')}\n`;
    case 2:
      return `${lines.map((line, n) => (n === i ? lines[k] : n === k ? lines[i] : line)).join('\n')}\n`;
    default: {
      const word = theirs[at % theirs.length] + (words[w].endsWith(' ') ? ' ' : '');
      return `${swap(words.with(w, words[w].match(/^ */)![0] + word).join(''))}\n`;
    }
  }
}

const CHANGE = fc.tuple(fc.nat(3), fc.nat(10_000), fc.nat(10_000));
const SETTINGS = { numRuns: 1500, seed: Number(process.env.REMORA_SEED ?? 20) };

describe.each(['tso/MP1', 'tso/CRMA2'])('a proof of %s', (name) => {
  const text = proofOf(name);
  const item = itemOf(name);
  const original = parsed(text)!;

  test('that is changed shows nothing, or what it said before', () => {
    expect(judgeProof(original, item, MODELS, {})).toHaveProperty('holds');
    const seen = { noticed: 0, holds: 0 };
    fc.assert(
      fc.property(CHANGE, (change) => {
        const other = changeOf(text, ...change);
        if (other === text) return;
        const certificate = parsed(other);
        const outcome = certificate && judgeProof(certificate, item, MODELS, {});
        if (certificate === undefined || outcome === undefined || !('holds' in outcome)) {
          seen.noticed += 1;
          return;
        }
        // Another leaf that holds, too; a step or a case that nobody needs; a bound that no loop has: the claim is the same.
        seen.holds += 1;
        expect({ ...certificate.heading, bound: 3 }).toEqual(original.heading);
        expect(certificate.listing).toEqual(original.listing);
      }),
      SETTINGS,
    );
    expect(seen.noticed).toBeGreaterThan(1000);
    expect(seen.holds).toBeLessThan(200);
  });

  test('shows nothing of what can happen, however it is changed', () => {
    const structure = structureFor(item.test.program, MODEL) as EventStructure;
    const { condition } = stateQuery(item.test, 0);
    const claim = { open: openIn(structure), model: MODEL, condition, asked: true };
    const weaker = { ...MODEL, axioms: [] };
    // There are executions that end otherwise, and without axioms some end so.
    const open: readonly Claim[] = [
      { ...claim, asked: false },
      { ...claim, model: weaker },
    ];
    const verifiers = open.map(proofVerifier);
    fc.assert(
      fc.property(CHANGE, CHANGE, (first, second) => {
        const certificate = parsed(changeOf(changeOf(text, ...first), ...second));
        if (certificate === undefined) return;
        for (const verify of verifiers) expect(verify(certificate.proof)).toBeDefined();
      }),
      SETTINGS,
    );
  });
});
