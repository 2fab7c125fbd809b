import type { Index, Theory } from './theory.js';

/** Stands for the literal of an edge that is there in any case. */
const SURE = -1;

/**
 * A directed graph whose edges are there where their literals are true, and which must have no cycle.
 *
 * Every node has a position, and the edges that are there lead to later positions. A new edge that does not
 * moves what is between its ends (Pearce and Kelly, ACM JEA 2006). If its source can be reached
 * from its target, there is a cycle: the literals of one with as few of them as any are the conflict. That an edge is
 * taken back leaves the positions right.
 */
export class AcyclicGraph implements Theory {
  // By edge.
  private readonly from: number[] = [];
  private readonly to: number[] = [];
  private readonly lits: Index[] = [];
  /** By literal: its edges. */
  private readonly edges: (number[] | undefined)[] = [];

  // By node: its position, and the edges that are there, the latest last.
  private readonly position: number[] = [];
  private readonly out: number[][] = [];
  private readonly into: number[][] = [];
  /** By node: the edges from it that have literals, there or not. */
  private readonly openFrom: number[][] = [];
  /** The edges that are there and have literals, in the order in which they came. */
  private readonly there: number[] = [];

  // By node: the last look around that met it, how many literals it took, and the edge that led to it.
  private readonly met: number[] = [];
  private readonly cost: number[] = [];
  private readonly via: number[] = [];
  private looks = 0;

  private isSorted = true;
  work = 0;

  /** Adds an edge between nodes 0, 1, …: with a literal that is not true yet, or one that is there in any case. */
  addEdge(from: number, to: number, lit?: Index): void {
    while (this.position.length <= Math.max(from, to)) {
      this.position.push(this.position.length);
      this.out.push([]);
      this.into.push([]);
      this.openFrom.push([]);
      this.met.push(0);
      this.cost.push(0);
      this.via.push(0);
    }
    const edge = this.from.length;
    this.from.push(from);
    this.to.push(to);
    this.lits.push(lit ?? SURE);
    if (lit !== undefined) {
      (this.edges[lit] ??= []).push(edge);
      this.openFrom[from].push(edge);
      return;
    }
    this.link(edge);
    this.isSorted = false;
  }

  /**
   * Finds positions once more if sure edges have come, which is to be done before literals become true. Is
   * there no cycle?
   */
  sort(): boolean {
    if (this.isSorted) return true;
    const { into, out, to, position } = this;
    const waiting = into.map((edges) => edges.length);
    const next = [...position.keys()].filter((node) => waiting[node] === 0);
    let placed = 0;
    for (; placed < next.length; placed++) {
      position[next[placed]] = placed;
      for (const edge of out[next[placed]]) {
        if (--waiting[to[edge]] === 0) next.push(to[edge]);
      }
    }
    this.isSorted = placed === position.length;
    return this.isSorted;
  }

  add(lit: Index): readonly Index[] | undefined {
    for (const edge of this.edges[lit] ?? []) {
      const conflict = this.insert(edge);
      if (conflict !== undefined) return conflict;
      this.link(edge);
      this.there.push(edge);
    }
    return undefined;
  }

  remove(lit: Index): void {
    const { there, lits } = this;
    while (there.length > 0 && lits[there[there.length - 1]] === lit) {
      const edge = there.pop()!;
      this.out[this.from[edge]].pop();
      this.into[this.to[edge]].pop();
    }
  }

  /**
   * The open edges that would close a cycle with one, over edges that are there in any case: from what can be reached
   * from its target to what leads to its source.
   */
  excludes(lit: Index): ReadonlySet<Index> {
    const found = new Set<Index>();
    for (const edge of this.edges[lit] ?? []) {
      const after = this.surely(this.to[edge], this.out, this.to);
      this.surely(this.from[edge], this.into, this.from);
      for (const node of after) {
        this.work += this.openFrom[node].length;
        for (const other of this.openFrom[node]) {
          if (this.met[this.to[other]] === this.looks && this.lits[other] !== (lit ^ 1)) {
            found.add(this.lits[other]);
          }
        }
      }
    }
    return found;
  }

