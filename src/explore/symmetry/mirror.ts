import type { CodeStep } from '../../machine/code.js';
import type { ClassId } from '../../machine/classes.js';
import type { Slot } from '../../machine/compute.js';
import type { Machine } from '../../machine/machine.js';
import { Classes } from './classes.js';
import type { Identities } from './identities.js';
import { isMixed } from './identities.js';
import type { Kinds } from './kinds.js';
import type { Permutation } from './permutations.js';
import { asymmetric } from './permutations.js';

/** A slot holds identities, which was not known so far. */
export class Discovery extends Error {
  constructor(readonly slot: Slot) {
    super();
  }
}

/** Steps that take no time and are no events: a thread goes on to where they lead. */
const isSilent = ({ kind, isStop }: CodeStep): boolean =>
  (kind === 'branch' || kind === 'goto') && !isStop;

/**
 * Compares what symmetric threads do. Each step that a thread takes in some state is the step that another one would take
 * in its place, if threads had changed places: the same kind of step, on the locations and slots that go with it, with
 * the numbers that go with it, and it leads to the same place. Where it is not so, `Undefined` is thrown.
 *
 * Places are compared by what is done there, not by the text: `if (q = 1) A else if (q = 2) B` and the same with the
 * branches of another thread lead to the same place. That is why all of it is done while states are searched. Since
 * every state that is searched stands for all into which it can be turned, and every step from it is compared for each
 * way to turn it, steps and turns commute on all states that can be reached: symmetry as in C. N. Ip and D. L. Dill, Better
 * verification through symmetry (Formal Methods in System Design 9, 1996), without their rules for programs.
 */
export class Mirror {
  /** By permutation, by thread, by place: the place of the thread that takes its place; -1: not known. */
  readonly places: readonly (readonly Int32Array[])[];
  /** By permutation: the classes of calls that take each other's place. */
  readonly classes: Classes;
  private readonly layout;
  private readonly codes: Machine['codes'];
  private readonly scratch: Int32Array;
  /** By permutation, then by another: which one the first after the other is. */
  private readonly products: readonly (readonly number[])[];
  /** By thread and place: the slots that silent steps from there on look at. */
  private readonly looked: readonly (readonly Slot[])[][];
  /** By thread and place: the values with which a step was compared, and those with which it was followed. */
  private readonly compared: Values[][];
  private readonly followed: Map<number, Values>[][];

  constructor(
    private readonly machine: Machine,
    readonly permutations: readonly Permutation[],
    readonly identities: Identities,
    readonly kinds: readonly Kinds[],
  ) {
    const { layout, codes } = machine;
    this.layout = layout;
    this.codes = codes;
    const keys = new Map(permutations.map(({ threads }, p) => [threads.join(), p]));
    this.products = permutations.map((p) =>
      permutations.map((q) => keys.get(q.threads.map((t) => p.threads[t]).join())!),
    );
    this.places = permutations.map(() =>
      codes.map((code) => new Int32Array(code.length + 1).fill(-1)),
    );
    this.scratch = new Int32Array(layout.size);
    this.looked = codes.map((code) =>
      Array.from({ length: code.length + 1 }, (_, at) => lookedAt(code, at)),
    );
    this.compared = codes.map((code) => code.map(({ uses }) => new Values(uses)));
    this.followed = codes.map((code) => code.map(() => new Map<number, Values>()));
    this.classes = new Classes(layout, permutations, kinds, (p, slot, value) =>
      this.number(p, slot, value),
    );
    this.compareMemory();
  }

  /** The number that a number in a slot becomes. */
  number(p: Permutation, slot: Slot, value: number): number {
    return this.identities.has(slot) ? (p.numbers.get(value) ?? value) : value;
  }

  /** Compares where the threads begin. */
  start(s: Int32Array): void {
    this.codes.forEach((_, t) => this.arrive(t, s, 0, () => 0));
  }

