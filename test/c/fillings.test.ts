import { readFileSync } from 'node:fs';
import { join } from 'node:path';
import { beforeAll, describe, expect, test } from 'vitest';
import { edited } from '../../src/c/edit/insert.js';
import { headedOf } from '../../src/c/edit/head.js';
import { fillingsOf, openGaps, waits, withHead } from '../../src/c/fillings.js';
import type { Filling } from '../../src/c/fillings.js';
import { OPEN } from '../../src/c/head.js';
import { loadC } from '../../src/node/c.js';
import { readLitmus } from '../../src/node/tests.js';
import { ROOT } from '../support/run.js';

/** What may fill the gaps of heads. */

beforeAll(loadC);

const source = (text: string) => ({ path: 'file.c', text });

/** The text after a filling. */
const after = (text: string, { edits }: Filling): string => edited(text, edits)!.text;

/** The fillings of a gap as they are shown; of the first gap, if none is named. */
function shown(text: string, left?: string): readonly string[] {
  const gap = openGaps(source(text)).find((one) => left === undefined || one.text === left)!;
  return fillingsOf(source(text), gap).map(({ text, note }) => (note ? `${text} (${note})` : text));
}

const FUNCTION = `#include <infiniband/verbs.h>
struct ctx { struct ibv_qp *qp, *other; uint64_t addr; };
uint64_t out = 1;
static void put(struct ibv_qp *qp, uint64_t raddr)
{
    struct ibv_sge sge = { (uintptr_t)&out, sizeof out, 0 };
    struct ibv_send_wr *bad, wr = { .opcode = IBV_WR_RDMA_WRITE, .sg_list = &sge, .num_sge = 1 };
    wr.wr.rdma.remote_addr = raddr;
    ibv_post_send(qp, &wr, &bad);
}
`;
const ONE = `${FUNCTION}void f(struct ctx *ctx) { put(ctx->qp, ctx->addr); }\n`;
const TWO = `${FUNCTION}void f(struct ctx *ctx) { put(ctx->qp, ctx->addr); put(ctx->qp, ctx->addr + 64); }\n`;
const NODES = 'node client { out = 1 }\n   node server { data = 0; flag = 0 }';

describe('what is offered', () => {
  test('the locations of the node that the queue pair leads to, and a new one', () => {
    const text = `/* RDMA x\n   ${NODES}\n   thread f on client { ctx->addr => ? }\n   exists (?)\n*/\n${ONE}`;
    expect(shown(text)).toEqual(['data (on server)', 'flag (on server)', 'addr (new, on server)']);
  });

  test('places for all that lies behind a pointer', () => {
    const text = `/* RDMA x\n   ${NODES}\n   thread f on client { ctx->addr => ? }\n   exists (?)\n*/\n${TWO}`;
    expect(shown(text)).toEqual([
      'data, flag @ 64 (on server)',
      'addr, addr64 @ 64 (new, on server)',
    ]);
  });

  test('the other nodes, a queue pair of its own where there is one already, and a new node', () => {
    const both = `${FUNCTION}void f(struct ctx *ctx) { put(ctx->qp, ctx->addr); put(ctx->other, ctx->addr); }\n`;
    const text = `/* RDMA x\n   ${NODES}\n   thread f on client { ctx->qp => server; ctx->other => ? }\n   exists (?)\n*/\n${both}`;
    expect(shown(text, 'ctx->other')).toEqual([
      'server.other (a queue pair of its own)',
      'server (the one of ctx->qp)',
      'peer (a new node)',
    ]);
  });

  test('the completion queues that are polled, the one beside the queue pair first', () => {
    const polled = `${FUNCTION.replace('*other;', '*other; struct ibv_cq *ocq, *cq;')}
static void take(struct ibv_cq *cq) { struct ibv_wc wc; while (ibv_poll_cq(cq, 1, &wc) == 0) ; }
void f(struct ctx *ctx, struct ctx *c2) {
    put(ctx->qp, ctx->addr); put(c2->qp, c2->addr); take(c2->cq); take(ctx->cq);
}\n`;
    const text = `/* RDMA x\n   sq_sig_all\n   node client { out = 1 }\n   node server { data = 0; flag = 0 }\n   thread f on client {\n     ctx->qp => server.a; c2->qp => server.b on c2->cq; ctx->addr => data; c2->addr => flag\n   }\n   exists (?)\n*/\n${polled}`;
    expect(shown(text, 'ctx->qp')).toEqual([
      'on ctx->cq',
      'on c2->cq',
      'on c2->cq, ctx->cq (for sends, for receives)',
      'on ctx->cq, c2->cq (for sends, for receives)',
    ]);
    const gap = openGaps(source(text)).find(({ kind }) => kind === 'completion queue')!;
    expect(after(text, fillingsOf(source(text), gap)[0])).toContain(
      'ctx->qp => server.a on ctx->cq;',
    );
  });

  test('what a call does that is not there: only what nobody sees', () => {
    const called = `${FUNCTION}void f(struct ctx *ctx) { put(ctx->qp, ctx->addr); note("a*/b",\n  1); }\n`;
    const text = `/* RDMA x\n   ${NODES}\n   thread f on client { ctx->addr => data }\n   exists (data == 0)\n*/\n${called}`;
    expect(shown(text)).toEqual([
      'call note(a1, a2) = nothing (it does nothing that others see)',
      'call note(a1, a2) = error (it never returns)',
    ]);
  });

  test('questions about what is written', () => {
    const text = `/* RDMA x\n   ${NODES}\n   thread f on client { ctx->addr => data }\n*/\n${ONE}`;
    expect(shown(text)).toEqual([
      'exists (data == 0)',
      'exists (data == 1)',
      'locations [data] (all ends that there are)',
    ]);
  });
});

