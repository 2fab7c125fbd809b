import type { Call } from './calls.js';
import { SUCCESS, withArguments } from './calls.js';
import { CONSTANTS } from './constants.js';
import type { Core, QueuePair } from './core.js';
import type { Building, Place, Value } from './state.js';
import type { CNode } from './tree.js';
import { UNKNOWN } from './types.js';
import { post, receive } from './work.js';

/** Lists of work requests: what their fields hold when they are posted (ibv_post_send(3), ibv_post_recv(3)). */

const ATOMICS: readonly number[] = ['CMP_AND_SWP', 'FETCH_AND_ADD'].map((name) =>
  CONSTANTS.get(`IBV_WR_ATOMIC_${name}`)!,
);
const UNNAMED: Value = { kind: 'nothing' };

/** Longer lists are taken for endless. */
const LONGEST = 100;

/** The fields of a structure behind a pointer. */
class Fields {
  private readonly place: Place;

  constructor(
    private readonly core: Core,
    value: Value,
    private readonly node: CNode,
  ) {
    this.place = core.behind({ value, type: UNKNOWN }, node);
    if (this.place.kind !== 'word') return;
    core.refuse(node, 'what is in this request is not known', 'fill it in where it is posted');
  }

  get(path: string): Value | undefined {
    const place = path
      .split('.')
      .reduce((of, name) => this.core.member(of, name, this.node), this.place);
    return this.core.partAt(this.core.keyOf(place)!);
  }

  known(path: string): Value {
    return this.get(path) ?? this.core.refuse(this.node, `the ${path} of this request is not set`);
  }

  number(path: string): number {
    const found = this.known(path);
    return found.kind === 'int'
      ? found.value
      : this.core.refuse(this.node, `the ${path} of this request is not known`);
  }
}

/** Posts each request of a list. */
const posting =
  (one: (core: Core, on: QueuePair, fields: Fields, node: CNode) => void): Call =>
  (core, [pair, list], node) => {
    const on = pairIn(core, pair);
    let { value } = core.evaluate(list);
    for (let n = 0; value.kind !== 'int'; n++) {
      if (n > LONGEST) core.refuse(list, 'this list of requests has no end');
      const fields = new Fields(core, value, list);
      one(core, on, fields, node);
      value = fields.known('next');
    }
    return SUCCESS;
  };

export const pairIn = (core: Core, node: CNode): QueuePair =>
  core.pairOf(core.evaluate(node).value, node);

const postSend = posting((core, on, fields, node) => {
  const opcode = fields.number('opcode');
  const isAtomic = ATOMICS.includes(opcode);
  const remote = fields.get(isAtomic ? 'wr.atomic.remote_addr' : 'wr.rdma.remote_addr');
  const operands = isAtomic
    ? ['compare_add', 'swap'].flatMap((name) => fields.get(`wr.atomic.${name}`) ?? [])
    : [];
  const request: Building = {
    ...{ opcode, flags: fields.number('send_flags'), id: fields.get('wr_id') ?? UNNAMED },
    ...{ ...(remote && { remote }), operands, ...elementIn(core, fields, node) },
  };
  post(core, on, request, node);
});

const postReceive = posting((core, on, fields, node) => {
  const element = elementIn(core, fields, node);
  receive(core, on, { id: fields.get('wr_id') ?? UNNAMED, ...element }, node);
});

/** The one scatter element of a request. */
function elementIn(core: Core, fields: Fields, node: CNode): Pick<Building, 'local' | 'length'> {
  const count = fields.number('num_sge');
  if (count === 0) return {};
  if (count > 1) core.refuse(node, 'several scatter elements are not understood');
  const element = new Fields(core, fields.known('sg_list'), node);
  const length = element.get('length');
  return {
    local: element.known('addr'),
    ...(length?.kind === 'int' && { length: length.value }),
  };
}

export const POSTS = withArguments([
  ['ibv_post_send', 3, postSend],
  ['ibv_post_recv', 3, postReceive],
]);
