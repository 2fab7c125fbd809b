/* RDMA atomic-assignment
   "an assignment to an _Atomic is sequentially consistent"

   node 1 { x = 0; y = 0 }

   thread left on 1
   thread right on 1

   exists (left:a == 0 && right:b == 0)  "each reads before the other's write is seen"
     computed forbidden under rdma-tso, x86-tso
*/
#include <stdatomic.h>
#include <stdint.h>

_Atomic uint64_t x, y;

void left(void)
{
    x = 1;
    uint64_t a = y;
    (void)a;
}

void right(void)
{
    y = 1;
    uint64_t b = x;
    (void)b;
}
