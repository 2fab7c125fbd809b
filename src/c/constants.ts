/** Names of interfaces that stand for numbers, as in infiniband/verbs.h. */
export const CONSTANTS: ReadonlyMap<string, number> = new Map([
  ...[
    'IBV_WR_RDMA_WRITE',
    'IBV_WR_RDMA_WRITE_WITH_IMM',
    'IBV_WR_SEND',
    'IBV_WR_SEND_WITH_IMM',
    'IBV_WR_RDMA_READ',
    'IBV_WR_ATOMIC_CMP_AND_SWP',
    'IBV_WR_ATOMIC_FETCH_AND_ADD',
    'IBV_WR_LOCAL_INV',
    'IBV_WR_BIND_MW',
    'IBV_WR_SEND_WITH_INV',
    'IBV_WR_TSO',
    'IBV_WR_DRIVER1',
  ].map((name, i) => [name, i] as const),
  ['IBV_WR_FLUSH', 14] as const,
  ['IBV_WR_ATOMIC_WRITE', 15] as const,
  ...[
    'IBV_SEND_FENCE',
    'IBV_SEND_SIGNALED',
    'IBV_SEND_SOLICITED',
    'IBV_SEND_INLINE',
    'IBV_SEND_IP_CSUM',
  ].map((name, i) => [name, 2 ** i] as const),
  ...[
    'IBV_WC_SEND',
    'IBV_WC_RDMA_WRITE',
    'IBV_WC_RDMA_READ',
    'IBV_WC_COMP_SWAP',
    'IBV_WC_FETCH_ADD',
    'IBV_WC_BIND_MW',
    'IBV_WC_LOCAL_INV',
    'IBV_WC_TSO',
    'IBV_WC_FLUSH',
    'IBV_WC_ATOMIC_WRITE',
  ].map((name, i) => [name, i] as const),
  ['IBV_WC_RECV', 128] as const,
  ['IBV_WC_RECV_RDMA_WITH_IMM', 129] as const,
  ['IBV_WC_SUCCESS', 0] as const,
  ...['IBV_FLUSH_GLOBAL', 'IBV_FLUSH_PERSISTENT'].map((name, i) => [name, 2 ** i] as const),
  ...['IBV_FLUSH_RANGE', 'IBV_FLUSH_MR'].map((name, i) => [name, i] as const),
  ['ENOENT', 2] as const,
  ['IBV_WC_WITH_IMM', 2] as const,
  ['NULL', 0] as const,
  ...['relaxed', 'consume', 'acquire', 'release', 'acq_rel', 'seq_cst'].flatMap((name, i) => [
    [`memory_order_${name}`, i] as const,
    [`__ATOMIC_${name.toUpperCase()}`, i] as const,
  ]),
]);

/** Limits of types, as literals (stdint.h, limits.h). */
export const LIMITS: ReadonlyMap<string, string> = new Map([
  ...[8, 16, 32].flatMap((bits) => [
    [`UINT${bits}_MAX`, String(2 ** bits - 1)] as const,
    [`INT${bits}_MAX`, String(2 ** (bits - 1) - 1)] as const,
  ]),
  ['INT_MAX', '2147483647'],
  ['UINT_MAX', '4294967295U'],
  ...['UINT64_MAX', 'UINTPTR_MAX', 'ULONG_MAX', 'ULLONG_MAX', 'SIZE_MAX'].map(
    (name) => [name, '18446744073709551615ULL'] as const,
  ),
  ...['INT64_MAX', 'LONG_MAX', 'LLONG_MAX'].map((name) => [name, '9223372036854775807LL'] as const),
]);
