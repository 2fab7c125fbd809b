/* RDMA ucx-put-moderation
   "puts out of a pool of buffers; only every second one asks for a completion"
   question "When the completion of the signalled put has come, both buffers go back to the pool. Can an earlier, unsignalled put still send what is written into its buffer afterwards?"
   note "Requests of a queue pair complete in order, so one completion covers those before it: their buffers have been read."

   node initiator { pool0 = 0; pool1 = 0 }
   node target { ring[4] = 0 }

   thread flow = flow_puts(iface, ep) on initiator {
     ep->qp => target on iface->cq;
     iface->mp[0].payload => pool0;  iface->mp[1].payload => pool1;
     ep->remote_addr => ring
   }

   exists (ring0 == 3 || ring1 == 4)  "a buffer is sent after it was filled again"
     computed forbidden under rdma-tso, rdma-ro
   exists (ring0 != 1 || ring1 != 2 || ring2 != 3 || ring3 != 4)
     computed forbidden under rdma-tso, rdma-ro
*/
#include <assert.h>
#include <infiniband/verbs.h>
#include <stddef.h>
#include <stdint.h>
#include <stdio.h>
#include <stdlib.h>

#define TX_DESCS 2
#define TX_MAX_POLL 16

typedef enum {
    UCS_OK = 0,
    UCS_INPROGRESS = 1,
    UCS_ERR_NO_RESOURCE = -2,
    UCS_ERR_NO_MEMORY = -4,
} ucs_status_t;

struct uct_rc_iface_send_desc {
    struct uct_rc_iface_send_desc *next;
    uint64_t *payload;
    uint32_t lkey;
    uint16_t sn;
};

struct uct_rc_verbs_iface {
    struct ibv_cq *cq;
    struct {
        unsigned tx_moderation;
        unsigned tx_max_poll;
    } config;
    unsigned cq_available;
    struct uct_rc_iface_send_desc mp[TX_DESCS];
    struct uct_rc_iface_send_desc *free_list;
};

struct uct_rc_verbs_ep {
    struct ibv_qp *qp;
    uint64_t remote_addr;
    uint32_t rkey;
    struct {
        uint16_t pi;
        uint16_t ci;
    } txcnt;
    uint16_t unsignaled;
    int16_t available;
    struct uct_rc_iface_send_desc *outstanding;
    struct uct_rc_iface_send_desc **outstanding_tail;
};

static struct uct_rc_iface_send_desc *ucs_mpool_get(struct uct_rc_verbs_iface *iface)
{
    struct uct_rc_iface_send_desc *desc = iface->free_list;

    if (desc != NULL)
        iface->free_list = desc->next;
    return desc;
}

static void ucs_mpool_put(struct uct_rc_verbs_iface *iface, struct uct_rc_iface_send_desc *desc)
{
    desc->next = iface->free_list;
    iface->free_list = desc;
}

static inline unsigned uct_rc_iface_tx_moderation(struct uct_rc_verbs_iface *iface,
                                                  struct uct_rc_verbs_ep *ep, unsigned flag)
{
    return (ep->unsignaled >= iface->config.tx_moderation) ? flag : 0;
}

static inline void uct_rc_txqp_add_send_op(struct uct_rc_verbs_ep *ep,
                                           struct uct_rc_iface_send_desc *desc, uint16_t sn)
{
    desc->sn = sn;
    desc->next = NULL;
    *ep->outstanding_tail = desc;
    ep->outstanding_tail = &desc->next;
}

static void uct_rc_txqp_completion(struct uct_rc_verbs_iface *iface, struct uct_rc_verbs_ep *ep,
                                   uint16_t sn)
{
    while (ep->outstanding != NULL && (int16_t)(ep->outstanding->sn - sn) <= 0) {
        struct uct_rc_iface_send_desc *desc = ep->outstanding;

        ep->outstanding = desc->next;
        if (ep->outstanding == NULL)
            ep->outstanding_tail = &ep->outstanding;
        ucs_mpool_put(iface, desc);
    }
}

static inline void uct_rc_verbs_txqp_posted(struct uct_rc_verbs_ep *ep,
                                            struct uct_rc_verbs_iface *iface, int signaled)
{
    ep->txcnt.pi++;
    ep->available--;
    if (signaled) {
        iface->cq_available--;
        ep->unsignaled = 0;
    } else {
        ep->unsignaled++;
    }
}

