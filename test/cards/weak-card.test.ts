import { readFileSync } from 'node:fs';
import { join } from 'node:path';
import { beforeAll, describe, expect, test } from 'vitest';
import { CARD_FOLDER, buildCard, cardFabrics } from '../../src/node/card.js';
import { CARD, SKIP_CARD, card, compile, runWith } from '../support/card.js';
import type { Settings } from '../support/card.js';
import { BROKEN, VERDICTS, seen } from './verdicts.js';
import type { Verdict } from './verdicts.js';

/** The weak card with one program of its own; what takes longer is in `weak-card-long.test.ts`. */

describe.skipIf(SKIP_CARD)(CARD, () => {
  let library: string;
  let litmus: string;

  beforeAll(() => {
    library = card();
    litmus = compile('litmus.c');
  });

  const isSeen = (verdict: Verdict, settings: Settings, seeds: number, runs: number): boolean =>
    seen(library, litmus, verdict, settings, seeds, runs);

  test.each(['ro-mp', 'man-lanes', 'FAA-FAA', 'msg-data'])('%s, as a fabric has it', (name) => {
    const verdict = VERDICTS.find(({ test }) => test === name)!;
    const [allowed] = verdict.allowed;
    const [forbidden] = verdict.forbidden;
    if (allowed !== undefined) {
      expect(isSeen(verdict, { REMORA_CARD_FABRIC: allowed }, 40, 200)).toBe(true);
    }
    expect(isSeen(verdict, { REMORA_CARD_FABRIC: forbidden }, 2, 50)).toBe(false);
  });

  test('does what every card does, and tells mistakes and missing verbs by name', () => {
    const verbs = compile('verbs.c');
    const { stdout, stderr, status } = runWith(library, [verbs], {});
    expect([stdout, status]).toEqual(['as every card\n', 0]);
    expect(stderr).toBe(
      'remora card: ibv_create_qp: the weak card has no queue pairs of type 4, only reliable connections\n' +
        'remora card: ibv_create_ah is not in the weak card\n',
    );
  });

  test('every rule that can be broken is', () => {
    const text = readFileSync(join(CARD_FOLDER, 'settings.c'), 'utf8');
    const rules = [...text.matchAll(/^ {4}\[\w+\] = "([\w-]+)"/gm)].map(([, rule]) => rule);
    expect(rules).toHaveLength(10);
    expect(Object.keys(BROKEN).sort()).toEqual(rules.sort());
  });

  test('its fabrics are those of models', () => {
    expect(cardFabrics()).toContain('ro-recvown');
    for (const { allowed, forbidden } of VERDICTS) {
      expect(cardFabrics()).toEqual(expect.arrayContaining([...allowed, ...forbidden]));
    }
  });

  test.each([
    [{ REMORA_CARD_FABRIC: 'sdr' }, 'REMORA_CARD_FABRIC: there is no fabric sdr, only tso, '],
    [{ REMORA_CARD_SEED: 'x' }, 'REMORA_CARD_SEED: x is no number'],
    [{ REMORA_CARD_BREAK: 'none' }, 'REMORA_CARD_BREAK: there is no rule none'],
    [{ REMORA_CARD_LOG: '/nowhere/log' }, 'the log /nowhere/log cannot be written: No such file'],
    [{ REMORA_CARD_ROOM: '/nowhere/r' }, 'the room /nowhere/r cannot be opened: No such file'],
  ])('%o is one message', (settings, message) => {
    const { stdout, stderr, status } = runWith(library, [litmus, 'ro-mp', '1'], settings);
    expect([stdout, status]).toEqual(['', 3]);
    expect(stderr).toMatch(/^remora card: .*\n$/);
    expect(stderr).toContain(message);
  });

  test('a log that fills the disk ends, and the program goes on', () => {
    const { stdout, stderr, status } = runWith(library, [litmus, 'ro-get-poll', '3'], {
      REMORA_CARD_LOG: '/dev/full',
    });
    expect([stdout, status]).toEqual(['r=1 s=0 3\n', 0]);
    expect(stderr).toBe('remora card: the log /dev/full ends here: No space left on device\n');
  });
});

describe('what is needed to build it', () => {
  test('a compiler', () => {
    expect(buildCard('/nowhere/cc').problem).toBe(
      'the weak card is built with a C compiler, and /nowhere/cc cannot be started; CC names another (Debian: apt-get install gcc libibverbs-dev)',
    );
  });

  test('a folder', () => {
    expect(buildCard('cc', [], '/dev/null/cache').problem).toContain(
      'the folder /dev/null/cache cannot be made',
    );
  });
});
