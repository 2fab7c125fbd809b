/* RDMA mailbox
   "who sees the flag of a letter has the letter"

   node A { out = 0; flag_out = 0 }
   node B { letter = 0; flag = 0 }

   thread deliver = deliver(m, 7, 1) on A { m->far => letter, flag; &m->out => out; &m->flag_out => flag_out }
   thread collect = collect(m, 1) on B { &m->letter => letter; &m->flag => flag }

   ~exists (collect:got != 7)
*/
// A mailbox over RDMA. The sender writes a letter into the memory of the receiver, waits until that is complete, and writes a flag, on
// which the receiver spins. Here both are in one process, on one card: mailbox [LETTERS [INDEX OF THE GID]].
#include <infiniband/verbs.h>
#include <inttypes.h>
#include <stdio.h>
#include <stdlib.h>

struct mailbox {
    volatile uint64_t letter, flag; // what comes in
    uint64_t out, flag_out;         // what goes out
    uint64_t far;                   // the letter at the other end; its flag is behind it
    uint32_t key, far_key;
    struct ibv_qp *qp;
    struct ibv_cq *cq;
};

static void fail(const char *what)
{
    fprintf(stderr, "mailbox: %s\n", what);
    exit(2);
}

static void post(struct mailbox *m, enum ibv_wr_opcode opcode, uint64_t *own, uint64_t far)
{
    struct ibv_sge sge = { (uintptr_t)own, sizeof *own, m->key };
    struct ibv_send_wr *bad, wr = { .opcode = opcode, .sg_list = &sge, .num_sge = 1, .send_flags = IBV_SEND_SIGNALED };

    wr.wr.rdma.remote_addr = far;
    wr.wr.rdma.rkey = m->far_key;
    if (ibv_post_send(m->qp, &wr, &bad))
        fail("a request is refused");
}

static void done(struct mailbox *m)
{
    struct ibv_wc wc;

    while (ibv_poll_cq(m->cq, 1, &wc) == 0)
        ;
    if (wc.status != IBV_WC_SUCCESS)
        fail("a request has failed");
}

static void deliver(struct mailbox *m, uint64_t letter, uint64_t number)
{
    m->out = letter;
    m->flag_out = number;
    post(m, IBV_WR_RDMA_WRITE, &m->out, m->far);
    done(m);
    post(m, IBV_WR_RDMA_WRITE, &m->flag_out, m->far + 8);
    done(m);
}

static uint64_t collect(struct mailbox *m, uint64_t number)
{
    while (m->flag != number)
        ;
    uint64_t got = m->letter;
    return got;
}

// ---- two ends of one card ----

static void open_end(struct mailbox *m, struct ibv_pd *pd, const struct ibv_mr *mr)
{
    m->key = mr->lkey;
    m->far_key = mr->rkey;
    m->cq = ibv_create_cq(pd->context, 16, NULL, NULL, 0);
    if (m->cq == NULL)
        fail("there is no completion queue");
    struct ibv_qp_init_attr init = { .send_cq = m->cq, .recv_cq = m->cq, .qp_type = IBV_QPT_RC,
        .cap = { .max_send_wr = 16, .max_recv_wr = 1, .max_send_sge = 1, .max_recv_sge = 1 } };
    m->qp = ibv_create_qp(pd, &init);
    if (m->qp == NULL)
        fail("there is no queue pair");
}

static void change(struct mailbox *m, struct ibv_qp_attr attr, int mask)
{
    if (ibv_modify_qp(m->qp, &attr, IBV_QP_STATE | mask))
        fail("the queue pair cannot be connected");
}

static void join(struct mailbox *m, struct mailbox *to, const struct ibv_port_attr *port, int index)
{
    union ibv_gid gid;

    if (ibv_query_gid(m->qp->context, 1, index, &gid))
        fail("the card has no such address");
    m->far = (uintptr_t)&to->letter;
    change(m, (struct ibv_qp_attr){ .qp_state = IBV_QPS_INIT, .port_num = 1, .qp_access_flags = IBV_ACCESS_REMOTE_WRITE | IBV_ACCESS_REMOTE_READ },
        IBV_QP_PKEY_INDEX | IBV_QP_PORT | IBV_QP_ACCESS_FLAGS);
    change(m, (struct ibv_qp_attr){ .qp_state = IBV_QPS_RTR, .path_mtu = port->active_mtu, .dest_qp_num = to->qp->qp_num,
                  .max_dest_rd_atomic = 1, .min_rnr_timer = 12,
                  .ah_attr = { .dlid = port->lid, .port_num = 1, .is_global = port->link_layer == IBV_LINK_LAYER_ETHERNET,
                      .grh = { .dgid = gid, .sgid_index = (uint8_t)index, .hop_limit = 1 } } },
        IBV_QP_AV | IBV_QP_PATH_MTU | IBV_QP_DEST_QPN | IBV_QP_RQ_PSN | IBV_QP_MAX_DEST_RD_ATOMIC | IBV_QP_MIN_RNR_TIMER);
    change(m, (struct ibv_qp_attr){ .qp_state = IBV_QPS_RTS, .timeout = 14, .retry_cnt = 7, .rnr_retry = 7, .max_rd_atomic = 1 },
        IBV_QP_TIMEOUT | IBV_QP_RETRY_CNT | IBV_QP_RNR_RETRY | IBV_QP_SQ_PSN | IBV_QP_MAX_QP_RD_ATOMIC);
}

static void open_ends(struct mailbox *a, struct mailbox *b, struct ibv_mr *mr, int index)
{
    struct ibv_port_attr port;

    open_end(a, mr->pd, mr);
    open_end(b, mr->pd, mr);
    if (ibv_query_port(mr->context, 1, &port))
        fail("the card has no port");
    join(a, b, &port, index);
    join(b, a, &port, index);
}

int main(int count, char **words)
{
    static struct mailbox ends[2];
    const uint64_t letters = count > 1 ? strtoull(words[1], NULL, 10) : 10000;
    struct ibv_device **devices = ibv_get_device_list(NULL);
    struct ibv_context *context = devices != NULL && devices[0] != NULL ? ibv_open_device(devices[0]) : NULL;

    if (context == NULL)
        fail("there is no card");
    struct ibv_pd *pd = ibv_alloc_pd(context);
    struct ibv_mr *mr = pd == NULL ? NULL : ibv_reg_mr(pd, ends, sizeof ends,
        IBV_ACCESS_LOCAL_WRITE | IBV_ACCESS_REMOTE_WRITE | IBV_ACCESS_REMOTE_READ);
    if (mr == NULL)
        fail("memory cannot be registered");
    open_ends(&ends[0], &ends[1], mr, count > 2 ? atoi(words[2]) : 0);
    for (uint64_t n = 1; n <= letters; n++) {
        deliver(&ends[0], 100 + n, n);
        uint64_t got = collect(&ends[1], n);
        if (got != 100 + n) {
            printf("letter %" PRIu64 " is not there: %" PRIu64 " is in its place\n", n, got);
            return 1;
        }
    }
    printf("%" PRIu64 " letters\n", letters);
    return 0;
}
