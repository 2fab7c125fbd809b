// The card: its memory, and the queue pairs of a test.
#include "run.h"

#include <errno.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <unistd.h>

// The bit by which the weak card knows strict regions. It is one of the optional flags, which other cards ignore.
#define STRICT (1 << 29)

enum { REGION = 65536, SLOT = 4096, SLOTS = 15, END = SLOT * SLOTS, APART = 128, MARK = 0x52454d4f, DEPTH = 256 };

struct card card;

struct region {
    uint64_t addr;
    uint32_t lkey, rkey;
};
// By process, node and kind; a node that is not in a process has none there.
static struct region (*regions)[REMORA_MOST][REMORA_KINDS];
static struct ibv_mr *registered[REMORA_MOST * REMORA_KINDS];
static int registered_count;

int is_here(int node)
{
    return options.processes == 1 || node == options.me;
}

static const struct region *region_of(int node, enum remora_kind kind)
{
    return &regions[options.processes == 1 ? 0 : node][node][kind];
}

static void find_driver(void)
{
    char path[512], link[512] = "";
    snprintf(path, sizeof path, "/sys/class/infiniband/%s/device/driver", ibv_get_device_name(card.context->device));
    ssize_t n = readlink(path, link, sizeof link - 1);
    const char *name = n > 0 ? strrchr(link, '/') : NULL;
    snprintf(card.driver, sizeof card.driver, "%.60s", name == NULL ? "unknown" : name + 1);
}

// What one card lacks, none is asked for: all have to leave out the same tests, and to end rounds alike.
static int all_have(int is_here)
{
    char own = is_here != 0, all[REMORA_MOST];
    wire_gather(&own, 1, all);
    return memchr(all, 0, (size_t)options.processes) == NULL;
}

#ifdef REMORA_HAS_FLUSH
static const int FLUSHED = IBV_ACCESS_FLUSH_GLOBAL;

static struct ibv_qp *create_flushing(const struct ibv_qp_init_attr *init)
{
    struct ibv_qp_init_attr_ex more = { .send_cq = init->send_cq, .recv_cq = init->recv_cq, .cap = init->cap, .qp_type = init->qp_type,
        .comp_mask = IBV_QP_INIT_ATTR_PD | IBV_QP_INIT_ATTR_SEND_OPS_FLAGS, .pd = card.pd,
        .send_ops_flags = IBV_QP_EX_WITH_RDMA_WRITE | IBV_QP_EX_WITH_RDMA_READ | IBV_QP_EX_WITH_FLUSH };
    return ibv_create_qp_ex(card.context, &more);
}
#else
static const int FLUSHED = 0;

static struct ibv_qp *create_flushing(const struct ibv_qp_init_attr *init)
{
    (void)init;
    return NULL;
}
#endif

// Only a queue pair that is made for flushes shows whether there are any.
static int can_flush(void)
{
    struct ibv_cq *cq = ibv_create_cq(card.context, 1, NULL, NULL, 0);
    if (cq == NULL)
        remora_fail("a completion queue cannot be made");
    struct ibv_qp *qp = create_flushing(&(struct ibv_qp_init_attr){ .send_cq = cq, .recv_cq = cq, .qp_type = IBV_QPT_RC,
        .cap = { .max_send_wr = 1, .max_recv_wr = 1, .max_send_sge = 1, .max_recv_sge = 1 } });
    if (qp != NULL)
        ibv_destroy_qp(qp);
    ibv_destroy_cq(cq);
    return qp != NULL;
}

