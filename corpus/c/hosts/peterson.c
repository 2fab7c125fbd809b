/* RDMA peterson
   "h-peterson: with the orders of C, on x86 and on Arm"
   source "Peterson's lock (ALock paper, §3); the programs are ours (docs/hosts.md)"

   node home { f1 = 0; f2 = 0; turn = 0; data = 0 }
   node away { one = 1; two = 2; zero = 0; sum = 0; flag = 0; whose = 0; found = 0 }

   thread local on home
   thread remote on away { raddr => f1, f2, turn, data }

   exists (local:in == 1 && remote:in == 1 && local:seen == remote:seen)
     computed forbidden under rdma-tso, rdma-tso+arm, rdma-tso+arm-ish, rdma-tso+arm-core, rdma-tso+arm-dsb
*/
#include <infiniband/verbs.h>

enum { F1 = 0, F2 = 8, TURN = 16, DATA = 24 };

volatile uint64_t f1, f2, turn, data;
uint64_t one = 1, two = 2, zero, sum, flag, whose, found;

void local(void)
{
    uint64_t seen, in = 0;

    f1 = 1;
    __atomic_store_n(&turn, 1, __ATOMIC_SEQ_CST);
    if (__atomic_load_n(&f2, __ATOMIC_SEQ_CST) == 0 || __atomic_load_n(&turn, __ATOMIC_ACQUIRE) == 2) {
        in = 1;
        seen = data;
        data = seen + 1;
        __atomic_store_n(&f1, 0, __ATOMIC_RELEASE);
    }
}

static void request(struct ibv_qp *qp, struct ibv_cq *cq, int opcode, uint64_t *own, uint64_t raddr)
{
    struct ibv_sge sge = { (uintptr_t)own, 8, 0 };
    struct ibv_wc wc;
    struct ibv_send_wr *bad, wr = {
        .opcode = opcode, .send_flags = IBV_SEND_SIGNALED, .sg_list = &sge, .num_sge = 1,
    };

    wr.wr.rdma.remote_addr = raddr;
    if (ibv_post_send(qp, &wr, &bad))
        abort();
    while (ibv_poll_cq(cq, 1, &wc) == 0)
        ;
}

void remote(struct ibv_qp *qp, struct ibv_cq *cq, uint64_t raddr)
{
    uint64_t seen, in = 0;

    request(qp, cq, IBV_WR_RDMA_WRITE, &one, raddr + F2);
    request(qp, cq, IBV_WR_RDMA_WRITE, &two, raddr + TURN);
    request(qp, cq, IBV_WR_RDMA_READ, &flag, raddr + F1);
    request(qp, cq, IBV_WR_RDMA_READ, &whose, raddr + TURN);
    if (flag == 0 || whose == 1) {
        in = 1;
        request(qp, cq, IBV_WR_RDMA_READ, &found, raddr + DATA);
        seen = found;
        sum = seen + 1;
        request(qp, cq, IBV_WR_RDMA_WRITE, &sum, raddr + DATA);
        request(qp, cq, IBV_WR_RDMA_WRITE, &zero, raddr + F2);
    }
}
