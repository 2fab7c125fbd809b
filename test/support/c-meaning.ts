import { parseCFile } from '../../src/c/read.js';
import { readLitmus } from '../../src/node/tests.js';
import { printTest } from '../../src/program/print.js';

/** What the cases have around them: a head, some words, a put, and a wait for its completion. */
const BEFORE = `/* RDMA t
   node client { out = 1; flag = 0; count = 0 }
   node server { data = 0; ready = 0 }

   thread f on client { raddr => data, ready }

   exists (data == 9)
*/
#include <infiniband/verbs.h>
uint64_t out = 1, flag, count;
static void put(struct ibv_qp *qp, void *from, uint64_t raddr, int flags)
{
    struct ibv_sge sge = { (uintptr_t)from, 8, 0 };
    struct ibv_send_wr *bad, wr = {
        .opcode = IBV_WR_RDMA_WRITE, .sg_list = &sge, .num_sge = 1, .send_flags = flags };
    wr.wr.rdma.remote_addr = raddr;
    ibv_post_send(qp, &wr, &bad);
}
static void take(struct ibv_cq *cq)
{
    struct ibv_wc wc;
    while (ibv_poll_cq(cq, 1, &wc) == 0)
        ;
}
`;

/** A case is a whole file, some functions with \`f\` among them, or what \`f\` does. */
function fileOf(input: string): string {
  if (input.includes('/* RDMA')) return input;
  if (/^\w.*\bf\(/m.test(input)) return BEFORE + input;
  return `${BEFORE}void f(struct ibv_qp *qp, struct ibv_cq *cq, uint64_t raddr, int n)\n{\n${input}\n}\n`;
}

/** What a case of C means: the threads below it, or its mistakes. */
export function meaning(input: string, path: string): string {
  const text = fileOf(input);
  const { errors, remarks } = parseCFile({ path, text });
  const lines = errors.map(({ message, hint, span }) => {
    const [at] = text.slice(span.start, span.end).split('\n');
    return `${at}: ${message}${hint === undefined ? '' : ` (${hint})`}`;
  });
  if (lines.length > 0) return lines.join('\n');
  const { test } = readLitmus(text, path);
  if (!test.ok) return test.errors.map(({ message }) => message).join('\n');
  const [threads] = /^thread .*?(?=^(exists|~exists|forall))/ms.exec(printTest(test.value)) ?? [];
  const assumed = remarks.flatMap((one) =>
    one.kind === 'assumed' ? [`assumed: ${one.text}`] : [],
  );
  return [...assumed, threads?.trim() ?? 'nothing'].join('\n');
}
