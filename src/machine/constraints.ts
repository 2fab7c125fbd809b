import type { Event } from '../program/events/structure.js';
import { isRead, isWrite } from '../program/events/structure.js';
import type { Guessed } from '../program/events/guessed.js';
import { ALWAYS, NEVER, OTHER } from './atoms.js';
import type { Atom, Disjunction } from './atoms.js';
import { callerOf } from './calls.js';
import type { Layered } from './pairs.js';

/** A step of an event, by the event's position: it is issued (`2 * event`), or observed (`2 * event + 1`). Where both are one step, it is the first. */
export type StepId = number;

/** The first step is taken before the second, if both are. */
export type Before = readonly [StepId, StepId];

/** The two ways in which a guess can go between two events, and what each asks of the steps. */
export interface GuessWays {
  readonly guess: string;
  readonly between: readonly [number, number];
  readonly ways: readonly [readonly Before[], readonly Before[]];
}

/** Two events of which a guess says which is first, and that are ordered for nothing else: their steps may come either way. */
export interface FreeOrder {
  readonly guess: string;
  readonly between: readonly [number, number];
  /** The steps whose order it is. */
  readonly steps: readonly [StepId, StepId];
}

/** An event that is the partner of another by rank, and what that asks of the steps. */
export interface Partner {
  readonly guess: string;
  readonly from: number;
  readonly to: number;
  readonly before: readonly Before[];
}

/** Once a step is taken, and while a write is not observed, a read must not read a value that the write overwrites. */
export interface Covering {
  readonly write: number;
  readonly read: number;
  readonly since: StepId;
}

/** What two layers ask of the steps of a few events. */
export interface Constraints {
  readonly events: readonly Event[];
  readonly inst: readonly boolean[];
  /** In every run. */
  readonly always: readonly Before[];
  readonly ways: readonly GuessWays[];
  readonly free: readonly FreeOrder[];
  readonly partners: readonly Partner[];
  /** `[w, r]`: the read may read from the write when that is issued. */
  readonly early: readonly (readonly [number, number])[];
  readonly covering: readonly Covering[];
  /** Why there is no machine for these events, if there is none. */
  readonly misfits: readonly PairMisfit[];
}

/** Why layers give no machine, at a pair of events. */
export interface PairMisfit {
  readonly kind:
    | 'several atoms'
    | 'not by construction'
    | 'older value'
    | 'read in two moments'
    | 'before itself'
    | 'against program order'
    | 'guess of another kind'
    | 'order of no layer'
    | 'counted in two moments'
    | 'order of issue by memory'
    | 'issue in a circle';
  readonly from: Event;
  readonly to: Event;
  readonly layer: 'issued' | 'observed';
  readonly atom?: Atom;
}

/**
 * What the layers over some events ask of their steps (the claim of the page on machines: an execution is consistent if and only if its steps can be put in an order
 * that the layers allow).
 *
 * `rf`, `mo` and `rb` hold by construction: memory has the value of the last observed write, and a read takes it in its one step. That is right if each `mo` and each `rb` is
 * in `observed`, and each `rf` in one of the layers, whenever there is one.
 */
export function constraintsOf(layered: Layered, joined: readonly Joined[] = []): Constraints {
  return new Reading(layered, joined).finished();
}

/** A read and a write of one call that are performed in one step, by their positions. */
export interface Joined {
  readonly read: number;
  readonly write: number;
}

/**
 * The reads and writes of single calls that nothing can come between, as remote atomics are under models that contract them: what comes before the write comes
 * before the read, too, and what comes after the read comes after the write. Then each order of the steps can be changed to one in which both are neighbours: what stands between them
 * is not after the read, and goes before it.
 */