  /** Compares the next step of a thread, before it is taken. */
  compare(t: number, at: number, s: Int32Array): void {
    if (isSilent(this.codes[t][at]) || !this.compared[t][at].add(s)) return;
    for (let p = 1; p < this.permutations.length; p++) this.compareWith(p, t, at, s);
  }

  /** Compares where a thread goes on, after a step. */
  follow(t: number, at: number, to: number, s: Int32Array): void {
    const step = this.codes[t][at];
    if (isSilent(step)) return;
    let known = this.followed[t][at].get(to);
    if (known === undefined) {
      known = new Values(this.looked[t][to]);
      this.followed[t][at].set(to, known);
    }
    if (!known.add(s)) return;
    const way = step.next.indexOf(to);
    this.arrive(t, s, to, (p) => {
      const there = this.places[p][t][at];
      return this.codes[this.permutations[p].threads[t]][there].next[way];
    });
  }

  /** Notes which places of other threads correspond to the one where a thread comes to rest. */
  private arrive(t: number, s: Int32Array, from: number, start: (p: number) => number): void {
    const { permutations, places, products } = this;
    const at = this.silently(t, from, s);
    const found = permutations.map(({ threads }, p) => {
      if (p === 0) return at;
      const slots = this.looked[t][from].map((slot) => permutations[p].slots[slot]);
      if (!sameSet(slots, this.looked[threads[t]][start(p)])) {
        this.fail(t, permutations[p], 'it looks at other values');
      }
      this.turn(this.looked[t][from], s, permutations[p]);
      return this.silently(threads[t], start(p), this.scratch);
    });
    for (let p = 0; p < permutations.length; p++) {
      const other = permutations[p].threads[t];
      for (let q = 0; q < permutations.length; q++) {
        const to = found[products[q][p]];
        const known = places[q][other][found[p]];
        if (known >= 0 && known !== to)
          this.fail(t, permutations[p], 'it goes on at another place');
        places[q][other][found[p]] = to;
      }
    }
  }

  /** Where silent steps lead. */
  private silently(t: number, from: number, s: Int32Array): number {
    const code = this.codes[t];
    let at = from;
    for (let step = code[at]; step !== undefined && isSilent(step); step = code[at]) {
      at = step.next[step.kind === 'branch' && step.value.compute(s, 0) === 0 ? 1 : 0];
    }
    return at;
  }

  /** Some slots of a state in the state that threads make of it when they change places; others are 0. */
  private turn(slots: readonly Slot[], s: Int32Array, p: Permutation): void {
    this.scratch.fill(0);
    for (const slot of slots) this.scratch[p.slots[slot]] = this.number(p, slot, s[slot]);
  }

  private compareWith(p: number, t: number, at: number, s: Int32Array): void {
    const { codes } = this;
    const way = this.permutations[p];
    const there = this.places[p][t][at];
    const [a, b] = [codes[t][at], codes[way.threads[t]].at(there)];
    if (there < 0 || b === undefined) return this.fail(t, way, SOMETHING_ELSE);
    const difference = this.difference(p, t, at, there);
    if (difference !== undefined) this.fail(t, way, difference);
    this.turn(a.uses, s, way);
    const [mine, others] = [
      this.valuesOf(t, at, s),
      this.valuesOf(way.threads[t], there, this.scratch),
    ];
    for (const [k, { value, into }] of mine.entries())
      this.compareValues(t, way, value, others[k].value, into);
  }

  /** @param into the slot whose kind of number it is; undefined: it only counts whether it is 0 */
  private compareValues(
    t: number,
    way: Permutation,
    mine: number,
    others: number,
    into: Slot | 'no identity' | undefined,
  ): void {
    if (into === undefined) {
      if ((mine === 0) !== (others === 0)) this.fail(t, way, 'it decides otherwise');
      return;
    }
    if (into === 'no identity') {
      if (mine !== others) this.fail(t, way, `it is given ${others}, not ${mine}`);
      return;
    }
    if (this.number(way, into, mine) === others) return;
    const isIdentity = way.numbers.get(mine) === others;
    if (isIdentity && !this.identities.has(into)) throw new Discovery(into);
    const name = this.layout.nameOf(into);
    if (mine === others) throw isMixed(name, mine);
    this.fail(t, way, `it has ${others}, not ${this.number(way, into, mine)}, for ${name}`);
  }

