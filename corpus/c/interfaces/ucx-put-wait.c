/* RDMA ucx-put-wait
   "the buffer of a put is used again when its request is complete"

   node client { buf = 1 }
   node server { data = 0 }

   thread send on client { ep => server; to => data }

   exists (data == 9)
     expect forbidden under rdma-tso, rdma-ro
*/
#include <stdint.h>
#include <ucp/api/ucp.h>

uint64_t buf = 1;

static void finish(ucp_worker_h worker, ucs_status_ptr_t req)
{
    if (req == NULL)
        return;
    while (ucp_request_check_status(req) == UCS_INPROGRESS)
        ucp_worker_progress(worker);
    ucp_request_free(req);
}

void send(ucp_worker_h worker, ucp_ep_h ep, uint64_t to, ucp_rkey_h rkey)
{
    ucp_request_param_t param = { 0 };
    ucs_status_ptr_t req = ucp_put_nbx(ep, &buf, sizeof buf, to, rkey, &param);
    finish(worker, req);
    buf = 9;
}
