/* RDMA ucx-get-fence-put
   "a get, then a put to the same word, with a fence between them"

   node client { new = 5; old = 0 }
   node server { y = 1 }

   thread swap on client { ep => server; at => y }

   exists (old == 5)  "the get returns what was put behind it"
     expect forbidden under rdma-tso
*/
#include <stdint.h>
#include <ucp/api/ucp.h>

uint64_t new = 5, old;

static void finish(ucp_worker_h worker, ucs_status_ptr_t req)
{
    if (req == NULL)
        return;
    while (ucp_request_check_status(req) == UCS_INPROGRESS)
        ucp_worker_progress(worker);
    ucp_request_free(req);
}

void swap(ucp_worker_h worker, ucp_ep_h ep, uint64_t at, ucp_rkey_h rkey)
{
    ucp_request_param_t param = { 0 };
    ucs_status_ptr_t got = ucp_get_nbx(ep, &old, 8, at, rkey, &param);
    ucp_worker_fence(worker);
    ucs_status_ptr_t put = ucp_put_nbx(ep, &new, 8, at, rkey, &param);
    finish(worker, got);
    finish(worker, put);
}
