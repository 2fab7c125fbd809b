import { instructionsOf } from '../program/instructions.js';
import { queuePairOfCall } from '../program/partners.js';
import type { Call, Program, QueuePair } from '../program/program.js';

/** A queue pair of a card, and the completion queues of its requests and of its receives. */
export interface Pair {
  readonly node: string;
  /** Its name in litmus files, `2` or `2.a`; undefined: a far end that no thread uses. */
  readonly key?: string;
  /** The index of its other end. */
  readonly end: number;
  readonly sends: number;
  readonly receives: number;
}

export interface Queue {
  readonly node: string;
  /** Its name in litmus files, if it is of several queue pairs. */
  readonly name?: string;
}

/** The queue pairs of a program with their far ends, and the completion queues by their nodes. */
export interface Wiring {
  readonly pairs: readonly Pair[];
  readonly queues: readonly Queue[];
  /** The index of a queue pair of a thread. */
  readonly pairOf: (thread: number, on: QueuePair) => number;
  /** The index of the queue of a node that has a name. */
  readonly queueOf: (node: string, name: string) => number;
}

export const keyOf = ({ node, name }: QueuePair): string =>
  name === undefined ? node : `${node}.${name}`;

const MESSAGES = ['send', 'recv', 'pollr'];

/** Does a call have to do with receives at either end? */
const isMessage = ({ operation, tags = [] }: Call): boolean =>
  MESSAGES.includes(operation) || tags.includes('imm');

interface Draft {
  readonly node: string;
  readonly on?: QueuePair;
  end?: number;
  sends: number;
  receives: number;
}

/** The queue pairs that the threads of a program use, each joined to its other end, or to one that nobody uses. */
export function wiringOf(program: Program): Wiring {
  const drafts: Draft[] = [];
  const indices = new Map<string, number>();
  const carrying = new Set<string>();
  program.threads.forEach((thread, index) => {
    for (const i of instructionsOf(thread.body)) {
      const on = i.kind === 'call' ? queuePairOfCall(program, i) : undefined;
      if (i.kind !== 'call' || on === undefined) continue;
      const key = pairKey(program, index, on);
      if (!indices.has(key)) {
        indices.set(key, drafts.length);
        drafts.push({ node: thread.node, on, sends: -1, receives: -1 });
      }
      if (isMessage(i)) carrying.add(wireName(thread.node, on));
    }
  });
  join(drafts, carrying);
  const queues: Queue[] = [];
  const shared = (node: string, name: string): number =>
    queues.findIndex((one) => one.node === node && one.name === name);
  for (const draft of drafts) {
    const queue = program.completionQueues?.find(({ of }) => of.includes(draft.on?.name ?? ''));
    const made = (name?: string): number =>
      queues.push({ node: draft.node, ...(name !== undefined && { name }) }) - 1;
    if (queue === undefined || draft.on === undefined) {
      draft.sends = made();
      draft.receives = made();
      continue;
    }
    const index = shared(draft.node, queue.name);
    draft.sends = draft.receives = index < 0 ? made(queue.name) : index;
  }
  return {
    pairs: drafts.map(({ node, on, end, sends, receives }) => ({
      ...{ node, end: end!, sends, receives },
      ...(on !== undefined && { key: keyOf(on) }),
    })),
    queues,
    pairOf: (thread, on) => indices.get(pairKey(program, thread, on))!,
    queueOf: shared,
  };
}

/** A queue pair belongs to a thread, or to all on a node that share it. */
function pairKey({ threads }: Program, index: number, on: QueuePair): string {
  const { node, queuePairs = [] } = threads[index];
  const isJoint = queuePairs.some(
    (one) => one.joint === true && one.name === on.name && one.node === on.node,
  );
  return isJoint ? `${node} ${keyOf(on)}` : `${node} ${keyOf(on)} ${index}`;
}

/** A connection, whichever end it is told from. */
const wireName = (home: string, { node, name = '' }: QueuePair): string =>
  `${[home, node].sort().join(' ')} ${name}`;

/** Where messages go, the two ends are those that the program has; everything else gets far ends of its own. */
function join(drafts: Draft[], carrying: ReadonlySet<string>): void {
  for (const [index, { node, on, end }] of [...drafts.entries()]) {
    if (end !== undefined || on === undefined) continue;
    const other = drafts.findIndex(
      (one, at) =>
        at !== index &&
        one.end === undefined &&
        one.on?.node === node &&
        one.node === on.node &&
        one.on.name === on.name &&
        carrying.has(wireName(node, on)),
    );
    const far =
      other >= 0 ? other : drafts.push({ node: on.node, end: index, sends: -1, receives: -1 }) - 1;
    drafts[index].end = far;
    drafts[far].end = index;
  }
}
