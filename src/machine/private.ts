import type { Control } from './control.js';
import { isRead, isWrite } from '../program/events/structure.js';
import { backwards } from '../program/flow/facts.js';
import type { FlowGraph } from '../program/flow/graph.js';
import type { LocationId } from '../program/program.js';
import type { CallSite } from './calls.js';
import type { Calls, ClassId } from './classes.js';
import type { FreeSteps } from './free.js';
import type { Asked } from './layout.js';
import type { Local, LocalStates } from './local.js';
import type { Pairs } from './masks.js';
import { isAfter } from './open.js';
import type { Threads } from './threads.js';

/**
 * Locations that only the calls of one thread access, and when their values matter: while some call may read them before another has written there. What does not
 * matter is not part of a state.
 */
export class PrivateLocations {
  /** By location: the thread; -1: there are several, or a question is about it. */
  readonly owners: readonly number[];
  /** By thread and place: the locations that may be read before they are written. */
  private readonly live: readonly (readonly ReadonlySet<LocationId>[])[];

  constructor(
    private readonly calls: Calls,
    locations: readonly unknown[],
    asked: Asked,
    private readonly locals: LocalStates,
    private readonly pairs: Pairs,
    private readonly threads: Threads,
    private readonly free: FreeSteps,
    guesses: number,
  ) {
    this.owners = ownersOf(calls.classes, locations, asked);
    this.live = calls.flows.map((flow, t) => {
      const atOnce = this.answeredAtOnce(t, flow, guesses);
      const found = backwards(flow, [], (_, at) => {
        const of = calls.classAt[t][at];
        if (of < 0) return { adds: [], removes: [] };
        return {
          adds: calls.classes[of].events.flatMap((event) =>
            isRead(event) && this.owners[event.location!] === t ? [event.location!] : [],
          ),
          removes: [...this.writtenBy(flow, t, at, of, atOnce)],
        };
      });
      return found.map((list) => new Set(list));
    });
  }

  /** The locations of a thread whose values matter. */
  in(control: Control): readonly LocationId[] {
    const { thread, place, calls } = control;
    const found = new Set(this.live[thread][place]);
    const writes = this.sureWrites(control);
    for (const { call, event, location } of writes) {
      const { local } = calls[call];
      // What it overwrites is not read by calls to come.
      const isOver =
        this.free.isAwaited(control, call, observed(local, event)) ||
        this.isSeenByAll(thread, local, event);
      if (isOver) found.delete(location);
    }
    for (const [j, { local }] of calls.entries()) {
      for (const [r, event] of local.site.events.entries()) {
        const isOpen = (local.executed & (1 << r)) !== 0 && (local.done & (1 << (2 * r))) === 0;
        if (!isOpen || !isRead(event) || this.owners[event.location!] !== thread) continue;
        const isOver = writes.some(
          ({ call, event: w, location }) =>
            call < j && location === event.location && this.isSeen(calls[call].local, w, local, r),
        );
        if (!isOver) found.add(event.location!);
      }
    }
    return [...found].sort((a, b) => a - b);
  }

  /** The writes of calls of a thread that are sure to come to memory, and have not. */
  private sureWrites({ calls }: Control) {
    return calls.flatMap(({ local }, call) =>
      [...local.site.events.entries()].flatMap(([event, { location, path, value }]) => {
        const isOpen = (local.done & (1 << observed(local, event))) === 0;
        return value !== undefined && path.length === 0 && isOpen
          ? [{ call, event, location: location! }]
          : [];
      }),
    );
  }

  /** Private locations of which nothing that the thread may still begin, after a use, reads what was there before it. */
  private writtenBy(
    flow: FlowGraph,
    t: number,
    at: number,
    of: ClassId,
    atOnce: number,
  ): ReadonlySet<LocationId> {
    const found = new Set<LocationId>();
    const [local, ...others] = this.locals.initial(of);
    if (others.length > 0) return found;
    for (const [e, event] of local.site.events.entries()) {
      const { location, path } = event;
      if (!isWrite(event) || path.length > 0 || this.owners[location!] !== t) continue;
      if (this.isSeenByAll(t, local, e) || this.isAwaited(flow, t, at, local, e, atOnce)) {
        found.add(location!);
      }
    }
    return found;
  }

