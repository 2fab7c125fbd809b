/* RDMA spin
   "a loop that waits for a word, with a pause and a fence in it"

   node 1 { data = 0; ready = 0 }

   thread writer on 1
   thread reader on 1

   exists (seen == 0)
     computed forbidden under rdma-tso, x86-tso
*/
#include <immintrin.h>
#include <stdatomic.h>
#include <stdint.h>

uint64_t data;
_Atomic uint64_t ready;

void writer(void)
{
    data = 1;
    atomic_store_explicit(&ready, 1, memory_order_release);
}

void reader(void)
{
    while (!atomic_load_explicit(&ready, memory_order_acquire)) {
        _mm_pause();
        atomic_thread_fence(memory_order_acquire);
    }
    uint64_t seen = data;
    (void)seen;
}
