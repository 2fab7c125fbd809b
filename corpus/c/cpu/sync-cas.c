/* RDMA sync-cas
   "__sync_val_compare_and_swap gives the old value"

   node 1 { lock = 0 }

   thread A = enter(1) on 1
   thread B = enter(2) on 1

   exists (A:old == 0 && B:old == 0)  "both"
     computed forbidden under rdma-tso, x86-tso
*/
#include <stdint.h>

uint64_t lock;

void enter(uint64_t me)
{
    uint64_t old = __sync_val_compare_and_swap(&lock, 0, me);
    (void)old;
}