void card_open(void)
{
    int count = 0;
    struct ibv_device **all = ibv_get_device_list(&count), *chosen = NULL;

    for (int i = 0; i < count && chosen == NULL; i++)
        if (options.device == NULL || strcmp(options.device, ibv_get_device_name(all[i])) == 0)
            chosen = all[i];
    if (chosen == NULL)
        remora_fail(options.device == NULL ? "there is no card" : "there is no card of this name: see ibv_devices");
    card.context = ibv_open_device(chosen);
    ibv_free_device_list(all);
    if (card.context == NULL || ibv_query_device(card.context, &card.attr) != 0)
        remora_fail("the card cannot be opened");
    if (ibv_query_port(card.context, (uint8_t)options.port, &card.port) != 0 || card.port.state != IBV_PORT_ACTIVE)
        remora_fail("the port of the card is not active: see --port");
    card.pd = ibv_alloc_pd(card.context);
    card.has_atomics = all_have(card.attr.atomic_cap != IBV_ATOMIC_NONE);
    card.has_flush = all_have(can_flush());
    find_driver();
    struct region own[REMORA_MOST][REMORA_KINDS];
    memset(own, 0, sizeof own);
    const int usual = IBV_ACCESS_LOCAL_WRITE | IBV_ACCESS_REMOTE_READ | IBV_ACCESS_REMOTE_WRITE |
        (card.has_atomics ? IBV_ACCESS_REMOTE_ATOMIC : 0) | (card.has_flush ? FLUSHED : 0);
    const int flags[REMORA_KINDS] = { options.relaxed ? IBV_ACCESS_RELAXED_ORDERING : 0, IBV_ACCESS_RELAXED_ORDERING, STRICT };
    int nodes = 1;
    for (int i = 0; remora_tests[i] != NULL; i++)
        if (remora_tests[i]->nodes > nodes)
            nodes = remora_tests[i]->nodes;
    for (int node = 0; node < nodes && node < REMORA_MOST; node++) {
        for (int kind = 0; is_here(node) && kind < REMORA_KINDS; kind++) {
            void *memory = aligned_alloc(4096, REGION);
            if (memory == NULL)
                remora_fail("there is no memory");
            memset(memory, 0, REGION);
            struct ibv_mr *mr = ibv_reg_mr(card.pd, memory, REGION, (unsigned)(usual | flags[kind]));
            if (mr == NULL)
                remora_fail("memory cannot be registered: see ulimit -l");
            own[node][kind] = (struct region){ (uintptr_t)memory, mr->lkey, mr->rkey };
            registered[registered_count++] = mr;
        }
    }
    regions = calloc((size_t)options.processes, sizeof own);
    wire_gather(own, sizeof own, regions);
}

void card_close(void)
{
    while (registered_count > 0) {
        struct ibv_mr *mr = registered[--registered_count];
        void *memory = mr->addr;
        ibv_dereg_mr(mr);
        free(memory);
    }
    ibv_dealloc_pd(card.pd);
    ibv_close_device(card.context);
    free(regions);
}

const char *card_lacks(const struct remora_test *test)
{
    if (options.processes > 1 && test->nodes > options.processes)
        return "it has more nodes than there are";
    if ((test->needs & REMORA_NEEDS_ATOMICS) && !card.has_atomics)
        return options.processes > 1 ? "not every card has atomics" : "the card has no atomics";
    if ((test->needs & REMORA_NEEDS_FLUSH) && !card.has_flush)
        return "a card, or the headers of its libibverbs, has no flush";
    if (test->places_count > SLOT / APART || test->nodes > REMORA_MOST || test->pairs_count > REMORA_MOST ||
        test->threads_count > REMORA_MOST || test->outcomes_count > REMORA_MOST)
        return "it is too large";
    return NULL;
}

struct end {
    uint32_t qpn;
    uint16_t lid;
    union ibv_gid gid;
};

static void change(struct ibv_qp *qp, struct ibv_qp_attr attr, int mask)
{
    if (ibv_modify_qp(qp, &attr, mask) != 0)
        remora_fail("a queue pair cannot be connected: see --port and --gid");
}

