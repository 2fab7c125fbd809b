import type { CallArgument, Ident, LitmusExpr, NameRef } from '../parse/litmus-ast.js';
import { CONSTANTS } from './constants.js';
import type { Core, QueuePairEnd } from './core.js';
import { UNSURE } from './core.js';
import type { Building, Place, Request, Typed, Value } from './state.js';
import type { CNode } from './tree.js';
import { fieldOf } from './tree.js';
import { INT, UNKNOWN } from './types.js';

/** What the calls of libibverbs do: ibv_post_send(3), ibv_post_recv(3), ibv_poll_cq(3), ibv_wr_post(3). */

const constant = (name: string): number => CONSTANTS.get(name)!;
const [WRITE, WRITE_IMM, SEND, SEND_IMM, READ, CAS, FAA] = [
  ...['IBV_WR_RDMA_WRITE', 'IBV_WR_RDMA_WRITE_WITH_IMM', 'IBV_WR_SEND', 'IBV_WR_SEND_WITH_IMM'],
  ...['IBV_WR_RDMA_READ', 'IBV_WR_ATOMIC_CMP_AND_SWP', 'IBV_WR_ATOMIC_FETCH_AND_ADD'],
].map(constant);
const [FENCE, SIGNALED, INLINE] = ['FENCE', 'SIGNALED', 'INLINE'].map((n) =>
  constant(`IBV_SEND_${n}`),
);
/** The opcode of a completion, by that of the request. */
const COMPLETED: ReadonlyMap<number, number> = new Map([
  [WRITE, constant('IBV_WC_RDMA_WRITE')],
  [WRITE_IMM, constant('IBV_WC_RDMA_WRITE')],
  [SEND, constant('IBV_WC_SEND')],
  [SEND_IMM, constant('IBV_WC_SEND')],
  [READ, constant('IBV_WC_RDMA_READ')],
  [CAS, constant('IBV_WC_COMP_SWAP')],
  [FAA, constant('IBV_WC_FETCH_ADD')],
]);
const RECV = constant('IBV_WC_RECV');

const int = (value: number): Value => ({ kind: 'int', value });
const SUCCESS: Typed = { value: int(0), type: INT };

type Call = (core: Core, given: readonly CNode[], node: CNode) => Typed;

/** Calls by their names; those with too few arguments are refused. */
export const withArguments = (
  all: readonly (readonly [name: string, least: number, call: Call])[],
): ReadonlyMap<string, Call> =>
  new Map(
    all.map(([name, least, call]) => [
      name,
      (core, given, node) =>
        given.length < least
          ? core.refuse(node, `${name} has ${least} arguments`)
          : call(core, given, node),
    ]),
  );

/** Fields of a structure behind a pointer. */
class Fields {
  constructor(
    private readonly core: Core,
    private readonly place: Place,
    private readonly node: CNode,
  ) {}

  static of(core: Core, { value }: Typed, node: CNode): Fields {
    if (value.kind !== 'pointer' && value.kind !== 'parts') {
      return core.refuse(
        node,
        'what is in this request is not known',
        'fill it in where it is posted',
      );
    }
    return new Fields(core, { kind: 'variable', key: value.key, type: UNKNOWN }, node);
  }

  get(path: string): Value | undefined {
    const { core, place } = this;
    const key = `${(place as { readonly key: string }).key}.${path}`;
    const { values } = core.state;
    const known = values.get(key);
    if (known !== undefined) return known;
    if ([...values.keys()].some((one) => one.startsWith(`${key}.`) || one.startsWith(`${key}[`))) {
      return { kind: 'parts', key };
    }
    for (let end = key.lastIndexOf('.'); end > 0; end = key.lastIndexOf('.', end - 1)) {
      if (values.has(`${key.slice(0, end)} zeroed`)) return int(0);
    }
    return undefined;
  }

  number(path: string, otherwise?: number): number {
    const found = this.get(path);
    if (found?.kind === 'int') return found.value;
    if (found === undefined && otherwise !== undefined) return otherwise;
    return this.core.refuse(this.node, `the ${path} of this request is not known`);
  }
}

const postSend: Call = (core, [pair, list], node) => {
  const on = core.pairOf(core.evaluate(pair).value, pair);
  let { value } = core.evaluate(list);
  for (let n = 0; value.kind !== 'int'; n++) {
    if (n > 100) core.refuse(list, 'this list of requests has no end');
    const fields = Fields.of(core, { value, type: UNKNOWN }, list);
    post(core, on, requestIn(core, fields, list), node);
    value = fields.get('next') ?? int(0);
  }
  return SUCCESS;
};

