/* RDMA read-once
   "READ_ONCE and WRITE_ONCE are plain accesses"

   node 1 { x = 0; y = 0 }

   thread left on 1
   thread right on 1

   exists (left:a == 0 && right:b == 0)  "each reads before the other's write is seen"
     computed allowed under rdma-tso, x86-tso
*/
#include <stdint.h>

#define READ_ONCE(x) (*(const volatile uint64_t *)&(x))
#define WRITE_ONCE(x, v) (*(volatile uint64_t *)&(x) = (v))

uint64_t x, y;

void left(void)
{
    WRITE_ONCE(x, 1);
    uint64_t a = READ_ONCE(y);
    (void)a;
}

void right(void)
{
    WRITE_ONCE(y, 1);
    uint64_t b = READ_ONCE(x);
    (void)b;
}
