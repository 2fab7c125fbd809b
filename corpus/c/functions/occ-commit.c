/* RDMA occ-commit
   "optimistic transactions: read, lock by compare-and-swap, validate by version, install and release"
   question "Two transactions read both objects, and each writes one of them. Can both commit although neither has seen the other's write?"
   note "Each validates behind the completion of its own lock. The completion of a compare-and-swap brings the old value; that the new one is in memory, where a read on another queue pair finds it, is not said by it. So both may validate before either lock is seen (rdma-tso). Where atomics are performed in memory at one moment (rdma-tso-glob), the second lock finds the first."

   node s1 { x_ver = 0; x_val = 0 }
   node s2 { y_ver = 0; y_val = 0 }
   node c1 { ax_ver = 0; ax_val = 0; ay_ver = 0; ay_val = 0; a_old = 0 }
   node c2 { bx_ver = 0; bx_val = 0; by_ver = 0; by_val = 0; b_old = 0 }

   thread A = run_tx(tx, 0, 1) on c1 {
     tx->obj[0].qp => s1 on tx->cq;  tx->obj[0].addr => x_ver, x_val;
     tx->obj[1].qp => s2 on tx->cq;  tx->obj[1].addr => y_ver, y_val;
     &tx->copy[0] => ax_ver, ax_val;  &tx->copy[1] => ay_ver, ay_val;  &tx->scratch => a_old
   }
   thread B = run_tx(tx, 1, 0) on c2 {
     tx->obj[0].qp => s1 on tx->cq;  tx->obj[0].addr => x_ver, x_val;
     tx->obj[1].qp => s2 on tx->cq;  tx->obj[1].addr => y_ver, y_val;
     &tx->copy[0] => bx_ver, bx_val;  &tx->copy[1] => by_ver, by_val;  &tx->scratch => b_old
   }

   exists (A:committed == 1 && B:committed == 1 && A:seen == 0 && B:seen == 0)  "write skew"
     computed allowed under rdma-tso
     computed forbidden under sc, rdma-tso-glob
*/
#include <infiniband/verbs.h>
#include <stdbool.h>
#include <stdint.h>
#include <stdio.h>
#include <string.h>

#define NOBJS 2
#define LOCKED (1ULL << 40)
#define VERSION(word) ((word) % LOCKED)
#define IS_LOCKED(word) ((word) >= LOCKED)

struct object {
    uint64_t version;
    uint64_t value;
};

struct remote_object {
    struct ibv_qp *qp;
    uint64_t addr;
    uint32_t rkey;
};

struct tx {
    struct remote_object obj[NOBJS];
    struct object copy[NOBJS];
    struct ibv_cq *cq;
    uint32_t lkey;
    uint64_t scratch;
};

enum tx_status { TX_ABORTED, TX_COMMITTED };

static int wait_one(struct tx *tx)
{
    struct ibv_wc wc;
    int n;

    do {
        n = ibv_poll_cq(tx->cq, 1, &wc);
    } while (n == 0);
    if (n < 0) {
        fprintf(stderr, "ibv_poll_cq: %d\n", n);
        return -1;
    }
    if (wc.status != IBV_WC_SUCCESS) {
        fprintf(stderr, "request %lu: %s\n", (unsigned long)wc.wr_id, ibv_wc_status_str(wc.status));
        return -1;
    }
    return 0;
}

static int post_read(struct tx *tx, int i, size_t off, void *to, uint32_t length)
{
    struct ibv_sge sge = { .addr = (uintptr_t)to, .length = length, .lkey = tx->lkey };
    struct ibv_send_wr *bad, wr = {
        .wr_id = i,
        .sg_list = &sge,
        .num_sge = 1,
        .opcode = IBV_WR_RDMA_READ,
        .send_flags = IBV_SEND_SIGNALED,
        .wr.rdma = { .remote_addr = tx->obj[i].addr + off, .rkey = tx->obj[i].rkey },
    };

    return ibv_post_send(tx->obj[i].qp, &wr, &bad);
}

