/* RDMA ucx-get-put
   "a get, then a put to the same location, no fence"
   source "openucx/ucx, issues 7215 and 8221"
   question "A get of y is followed by a put to the same y on the same queue pair. Can the get return the value of the later put? Does a fence flag on the second operation prevent it, and does one on the first?"

   node initiator {}
   node target { y = 0 }

   thread get_put on initiator { remote_addr => y }

   exists (got == 1)  "the get returns what the later put writes"
     computed forbidden under sc
     computed allowed under rdma-sc, rdma-tso, rdma-tso-nopcie, rdma-wait
*/
#include <infiniband/verbs.h>
#include <stdint.h>
#include <stdio.h>
#include <stdlib.h>

typedef enum { UCS_OK = 0, UCS_ERR_IO_ERROR = -3 } ucs_status_t;

struct ep {
    struct ibv_qp *qp;
    struct ibv_cq *cq;
    uint32_t lkey;
};

static void ep_post_send(struct ep *ep, struct ibv_send_wr *wr, struct ibv_sge *sge, int send_flags)
{
    struct ibv_send_wr *bad_wr;

    wr->next = NULL;
    wr->sg_list = sge;
    wr->num_sge = 1;
    wr->send_flags = send_flags | IBV_SEND_SIGNALED;
    if (ibv_post_send(ep->qp, wr, &bad_wr)) {
        fprintf(stderr, "ibv_post_send() failed\n");
        abort();
    }
}

static void rma(struct ep *ep, int opcode, uint64_t *buffer, uint64_t remote_addr, uint32_t rkey, int flags)
{
    struct ibv_sge sge = { .addr = (uintptr_t)buffer, .length = sizeof *buffer, .lkey = ep->lkey };
    struct ibv_send_wr wr = { .opcode = opcode };

    wr.wr.rdma.remote_addr = remote_addr;
    wr.wr.rdma.rkey = rkey;
    ep_post_send(ep, &wr, &sge, flags);
}

void get_put(struct ep *ep, uint64_t remote_addr, uint32_t rkey)
{
    uint64_t got, value = 1;

    rma(ep, IBV_WR_RDMA_READ, &got, remote_addr, rkey, 0);
    rma(ep, IBV_WR_RDMA_WRITE, &value, remote_addr, rkey, 0);
}
