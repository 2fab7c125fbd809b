import { expect } from 'vitest';
import { runWith } from '../support/card.js';
import type { Settings } from '../support/card.js';

/**
 * Outcomes of the programs in `litmus.c`, and what fabrics allow, by the documents that corpus/fabrics goes back to. An outcome
 * that a card shows must be allowed; one that is allowed should be seen.
 */
export interface Verdict {
  readonly test: string;
  /** The values of r and s. */
  readonly outcome: readonly [r: number, s: number];
  readonly allowed: readonly string[];
  readonly forbidden: readonly string[];
}

const verdict = (
  test: string,
  r: number,
  s: number,
  allowed: string,
  forbidden: string,
): Verdict => ({
  test,
  outcome: [r, s],
  allowed: allowed.split(' ').filter(Boolean),
  forbidden: forbidden.split(' ').filter(Boolean),
});

export const VERDICTS: readonly Verdict[] = [
  verdict('ro-mp', 1, 0, 'ro ro-manpage ro-either ooo-rw srd', 'tso manpage ro-tagged'),
  verdict('ro-raw', 0, 0, 'unordered ooo-rw srd', 'tso ro ro-atomic manpage'),
  verdict('un-raw-poll', 0, 0, 'unordered', 'tso ro manpage srd ooo-rw'),
  verdict('ro-get-get', 1, 0, 'ro srd', 'tso manpage'),
  verdict('ro-get-poll', 0, 0, '', 'tso ro manpage srd unordered'),
  verdict('ro-fence', 1, 0, 'ro srd', 'tso manpage ooo-rw'),
  verdict('ro-poll', 1, 0, 'ro srd', 'tso manpage ro-manpage ooo-rw'),
  verdict('ro-put-atomic', 1, 0, 'ro-atomic', 'tso ro manpage ooo-rw'),
  verdict('ro-atomic-put', 1, 0, 'ro-atomic ooo-rw', 'tso ro manpage'),
  verdict('ro-same-word', 1, 0, 'ro', 'tso manpage'),
  verdict('ro-read-then-flag', 1, 0, 'unordered', 'tso ro manpage'),
  verdict('man-lanes', 1, 0, 'tso ro nopcie', 'manpage'),
  verdict('FAA-FAA', 0, 0, '', 'tso ro manpage nopcie'),
  verdict('msg-data', 0, 0, '', 'tso ro manpage ro-recvown'),
  verdict('msg-mp', 0, 0, 'ro-recvown', 'tso ro manpage ooo-rw'),
  verdict('source', 2, 0, '', 'tso ro manpage'),
  verdict('get-fence-put', 5, 0, 'srd', 'tso ro ooo-rw manpage'),
];

/** Rules that the card can break (`settings.c`), each with a program that shows an outcome then that `tso` forbids. */
export const BROKEN: Readonly<Record<string, string>> = {
  'put-order': 'ro-mp',
  'memory-order': 'ro-mp',
  'read-pushes': 'ro-raw',
  'read-after-put': 'ro-raw',
  'answer-order': 'ro-get-get',
  'answer-completion': 'ro-get-poll',
  'source-completion': 'source',
  fence: 'get-fence-put',
  'atomic-unit': 'FAA-FAA',
  'receive-completion': 'msg-data',
};

/** Is an outcome seen with one of some seeds, in so many runs with each? The program is `litmus.c`, built. */
export function seen(
  library: string,
  litmus: string,
  { test, outcome: [r, s] }: Verdict,
  settings: Settings,
  seeds: number,
  runs: number,
): boolean {
  for (let seed = 1; seed <= seeds; seed++) {
    const args = [litmus, test, String(runs), String(r), String(s)];
    const all = { REMORA_CARD_SEED: String(seed), ...settings };
    const { stdout, stderr, status } = runWith(library, args, all);
    expect([stderr, status]).toEqual(['', 0]);
    if (stdout.includes(`r=${r} s=${s} `)) return true;
  }
  return false;
}
