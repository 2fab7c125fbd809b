import { describe, expect, test } from 'vitest';
import { remora } from '../support/run.js';

const run = (...args: string[]) => remora([...args, '--jobs', '1']);

interface LogEntry {
  readonly name: string;
  readonly kind: string;
  readonly states: readonly string[];
  readonly loop: boolean;
  readonly ok: boolean;
  readonly positive: number;
  readonly negative: number;
  readonly condition: string;
  readonly observation: string;
  readonly counts: readonly [number, number];
}

/** Reads a log as mcompare7's lexer does; throws at what mcompare7 would not read. */
function parseHerdLog(log: string): readonly LogEntry[] {
  const lines = log.split('\n');
  let at = 0;
  const take = (pattern: RegExp): RegExpExecArray => {
    const match = pattern.exec(lines[at] ?? '');
    if (match === null) throw new Error(`line ${at + 1}: '${lines[at]}' is not ${pattern}`);
    at += 1;
    return match;
  };
  const NAME = '[A-Za-z0-9_/.\\-+\\[\\]]+';
  const LETTERS = '[A-Za-z][A-Za-z0-9_.]*';
  const BINDING = `(?:[0-9]+:${LETTERS}|\\[${LETTERS}\\])=-?[0-9]+;`;
  const entries: LogEntry[] = [];
  while (at < lines.length - 1) {
    const [, name, kind] = take(new RegExp(`^Test (${NAME}) (Allowed|Forbidden|Required)$`));
    const count = Number(take(/^States ([0-9]+)$/)[1]);
    const states = Array.from({ length: count }, () => {
      return take(new RegExp(`^${BINDING}(?: ${BINDING})*$`))[0];
    });
    const [, loop, ok] = take(/^(Loop )?(Ok|No)$/);
    take(/^Witnesses$/);
    const [, positive, negative] = take(/^Positive: ([0-9]+) Negative: ([0-9]+)$/).map(Number);
    while (/^Flag /.test(lines[at])) take(new RegExp(`^Flag ${NAME}$`));
    const [, condition] = take(/^Condition (.+)$/);
    const observed = take(
      new RegExp(`^Observation (${NAME}) (Never|Sometimes|Always) ([0-9]+) ([0-9]+)$`),
    );
    const [, again, observation, p, n] = observed;
    const [, timed] = take(new RegExp(`^Time (${NAME}) [0-9]+\\.[0-9]{2}$`));
    take(/^$/);
    expect([again, timed]).toEqual([name, name]);
    entries.push({
      ...{ name, kind, states, loop: loop !== undefined, ok: ok === 'Ok' },
      ...{ positive, negative, condition, observation, counts: [Number(p), Number(n)] },
    });
  }
  return entries;
}

describe('--herd', () => {
  test('prints a log that mcompare7 reads, an entry a query', async () => {
    const paths = ['test/files/tests', 'test/files/same-name.litmus'];
    const { code, stdout, stderr } = await run('check', ...paths, '--herd');
    const entries = parseHerdLog(stdout);
    expect(stderr).toBe('');
    expect(code).toBe(0);
    expect(entries.map((e) => [e.name, e.kind, e.loop, e.ok, e.observation])).toEqual([
      ['loop/1', 'Allowed', true, false, 'Never'],
      ['loop/2', 'Allowed', true, true, 'Always'],
      ['MP', 'Allowed', false, true, 'Sometimes'],
      ['SB', 'Allowed', false, true, 'Sometimes'],
      ['two/1', 'Forbidden', false, true, 'Never'],
      ['two/2', 'Required', false, true, 'Always'],
      ['same-name/1', 'Allowed', false, true, 'Sometimes'],
      ['same-name/2', 'Allowed', false, true, 'Sometimes'],
    ]);
    for (const { states, positive, negative, counts } of entries) {
      expect(positive + negative).toBe(states.length);
      expect(counts[0] + counts[1]).toBe(states.length);
      expect(new Set(states).size).toBe(states.length);
    }
    const same = entries.find((e) => e.name === 'same-name/1')!;
    expect(same.states).toEqual(['0:a=-3; 1:a=-3; [x]=4;', '0:a=4; 1:a=-3; [x]=4;']);
    expect(same.condition).toBe('exists (0:a=4 /\\ 1:a=-3)');
  });

  test('numbers are counted, claims turned round: Never, Always, No', async () => {
    const { code, stdout } = await run('check', 'test/files/departing', '--herd', '-m', 'rdma-tso');
    const [exists, never, always] = parseHerdLog(stdout);
    expect(exists).toMatchObject({ kind: 'Allowed', ok: true, counts: [1, 3], positive: 1 });
    expect(never).toMatchObject({ kind: 'Forbidden', ok: false, counts: [1, 3], negative: 1 });
    expect(always).toMatchObject({ kind: 'Required', ok: false, counts: [2, 2], negative: 2 });
    expect(code).toBe(0);
  });

  // A test's name may hold any sign but blanks, `#` and quotes; other names may begin with `_`.
  test('names in the log are names that mcompare7 reads', async () => {
    const { stdout } = await run('check', 'test/files/odd-name.litmus', '--herd');
    const [entry, ...rest] = parseHerdLog(stdout);
    expect(rest).toEqual([]);
    expect(entry.name).toBe('SB_tso_');
    expect(entry.condition).toBe('exists (0:v_a=0 /\\ 1:b=0)');
  });
});
