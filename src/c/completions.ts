import type { Call } from './calls.js';
import { moved } from './arithmetic.js';
import { emitCall, int, kindOn, peer, wireFrom, wireTo, withArguments } from './calls.js';
import { CONSTANTS } from './constants.js';
import type { Message, QueuePairEnd } from './around.js';
import type { Core } from './core.js';
import { isMissedAgain, missedAt } from './missed.js';
import type { Place, Request, Typed, Value } from './state.js';
import type { CNode } from './tree.js';
import { NEVER_RETURNS } from './state.js';
import { INT } from './types.js';

const found = (count: number): Typed => ({ value: int(count), type: INT });

/**
 * A poll gives one completion (ibv_poll_cq(3)). In a loop that goes round until it finds one, with rounds that find none and do nothing,
 * it waits (`mustWait`). Any other one may find nothing: that is another way. So is each completion that may come first.
 */
const poll: Call = (core, [queue, most, into], node) => {
  if (core.findsNothing) return found(0);
  const { value } = core.evaluate(queue);
  const next = inQueue(core, value, node);
  if (core.gaps !== undefined) {
    // Any of them shows what is missing; first those of which it is known that they are in this queue.
    const one = next.find(({ end }) => end.completions !== undefined) ?? next.at(0);
    return one === undefined ? any(core, into, node) : take(core, one, into, 0, node);
  }
  const ways = next.map((one) => () => take(core, one, into, 0, node));
  const room = roomOf(core, most);
  let count = pollOnce(core, ways, node);
  // As many as there is room for may come at once.
  while (count > 0 && count < room) {
    const more = inQueue(core, value, node);
    if (more.length === 0) break;
    const before = count;
    const others = more.map((one) => () => take(core, one, into, before, node));
    count = oneOf(core, [() => found(before), ...others], node);
    if (count === before) break;
  }
  return found(count);
};

/** While a head is filled in: nobody knows which completion this is. The poll finds one, and then none, in turns. */
function any(core: Core, into: CNode | undefined, node: CNode): Typed {
  const key = `known poll ${node.startIndex}`;
  const { values } = core.state;
  if (values.delete(key)) return found(0);
  values.set(key, int(1));
  if (into === undefined) return found(1);
  const place = core.behind(core.evaluate(into), into);
  if (place.kind === 'word') return found(1);
  const named = (field: string): Value => ({ kind: 'path', text: `the ${field} of a completion` });
  for (const field of ['opcode', 'wr_id', 'imm_data', 'byte_len', 'wc_flags', 'qp_num']) {
    values.set(core.keyOf(core.member(place, field, node))!, named(field));
  }
  values.set(core.keyOf(core.member(place, 'status', node))!, int(0));
  return found(1);
}

/** A poll, with a way for each completion that it may find. It finds nothing, too, unless it is in a loop that waits. */
export function pollOnce(core: Core, ways: readonly (() => Typed)[], node: CNode): number {
  if (core.findsNothing) return 0;
  const isLoose = core.isFound('loose poll', node);
  core.lastPoll = node;
  if (!isLoose) core.unproven += 1;
  if (ways.length > 0) {
    if (!isLoose) return oneOf(core, ways, node);
    if (isMissedAgain(core, node)) return missing(core, node);
    return oneOf(core, [...ways, () => found(missing(core, node))], node);
  }
  if (!isLoose) core.finds('loose poll', node, NEVER_RETURNS);
  nothing(core, 1);
  return 0;
}

/** Takes one of several ways, and says how many completions it has found. */
export function oneOf(core: Core, ways: readonly (() => Typed)[], node: CNode): number {
  const keep = (way: () => Typed) => (): void => {
    // The way may have had ways of its own.
    const { value } = way();
    core.state.values.set(COUNT, value);
  };
  if (ways.length === 1) keep(ways[0])();
  else core.choose(node, ways.map(keep));
  const value = core.taken(COUNT);
  return value?.kind === 'int' ? value.value : 0;
}

