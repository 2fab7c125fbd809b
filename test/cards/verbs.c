// What the card promises as every card does: data arrives, completions say what happened, and mistakes are told.
#define _GNU_SOURCE
#include <errno.h>
#include <infiniband/verbs.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <unistd.h>

#define CHECK(what) \
  if (!(what)) fprintf(stderr, "line %d: %s\n", __LINE__, #what), exit(1)

enum { SIZE = 1 << 20, DEPTH = 8 };
enum { ALL = IBV_ACCESS_LOCAL_WRITE | IBV_ACCESS_REMOTE_WRITE | IBV_ACCESS_REMOTE_READ | IBV_ACCESS_REMOTE_ATOMIC };

static struct ibv_context *context;
static struct ibv_pd *pd;
static struct ibv_cq *cq[2];
static struct ibv_qp *qp[2];
static struct ibv_mr *mr[2];
static unsigned char memory[2][SIZE] __attribute__((aligned(8)));

static void become(struct ibv_qp *q, uint32_t peer) {
  struct ibv_qp_attr attr = {.qp_state = IBV_QPS_INIT, .port_num = 1, .qp_access_flags = ALL};
  CHECK(ibv_modify_qp(q, &attr, IBV_QP_STATE | IBV_QP_PKEY_INDEX | IBV_QP_PORT | IBV_QP_ACCESS_FLAGS) == 0);
  attr = (struct ibv_qp_attr){.qp_state = IBV_QPS_RTR, .dest_qp_num = peer, .ah_attr = {.dlid = 1, .port_num = 1}};
  CHECK(ibv_modify_qp(q, &attr, IBV_QP_STATE | IBV_QP_AV | IBV_QP_DEST_QPN) == 0);
  attr = (struct ibv_qp_attr){.qp_state = IBV_QPS_RTS, .rnr_retry = 7};
  CHECK(ibv_modify_qp(q, &attr, IBV_QP_STATE | IBV_QP_RNR_RETRY) == 0);
}

static void join(struct ibv_srq *srq) {
  for (int k = 0; k < 2; k++) {
    struct ibv_qp_init_attr_ex init = {.send_cq = cq[k], .recv_cq = cq[k], .qp_type = IBV_QPT_RC, .pd = pd, .srq = k == 1 ? srq : NULL,
                                       .comp_mask = IBV_QP_INIT_ATTR_PD | IBV_QP_INIT_ATTR_SEND_OPS_FLAGS,
                                       .send_ops_flags = IBV_QP_EX_WITH_RDMA_WRITE,
                                       .cap = {.max_send_wr = DEPTH, .max_recv_wr = DEPTH, .max_send_sge = 4, .max_recv_sge = 4}};
    qp[k] = ibv_create_qp_ex(context, &init);
    CHECK(qp[k] != NULL);
  }
  become(qp[0], qp[1]->qp_num);
  become(qp[1], qp[0]->qp_num);
}

static void part(void) {
  for (int k = 0; k < 2; k++) CHECK(ibv_destroy_qp(qp[k]) == 0);
}

static struct ibv_wc wait_for(int k) {
  struct ibv_wc wc;
  while (ibv_poll_cq(cq[k], 1, &wc) == 0) continue;
  return wc;
}

static struct ibv_send_wr request(enum ibv_wr_opcode opcode, struct ibv_sge *sge, int sges) {
  struct ibv_send_wr wr = {.wr_id = 7, .opcode = opcode, .sg_list = sge, .num_sge = sges, .send_flags = IBV_SEND_SIGNALED};
  wr.wr.rdma.remote_addr = (uintptr_t)memory[1];
  wr.wr.rdma.rkey = mr[1]->rkey;
  return wr;
}

static int post(struct ibv_send_wr *wr) {
  struct ibv_send_wr *bad = NULL;
  return ibv_post_send(qp[0], wr, &bad);
}

static struct ibv_sge at(int k, size_t offset, uint32_t length) {
  return (struct ibv_sge){(uintptr_t)&memory[k][offset], length, mr[k]->lkey};
}

static void fill(void) {
  for (int k = 0; k < SIZE; k++) memory[0][k] = (unsigned char)(k * 7 + k / 251), memory[1][k] = 0;
}

// ---- data ----

static void puts_of_all_sizes(void) {
  static const uint32_t sizes[] = {0, 1, 2, 3, 4, 7, 8, 9, 15, 16, 31, 64, 65, 100, 1000, 4096, 65537, SIZE / 2 - 16};
  join(NULL);
  for (size_t s = 0; s < sizeof sizes / sizeof *sizes; s++)
    for (size_t shift = 0; shift < 9; shift += 3) {
      fill();
      struct ibv_sge sge = at(0, shift, sizes[s]);
      struct ibv_send_wr wr = request(IBV_WR_RDMA_WRITE, &sge, 1);
      wr.wr.rdma.remote_addr += 5 - shift / 2;
      CHECK(post(&wr) == 0 && wait_for(0).status == IBV_WC_SUCCESS);
      // A get of the same queue pair finds the put in memory.
      struct ibv_sge back = at(0, SIZE / 2, sizes[s]);
      wr = request(IBV_WR_RDMA_READ, &back, 1);
      wr.wr.rdma.remote_addr += 5 - shift / 2;
      CHECK(post(&wr) == 0 && wait_for(0).status == IBV_WC_SUCCESS);
      CHECK(memcmp(&memory[1][5 - shift / 2], &memory[0][shift], sizes[s]) == 0);
      CHECK(memcmp(&memory[0][SIZE / 2], &memory[1][5 - shift / 2], sizes[s]) == 0);
      CHECK(memory[1][5 - shift / 2 + sizes[s]] == 0 && memory[1][4 - shift / 2] == 0);
    }
  part();
}

static void messages_in_several_places(void) {
  fill();
  join(NULL);
  struct ibv_sge to[3] = {at(1, 100, 10), at(1, 300, 1), at(1, 500, 100)}, from[2] = {at(0, 3, 20), at(0, 1000, 30)};
  struct ibv_recv_wr receive = {.wr_id = 9, .sg_list = to, .num_sge = 3}, *bad;
  CHECK(ibv_post_recv(qp[1], &receive, &bad) == 0);
  struct ibv_send_wr wr = request(IBV_WR_SEND_WITH_IMM, from, 2);
  wr.imm_data = 42;
  CHECK(post(&wr) == 0);
  const struct ibv_wc received = wait_for(1), sent = wait_for(0);
  CHECK(sent.status == IBV_WC_SUCCESS && sent.opcode == IBV_WC_SEND && sent.wr_id == 7);
  CHECK(received.wr_id == 9 && received.opcode == IBV_WC_RECV && received.byte_len == 50 && received.qp_num == qp[1]->qp_num);
  CHECK(received.imm_data == 42 && (received.wc_flags & IBV_WC_WITH_IMM) != 0);
  CHECK(memcmp(&memory[1][100], &memory[0][3], 10) == 0 && memory[1][300] == memory[0][13]);
  CHECK(memcmp(&memory[1][500], &memory[0][14], 9) == 0 && memcmp(&memory[1][509], &memory[0][1000], 30) == 0);
  part();
}

static void shared_receives(void) {
  fill();
  struct ibv_srq_init_attr init = {.attr = {.max_wr = 2, .max_sge = 1}};
  struct ibv_srq *srq = ibv_create_srq(pd, &init);
  join(srq);
  struct ibv_sge to = at(1, 0, 8), from = at(0, 16, 8);
  struct ibv_recv_wr receive = {.wr_id = 1, .sg_list = &to, .num_sge = 1}, *bad;
  CHECK(ibv_post_srq_recv(srq, &receive, &bad) == 0);
  struct ibv_send_wr wr = request(IBV_WR_RDMA_WRITE_WITH_IMM, &from, 1);
  CHECK(post(&wr) == 0 && wait_for(1).opcode == IBV_WC_RECV_RDMA_WITH_IMM && wait_for(0).status == IBV_WC_SUCCESS);
  CHECK(memcmp(memory[1], &memory[0][16], 8) == 0);
  part();
  CHECK(ibv_destroy_srq(srq) == 0);
}

static void atomics(void) {
  uint64_t *cell = (uint64_t *)memory[1], *old = (uint64_t *)memory[0];
  join(NULL);
  *cell = 5;
  struct ibv_sge sge = at(0, 0, 8);
  struct ibv_send_wr wr = request(IBV_WR_ATOMIC_FETCH_AND_ADD, &sge, 1);
  wr.wr.atomic.remote_addr = (uintptr_t)cell;
  wr.wr.atomic.rkey = mr[1]->rkey;
  wr.wr.atomic.compare_add = 3;
  CHECK(post(&wr) == 0 && wait_for(0).opcode == IBV_WC_FETCH_ADD && *old == 5);
  wr.opcode = IBV_WR_ATOMIC_CMP_AND_SWP;
  wr.wr.atomic.compare_add = 8;
  wr.wr.atomic.swap = 1;
  CHECK(post(&wr) == 0 && wait_for(0).opcode == IBV_WC_COMP_SWAP && *old == 8);
  CHECK(post(&wr) == 0 && wait_for(0).status == IBV_WC_SUCCESS && *old == 1);
  part();
}

static void builders(void) {
  fill();
  join(NULL);
  struct ibv_qp_ex *ex = ibv_qp_to_qp_ex(qp[0]);
  CHECK(ex != NULL);
  ibv_wr_start(ex);
  ex->wr_id = 1;
  ex->wr_flags = 0;
  ibv_wr_rdma_write(ex, mr[1]->rkey, (uintptr_t)memory[1]);
  ibv_wr_set_inline_data(ex, "inlined", 8);
  ex->wr_id = 2;
  ex->wr_flags = IBV_SEND_SIGNALED;
  ibv_wr_rdma_read(ex, mr[1]->rkey, (uintptr_t)memory[1]);
  ibv_wr_set_sge(ex, mr[0]->lkey, (uintptr_t)&memory[0][64], 8);
  CHECK(ibv_wr_complete(ex) == 0);
  CHECK(wait_for(0).wr_id == 2 && strcmp((char *)&memory[0][64], "inlined") == 0);
  part();
}

static void addresses_of_regions(void) {
  fill();
  struct ibv_mr *own = mr[1];
  mr[1] = ibv_reg_mr_iova(pd, memory[1], 4096, 0x1000, ALL);
  join(NULL);
  struct ibv_sge sge = at(0, 0, 16);
  struct ibv_send_wr wr = request(IBV_WR_RDMA_WRITE, &sge, 1);
  wr.wr.rdma.remote_addr = 0x1000 + 32;
  CHECK(post(&wr) == 0 && wait_for(0).status == IBV_WC_SUCCESS);
  part();
  CHECK(ibv_dereg_mr(mr[1]) == 0 && memcmp(&memory[1][32], memory[0], 16) == 0);
  mr[1] = own;
}

// ---- mistakes ----

static void expect_failure(struct ibv_send_wr *wr, enum ibv_wc_status status) {
  join(NULL);
  CHECK(post(wr) == 0);
  const struct ibv_wc wc = wait_for(0);
  CHECK(wc.status == status && wc.wr_id == 7);
  // What is posted afterwards is flushed.
  CHECK(post(wr) == 0 && wait_for(0).status == IBV_WC_WR_FLUSH_ERR);
  struct ibv_qp_attr attr;
  struct ibv_qp_init_attr init;
  CHECK(ibv_query_qp(qp[0], &attr, IBV_QP_STATE, &init) == 0 && attr.qp_state == IBV_QPS_ERR);
  part();
}

static void failures(void) {
  struct ibv_sge sge = at(0, 0, 64), wrong = {sge.addr, 64, 12345}, outside = {sge.addr + SIZE - 8, 64, sge.lkey};
  struct ibv_send_wr wr = request(IBV_WR_RDMA_WRITE, &sge, 1);
  wr.wr.rdma.rkey = 12345;
  expect_failure(&wr, IBV_WC_REM_ACCESS_ERR);
  wr = request(IBV_WR_RDMA_READ, &sge, 1);
  wr.wr.rdma.remote_addr += SIZE - 8;
  expect_failure(&wr, IBV_WC_REM_ACCESS_ERR);
  wr = request(IBV_WR_RDMA_WRITE, &wrong, 1);
  expect_failure(&wr, IBV_WC_LOC_PROT_ERR);
  wr = request(IBV_WR_RDMA_WRITE, &outside, 1);
  expect_failure(&wr, IBV_WC_LOC_PROT_ERR);
  struct ibv_mr *own = mr[1];
  mr[1] = ibv_reg_mr(pd, memory[1], SIZE, IBV_ACCESS_LOCAL_WRITE | IBV_ACCESS_REMOTE_READ);
  wr = request(IBV_WR_RDMA_WRITE, &sge, 1);
  expect_failure(&wr, IBV_WC_REM_ACCESS_ERR);
  CHECK(ibv_dereg_mr(mr[1]) == 0);
  mr[1] = own;
  CHECK(ibv_reg_mr(pd, memory[0], SIZE, IBV_ACCESS_REMOTE_WRITE) == NULL && errno == EINVAL);
}

static void full_queues(void) {
  join(NULL);
  struct ibv_sge sge = at(0, 0, 8);
  struct ibv_send_wr wr = request(IBV_WR_RDMA_WRITE, &sge, 1);
  for (int k = 0; k < DEPTH; k++) CHECK(post(&wr) == 0);
  // Done or not: a request takes its place until its completion is polled.
  CHECK(post(&wr) == ENOMEM);
  for (int k = 0; k < DEPTH; k++) CHECK(wait_for(0).status == IBV_WC_SUCCESS);
  CHECK(post(&wr) == 0 && wait_for(0).status == IBV_WC_SUCCESS);
  struct ibv_recv_wr receive = {.sg_list = &sge, .num_sge = 1}, *bad;
  for (int k = 0; k < DEPTH; k++) CHECK(ibv_post_recv(qp[1], &receive, &bad) == 0);
  CHECK(ibv_post_recv(qp[1], &receive, &bad) == ENOMEM && bad == &receive);
  struct ibv_qp_attr attr = {.qp_state = IBV_QPS_ERR};
  CHECK(ibv_modify_qp(qp[1], &attr, IBV_QP_STATE) == 0);
  for (int k = 0; k < DEPTH; k++) CHECK(wait_for(1).status == IBV_WC_WR_FLUSH_ERR);
  attr.qp_state = IBV_QPS_RTS;
  CHECK(ibv_modify_qp(qp[1], &attr, IBV_QP_STATE) == EINVAL);
  part();
}

// A completion that was there before its queue pair was reset frees nothing of it.
static void renewed(void) {
  join(NULL);
  struct ibv_sge sge = at(0, 0, 8);
  struct ibv_send_wr wr = request(IBV_WR_RDMA_WRITE, &sge, 1);
  struct ibv_wc wc;
  CHECK(post(&wr) == 0);
  usleep(20000);
  struct ibv_qp_attr attr = {.qp_state = IBV_QPS_RESET};
  CHECK(ibv_modify_qp(qp[0], &attr, IBV_QP_STATE) == 0);
  while (ibv_poll_cq(cq[0], 1, &wc) > 0) continue;
  become(qp[0], qp[1]->qp_num);
  CHECK(post(&wr) == 0 && wait_for(0).status == IBV_WC_SUCCESS);
  part();
}

// What was received before both ends were reset is in memory then, and nobody is told of it later.
static void renewed_with_a_message(void) {
  join(NULL);
  struct ibv_sge from = at(0, 0, 8), to = at(1, 0, 8), back = at(0, 64, 8);
  for (int round = 0; round < 100; round++) {
    struct ibv_recv_wr receive = {.sg_list = &to, .num_sge = 1}, *bad;
    struct ibv_send_wr message = request(IBV_WR_SEND, &from, 1), get = request(IBV_WR_RDMA_READ, &back, 1);
    struct ibv_wc wc;
    memory[0][0] = 1;
    CHECK(ibv_post_recv(qp[1], &receive, &bad) == 0 && post(&message) == 0);
    CHECK(wait_for(0).status == IBV_WC_SUCCESS);
    for (int k = 0; k < 2; k++) {
      struct ibv_qp_attr attr = {.qp_state = IBV_QPS_RESET};
      CHECK(ibv_modify_qp(qp[k], &attr, IBV_QP_STATE) == 0);
    }
    for (int k = 0; k < 2; k++)
      while (ibv_poll_cq(cq[k], 1, &wc) > 0) continue;
    memory[1][0] = 0;
    for (int k = 0; k < 2; k++) become(qp[k], qp[1 - k]->qp_num);
    for (int k = 0; k < 3; k++) CHECK(post(&get) == 0 && wait_for(0).status == IBV_WC_SUCCESS);
    CHECK(ibv_poll_cq(cq[1], 1, &wc) == 0 && memory[1][0] == 0);
  }
  part();
}

static void missing(void) {
  struct ibv_qp_init_attr init = {.send_cq = cq[0], .recv_cq = cq[0], .qp_type = IBV_QPT_UD};
  CHECK(ibv_create_qp(pd, &init) == NULL && errno == EOPNOTSUPP);
  struct ibv_ah_attr attr = {.port_num = 1};
  CHECK(ibv_create_ah(pd, &attr) == NULL && errno == EOPNOTSUPP);
}

int main(void) {
  struct ibv_device **list = ibv_get_device_list(NULL);
  context = ibv_open_device(list[0]);
  ibv_free_device_list(list);
  pd = ibv_alloc_pd(context);
  for (int k = 0; k < 2; k++) {
    cq[k] = ibv_create_cq(context, 64, NULL, NULL, 0);
    mr[k] = ibv_reg_mr(pd, memory[k], SIZE, ALL);
    CHECK(cq[k] != NULL && mr[k] != NULL);
  }
  puts_of_all_sizes();
  messages_in_several_places();
  shared_receives();
  atomics();
  builders();
  addresses_of_regions();
  failures();
  full_queues();
  renewed();
  renewed_with_a_message();
  missing();
  for (int k = 0; k < 2; k++) CHECK(ibv_dereg_mr(mr[k]) == 0 && ibv_destroy_cq(cq[k]) == 0);
  CHECK(ibv_dealloc_pd(pd) == 0 && ibv_close_device(context) == 0);
  printf("as every card\n");
  return 0;
}
