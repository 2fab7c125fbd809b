// Litmus tests of the weak card, by hand: litmus TEST RUNS [R S] prints how often each outcome was seen, and stops at the first r=R s=S.
// The programs are those of corpus/fabrics and the like, with r and s in the place of what an outcome speaks of.
#include <infiniband/verbs.h>
#include <inttypes.h>
#include <pthread.h>
#include <sched.h>
#include <stdatomic.h>
#include <stdbool.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#define CHECK(what) \
  if (!(what)) fprintf(stderr, "line %d: %s\n", __LINE__, #what), exit(1)

enum { NODES = 3, LANES = 4, CELLS = 8 };

struct end {
  struct ibv_qp *qp;
  struct ibv_cq *sends, *receives;
};

struct node {
  struct ibv_context *context;
  struct ibv_pd *pd;
  struct ibv_mr *mr;
  _Atomic uint64_t cell[CELLS];
};

static struct node node[NODES + 1];
// Lane k leads from `from` to `to`; both ends are there.
static struct lane {
  int from, to;
  struct end near, far;
  int unpolled;
} lane[LANES];

static void connect_end(struct end *end, uint32_t peer) {
  struct ibv_qp_attr attr = {.qp_state = IBV_QPS_INIT, .port_num = 1,
                             .qp_access_flags = IBV_ACCESS_REMOTE_WRITE | IBV_ACCESS_REMOTE_READ | IBV_ACCESS_REMOTE_ATOMIC};
  CHECK(ibv_modify_qp(end->qp, &attr, IBV_QP_STATE | IBV_QP_PKEY_INDEX | IBV_QP_PORT | IBV_QP_ACCESS_FLAGS) == 0);
  attr = (struct ibv_qp_attr){.qp_state = IBV_QPS_RTR, .dest_qp_num = peer, .path_mtu = IBV_MTU_1024, .max_dest_rd_atomic = 1,
                              .min_rnr_timer = 12, .ah_attr = {.dlid = 1, .port_num = 1}};
  CHECK(ibv_modify_qp(end->qp, &attr, IBV_QP_STATE | IBV_QP_AV | IBV_QP_PATH_MTU | IBV_QP_DEST_QPN | IBV_QP_RQ_PSN |
                                          IBV_QP_MAX_DEST_RD_ATOMIC | IBV_QP_MIN_RNR_TIMER) == 0);
  attr = (struct ibv_qp_attr){.qp_state = IBV_QPS_RTS, .timeout = 14, .retry_cnt = 7, .rnr_retry = 7, .max_rd_atomic = 1};
  CHECK(ibv_modify_qp(end->qp, &attr, IBV_QP_STATE | IBV_QP_TIMEOUT | IBV_QP_RETRY_CNT | IBV_QP_RNR_RETRY | IBV_QP_SQ_PSN |
                                          IBV_QP_MAX_QP_RD_ATOMIC) == 0);
}

static struct end new_end(struct node *n) {
  struct end end = {.sends = ibv_create_cq(n->context, 16, NULL, NULL, 0), .receives = ibv_create_cq(n->context, 16, NULL, NULL, 0)};
  struct ibv_qp_init_attr init = {.send_cq = end.sends, .recv_cq = end.receives, .qp_type = IBV_QPT_RC,
                                  .cap = {.max_send_wr = 16, .max_recv_wr = 16, .max_send_sge = 1, .max_recv_sge = 1}};
  end.qp = ibv_create_qp(n->pd, &init);
  CHECK(end.qp != NULL);
  return end;
}

static void join(int k, int from, int to) {
  lane[k] = (struct lane){from, to, new_end(&node[from]), new_end(&node[to]), 0};
  connect_end(&lane[k].near, lane[k].far.qp->qp_num);
  connect_end(&lane[k].far, lane[k].near.qp->qp_num);
}

static void part(struct end *end) {
  if (end->qp == NULL) return;
  CHECK(ibv_destroy_qp(end->qp) == 0 && ibv_destroy_cq(end->sends) == 0 && ibv_destroy_cq(end->receives) == 0);
  end->qp = NULL;
}

static void open_nodes(void) {
  struct ibv_device **list = ibv_get_device_list(NULL);
  CHECK(list != NULL && list[0] != NULL);
  for (int k = 1; k <= NODES; k++) {
    node[k].context = ibv_open_device(list[0]);
    CHECK(node[k].context != NULL);
    node[k].pd = ibv_alloc_pd(node[k].context);
  }
  ibv_free_device_list(list);
}

static void new_memory(void) {
  for (int k = 1; k <= NODES; k++) {
    for (int c = 0; c < CELLS; c++) atomic_store(&node[k].cell[c], 0);
    node[k].mr = ibv_reg_mr(node[k].pd, node[k].cell, sizeof node[k].cell,
                            IBV_ACCESS_LOCAL_WRITE | IBV_ACCESS_REMOTE_WRITE | IBV_ACCESS_REMOTE_READ | IBV_ACCESS_REMOTE_ATOMIC);
    CHECK(node[k].mr != NULL);
  }
}

// ---- what threads do; cells by number, lanes by number ----

static void post(int k, enum ibv_wr_opcode opcode, int local, int remote, unsigned flags, uint64_t operand) {
  struct node *here = &node[lane[k].from], *there = &node[lane[k].to];
  struct ibv_sge sge = {(uintptr_t)&here->cell[local], 8, here->mr->lkey};
  struct ibv_send_wr wr = {.opcode = opcode, .sg_list = &sge, .num_sge = 1, .send_flags = IBV_SEND_SIGNALED | flags}, *bad;
  if (opcode == IBV_WR_ATOMIC_FETCH_AND_ADD) {
    wr.wr.atomic.remote_addr = (uintptr_t)&there->cell[remote];
    wr.wr.atomic.rkey = there->mr->rkey;
    wr.wr.atomic.compare_add = operand;
  } else {
    wr.wr.rdma.remote_addr = (uintptr_t)&there->cell[remote];
    wr.wr.rdma.rkey = there->mr->rkey;
  }
  CHECK(ibv_post_send(lane[k].near.qp, &wr, &bad) == 0);
  lane[k].unpolled++;
}

static void put(int k, int remote, int local) { post(k, IBV_WR_RDMA_WRITE, local, remote, 0, 0); }
static void get(int k, int local, int remote) { post(k, IBV_WR_RDMA_READ, local, remote, 0, 0); }
static void faa(int k, int local, int remote) { post(k, IBV_WR_ATOMIC_FETCH_AND_ADD, local, remote, 0, 1); }

static void wait_for(struct ibv_cq *cq) {
  struct ibv_wc wc;
  while (ibv_poll_cq(cq, 1, &wc) == 0) continue;
  CHECK(wc.status == IBV_WC_SUCCESS);
}

static void poll_one(int k) { wait_for(lane[k].near.sends), lane[k].unpolled--; }

static void receive(int k, int cell) {
  struct node *there = &node[lane[k].to];
  struct ibv_sge sge = {(uintptr_t)&there->cell[cell], 8, there->mr->lkey};
  struct ibv_recv_wr wr = {.sg_list = &sge, .num_sge = 1}, *bad;
  CHECK(ibv_post_recv(lane[k].far.qp, &wr, &bad) == 0);
}

static uint64_t load(int n, int cell) { return atomic_load_explicit(&node[n].cell[cell], memory_order_acquire); }
static void store(int n, int cell, uint64_t value) { atomic_store(&node[n].cell[cell], value); }

// Waits for a value, but not for ever: it may be overwritten, or on its way until the end.
static uint64_t await(int n, int cell) {
  for (int k = 0; k < 20000; k++) {
    if (load(n, cell) != 0) break;
    if (k % 64 == 63) sched_yield();
  }
  return load(n, cell);
}

// ---- the tests: cells 0, 1, 2 are x, n, y; cell 7 holds 1 ----

static uint64_t r, s;

static void two_puts(void) { put(0, 0, 7), put(0, 1, 7); }
static void see_flag_then_data(void) { r = await(2, 1), s = load(2, 0); }
static void put_then_get(void) { put(0, 0, 7), get(0, 3, 0), poll_one(0), poll_one(0), r = load(1, 3); }
static void put_poll_get(void) { put(0, 0, 7), poll_one(0), get(0, 3, 0), poll_one(0), r = load(1, 3); }
static void two_gets(void) { get(0, 0, 7), get(0, 1, 7), poll_one(0), poll_one(0); }
static void see_second_then_first(void) { r = await(1, 1), s = load(1, 0); }
static void get_poll(void) { get(0, 0, 7), poll_one(0), r = load(1, 0); }
static void put_poll_overwrite(void) { put(0, 0, 7), poll_one(0), store(1, 7, 2); }
static void get_fence_put(void) { store(1, 3, 5), get(0, 3, 7), post(0, IBV_WR_RDMA_WRITE, 3, 0, IBV_SEND_FENCE, 0); }
static void add_first(void) { faa(0, 3, 0), poll_one(0), r = load(1, 3); }
static void add_second(void) { faa(1, 3, 0), poll_one(1), s = load(3, 3); }
static void send_one(void) { post(0, IBV_WR_SEND, 7, 0, 0, 0); }
static void receive_one(void) { receive(0, 0), wait_for(lane[0].far.receives), r = load(2, 0); }
static void put_send(void) { put(0, 1, 7), send_one(); }
static void receive_see(void) { receive(0, 0), wait_for(lane[0].far.receives), s = load(2, 1); }
static void put_poll_put(void) { put(0, 0, 7), poll_one(0), put(2, 1, 7); }
static void put_fence_put(void) { put(0, 0, 7), post(0, IBV_WR_RDMA_WRITE, 7, 1, IBV_SEND_FENCE, 0); }
static void put_poll_put_same(void) { put(0, 0, 7), poll_one(0), put(0, 1, 7); }
static void put_add(void) { put(0, 0, 7), faa(0, 3, 1); }
static void add_put(void) { faa(0, 3, 1), put(0, 0, 7); }
static void see_put_then_atomic(void) { r = await(2, 0), s = load(2, 1); }
static void put_same(void) { store(1, 6, 2), put(0, 0, 7), put(0, 0, 6); }
static void put_read_flag(void) { put(0, 0, 7), get(0, 3, 4), poll_one(0), poll_one(0), put(0, 1, 7); }
static void final_x(void) { r = load(2, 0); }
static void nothing(void) {}

static const struct test {
  const char *name;
  void (*first)(void), (*second)(void), (*last)(void);
} tests[] = {
    {"ro-mp", two_puts, see_flag_then_data, nothing},
    {"ro-raw", put_then_get, nothing, nothing},
    {"un-raw-poll", put_poll_get, nothing, nothing},
    {"ro-get-get", two_gets, see_second_then_first, nothing},
    {"ro-get-poll", get_poll, nothing, nothing},
    {"ro-fence", put_fence_put, see_flag_then_data, nothing},
    {"ro-poll", put_poll_put_same, see_flag_then_data, nothing},
    {"ro-put-atomic", put_add, see_flag_then_data, nothing},
    {"ro-atomic-put", add_put, see_put_then_atomic, nothing},
    {"ro-same-word", put_same, nothing, final_x},
    {"ro-read-then-flag", put_read_flag, see_flag_then_data, nothing},
    {"man-lanes", put_poll_put, see_flag_then_data, nothing},
    {"source", put_poll_overwrite, nothing, final_x},
    {"get-fence-put", get_fence_put, nothing, final_x},
    {"FAA-FAA", add_first, add_second, nothing},
    {"msg-data", send_one, receive_one, nothing},
    {"msg-mp", put_send, receive_see, nothing},
};

static const struct test *chosen;
static atomic_int arrived;

static void *run_thread(void *is_second) {
  atomic_fetch_add(&arrived, 1);
  while (atomic_load(&arrived) % 2 != 0) sched_yield();
  (is_second != NULL ? chosen->second : chosen->first)();
  return NULL;
}

static void run_once(void) {
  r = s = 0;
  new_memory();
  join(0, 1, 2), join(1, 3, 2), join(2, 1, 2);
  for (int k = 1; k <= NODES; k++) store(k, 7, 1);
  pthread_t first, second;
  pthread_create(&first, NULL, run_thread, NULL);
  pthread_create(&second, NULL, run_thread, (void *)chosen);
  pthread_join(first, NULL);
  pthread_join(second, NULL);
  // What nobody polled is done, too, before memory is given back, and what is on its way then lands.
  for (int k = 0; k < LANES; k++)
    while (lane[k].unpolled > 0) poll_one(k);
  for (int k = 1; k <= NODES; k++) CHECK(ibv_dereg_mr(node[k].mr) == 0);
  chosen->last();
  for (int k = 0; k < LANES; k++) part(&lane[k].near), part(&lane[k].far);
}

int main(int arguments, char **argument) {
  CHECK(arguments == 3 || arguments == 5);
  const uint64_t stop_r = arguments == 5 ? strtoull(argument[3], NULL, 10) : UINT64_MAX;
  const uint64_t stop_s = arguments == 5 ? strtoull(argument[4], NULL, 10) : UINT64_MAX;
  for (size_t k = 0; k < sizeof tests / sizeof *tests; k++)
    if (strcmp(tests[k].name, argument[1]) == 0) chosen = &tests[k];
  CHECK(chosen != NULL);
  open_nodes();
  static int seen[8][8];
  for (int runs = atoi(argument[2]); runs > 0; runs--) {
    run_once();
    CHECK(r < 8 && s < 8);
    seen[r][s]++;
    if (r == stop_r && s == stop_s) break;
  }
  for (int a = 0; a < 8; a++)
    for (int b = 0; b < 8; b++)
      if (seen[a][b] > 0) printf("r=%d s=%d %d\n", a, b, seen[a][b]);
  for (int k = 1; k <= NODES; k++) CHECK(ibv_dealloc_pd(node[k].pd) == 0 && ibv_close_device(node[k].context) == 0);
  return 0;
}
