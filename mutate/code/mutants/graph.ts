import type { CodeMutant } from '../mutant.js';

/** Mistakes in the graph that is to stay without cycles. */

const mutant = (rest: Omit<CodeMutant, 'file'>): CodeMutant => ({
  file: 'src/solve/search/graph.ts',
  ...rest,
});

export const graphMutants: readonly CodeMutant[] = [
  mutant({
    name: 'second-edge-lost',
    find: 'for (const edge of this.edges[lit] ?? []) {\n      const conflict',
    replace: 'for (const edge of (this.edges[lit] ?? []).slice(0, 1)) {\n      const conflict',
    what: 'Of the edges of a literal only the first comes.',
  }),
  mutant({
    name: 'second-edge-stays',
    find: 'while (there.length > 0 && lits[there[there.length - 1]] === lit) {',
    replace: 'if (there.length > 0 && lits[there[there.length - 1]] === lit) {',
    what: 'Of the edges of a literal only the last is taken back.',
  }),
  mutant({
    name: 'edge-stays-at-its-source',
    find: 'this.out[this.from[edge]].pop();',
    replace: '',
    what: 'An edge that is taken back still leads on.',
  }),
  mutant({
    name: 'source-not-reached',
    find: '(node) => position[node] <= last',
    replace: '(node) => position[node] < last',
    what: 'No path leads back to where a new edge begins.',
  }),
  mutant({
    name: 'edges-to-themselves',
    find: 'if (first > last) return undefined;',
    replace: 'if (first >= last) return undefined;',
    what: 'An edge from a node to itself is no cycle.',
  }),
  mutant({
    name: 'positions-exchanged',
    find: '[...before.sort(byPosition), ...after.sort(byPosition)]',
    replace: '[...after.sort(byPosition), ...before.sort(byPosition)]',
    what: 'What a new edge leads to is put before what leads to it.',
  }),
  mutant({
    name: 'positions-as-met',
    find: '[...before.sort(byPosition), ...after.sort(byPosition)]',
    replace: '[...before, ...after.sort(byPosition)]',
    what: 'What leads to a new edge is put in the order in which it was met.',
  }),
  mutant({
    name: 'places-unsorted',
    find: 'const places = moved.map((node) => position[node]).sort((a, b) => a - b);',
    replace: 'const places = moved.map((node) => position[node]);',
    what: 'Nodes that have to be moved stay where they are.',
  }),
  mutant({
    name: 'sure-edges-unsorted',
    find: 'this.link(edge);\n    this.isSorted = false;',
    replace: 'this.link(edge);',
    what: 'Positions do not follow the edges that are there in any case.',
  }),
  mutant({
    name: 'path-of-one-literal',
    find: 'return [this.lits[edge], ...this.path(target, source)];',
    replace: 'return [this.lits[edge], ...this.path(target, source).slice(0, 1)];',
    what: 'A cycle is blamed on the edge that closes it and one more.',
  }),
  mutant({
    name: 'excludes-by-what-is-there',
    find: 'if (lits[edge] !== SURE || met[end[edge]] === look) continue;',
    replace: 'if (met[end[edge]] === look) continue;',
    what: 'Literals rule out each other for good because of edges that are there now.',
  }),
  mutant({
    name: 'excludes-what-was-met-once',
    find: 'if (this.met[this.to[other]] === this.looks &&',
    replace: 'if (this.met[this.to[other]] > 0 &&',
    what: 'Literals rule out each other though no sure path closes a cycle.',
  }),
  mutant({
    name: 'excludes-backwards',
    find: 'const after = this.surely(this.to[edge], this.out, this.to);\n      this.surely(this.from[edge], this.into, this.from);',
    replace:
      'const after = this.surely(this.from[edge], this.out, this.to);\n      this.surely(this.to[edge], this.into, this.from);',
    what: 'Literals rule out each other whose edges are side by side.',
  }),
];
