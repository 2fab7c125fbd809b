import type { NameRef, Statement } from '../parse/litmus-ast.js';
import type { MessageKind } from './around.js';
import { blocksOf } from './sequences.js';

/** How many messages of each kind go to each node. */
export type MessageCounts = Readonly<Record<MessageKind, ReadonlyMap<string, number>>>;

/**
 * How many messages a thread sends at most: puts that take a receive are such, too. `isEmpty`: what a send without data goes to is such
 * a put.
 */
export const messagesIn = (
  body: readonly Statement[],
  isEmpty: (target: NameRef) => boolean,
): MessageCounts => ({
  send: countIn(body, (one) => sentTo(one) ?? putTo(one, isEmpty)),
  imm: countIn(body, (one) => putTo(one, (target) => !isEmpty(target))),
});

function countIn(
  body: readonly Statement[],
  to: (one: Statement) => string | undefined,
): ReadonlyMap<string, number> {
  const sum = new Map<string, number>();
  const add = (node: string, count: number): void => {
    sum.set(node, (sum.get(node) ?? 0) + count);
  };
  for (const one of body) {
    const node = to(one);
    if (node !== undefined) add(node, 1);
    for (const most of mostOf(blocksOf(one).map((block) => countIn(block, to)))) add(...most);
  }
  return sum;
}

function mostOf(all: readonly ReadonlyMap<string, number>[]): ReadonlyMap<string, number> {
  const most = new Map<string, number>();
  for (const [node, count] of all.flatMap((one) => [...one])) {
    most.set(node, Math.max(count, most.get(node) ?? 0));
  }
  return most;
}

/** The node that a put with immediate data goes to. */
const putTo = (one: Statement, isOne: (target: NameRef) => boolean): string | undefined =>
  one.kind === 'assign' && one.tags?.some(({ text }) => text === 'imm') && isOne(one.target)
    ? one.target.node?.text
    : undefined;

/** The node that a message goes to. */
function sentTo(one: Statement): string | undefined {
  if (one.kind !== 'call' || one.name.text !== 'send') return undefined;
  const [peer] = one.arguments ?? [];
  if (peer.kind === 'peer') return peer.node.text;
  if (peer.kind === 'int') return String(peer.value);
  return peer.kind === 'ref' ? peer.ref.name.text : undefined;
}

/** Whether a thread waits for messages. */
export const receivesIn = (body: readonly Statement[]): boolean =>
  body.some(
    (one) => (one.kind === 'call' && one.name.text === 'recv') || blocksOf(one).some(receivesIn),
  );
