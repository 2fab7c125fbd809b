/* RDMA credit-fence
   "h-credit-ld: a barrier behind the read"
   source "RDMA over Arm CPUs, as read in docs/hosts.md"

   node client { out = 1; credit = 0 }
   node server { slot = 0; done = 1 }

   thread client on client { raddr => slot }
   thread server on server { raddr => credit }

   exists (client:got == 1 && server:seen == 1)
     computed allowed under rdma-tso+arm-ish
     computed forbidden under rdma-tso, rdma-tso+arm, rdma-tso+arm-core, rdma-tso+arm-dsb
*/
#include <infiniband/verbs.h>
#include <stdatomic.h>

uint64_t out = 1, done = 1;
volatile uint64_t credit, slot;

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
    uint64_t got;

    while ((got = credit) == 0)
        ;
    put(qp, &out, raddr);
}

void server(struct ibv_qp *qp, uint64_t raddr)
{
    uint64_t seen = slot;
    atomic_thread_fence(memory_order_acquire);
    put(qp, &done, raddr);
    (void)seen;
}