static void connect_all(struct remora_run *run)
{
    const struct remora_test *test = run->test;
    struct end own[REMORA_MOST], all[REMORA_MOST][REMORA_MOST];
    memset(own, 0, sizeof own);
    for (int i = 0; i < test->pairs_count; i++) {
        if (run->qp[i] == NULL)
            continue;
        own[i].qpn = run->qp[i]->qp_num;
        own[i].lid = card.port.lid;
        ibv_query_gid(card.context, (uint8_t)options.port, options.gid, &own[i].gid);
        change(run->qp[i], (struct ibv_qp_attr){ .qp_state = IBV_QPS_INIT, .port_num = (uint8_t)options.port,
                   .qp_access_flags = IBV_ACCESS_REMOTE_READ | IBV_ACCESS_REMOTE_WRITE |
                       (card.has_atomics ? IBV_ACCESS_REMOTE_ATOMIC : 0) | (card.has_flush ? FLUSHED : 0) },
            IBV_QP_STATE | IBV_QP_PKEY_INDEX | IBV_QP_PORT | IBV_QP_ACCESS_FLAGS);
    }
    wire_gather(own, sizeof own, all);
    for (int i = 0; i < test->pairs_count; i++) {
        if (run->qp[i] == NULL)
            continue;
        int far = test->pairs[i].end, process = options.processes == 1 ? 0 : test->pairs[far].node;
        struct end to = all[process][far];
        int is_global = card.port.link_layer == IBV_LINK_LAYER_ETHERNET;
        change(run->qp[i], (struct ibv_qp_attr){ .qp_state = IBV_QPS_RTR, .path_mtu = card.port.active_mtu, .dest_qp_num = to.qpn,
                   .max_dest_rd_atomic = 8, .min_rnr_timer = 1,
                   .ah_attr = { .dlid = to.lid, .port_num = (uint8_t)options.port, .is_global = (uint8_t)is_global,
                       .grh = { .dgid = to.gid, .sgid_index = (uint8_t)options.gid, .hop_limit = 64 } } },
            IBV_QP_STATE | IBV_QP_AV | IBV_QP_PATH_MTU | IBV_QP_DEST_QPN | IBV_QP_RQ_PSN | IBV_QP_MAX_DEST_RD_ATOMIC | IBV_QP_MIN_RNR_TIMER);
        change(run->qp[i], (struct ibv_qp_attr){ .qp_state = IBV_QPS_RTS, .timeout = 14, .retry_cnt = 7, .rnr_retry = 7, .max_rd_atomic = 8 },
            IBV_QP_STATE | IBV_QP_TIMEOUT | IBV_QP_RETRY_CNT | IBV_QP_RNR_RETRY | IBV_QP_SQ_PSN | IBV_QP_MAX_QP_RD_ATOMIC);
    }
    char here = 1, there[REMORA_MOST];
    wire_gather(&here, 1, there);
}

void run_open(struct remora_run *run, const struct remora_test *test)
{
    memset(run, 0, sizeof *run);
    run->test = test;
    for (int i = 0; i < test->queues_count; i++)
        if (is_here(test->queues[i]) && (run->cq[i] = ibv_create_cq(card.context, DEPTH, NULL, NULL, 0)) == NULL)
            remora_fail("a completion queue cannot be made");
    for (int i = 0; i < test->pairs_count; i++) {
        const struct remora_pair *pair = &test->pairs[i];
        if (!is_here(pair->node))
            continue;
        struct ibv_qp_init_attr init = { .send_cq = run->cq[pair->sends], .recv_cq = run->cq[pair->receives], .qp_type = IBV_QPT_RC,
            .cap = { .max_send_wr = 64, .max_recv_wr = 64, .max_send_sge = 4, .max_recv_sge = 1,
                .max_inline_data = test->needs & REMORA_NEEDS_INLINE ? 32 : 0 } };
        run->qp[i] = test->needs & REMORA_NEEDS_FLUSH ? create_flushing(&init) : ibv_create_qp(card.pd, &init);
        if (run->qp[i] == NULL)
            remora_fail("a queue pair cannot be made");
    }
    connect_all(run);
}

void run_close(struct remora_run *run)
{
    for (int i = 0; i < run->test->pairs_count; i++)
        if (run->qp[i] != NULL)
            ibv_destroy_qp(run->qp[i]);
    for (int i = 0; i < run->test->queues_count; i++)
        if (run->cq[i] != NULL)
            ibv_destroy_cq(run->cq[i]);
}

