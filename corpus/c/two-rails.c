/* RDMA two-rails
   "one function on both machines: data on one rail, a note on the other"

   node 0 { out0 = 1; in0 = 0; note0 = 0 }
   node 1 { out1 = 1; in1 = 0; note1 = 0 }

   thread A = exchange(&out0, rail) on 0 {
     rail[0].qp => 1.data on rail[0].cq;  rail[0].raddr => in1;
     rail[1].qp => 1.note on rail[1].cq;  rail[1].raddr => note1;
     rail[0].in => in0;  rail[1].in => note0
   }
   thread B = exchange(&out1, rail) on 1 {
     rail[0].qp => 0.data on rail[0].cq;  rail[0].raddr => in0;
     rail[1].qp => 0.note on rail[1].cq;  rail[1].raddr => note0;
     rail[0].in => in1;  rail[1].in => note1
   }

   exists (A:got == 0)
     computed allowed under rdma-tso, rdma-sc
     computed forbidden under rdma-manpage, sc
*/
#include <infiniband/verbs.h>
#include <stdint.h>

struct rail {
    struct ibv_qp *qp;
    struct ibv_cq *cq;
    volatile uint64_t *in;
    uint64_t raddr;
    uint32_t rkey, lkey;
};

uint64_t out0 = 1, out1 = 1;

static void put(struct rail *r, uint64_t *src)
{
    struct ibv_sge sge = { (uintptr_t)src, sizeof *src, r->lkey };
    struct ibv_send_wr *bad, wr = {
        .opcode = IBV_WR_RDMA_WRITE, .send_flags = IBV_SEND_SIGNALED,
        .sg_list = &sge, .num_sge = 1, .wr.rdma = { r->raddr, r->rkey },
    };
    struct ibv_wc wc;

    ibv_post_send(r->qp, &wr, &bad);
    while (ibv_poll_cq(r->cq, 1, &wc) == 0)
        ;
}

uint64_t exchange(uint64_t *out, struct rail rail[2])
{
    put(&rail[0], out);
    put(&rail[1], out);
    while (*rail[1].in == 0)
        ;
    uint64_t got = *rail[0].in;
    return got;
}
