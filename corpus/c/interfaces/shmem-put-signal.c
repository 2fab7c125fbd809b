/* RDMA shmem-put-signal
   "data, then a signal, to one PE"

   node 0 { src = 1 }
   node 1 { data = 0; signal = 0 }

   thread P0 = work() on 0
   thread P1 = work() on 1

   exists (P1:seen == 0)
     expect forbidden under rdma-tso
     expect allowed under rdma-ro
*/
#include <assert.h>
#include <shmem.h>
#include <stdint.h>

uint64_t src = 1;
uint64_t data, signal;

void work(void)
{
    if (shmem_my_pe() == 0) {
        shmem_putmem_signal_nbi(&data, &src, sizeof src, &signal, 1, SHMEM_SIGNAL_SET, 1);
    } else {
        shmem_signal_wait_until(&signal, SHMEM_CMP_EQ, 1);
        uint64_t seen = data;
        (void)seen;
    }
}
