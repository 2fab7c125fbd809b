import type { CallArgument, Ident, LitmusExpr, NameRef } from '../parse/litmus-ast.js';
import { emitCall, peer } from './calls.js';
import { CONSTANTS } from './constants.js';
import type { Core, QueuePair, QueuePairEnd } from './core.js';
import type { Building, Region, Request, Value } from './state.js';
import type { CNode } from './tree.js';
import { fieldOf } from './tree.js';

/** The instruction that a request is (ibv_post_send(3)). */

const constant = (name: string): number => CONSTANTS.get(name)!;
const [FENCE, SIGNALED] = ['FENCE', 'SIGNALED'].map((name) => constant(`IBV_SEND_${name}`));
export const INLINE = constant('IBV_SEND_INLINE');

/** What is done at a place of the code. */
interface Work {
  readonly end: QueuePairEnd;
  readonly request: Building;
  readonly tags: readonly Ident[];
  readonly node: CNode;
}

/** By the opcode of a request: what its completion says, and what it does. */
const KINDS: ReadonlyMap<number, { readonly completed: number; readonly does: Doing }> = new Map(
  (
    [
      ['RDMA_WRITE', 'RDMA_WRITE', write],
      ['RDMA_WRITE_WITH_IMM', 'RDMA_WRITE', write],
      ['RDMA_READ', 'RDMA_READ', read],
      ['SEND', 'SEND', send],
      ['SEND_WITH_IMM', 'SEND', send],
      ['ATOMIC_CMP_AND_SWP', 'COMP_SWAP', atomic('rcas', 2)],
      ['ATOMIC_FETCH_AND_ADD', 'FETCH_ADD', atomic('rfaa', 1)],
    ] as const
  ).map(([opcode, completed, does]) => [
    constant(`IBV_WR_${opcode}`),
    { completed: constant(`IBV_WC_${completed}`), does },
  ]),
);
type Doing = (core: Core, work: Work) => void;

/** Posts one request. */
export function post(core: Core, on: QueuePair, request: Building, node: CNode): void {
  const { opcode, flags, id } = request;
  const kind = KINDS.get(opcode);
  if (kind === undefined) return core.refuse(node, 'a request of this kind is not understood');
  const signalled = core.around.allSignalled || (flags & SIGNALED) !== 0;
  if ((flags & FENCE) !== 0) emitCall(core, 'rfence', [peer(core, on.end, node)], node);
  const tags = [
    ...(opcode === constant('IBV_WR_RDMA_WRITE_WITH_IMM') ? ['imm'] : []),
    ...((flags & INLINE) !== 0 ? ['inline'] : []),
    ...(signalled ? [] : ['unsignalled']),
  ].map((tag) => core.ident(tag, node));
  kind.does(core, { end: on.end, request, tags, node });
  if (request.remote !== undefined) core.state.last.set(on.text, request.remote);
  if (signalled) open(core, on, { id, opcode: kind.completed, isReceive: false });
}

/** Posts a buffer for a message. */
export function receive(
  core: Core,
  on: QueuePair,
  request: Pick<Building, 'id' | 'local' | 'length'>,
  node: CNode,
): void {
  const { names } = core.following;
  const unread = request.local === undefined && names.of(`unread ${on.text}`, 'unread');
  const [{ location }] = unread ? [{ location: unread }] : localWords(core, request, node);
  const target = core.refTo(location, node);
  emitCall(core, 'recv', [peer(core, on.end, node)], node, { target });
  const opcode = constant('IBV_WC_RECV');
  open(core, on, { id: request.id, opcode, isReceive: true });
}

function open({ state }: Core, { text }: QueuePair, request: Request): void {
  state.open.set(text, [...(state.open.get(text) ?? []), request]);
}

function write(core: Core, work: Work): void {
  const { end, request, node } = work;
  if (request.local === undefined && request.copied === undefined) {
    core.refuse(node, 'a write without data is not understood');
  }
  const local = request.local === undefined ? setWords(request) : localWords(core, request, node);
  const targets = remoteWords(core, end, request, local, node).map(({ location }) =>
    core.refTo(location, node, end),
  );
  transfer(core, targets, dataOf(core, request, local, node), work);
}

/** Values that are in no memory lie as words do. */
const setWords = ({ copied = [] }: Building): Words =>
  copied.map((_, i) => ({ location: `word ${i + 1}`, at: 8 * i }));

function read(core: Core, work: Work): void {
  const { end, request, node } = work;
  const local = localWords(core, request, node);
  const values = remoteWords(core, end, request, local, node).map(({ location }) =>
    core.refExpr(location, node, end),
  );
  transfer(
    core,
    local.map(({ location }) => core.refTo(location, node)),
    values,
    work,
  );
}

