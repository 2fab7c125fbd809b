/** What a member of a structure is: a number, a pointer, or another structure. */
export type MemberType =
  'int' | 'u32' | 'u64' | 'pointer' | { readonly struct: string } | { readonly to: string };

const struct = (name: string): MemberType => ({ struct: name });
const to = (name: string): MemberType => ({ to: name });

/** The structures of verbs, with their members in an order that positional initialisers rely on (infiniband/verbs.h). */
export const VERBS: readonly (readonly [
  string,
  readonly (readonly [name: string, type: MemberType])[],
])[] = [
  [
    'ibv_sge',
    [
      ['addr', 'u64'],
      ['length', 'u32'],
      ['lkey', 'u32'],
    ],
  ],
  [
    'ibv_rdma_wr',
    [
      ['remote_addr', 'u64'],
      ['rkey', 'u32'],
    ],
  ],
  [
    'ibv_atomic_wr',
    [
      ['remote_addr', 'u64'],
      ['compare_add', 'u64'],
      ['swap', 'u64'],
      ['rkey', 'u32'],
    ],
  ],
  [
    'ibv_wr_union',
    [
      ['rdma', struct('ibv_rdma_wr')],
      ['atomic', struct('ibv_atomic_wr')],
    ],
  ],
  [
    'ibv_send_wr',
    [
      ['wr_id', 'u64'],
      ['next', to('ibv_send_wr')],
      ['sg_list', to('ibv_sge')],
      ['num_sge', 'int'],
      ['opcode', 'int'],
      ['send_flags', 'u32'],
      ['imm_data', 'u32'],
      ['wr', struct('ibv_wr_union')],
    ],
  ],
  [
    'ibv_recv_wr',
    [
      ['wr_id', 'u64'],
      ['next', to('ibv_recv_wr')],
      ['sg_list', to('ibv_sge')],
      ['num_sge', 'int'],
    ],
  ],
  [
    'ibv_wc',
    [
      ['wr_id', 'u64'],
      ['status', 'u32'],
      ['opcode', 'u32'],
      ['vendor_err', 'u32'],
      ['byte_len', 'u32'],
      ['imm_data', 'u32'],
      ['qp_num', 'u32'],
      ['src_qp', 'u32'],
      ['wc_flags', 'u32'],
    ],
  ],
  // Those of other interfaces that positional initialisers are used for.
  [
    'iovec',
    [
      ['iov_base', 'pointer'],
      ['iov_len', 'u64'],
    ],
  ],
  [
    'fi_rma_iov',
    [
      ['addr', 'u64'],
      ['len', 'u64'],
      ['key', 'u64'],
    ],
  ],
  [
    'ibv_data_buf',
    [
      ['addr', 'pointer'],
      ['length', 'u64'],
    ],
  ],
];

/** Their other members, which nothing here reads. They do not count in the order. */
export const FURTHER: ReadonlyMap<string, readonly string[]> = new Map([
  ['ibv_wr_union', ['ud']],
  ['ibv_send_wr', ['invalidate_rkey', 'qp_type', 'bind_mw', 'tso', 'xrc_remote_srq_num']],
  ['ibv_wc', ['invalidated_rkey', 'pkey_index', 'slid', 'sl', 'dlid_path_bits']],
]);
