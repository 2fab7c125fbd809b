/* RDMA several-elements
   "two scatter elements in one request: its words come in any order, and all of them before what is posted later"

   node client { a = 1; b = 1; one = 1 }
   node server { base[3] = 0 }

   thread run on client { raddr => base }
   thread reader on server

   exists (second == 1 && first == 0)  "the second word without the first"
     computed allowed under rdma-tso
   exists (later == 1 && first == 0)   "what was posted later without the first"
     computed forbidden under rdma-tso
     computed allowed under rdma-ro
*/
#include <infiniband/verbs.h>
#include <stdint.h>

uint64_t a = 1, b = 1, one = 1;
volatile uint64_t base[3];

void run(struct ibv_qp *qp, uint32_t lkey, uint64_t raddr, uint32_t rkey)
{
    struct ibv_sge elements[2] = {
        { (uintptr_t)&a, sizeof a, lkey },
        { (uintptr_t)&b, sizeof b, lkey },
    };
    struct ibv_sge last = { (uintptr_t)&one, sizeof one, lkey };
    struct ibv_send_wr *bad, wr[2] = {
        { .next = &wr[1], .opcode = IBV_WR_RDMA_WRITE, .sg_list = elements, .num_sge = 2, .wr.rdma = { raddr, rkey } },
        { .opcode = IBV_WR_RDMA_WRITE, .sg_list = &last, .num_sge = 1, .wr.rdma = { raddr + 16, rkey } },
    };

    ibv_post_send(qp, wr, &bad);
}

void reader(void)
{
    uint64_t later = base[2];
    uint64_t second = base[1];
    uint64_t first = base[0];
    (void)later, (void)second, (void)first;
}
