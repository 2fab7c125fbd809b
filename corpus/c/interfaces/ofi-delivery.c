/* RDMA ofi-delivery
   "with FI_DELIVERY_COMPLETE, a completion says that the data is placed"

   node client { buf = 1; done = 0 }
   node server { data = 0; copy = 0 }

   thread writer on client { data_addr => data }
   thread reader on server { done_addr => done }

   exists (told == 1 && seen == 0)
     computed forbidden under rdma-tso, rdma-ro
*/
#include <rdma/fi_rma.h>
#include <stdint.h>

uint64_t buf = 1, done, data, copy;

void writer(struct fid_ep *ep, struct fid_cq *cq, uint64_t data_addr, uint64_t key)
{
    struct iovec iov = { .iov_base = &buf, .iov_len = sizeof buf };
    struct fi_rma_iov rma = { .addr = data_addr, .len = sizeof buf, .key = key };
    struct fi_msg_rma msg = { .msg_iov = &iov, .iov_count = 1, .rma_iov = &rma, .rma_iov_count = 1 };
    struct fi_cq_entry entry;

    if (fi_writemsg(ep, &msg, FI_DELIVERY_COMPLETE))
        return;
    while (fi_cq_read(cq, &entry, 1) == -FI_EAGAIN)
        ;
    done = 1;
}

void reader(struct fid_ep *ep, struct fid_cq *cq, uint64_t done_addr, uint64_t key)
{
    struct fi_cq_entry entry;

    if (fi_read(ep, &copy, sizeof copy, NULL, 0, done_addr, key, NULL))
        return;
    while (fi_cq_read(cq, &entry, 1) == -FI_EAGAIN)
        ;
    uint64_t told = copy;
    uint64_t seen = data;
    (void)told, (void)seen;
}
