/* RDMA ucx-flush
   "data to one server, a flush, and word of it to another"

   node client { buf = 1; one = 1 }
   node server { data = 0 }
   node other { told = 0; copy = 7 }

   thread producer on client { data_ep => server; told_ep => other; to => data; told_at => told }
   thread consumer on other { ep => server; from => data }

   exists (consumer:seen == 0)
     expect forbidden under rdma-tso
*/
#include <stdint.h>
#include <ucp/api/ucp.h>

uint64_t buf = 1, one = 1, copy = 7;
volatile uint64_t told;

static void finish(ucp_worker_h worker, ucs_status_ptr_t req)
{
    if (req == NULL)
        return;
    while (ucp_request_check_status(req) == UCS_INPROGRESS)
        ucp_worker_progress(worker);
    ucp_request_free(req);
}

void producer(ucp_worker_h worker, ucp_ep_h data_ep, ucp_ep_h told_ep, uint64_t to, uint64_t told_at, ucp_rkey_h rkey)
{
    ucp_request_param_t param = { 0 };

    finish(worker, ucp_put_nbx(data_ep, &buf, 8, to, rkey, &param));
    finish(worker, ucp_ep_flush_nbx(data_ep, &param));
    finish(worker, ucp_put_nbx(told_ep, &one, 8, told_at, rkey, &param));
}

void consumer(ucp_worker_h worker, ucp_ep_h ep, uint64_t from, ucp_rkey_h rkey)
{
    ucp_request_param_t param = { 0 };

    while (told == 0)
        ;
    finish(worker, ucp_get_nbx(ep, &copy, 8, from, rkey, &param));
    uint64_t seen = copy;
    (void)seen;
}
