/* RDMA ucx-put-no-wait
   "the buffer of a put is used again"

   node client { buf = 1 }
   node server { data = 0 }

   thread send on client { ep => server; to => data }

   exists (data == 9)
     expect allowed under rdma-tso, rdma-ro
*/
#include <stdint.h>
#include <ucp/api/ucp.h>

uint64_t buf = 1;

void send(ucp_worker_h worker, ucp_ep_h ep, uint64_t to, ucp_rkey_h rkey)
{
    ucp_request_param_t param = { 0 };
    ucs_status_ptr_t req = ucp_put_nbx(ep, &buf, sizeof buf, to, rkey, &param);
    (void)worker, (void)req;
    buf = 9;
}
