/* RDMA sherman-write-unlock
   "a leaf is locked by compare-and-swap, read, changed, and written back with the release of the lock in one list"
   question "Two clients insert into one leaf. The page and the lock word are written by two chained requests, and only the second makes a completion. Can an entry be lost?"
   note "Both writes are on one queue pair to one server, so the lock is released behind the page, and the next holder's read is behind its own compare-and-swap. With relaxed ordering the release may pass the page."
   bound 2

   node ms { lock = 0; front = 0; entry0 = 0; entry1 = 0; rear = 0 }
   node c1 { page1[4] = 0; cas1 = 0 }
   node c2 { page2[4] = 0; cas2 = 0 }

   thread A = leaf_page_store(dsm, 11) on c1 {
     dsm->qp => ms on dsm->cq;  dsm->page_buffer => page1;  dsm->cas_buffer => cas1;
     dsm->page_addr => front, entry0, entry1, rear;  dsm->lock_addr => lock
   }
   thread B = leaf_page_store(dsm, 22) on c2 {
     dsm->qp => ms on dsm->cq;  dsm->page_buffer => page2;  dsm->cas_buffer => cas2;
     dsm->page_addr => front, entry0, entry1, rear;  dsm->lock_addr => lock
   }

   exists (entry1 == 0)  "an insertion is lost"
     computed forbidden under rdma-tso
     computed allowed under rdma-ro
*/
#include <assert.h>
#include <infiniband/verbs.h>
#include <stdbool.h>
#include <stdint.h>
#include <stdio.h>
#include <string.h>

enum { kCardinality = 2 };

struct LeafPage {
    uint64_t front_version;
    uint64_t records[2];
    uint64_t rear_version;
};

struct RdmaOpRegion {
    uint64_t source;
    uint64_t dest;
    uint64_t size;
    uint32_t lkey;
    uint32_t remoteRKey;
};

struct DSM {
    struct ibv_qp *qp;
    struct ibv_cq *cq;
    uint32_t lkey, rkey;
    struct LeafPage *page_buffer;
    uint64_t *cas_buffer;
    uint64_t page_addr;
    uint64_t lock_addr;
};

static int pollWithCQ(struct ibv_cq *cq, int pollNumber, struct ibv_wc *wc)
{
    int count = 0;

    do {
        int new_count = ibv_poll_cq(cq, 1, wc);
        count += new_count;
    } while (count < pollNumber);

    if (count < 0) {
        fprintf(stderr, "Poll Completion failed.\n");
        return -1;
    }
    if (wc->status != IBV_WC_SUCCESS) {
        fprintf(stderr, "Failed status %s (%d) for wr_id %d\n", ibv_wc_status_str(wc->status),
                wc->status, (int)wc->wr_id);
        return -1;
    }
    return count;
}

static void fillSgeWr(struct ibv_sge *sg, struct ibv_send_wr *wr, uint64_t source, uint64_t size,
                      uint32_t lkey)
{
    memset(sg, 0, sizeof(*sg));
    sg->addr = source;
    sg->length = size;
    sg->lkey = lkey;

    memset(wr, 0, sizeof(*wr));
    wr->wr_id = 0;
    wr->sg_list = sg;
    wr->num_sge = 1;
}

static bool rdmaRead(struct DSM *dsm, void *source, uint64_t dest, uint64_t size)
{
    struct ibv_sge sg;
    struct ibv_send_wr wr, *wrBad;

    fillSgeWr(&sg, &wr, (uint64_t)(uintptr_t)source, size, dsm->lkey);
    wr.opcode = IBV_WR_RDMA_READ;
    wr.send_flags = IBV_SEND_SIGNALED;
    wr.wr.rdma.remote_addr = dest;
    wr.wr.rdma.rkey = dsm->rkey;
    if (ibv_post_send(dsm->qp, &wr, &wrBad)) {
        fprintf(stderr, "Send with RDMA_READ failed.\n");
        return false;
    }
    return true;
}

static bool rdmaCompareAndSwap(struct DSM *dsm, uint64_t *source, uint64_t dest, uint64_t compare,
                               uint64_t swap)
{
    struct ibv_sge sg;
    struct ibv_send_wr wr, *wrBad;

    fillSgeWr(&sg, &wr, (uint64_t)(uintptr_t)source, 8, dsm->lkey);
    wr.opcode = IBV_WR_ATOMIC_CMP_AND_SWP;
    wr.send_flags = IBV_SEND_SIGNALED;
    wr.wr.atomic.remote_addr = dest;
    wr.wr.atomic.rkey = dsm->rkey;
    wr.wr.atomic.compare_add = compare;
    wr.wr.atomic.swap = swap;
    if (ibv_post_send(dsm->qp, &wr, &wrBad)) {
        fprintf(stderr, "Send with ATOMIC_CMP_AND_SWP failed.\n");
        return false;
    }
    return true;
}