  /** Does each read of a later call find what an event writes, or something later? */
  private isSeenByAll(t: number, local: Local, write: number): boolean {
    const { location } = local.site.events[write];
    return this.calls.classes.every((site, of) => {
      if (site.thread !== t) return true;
      return this.locals
        .initial(of)
        .every((later) =>
          site.events.every(
            (event, r) =>
              !isRead(event) || event.location !== location || this.isSeen(local, write, later, r),
          ),
        );
    });
  }

  /** Does a read of a later call find what an event writes, or something later? */
  private isSeen(local: Local, write: number, later: Local, r: number): boolean {
    const { relations, shift } = this.pairs.inOrder(local, later);
    const read = 2 * (shift / 2 + r);
    return (
      isAfter(relations.needs, read, observed(local, write)) ||
      relations.covering.some(
        (one) =>
          one.write === write && 2 * one.read === read && isAfter(relations.needs, read, one.since),
      )
    );
  }

  /** Does the thread wait for a write before it begins anything else? */
  private isAwaited(
    flow: FlowGraph,
    t: number,
    at: number,
    local: Local,
    write: number,
    atOnce: number,
  ): boolean {
    const bit = 1 << observed(local, write);
    return usesBehind(flow, at).every((next) => {
      const of = this.calls.classAt[t][next];
      return (this.free.awaitedBy(local, of, atOnce) & bit) !== 0;
    });
  }

  /**
   * The guesses by which each call of a thread that may be a partner is that of the next one: whoever may have a partner comes right behind whoever may be one. As
   * bits.
   */
  private answeredAtOnce(t: number, flow: FlowGraph, guesses: number): number {
    let found = (1 << guesses) - 1;
    for (const [at, of] of this.calls.classAt[t].entries()) {
      if (of < 0) continue;
      const gives = this.threads.givesOf(of);
      for (const next of usesBehind(flow, at)) {
        // A guess stays if both are partners by it, or neither has anything to do with it.
        found &= ~(gives ^ this.threads.takesOf(this.calls.classAt[t][next]));
      }
      if (endsBehind(flow, at)) found &= ~gives;
    }
    for (const first of firstUses(flow)) {
      found &= ~this.threads.takesOf(this.calls.classAt[t][first]);
    }
    return found;
  }
}

/** The step with which an event is observed. */
const observed = ({ own }: Local, event: number): number =>
  own.inst[event] ? 2 * own.taken[event] : 2 * event + 1;

function ownersOf(
  classes: readonly CallSite[],
  locations: readonly unknown[],
  asked: Asked,
): readonly number[] {
  return locations.map((_, l) => {
    if (asked.isFinal(l) || asked.locations.has(l)) return -1;
    const by = new Set(
      classes.flatMap(({ thread, events }) =>
        events.some(({ location }) => location === l) ? [thread] : [],
      ),
    );
    return by.size === 1 ? [...by][0] : -1;
  });
}

/** The uses that come next behind a step. */
function usesBehind(flow: FlowGraph, at: number): readonly number[] {
  return reached(flow, flow.steps[at].next).filter((next) => next < flow.steps.length);
}

const endsBehind = (flow: FlowGraph, at: number): boolean =>
  reached(flow, flow.steps[at].next).includes(flow.steps.length);

const firstUses = (flow: FlowGraph): readonly number[] =>
  reached(flow, [0]).filter((at) => at < flow.steps.length);

/** The first uses that are reached from some places, and the end if it is. */
function reached({ steps }: FlowGraph, from: readonly number[]): readonly number[] {
  const seen = new Set<number>();
  const open = [...from];
  for (let at = open.pop(); at !== undefined; at = open.pop()) {
    if (seen.has(at)) continue;
    seen.add(at);
    if (at < steps.length && steps[at].kind !== 'use') open.push(...steps[at].next);
  }
  return [...seen].filter((at) => at >= steps.length || steps[at].kind === 'use');
}
