/** The functions of emitted files, by their names: each is there if the threads call it. */
export const HELPERS: ReadonlyMap<string, string> = new Map([
  ['put', request('put', 'RDMA_WRITE', true)],
  ['put_imm', request('put_imm', 'RDMA_WRITE_WITH_IMM', true)],
  ['get', request('get', 'RDMA_READ', true)],
  ['send_to', request('send_to', 'SEND', false)],
  ['cas', atomic('cas', 'CMP_AND_SWP', ['compare', 'swap'])],
  ['add', atomic('add', 'FETCH_AND_ADD', ['by'])],
  ['compare', compare('compare', 'RELAXED', 'RELAXED')],
  ['compare_acquire', compare('compare_acquire', 'ACQUIRE', 'ACQUIRE')],
  ['compare_release', compare('compare_release', 'RELEASE', 'RELAXED')],
  [
    'flush',
    `static void flush(struct remora_thread *t, struct ibv_qp *qp, uint64_t addr, uint32_t rkey, unsigned flags)
{
    struct ibv_qp_ex *extended = ibv_qp_to_qp_ex(qp);

    ibv_wr_start(extended);
    extended->wr_flags = remora_fenced(t, qp) ? flags | IBV_SEND_FENCE : flags;
    ibv_wr_flush(extended, rkey, addr, 8, IBV_FLUSH_GLOBAL, IBV_FLUSH_RANGE);
    if (ibv_wr_complete(extended))
        remora_fail("ibv_wr_complete");
}`,
  ],
  [
    'receive',
    `static void receive(struct ibv_qp *qp, struct ibv_sge *into)
{
    struct ibv_recv_wr *bad, wr = { .sg_list = into, .num_sge = 1 };

    if (ibv_post_recv(qp, &wr, &bad))
        remora_fail("ibv_post_recv");
}`,
  ],
  [
    'take',
    `static void take(struct remora_thread *t, struct ibv_cq *cq)
{
    struct ibv_wc wc;

    while (ibv_poll_cq(cq, 1, &wc) == 0)
        remora_wait(t);
    if (wc.status != IBV_WC_SUCCESS)
        remora_fail(ibv_wc_status_str(wc.status));
}`,
  ],
]);

/** What posts a request. Where a fence stands apart from its request, the run time keeps it until then. */
export const post = (
  isFenced: boolean,
): string => `static void post(struct remora_thread *t, struct ibv_qp *qp, struct ibv_send_wr *wr)
{
    struct ibv_send_wr *bad;

${isFenced ? `    if (remora_fenced(t, qp))\n        wr->send_flags |= IBV_SEND_FENCE;\n` : '    (void)t;\n'}    if (ibv_post_send(qp, wr, &bad))
        remora_fail("ibv_post_send");
}`;

function request(name: string, opcode: string, isFar: boolean): string {
  const far = isFar ? ', uint64_t addr, uint32_t rkey' : '';
  const to = isFar ? '    wr.wr.rdma.remote_addr = addr;\n    wr.wr.rdma.rkey = rkey;\n' : '';
  return `static void ${name}(struct remora_thread *t, struct ibv_qp *qp, struct ibv_sge *words, int count${far}, unsigned flags)
{
    struct ibv_send_wr wr = { .opcode = IBV_WR_${opcode}, .sg_list = words, .num_sge = count, .send_flags = flags };

${to}    post(t, qp, &wr);
}`;
}

/** A compare-and-swap of the CPU: it gives what it finds. */
function compare(name: string, order: string, failing: string): string {
  return `static int64_t ${name}(volatile int64_t *at, int64_t old, int64_t value)
{
    __atomic_compare_exchange_n(at, &old, value, 0, __ATOMIC_${order}, __ATOMIC_${failing});
    return old;
}`;
}

function atomic(name: string, opcode: string, operands: readonly string[]): string {
  const fields = ['compare_add', 'swap'];
  return `static void ${name}(struct remora_thread *t, struct ibv_qp *qp, struct ibv_sge *into, uint64_t addr, uint32_t rkey, ${operands.map((one) => `int64_t ${one}`).join(', ')}, unsigned flags)
{
    struct ibv_send_wr wr = { .opcode = IBV_WR_ATOMIC_${opcode}, .sg_list = into, .num_sge = 1, .send_flags = flags };

    wr.wr.atomic.remote_addr = addr;
    wr.wr.atomic.rkey = rkey;
${operands.map((one, i) => `    wr.wr.atomic.${fields[i]} = ${one};\n`).join('')}    post(t, qp, &wr);
}`;
}
