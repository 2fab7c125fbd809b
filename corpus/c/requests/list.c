/* RDMA list
   "a list of requests is posted in its order"

   node client { buf = 1; one = 1 }
   node server { data = 0; flag = 0 }

   thread run on client { raddr => data, flag }
   thread reader on server

   exists (seen == 0)
     computed forbidden under rdma-tso
     computed allowed under rdma-ro
*/
#include <infiniband/verbs.h>
#include <stdint.h>

uint64_t buf = 1, one = 1;

void run(struct ibv_qp *qp, uint64_t raddr)
{
    struct ibv_sge sge[2] = { { (uintptr_t)&buf, 8, 0 }, { (uintptr_t)&one, 8, 0 } };
    struct ibv_send_wr *bad, wr[2];

    for (int i = 0; i < 2; i++)
        wr[i] = (struct ibv_send_wr){
            .next = i == 0 ? &wr[1] : NULL, .opcode = IBV_WR_RDMA_WRITE,
            .sg_list = &sge[i], .num_sge = 1, .wr.rdma.remote_addr = raddr + 8 * i,
        };
    ibv_post_send(qp, wr, &bad);
}

volatile uint64_t data, flag;

void reader(void)
{
    while (flag == 0)
        ;
    uint64_t seen = data;
    (void)seen;
}