export function joinedIn(layered: Layered): readonly Joined[] {
  const { events, inst } = layered;
  const found: Joined[] = [];
  for (const [read, e] of events.entries()) {
    for (const [write, f] of events.entries()) {
      if (read === write || e.use !== f.use || !isRead(e) || !isWrite(f)) continue;
      if (e.location !== f.location || !inst[read] || !inst[write]) continue;
      const others = [...events.keys()].filter((x) => events[x].use !== e.use);
      const isJoined = others.every((x) => isNeverBetween(layered, x, { read, write }));
      if (isJoined && others.length > 0) found.push({ read, write });
    }
  }
  return found;
}

function isNeverBetween(layered: Layered, x: number, { read, write }: Joined): boolean {
  const { events } = layered;
  const isWithin = (part: Disjunction, whole: Disjunction): boolean => {
    if (whole === ALWAYS || part === NEVER) return true;
    if (part === ALWAYS || part === OTHER || whole === OTHER) return false;
    const atoms = layered.atomsOf(whole);
    const has = ({ name, from, to }: Atom): boolean =>
      atoms.some((one) => one.name === name && one.from === from && one.to === to);
    // Who reads what a write overwrites, and writes itself, writes before that: it would else be before its own read.
    const isImplied = ({ name, from, to }: Atom): boolean =>
      name === 'rb' &&
      (from === read
        ? has({ name: 'mo', from: write, to })
        : to === write && events[from].use === events[x].use && has({ name: 'mo', from: x, to }));
    return layered.atomsOf(part).every((atom) => has(atom) || isImplied(atom));
  };
  return [layered.issued, layered.observed].every(
    (layer) =>
      isWithin(layer(x, write), layer(x, read)) && isWithin(layer(read, x), layer(write, x)),
  );
}

class Reading {
  private readonly always: Before[] = [];
  private readonly ways = new Map<
    string,
    { between: [number, number]; guess: string; ways: [Before[], Before[]] }
  >();
  private readonly partners = new Map<
    string,
    { guess: string; from: number; to: number; before: Before[] }
  >();
  private readonly early: (readonly [number, number])[] = [];
  private readonly covering: Covering[] = [];
  private readonly misfits: PairMisfit[] = [];
  private readonly size: number;

  /** The event whose step an event is taken in. */
  private readonly taken: readonly number[];

  constructor(
    private readonly layered: Layered,
    joined: readonly Joined[],
  ) {
    this.size = layered.events.length;
    this.taken = layered.events.map((_, e) => joined.find(({ write }) => write === e)?.read ?? e);
    for (let from = 0; from < this.size; from++) {
      for (let to = 0; to < this.size; to++) {
        this.layer('issued', from, to);
        this.layer('observed', from, to);
      }
    }
    this.memory();
    this.counts();
  }

  finished(): Constraints {
    const { events, inst } = this.layered;
    const { always, early, covering, misfits } = this;
    const all = [...this.ways.values()];
    return {
      ...{ events, inst, always, early, covering, misfits },
      ways: all.filter((one) => freeOrder(one) === undefined),
      free: all.flatMap((one) => freeOrder(one) ?? []),
      partners: [...this.partners.values()],
    };
  }

  private step(event: number, layer: PairMisfit['layer']): StepId {
    return 2 * this.taken[event] + (layer === 'observed' && !this.layered.inst[event] ? 1 : 0);
  }

  private misfit(
    kind: PairMisfit['kind'],
    layer: PairMisfit['layer'],
    from: number,
    to: number,
    atom?: Atom,
  ): void {
    const { events } = this.layered;
    this.misfits.push({ kind, layer, from: events[from], to: events[to], ...(atom && { atom }) });
  }