static bool rdmaWriteBatch(struct ibv_qp *qp, struct RdmaOpRegion *ror, int k, bool isSignaled)
{
    struct ibv_sge sg[2];
    struct ibv_send_wr wr[2], *wrBad;

    for (int i = 0; i < k; ++i) {
        fillSgeWr(&sg[i], &wr[i], ror[i].source, ror[i].size, ror[i].lkey);
        wr[i].opcode = IBV_WR_RDMA_WRITE;
        wr[i].next = i == k - 1 ? NULL : &wr[i + 1];
        if (i == k - 1 && isSignaled)
            wr[i].send_flags = IBV_SEND_SIGNALED;
        wr[i].wr.rdma.remote_addr = ror[i].dest;
        wr[i].wr.rdma.rkey = ror[i].remoteRKey;
    }

    if (ibv_post_send(qp, &wr[0], &wrBad) != 0) {
        fprintf(stderr, "Send with RDMA_WRITE(WRITE_WITH_IMM) failed.\n");
        return false;
    }
    return true;
}

static void write_batch_sync(struct DSM *dsm, struct RdmaOpRegion *rs, int k)
{
    struct ibv_wc wc;

    rdmaWriteBatch(dsm->qp, rs, k, true);
    pollWithCQ(dsm->cq, 1, &wc);
}

static void read_sync(struct DSM *dsm, void *buffer, uint64_t addr, uint64_t size)
{
    struct ibv_wc wc;

    rdmaRead(dsm, buffer, addr, size);
    pollWithCQ(dsm->cq, 1, &wc);
}

static bool cas_sync(struct DSM *dsm, uint64_t addr, uint64_t equal, uint64_t val, uint64_t *rdma_buffer)
{
    struct ibv_wc wc;

    rdmaCompareAndSwap(dsm, rdma_buffer, addr, equal, val);
    pollWithCQ(dsm->cq, 1, &wc);
    return equal == *rdma_buffer;
}

static bool try_lock_addr(struct DSM *dsm, uint64_t lock_addr, uint64_t tag, uint64_t *buf)
{
    uint64_t retry_cnt = 0;

    bool res;

    do {
        if (++retry_cnt > 1000000) {
            printf("Deadlock [%lu]\n", (unsigned long)lock_addr);
            assert(false);
        }
        res = cas_sync(dsm, lock_addr, 0, tag, buf);
    } while (!res);
    return true;
}

static void write_page_and_unlock(struct DSM *dsm, struct LeafPage *page_buffer, uint64_t page_addr,
                                  int page_size, uint64_t *cas_buffer, uint64_t lock_addr)
{
    struct RdmaOpRegion rs[2];

    rs[0].source = (uint64_t)(uintptr_t)page_buffer;
    rs[0].dest = page_addr;
    rs[0].size = page_size;
    rs[0].lkey = dsm->lkey;
    rs[0].remoteRKey = dsm->rkey;

    rs[1].source = (uint64_t)(uintptr_t)cas_buffer;
    rs[1].dest = lock_addr;
    rs[1].size = sizeof(uint64_t);
    rs[1].lkey = dsm->lkey;
    rs[1].remoteRKey = dsm->rkey;

    *cas_buffer = 0;
    write_batch_sync(dsm, rs, 2);
}

static void lock_and_read_page(struct DSM *dsm, struct LeafPage *page_buffer, uint64_t page_addr,
                               int page_size, uint64_t *cas_buffer, uint64_t lock_addr, uint64_t tag)
{
    try_lock_addr(dsm, lock_addr, tag, cas_buffer);
    read_sync(dsm, page_buffer, page_addr, page_size);
}

bool leaf_page_store(struct DSM *dsm, uint64_t v)
{
    struct LeafPage *page = dsm->page_buffer;
    int empty_index = -1;

    lock_and_read_page(dsm, page, dsm->page_addr, sizeof *page, dsm->cas_buffer, dsm->lock_addr, 1);

    for (int i = 0; i < kCardinality; ++i) {
        if (page->records[i] == 0) {
            empty_index = i;
            break;
        }
    }
    if (empty_index < 0)
        return false;

    page->records[empty_index] = v;
    page->front_version++;
    page->rear_version = page->front_version;
    write_page_and_unlock(dsm, page, dsm->page_addr, sizeof *page, dsm->cas_buffer, dsm->lock_addr);
    return true;
}
