/* RDMA events
   "ibv_get_cq_event waits for nothing that a poll does not wait for"

   node client { buf = 1 }
   node server { data = 0 }

   thread run on client { raddr => data }

   exists (data == 2)  "the buffer is used again too early"
     computed forbidden under rdma-tso, rdma-ro
*/
#include <infiniband/verbs.h>
#include <stdint.h>

uint64_t buf = 1;

static void post(struct ibv_qp *qp, int opcode, uint64_t *local, uint64_t remote, int flags)
{
    struct ibv_sge sge = { (uintptr_t)local, sizeof *local, 0 };
    struct ibv_send_wr *bad, wr = { .opcode = opcode, .send_flags = flags, .sg_list = &sge, .num_sge = 1 };

    wr.wr.rdma.remote_addr = remote;
    ibv_post_send(qp, &wr, &bad);
}

int run(struct ibv_qp *qp, struct ibv_cq *cq, struct ibv_comp_channel *channel, uint64_t raddr)
{
    struct ibv_wc wc;
    struct ibv_cq *from;
    void *context;

    post(qp, IBV_WR_RDMA_WRITE, &buf, raddr, IBV_SEND_SIGNALED);
    do {
        if (ibv_get_cq_event(channel, &from, &context))
            return -1;
        ibv_ack_cq_events(from, 1);
        if (ibv_req_notify_cq(from, 0))
            return -1;
    } while (ibv_poll_cq(cq, 1, &wc) == 0);
    buf = 2;
    return 0;
}