test('in a head of lines, and without a question mark', () => {
  const head = `// RDMA x\n// node client { out = 1 }\n// node server { }\n// thread f on client\n//\n// exists (out == 1)\n`;
  let text = head + ONE;
  for (const gap of openGaps(source(text))) {
    const fillings = fillingsOf(source(text), gap);
    expect(fillings.map((one) => one.text)).toEqual(['addr']);
    text = after(text, fillings[0]);
  }
  expect(text).toContain(
    '// node server { addr = 0 }\n// thread f on client { ctx->addr => addr }\n',
  );
  expect(readLitmus(text, 'file.c').test.ok).toBe(true);
});

/** Files of the corpus whose heads are taken away. */
const FILES = [
  ...['put-then-flag', 'read-then-use', 'local-flag', 'messages', 'update-then-release'],
  ...['requests/inline', 'functions/herd-client', 'interfaces/ofi-write-wait'],
];

test.each(FILES)('%s: each filling of each gap leaves a head that can be read', (name) => {
  const path = join(ROOT, 'corpus/c', `${name}.c`);
  const bare = readFileSync(path, 'utf8').replace(/\/\* RDMA[^]*?\*\/\n/, '');
  let text = withHead(source(bare))!;
  expect(text.endsWith(bare)).toBe(true);
  for (let gaps = openGaps(source(text)); gaps.length > 0; gaps = openGaps(source(text))) {
    const [gap] = gaps.filter((one) => !waits(one, gaps));
    const fillings = fillingsOf(source(text), gap);
    expect(fillings, `${gap.kind} ${gap.text}`).not.toEqual([]);
    for (const one of fillings) {
      const { errors } = headedOf(source(after(text, one)))!;
      expect(errors.filter(({ message }) => message !== OPEN)).toEqual([]);
    }
    const next = after(text, fillings[0]);
    expect(openGaps(source(next)).length).toBeLessThan(gaps.length + 3);
    text = next;
  }
});

test('a file with a head, and one without functions, get none', () => {
  expect(withHead(source(`/* RDMA x\n node a { y = 0 } */\n${ONE}`))).toBeUndefined();
  expect(withHead(source('int x;\n'))).toBeUndefined();
  expect(openGaps(source('int x;\n'))).toEqual([]);
});
