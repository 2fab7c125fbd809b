import type { Event, EventId, EventStructure } from '../../program/events/structure.js';
import { INITIAL } from '../../program/events/structure.js';
import type { Program } from '../../program/program.js';
import * as m from '../../model/relation/matrix.js';
import type { Verified } from '../../check/witness/verify.js';
import {
  eventName,
  eventLabel,
  eventMark,
  linesOf,
  referenceOf,
  sourceOf,
  eventValuesOf,
} from './labels.js';
import { reduced } from './reduce.js';
import type { ShownRelation } from './shown-relations.js';
import { shownValue } from './shown-relations.js';

/**
 * An execution to be drawn: events in columns, one a thread, and edges between them. Program order
 * goes down each column and has no edges of its own.
 *
 * Everything is in a fixed order: columns as the threads in the program, events by `id` (the initial
 * writes first), edges by relation in the order of `relations`, and then by `from` and `to`; last come
 * the edges of a highlighted cycle that are in none of the relations shown, in the cycle's order.
 */
export interface ExecutionGraph {
  readonly columns: readonly GraphColumn[];
  readonly events: readonly GraphEvent[];
  /** The relations whose edges are in the graph, each once, in the order of the model's `show`. */
  readonly relations: readonly GraphRelation[];
  /**
   * Edges without those that others of the same relation imply: where a relation is transitive, an
   * edge that is also a path of other edges of this relation is left out.
   */
  readonly edges: readonly GraphEdge[];
  /** The calls of libraries in whose places instructions stand, by the numbers that events name. */
  readonly groups?: readonly GraphGroup[];
  /** What takes part in the highlighted cycle and is no event: threads that take part in an object. */
  readonly marks?: readonly GraphMark[];
}

/** One time that a call of a library is performed by instructions in its place. */
export interface GraphGroup {
  /** The call as written. */
  readonly call: string;
  /** The group that the call stands in itself. */
  readonly within?: number;
}

/** A thread that takes part in an object, where an axiom asks for something of it. */
export interface GraphMark {
  readonly id: EventId;
  /** What people call it: `T2 as party of z`. */
  readonly reference: string;
}

/** A thread, and the node that it runs on. */
export interface GraphColumn {
  readonly thread: string;
  readonly node: string;
}

export interface GraphEvent {
  /** The event's number in the unrolled program: the same in all executions of a test. */
  readonly id: EventId;
  /** A short name for text: `1`, `2`, … thread by thread; `init` for every initial write. */
  readonly name: string;
  /** Index into `columns`; null for an initial write, which belongs to no thread. */
  readonly column: number | null;
  /** The place in its column from above, from 0; initial writes are counted among themselves. */
  readonly row: number;
  /** As the papers write it: `lR(x,0)`, `nlW(x,1,n2)`. */
  readonly label: string;
  /** The instruction, on one line and without the bodies of branches; none for initial writes. */
  readonly source?: string;
  /** The lines of C of the instruction: `12`, or `30 → 12`, where line 30 calls a function that has line 12. */
  readonly lines?: string;
  /** Of a call of a library: how people call the event, `T1 rbl.submit(x, 1) aNRW(2)`. */
  readonly reference?: string;
  /** Is it the first event of this execution of its instruction? */
  readonly first: boolean;
  /** Is it on the highlighted cycle? */
  readonly onCycle: boolean;
  /** The innermost group that it is in: an index into `groups`. */
  readonly group?: number;
}

export interface GraphRelation {
  readonly name: string;
  /** What an edge means, where the model says so; "the other" is where it points to. */
  readonly words?: string;
}

export interface GraphEdge {
  /** The name of a relation shown; of an edge that is there for the cycle only, the name or the cat
   * text of a relation that has it. */
  readonly relation: string;
  readonly from: EventId;
  readonly to: EventId;
  /** Is it an edge of the highlighted cycle? These edges make up a cycle from event to event. */
  readonly onCycle: boolean;
}

/** Does an event begin a call of the program as written, where another comes before it in its thread? */
export function beginsCall(
  { groups = [] }: Pick<ExecutionGraph, 'groups'>,
  { first, group }: GraphEvent,
  before: GraphEvent | undefined,
): boolean {
  const outermost = (of: number | undefined): number | undefined =>
    of === undefined || groups[of].within === undefined ? of : outermost(groups[of].within);
  const own = outermost(group);
  return own === undefined ? first : own !== outermost(before?.group);
}

/** The edges of a cycle to highlight, in their order; `stepsAsEdges` makes them. */
export type Highlight = readonly HighlightedEdge[];

export interface HighlightedEdge extends Omit<GraphEdge, 'onCycle'> {
  /** What it means, where the model says so. */
  readonly words?: string;
}