  private layer(layer: PairMisfit['layer'], from: number, to: number): void {
    const { events } = this.layered;
    const value = this.layered[layer](from, to);
    if (value === NEVER || (from !== to && this.taken[from] === this.taken[to])) return;
    if (value === OTHER) return this.misfit('several atoms', layer, from, to);
    const before: Before = [this.step(from, layer), this.step(to, layer)];
    if (value === ALWAYS) {
      if (from === to) return this.misfit('before itself', layer, from, to);
      const [a, b] = [events[from], events[to]];
      const inOrder = callerOf(a) === callerOf(b) && a.id < b.id;
      if (!inOrder && a.call !== b.call)
        return this.misfit('against program order', layer, from, to);
      if (!inOrder) this.inCircles(layer, from, to);
      this.always.push(before);
      return;
    }
    for (const atom of this.layered.atomsOf(value)) this.decided(layer, from, to, atom, before);
  }

  /** A pair that is in a layer if a run decides so. */
  private decided(
    layer: PairMisfit['layer'],
    from: number,
    to: number,
    atom: Atom,
    before: Before,
  ): void {
    if (MEMORY.includes(atom.name)) {
      this.byMemory(layer, from, to, atom);
      return;
    }
    const guess = this.layered.guesses.find(({ name }) => name === atom.name)!;
    if (guess.counted.length > 0) return this.counted(layer, from, to, atom);
    if (guess.ranked.length > 0) {
      const key = `${atom.name} ${atom.from} ${atom.to}`;
      const { name, from: source, to: target } = atom;
      const known = this.partners.get(key) ?? { guess: name, from: source, to: target, before: [] };
      this.partners.set(key, known);
      known.before.push(before);
      return;
    }
    if (guess.pairs.length + guess.classes.length === 0)
      return this.misfit('guess of another kind', layer, from, to, atom);
    // What a total order asks of three events follows where it is an order of steps.
    if (guess.pairs.length === 0 && !this.isOfSteps(guess))
      return this.misfit('order of no layer', layer, from, to, atom);
    this.inCircles(layer, from, to, atom);
    const turned = atom.from > atom.to;
    const between: [number, number] = turned ? [atom.to, atom.from] : [atom.from, atom.to];
    const key = `${atom.name} ${between.join(' ')}`;
    const known = this.ways.get(key) ?? { guess: atom.name, between, ways: [[], []] };
    this.ways.set(key, known);
    known.ways[turned ? 1 : 0].push(before);
  }

  /** A pair of partners by their ranks in orders that are guessed. */
  private counted(layer: PairMisfit['layer'], from: number, to: number, atom: Atom): void {
    const { inst } = this.layered;
    if (atom.from !== from || atom.to !== to) {
      this.misfit('not by construction', layer, from, to, atom);
    } else if (!inst[from] || !inst[to]) {
      this.misfit('counted in two moments', layer, from, to, atom);
    }
  }

  /** Where the orders are of steps, and partners come before what they are for, it is enough to count. */
  private counts(): void {
    const { guesses } = this.layered;
    const isOrdered = (by: string | undefined): boolean => {
      const order = guesses.find(({ name }) => name === by);
      return order !== undefined && this.isOfSteps(order);
    };
    for (const { name, counted } of guesses) {
      for (const { from, to } of counted) {
        const isBefore = from.events.every((a) =>
          to.events.every(
            (b) => this.has('issued', name, a, b) || this.has('observed', name, a, b),
          ),
        );
        if (isBefore && isOrdered(from.by) && isOrdered(to.by)) continue;
        const [a, b] = [from.events[0] ?? to.events[0], to.events[0] ?? from.events[0]];
        this.misfit('order of no layer', 'observed', a, b, { name, from: a, to: b });
      }
    }
  }

  /** Is a total order one of the steps of a layer? */
  private isOfSteps({ name, classes }: Guessed): boolean {
    return (['observed', 'issued'] as const).some((layer) =>
      classes.every((members) =>
        members.every((a) => members.every((b) => a === b || this.has(layer, name, a, b))),
      ),
    );
  }

