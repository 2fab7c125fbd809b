import fc from 'fast-check';
import { expect, test } from 'vitest';
import { fix } from '../../src/analyses/repair/fix.js';
import { enumerate } from '../../src/check/decide.js';
import type { Model } from '../../src/model/term.js';
import { defaultInstructions } from '../../src/node/models.js';
import { allSubjects } from '../../src/program/subjects.js';
import { DEFAULT_COSTS } from '../../src/rdma/additions.js';
import { declaredPrograms, themesOf } from '../../src/rdma/random/declared.js';
import { inBlocks } from '../../src/rdma/random/programs.js';
import { vocabularyOf } from '../../src/rdma/random/vocabulary.js';
import { adapted, litmus, modelOf, newSolver, verdicts } from '../support/checker.js';
import { textsOf } from '../support/inlined-states.js';
import { cases, few } from '../support/random.js';

/** Fixes of random programs with all that models declare: messages, unsignalled work, shared queues, places. */

const WEAK = modelOf('rdma-ro');
/** No addition changes anything here, unless something waits for ever. It has no messages. */
const STRONG = modelOf('sc');

/** How many outcomes of a program are tried. */
const OUTCOMES = 2;

/** The outcomes of a program, each as `x=1 a=0`. */
function outcomesOf(text: string, model: Model): readonly string[] {
  const given = adapted(litmus(text), model);
  return textsOf(enumerate(given, model, newSolver, allSubjects(given.program), 4));
}

const asQuery = (outcome: string): string =>
  `exists (${outcome.split(' ').join(' /\\ ').replaceAll('=', ' = ')})`;

/** A program with something added so that it has not some outcome; undefined if nothing was found. */
function fixed(text: string): string | undefined {
  const circumstances = { models: [WEAK], newSolver, acyclicity: 'elimination' } as const;
  const deadline = performance.now() + 2000;
  const asked = { test: adapted(litmus(text), WEAK), query: 0, costs: DEFAULT_COSTS };
  const found = fix(asked, { ...circumstances, deadline });
  expect(found.kind, text).toBe('additions');
  return found.kind === 'additions' && found.repair.kind === 'found'
    ? found.repair.litmus
    : undefined;
}

/** What outcomes say of some names only, each once. */
const about = (names: ReadonlySet<string>, outcomes: readonly string[]): readonly string[] => {
  const parts = outcomes.map((one) => one.split(' ').filter((p) => names.has(p.split('=')[0])));
  return [...new Set(parts.map((some) => some.sort().join(' ')))].sort();
};

const namesOf = (outcome: string): ReadonlySet<string> =>
  new Set(outcome.split(' ').map((part) => part.split('=')[0]));

const all = themesOf(vocabularyOf([WEAK], defaultInstructions()));

test.each(all)('a fix rules an outcome out, and nothing waits for ever: %s', (theme) => {
  const compared = theme === 'messages' ? [WEAK] : [WEAK, STRONG];
  const vocabulary = vocabularyOf(compared, defaultInstructions());
  let found = 0;
  for (const source of fc.sample(declaredPrograms(vocabulary, theme), {
    seed: 7,
    numRuns: cases(50),
  })) {
    const program = inBlocks(source);
    const plain = `${program}\nexists (true)`;
    const outcomes = outcomesOf(plain, WEAK);
    if (outcomes.length < 2) continue;
    const usual = compared.includes(STRONG) ? outcomesOf(plain, STRONG) : [];
    for (const outcome of outcomes.filter((one) => !usual.includes(one)).slice(0, OUTCOMES)) {
      const text = fixed(`${program}\n${asQuery(outcome)}`);
      if (text === undefined) continue;
      found += 1;
      expect(verdicts(text, WEAK), text).toEqual(['forbidden']);
      if (compared.includes(STRONG)) {
        const names = namesOf(outcome);
        expect(about(names, outcomesOf(text, STRONG)), text).toEqual(about(names, usual));
      }
      break;
    }
  }
  expect(found).toBeGreaterThanOrEqual(few(5));
});
