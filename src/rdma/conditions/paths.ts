import type { InstructionSet } from '../../model/instructions/set.js';
import type { Span } from '../../parse/diagnostics/index.js';
import { flowOf } from '../../program/flow/compile.js';
import { isReadStep, waysOf } from '../../program/flow/facts.js';
import type { FlowGraph, FlowStep } from '../../program/flow/graph.js';
import type { LocationId, PlaceArgument, Thread } from '../../program/program.js';
import type { RdmaLabel } from '../instructions.js';
import { queuePairKey, viewed } from '../instructions.js';

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

/**
 * The graph of a thread, by the definition of label sequences (TSO paper, Fig. 23). Its states are the steps of the flow graph, the end, and what is between two
 * events of one step.
 */
export function pathGraphOf(thread: Thread, instructions: InstructionSet): PathGraph {
  const flow = flowOf(thread, instructions, { resting: true });
  const points: EventPoint[] = [];
  const ways: PathEdge[][] = Array.from({ length: flow.steps.length + 1 }, () => []);
  for (const [at, step] of flow.steps.entries()) {
    const next = waysOf(flow, at).map((to) => pastJumps(flow, to));
    const alternatives = eventsOf(step);
    if (alternatives.length === 0) ways[at].push(...next.map((to) => ({ to })));
    for (const events of alternatives) {
      let from = at;
      for (const [k, event] of events.entries()) {
        const to = k < events.length - 1 ? ways.push([]) - 1 : next[0];
        ways[from].push({ point: points.push(event) - 1, to });
        from = to;
      }
    }
  }
  const loops = flow.steps.some(({ next }, at) => next.some((to) => to <= at));
  return { points, ways, loops };
}

/** The first step from some on that has an event, or from which there are several ways. */
function pastJumps(flow: FlowGraph, from: number): number {
  const seen = new Set<number>();
  let at = from;
  while (at < flow.steps.length && !seen.has(at)) {
    const ways = waysOf(flow, at);
    if (flow.steps[at].kind === 'use' || ways.length > 1) return at;
    seen.add(at);
    [at] = ways;
  }
  return at;
}

/** The events of a step, in each way in which it may be performed. Empty: it has no event. */
function eventsOf(step: FlowStep): readonly (readonly EventPoint[])[] {
  if (step.kind !== 'use') return [];
  const { span } = step;
  if (step.use.call === undefined) {
    const { location } = step.use.given[0] as PlaceArgument;
    return [[{ label: isReadStep(step) ? 'lR' : 'lW', location, span }]];
  }
  const i = viewed(step.use.call);
  switch (i.kind) {
    case 'get':
    case 'put': {
      const [first, second] =
        i.kind === 'get' ? (['nrR', 'nlW'] as const) : (['nlR', 'nrW'] as const);
      const on = { node: i.node, queuePair: queuePairKey(i), span };
      const read = { label: first, location: i.from, ...on };
      return [[read, { label: second, location: i.to, ...on }]];
    }
    case 'cas': {
      const on = { location: i.location, span };
      const failed = [
        { label: 'F', span },
        { label: 'lR', ...on },
      ] as const;
      return [[{ label: 'CAS', ...on }], failed];
    }
    case 'faa':
    case 'xchg':
      return [[{ label: i.kind === 'faa' ? 'FAA' : 'XCHG', location: i.location, span }]];
    case 'mfence':
      return [[{ label: 'F', span }]];
    case 'poll':
    case 'rfence': {
      const label = i.kind === 'poll' ? 'P' : 'nF';
      return [[{ label, node: i.node, queuePair: queuePairKey(i), span }]];
    }
    case 'remote-atomic':
      throw new Error('a remote atomic: see notUnderConditions');
    case 'wait':
      throw new Error('a wait: the models of the conditions have polls (see adapt)');
  }
}
