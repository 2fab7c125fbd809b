/* RDMA flag-udma
   "h-flag-acq: the barrier of rdma-core is for devices"
   source "RDMA over Arm CPUs, as read in docs/hosts.md"

   node gpu { one = 1; two = 1 }
   node host { data = 0; flag = 0 }

   thread sender on gpu { raddr => data, flag @ 64 }
   thread proxy on host

   exists (proxy:seen == 0)
     computed forbidden under rdma-tso, rdma-tso+arm, rdma-tso+arm-ish, rdma-tso+arm-core, rdma-tso+arm-dsb
*/
#include <infiniband/verbs.h>

#define udma_from_device_barrier() asm volatile("dmb oshld" ::: "memory")

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
    while (flag == 0)
        ;
    udma_from_device_barrier();
    uint64_t seen = data;
    (void)seen;
}
