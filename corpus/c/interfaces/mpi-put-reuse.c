/* RDMA mpi-put-reuse
   "the source of a put is used again"

   node 0 { src = 1 }
   node 1 { data = 0 }

   thread origin on 0 { win[0] => data }

   exists (data == 9)
     expect allowed under rdma-tso, rdma-ro
*/
#include <mpi.h>
#include <stdint.h>

uint64_t src = 1;

void origin(MPI_Win win)
{
    MPI_Put(&src, 1, MPI_UINT64_T, 1, 0, 1, MPI_UINT64_T, win);
    src = 9;
    MPI_Win_flush(1, win);
}