function requestIn(core: Core, fields: Fields, node: CNode): Building {
  const opcode = fields.number('opcode');
  const flags = fields.number('send_flags', 0);
  const isAtomic = opcode === CAS || opcode === FAA;
  const remote = fields.get(isAtomic ? 'wr.atomic.remote_addr' : 'wr.rdma.remote_addr');
  const operands = isAtomic
    ? ['compare_add', 'swap'].flatMap((name) => fields.get(`wr.atomic.${name}`) ?? [])
    : [];
  const id = fields.get('wr_id') ?? ({ kind: 'nothing' } as const);
  return {
    opcode,
    flags,
    id,
    ...(remote && { remote }),
    operands,
    ...elementIn(core, fields, node),
  };
}

/** The one scatter element of a request. */
function elementIn(core: Core, fields: Fields, node: CNode): Pick<Building, 'local' | 'length'> {
  const list = fields.get('sg_list');
  const count = fields.number('num_sge', list === undefined ? 0 : 1);
  if (count === 0 || list === undefined || list.kind === 'int') return {};
  if (count > 1) core.refuse(node, 'several scatter elements are not understood');
  const element = Fields.of(core, { value: list, type: UNKNOWN }, node);
  const local = element.get('addr');
  const length = element.get('length');
  if (local === undefined) return core.refuse(node, 'the address of the data is not known');
  return { local, ...(length?.kind === 'int' && { length: length.value }) };
}

/** Posts one request. */
function post(core: Core, on: ReturnType<Core['pairOf']>, request: Building, node: CNode): void {
  const { opcode, flags, id } = request;
  const signalled = core.around.allSignalled || (flags & SIGNALED) !== 0;
  if ((flags & FENCE) !== 0) emitCall(core, 'rfence', [peer(core, on.end, node)], node);
  const tags: string[] = [];
  if (opcode === WRITE_IMM) tags.push('imm');
  if ((flags & INLINE) !== 0) tags.push('inline');
  if (!signalled) tags.push('unsignalled');
  const marks = tags.map((tag) => core.ident(tag, node));
  switch (opcode) {
    case WRITE:
    case WRITE_IMM:
    case READ:
      transfer(core, on.end, request, marks, node);
      break;
    case SEND:
    case SEND_IMM:
      send(core, on.end, request, marks, node);
      break;
    case CAS:
    case FAA:
      atomic(core, on.end, request, marks, node);
      break;
    default:
      core.refuse(node, 'a request of this kind is not understood');
  }
  const open = core.state.open.get(on.text) ?? [];
  const made: Request = { signalled, id, opcode: COMPLETED.get(opcode)!, isReceive: false };
  core.state.open.set(on.text, [...open, made]);
}

/** The head does not say where an address leads. */
export function unplaced(core: Core, path: string, node: CNode): void {
  // The place is that of the pointer that a constant is added to.
  const text = path.replace(/ \+ \d+$/, '');
  core.missing(
    'place',
    text,
    node,
    `nothing says where ${text} leads`,
    `give it a place in the head of ${core.thread.name.text}: ${text} => …`,
  );
}

/** The words that an address and a length name. */
function wordsAt(
  core: Core,
  value: Value | undefined,
  length: number | undefined,
  what: string,
  node: CNode,
) {
  if (value?.kind === 'path') {
    unplaced(core, value.text, node);
    return { names: ['?'], node: undefined };
  }
  if (value?.kind === 'pointer')
    return core.refuse(node, `${what} is a variable that is no word of memory`);
  if (value?.kind !== 'address') return core.refuse(node, `${what} is no place`);
  const { region, offset } = value;
  const inside = region.places.filter(
    ({ at }) =>
      at >= offset && (length === undefined ? at === offset : at < offset + Math.max(length, 1)),
  );
  if (inside.length === 0 || inside[0].at !== offset) {
    const names = region.places.map(({ location, at }) => `${location} at ${at}`).join(', ');
    return core.refuse(node, `no word begins ${offset} bytes from there: there is ${names}`);
  }
  return { names: inside.map(({ location }) => location), node: region.node };
}

function localWords(core: Core, request: Building, node: CNode): readonly string[] {
  const { names, node: home } = wordsAt(
    core,
    request.local,
    request.length,
    'the address of the data',
    node,
  );
  if (home !== undefined && home !== core.thread.node.text) {
    core.refuse(
      node,
      `${names[0]} is on node ${home}: the data of a request is in memory of its own node`,
    );
  }
  return names;
}

