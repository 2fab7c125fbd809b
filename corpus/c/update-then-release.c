/* RDMA update-then-release
   "a value on one server, its lock on another: one completion, then the release"

   node client { val = 1; zero = 0; got_lock = 0; got_val = 0 }
   node values { value = 0; version = 0 }
   node locks  { lock = 1 }

   thread update on client {
     c->data.qp => values;  c->data.addr => value, version @ 64;
     c->lock.qp => locks;   c->lock.addr => lock
   }
   thread next on client {
     c->data.qp => values;  c->data.addr => value, version @ 64;
     c->lock.qp => locks;   c->lock.addr => lock
   }

   exists (next:l == 0 && next:v == 0)  "lock seen free, update missed"
     computed allowed under rdma-tso, rdma-sc
     computed forbidden under rdma-manpage, sc
*/
#include <infiniband/verbs.h>
#include <stdint.h>
#include <string.h>

struct side { struct ibv_qp *qp; uint64_t addr; uint32_t rkey; };
struct client { struct side data, lock; struct ibv_cq *cq; uint32_t lkey; };

static uint64_t val = 1, zero, got_lock, got_val;

static int rdma(struct client *c, struct side *s, int op, uint64_t *buf, uint64_t off, int flags)
{
    struct ibv_sge sge = { (uintptr_t)buf, sizeof *buf, c->lkey };
    struct ibv_send_wr wr, *bad;

    memset(&wr, 0, sizeof wr);
    wr.opcode = op;
    wr.send_flags = flags;
    wr.sg_list = &sge;
    wr.num_sge = 1;
    wr.wr.rdma.remote_addr = s->addr + off;
    wr.wr.rdma.rkey = s->rkey;
    return ibv_post_send(s->qp, &wr, &bad);
}

static void complete(struct client *c, int n)
{
    struct ibv_wc wc;

    while (n > 0)
        n -= ibv_poll_cq(c->cq, 1, &wc);
}

void update(struct client *c)
{
    rdma(c, &c->data, IBV_WR_RDMA_WRITE, &val, 64, 0);
    rdma(c, &c->data, IBV_WR_RDMA_WRITE, &val, 0, IBV_SEND_SIGNALED);
    complete(c, 1);
    rdma(c, &c->lock, IBV_WR_RDMA_WRITE, &zero, 0, 0);
}

void next(struct client *c)
{
    rdma(c, &c->lock, IBV_WR_RDMA_READ, &got_lock, 0, IBV_SEND_SIGNALED);
    complete(c, 1);
    uint64_t l = got_lock;
    rdma(c, &c->data, IBV_WR_RDMA_READ, &got_val, 0, IBV_SEND_SIGNALED);
    complete(c, 1);
    uint64_t v = got_val;
    (void)l, (void)v;
}
