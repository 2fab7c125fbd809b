import { isRead, isWrite } from '../program/events/structure.js';
import type { Path, ValueId } from '../program/events/structure.js';
import type { LocationId } from '../program/program.js';
import type { CallSite } from './calls.js';
import { usesOf } from './classes.js';
import type { Computed } from './compute.js';
import { computedInCall } from './compute.js';
import type { Local, LocalStates } from './local.js';
import { placeOfRead } from './local.js';
import type { EventMask } from './relations.js';

/** What a step of a call does, wherever the call is in a state. */
export interface StepPlan {
  readonly event: number;
  readonly isIssue: boolean;
  /** Where what it reads goes among the values of the call; -1: it reads nothing. */
  readonly readTo: number;
  /** What it reads or writes in memory. */
  readonly location: LocationId;
  /** What it writes to memory, of the event or of one that is taken with it, unless that turns out not to be executed. */
  readonly writes: readonly { readonly event: number; readonly value: Computed }[];
  /** Events of which it shows whether they are executed: if not, some branch falls the other way. */
  readonly shows: readonly { readonly event: number; readonly branches: readonly Branching[] }[];
  /** Guards that are known now: without each of them, the call does not go this way. */
  readonly guards: readonly {
    readonly branches: readonly Branching[];
    readonly value: Computed;
  }[];
}

export interface Branching {
  readonly value: Computed;
  readonly taken: boolean;
}

/** The plans of steps, each made once. */
export class Plans {
  private readonly plans: StepPlan[][] = [];
  private readonly beginnings: Beginning[] = [];
  private readonly values = new Map<Local['alternative'], (id: ValueId) => Computed>();

  constructor(private readonly locals: LocalStates) {}

  of(local: Local, step: number): StepPlan {
    const row = (this.plans[local.id] ??= []);
    return (row[step] ??= this.make(local, step));
  }

  /** The value that an event of a call writes. */
  written({ site, alternative }: Local, event: number): Computed {
    return this.valuesOf(site, alternative)(site.events[event].value!);
  }

  result({ site, alternative }: Local): Computed {
    return this.valuesOf(site, alternative)(site.result!);
  }

  /** What is known of a call before it reads anything. */
  atBegin(local: Local): Beginning {
    return (this.beginnings[local.id] ??= this.beginning(local));
  }

  private beginning({ site, executed, alternative }: Local): Beginning {
    const valueOf = this.valuesOf(site, alternative);
    const isKnown = ({ condition }: Path[number]): boolean =>
      usesOf(site.values, [condition]).reads.size === 0;
    const isGiven = (branch: Path[number]): boolean =>
      isKnown(branch) && !isChoice(site, branch.condition);
    const branchesOf = (path: Path): readonly Branching[] =>
      path.filter(isKnown).map(({ condition, taken }) => ({ value: valueOf(condition), taken }));
    return {
      shows: [...site.events.entries()]
        .filter(([e, { path }]) => isIn(executed, e) && path.some(isGiven))
        .map(([e, { path }]) => ({ event: e, branches: branchesOf(path) })),
      guards: site.guards
        .filter(({ path, condition }) => path.every(isKnown) && isKnown({ condition, taken: true }))
        .map(({ path, condition }) => ({ branches: branchesOf(path), value: valueOf(condition) })),
    };
  }

  private valuesOf(site: CallSite, alternative: Local['alternative']): (id: ValueId) => Computed {
    const known = this.values.get(alternative) ?? computedInCall(site, alternative);
    this.values.set(alternative, known);
    return known;
  }

  private make(local: Local, step: number): StepPlan {
    const { site, executed, done } = local;
    const event = step >> 1;
    const { events } = site;
    const { inst, taken } = this.locals.own(local);
    const isIssue = (step & 1) === 0;
    const stores = isWrite(events[event]) && (inst[event] || !isIssue) ? [event] : [];
    const with_ = [...events.keys()].filter(
      (e) => taken[e] === event && e !== event && isIn(executed, e),
    );
    const readsNow = isIssue && isRead(events[event]);
    const valueOf = this.valuesOf(site, local.alternative);
    const isOpen = (e: number, now: boolean): boolean =>
      isRead(events[e]) &&
      isIn(executed, e) &&
      (done & (1 << (2 * e))) === 0 &&
      !(now && readsNow && e === event);
    const isKnown = (id: ValueId, now: boolean): boolean =>
      [...usesOf(site.values, [id]).reads].every((e) => !isOpen(e, now));
    const branchesOf = (path: Path): readonly Branching[] =>
      path
        .filter(({ condition }) => isKnown(condition, true))
        .map(({ condition, taken: way }) => ({ value: valueOf(condition), taken: way }));
    const showsNow = (path: Path): boolean =>
      path.some(({ condition }) => !isKnown(condition, false) && isKnown(condition, true));
    return {
      event,
      isIssue,
      readTo: readsNow ? placeOfRead(site, event) : -1,
      location: events[event].location ?? -1,
      writes: [...stores, ...with_].map((e) => ({ event: e, value: valueOf(events[e].value!) })),
      shows: [...events.keys()]
        .filter((e) => isIn(executed, e) && showsNow(events[e].path))
        .map((e) => ({ event: e, branches: branchesOf(events[e].path) })),
      guards: site.guards
        .filter(
          ({ path, condition }) =>
            isKnown(condition, true) && path.every((branch) => isKnown(branch.condition, true)),
        )
        .map(({ path, condition }) => ({ branches: branchesOf(path), value: valueOf(condition) })),
    };
  }
}

/** What is known when a call begins, of what it was given. */
export interface Beginning {
  readonly shows: StepPlan['shows'];
  readonly guards: StepPlan['guards'];
}

const isIn = (mask: EventMask, event: number): boolean => (mask & (1 << event)) !== 0;

/** Is it how an alternative is chosen? That is known from the beginning. */
function isChoice({ values, given }: CallSite, id: ValueId): boolean {
  const value = values[id];
  return value.op === 'choice' && value.choice >= given;
}
