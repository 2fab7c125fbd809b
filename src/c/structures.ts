/** The types of members, of those that there are (`Type`). */
type MemberType =
  | { readonly kind: 'int'; readonly size: number; readonly isUnsigned?: boolean }
  | { readonly kind: 'pointer'; readonly to: MemberType }
  | { readonly kind: 'struct'; readonly name: string }
  | { readonly kind: 'unknown' };

interface Member {
  readonly name: string;
  readonly type: MemberType;
}

const INT: MemberType = { kind: 'int', size: 4 };
const U32: MemberType = { kind: 'int', size: 4, isUnsigned: true };
const U64: MemberType = { kind: 'int', size: 8, isUnsigned: true };
const struct = (name: string): MemberType => ({ kind: 'struct', name });
const to = (type: MemberType): MemberType => ({ kind: 'pointer', to: type });
const POINTER: MemberType = to({ kind: 'unknown' });

const fields = (all: Readonly<Record<string, MemberType>>): readonly Member[] =>
  Object.entries(all).map(([name, type]) => ({ name, type }));

/** The structures of verbs, with their members in an order that positional initialisers rely on (infiniband/verbs.h). */
export const VERBS: readonly (readonly [string, readonly Member[]])[] = [
  ['ibv_sge', fields({ addr: U64, length: U32, lkey: U32 })],
  ['wr.rdma of ibv_send_wr', fields({ remote_addr: U64, rkey: U32 })],
  [
    'wr.atomic of ibv_send_wr',
    fields({ remote_addr: U64, compare_add: U64, swap: U64, rkey: U32 }),
  ],
  [
    'wr of ibv_send_wr',
    fields({ rdma: struct('wr.rdma of ibv_send_wr'), atomic: struct('wr.atomic of ibv_send_wr') }),
  ],
  [
    'ibv_send_wr',
    fields({
      wr_id: U64,
      next: to(struct('ibv_send_wr')),
      sg_list: to(struct('ibv_sge')),
      num_sge: INT,
      opcode: INT,
      send_flags: U32,
      imm_data: U32,
      wr: struct('wr of ibv_send_wr'),
    }),
  ],
  [
    'ibv_recv_wr',
    fields({
      wr_id: U64,
      next: to(struct('ibv_recv_wr')),
      sg_list: to(struct('ibv_sge')),
      num_sge: INT,
    }),
  ],
  [
    'ibv_wc',
    fields({
      wr_id: U64,
      status: U32,
      opcode: U32,
      vendor_err: U32,
      byte_len: U32,
      imm_data: U32,
      qp_num: U32,
      src_qp: U32,
      wc_flags: U32,
    }),
  ],
  // Those of other interfaces that positional initialisers are used for.
  ['iovec', fields({ iov_base: POINTER, iov_len: U64 })],
  ['fi_rma_iov', fields({ addr: U64, len: U64, key: U64 })],
  ['ibv_data_buf', fields({ addr: POINTER, length: U64 })],
];

/** Their other members, which nothing here reads. They do not count in the order. */
export const FURTHER: ReadonlyMap<string, readonly string[]> = new Map([
  ['wr of ibv_send_wr', ['ud']],
  ['ibv_send_wr', ['invalidate_rkey', 'qp_type', 'bind_mw', 'tso', 'xrc_remote_srq_num']],
  ['ibv_wc', ['invalidated_rkey', 'pkey_index', 'slid', 'sl', 'dlid_path_bits']],
]);
