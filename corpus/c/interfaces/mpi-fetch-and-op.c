/* RDMA mpi-fetch-and-op
   "two ranks take a number from one counter"

   node 0 { r0 = 7 }
   node 1 { r1 = 7 }
   node 2 { counter = 0 }

   thread A = take(&r0, win) on 0 { win[0] => counter }
   thread B = take(&r1, win) on 1 { win[0] => counter }

   exists (r0 == 0 && r1 == 0)
     expect forbidden under rdma-tso, rdma-ro
*/
#include <mpi.h>
#include <stdint.h>

uint64_t r0 = 7, r1 = 7;

void take(uint64_t *ticket, MPI_Win win)
{
    uint64_t one = 1;

    MPI_Fetch_and_op(&one, ticket, MPI_UINT64_T, 2, 0, MPI_SUM, win);
    MPI_Win_flush(2, win);
}