/** What is to be in a graph besides the events of the threads. */
export interface Showing {
  readonly shown: readonly ShownRelation[];
  /** Whether the relations were asked for one by one: then initial writes are shown for all of them. */
  readonly asked: boolean;
  /** Whether timelines are made, too. */
  readonly timelines?: boolean;
  /** Whether steps are of this very execution, and not of a run to its final state. */
  readonly exactly?: boolean;
  /** The program as written, for the texts of instructions. */
  readonly source: Program;
}

/** Draws an execution, with the edges of a cycle highlighted if there is one. */
export function graphOf(
  structure: EventStructure,
  verified: Verified,
  showing: Showing,
  highlight: Highlight = [],
): ExecutionGraph {
  const { events, run } = verified;
  const { program } = structure;
  const { shown, source } = showing;
  const onCycle = new Set(highlight.flatMap(({ from, to }) => [from, to]));
  const isShown = shownEvents(structure, verified, onCycle);
  const edges = edgesOf(verified, showing, highlight, isShown);
  const ends = new Set(edges.flatMap(({ from, to }) => [from, to]));
  const rows = new Map<number, number>();
  const rowIn = (thread: number): number => {
    const row = rows.get(thread) ?? 0;
    rows.set(thread, row + 1);
    return row;
  };
  const names = new Set(edges.map((e) => e.relation));
  const words = new Map([
    ...highlight.map(({ relation, words }) => [relation, words] as const),
    ...shown.map(({ name, words }) => [name, words] as const),
  ]);
  const marks = events.filter((e) => isMark(e) && onCycle.has(e.id));
  return {
    columns: program.threads.map(({ name, node }) => ({ thread: name, node })),
    events: events.flatMap((e, i) => {
      if (isMark(e) || (!isShown(i) && !ends.has(e.id))) return [];
      return {
        id: e.id,
        name: eventName(structure, e),
        column: e.thread === INITIAL ? null : e.thread,
        row: rowIn(e.thread),
        label: eventLabel(program, e, eventValuesOf(structure, run, e)),
        source: sourceOf(source, e),
        lines: linesOf(source, e),
        reference: referenceOf(program, source, e),
        first: e.call === undefined || e.call !== events[i - 1]?.call,
        onCycle: onCycle.has(e.id),
        ...(e.group === undefined ? {} : { group: e.group }),
      };
    }),
    relations: [...names].map((name) => ({ name, words: words.get(name) })),
    edges,
    ...(structure.groups === undefined
      ? {}
      : { groups: structure.groups.map(({ call, within }) => ({ call, within })) }),
    ...(marks.length > 0 && {
      marks: marks.map((e) => ({ id: e.id, reference: eventMark(program, e) })),
    }),
  };
}

/** Marks say which threads take part in an object. Relations have them as events, but no picture shows them as such. */
const isMark = ({ mark }: Event): boolean => mark !== undefined;

/**
 * Which events, by position, are shown even without an edge. An initial write is worth a place where something reads it, unless it
 * holds a put's constant. Edges alone do not say that: mo has one from each initial write.
 */
function shownEvents(
  { program }: EventStructure,
  { events, execution }: Verified,
  onCycle: ReadonlySet<EventId>,
): (position: number) => boolean {
  const readFrom = m.domain(execution.relations.get('rf')!);
  const isConstant = (i: number): boolean => program.locations[events[i].location!].hidden === true;
  return (i) =>
    events[i].thread !== INITIAL ||
    (m.has(readFrom, i) && !isConstant(i)) ||
    onCycle.has(events[i].id);
}

/** The edges of the relations shown, and then those of the highlighted cycle that are in none of them. */
function edgesOf(
  verified: Verified,
  { shown, asked }: Showing,
  highlight: Highlight,
  isShown: (position: number) => boolean,
): readonly GraphEdge[] {
  const { events } = verified;
  const key = (relation: string, from: EventId, to: EventId) => `${from} ${to} ${relation}`;
  const marked = new Map(highlight.map((e) => [key(e.relation, e.from, e.to), e]));
  // Of a transitive relation with cycles, different edges may be left out. The pairs of the highlighted cycle are to stay.
  const beside = new Set(highlight.map(({ from, to }) => `${from} ${to}`));
  const isBeside = (i: number, j: number) => beside.has(`${events[i].id} ${events[j].id}`);
  const edges: GraphEdge[] = [];
  for (const relation of shown) {
    const { name } = relation;
    for (const [i, j] of reduced(shownValue(relation, verified), isBeside)) {
      const [a, b] = [events[i], events[j]];
      const [from, to] = [a.id, b.id];
      if (isMark(a) || isMark(b)) continue;
      const fits = asked ? name !== 'po' || a.thread !== INITIAL : isShown(i) && isShown(j);
      if (!fits && !marked.has(key(name, from, to))) continue;
      edges.push({ relation: name, from, to, onCycle: marked.delete(key(name, from, to)) });
    }
  }
  const marks = new Set(events.filter(isMark).map(({ id }) => id));
  for (const { relation, from, to } of marked.values()) {
    if (!marks.has(from) && !marks.has(to)) edges.push({ relation, from, to, onCycle: true });
  }
  return edges;
}
