import { readFileSync } from 'node:fs';
import { join } from 'node:path';
import { describe, expect, test } from 'vitest';
import { verdicts } from '../support/checker.js';
import { ROOT } from '../support/run.js';

/**
 * Locks whose words Arm's CPUs access: each order that `corpus/hosts` has there is needed. Without it, one of the programs of the lock goes
 * wrong. That none is missing, the verdicts of the files say.
 */
const LOCKS: readonly {
  readonly files: readonly string[];
  readonly needed: readonly (readonly [order: string, without: string])[];
}[] = [
  {
    files: ['h-peterson', 'h-peterson-again'],
    needed: [
      ['stlr[seq_cst](v, 1)', 'v := 1'],
      ['ldar(f2)', 'ldapr(f2)'],
      ['ldapr(v)', 'v'],
      ['stlr(f1, 0)', 'f1 := 0'],
    ],
  },
  {
    files: ['h-alock', 'h-alock-again'],
    needed: [
      ['stlr[seq_cst](victim, 0)', 'victim := 0'],
      ['ldar(tailR)', 'ldapr(tailR)'],
      ['ldapr(victim)', 'victim'],
      ['CAS[l](tailL, 1, 0)', 'CAS(tailL, 1, 0)'],
    ],
  },
  {
    files: ['h-mcs'],
    needed: [
      ['stlr(next, 2)', 'next := 2'],
      ['ldapr(budget)', 'budget'],
      ['stlr(budget, 0)', 'budget := 0'],
    ],
  },
];

describe.each(LOCKS)('$files', ({ files, needed }) => {
  const texts = files.map((file) =>
    readFileSync(join(ROOT, `corpus/hosts/${file}.litmus`), 'utf8'),
  );
  test.each(needed)('%s is needed', (order, without) => {
    const found = texts.flatMap((text) => {
      const changed = text.replace(order, without);
      expect(changed).not.toBe(text);
      return verdicts(changed, 'rdma-tso+arm');
    });
    expect(found).toContain('allowed');
  });

  test('x86 needs the fence alone', () => {
    const plain = texts.map((text) =>
      needed.reduce((now, [order, without]) => {
        const isFenced = order.includes('[seq_cst]');
        return now.replace(order, isFenced ? `${without}; mfence` : without);
      }, text),
    );
    for (const text of plain) expect(verdicts(text, 'rdma-tso')).not.toContain('allowed');
  });
});