/* Takes the lock of an object if its version is still the one that was read. */
static int try_lock(struct tx *tx, int i, bool *got)
{
    uint64_t version = tx->copy[i].version;
    struct ibv_sge sge = { .addr = (uintptr_t)&tx->scratch, .length = 8, .lkey = tx->lkey };
    struct ibv_send_wr *bad, wr = {
        .wr_id = i,
        .sg_list = &sge,
        .num_sge = 1,
        .opcode = IBV_WR_ATOMIC_CMP_AND_SWP,
        .send_flags = IBV_SEND_SIGNALED,
        .wr.atomic = {
            .remote_addr = tx->obj[i].addr + offsetof(struct object, version),
            .compare_add = version,
            .swap = version + LOCKED,
            .rkey = tx->obj[i].rkey,
        },
    };

    if (ibv_post_send(tx->obj[i].qp, &wr, &bad))
        return -1;
    if (wait_one(tx))
        return -1;
    *got = tx->scratch == version;
    return 0;
}

/* Reads the version again: nobody may have locked or changed the object. */
static int validate(struct tx *tx, int i, bool *same)
{
    if (post_read(tx, i, offsetof(struct object, version), &tx->scratch, 8))
        return -1;
    if (wait_one(tx))
        return -1;
    *same = tx->scratch == tx->copy[i].version;
    return 0;
}

/* The new value, and behind it on the same queue pair the version, which releases the lock. */
static int install(struct tx *tx, int i, uint64_t *value, uint64_t *version)
{
    struct ibv_sge sge[2] = {
        { .addr = (uintptr_t)value, .length = 8, .lkey = tx->lkey },
        { .addr = (uintptr_t)version, .length = 8, .lkey = tx->lkey },
    };
    struct ibv_send_wr wr[2] = { 0 }, *bad;

    wr[0].next = &wr[1];
    wr[0].sg_list = &sge[0];
    wr[0].num_sge = 1;
    wr[0].opcode = IBV_WR_RDMA_WRITE;
    wr[0].wr.rdma.remote_addr = tx->obj[i].addr + offsetof(struct object, value);
    wr[0].wr.rdma.rkey = tx->obj[i].rkey;

    wr[1].sg_list = &sge[1];
    wr[1].num_sge = 1;
    wr[1].opcode = IBV_WR_RDMA_WRITE;
    wr[1].send_flags = IBV_SEND_SIGNALED;
    wr[1].wr.rdma.remote_addr = tx->obj[i].addr + offsetof(struct object, version);
    wr[1].wr.rdma.rkey = tx->obj[i].rkey;

    if (ibv_post_send(tx->obj[i].qp, &wr[0], &bad))
        return -1;
    return wait_one(tx);
}

static int unlock(struct tx *tx, int i, uint64_t *version)
{
    struct ibv_sge sge = { .addr = (uintptr_t)version, .length = 8, .lkey = tx->lkey };
    struct ibv_send_wr *bad, wr = {
        .sg_list = &sge,
        .num_sge = 1,
        .opcode = IBV_WR_RDMA_WRITE,
        .send_flags = IBV_SEND_SIGNALED,
        .wr.rdma = { .remote_addr = tx->obj[i].addr, .rkey = tx->obj[i].rkey },
    };

    if (ibv_post_send(tx->obj[i].qp, &wr, &bad))
        return -1;
    return wait_one(tx);
}

enum tx_status run_tx(struct tx *tx, int mine, int other)
{
    uint64_t value, version, seen;
    enum tx_status committed = TX_ABORTED;
    bool ok;
    int i;

    /* Execution: first the version, then the value, since words of one read may be of different times. */
    for (i = 0; i < NOBJS; i++) {
        if (post_read(tx, i, offsetof(struct object, version), &tx->copy[i].version, 8) || wait_one(tx))
            return TX_ABORTED;
        if (post_read(tx, i, offsetof(struct object, value), &tx->copy[i].value, 8) || wait_one(tx))
            return TX_ABORTED;
    }
    for (i = 0; i < NOBJS; i++)
        if (IS_LOCKED(tx->copy[i].version))
            return TX_ABORTED;
    seen = tx->copy[other].value;

    /* Lock what is written. */
    if (try_lock(tx, mine, &ok))
        return TX_ABORTED;
    if (!ok)
        return TX_ABORTED;

    /* Validate what was only read. */
    if (validate(tx, other, &ok))
        return TX_ABORTED;
    if (!ok) {
        version = tx->copy[mine].version;
        unlock(tx, mine, &version);
        return TX_ABORTED;
    }

    value = seen + 1;
    version = tx->copy[mine].version + 1;
    if (install(tx, mine, &value, &version))
        return TX_ABORTED;
    committed = TX_COMMITTED;
    return committed;
}
