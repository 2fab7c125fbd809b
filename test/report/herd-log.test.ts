import { readFileSync } from 'node:fs';
import { describe, expect, test } from 'vitest';
import type { Proposition } from '../../src/program/program.js';
import { printTest } from '../../src/program/print.js';
import { herdLog } from '../../src/report/herd.js';
import { litmus } from '../support/checker.js';
import { PLAIN_FILES } from '../support/corpus.js';
import { remora } from '../support/run.js';
import { isStateQuery } from '../../src/program/program.js';

/** Conditions as herd7 writes them, from its logs to litmus files and back. */

/** `a != b` and `~(a = b)` are one. */
function plain(p: Proposition): Proposition {
  switch (p.kind) {
    case 'and':
    case 'or':
      return { ...p, left: plain(p.left), right: plain(p.right) };
    case 'not': {
      const arg = plain(p.arg);
      return arg.kind === 'atom' ? { ...arg, equal: !arg.equal } : { kind: 'not', arg };
    }
    default:
      return p;
  }
}

test('conditions of the log of every test of the corpus can be pasted into its file', () => {
  const nothing = { states: [], flags: [], milliseconds: 0 };
  let conditions = 0;
  for (const { text } of PLAIN_FILES) {
    const { queries: all, ...known } = litmus(text);
    const queries = all.filter(isStateQuery);
    const log = herdLog({ ...known, queries }, [], nothing);
    const pasted = [...log.matchAll(/^Condition (.*)$/gm)].map(([, condition]) => condition);
    const again = litmus(`${printTest({ ...known, queries: [] })}\n${pasted.join('\n')}`);
    expect(
      again.queries.filter(isStateQuery).map((q) => [q.quantifier, plain(q.condition)]),
    ).toEqual(queries.map((q) => [q.quantifier, plain(q.condition)]));
    conditions += pasted.length;
  }
  expect(conditions).toBeGreaterThan(200);
});

describe('filter and locations', () => {
  const file = 'test/files/filter.litmus';
  const run = (...args: string[]) => remora([...args, '-m', 'x86-tso', '--jobs', '1']);
  const engines = ['smt', 'enumerate'];

  test.each(engines)('queries are about final states of the filter, by %s', async (engine) => {
    const { stdout } = await run('check', file, '--json', '--engine', engine);
    const answers = stdout
      .trim()
      .split('\n')
      .map((line) => JSON.parse(line));
    expect(answers.map(({ query, verdict, state }) => [query, verdict, state])).toEqual([
      ['exists (a = 0 /\\ b = 0)', 'allowed', { a: 0, b: 0, x: 1 }],
      ['forall (a = 0 => (b = 1 \\/ not (1:b = 0)))', 'fails', { a: 0, b: 0, x: 1 }],
      ['~exists (a = 0 /\\ 0:a = 1)', 'forbidden', undefined],
    ]);
  });

  test.each(engines)(
    'so are lists of final states, which show more names, by %s',
    async (engine) => {
      const { stdout } = await run('outcomes', file, '--engine', engine);
      expect(stdout).toBe(`\
filter under x86-tso: 2 final states
  a = 0  b = 0  x = 1   (1)
  a = 0  b = 1  x = 1   (2)
  (1) satisfies a = 0 /\\ b = 0
  (2) satisfies a = 0 => (b = 1 \\/ not (1:b = 0))
  (3) satisfies a = 0 /\\ 0:a = 1

`);
    },
  );

  test('and the log of herd7', async () => {
    const { stdout } = await run('check', file, '--herd');
    const [first] = stdout.split('\n\n');
    expect(first.split('\n').filter((line) => !line.startsWith('Time'))).toEqual([
      'Test filter/1 Allowed',
      'States 2',
      '0:a=0; 1:b=0; [x]=1;',
      '0:a=0; 1:b=1; [x]=1;',
      'Ok',
      'Witnesses',
      'Positive: 1 Negative: 1',
      'Condition exists (0:a=0 /\\ 1:b=0)',
      'Observation filter/1 Sometimes 1 1',
    ]);
  });

  test('a test that is printed again asks the same', () => {
    const known = litmus(readFileSync(file, 'utf8'));
    const again = litmus(printTest(known));
    const asked = ({ queries, listed }: typeof known) => [
      queries.filter(isStateQuery).map((q) => [q.quantifier, q.condition, q.text]),
      listed,
    ];
    expect(asked(again)).toEqual(asked(known));
  });
});