function remoteWords(
  core: Core,
  end: QueuePairEnd,
  request: Building,
  count: number | undefined,
  node: CNode,
): readonly string[] {
  const length = count === undefined ? request.length : undefined;
  const { names, node: home } = wordsAt(core, request.remote, length, 'the remote address', node);
  if (core.gaps !== undefined && (home === undefined || end.node.text === '?')) {
    return Array.from({ length: count ?? 1 }, () => names[0]);
  }
  if (home !== end.node.text) {
    const where = home === undefined ? 'private memory of the thread' : `on node ${home}`;
    core.refuse(
      node,
      `${names[0]} is ${where}, and this queue pair leads to node ${end.node.text}`,
    );
  }
  if (count === undefined || count === 1) return names;
  const value = request.remote as Extract<Value, { kind: 'address' }>;
  const from = value.region.places.findIndex(({ at }) => at === value.offset);
  const all = value.region.places.slice(from, from + count).map(({ location }) => location);
  if (all.length < count) core.refuse(node, `there are not ${count} words at the remote address`);
  return all;
}

function transfer(
  core: Core,
  end: QueuePairEnd,
  request: Building,
  tags: readonly Ident[],
  node: CNode,
): void {
  const isWrite = request.opcode !== READ;
  const span = core.spanOf(node);
  const given =
    request.copied !== undefined
      ? [request.copied]
      : localWords(core, request, node).map((name) => core.refExpr(name, node));
  const isInline = tags.some(({ text }) => text === 'inline');
  // The data of an inline request is read by the call.
  const values =
    isInline && request.copied === undefined
      ? given.map((expr) =>
          core.exprOf(
            core.settled({ kind: 'runtime', expr, reads: true }, nameOf(node), 'inlined'),
            node,
          ),
        )
      : given;
  const remote = remoteWords(core, end, request, values.length, node);
  const far = remote.map((name) => core.refTo(name, node, end));
  const near = given.map((expr) => (expr as Extract<LitmusExpr, { kind: 'ref' }>).ref);
  const [targets, sources] = isWrite
    ? [far, values]
    : [near, far.map((ref): LitmusExpr => ({ kind: 'ref', ref, span }))];
  const more = { targets: targets.slice(1), values: sources.slice(1) };
  core.emit({
    kind: 'assign',
    target: targets[0],
    ...(tags.length > 0 && { tags }),
    value: sources[0],
    ...(targets.length > 1 && { more }),
    span,
  });
}

function send(
  core: Core,
  end: QueuePairEnd,
  request: Building,
  tags: readonly Ident[],
  node: CNode,
): void {
  const value =
    request.copied ??
    (request.local === undefined
      ? core.int(0, node)
      : core.refExpr(localWords(core, request, node)[0], node));
  const isInline = tags.some(({ text }) => text === 'inline');
  const sent =
    isInline && request.copied === undefined && value.kind === 'ref'
      ? core.exprOf(
          core.settled({ kind: 'runtime', expr: value, reads: true }, nameOf(node), 'inlined'),
          node,
        )
      : value;
  emitCall(core, 'send', [peer(core, end, node), sent], node, { tags });
}

function atomic(
  core: Core,
  end: QueuePairEnd,
  request: Building,
  tags: readonly Ident[],
  node: CNode,
): void {
  const [into] = localWords(core, request, node);
  const [word] = remoteWords(core, end, request, 1, node);
  const operands = (request.operands ?? []).map((one) =>
    core.exprOf(core.settled(one, node), node),
  );
  const isCas = request.opcode === CAS;
  const given = [core.refExpr(word, node, end), ...operands.slice(0, isCas ? 2 : 1)];
  if (given.length < (isCas ? 3 : 2)) core.refuse(node, 'an operand of this atomic is not known');
  emitCall(core, isCas ? 'rcas' : 'rfaa', given, node, { tags, target: core.refTo(into, node) });
}

interface More {
  readonly tags?: readonly Ident[];
  readonly target?: NameRef;
}

/** The name of the function that a call calls: what the call does first has a place of its own. */
const nameOf = (node: CNode): CNode => fieldOf(node, 'function') ?? node;

export function emitCall(
  core: Core,
  name: string,
  given: readonly CallArgument[],
  node: CNode,
  { tags = [], target }: More = {},
): void {
  core.emit({
    kind: 'call',
    name: core.ident(name, node),
    ...(tags.length > 0 && { tags }),
    ...(given.length > 0 && { arguments: given }),
    ...(target && { target }),
    span: core.spanOf(node),
  });
}