function transfer(
  core: Core,
  [target, ...targets]: readonly NameRef[],
  [value, ...values]: readonly LitmusExpr[],
  { tags, node }: Work,
): void {
  core.emit({
    ...{ kind: 'assign', target, ...(tags.length > 0 && { tags }), value },
    ...(targets.length > 0 && { more: { targets, values } }),
    span: core.spanOf(node),
  });
}

function send(core: Core, { end, request, tags, node }: Work): void {
  const data: readonly LitmusExpr[] =
    request.local === undefined
      ? [core.int(0, node)]
      : dataOf(core, request, localWords(core, request, node), node);
  if (data.length > 1) core.refuse(node, 'a message of several words is not understood');
  emitCall(core, 'send', [peer(core, end, node), ...data], node, { tags });
}

function atomic(name: string, operands: number): Doing {
  return (core, { end, request, tags, node }) => {
    const one = { ...request, length: 8 };
    const local = localWords(core, one, node);
    const [{ location }] = remoteWords(core, end, one, local, node);
    const given = (request.operands ?? []).map((operand) =>
      core.exprOf(core.settled(operand, node), node),
    );
    if (given.length < operands) core.refuse(node, 'an operand of this atomic is not known');
    const target = core.refTo(local[0].location, node);
    const all: CallArgument[] = [core.refExpr(location, node, end), ...given.slice(0, operands)];
    emitCall(core, name, all, node, { tags, target });
  };
}

/** The data of a request: words that the card reads, or values that were read when it was posted. */
function dataOf(core: Core, request: Building, local: Words, node: CNode): readonly LitmusExpr[] {
  if (request.copied !== undefined) return request.copied;
  if ((request.flags & INLINE) !== 0) return copied(core, local, node);
  return local.map(({ location }) => core.refExpr(location, node));
}

/** The values that words have now, in registers. */
function copied(core: Core, words: Words, node: CNode): readonly LitmusExpr[] {
  // What a call does first has the place of its name: the instruction that it is has that of the whole call.
  const at = fieldOf(node, 'function') ?? node;
  return words.map(({ location }) => {
    const value: Value = { kind: 'runtime', expr: core.refExpr(location, node), reads: true };
    return core.exprOf(core.settled(value, at, 'inlined'), node);
  });
}

/** The data of a request as it is now. */
export const copiedNow = (
  core: Core,
  request: Pick<Building, 'local' | 'length'>,
  node: CNode,
): readonly LitmusExpr[] => copied(core, localWords(core, request, node), node);

type Words = Region['places'];

/** What stands for words of which the head does not say where they are. */
const UNPLACED: Words = [{ location: '?', at: 0 }];

function localWords(
  core: Core,
  { local, length }: Pick<Building, 'local' | 'length'>,
  node: CNode,
): Words {
  const { words, home } = wordsAt(core, local, length, 'the address of the data', node);
  if (home !== undefined && home !== core.thread.node.text) {
    const [{ location }] = words;
    core.refuse(
      node,
      `${location} is on node ${home}: the data of a request is in memory of its own node`,
    );
  }
  return words;
}

/** The words at the remote address. They lie as those of the data do. */
function remoteWords(
  core: Core,
  end: QueuePairEnd,
  { remote, length }: Building,
  local: Words,
  node: CNode,
): Words {
  const { words, home } = wordsAt(core, remote, length, 'the remote address', node);
  // The head is still to be filled in: nobody knows what leads where.
  if (core.gaps !== undefined) return local.map(() => words[0]);
  const [{ location }] = words;
  if (home !== end.node.text) {
    const where = home === undefined ? 'private memory of the thread' : `on node ${home}`;
    core.refuse(
      node,
      `${location} is ${where}, and this queue pair leads to node ${end.node.text}`,
    );
  }
  const isAlike =
    words.length === local.length &&
    words.every(({ at }, i) => at - words[0].at === local[i].at - local[0].at);
  if (!isAlike) {
    const [from, to] = [local, words].map((all) => all.map((one) => one.location).join(', '));
    core.refuse(node, `the words of this request do not lie alike: ${from} here, ${to} there`);
  }
  return words;
}

function wordsAt(
  core: Core,
  value: Value | undefined,
  length: number | undefined,
  what: string,
  node: CNode,
): { readonly words: Words; readonly home?: string } {
  if (value?.kind === 'path') {
    core.unplaced(value.text, node);
    return { words: UNPLACED };
  }
  if (value?.kind === 'pointer' || value?.kind === 'parts') {
    return core.isMemory(value.key, node, `${what} is a variable that is no word of memory`);
  }
  if (value?.kind !== 'address') return core.refuse(node, `${what} is no place`);
  const { region, offset } = value;
  if (length === undefined && region.places.some(({ at }) => at > offset)) {
    core.refuse(node, 'how many words this request has is not known: its length is not constant');
  }
  const words = core.wordsIn(region, offset, length ?? 1, node);
  return { words, ...(region.node !== undefined && { home: region.node }) };
}