  /**
   * Where no axiom says that `issued` has no cycle, the other one has to: it does if some event of each cycle is in `Inst`. Cycles of program order and of what memory decides have
   * such an event, since reads are in `Inst`.
   */
  private inCircles(layer: PairMisfit['layer'], from: number, to: number, atom?: Atom): void {
    const { inst, isIssuedAcyclic } = this.layered;
    if (isIssuedAcyclic || layer === 'observed' || inst[from] || inst[to]) return;
    this.misfit('issue in a circle', layer, from, to, atom);
  }

  /** A pair that is in a layer if memory decides so: about the two events themselves, or, of a read, about the issue of something else. */
  private byMemory(layer: PairMisfit['layer'], from: number, to: number, atom: Atom): void {
    if (from === to) return this.misfit('before itself', layer, from, to, atom);
    const isSame = (a: number, b: number): boolean => this.taken[a] === this.taken[b];
    const isOwn = isSame(atom.from, from) && isSame(atom.to, to);
    const isOfRead = layer === 'issued' && atom.name === 'rb' && atom.from === from;
    if (isOfRead && !(isOwn && this.layered.inst[to])) {
      this.covering.push({ write: atom.to, read: from, since: this.step(to, 'issued') });
    } else if (!isOwn) this.misfit('not by construction', layer, from, to, atom);
  }

  /** Is what memory decides in the layers, so that the machine's memory is that of the model? */
  private memory(): void {
    const { events, inst } = this.layered;
    for (const [r, event] of events.entries()) {
      if (isRead(event) && !inst[r]) this.misfit('read in two moments', 'issued', r, r);
    }
    for (const [a, from] of events.entries()) {
      for (const [b, to] of events.entries()) {
        if (this.taken[a] === this.taken[b]) continue;
        if (from.location === undefined || from.location !== to.location) continue;
        if (isWrite(from) && isWrite(to)) this.modified(a, b);
        if (isRead(from) && isWrite(to)) this.overwritten(a, b);
        if (isWrite(from) && isRead(to)) this.readFrom(a, b);
      }
    }
  }

  private has(layer: PairMisfit['layer'], name: string, from: number, to: number): boolean {
    const value = this.layered[layer](from, to);
    return value === ALWAYS || (value !== OTHER && this.decides(value, name, from, to));
  }

  private decides(value: Disjunction, name: string, from: number, to: number): boolean {
    return this.layered
      .atomsOf(value)
      .some((atom) => atom.name === name && atom.from === from && atom.to === to);
  }

  private modified(a: number, b: number): void {
    if (!this.has('observed', 'mo', a, b))
      this.misfit('older value', 'observed', a, b, { name: 'mo', from: a, to: b });
    const { inst } = this.layered;
    const isOneStep = inst[a] && inst[b];
    if (!isOneStep && this.decides(this.layered.issued(a, b), 'mo', a, b)) {
      this.misfit('order of issue by memory', 'issued', a, b, { name: 'mo', from: a, to: b });
    }
  }

  private overwritten(r: number, w: number): void {
    if (!this.has('observed', 'rb', r, w))
      this.misfit('older value', 'observed', r, w, { name: 'rb', from: r, to: w });
  }

  private readFrom(w: number, r: number): void {
    if (this.has('observed', 'rf', w, r)) return;
    if (!this.has('issued', 'rf', w, r))
      this.misfit('older value', 'issued', w, r, { name: 'rf', from: w, to: r });
    else if (!this.layered.inst[w]) this.early.push([w, r]);
  }
}

/** The two steps that ways are about, if each says no more than which of them comes first. */
function freeOrder({ guess, between, ways: [one, other] }: GuessWays): FreeOrder | undefined {
  const [first] = [...one, ...other.map(([a, b]): Before => [b, a])];
  if (first === undefined) return undefined;
  const [x, y] = first;
  const isOnly =
    one.every(([a, b]) => a === x && b === y) && other.every(([a, b]) => a === y && b === x);
  return isOnly ? { guess, between, steps: [x, y] } : undefined;
}

/** What memory decides. */
export const MEMORY: readonly string[] = ['rf', 'mo', 'rb'];
