import type { RdmaLabel } from '../instructions.js';
import { keyOf, viewed } from '../instructions.js';
import type { Span } from '../../parse/diagnostics/index.js';
import { instructionsOf } from '../../program/instructions.js';
import type { Expression, Instruction, LocationId, Target, Thread } from '../../program/program.js';
import { locationsOf } from '../../program/accessed.js';

/** The labels that events of these programs have: they have no waits. */
export type PointLabel = Exclude<RdmaLabel, 'WT'>;

/** What the conditions ask of a label: whether such an event writes, and which memory it concerns. */
interface About {
  readonly writes: boolean;
  /** `own` and `remote`: the two ends of a put or get. `none`: it is no access. */
  readonly memory: 'cpu' | 'own' | 'remote' | 'none';
}

export const ABOUT: Readonly<Record<PointLabel, About>> = {
  lR: { writes: false, memory: 'cpu' },
  lW: { writes: true, memory: 'cpu' },
  CAS: { writes: true, memory: 'cpu' },
  FAA: { writes: true, memory: 'cpu' },
  XCHG: { writes: true, memory: 'cpu' },
  F: { writes: false, memory: 'none' },
  P: { writes: false, memory: 'none' },
  nlR: { writes: false, memory: 'own' },
  nrW: { writes: true, memory: 'remote' },
  nrR: { writes: false, memory: 'remote' },
  nlW: { writes: true, memory: 'own' },
  nF: { writes: false, memory: 'none' },
};

/** A point of a thread at which it performs an event. Many paths may lead there. */
export interface EventPoint {
  readonly label: PointLabel;
  readonly location?: LocationId;
  /** The node at the other end of its queue pair, for events of the NIC and polls. */
  readonly node?: string;
  /** The key of the queue pair among those of its thread: `2`, or `2.a`. */
  readonly queuePair?: string;
  readonly span: Span;
}

/**
 * All paths of a thread, as a graph. Every walk from state 0 is a prefix of a path. Conditions are not evaluated,
 * and loops run any number of times: the programs of the papers have choices and loops without conditions.
 */
export interface PathGraph {
  readonly points: readonly EventPoint[];
  /** The edges from each state. An edge without a point performs no event. */
  readonly ways: readonly (readonly PathEdge[])[];
  /** Whether the graph has cycles. */
  readonly loops: boolean;
}

export interface PathEdge {
  readonly point?: number;
  readonly to: number;
}

/** The graph of a thread, by the definition of label sequences (TSO paper, Fig. 23). */
export function pathGraphOf(thread: Thread): PathGraph {
  const drawn = new PathDrawing();
  drawn.run(0, thread.body);
  const { points, ways } = drawn;
  const loops = [...instructionsOf(thread.body)].some((i) => i.kind === 'loop');
  return { points, ways, loops };
}

class PathDrawing {
  readonly points: EventPoint[] = [];
  readonly ways: PathEdge[][] = [[]];

  /** The state after instructions. */
  run(from: number, body: readonly Instruction[]): number {
    return body.reduce((at, i) => this.after(at, i), from);
  }

  private after(from: number, given: Instruction): number {
    const i = viewed(given);
    const { span } = i;
    switch (i.kind) {
      case 'assign':
        return this.store(this.read(from, i.value, span), i);
      case 'get':
      case 'put': {
        const [first, second] =
          i.kind === 'get' ? (['nrR', 'nlW'] as const) : (['nlR', 'nrW'] as const);
        const on = { node: i.node, queuePair: keyOf(i) };
        const issued = this.perform(from, { label: first, location: i.from, ...on, span });
        return this.perform(issued, { label: second, location: i.to, ...on, span });
      }
      case 'cas': {
        const { location } = i;
        const ready = this.read(this.read(from, i.expected, span), i.desired, span);
        const done = this.state();
        this.join(this.perform(ready, { label: 'CAS', location, span }), done);
        const fence = this.perform(ready, { label: 'F', span });
        this.join(this.perform(fence, { label: 'lR', location, span }), done);
        return this.store(done, i);
      }
      case 'faa':
      case 'xchg': {
        const label = i.kind === 'faa' ? 'FAA' : 'XCHG';
        const ready = this.read(from, i.value, span);
        return this.store(this.perform(ready, { label, location: i.location, span }), i);
      }
      case 'mfence':
        return this.perform(from, { label: 'F', span });
      case 'poll':
        return this.perform(from, { label: 'P', node: i.node, queuePair: keyOf(i), span });
      case 'rfence':
        return this.perform(from, { label: 'nF', node: i.node, queuePair: keyOf(i), span });
      case 'remote-atomic':
        throw new Error('a remote atomic: see notUnderConditions');
      case 'wait':
        throw new Error('a wait: the models of the conditions have polls (see adapt)');
      case 'assume':
        return this.read(from, i.condition, span);
      case 'if':
        return this.either(this.read(from, i.condition, span), [i.then, i.else]);
      case 'choose':
        return this.either(from, i.branches);
      case 'loop': {
        const head = this.state();
        this.join(from, head);
        const decided = this.read(head, i.condition, span);
        this.join(this.run(decided, i.body), head);
        const end = this.state();
        this.join(decided, end);
        return end;
      }
    }
  }

  private state(): number {
    return this.ways.push([]) - 1;
  }

  private join(from: number, to: number): void {
    this.ways[from].push({ to });
  }

  /** Performs an event and returns the state after it. */
  private perform(from: number, point: EventPoint): number {
    const to = this.state();
    this.ways[from].push({ point: this.points.push(point) - 1, to });
    return to;
  }

  private read(from: number, e: Expression | undefined, span: Span): number {
    return (e === undefined ? [] : locationsOf(e)).reduce(
      (at, location) => this.perform(at, { label: 'lR', location, span }),
      from,
    );
  }

  /** Writes what an instruction has computed, if it goes to memory. */
  private store(from: number, { target, span }: { target: Target; span: Span }): number {
    if (target.kind !== 'location') return from;
    return this.perform(from, { label: 'lW', location: target.location, span });
  }

  private either(from: number, branches: readonly (readonly Instruction[])[]): number {
    const end = this.state();
    for (const branch of branches) {
      const start = this.state();
      this.join(from, start);
      this.join(this.run(start, branch), end);
    }
    return end;
  }
}