function roomOf(core: Core, most: CNode): number {
  const { value } = core.evaluate(most);
  if (value.kind === 'int') return value.value;
  core.remark('assumed', 'a poll with room for several completions takes one at a time', most);
  return 1;
}

/** What a poll has found, where its ways part. */
const COUNT = 'polled';

/** Finds nothing, though something may be there. */
function missing(core: Core, node: CNode): 0 {
  core.state.missed = missedAt(core, node);
  nothing(core, 0);
  return 0;
}

function nothing({ state }: Core, hopeless: 0 | 1): Typed {
  const { polls } = state;
  state.polls = { ...polls, nothing: polls.nothing + 1, hopeless: polls.hopeless + hopeless };
  return found(0);
}

export function take(
  core: Core,
  { pair, end, request }: Next,
  into: CNode | undefined,
  nth: number,
  node: CNode,
): Typed {
  emitCall(core, request.isReceive ? 'pollr' : 'poll', [peer(core, end, node)], node);
  const { state } = core;
  const wire = wireTo(core, end);
  core.following.taken.add(kindOn(wire, request.isReceive));
  if (request.isReceive) countMessage(core, end);
  const all = state.open.get(pair)!;
  const rest = all.toSpliced(all.indexOf(request), 1);
  if (rest.length > 0) state.open.set(pair, rest);
  else state.open.delete(pair);
  state.done.push(request.id);
  const { found: before, received } = state.polls;
  state.polls = {
    ...state.polls,
    found: before + 1,
    received: received + (request.isReceive ? 1 : 0),
  };
  if (into !== undefined) fill(core, into, nth, { pair, request });
  return found(nth + 1);
}

/** A completion that may come next. */
export interface Next {
  readonly pair: string;
  readonly end: QueuePairEnd;
  readonly request: Request;
}

/** The oldest open send and the oldest open receive of each queue pair that completes in a queue; undefined: in any. */
export function inQueue(core: Core, queue: Value | undefined, node: CNode): readonly Next[] {
  const text = queue?.kind === 'path' ? queue.text : '';
  if (queue !== undefined) core.polledQueues.add(text);
  const open = [...core.pairs()].flatMap(([pair, end]) =>
    ofPair(core, pair).filter(
      ({ request: { isReceive } }) =>
        queue === undefined || mayComplete(core, pair, end, isReceive, text, node),
    ),
  );
  return firstOf(core, open);
}

/** The oldest send and the oldest receive of each queue pair, of those that are open. Receives are complete as far as messages come. */
export function firstOf(core: Core, open: readonly Next[]): readonly Next[] {
  const isFirst = ({ pair, request }: Next, at: number): boolean =>
    open.findIndex((one) => one.pair === pair && one.request.isReceive === request.isReceive) ===
    at;
  const isOver = core.state.polls.received >= core.following.most;
  return open.filter((one, at) => isFirst(one, at) && !(one.request.isReceive && isOver));
}

/** The open requests of a queue pair, the oldest first. */
export const ofPair = (core: Core, pair: string): readonly Next[] =>
  (core.state.open.get(pair) ?? []).map((request) => ({
    ...{ pair, request },
    end: core.pairs().get(pair)!,
  }));

function mayComplete(
  core: Core,
  pair: string,
  { completions }: QueuePairEnd,
  isReceive: boolean,
  queue: string,
  node: CNode,
): boolean {
  if (completions !== undefined) {
    return queue === (isReceive ? completions.receives : completions.sends);
  }
  if (core.polledQueues.size > 1) {
    core.missing(
      'completion queue',
      pair,
      node,
      `this thread polls several queues, and nothing says which one ${pair} has`,
      `say it in the head: ${pair} => … on …`,
      { choices: [...core.polledQueues] },
    );
  }
  return true;
}

/** How many messages have come on a queue pair is known, unless ways have met where it was not the same. */
const countKey = (core: Core, end: QueuePairEnd): string =>
  `known messages on ${wireFrom(core, end)}`;

