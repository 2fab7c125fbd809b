import type { Call } from './calls.js';
import { NOTHING, int, withArguments } from './calls.js';
import { inQueue, fillAt, pollOnce, take } from './completions.js';
import { CONSTANTS } from './constants.js';
import type { Core } from './core.js';
import type { Place } from './state.js';
import type { CNode } from './tree.js';
import { INT } from './types.js';

/**
 * Extended completion queues (ibv_create_cq_ex(3)). A completion is taken at `ibv_start_poll` and at each `ibv_next_poll`; what it says
 * is in fields of the queue, and read by functions.
 */

const NONE = CONSTANTS.get('ENOENT')!;

const queueOf = (core: Core, queue: CNode): Place => core.behind(core.evaluate(queue), queue);

const next: Call = (core, [queue], node) => {
  if (core.findsNothing) return { value: int(NONE), type: INT };
  const { value } = core.evaluate(queue);
  const open = inQueue(core, value, node);
  if (core.gaps !== undefined && open.length !== 1) return { value: int(0), type: INT };
  const ways = open.map((one) => () => {
    const taken = take(core, one, undefined, 0, node);
    fillAt(core, queueOf(core, queue), one, queue);
    return taken;
  });
  return { value: int(pollOnce(core, ways, node) > 0 ? 0 : NONE), type: INT };
};

const field =
  (name: string): Call =>
  (core, [queue], node) =>
    core.read(core.member(queueOf(core, queue), name, node), node);

/** `ibv_wc_read_opcode` and its like. */
const FIELDS = [
  ...['opcode', 'vendor_err', 'byte_len', 'imm_data', 'qp_num', 'src_qp', 'wc_flags'],
  ...['slid', 'sl', 'dlid_path_bits', 'invalidated_rkey', 'completion_ts', 'flow_tag'],
  'completion_wallclock_ns',
];

export const EXTENDED = withArguments([
  ['ibv_start_poll', 2, next],
  ['ibv_next_poll', 1, next],
  ['ibv_end_poll', 1, () => NOTHING],
  ['ibv_cq_ex_to_cq', 1, (core, [queue]) => core.evaluate(queue)],
  ...FIELDS.map((name) => [`ibv_wc_read_${name}`, 1, field(name)] as const),
]);
