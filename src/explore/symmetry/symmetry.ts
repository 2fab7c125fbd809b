import type { Slot } from '../../machine/compute.js';
import type { Control } from '../../machine/control.js';
import type { Machine } from '../../machine/machine.js';
import { valueSlots } from '../../machine/local.js';
import type { Codec } from '../codec.js';
import { sharedSlots } from '../codec.js';
import { Identities } from './identities.js';
import type { Kinds } from './kinds.js';
import { kindsOf } from './kinds.js';
import { Discovery, Mirror } from './mirror.js';
import { asymmetric, permutationsOf } from './permutations.js';
import type { Permutation } from './permutations.js';

/**
 * Symmetric threads that change places make of a state another one from which the same can be reached. So one state
 * stands for all of them: the one that comes first.
 */
export interface Symmetry {
  readonly mirror: Mirror;
  /** Makes bytes of the state that stands for a state, as `Codec.encode`. */
  encode(s: Int32Array): number;
}

/**
 * The symmetry that a program declares, as far as questions are the same for all members; undefined: there is none.
 * Throws `Undefined` where the program is not symmetric.
 *
 * @param keeps whether a question stays the same if threads change places
 * @param learn explores some states of the program, and compares their steps
 */
export function symmetryOf(
  machine: Machine,
  codec: Codec,
  keeps: (p: Permutation, holdsIdentities: (slot: Slot) => boolean) => boolean,
  learn: (mirror: Mirror) => void,
): Symmetry | undefined {
  const { layout, codes } = machine;
  const permutations = permutationsOf(layout).filter((p) => keeps(p, () => false));
  if (permutations.length === 1) return undefined;
  const kinds = layout.calls.classes.map((site) => kindsOf(site, layout.program.locations));
  const identities = new Identities(layout, codes, permutations, kinds);
  const isIdentity = (slot: Slot): boolean => identities.has(slot);
  const make = (): Mirror => new Mirror(machine, permutations, identities, kinds);
  // Each discovery adds a slot, so that this comes to an end.
  for (;;) {
    try {
      learn(make());
      if (!permutations.every((p) => keeps(p, isIdentity))) return undefined;
      return canonical(machine, codec, make());
    } catch (error) {
      if (!(error instanceof Discovery)) throw error;
      identities.add(error.slot);
    }
  }
}

function canonical(machine: Machine, codec: Codec, mirror: Mirror): Symmetry {
  const { permutations } = mirror;
  const { bytes } = codec;
  const images = permutations.map((_, p) => new Image(machine, mirror, p));
  const image = new Int32Array(machine.layout.size);
  const least = new Uint8Array(bytes.length);
  const first = leastControls(machine, images);
  return {
    mirror,
    encode(s) {
      const candidates = first(s);
      if (candidates.length === 1 && candidates[0] === 0) return codec.encode(s);
      let length = 0;
      for (let k = 0; k < candidates.length; k++) {
        images[candidates[k]].of(s, image);
        const found = codec.encode(image);
        if (candidates.length === 1) return found;
        if (length > 0 && !comesFirst(bytes, found, least, length)) continue;
        least.set(bytes.subarray(0, found));
        length = found;
      }
      bytes.set(least.subarray(0, length));
      return length;
    },
  };
}

/** The permutations that make the controls of threads come first: the others need no further look. */
function leastControls({ codes }: Machine, images: readonly Image[]) {
  const found: number[] = [];
  const threads = codes.length;
  return (s: Int32Array): readonly number[] => {
    found.length = 1;
    found[0] = 0;
    for (let p = 1; p < images.length; p++) {
      const [mine, best] = [images[p], images[found[0]]];
      let order = 0;
      for (let t = 0; order === 0 && t < threads; t++) {
        order = mine.controlAt(t, s) - best.controlAt(t, s);
      }
      if (order > 0) continue;
      if (order < 0) found.length = 0;
      found.push(p);
    }
    return found;
  };
}

/** Does one list of bytes come before another one? */
function comesFirst(a: Uint8Array, lengthOfA: number, b: Uint8Array, lengthOfB: number): boolean {
  const shared = Math.min(lengthOfA, lengthOfB);
  for (let i = 0; i < shared; i++) if (a[i] !== b[i]) return a[i] < b[i];
  return lengthOfA < lengthOfB;
}