static void uct_rc_verbs_ep_post_send(struct uct_rc_verbs_iface *iface, struct uct_rc_verbs_ep *ep,
                                      struct ibv_send_wr *wr, int send_flags)
{
    struct ibv_send_wr *bad_wr;
    int ret;

    if (!(send_flags & IBV_SEND_SIGNALED))
        send_flags |= uct_rc_iface_tx_moderation(iface, ep, IBV_SEND_SIGNALED);

    wr->send_flags = send_flags;
    wr->wr_id = (uint16_t)(ep->txcnt.pi + 1);
    ret = ibv_post_send(ep->qp, wr, &bad_wr);
    if (ret != 0) {
        fprintf(stderr, "ibv_post_send() returned %d\n", ret);
        abort();
    }
    uct_rc_verbs_txqp_posted(ep, iface, send_flags & IBV_SEND_SIGNALED);
}

static ucs_status_t uct_rc_verbs_ep_put_bcopy(struct uct_rc_verbs_iface *iface,
                                              struct uct_rc_verbs_ep *ep, uint64_t value,
                                              uint64_t remote_addr, uint32_t rkey)
{
    struct uct_rc_iface_send_desc *desc;
    struct ibv_send_wr wr;
    struct ibv_sge sge;

    if (iface->cq_available == 0 || ep->available <= 0)
        return UCS_ERR_NO_RESOURCE;
    desc = ucs_mpool_get(iface);
    if (desc == NULL)
        return UCS_ERR_NO_MEMORY;

    *desc->payload = value;
    sge.addr = (uintptr_t)desc->payload;
    sge.length = sizeof(uint64_t);
    sge.lkey = desc->lkey;
    wr.wr.rdma.remote_addr = remote_addr;
    wr.wr.rdma.rkey = rkey;
    wr.opcode = IBV_WR_RDMA_WRITE;
    wr.sg_list = &sge;
    wr.num_sge = 1;
    wr.next = NULL;
    uct_rc_verbs_ep_post_send(iface, ep, &wr, 0);
    uct_rc_txqp_add_send_op(ep, desc, ep->txcnt.pi);
    return UCS_OK;
}

static unsigned uct_rc_verbs_iface_poll_tx(struct uct_rc_verbs_iface *iface,
                                           struct uct_rc_verbs_ep *ep)
{
    struct ibv_wc wc[TX_MAX_POLL];
    unsigned num_wcs = iface->config.tx_max_poll;
    uint16_t count;
    int i, ret;

    ret = ibv_poll_cq(iface->cq, num_wcs, wc);
    if (ret <= 0)
        return 0;
    num_wcs = ret;
    for (i = 0; i < num_wcs; ++i) {
        if (wc[i].status != IBV_WC_SUCCESS) {
            fprintf(stderr, "send completion with error: %s\n", ibv_wc_status_str(wc[i].status));
            abort();
        }
        count = (uint16_t)wc[i].wr_id - ep->txcnt.ci;
        ep->txcnt.ci += count;
        ep->available += count;
        iface->cq_available++;
        uct_rc_txqp_completion(iface, ep, ep->txcnt.ci);
    }
    return num_wcs;
}

void flow_puts(struct uct_rc_verbs_iface *iface, struct uct_rc_verbs_ep *ep)
{
    ucs_status_t status;
    int i;

    iface->config.tx_moderation = 1;
    iface->config.tx_max_poll = TX_MAX_POLL;
    iface->cq_available = 4;
    iface->free_list = NULL;
    for (i = TX_DESCS - 1; i >= 0; --i)
        ucs_mpool_put(iface, &iface->mp[i]);
    ep->txcnt.pi = ep->txcnt.ci = 0;
    ep->unsignaled = 0;
    ep->available = 4;
    ep->outstanding = NULL;
    ep->outstanding_tail = &ep->outstanding;

    for (i = 0; i < 4; ++i) {
        do {
            status = uct_rc_verbs_ep_put_bcopy(iface, ep, i + 1, ep->remote_addr + 8 * i, ep->rkey);
            if (status != UCS_OK)
                uct_rc_verbs_iface_poll_tx(iface, ep);
        } while (status != UCS_OK);
    }
    while (ep->outstanding != NULL)
        uct_rc_verbs_iface_poll_tx(iface, ep);
}
