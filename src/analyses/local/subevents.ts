import type {
  Constraint,
  Event,
  EventStructure,
  GroupId,
  ValueId,
} from '../../program/events/structure.js';
import { groupBy } from '../../model/relation/groups.js';
import { constantOn, pathsThrough } from '../../program/events/ways.js';

/** The calls of a client, as its libraries specify them and as an implementation makes them. */

/** One way to go through one call: its events, in program order, and the value that it returns, where that is known. */
export interface SpecifiedCall {
  readonly events: readonly Event[];
  readonly result?: number;
}

/**
 * The events of each call of a thread, in order, on all paths. A call may have none, such as a broadcast to nobody.
 *
 * @param structure of a client whose threads do nothing but call
 */
export function specifiedCalls(
  { events, program: { threads } }: EventStructure,
  thread: number,
): readonly (readonly Event[])[] {
  const own = groupBy(
    events.filter((e) => e.thread === thread && e.mark === undefined),
    (e) => e.call,
  );
  const before = threads.slice(0, thread).reduce((sum, { body }) => sum + body.length, 0);
  return threads[thread].body.map((_, k) => own.get(before + k) ?? []);
}

/** The outermost groups of a thread: where instructions stand in the place of its calls, one for each, in order. */
export function implementedGroups(
  { groups = [] }: EventStructure,
  thread: number,
): readonly GroupId[] {
  return [...groups.keys()].filter(
    (id) => groups[id].thread === thread && groups[id].within === undefined,
  );
}

/** The events of each of these groups, on all paths. */
export function implementedCalls(
  structure: EventStructure,
  thread: number,
): readonly (readonly Event[])[] {
  const { events, groups = [] } = structure;
  const outermost = (id: GroupId): GroupId =>
    groups[id].within === undefined ? id : outermost(groups[id].within);
  const inside = events.filter((e) => e.thread === thread && e.group !== undefined);
  const own = groupBy(inside, (e) => outermost(e.group!));
  return implementedGroups(structure, thread).map((id) => own.get(id) ?? []);
}

/**
 * All ways through a call, whatever its reads read: a condition that it comes to may turn out either way, but where those before
 * decide it, or an `assume` does. So these are at least those that there are in any program.
 *
 * @param result the register that gets the value of the call
 */
export function waysThrough(
  { values, registers, constraints }: EventStructure,
  thread: number,
  events: readonly Event[],
  result: number | undefined,
): readonly SpecifiedCall[] {
  const found = new Map<string, SpecifiedCall>();
  for (const { events: executed, taken } of pathsThrough(events)) {
    const valueOf = constantOn({ values, taken });
    const isMet = ({ path, condition }: Constraint): boolean =>
      path.some((b) => taken.get(b.condition) !== b.taken) || valueOf(condition) !== 0;
    const isOpen = ([condition, way]: readonly [ValueId, boolean]): boolean => {
      const value = valueOf(condition);
      return value === undefined || (value !== 0) === way;
    };
    if (![...taken].every(isOpen)) continue;
    if (!constraints.every((c) => c.thread !== thread || isMet(c))) continue;
    const returned = result === undefined ? undefined : valueOf(registers[thread][result]);
    const key = `${executed.map((e) => e.id).join()} ${returned}`;
    found.set(key, { events: executed, result: returned });
  }
  return [...found.values()];
}

/** The ways of the specification that may be meant: those with the value that the implementation returns. */
export function meantBy(
  made: SpecifiedCall,
  specified: readonly SpecifiedCall[],
): readonly SpecifiedCall[] {
  const same = specified.filter(({ result }) => result !== undefined && result === made.result);
  if (same.length > 0) return same;
  return specified.filter(({ result }) => result === undefined || made.result === undefined);
}

/**
 * What stands for a subevent of a call (g of Def. 3.13 in the LOCO paper): of the events that are marked with its stamp,
 * the last one with this stamp and its index, or else the last with its index or without one. Without a mark,
 * it is the last event with the same stamp and index. For a stamp without index a use of the network may stand, too: by its first
 * event, as a put by its read.
 *
 * @param events those of the call in an execution, in program order
 */
export function standsFor(
  { label, node }: Pick<Event, 'label' | 'node'>,
  events: readonly Event[],
): Event | undefined {
  const same = (e: Event): boolean => e.label === label && e.node === node;
  const marked = events.filter((e) => e.stands?.includes(label));
  if (marked.length === 0) return events.findLast(same);
  return (
    marked.findLast(same) ??
    marked.findLast((e) => e.node === node) ??
    marked.findLast((e) => e.node === undefined) ??
    (node === undefined ? marked.find((e) => e.use === marked.at(-1)!.use) : undefined)
  );
}

/** `aGF(2)` */
export const stampText = ({ label, node }: Pick<Event, 'label' | 'node'>): string =>
  node === undefined ? label : `${label}(${node})`;
