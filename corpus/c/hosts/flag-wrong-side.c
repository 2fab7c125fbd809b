/* RDMA flag-wrong-side
   "h-seq-second-acq: an acquire at the second of two reads is none for them"
   source "RDMA over Arm CPUs, as read in docs/hosts.md"

   node gpu { one = 1; two = 1 }
   node host { data = 0; flag = 0 }

   thread sender on gpu { raddr => data, flag @ 64 }
   thread proxy on host

   exists (proxy:ready == 1 && proxy:seen == 0)
     computed allowed under rdma-tso+arm, rdma-tso+arm-ish, rdma-tso+arm-core, rdma-tso+arm-dsb
     computed forbidden under rdma-tso
*/
#include <infiniband/verbs.h>

uint64_t one = 1, two = 1;
volatile uint64_t data, flag;

static void put(struct ibv_qp *qp, uint64_t *from, uint64_t raddr)
{
    struct ibv_sge sge = { (uintptr_t)from, 8, 0 };
    struct ibv_send_wr *bad, wr = { .opcode = IBV_WR_RDMA_WRITE, .sg_list = &sge, .num_sge = 1 };

    wr.wr.rdma.remote_addr = raddr;
    if (ibv_post_send(qp, &wr, &bad))
        abort();
}

void sender(struct ibv_qp *qp, uint64_t raddr)
{
    put(qp, &one, raddr);
    put(qp, &two, raddr + 64);
}

void proxy(void)
{
    uint64_t ready = flag;
    uint64_t seen = __atomic_load_n(&data, __ATOMIC_ACQUIRE);
    (void)ready;
    (void)seen;
}
