/** Strongly connected components of a graph given by successors (Tarjan), each in ascending order. */
export function components(graph: readonly Iterable<number>[]): number[][] {
  const index = new Int32Array(graph.length).fill(-1);
  const low = new Int32Array(graph.length);
  const onStack = new Uint8Array(graph.length);
  const stack: number[] = [];
  const found: number[][] = [];
  let counter = 0;

  for (let root = 0; root < graph.length; root++) {
    if (index[root] >= 0) continue;
    const work: { readonly node: number; readonly edges: Iterator<number> }[] = [];
    const enter = (node: number): void => {
      index[node] = low[node] = counter++;
      stack.push(node);
      onStack[node] = 1;
      work.push({ node, edges: graph[node][Symbol.iterator]() });
    };
    enter(root);
    while (work.length > 0) {
      const { node, edges } = work[work.length - 1];
      const next = edges.next();
      if (next.done !== true) {
        if (index[next.value] < 0) enter(next.value);
        else if (onStack[next.value] === 1) low[node] = Math.min(low[node], index[next.value]);
        continue;
      }
      work.pop();
      const parent = work[work.length - 1];
      if (parent !== undefined) low[parent.node] = Math.min(low[parent.node], low[node]);
      if (low[node] !== index[node]) continue;
      const component: number[] = [];
      for (let member = -1; member !== node;) {
        member = stack.pop()!;
        onStack[member] = 0;
        component.push(member);
      }
      found.push(component.sort((a, b) => a - b));
    }
  }
  return found;
}