/** A queue pair as an argument: `2`, or `2.a`. */
export function peer(core: Core, { node: to, name }: QueuePairEnd, node: CNode): CallArgument {
  const span = core.spanOf(node);
  if (name !== undefined)
    return { kind: 'peer', node: { ...to, span }, queuePair: { ...name, span }, span };
  return /^\d+$/.test(to.text)
    ? { kind: 'int', value: Number(to.text), span }
    : core.refExpr(to.text, node);
}

const postReceive: Call = (core, [pair, list], node) => {
  const on = core.pairOf(core.evaluate(pair).value, pair);
  let { value } = core.evaluate(list);
  for (let n = 0; value.kind !== 'int'; n++) {
    if (n > 100) core.refuse(list, 'this list of requests has no end');
    const fields = Fields.of(core, { value, type: UNKNOWN }, list);
    const element = elementIn(core, fields, list);
    if (element.local === undefined)
      core.refuse(node, 'a receive without a buffer is not understood');
    const [into] = localWords(core, { ...element, opcode: SEND, flags: 0, id: int(0) }, node);
    emitCall(core, 'recv', [peer(core, on.end, node)], node, { target: core.refTo(into, node) });
    const id = fields.get('wr_id') ?? ({ kind: 'nothing' } as const);
    const open = core.state.open.get(on.text) ?? [];
    const made: Request = { signalled: true, id, opcode: RECV, isReceive: true };
    core.state.open.set(on.text, [...open, made]);
    value = fields.get('next') ?? int(0);
  }
  return SUCCESS;
};

/**
 * A poll gives one completion. It stands in a loop that goes round until it finds one, and rounds that find none do nothing, so that it
 * waits (`mustWait`): this is what the idioms of ibv_poll_cq(3) come to.
 */
const poll: Call = (core, [queue, most, into], node) => {
  if (core.findsNothing) return { value: int(0), type: INT };
  core.unproven += 1;
  core.lastPoll = node;
  const found = core.evaluate(queue).value;
  const text = found.kind === 'path' ? found.text : '';
  const named = [...core.pairs()].filter(
    ([, { completions }]) => completions === undefined || completions === text,
  );
  const open = named.flatMap(([pair, end]) => {
    const requests = core.state.open.get(pair) ?? [];
    if (requests.includes(UNSURE)) {
      core.refuse(node, 'which requests are open here depends on a condition before it');
    }
    const first = requests.findIndex(({ signalled }) => signalled);
    return first < 0 ? [] : [{ pair, end, first, requests }];
  });
  if (core.gaps !== undefined && open.length !== 1) return { value: int(1), type: INT };
  if (open.length === 0) {
    return core.refuse(node, 'this never returns: no request is open that makes a completion');
  }
  if (open.length > 1) {
    const names = open.map(({ pair }) => pair).join(', ');
    return core.refuse(
      node,
      `completions of several queue pairs may come here: ${names}`,
      'say in the head which completion queue each has: qp => server.a on cq',
    );
  }
  const [{ pair, end, first, requests }] = open;
  oneAtATime(core, most, requests, node);
  const taken = requests[first];
  emitCall(core, taken.isReceive ? 'pollr' : 'poll', [peer(core, end, node)], node);
  core.state.open.set(pair, requests.slice(first + 1));
  if (into !== undefined) {
    const { value } = core.evaluate(into);
    if (value.kind === 'pointer' || value.kind === 'parts') {
      const { values } = core.state;
      const key = value.kind === 'parts' ? `${value.key}[0]` : value.key;
      values.set(`${key}.status`, int(0));
      values.set(`${key}.opcode`, int(taken.opcode));
      values.set(`${key}.wr_id`, taken.id);
      values.set(`${key}.qp_num`, { kind: 'path', text: `${pair}->qp_num` });
    }
  }
  return { value: int(1), type: INT };
};

/** A poll with room for several may take several at once. */
function oneAtATime(core: Core, most: CNode, open: readonly Request[], node: CNode): void {
  const { value } = core.evaluate(most);
  const isOne = value.kind === 'int' && value.value === 1;
  if (isOne || open.filter(({ signalled }) => signalled).length < 2) return;
  core.remark('assumed', 'a poll with room for several completions takes one at a time', node);
}

/** The builders of ibv_wr_post(3). Nothing is posted before `ibv_wr_complete`. */
const start: Call = (core, [pair]) => {
  const on = core.pairOf(core.evaluate(pair).value, pair);
  core.state.building.set(on.text, []);
  return { value: { kind: 'nothing' }, type: UNKNOWN };
};

