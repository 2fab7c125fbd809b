import type { BitRel } from './bits.js';
import { lowest, related } from './bits.js';

/**
 * Strongly connected components of a graph (Tarjan), each in ascending order, and each after those
 * that it leads to.
 */
export function components(graph: BitRel): number[][] {
  const { size, width, words } = graph;
  const index = new Int32Array(size).fill(-1);
  const low = new Int32Array(size);
  /** The first successor of each node that has not been looked at. */
  const next = new Int32Array(size);
  /** Nodes whose component is complete: edges to them say nothing more. */
  const done = new Uint32Array(width);
  const stack: number[] = [];
  const path: number[] = [];
  const found: number[][] = [];
  let counter = 0;

  const enter = (node: number): void => {
    index[node] = low[node] = counter++;
    stack.push(node);
    path.push(node);
  };

  /** The next successor of a node that is in no complete component; -1: there is none left. */
  const advance = (node: number): number => {
    for (let w = next[node] >>> 5; w < width; w++) {
      const from = w === next[node] >>> 5 ? next[node] & 31 : 0;
      const word = words[node * width + w] & ~done[w] & (0xffffffff << from);
      if (word === 0) continue;
      const successor = w * 32 + lowest(word);
      next[node] = successor + 1;
      return successor;
    }
    return -1;
  };

  const complete = (node: number): void => {
    const component = stack.splice(stack.lastIndexOf(node));
    for (const member of component) done[member >>> 5] |= 1 << (member & 31);
    found.push(component.sort((a, b) => a - b));
  };

  for (let root = 0; root < size; root++) {
    if (index[root] >= 0) continue;
    enter(root);
    while (path.length > 0) {
      const node = path[path.length - 1];
      const successor = advance(node);
      if (successor >= 0) {
        if (index[successor] < 0) enter(successor);
        else low[node] = Math.min(low[node], index[successor]);
        continue;
      }
      path.pop();
      const parent = path[path.length - 1];
      if (parent !== undefined) low[parent] = Math.min(low[parent], low[node]);
      if (low[node] === index[node]) complete(node);
    }
  }
  return found;
}

/** The nodes of a graph, each after all that it leads to; undefined: there is a cycle. */
export function successorsFirst({ size, width, words }: BitRel): readonly number[] | undefined {
  const done = new Uint32Array(width);
  const onPath = new Uint32Array(width);
  const path: number[] = [];
  const order: number[] = [];

  const enter = (node: number): void => {
    path.push(node);
    onPath[node >>> 5] |= 1 << (node & 31);
  };
  const leave = (): void => {
    const node = path.pop()!;
    onPath[node >>> 5] &= ~(1 << (node & 31));
    done[node >>> 5] |= 1 << (node & 31);
    order.push(node);
  };

  for (let root = 0; root < size; root++) {
    if ((done[root >>> 5] >>> (root & 31)) & 1) continue;
    enter(root);
    while (path.length > 0) {
      const row = path[path.length - 1] * width;
      let w = 0;
      while (w < width && (words[row + w] & ~done[w]) === 0) w++;
      if (w === width) leave();
      else if ((words[row + w] & onPath[w]) !== 0) return undefined;
      else enter(w * 32 + lowest(words[row + w] & ~done[w]));
    }
  }
  return order;
}

/** The components with a cycle in them: of several nodes, or of one with an edge to itself. */
export function cyclicComponents(graph: BitRel): number[][] {
  return components(graph).filter(
    ([first, ...others]) => others.length > 0 || related(graph, first, first),
  );
}