/** Slots, where they go, and whether they hold identities. */
interface Moves {
  readonly from: Int32Array;
  readonly to: Int32Array;
  readonly isIdentity: Uint8Array;
}

/** What becomes of a control, and of the values that it needs. */
interface ControlImage extends Moves {
  readonly thread: number;
  readonly id: number;
}

/** What a permutation makes of states, in which threads have changed places. What no state needs is not set. */
class Image {
  private readonly known: (ControlImage | undefined)[][];
  private readonly shared: Moves;
  private readonly numbers: ReadonlyMap<number, number>;
  /** By thread: who takes its place. */
  private readonly from: readonly number[];

  constructor(
    private readonly machine: Machine,
    private readonly mirror: Mirror,
    private readonly index: number,
  ) {
    const p = mirror.permutations[index];
    this.known = machine.codes.map(() => []);
    this.shared = movesOf(mirror, p, sharedSlots(machine));
    this.numbers = p.numbers;
    this.from = machine.codes.map((_, t) => p.threads.indexOf(t));
  }

  /** The control that a thread has in the image of a state. */
  controlAt(t: number, s: Int32Array): number {
    const { [t]: from } = this.from;
    return this.controlOf(from, s[from]).id;
  }

  of(s: Int32Array, image: Int32Array): void {
    for (let t = 0; t < this.known.length; t++) {
      const one = this.controlOf(t, s[t]);
      image[one.thread] = one.id;
      this.move(s, image, one);
    }
    this.move(s, image, this.shared);
  }

  private controlOf(t: number, id: number): ControlImage {
    return (this.known[t][id] ??= controlImage(
      this.machine,
      this.mirror,
      this.index,
      this.machine.controls.all[t][id],
    ));
  }

  private move(s: Int32Array, image: Int32Array, { from, to, isIdentity }: Moves): void {
    for (let i = 0; i < from.length; i++) {
      const value = s[from[i]];
      image[to[i]] = isIdentity[i] === 1 ? (this.numbers.get(value) ?? value) : value;
    }
  }
}

const movesOf = ({ identities }: Mirror, p: Permutation, from: readonly Slot[]): Moves => ({
  from: Int32Array.from(from),
  to: Int32Array.from(from, (slot) => p.slots[slot]),
  isIdentity: Uint8Array.from(from, (slot) => Number(identities.has(slot))),
});

function controlImage(
  machine: Machine,
  mirror: Mirror,
  index: number,
  control: Control,
): ControlImage {
  const p = mirror.permutations[index];
  const { layout, controls, locals } = machine;
  const thread = p.threads[control.thread];
  const calls = control.calls.map(({ local, partners, promises }) => {
    const of = mirror.classes.image(index, local.class);
    if (of < 0) throw asymmetric('some operation has none that takes its place');
    // What stands for calls that are alike need not be the same call in all threads.
    return controls.remembered({ local: locals.like(local, of), partners, promises });
  });
  const place = mirror.places[index][control.thread][control.place];
  const own = movesOf(mirror, p, machine.cellsAndPrivates(control));
  const values: { from: Slot; to: Slot; isIdentity: boolean }[] = [];
  for (const [i, { local }] of control.calls.entries()) {
    const kinds = mirror.kinds[local.class];
    for (const k of valueSlots(local)) {
      const location = kindOfValue(kinds, k, local.site.given);
      values.push({
        from: layout.values[control.thread] + i * layout.widths[control.thread] + k,
        to: layout.values[thread] + i * layout.widths[thread] + k,
        isIdentity: location !== undefined && mirror.identities.has(layout.memory + location),
      });
    }
  }
  return {
    ...{ thread, id: controls.at(thread, place, calls).id },
    from: Int32Array.from([...own.from, ...values.map(({ from }) => from)]),
    to: Int32Array.from([...own.to, ...values.map(({ to }) => to)]),
    isIdentity: Uint8Array.from([
      ...own.isIdentity,
      ...values.map(({ isIdentity }) => Number(isIdentity)),
    ]),
  };
}

/** A call has the values that it was given, and then those of its reads. */
const kindOfValue = ({ given, reads }: Kinds, k: number, count: number): number | undefined =>
  k < count ? given[k] : reads[k - count];