const build =
  (opcode: number, remoteAt?: number, operands: readonly number[] = []): Call =>
  (core, given, node) => {
    const on = core.pairOf(core.evaluate(given[0]).value, given[0]);
    const before = core.state.building.get(on.text);
    if (before === undefined)
      return core.refuse(node, 'this is outside of ibv_wr_start and ibv_wr_complete');
    const field = (name: string): Value | undefined => {
      for (const key of [
        `path ${on.text}->${name}`,
        `path ${core.evaluate(given[0]).value.kind === 'path' ? (core.evaluate(given[0]).value as { text: string }).text : ''}->${name}`,
      ]) {
        const found = core.state.values.get(key);
        if (found !== undefined) return found;
      }
      return undefined;
    };
    const flags = field('wr_flags');
    const remote = remoteAt === undefined ? undefined : core.evaluate(given[remoteAt]).value;
    const made: Building = {
      opcode,
      flags: flags?.kind === 'int' ? flags.value : 0,
      id: field('wr_id') ?? { kind: 'nothing' },
      ...(remote && { remote }),
      operands: operands.map((at) => core.settled(core.evaluate(given[at]).value, node)),
    };
    core.state.building.set(on.text, [...before, made]);
    return { value: { kind: 'nothing' }, type: UNKNOWN };
  };

const set =
  (
    change: (core: Core, given: readonly CNode[], last: Building, node: CNode) => Partial<Building>,
  ): Call =>
  (core, given, node) => {
    const on = core.pairOf(core.evaluate(given[0]).value, given[0]);
    const before = core.state.building.get(on.text) ?? [];
    const last = before.at(-1);
    if (last === undefined) return core.refuse(node, 'no request was begun before this');
    core.state.building.set(on.text, [
      ...before.slice(0, -1),
      { ...last, ...change(core, given, last, node) },
    ]);
    return { value: { kind: 'nothing' }, type: UNKNOWN };
  };

function lengthOf(core: Core, node: CNode): { readonly length?: number } {
  const { value } = core.evaluate(node);
  return value.kind === 'int' ? { length: value.value } : {};
}

const complete: Call = (core, [pair], node) => {
  const on = core.pairOf(core.evaluate(pair).value, pair);
  for (const one of core.state.building.get(on.text) ?? []) post(core, on, one, node);
  core.state.building.delete(on.text);
  return SUCCESS;
};

const DEFINED: readonly (readonly [name: string, least: number, call: Call])[] = [
  ['ibv_post_send', 3, postSend],
  ['ibv_post_recv', 3, postReceive],
  ['ibv_poll_cq', 3, poll],
  ['ibv_wr_start', 1, start],
  ['ibv_wr_rdma_write', 3, build(WRITE, 2)],
  ['ibv_wr_rdma_write_imm', 4, build(WRITE_IMM, 2)],
  ['ibv_wr_rdma_read', 3, build(READ, 2)],
  ['ibv_wr_send', 1, build(SEND)],
  ['ibv_wr_send_imm', 2, build(SEND_IMM)],
  ['ibv_wr_atomic_cmp_swp', 5, build(CAS, 2, [3, 4])],
  ['ibv_wr_atomic_fetch_add', 4, build(FAA, 2, [3])],
  [
    'ibv_wr_set_sge',
    4,
    set((core, given) => ({ local: core.evaluate(given[2]).value, ...lengthOf(core, given[3]) })),
  ],
  [
    'ibv_wr_set_inline_data',
    3,
    set((core, given, last, node) => {
      const request = {
        ...last,
        local: core.evaluate(given[1]).value,
        ...lengthOf(core, given[2]),
      };
      const [name] = localWords(core, request, node);
      const expr = core.refExpr(name, node);
      const copied = core.exprOf(
        core.settled({ kind: 'runtime', expr, reads: true }, nameOf(node), 'inlined'),
        node,
      );
      return { copied, flags: last.flags | INLINE };
    }),
  ],
  ['ibv_wr_complete', 1, complete],
  [
    'ibv_wr_abort',
    1,
    (core, [pair]) => {
      const on = core.pairOf(core.evaluate(pair).value, pair);
      core.state.building.delete(on.text);
      return { value: { kind: 'nothing' }, type: UNKNOWN };
    },
  ],
  ['ibv_qp_to_qp_ex', 1, (core, [pair]) => core.evaluate(pair)],
];

export const VERBS: ReadonlyMap<string, Call> = withArguments(DEFINED);
