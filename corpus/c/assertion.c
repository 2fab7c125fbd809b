/* RDMA assertion
   "a question of one thread stands in its code"

   node 0 { src = 1; one = 1 }
   node 1 { data = 0; ready = 0 }

   thread producer on 0 { qp => 1; raddr => data, ready @ 64 }
   thread consumer on 1
*/
#include <assert.h>
#include <infiniband/verbs.h>
#include <stdint.h>

uint64_t src = 1, one = 1;
volatile uint64_t data, ready;

static void put(struct ibv_qp *qp, uint64_t *from, uint64_t raddr)
{
    struct ibv_sge sge = { (uintptr_t)from, 8, 0 };
    struct ibv_send_wr *bad, wr = {
        .opcode = IBV_WR_RDMA_WRITE, .sg_list = &sge, .num_sge = 1, .wr.rdma = { raddr, 0 },
    };

    if (ibv_post_send(qp, &wr, &bad))
        abort();
}

void producer(struct ibv_qp *qp, uint64_t raddr)
{
    put(qp, &src, raddr);
    put(qp, &one, raddr + 64);
}

void consumer(void)
{
    while (ready == 0)
        ;
    assert(data == 1);
}
