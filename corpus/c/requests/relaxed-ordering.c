/* RDMA relaxed-ordering
   "a region with IBV_ACCESS_RELAXED_ORDERING, and the flag in one without"
   note "The tag is in the head: the call of ibv_reg_mr is elsewhere."

   node client { buf = 1; one = 1 }
   node server { data = 0 [relaxed]; flag = 0 }

   thread run on client { data_addr => data; flag_addr => flag }
   thread reader on server

   exists (seen == 0)
     computed forbidden under rdma-tso, rdma-ro-tagged
     computed allowed under rdma-ro, rdma-ro-either
*/
#include <infiniband/verbs.h>
#include <stdint.h>

uint64_t buf = 1, one = 1;

static void post(struct ibv_qp *qp, int opcode, uint64_t *local, uint64_t remote, int flags)
{
    struct ibv_sge sge = { (uintptr_t)local, sizeof *local, 0 };
    struct ibv_send_wr *bad, wr = { .opcode = opcode, .send_flags = flags, .sg_list = &sge, .num_sge = 1 };

    wr.wr.rdma.remote_addr = remote;
    ibv_post_send(qp, &wr, &bad);
}

void run(struct ibv_qp *qp, uint64_t data_addr, uint64_t flag_addr)
{
    post(qp, IBV_WR_RDMA_WRITE, &buf, data_addr, 0);
    post(qp, IBV_WR_RDMA_WRITE, &one, flag_addr, 0);
}

volatile uint64_t data, flag;

void reader(void)
{
    while (flag == 0)
        ;
    uint64_t seen = data;
    (void)seen;
}
