/* RDMA ofi-write-write-verbs
   "requests of one queue pair are in order"

   api ofi verbs

   node client { buf = 1; one = 1 }
   node server { data = 0; flag = 0 }

   thread send on client { ep => server; to => data, flag }
   thread look on server

   exists (look:seen == 0)
     expect forbidden under rdma-tso
*/
#include <rdma/fi_rma.h>
#include <stdint.h>

uint64_t buf = 1, one = 1;
volatile uint64_t data, flag;

static void wait_one(struct fid_cq *cq)
{
    struct fi_cq_entry entry;
    ssize_t n;

    do {
        n = fi_cq_read(cq, &entry, 1);
    } while (n == -FI_EAGAIN);
}

void send(struct fid_ep *ep, struct fid_cq *cq, uint64_t to, uint64_t key)
{
    fi_write(ep, &buf, 8, NULL, 0, to, key, NULL);
    fi_write(ep, &one, 8, NULL, 0, to + 8, key, NULL);
    wait_one(cq);
    wait_one(cq);
}

void look(void)
{
    while (flag == 0)
        ;
    uint64_t seen = data;
    (void)seen;
}