  /** All nodes that edges which are there in any case lead to, the first included. */
  private surely(
    start: number,
    edges: readonly number[][],
    end: readonly number[],
  ): readonly number[] {
    const { met, lits } = this;
    const look = ++this.looks;
    met[start] = look;
    const nodes = [start];
    for (let i = 0; i < nodes.length; i++) {
      this.work += 1;
      for (const edge of edges[nodes[i]]) {
        if (lits[edge] !== SURE || met[end[edge]] === look) continue;
        met[end[edge]] = look;
        nodes.push(end[edge]);
      }
    }
    return nodes;
  }

  prefers(variable: number): Index | undefined {
    for (const lit of [2 * variable, 2 * variable + 1]) {
      const edge = this.edges[lit]?.[0];
      if (edge === undefined) continue;
      const fits = this.position[this.from[edge]] < this.position[this.to[edge]];
      return fits ? lit : lit ^ 1;
    }
    return undefined;
  }

  private link(edge: number): void {
    this.out[this.from[edge]].push(edge);
    this.into[this.to[edge]].push(edge);
  }

  /** Makes positions right for an edge; the literals of a cycle, if it closes one. */
  private insert(edge: number): readonly Index[] | undefined {
    const { position, from, to } = this;
    const [source, target] = [from[edge], to[edge]];
    const [first, last] = [position[target], position[source]];
    if (first > last) return undefined;
    const after = this.reach([target], this.out, to, (node) => position[node] <= last);
    if (this.met[source] === this.looks) return [this.lits[edge], ...this.path(target, source)];
    const before = this.reach([source], this.into, from, (node) => position[node] >= first);
    const byPosition = (a: number, b: number): number => position[a] - position[b];
    const moved = [...before.sort(byPosition), ...after.sort(byPosition)];
    const places = moved.map((node) => position[node]).sort((a, b) => a - b);
    moved.forEach((node, i) => (position[node] = places[i]));
    return undefined;
  }

  /** All nodes within some range that edges lead to, the first included. */
  private reach(
    nodes: number[],
    edges: readonly number[][],
    end: readonly number[],
    isWithin: (node: number) => boolean,
  ): number[] {
    const { met } = this;
    const look = ++this.looks;
    met[nodes[0]] = look;
    for (let i = 0; i < nodes.length; i++) {
      this.work += 1;
      for (const edge of edges[nodes[i]]) {
        const node = end[edge];
        if (met[node] === look || !isWithin(node)) continue;
        met[node] = look;
        nodes.push(node);
      }
    }
    return nodes;
  }

  /** The literals of a path between two nodes, as few as there can be; there must be a path. */
  private path(source: number, target: number): Index[] {
    const { met, cost, via, position, from, to, lits } = this;
    const look = ++this.looks;
    met[source] = look;
    cost[source] = 0;
    // Nodes that take one literal more than those before are looked at next.
    for (
      let level = [source], literals = 0;
      met[target] !== look || cost[target] > literals;
      literals++
    ) {
      const next: number[] = [];
      for (const node of level) {
        this.work += 1;
        if (cost[node] < literals) continue;
        for (const edge of this.out[node]) {
          const [end, price] = [to[edge], lits[edge] === SURE ? literals : literals + 1];
          if (position[end] > position[target] || (met[end] === look && cost[end] <= price))
            continue;
          met[end] = look;
          cost[end] = price;
          via[end] = edge;
          (price === literals ? level : next).push(end);
        }
      }
      level = next;
    }
    const path: Index[] = [];
    for (let node = target; node !== source; node = from[via[node]]) {
      if (lits[via[node]] !== SURE) path.push(lits[via[node]]);
    }
    return path;
  }
}
