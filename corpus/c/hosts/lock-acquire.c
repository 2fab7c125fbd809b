/* RDMA lock-acquire
   "h-lock-put-relaxed: a lock that is taken by an acquire"
   source "RDMA over Arm CPUs, as read in docs/hosts.md"

   node client { out = 1; zero = 0 }
   node server { data = 0; lock = 1 }

   thread client on client { raddr => data, lock }
   thread server on server

   exists (server:taken == 1 && server:seen == 0)
     computed forbidden under rdma-tso, rdma-tso+arm, rdma-tso+arm-ish, rdma-tso+arm-core, rdma-tso+arm-dsb
*/
#include <infiniband/verbs.h>

uint64_t out = 1, zero;
volatile uint64_t data, lock = 1;

static void put(struct ibv_qp *qp, uint64_t *from, uint64_t raddr)
{
    struct ibv_sge sge = { (uintptr_t)from, 8, 0 };
    struct ibv_send_wr *bad, wr = { .opcode = IBV_WR_RDMA_WRITE, .sg_list = &sge, .num_sge = 1 };

    wr.wr.rdma.remote_addr = raddr;
    if (ibv_post_send(qp, &wr, &bad))
        abort();
}

void client(struct ibv_qp *qp, uint64_t raddr)
{
    put(qp, &out, raddr);
    put(qp, &zero, raddr + 8);
}

void server(void)
{
    uint64_t expected = 0;
    int taken = __atomic_compare_exchange_n(&lock, &expected, 1, 0, __ATOMIC_ACQUIRE, __ATOMIC_RELAXED);
    uint64_t seen = data;
    (void)taken;
    (void)seen;
}
