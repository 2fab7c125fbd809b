/* RDMA written-for-gets-release
   "h-seq-get: the flag is a release"
   source "RDMA over Arm CPUs, as read in docs/hosts.md"

   node reader { got = 0; next = 0 }
   node writer { data = 0; flag = 0 }

   thread reader on reader { raddr => data, flag }
   thread writer on writer

   exists (got == 1 && next == 0)
     computed forbidden under rdma-tso, rdma-tso+arm, rdma-tso+arm-ish, rdma-tso+arm-core, rdma-tso+arm-dsb
*/
#include <infiniband/verbs.h>

uint64_t got, next;
volatile uint64_t data, flag;

static void get(struct ibv_qp *qp, struct ibv_cq *cq, uint64_t *to, uint64_t raddr)
{
    struct ibv_sge sge = { (uintptr_t)to, 8, 0 };
    struct ibv_wc wc;
    struct ibv_send_wr *bad, wr = {
        .opcode = IBV_WR_RDMA_READ, .send_flags = IBV_SEND_SIGNALED, .sg_list = &sge, .num_sge = 1,
    };

    wr.wr.rdma.remote_addr = raddr;
    if (ibv_post_send(qp, &wr, &bad))
        abort();
    while (ibv_poll_cq(cq, 1, &wc) == 0)
        ;
}

void reader(struct ibv_qp *qp, struct ibv_cq *cq, uint64_t raddr)
{
    get(qp, cq, &got, raddr + 8);
    get(qp, cq, &next, raddr);
}

void writer(void)
{
    data = 1;
    __atomic_store_n(&flag, 1, __ATOMIC_RELEASE);
}