// Takes what is complete. How many marks, or -1: a request has failed.
static int take_all(struct remora_run *run)
{
    struct ibv_wc wc;
    int marks = 0, is_failed = 0;
    for (int i = 0; i < run->test->queues_count; i++)
        while (run->cq[i] != NULL && ibv_poll_cq(run->cq[i], 1, &wc) > 0) {
            is_failed |= wc.status != IBV_WC_SUCCESS;
            marks += wc.wr_id == MARK;
        }
    return is_failed ? -1 : marks;
}

void run_renew(struct remora_run *run)
{
    for (int i = 0; i < run->test->pairs_count; i++)
        if (run->qp[i] != NULL)
            change(run->qp[i], (struct ibv_qp_attr){ .qp_state = IBV_QPS_RESET }, IBV_QP_STATE);
    take_all(run);
    connect_all(run);
}

void run_place(struct remora_run *run, uint64_t chance)
{
    const struct remora_test *test = run->test;
    const uint64_t apart = chance & 1 ? APART : 8, slot = chance / 2 % SLOTS;
    uint64_t next[REMORA_MOST] = { 0 };

    for (int i = 0; i < test->places_count; i++) {
        const struct remora_place *place = &test->places[i];
        const struct region *region = region_of(place->node, place->kind);
        uint64_t *at = &next[place->node];
        *at = place->behind ? *at : (*at + apart - 1) / apart * apart;
        run->addr[i] = region->addr + slot * SLOT + *at;
        *at += 8;
        run->key[i] = region->lkey;
        run->rkey[i] = region->rkey;
        run->at[i] = is_here(place->node) ? (volatile int64_t *)(uintptr_t)run->addr[i] : NULL;
        if (run->at[i] != NULL)
            *run->at[i] = place->first;
    }
}

// A request that comes behind all others: an atomic, which no card lets anything pass, where the card has them, and then a read of a
// strict region, which pushes what is before it into memory.
static void mark(struct remora_run *run, int pair, int is_atomic)
{
    const struct region *own = region_of(run->test->pairs[pair].node, REMORA_STRICT);
    const struct region *far = region_of(run->test->pairs[run->test->pairs[pair].end].node, REMORA_STRICT);
    struct ibv_sge sge = { own->addr + END + 64, 8, own->lkey };
    struct ibv_send_wr *bad, wr = { .wr_id = MARK, .sg_list = &sge, .num_sge = 1, .send_flags = IBV_SEND_SIGNALED | IBV_SEND_FENCE };

    if (is_atomic) {
        wr.opcode = IBV_WR_ATOMIC_FETCH_AND_ADD;
        wr.wr.atomic.remote_addr = far->addr + END;
        wr.wr.atomic.rkey = far->rkey;
    } else {
        wr.opcode = IBV_WR_RDMA_READ;
        wr.wr.rdma.remote_addr = far->addr + END;
        wr.wr.rdma.rkey = far->rkey;
    }
    if (ibv_post_send(run->qp[pair], &wr, &bad) != 0)
        remora_fail("ibv_post_send, at the end of a round");
}

static int marked(struct remora_run *run, int is_atomic)
{
    const struct remora_test *test = run->test;
    int open = 0;
    uint64_t since = now_ms();

    for (int i = 0; i < test->pairs_count; i++)
        if (run->qp[i] != NULL && test->pairs[i].used) {
            mark(run, i, is_atomic);
            open++;
        }
    while (open > 0) {
        int marks = take_all(run);
        if (marks < 0 || now_ms() - since > (uint64_t)options.limit)
            return 0;
        open -= marks;
    }
    return 1;
}

int run_settle(struct remora_run *run)
{
    if (!marked(run, card.has_atomics) || !marked(run, 0))
        return 0;
    uint64_t end = now_ns() + (uint64_t)options.settle * 1000;
    do
        take_all(run);
    while (now_ns() < end);
    return 1;
}