  /** How a step of a thread differs from that of the one that takes its place, whatever the values are. */
  private difference(p: number, t: number, at: number, there: number): string | undefined {
    const { codes, machine } = this;
    const way = this.permutations[p];
    const other = way.threads[t];
    const [a, b] = [codes[t][at], codes[other][there]];
    if (a.kind !== b.kind || a.isStop !== b.isStop) return SOMETHING_ELSE;
    const slot = (x: Slot): Slot => (x < 0 ? x : way.slots[x]);
    const use = this.usesDiffer(p, t, at, there);
    if (use !== undefined) return use;
    if (a.kind === 'set' && b.kind === 'set' && slot(a.slot) !== b.slot) return ANOTHER_REGISTER;
    if (a.kind === 'use' && b.kind === 'use' && slot(a.result) !== b.result)
      return ANOTHER_REGISTER;
    const moment = ({ until }: CodeStep, from: number): number => (until === 0 ? 0 : until - from);
    const { live } = machine.later;
    const markOf = (step: CodeStep): string | undefined => ('mark' in step ? step.mark : undefined);
    const isSame =
      a.next.length === b.next.length &&
      moment(a, at) === moment(b, there) &&
      markOf(a) === markOf(b) &&
      this.sections(t, at) === this.sections(other, there) &&
      sameSet(a.uses.map(slot), b.uses) &&
      sameSet(live[t][at].map(slot), live[other][there]);
    return isSame ? undefined : 'it goes on in another way';
  }

  /** How the call that a step begins differs. Throws `Discovery` if it is by an identity that is put. */
  private usesDiffer(p: number, t: number, at: number, there: number): string | undefined {
    const { classAt } = this.layout.calls;
    const of = classAt[t][at];
    const found = classAt[this.permutations[p].threads[t]][there];
    return of < 0 || this.classes.image(p, of) === found
      ? undefined
      : this.classDiffers(p, of, found);
  }

  private classDiffers(p: number, of: ClassId, found: ClassId): string {
    const { program, memory, calls } = this.layout;
    const way = this.permutations[p];
    const [mine, others] = [calls.classes[of], calls.classes[found]];
    const differing = mine.events.findIndex(({ location }, e) => {
      const there = others.events.at(e)?.location;
      return location !== undefined && there !== undefined && way.locations[location] !== there;
    });
    const isAlike = this.classes.isAlike(p, of, found);
    if (differing < 0 || mine.events.length !== others.events.length) {
      const nodes = mine.events.map(({ node }) => node && way.nodeOf(node)).join();
      return nodes === others.events.map(({ node }) => node).join()
        ? SOMETHING_ELSE
        : 'it uses another queue pair';
    }
    const [x, y] = [mine, others].map(
      ({ events }) => program.locations[events[differing].location!],
    );
    if (x.hidden === true && y.hidden === true && isAlike) {
      const { [of]: kinds } = this.kinds;
      const slot = memory + kinds.reads[0];
      const isIdentity = way.numbers.get(x.initial) === y.initial;
      if (isIdentity && !this.identities.has(slot)) throw new Discovery(slot);
      const { name } = program.locations[kinds.reads[0]];
      if (x.initial === y.initial) throw isMixed(name, x.initial);
      return `it puts ${y.initial} to ${program.locations[this.kinds[found].reads[0]].name}`;
    }
    const to = way.locations[mine.events[differing].location!];
    if (to < 0 || mine.events.length > 1) return 'it posts something else';
    return `it uses ${y.name}, not ${program.locations[to].name}`;
  }

