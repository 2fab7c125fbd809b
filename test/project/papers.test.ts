import { readFileSync } from 'node:fs';
import { describe, expect, test } from 'vitest';
import { citationsIn, widerThan } from '../../scripts/papers/citations.js';
import type { Claim } from '../../scripts/papers/claims.js';
import { keyOf } from '../../scripts/papers/marks.js';
import { PAGE, allMarks, claimsOfPapers, papersPage, shownBy } from '../../scripts/papers/page.js';
import { remora } from '../support/run.js';

const papers = claimsOfPapers();
const marks = allMarks();

/** docs/papers.md: each item of the papers, and what shows it. */

test('the page is what its lists and the citations say (npm run golden)', () => {
  expect(readFileSync(PAGE, 'utf8')).toBe(papersPage(papers, marks));
});

test('what is cited is in the lists', () => {
  expect(marks.unknown).toEqual([]);
});

describe.each(papers)('$paper', ({ paper, claims }) => {
  test('each item is named once', () => {
    expect(new Set(claims.map(({ item }) => item)).size).toBe(claims.length);
  });

  const shown = (claim: Claim): boolean =>
    shownBy(claim, marks.of.get(keyOf(paper, claim.item))!).length > 0;
  const names = (found: readonly Claim[]): readonly string[] => found.map(({ item }) => item);

  test('each item is shown by something, or there is a reason why not', () => {
    expect(names(claims.filter((c) => !shown(c) && c.leftOut === undefined))).toEqual([]);
  });

  test('what is shown is not called missing', () => {
    expect(names(claims.filter((c) => shown(c) && c.leftOut === 'not yet'))).toEqual([]);
  });

  const commands = [...new Set(claims.flatMap((claim) => claim.commands))];
  test.runIf(commands.length > 0).each(commands)('%s', async (command) => {
    const [program, ...args] = command.split(' ');
    expect(program).toBe('remora');
    const { code, stderr } = await remora(args);
    expect({ code, stderr }).toMatchObject({ code: expect.toBeOneOf([0, 1]) as unknown });
  });
});

test.each([
  ['TSO paper, Fig. 15', ['TSO Fig. 15']],
  ['(TSO paper, Figs. 2 and 10; Def. C.7)', ['TSO Fig. 2', 'TSO Fig. 10', 'TSO Def. C.7']],
  ['TSO paper, Thms C.1-3, App. D', ['TSO Thm C.1', 'TSO Thm C.2', 'TSO Thm C.3', 'TSO App. D']],
  ['TSO paper, Lemmas B.9–B.11', ['TSO Lemma B.9', 'TSO Lemma B.10', 'TSO Lemma B.11']],
  ['TSO paper, Figs. 1c-d', ['TSO Fig. 1c', 'TSO Fig. 1d']],
  [
    'the decidability paper (section 6.2,\n * App. D.1)',
    ['decidability §6.2', 'decidability App. D.1'],
  ],
  ['decidability paper, Claim 0.C.1', ['decidability Claim C.1']],
  ['Robustness paper, Fig. 3a, which 2 of', ['robustness Fig. 3a']],
  ['robustness paper, Def. 5.', ['robustness Def. 5']],
  ['Theorems 3 and 4 of the robustness paper', ['robustness Thm 3', 'robustness Thm 4']],
  [
    'ALock paper, Algorithms 1 and 2, StarvationFree: all',
    ['ALock Algorithm 1', 'ALock Algorithm 2', 'ALock StarvationFree'],
  ],
  ['LOCO paper, Ex. 3.4', ['LOCO Ex. 3.4']],
  ['the LOCO paper reports Fig. 3', []],
  ['TSO paper, 37 tests', []],
])('citations in: %s', (text, expected) => {
  expect(citationsIn(text).map(({ paper, item }) => keyOf(paper, item))).toEqual(expected);
});

test('a part is a part of what has its number', () => {
  expect(widerThan('App. C.5')).toEqual(['App. C.5', 'App. C']);
  expect(widerThan('Fig. 2a')).toEqual(['Fig. 2a', 'Fig. 2']);
  expect(widerThan('StarvationFree')).toEqual(['StarvationFree']);
});
