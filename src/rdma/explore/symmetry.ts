import type { Codec } from './codec.js';
import { Identities } from './identities.js';
import type { Buffer, Layout } from './layout.js';
import type { Slot } from './op.js';
import { isAcknowledgement, namesRequest } from './nic.js';
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
  layout: Layout,
  codec: Codec,
  keeps: (p: Permutation, holdsIdentities: (slot: Slot) => boolean) => boolean,
  learn: (mirror: Mirror) => void,
): Symmetry | undefined {
  const permutations = permutationsOf(layout).filter((p) => keeps(p, () => false));
  if (permutations.length === 1) return undefined;
  const identities = new Identities(layout, permutations);
  const isIdentity = (slot: Slot): boolean => identities.has(slot);
  // Each discovery adds a slot, so that this comes to an end.
  for (;;) {
    try {
      learn(new Mirror(layout, permutations, identities));
      if (!permutations.every((p) => keeps(p, isIdentity))) return undefined;
      return canonical(layout, codec, new Mirror(layout, permutations, identities));
    } catch (error) {
      if (!(error instanceof Discovery)) throw error;
      identities.add(error.slot);
    }
  }
}

function canonical(layout: Layout, codec: Codec, mirror: Mirror): Symmetry {
  const { permutations } = mirror;
  const { bytes } = codec;
  const images = permutations.map((_, p) => imageOf(layout, mirror, p));
  const image = new Int32Array(layout.size);
  const least = new Uint8Array(bytes.length);
  const firstPlaces = leastPlaces(layout, mirror);
  return {
    mirror,
    encode(s) {
      const first = firstPlaces(s);
      if (first.length === 1 && first[0] === 0) return codec.encode(s);
      let length = 0;
      for (const p of first) {
        images[p](s, image);
        const found = codec.encode(image);
        if (first.length === 1) return found;
        if (length > 0 && !comesFirst(bytes, found, least, length)) continue;
        for (let i = 0; i < found; i++) least[i] = bytes[i];
        length = found;
      }
      for (let i = 0; i < length; i++) bytes[i] = least[i];
      return length;
    },
  };
}

/** The permutations that make the places of threads come first: the others need no further look. */
function leastPlaces({ codes }: Layout, { permutations, places }: Mirror) {
  const found: number[] = [];
  const threads = codes.length;
  // By permutation and thread: who takes its place.
  const from = permutations.map(({ threads: to }) => codes.map((_, t) => to.indexOf(t)));
  return (s: Int32Array): readonly number[] => {
    found.length = 1;
    found[0] = 0;
    for (let p = 1; p < permutations.length; p++) {
      const [mine, best] = [from[p], from[found[0]]];
      const [here, there] = [places[p], places[found[0]]];
      let order = 0;
      for (let t = 0; order === 0 && t < threads; t++) {
        order = here[mine[t]][s[mine[t]]] - there[best[t]][s[best[t]]];
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

/** What makes of a state the one in which threads have changed places. What no state needs is not set. */
export function imageOf(
  layout: Layout,
  { permutations, identities, places, requests }: Mirror,
  index: number,
): (s: Int32Array, image: Int32Array) => void {
  const p = permutations[index];
  const { codes, variables, memory, storeBuffers, pipes, wbR, wbL, queuePairs } = layout;
  const pairs = queuePairs.length;
  const from = Int32Array.from(variables.filter((slot) => slot >= codes.length));
  const to = from.map((slot) => p.slots[slot]);
  const isIdentity = Uint8Array.from(from, (slot) => Number(identities.has(slot)));
  const number = (location: number, value: number): number =>
    identities.has(memory + location) ? (p.numbers.get(value) ?? value) : value;
  const request = (r: number): number => {
    if (requests[index][r] >= 0) return requests[index][r];
    throw asymmetric('some operation has none that takes its place');
  };
  /** Copies a buffer into the one that takes its place, entry by entry. */
  const copy = (
    buffers: readonly Buffer[],
    targets: readonly number[],
    entry: (s: Int32Array, image: Int32Array, a: number, b: number) => void,
  ) =>
    buffers.map(({ at, width }, k) => (s: Int32Array, image: Int32Array): void => {
      const target = buffers[targets[k]].at;
      const length = s[at];
      image[target] = length;
      for (let i = 0; i < length; i++) entry(s, image, at + 1 + i * width, target + 1 + i * width);
    });
  const locations = p.locations;
  const copies = [
    ...copy(storeBuffers, p.threads, (s, image, a, b) => {
      const code = s[a] >> 1;
      if ((s[a] & 1) === 0) {
        image[b] = 2 * locations[code];
        image[b + 1] = number(code, s[a + 1]);
        image[b + 2] = s[a + 2];
        return;
      }
      const asked = Math.trunc(code / pairs);
      image[b] = 2 * (request(asked) * pairs + p.queuePairs[code % pairs]) + 1;
      const { from: word } = layout.requests[asked];
      image[b + 1] = number(word, s[a + 1]);
      image[b + 2] = number(word, s[a + 2]);
    }),
    ...copy(pipes, p.queuePairs, (s, image, a, b) => {
      for (let k = 0; k < 4; k++) image[b + k] = s[a + k];
      if (isAcknowledgement(s[a])) return;
      const posted = namesRequest(s[a]);
      const about = posted ? layout.requests[s[a + 1]].from : s[a + 1];
      image[b + 1] = posted ? request(s[a + 1]) : locations[about];
      image[b + 2] = number(about, s[a + 2]);
      image[b + 3] = number(about, s[a + 3]);
    }),
    ...copy(wbR, p.queuePairs, (s, image, a, b) => {
      image[b] = 2 * locations[s[a] >> 1] + (s[a] & 1);
      image[b + 1] = number(s[a] >> 1, s[a + 1]);
    }),
    ...copy(wbL, p.queuePairs, (s, image, a, b) => {
      image[b] = s[a] === 0 ? 0 : locations[s[a] - 1] + 1;
      image[b + 1] = s[a] === 0 ? 0 : number(s[a] - 1, s[a + 1]);
    }),
  ];
  return (s, image) => {
    codes.forEach((_, t) => (image[p.threads[t]] = places[index][t][s[t]]));
    for (let i = 0; i < from.length; i++) {
      const value = s[from[i]];
      image[to[i]] = isIdentity[i] === 1 ? (p.numbers.get(value) ?? value) : value;
    }
    for (const one of copies) one(s, image);
  };
}
