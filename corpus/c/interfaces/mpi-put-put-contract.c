/* RDMA mpi-put-put-contract
   "MPI has no order between two puts"

   api mpi contract

   node 0 { src = 1; one = 1 }
   node 1 { data = 0; flag = 0 }

   thread origin on 0 { win[0] => data; win[1] => flag }
   thread target on 1

   exists (target:seen == 0)
     expect allowed under rdma-tso
*/
#include <mpi.h>
#include <stdint.h>

uint64_t src = 1, one = 1;
volatile uint64_t data, flag;

void origin(MPI_Win win)
{
    MPI_Win_lock_all(0, win);
    MPI_Put(&src, 1, MPI_UINT64_T, 1, 0, 1, MPI_UINT64_T, win);
    MPI_Put(&one, 1, MPI_UINT64_T, 1, 1, 1, MPI_UINT64_T, win);
    MPI_Win_unlock_all(win);
}

void target(void)
{
    while (flag == 0)
        ;
    uint64_t seen = data;
    (void)seen;
}
