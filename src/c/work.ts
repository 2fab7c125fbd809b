import type { CallArgument, Ident, LitmusExpr, NameRef } from '../parse/litmus-ast.js';
import { emitCall, kindOn, peer, wireTo } from './calls.js';
import { CONSTANTS } from './constants.js';
import type { MessageKind, QueuePair, QueuePairEnd } from './around.js';
import type { Core } from './core.js';
import type { Building, Request, Stretch, Value } from './state.js';
import { alike } from './state.js';
import type { CNode } from './tree.js';
import type { Words } from './words.js';
import { copiedNow, localWords, remoteWords, wordsThere } from './words.js';

/** The instruction that a request is (ibv_post_send(3), ibv_wr_post(3)). */

const constant = (name: string): number => CONSTANTS.get(name)!;
const [FENCE, SIGNALED] = ['FENCE', 'SIGNALED'].map((name) => constant(`IBV_SEND_${name}`));
export const INLINE = constant('IBV_SEND_INLINE');
const IMMEDIATE = constant('IBV_WR_RDMA_WRITE_WITH_IMM');

/** The opcode of an exchange, which verbs do not have: it is a masked atomic of some cards. */
export const EXCHANGE = '-1';

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
      ['FLUSH', 'FLUSH', flush],
      ['ATOMIC_WRITE', 'ATOMIC_WRITE', write],
      [EXCHANGE, 'COMP_SWAP', atomic('rxchg', 1)],
    ] as const
  ).map(([opcode, completed, does]) => [
    CONSTANTS.get(`IBV_WR_${opcode}`) ?? Number(opcode),
    { completed: constant(`IBV_WC_${completed}`), does },
  ]),
);
type Doing = (core: Core, work: Work) => void;

/** The identifier, or the immediate data, of a request that nobody sets. */
export const UNNAMED: Value = { kind: 'nothing' };

/** The requests that take a receive at the other end. */
const MESSAGES: ReadonlyMap<number, MessageKind> = new Map([
  [constant('IBV_WR_SEND'), 'send'],
  [constant('IBV_WR_SEND_WITH_IMM'), 'send'],
  [IMMEDIATE, 'imm'],
]);

/** Posts one request. */
export function post(core: Core, on: QueuePair, request: Building, node: CNode): void {
  const { opcode, flags, id } = request;
  const kind = KINDS.get(opcode);
  if (kind === undefined) return notUnderstood(core, opcode, node);
  const signalled = core.around.allSignalled || (flags & SIGNALED) !== 0;
  if ((flags & FENCE) !== 0) emitCall(core, 'rfence', [peer(core, on.end, node)], node);
  const isImmediate = opcode === IMMEDIATE;
  const tags = [
    ...(isImmediate ? ['imm'] : []),
    ...((flags & INLINE) !== 0 && !isImmediate ? ['inline'] : []),
    ...(opcode === constant('IBV_WR_ATOMIC_WRITE') ? ['atomicwrite'] : []),
    ...(signalled ? [] : ['unsignalled']),
  ].map((tag) => core.ident(tag, node));
  const before = core.out.length;
  kind.does(core, { end: on.end, request, tags, node });
  const made = { id, opcode: kind.completed, isReceive: false };
  const statement = core.out.slice(before).at(-1);
  if (statement !== undefined) {
    const sent = MESSAGES.get(opcode);
    core.following.posted.set(statement, {
      wire: wireTo(core, on.end),
      ...(signalled && { request: made }),
      ...(sent && { message: { kind: sent, immediate: request.immediate ?? UNNAMED } }),
    });
  }
  if (request.remote !== undefined) core.state.last.set(on.text, request.remote);
  if (signalled) open(core, on, made);
}

/** Ends the reading at a request that is none of those above. */
function notUnderstood(core: Core, opcode: number, node: CNode): never {
  const names = [...CONSTANTS].filter(([name]) => name.startsWith('IBV_WR_'));
  const [name] = names.find(([, value]) => value === opcode) ?? [];
  const known = names.filter(([, value]) => KINDS.has(value)).map(([one]) => one);
  const message = `requests with the opcode ${name ?? opcode} are not understood`;
  const hint =
    name === undefined
      ? `there are ${known.join(', ')}`
      : /_(BIND_MW|LOCAL_INV|SEND_WITH_INV)$/.test(name)
        ? 'leave them out: which accesses are allowed is not modelled'
        : 'only requests of reliable connections are';
  return core.refuse(node, message, hint);
}

/** Posts a buffer for a message. */
export function receive(
  core: Core,
  on: QueuePair,
  { id, data }: Pick<Building, 'id'> & { readonly data: readonly Stretch[] },
  node: CNode,
): void {
  const { names } = core.following;
  const location =
    data.length === 0
      ? names.of(`unread ${on.text}`, 'unread')
      : localWords(core, data, node)[0].location;
  const target = core.refTo(location, node);
  emitCall(core, 'recv', [peer(core, on.end, node)], node, { target });
  const request = { id, opcode: constant('IBV_WC_RECV'), isReceive: true };
  core.following.posted.set(core.out.at(-1)!, { wire: wireTo(core, on.end), request });
  open(core, on, request);
}

function open(core: Core, { text, end }: QueuePair, request: Request): void {
  const { state, following } = core;
  // Where others post, too, nobody knows which request is which.
  const others = following.supplied.get(kindOn(wireTo(core, end), request.isReceive)) ?? [];
  state.open.set(text, [...(state.open.get(text) ?? []), alike([request, ...others])]);
}

