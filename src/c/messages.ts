import type { Statement } from '../parse/litmus-ast.js';

/** How many messages a thread sends at most, by node: puts that take a receive are such, too. */
export function messagesIn(body: readonly Statement[]): ReadonlyMap<string, number> {
  const sum = new Map<string, number>();
  for (const one of body) {
    const to = sentTo(one);
    if (to !== undefined) sum.set(to, (sum.get(to) ?? 0) + 1);
    for (const [node, count] of mostOf(blocksOf(one).map(messagesIn))) {
      sum.set(node, (sum.get(node) ?? 0) + count);
    }
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

function blocksOf(one: Statement): readonly (readonly Statement[])[] {
  if (one.kind === 'if') return [one.then, one.else];
  return one.kind === 'choose' ? one.branches : [];
}

/** The node that a message goes to. */
function sentTo(one: Statement): string | undefined {
  if (one.kind === 'assign' && one.tags?.some(({ text }) => text === 'imm')) {
    return one.target.node?.text;
  }
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
