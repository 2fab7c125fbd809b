import type { Slot } from '../machine/compute.js';
import type { Machine } from '../machine/machine.js';

/**
 * States as bytes, and back: of each thread its control, and what cells and calls have that is still needed; then ghosts, who waits, and memory that can change
 * and matters. Each number takes one byte if it is small, and up to five. Two states have the same bytes exactly if nothing that can still come tells them apart.
 */
export interface Codec {
  /** The bytes of the last state that was encoded, with room for a whole number of words of four. */
  readonly bytes: Uint8Array;
  /** Returns how many bytes there are. */
  encode(s: Int32Array): number;
  /** Sets what is in the bytes, and nothing else. */
  decode(bytes: Uint8Array, at: number, s: Int32Array): void;
}

export function codecOf(machine: Machine): Codec {
  const { layout, controls } = machine;
  const { values, size } = layout;
  const threads = values.length;
  const shared = Int32Array.from(sharedSlots(machine));
  const bytes = new Uint8Array(4 * (2 * size + 2 * threads));
  // By thread and control: all slots that are needed.
  const needed: (Int32Array | undefined)[][] = values.map(() => []);
  const slotsOf = (t: number, id: number): Int32Array =>
    (needed[t][id] ??= Int32Array.from(machine.needs(controls.all[t][id])));
  let n = 0;
  const put = (value: number): void => {
    // Small negative numbers are small, too.
    let rest = ((value << 1) ^ (value >> 31)) >>> 0;
    while (rest >= 128) {
      bytes[n++] = (rest & 127) | 128;
      rest >>>= 7;
    }
    bytes[n++] = rest;
  };
  let at = 0;
  const take = (from: Uint8Array): number => {
    let byte = from[at++];
    if (byte < 128) return (byte >>> 1) ^ -(byte & 1);
    let rest = byte & 127;
    for (let shift = 7; byte >= 128; shift += 7) {
      byte = from[at++];
      rest |= (byte & 127) << shift;
    }
    rest >>>= 0;
    return (rest >>> 1) ^ -(rest & 1);
  };
  return {
    bytes,
    encode(s) {
      n = 0;
      for (let t = 0; t < threads; t++) {
        put(s[t]);
        const slots = slotsOf(t, s[t]);
        for (let i = 0; i < slots.length; i++) put(s[slots[i]]);
      }
      for (let i = 0; i < shared.length; i++) put(s[shared[i]]);
      return n;
    },
    decode(from, start, s) {
      at = start;
      for (let t = 0; t < threads; t++) {
        s[t] = take(from);
        const slots = slotsOf(t, s[t]);
        for (let i = 0; i < slots.length; i++) s[slots[i]] = take(from);
      }
      for (let i = 0; i < shared.length; i++) s[shared[i]] = take(from);
    },
  };
}

/** Ghosts, who waits, queues, and memory that is no thread's own, is written by somebody, and read by somebody. */
export function sharedSlots({ layout, free, privates }: Machine): readonly Slot[] {
  const { ghosts, memory, program } = layout;
  const places = [...program.locations.keys()].filter(
    (l) => privates.owners[l] < 0 && !free.isConstant(l) && !free.isIgnored(l),
  );
  const before = [...Array(memory - ghosts).keys()].map((k) => ghosts + k);
  return [...before, ...places.map((l) => memory + l)];
}
