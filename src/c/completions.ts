import type { Call } from './calls.js';
import { emitCall, int, peer, withArguments } from './calls.js';
import type { Core, QueuePairEnd } from './core.js';
import type { Request, Typed } from './state.js';
import type { CNode } from './tree.js';
import { INT } from './types.js';
import { UNSURE } from './ways.js';

const found = (count: number): Typed => ({ value: int(count), type: INT });

/**
 * A poll gives one completion (ibv_poll_cq(3)). It stands in a loop that goes round until it finds one, and rounds that find none do
 * nothing, so that it waits (`mustWait`): this is what the idioms of polling come to.
 */
const poll: Call = (core, [queue, most, into], node) => {
  if (core.findsNothing) return found(0);
  core.unproven += 1;
  core.lastPoll = node;
  const open = openAt(core, queue, node);
  if (core.gaps !== undefined && open.length !== 1) return found(1);
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
  const [{ pair, end, requests }] = open;
  const [taken] = requests;
  if (requests.some(({ isReceive }) => isReceive !== taken.isReceive)) {
    core.refuse(
      node,
      'this may find the completion of a send or of a receive: which, is not known',
      'if they have queues of their own, say so in the head: qp => node on send_cq, recv_cq',
    );
  }
  oneAtATime(core, most, requests, node);
  emitCall(core, taken.isReceive ? 'pollr' : 'poll', [peer(core, end, node)], node);
  const all = core.state.open.get(pair)!;
  core.state.open.set(pair, all.toSpliced(all.indexOf(taken), 1));
  if (into !== undefined) fill(core, into, pair, taken);
  return found(1);
};

interface OpenPair {
  readonly pair: string;
  readonly end: QueuePairEnd;
  /** What is open and completes in the queue at hand, the oldest first. */
  readonly requests: readonly Request[];
}

/** The queue pairs of which something is open that completes in a queue. */
function openAt(core: Core, queue: CNode, node: CNode): readonly OpenPair[] {
  const { value } = core.evaluate(queue);
  const text = value.kind === 'path' ? value.text : '';
  core.polledQueues.add(text);
  return [...core.pairs()].flatMap(([pair, end]) => {
    const all = core.state.open.get(pair) ?? [];
    const { completions } = end;
    const isOther = completions && !Object.values(completions).includes(text);
    if (all.includes(UNSURE) && isOther !== true) {
      core.refuse(node, 'which requests are open here depends on a condition before it');
    }
    const requests = all.filter(({ isReceive }) =>
      mayComplete(core, pair, end, isReceive, text, node),
    );
    return requests.length > 0 ? [{ pair, end, requests }] : [];
  });
}

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
  if (core.polledQueues.size > 1 && core.gaps === undefined) {
    core.refuse(
      node,
      `this thread polls several queues, and nothing says which one ${pair} has`,
      `say it in the head: ${pair} => … on …`,
    );
  }
  return true;
}

/** What the completion says. */
function fill(core: Core, into: CNode, pair: string, { opcode, id }: Request): void {
  const place = core.behind(core.evaluate(into), into);
  if (place.kind !== 'variable') return;
  const { values } = core.state;
  const { key } = place;
  values.set(`${key}.status`, int(0));
  values.set(`${key}.opcode`, int(opcode));
  values.set(`${key}.wr_id`, id);
  values.set(`${key}.qp_num`, { kind: 'path', text: `${pair}->qp_num` });
}

/** A poll with room for several may take several at once. */
function oneAtATime(core: Core, most: CNode, open: readonly Request[], node: CNode): void {
  const { value } = core.evaluate(most);
  if ((value.kind === 'int' && value.value === 1) || open.length < 2) return;
  core.remark('assumed', 'a poll with room for several completions takes one at a time', node);
}

export const POLLS = withArguments([['ibv_poll_cq', 3, poll]]);
