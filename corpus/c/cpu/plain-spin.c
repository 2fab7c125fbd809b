/* RDMA plain-spin
   "a loop that waits for a plain variable is read as it stands"
   note "A compiler may read it once, and then this loop never ends: real code needs volatile or an atomic."

   node 1 { data = 0; ready = 0 }

   thread writer on 1
   thread reader on 1

   exists (seen == 0)
     computed forbidden under rdma-tso, x86-tso
*/
#include <stdint.h>

uint64_t data, ready;

void writer(void)
{
    data = 1;
    ready = 1;
}

void reader(void)
{
    while (ready == 0)
        ;
    uint64_t seen = data;
    (void)seen;
}
