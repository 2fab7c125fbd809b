import type { Identities } from './identities.js';
import type { Layout } from './layout.js';
import type { Op, Slot } from './op.js';
import type { Permutation } from './permutations.js';
import { asymmetric } from './permutations.js';

/** A slot holds identities, which was not known so far. */
export class Discovery extends Error {
  constructor(readonly slot: Slot) {
    super();
  }
}

/** Steps that take no time and are no events: a thread goes on to where they lead. */
const isSilent = ({ kind, visible }: Op): boolean =>
  (kind === 'unless' || kind === 'goto') && !visible;

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
  /** By permutation and request. -1: there is no such one. */
  readonly requests: readonly Int32Array[];
  private readonly scratch: Int32Array;
  /** By permutation, then by another: which one the first after the other is. */
  private readonly products: readonly (readonly number[])[];
  /** By thread and place: the slots that silent steps from there on look at. */
  private readonly looked: readonly (readonly Slot[])[][];
  /** By thread and place: the values with which a step was compared, and those with which it was followed. */
  private readonly compared: Values[][];
  private readonly followed: Map<number, Values>[][];

  constructor(
    readonly layout: Layout,
    readonly permutations: readonly Permutation[],
    readonly identities: Identities,
  ) {
    const { codes, size } = layout;
    const keys = new Map(permutations.map(({ threads }, p) => [threads.join(), p]));
    this.products = permutations.map((p) =>
      permutations.map((q) => keys.get(q.threads.map((t) => p.threads[t]).join())!),
    );
    this.places = permutations.map(() =>
      codes.map(({ ops }) => new Int32Array(ops.length + 1).fill(-1)),
    );
    this.scratch = new Int32Array(size);
    this.looked = codes.map(({ ops }) => ops.map(() => []));
    codes.forEach(({ ops }, t) => {
      for (let at = 0; at <= ops.length; at++) this.looked[t][at] = lookedAt(ops, at);
    });
    this.compared = codes.map(({ ops }) => ops.map(({ uses }) => new Values(uses)));
    this.followed = codes.map(({ ops }) => ops.map(() => new Map<number, Values>()));
    this.requests = permutations.map((p) => this.requestsOf(p));
    this.compareMemory();
  }

  /** The number that a number in a slot becomes. */
  number(p: Permutation, slot: Slot, value: number): number {
    return this.identities.has(slot) ? (p.numbers.get(value) ?? value) : value;
  }

  /** Compares where the threads begin. */
  start(s: Int32Array): void {
    this.layout.codes.forEach((_, t) => this.arrive(t, s, 0, () => 0));
  }

  /** Compares the next step of a thread, before it is taken. */
  compare(t: number, at: number, s: Int32Array): void {
    if (isSilent(this.layout.codes[t].ops[at]) || !this.compared[t][at].add(s)) return;
    for (let p = 1; p < this.permutations.length; p++) this.compareWith(p, t, at, s);
  }

  /** Compares where a thread goes on, after a step. */
  follow(t: number, at: number, to: number, s: Int32Array): void {
    const { ops } = this.layout.codes[t];
    if (isSilent(ops[at])) return;
    let known = this.followed[t][at].get(to);
    if (known === undefined) {
      known = new Values(this.looked[t][to]);
      this.followed[t][at].set(to, known);
    }
    if (!known.add(s)) return;
    const way = ops[at].targets.indexOf(to);
    const isJump = way >= 0 && !(ops[at].kind === 'unless' && to === at + 1);
    this.arrive(t, s, to, (p) => {
      const there = this.places[p][t][at];
      const { targets } = this.layout.codes[this.permutations[p].threads[t]].ops[there];
      return isJump ? targets[way] : there + 1;
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
    const { ops } = this.layout.codes[t];
    let at = from;
    while (at < ops.length && isSilent(ops[at])) {
      const op = ops[at];
      at = op.kind === 'goto' || op.value(s) === 0 ? op.targets[0] : at + 1;
    }
    return at;
  }

  /** Some slots of a state in the state that threads make of it when they change places; others are 0. */
  private turn(slots: readonly Slot[], s: Int32Array, p: Permutation): void {
    this.scratch.fill(0);
    for (const slot of slots) this.scratch[p.slots[slot]] = this.number(p, slot, s[slot]);
  }

  private compareWith(p: number, t: number, at: number, s: Int32Array): void {
    const { codes, memory } = this.layout;
    const way = this.permutations[p];
    const there = this.places[p][t][at];
    const [a, b] = [codes[t].ops[at], codes[way.threads[t]].ops.at(there)];
    const difference =
      there < 0 || b === undefined ? SOMETHING_ELSE : this.difference(p, t, at, there);
    if (difference !== undefined) this.fail(t, way, difference);
    this.turn(a.uses, s, way);
    for (const { of, into } of this.valuesOf(a, memory)) {
      const [mine, others] = [a[of](s), b![of](this.scratch)];
      if (into === undefined) {
        if ((mine === 0) !== (others === 0)) this.fail(t, way, 'it decides otherwise');
        continue;
      }
      if (this.number(way, into, mine) === others) continue;
      const isIdentity = way.numbers.get(mine) === others;
      if (isIdentity && !this.identities.has(into)) throw new Discovery(into);
      const name = this.layout.nameOf(into);
      if (mine === others) {
        throw isMixed(name, mine);
      }
      this.fail(t, way, `it has ${others}, not ${this.number(way, into, mine)}, for ${name}`);
    }
  }

  /** How a step of a thread differs from that of the one that takes its place, whatever the values are. */
  private difference(p: number, t: number, at: number, there: number): string | undefined {
    const { codes, dead, program } = this.layout;
    const way = this.permutations[p];
    const other = way.threads[t];
    const [a, b] = [codes[t].ops[at], codes[other].ops[there]];
    if (a.kind !== b.kind || a.visible !== b.visible || a.update !== b.update)
      return SOMETHING_ELSE;
    const slot = (x: Slot): Slot => (x < 0 ? x : way.slots[x]);
    const location = way.locations[a.location];
    if (ACCESSES.includes(a.kind) && location !== b.location) {
      const { locations } = program;
      return `it uses ${locations[b.location].name}, not ${locations[location].name}`;
    }
    if (slot(a.slot) !== b.slot) return 'it uses another register';
    if (a.queuePair >= 0 && way.queuePairs[a.queuePair] !== b.queuePair) {
      return 'it uses another queue pair';
    }
    if (a.request >= 0 && this.requests[p][a.request] !== b.request) return this.posted(way, a, b);
    const moment = ({ until }: Op, from: number): number => (until === 0 ? 0 : until - from);
    const isSame =
      a.targets.length === b.targets.length &&
      moment(a, at) === moment(b, there) &&
      a.leaves === b.leaves &&
      this.sections(t, at) === this.sections(other, there) &&
      sameSet(a.uses.map(slot), b.uses) &&
      sameSet(dead[t][at].map(slot), dead[other][there]);
    return isSame ? undefined : 'it goes on in another way';
  }

  /** What a step computes, and the slot whose kind of number it is; undefined: whether it is 0. */
  private valuesOf(
    op: Op,
    memory: Slot,
  ): readonly { readonly of: 'value' | 'desired'; readonly into?: Slot }[] {
    switch (op.kind) {
      case 'set':
        return [{ of: 'value', into: op.slot }];
      case 'write':
        return [{ of: 'value', into: memory + op.location }];
      case 'update':
        return this.valuesOn(memory + op.location, op.update === 'faa');
      case 'request': {
        const { kind, update, from } = this.layout.requests[op.request];
        return kind === 'atomic' ? this.valuesOn(memory + from, update === 'faa') : [];
      }
      case 'assume':
      case 'assert':
      case 'unless':
        return [{ of: 'value' }];
      case 'read':
      case 'mfence':
      case 'poll':
      case 'goto':
      case 'choose':
      case 'rest':
      case 'pass':
      case 'stop':
        return [];
    }
  }

  /** The operands of an atomic. What is added to is no identity. */
  private valuesOn(into: Slot, adds: boolean) {
    if (adds && this.identities.has(into))
      throw asymmetric(`${this.layout.nameOf(into)} holds identities, and is added to`);
    return [{ of: 'value', into } as const, { of: 'desired', into } as const];
  }

  /** How operations differ. Throws `Discovery` if it is by an identity that is put. */
  private posted(p: Permutation, a: Op, b: Op): string {
    const { requests, program, memory } = this.layout;
    const [mine, others] = [requests[a.request], requests[b.request]];
    const [x, y] = [program.locations[mine.from], program.locations[others.from]];
    const isSame =
      mine.kind === others.kind &&
      mine.update === others.update &&
      p.locations[mine.to] === others.to;
    if (!isSame || x.hidden !== true) return 'it posts something else';
    const slot = memory + mine.to;
    const isIdentity = p.numbers.get(x.initial) === y.initial;
    if (isIdentity && !this.identities.has(slot)) throw new Discovery(slot);
    const { name } = program.locations[mine.to];
    if (x.initial === y.initial) {
      throw isMixed(name, x.initial);
    }
    return `it puts ${y.initial} to ${name}`;
  }

  private sections(t: number, at: number): string {
    const { sections } = this.layout.codes[t];
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

  /** The same requests, if threads have changed places. What a constant becomes depends on where it is put. */
  private requestsOf(p: Permutation): Int32Array {
    const { requests, program, memory } = this.layout;
    const { locations } = program;
    return Int32Array.from(requests, ({ kind, update, from, to }) => {
      const { hidden, initial, node, owner } = locations[from];
      const there = p.locations[to];
      const constant = this.number(p, memory + to, initial);
      return requests.findIndex((r) => {
        if (r.kind !== kind || r.update !== update) return false;
        if (kind === 'rfence') return true;
        if (r.to !== there) return false;
        if (hidden !== true) return r.from === p.locations[from];
        const other = locations[r.from];
        const moved = owner === undefined ? other.node === node : other.owner === p.threads[owner];
        return other.hidden === true && other.initial === constant && moved;
      });
    });
  }

  /** Compares initial values, and which instructions access what. */
  private compareMemory(): void {
    const { program, sharing, memory } = this.layout;
    const { locations } = program;
    for (const p of this.permutations) {
      locations.forEach(({ initial, name }, l) => {
        const to = p.locations[l];
        if (to < 0) return;
        if (this.number(p, memory + l, initial) !== locations[to].initial) {
          throw asymmetric(`${name} and ${locations[to].name} begin with other values`);
        }
        const owner = sharing.owner[l];
        const same =
          sharing.constant[l] === sharing.constant[to] &&
          sharing.ignored[l] === sharing.ignored[to] &&
          (owner < 0 ? owner : p.threads[owner]) === sharing.owner[to];
        if (same) return;
        const names = to === l ? `${name} is` : `${name} and ${locations[to].name} are`;
        throw asymmetric(`${names} not used by all of them alike`);
      });
      this.layout.ghosts.forEach((slot, g) => {
        const to = this.layout.ghosts.indexOf(p.slots[slot]);
        const [a, b] = [g, to].map((k) => program.ghosts![k]);
        if (this.number(p, slot, a.initial) === b.initial) return;
        throw asymmetric(`ghosts ${a.name} and ${b.name} begin with other values`);
      });
    }
  }
}

const isMixed = (name: string, number: number) =>
  asymmetric(`${name} holds identities, and ${number} that is none: give threads other numbers`);

const SOMETHING_ELSE = 'it does something else';

const ACCESSES: readonly Op['kind'][] = ['read', 'write', 'update'];

const sameSet = (a: readonly number[], b: readonly number[]): boolean =>
  new Set(a).size === new Set(b).size && a.every((x) => b.includes(x));

/** The slots that silent steps from a place on look at. */
function lookedAt(ops: readonly Op[], start: number): readonly Slot[] {
  const found = new Set<Slot>();
  const seen = new Set<number>();
  const open = [start];
  for (let at = open.pop(); at !== undefined; at = open.pop()) {
    if (at >= ops.length || seen.has(at) || !isSilent(ops[at])) continue;
    seen.add(at);
    for (const slot of ops[at].uses) found.add(slot);
    open.push(...ops[at].targets);
    if (ops[at].kind === 'unless') open.push(at + 1);
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