export function noMessageYet(core: Core, end: QueuePairEnd): void {
  core.state.values.set(countKey(core, end), int(0));
}

function countMessage(core: Core, end: QueuePairEnd): void {
  const { values } = core.state;
  const key = countKey(core, end);
  const before = values.get(key);
  if (before?.kind === 'int') values.set(key, int(before.value + 1));
}

/** What the message may be that was taken last on a queue pair; none, if that is not known. */
function lastMessage(core: Core, pair: string): readonly Message[] {
  const end = core.pairs().get(pair)!;
  const count = core.state.values.get(countKey(core, end));
  const all = core.following.messages.get(wireFrom(core, end));
  return (count?.kind === 'int' && all?.[count.value - 1]) || [];
}

/** The opcode of a receive is that of the message that it took. */
function received(core: Core, pair: string): Value {
  const { kinds } = core.following;
  const known = new Set(lastMessage(core, pair).map(({ kind }) => kind));
  const all = known.size > 0 ? known : kinds;
  if (all.size > 1) return unknownIn(core, 'opcode');
  return int(CONSTANTS.get(all.has('imm') ? 'IBV_WC_RECV_RDMA_WITH_IMM' : 'IBV_WC_RECV')!);
}

/** The immediate data of the message. Where the sender has sent one of several, each is a way. */
function immediate(core: Core, pair: string, node: CNode): Value {
  const unknown = unknownIn(core, 'imm_data');
  const all = lastMessage(core, pair).map((one) => one.immediate);
  if (all.length === 0 || all.some(({ kind }) => kind === 'nothing')) return unknown;
  if (all.length === 1) return all[0];
  const { received: n } = core.state.polls;
  core.assumeAny(`message ${n} has any of the immediate data that it may have`, node);
  const key = 'immediate';
  core.choose(
    node,
    all.map((one) => () => void core.state.values.set(key, one)),
  );
  return core.taken(key) ?? unknown;
}

/** What only the sender knows of a completion. */
const unknownIn = (core: Core, field: string): Value => ({
  kind: 'path',
  text: `the ${field} of message ${core.state.polls.received}`,
});

const sent = ({ state }: Core, opcode: number | undefined): Value =>
  opcode === undefined
    ? { kind: 'path', text: `the opcode of completion ${state.polls.found}` }
    : int(opcode);

/** What the completion says, in the n-th entry of an array, or the only one. */
function fill(core: Core, into: CNode, nth: number, taken: Pick<Next, 'pair' | 'request'>): void {
  const place = core.behind(core.evaluate(into), into);
  if (nth === 0 || place.kind === 'word') return fillAt(core, place, taken, into);
  const entry: Place =
    place.kind === 'path'
      ? { ...place, text: `${place.text.replace(/^\*/, '')}[${nth}]` }
      : { ...place, key: moved(place.key, nth) };
  fillAt(core, entry, taken, into);
}

/** What the completion says, in the fields of a structure. */
export function fillAt(
  core: Core,
  place: Place,
  { pair, request: { opcode, id, isReceive } }: Pick<Next, 'pair' | 'request'>,
  node: CNode,
): void {
  const fields: Record<string, Value> = {
    ...{ status: int(0), opcode: isReceive ? received(core, pair) : sent(core, opcode), wr_id: id },
    ...{ qp_num: { kind: 'path', text: `${pair}->qp_num` }, vendor_err: int(0) },
    ...(isReceive && {
      imm_data: immediate(core, pair, node),
      byte_len: unknownIn(core, 'byte_len'),
      wc_flags: unknownIn(core, 'wc_flags'),
    }),
  };
  for (const [name, value] of Object.entries(fields)) {
    const key = core.keyOf(core.member(place, name, node));
    if (key !== undefined) core.state.values.set(key, value);
  }
}

export const POLLS = withArguments([['ibv_poll_cq', 3, poll]]);
