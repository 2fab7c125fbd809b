import { isRelaxed } from './attributes.js';
import type { Call } from './calls.js';
import { SUCCESS, alsoCalled, withArguments } from './calls.js';
import { CONSTANTS } from './constants.js';
import type { Core } from './core.js';
import type { Region, Typed, Value } from './state.js';
import type { CNode } from './tree.js';
import { partOf } from './tree.js';
import { UNKNOWN } from './types.js';

/** Calls that set things up, and do nothing that a memory model knows, but for what they say of memory. */

/** Something new, which is called as the place that it is put into. */
function made(core: Core, node: CNode, fields: Readonly<Record<string, Value>> = {}): Typed {
  core.remark('left out', `${partOf(node, 'function').text}()`, node);
  const value: Value = { kind: 'path', text: node.text, made: fields };
  return { value, type: { kind: 'pointer', to: UNKNOWN } };
}

const done: Call = (core, _, node) => {
  core.remark('left out', `${partOf(node, 'function').text}()`, node);
  return SUCCESS;
};

/** The places of a region within some bytes from an offset; all from there, if their number is not known. */
const placesIn = ({ places }: Region, offset: number, bytes: number): Region['places'] =>
  places.filter(({ at }) => at >= offset && (bytes === 0 || at < offset + bytes));

const RELAXED = CONSTANTS.get('IBV_ACCESS_RELAXED_ORDERING')!;

/** Whether access flags ask for relaxed ordering: their value, or else their text says so. */
function isAccessRelaxed(core: Core, access: CNode): boolean {
  const { value } = core.evaluate(access);
  if (value.kind === 'int') return Math.floor(value.value / RELAXED) % 2 === 1;
  return isRelaxed(core.around.code, access);
}

/** `ibv_reg_mr(pd, buffer, length, access)` */
const register =
  (access: number): Call =>
  (core, given, node) => {
    const { value: addr } = core.evaluate(given[1]);
    const found = addr.kind === 'address' ? addr : undefined;
    if (found !== undefined && isAccessRelaxed(core, given[access])) {
      const { value: length } = core.evaluate(given[2]);
      const all = placesIn(found.region, found.offset, length.kind === 'int' ? length.value : 0);
      for (const { location } of all) core.registered.set(location, core.spanOf(node));
    }
    return made(core, node, found === undefined ? {} : { addr });
  };

/** Something new is put where an argument leads. */
const makes =
  (at: number): Call =>
  (core, given, node) => {
    core.write(core.behind(core.evaluate(given[at]), given[at]), made(core, node).value, node);
    return SUCCESS;
  };

/** `rdma_reg_msgs(id, buffer, length)`: memory that requests name. Its flags are not those of relaxed ordering. */
const registerFor: Call = (core, [, buffer], node) => {
  const { value } = core.evaluate(buffer);
  return made(core, node, value.kind === 'address' ? { addr: value } : {});
};

export const SETUP = withArguments([
  ['ibv_reg_mr', 4, register(3)],
  ['ibv_reg_mr_iova', 5, register(4)],
  ['ibv_reg_mr_iova2', 5, register(4)],
  ...alsoCalled(
    0,
    (core, _, node) => made(core, node),
    'ibv_get_device_list ibv_open_device ibv_alloc_pd ibv_create_comp_channel ibv_create_cq ibv_create_cq_ex ibv_create_qp ibv_create_qp_ex rdma_create_event_channel',
  ),
  ...alsoCalled(
    0,
    done,
    'ibv_free_device_list ibv_close_device ibv_dealloc_pd ibv_destroy_comp_channel ibv_destroy_cq ibv_destroy_qp ibv_modify_qp ibv_dereg_mr ibv_query_device ibv_query_port ibv_query_gid ibv_fork_init',
  ),
  ...alsoCalled(3, registerFor, 'rdma_reg_msgs rdma_reg_read rdma_reg_write'),
  ['rdma_create_id', 4, makes(1)],
  ['rdma_create_ep', 4, makes(0)],
  ['rdma_get_request', 2, makes(1)],
  ['rdma_get_cm_event', 2, makes(1)],
  ['rdma_getaddrinfo', 4, makes(3)],
  ...alsoCalled(
    0,
    done,
    'rdma_dereg_mr rdma_destroy_ep rdma_freeaddrinfo rdma_reject rdma_migrate_id rdma_set_option rdma_event_str',
  ),
  ...alsoCalled(
    0,
    done,
    'rdma_bind_addr rdma_resolve_addr rdma_resolve_route rdma_listen rdma_accept rdma_connect rdma_disconnect rdma_create_qp rdma_destroy_qp rdma_destroy_id rdma_destroy_event_channel rdma_ack_cm_event',
  ),
]);