const isEmpty = ({ data, copied }: Building): boolean => data?.length === 0 && copied === undefined;

function write(core: Core, work: Work): void {
  const { end, request, node } = work;
  if (isEmpty(request)) return emptyWrite(core, work);
  const local = wordsHere(core, request, node);
  if (request.opcode === IMMEDIATE && local.length > 1) {
    core.refuse(node, 'a write of several words with an immediate is not understood');
  }
  const targets = wordsThere(core, end, request, local, node).map(({ location }) =>
    core.refTo(location, node, end),
  );
  transfer(core, targets, dataOf(core, request, local, node), work);
}

/** A write without data: its completion is one of a write, and with an immediate it takes a receive. */
function emptyWrite(core: Core, work: Work): void {
  const { request, tags } = work;
  const isUnseen = request.opcode !== IMMEDIATE && tags.some(({ text }) => text === 'unsignalled');
  if (!isUnseen) toNowhere(core, work, 'write');
}

/** Writes to a word that nobody reads. */
function toNowhere(core: Core, { end, tags, node }: Work, kind: 'write' | 'send'): void {
  const name = core.nowhere(end.node.text, kind);
  const isImmediate = tags.some(({ text }) => text === 'imm');
  const others = tags.filter(({ text }) => text !== 'inline');
  const all = isImmediate ? others : [core.ident('inline', node), ...others];
  transfer(core, [core.refTo(name, node, end)], [core.int(0, node)], { tags: all, node });
}

/** Values that are in no memory lie as words do. */
const setWords = ({ copied = [] }: Building): Words =>
  copied.map((_, i) => ({ location: `word ${i + 1}`, at: 8 * i }));

function wordsHere(core: Core, request: Building, node: CNode): Words {
  const { data, copied } = request;
  if (data !== undefined && data.length > 0) return localWords(core, data, node);
  if (copied !== undefined) return setWords(request);
  return core.refuse(node, 'the data of this request is not set');
}

function read(core: Core, work: Work): void {
  const { end, request, node } = work;
  if (isEmpty(request)) {
    const hint = 'read a word, or use ibv_wr_flush';
    core.refuse(node, 'whether a read of nothing waits for writes is not known', hint);
  }
  const local = wordsHere(core, request, node);
  const values = wordsThere(core, end, request, local, node).map(({ location }) =>
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
  { tags, node }: Pick<Work, 'tags' | 'node'>,
): void {
  core.emit({
    ...{ kind: 'assign', target, ...(tags.length > 0 && { tags }), value },
    ...(targets.length > 0 && { more: { targets, values } }),
    span: core.spanOf(node),
  });
}

function send(core: Core, work: Work): void {
  const { end, request, tags, node } = work;
  // It takes a receive, and leaves its buffer as it is, as an immediate does.
  if (isEmpty(request) || request.data === undefined) {
    const imm = core.ident('imm', node);
    return toNowhere(core, { ...work, tags: [imm, ...tags] }, 'send');
  }
  const data = dataOf(core, request, localWords(core, request.data, node), node);
  if (data.length > 1) core.refuse(node, 'a message of several words is not understood');
  emitCall(core, 'send', [peer(core, end, node), ...data], node, { tags });
}

function atomic(name: string, operands: number): Doing {
  return (core, { end, request, tags, node }) => {
    const { data = [] } = request;
    if (data.length !== 1) core.refuse(node, 'an atomic gives its old value to one element');
    const one = { ...request, data: [{ ...data[0], length: 1 }] };
    const local = localWords(core, one.data, node);
    const [{ location }] = wordsThere(core, end, one, local, node);
    const given = (request.operands ?? []).map((operand) =>
      core.exprOf(core.settled(operand, node), node),
    );
    if (given.length < operands) core.refuse(node, 'an operand of this atomic is not known');
    const target = core.refTo(local[0].location, node);
    const all: CallArgument[] = [core.refExpr(location, node, end), ...given.slice(0, operands)];
    emitCall(core, name, all, node, { tags, target });
  };
}

/** It pushes what was written to the memory where its first word is. */
function flush(core: Core, { end, request, tags, node }: Work): void {
  const [{ location }] = remoteWords(core, end, request.remote, 1, node);
  emitCall(core, 'flush', [core.refExpr(location, node, end)], node, { tags });
}

/** The data of a request: words that the card reads, or values that were read when it was posted. */
function dataOf(core: Core, request: Building, local: Words, node: CNode): readonly LitmusExpr[] {
  const isInline = (request.flags & INLINE) !== 0;
  const copied = request.copied ?? (isInline ? copiedNow(core, local, node) : undefined);
  if (copied === undefined) return local.map(({ location }) => core.refExpr(location, node));
  return request.opcode === IMMEDIATE ? copied.map((one) => kept(core, one, node)) : copied;
}

/**
 * A value in a word of its own: a put with an immediate has its data in memory. The card reads it there only once what the
 * thread wrote before is in memory, which is more order than there has to be.
 */
function kept(core: Core, value: LitmusExpr, node: CNode): LitmusExpr {
  const name = core.fresh('copy');
  const { region } = core.ownWord(name, name);
  const [{ location }] = region.places;
  core.remark(
    'assumed',
    'the data of a write with an immediate is in memory when the card takes it',
    node,
  );
  core.assign(location, value, node);
  return core.refExpr(location, node);
}
