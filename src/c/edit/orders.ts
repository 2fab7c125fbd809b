import type { CNode } from '../tree.js';
import { fieldOf, operatorOf, partOf, partsOf } from '../tree.js';
import type { Edit } from './insert.js';
import type { CSource } from './source.js';

/** How accesses of the CPU get more order, and what barriers are called: in the words that a file has already. */

export type Order = 'acquire' | 'release' | 'acq_rel';

/** What an access is in the words of the kernel, if the file has others of them. */
const KERNEL = /\b(smp_\w+|READ_ONCE|WRITE_ONCE)\b/;
/** The barriers behind reads, and of writes: each goes where its pattern does. */
const BARRIERS: Readonly<Record<string, readonly (readonly [used: RegExp, text: string])[]>> = {
  'dmb [ld]': [
    [/\budma_/, 'udma_from_device_barrier();'],
    [KERNEL, 'smp_rmb();'],
    [/(?:)/, 'atomic_thread_fence(memory_order_acquire);'],
  ],
  'dmb [st]': [
    [/\budma_/, 'udma_to_device_barrier();'],
    [KERNEL, 'smp_wmb();'],
    [/(?:)/, 'atomic_thread_fence(memory_order_release);'],
  ],
};

/** The ways to write a barrier, the likeliest first. */
export const barriersFor = ({ text }: CSource, step: string): readonly string[] =>
  (BARRIERS[step] ?? []).filter(([used]) => used.test(text)).map(([, written]) => written);

/**
 * The ways in which accesses within a stretch of the text can get an order, those of the widest nodes first. Some are of other accesses
 * there: what each does, reading the file says.
 */
export function orderEdits(
  { tree, text }: CSource,
  { start, end }: { readonly start: number; readonly end: number },
  order: Order,
): readonly (readonly Edit[])[] {
  const isKernel = KERNEL.test(text);
  return nodesWithin(tree, start, end).flatMap((node) =>
    written(node, order, isKernel).map((text) => [
      { start: node.startIndex, end: node.endIndex, text },
    ]),
  );
}

const nodesWithin = (node: CNode, start: number, end: number): readonly CNode[] => {
  if (node.endIndex <= start || node.startIndex >= end) return [];
  const own = node.startIndex >= start && node.endIndex <= end ? [node] : [];
  return [...own, ...partsOf(node).flatMap((one) => nodesWithin(one, start, end))];
};

const PLACES = ['identifier', 'field_expression', 'subscript_expression', 'pointer_expression'];

/** A node with an order, in other words. */
function written(node: CNode, order: Order, isKernel: boolean): readonly string[] {
  if (node.type === 'call_expression') return calledWith(node, order);
  const gcc = `__ATOMIC_${order.toUpperCase()}`;
  if (node.type === 'assignment_expression' && operatorOf(node) === '=' && order === 'release') {
    const [left, right] = ['left', 'right'].map((part) => partOf(node, part));
    const to = addressOf(left);
    if (isKernel) return [`smp_store_release(${to}, ${right.text})`];
    return [`__atomic_store_n(${to}, ${right.text}, ${gcc})`];
  }
  if (!PLACES.includes(node.type) || order !== 'acquire') return [];
  const from = addressOf(node);
  return [isKernel ? `smp_load_acquire(${from})` : `__atomic_load_n(${from}, ${gcc})`];
}

/** A call with another order in the place of none. */
function calledWith(node: CNode, order: Order): readonly string[] {
  const { text } = node;
  const name = fieldOf(node, 'function')?.text;
  const [place, value] = partsOf(partOf(node, 'arguments'));
  if (/^(READ|ACCESS)_ONCE$/.test(name ?? '')) return [`smp_load_acquire(${addressOf(place)})`];
  if (name === 'WRITE_ONCE') return [`smp_store_release(${addressOf(place)}, ${value.text})`];
  const other = text
    .replace('memory_order_relaxed', `memory_order_${order}`)
    .replace('__ATOMIC_RELAXED', `__ATOMIC_${order.toUpperCase()}`);
  return other === text ? [] : [other];
}

function addressOf(node: CNode): string {
  if (node.type !== 'pointer_expression' || operatorOf(node) !== '*') return `&${node.text}`;
  return partOf(node, 'argument').text;
}
