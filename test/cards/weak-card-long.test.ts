import { spawnSync } from 'node:child_process';
import { readdirSync } from 'node:fs';
import { basename, dirname, join } from 'node:path';
import { beforeAll, describe, expect, test } from 'vitest';
import { CARD_FOLDER, RUN_TIME_FOLDER } from '../../src/node/card.js';
import { CARD, SANITIZED, SKIP_CARD, card, compile, runWith, sanitizers } from '../support/card.js';
import { ALL, inTurn, some } from '../support/random.js';
import { BROKEN, VERDICTS, seen } from './verdicts.js';

/** All verdicts, over many seeds, and what compilers and their sanitizers say. */

describe.skipIf(SKIP_CARD)(`${CARD}, at length`, () => {
  let library: string;
  let litmus: string;
  let verbs: string;

  beforeAll(() => {
    library = card();
    litmus = compile('litmus.c');
    verbs = compile('verbs.c');
  });

  const allowed = VERDICTS.flatMap((v) => v.allowed.map((fabric) => [v.test, fabric, v] as const));
  test.each(allowed)('%s is seen under %s', (_, fabric, verdict) => {
    const settings = { REMORA_CARD_FABRIC: fabric };
    expect(seen(library, litmus, verdict, settings, 100, 400)).toBe(true);
  });

  const forbidden = VERDICTS.flatMap((v, i) =>
    inTurn(v.forbidden, i).map((fabric) => [v.test, fabric, v] as const),
  );
  test.each(forbidden)('%s is never seen under %s', (_, fabric, verdict) => {
    const settings = { REMORA_CARD_FABRIC: fabric };
    expect(seen(library, litmus, verdict, settings, ALL ? 8 : 1, 200)).toBe(false);
  });

  // test/cards/measured.test.ts has each rule, in another program.
  test.runIf(ALL).each(Object.entries(BROKEN))('without the rule %s, %s shows it', (rule, name) => {
    const verdict = VERDICTS.find(({ test }) => test === name)!;
    expect(verdict.forbidden).toContain('tso');
    expect(seen(library, litmus, verdict, { REMORA_CARD_BREAK: rule }, 40, 200)).toBe(true);
  });

  const others = ['nopcie', 'manpage', 'ro', 'ro-either', 'unordered', 'ooo-rw'];
  test.each(['tso', 'srd', ...(ALL ? others : [])])(
    'is clean by ASan and UBSan under %s',
    (fabric) => {
      const clean = [...sanitizers(), card('gcc', SANITIZED)];
      for (const { test } of VERDICTS) {
        if (fabric === 'srd' && /atomic|FAA/.test(test)) continue;
        const settings = { REMORA_CARD_FABRIC: fabric };
        const { stderr, status } = runWith(
          clean.join(':'),
          [litmus, test, ALL ? '60' : '20'],
          settings,
        );
        expect([test, stderr, status]).toEqual([test, '', 0]);
      }
      if (fabric === 'srd' || fabric === 'unordered') return;
      const { stdout } = runWith(clean.join(':'), [verbs], { REMORA_CARD_FABRIC: fabric });
      expect(stdout).toBe('as every card\n');
    },
  );

  const sources = [CARD_FOLDER, RUN_TIME_FOLDER].flatMap((folder) =>
    readdirSync(folder)
      .filter((file) => file.endsWith('.c'))
      .map((file) => join(basename(folder), file)),
  );
  const checked = (compiler: string, options: readonly string[], file: string): string =>
    spawnSync(
      compiler,
      ['-std=gnu11', '-D_GNU_SOURCE=', ...options, join(dirname(CARD_FOLDER), file)],
      { encoding: 'utf8' },
    ).stderr;

  test('is built by clang without a warning', () => {
    expect(card('clang', ['-Wconversion'])).toContain('weak-card');
  });

  // The analysers take a second for each file and more: where not all cases are tried, each has a few, and not the same.
  test.each(some([...sources].reverse(), 0.25))("%s: no warning of clang's analyser", (file) => {
    expect(checked('clang', ['--analyze', '-o', '/dev/null'], file)).toBe('');
  });

  // Not of leaks: it takes an object for lost whose first member is returned, as all objects of verbs are.
  test.each(some(sources, 0.2))("%s: no warning of gcc's analyser", (file) => {
    const gcc = ['-O1', '-fanalyzer', '-Wno-analyzer-malloc-leak', '-c', '-o', '/dev/null'];
    expect(checked('gcc', gcc, file)).toBe('');
  });
});
