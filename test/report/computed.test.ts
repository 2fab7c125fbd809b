import { describe, expect, test } from 'vitest';
import { parseLitmus } from '../../src/index.js';
import type { FoundVerdict } from '../../src/report/computed.js';
import { recomputed } from '../../src/report/computed.js';

const HEAD = `RDMA t
node 1 { x = 0 }
thread T1 on 1 { x := 1 }
`;

/** The queries of a file with their `computed` lines made anew; models that `found` lacks are not decided. */
function after(queries: string, found: Readonly<Record<string, string>>): string {
  const text = HEAD + queries;
  const parsed = parseLitmus(text);
  if (!parsed.ok) throw new Error(parsed.errors[0].message);
  const verdict: FoundVerdict = (_, model) => found[model] as ReturnType<FoundVerdict>;
  const made = recomputed(text, parsed.value.queries, verdict);
  expect(parseLitmus(made).ok).toBe(true);
  expect(made.startsWith(HEAD)).toBe(true);
  return made.slice(HEAD.length);
}

const ALL = { sc: 'allowed', 'rdma-sc': 'allowed', 'rdma-tso': 'allowed' };

describe('recomputed', () => {
  test('what is right stays as it is', () => {
    const queries = 'exists (x = 1)\n  computed   allowed under sc ,rdma-sc # why\n';
    expect(after(queries, ALL)).toBe(queries);
  });

  test('a line whose models all change gets the other verdict, and nothing else', () => {
    expect(
      after(
        'exists (x = 1) computed # so\n  forbidden under sc,\n    rdma-sc "remark" # why\n',
        ALL,
      ),
    ).toBe('exists (x = 1) computed # so\n  allowed under sc,\n    rdma-sc "remark" # why\n');
    expect(after('forall (x = 1)\n  computed fails under sc\n', { sc: 'holds' })).toBe(
      'forall (x = 1)\n  computed holds under sc\n',
    );
  });

  test('models that change go to the line with their verdict', () => {
    expect(
      after(
        'exists (x = 1)\n  computed forbidden under sc, rdma-sc\n  computed allowed under rdma-tso  # tso\n',
        { sc: 'forbidden', 'rdma-sc': 'allowed', 'rdma-tso': 'allowed' },
      ),
    ).toBe(
      'exists (x = 1)\n  computed forbidden under sc\n  computed allowed under rdma-tso, rdma-sc  # tso\n',
    );
  });

  test('two lines exchange their models', () => {
    expect(
      after(
        'exists (x = 1)\n  computed forbidden under sc, a\n  computed allowed under rdma-tso, b\n',
        {
          sc: 'allowed',
          'rdma-tso': 'forbidden',
        },
      ),
    ).toBe(
      'exists (x = 1)\n  computed forbidden under a, rdma-tso\n  computed allowed under b, sc\n',
    );
  });

  test('where there is no such line, or it has a remark, there is a new one before', () => {
    expect(
      after(
        'exists (x = 1)\r\n\t# first\r\n\tcomputed forbidden under sc, rdma-sc, rdma-tso # why\r\n' +
          '\tcomputed allowed under a "as a is weak"\r\n',
        { 'rdma-sc': 'allowed', 'rdma-tso': 'allowed' },
      ),
    ).toBe(
      'exists (x = 1)\r\n\t# first\r\n\tcomputed allowed under rdma-sc, rdma-tso\r\n' +
        '\tcomputed forbidden under sc # why\r\n\tcomputed allowed under a "as a is weak"\r\n',
    );
    expect(after('exists (x = 1) computed forbidden under sc, a', ALL)).toBe(
      'exists (x = 1) computed allowed under sc computed forbidden under a',
    );
  });

  test('what is published stays, and so do models that were not decided', () => {
    const queries = `exists (x = 1)
  expect forbidden under sc "paper"
  computed forbidden under sc, a
  computed forbidden under b
`;
    expect(after(queries, ALL)).toBe(queries);
  });

  test('a line is not added where there was none', () => {
    expect(after('exists (x = 1)\n~exists (x = 0)\n', ALL)).toBe(
      'exists (x = 1)\n~exists (x = 0)\n',
    );
  });
});