  /** What a step computes in a state, and the slot whose kind of number each is. */
  private valuesOf(
    t: number,
    at: number,
    s: Int32Array,
  ): readonly { readonly value: number; readonly into?: Slot | 'no identity' }[] {
    const step = this.codes[t][at];
    const { memory, calls } = this.layout;
    switch (step.kind) {
      case 'set':
        return [{ value: step.value.compute(s, 0), into: step.slot }];
      case 'use': {
        const { given } = this.kinds[calls.classAt[t][at]];
        return step.given.map((value, k) => {
          const location = given[k];
          const into = location === undefined ? 'no identity' : memory + location;
          return { value: value.compute(s, 0), into };
        });
      }
      case 'assume':
      case 'assert':
      case 'branch':
        return [{ value: step.value.compute(s, 0) }];
      case 'goto':
      case 'choose':
      case 'rest':
      case 'pass':
      case 'leave':
      case 'cut':
        return [];
    }
  }

  private sections(t: number, at: number): string {
    const { sections } = this.layout.calls.flows[t];
    return sections
      .filter(({ start, end }) => start <= at && at <= end)
      .map(({ name }) => name)
      .join();
  }

  private fail(t: number, p: Permutation, what: string): never {
    const [a, b] = [t, p.threads[t]].map((k) => this.layout.program.threads[k].name);
    if (a === b) throw asymmetric(`if others change places, ${a} is different: ${what}`);
    throw asymmetric(`${b} in the place of ${a} is different: ${what}`);
  }

  /** Compares initial values, and which instructions access what. */
  private compareMemory(): void {
    const { program, memory, ghosts } = this.layout;
    const { free, privates } = this.machine;
    const { locations } = program;
    for (const p of this.permutations) {
      locations.forEach(({ initial, name }, l) => {
        const to = p.locations[l];
        if (to < 0) return;
        if (this.number(p, memory + l, initial) !== locations[to].initial) {
          throw asymmetric(`${name} and ${locations[to].name} begin with other values`);
        }
        const owner = privates.owners[l];
        const same =
          free.isConstant(l) === free.isConstant(to) &&
          free.isIgnored(l) === free.isIgnored(to) &&
          (owner < 0 ? owner : p.threads[owner]) === privates.owners[to];
        if (same) return;
        const names = to === l ? `${name} is` : `${name} and ${locations[to].name} are`;
        throw asymmetric(`${names} not used by all of them alike`);
      });
      program.ghosts?.forEach(({ name, initial }, g) => {
        const other = program.ghosts![p.slots[ghosts + g] - ghosts];
        if (this.number(p, ghosts + g, initial) === other.initial) return;
        throw asymmetric(`ghosts ${name} and ${other.name} begin with other values`);
      });
    }
  }
}

const SOMETHING_ELSE = 'it does something else';

const ANOTHER_REGISTER = 'it uses another register';

const sameSet = (a: readonly number[], b: readonly number[]): boolean =>
  new Set(a).size === new Set(b).size && a.every((x) => b.includes(x));

/** The slots that silent steps from a place on look at. */
function lookedAt(code: readonly CodeStep[], start: number): readonly Slot[] {
  const found = new Set<Slot>();
  const seen = new Set<number>();
  const open = [start];
  for (let at = open.pop(); at !== undefined; at = open.pop()) {
    if (at >= code.length || seen.has(at) || !isSilent(code[at])) continue;
    seen.add(at);
    for (const slot of code[at].uses) found.add(slot);
    open.push(...code[at].next);
  }
  return [...found];
}

/** Values of some slots that were seen together. */
class Values {
  private readonly seen = new Set<number | string>();
  private any = false;

  constructor(private readonly slots: readonly Slot[]) {}

  /** Adds those of a state; false if they were there. */
  add(s: Int32Array): boolean {
    const { slots, seen } = this;
    if (slots.length === 0) {
      if (this.any) return false;
      this.any = true;
      return true;
    }
    const key = slots.length === 1 ? s[slots[0]] : slots.map((slot) => s[slot]).join();
    if (seen.has(key)) return false;
    seen.add(key);
    return true;
  }
}
