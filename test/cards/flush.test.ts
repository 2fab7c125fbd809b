import { mkdirSync, mkdtempSync, readFileSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { afterAll, describe, expect, test } from 'vitest';
import { CARD, SKIP_CARD, card } from '../support/card.js';
import { modelOf } from '../support/checker.js';
import { allowedBy, build, resultsIn, start } from '../support/emitted.js';
import { litmus } from '../support/litmus.js';

/**
 * Emitted tests with flushes. Headers of rdma-core before 45 have none, and those of Debian 12 are of 44: what they lack is put into a
 * copy, by its numbers in later ones.
 */

const LATER: readonly (readonly [before: string, more: string])[] = [
  ['\tIBV_WR_ATOMIC_WRITE = 15,', '\tIBV_WR_FLUSH = 14,\n'],
  ['\tIBV_QP_EX_WITH_ATOMIC_WRITE', '\tIBV_QP_EX_WITH_FLUSH = 1 << 11,\n'],
  ['\tIBV_ACCESS_RELAXED_ORDERING', '\tIBV_ACCESS_FLUSH_GLOBAL = 1 << 8,\n'],
  ['struct ibv_data_buf {', 'enum { IBV_FLUSH_GLOBAL = 1, IBV_FLUSH_RANGE = 0 };\n'],
  [
    '};\n\nstruct ibv_qp_ex *ibv_qp_to_qp_ex(',
    '\tvoid (*wr_flush)(struct ibv_qp_ex *qp, uint32_t rkey, uint64_t addr, size_t length, uint8_t type, uint8_t level);\n',
  ],
  [
    'static inline void ibv_wr_rdma_write(',
    `static inline void ibv_wr_flush(struct ibv_qp_ex *qp, uint32_t rkey, uint64_t addr, size_t length, uint8_t type, uint8_t level)
{
\tqp->wr_flush(qp, rkey, addr, length, type, level);
}
`,
  ],
];

const HEADER = SKIP_CARD ? '' : readFileSync('/usr/include/infiniband/verbs.h', 'utf8');
const IS_LATER = HEADER.includes('IBV_WR_FLUSH');

const laterHeader = (): string =>
  LATER.reduce((header, [before, more]) => {
    expect(header.split(before)).toHaveLength(2);
    return header.replace(before, `${more}${before}`);
  }, HEADER);

/** A put, and another on a second queue pair once that is complete: on RDMA^TSO the first may not have arrived then. */
const lanes = (name: string, flush: string) =>
  litmus(`RDMA ${name}
node 1 {}
node 2 { x = 0; n = 0 }
thread T1 on 1 { x^2.a := 1; poll(2.a); ${flush} n^2.b := 1 }
thread T2 on 2 { r := n; s := x }
exists (T2:r = 1 /\\ T2:s = 0)
`);
const TESTS = [
  lanes('lanes', ''),
  lanes('lanes-flush', 'flush(x^2.a); poll(2.a);'),
  lanes('lanes-fenced-flush', 'rfence(2.a); flush(x^2.a); poll(2.a);'),
];

describe.skipIf(SKIP_CARD)(`flushes on ${CARD}`, () => {
  const folder = mkdtempSync(join(tmpdir(), 'remora-flush-'));
  afterAll(() => rmSync(folder, { recursive: true }));

  const seen = async (name: string, options: string) => {
    const library = card();
    const own = join(folder, name);
    mkdirSync(own);
    expect(build(own, TESTS, { options })).toEqual({ written: 3, stderr: '' });
    const to = { library, fabric: 'tso', room: 'room' };
    const args = ['--rounds', '3000', '--out', 'out.jsonl'];
    expect(await start(own, to, args).end).toEqual({ code: 0, errors: '' });
    return resultsIn(join(own, 'out.jsonl'));
  };

  test('with headers that have them, they make visible what is before them', async () => {
    const include = join(folder, 'include/infiniband');
    mkdirSync(include, { recursive: true });
    writeFileSync(join(include, 'verbs.h'), IS_LATER ? HEADER : laterHeader());
    const [plain, ...flushed] = await seen('later', `-I${join(folder, 'include')}`);
    expect(plain.times.get('1 0')).toBeGreaterThan(0);
    for (const { program, times, dropped } of flushed) {
      const allowed = allowedBy(program, modelOf('rdma-tso'));
      expect(allowed).not.toContain('1 0');
      expect([...times.keys()].filter((one) => !allowed.has(one))).toEqual([]);
      expect(times.get('1 1')).toBeGreaterThan(0);
      expect(dropped).toBeLessThan(1500);
    }
  });

  test.skipIf(IS_LATER)('with headers that have none, they are left out', async () => {
    const [plain, ...flushed] = await seen('earlier', '');
    expect(plain.leftOut).toBeUndefined();
    for (const { leftOut } of flushed) {
      expect(leftOut).toBe('a card, or the headers of its libibverbs, has no flush');
    }
  });
});
