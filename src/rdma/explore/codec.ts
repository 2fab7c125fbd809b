import type { Layout } from './layout.js';

/**
 * States as bytes, and back. Each number takes one byte if it is small, and up to five; a buffer is its length and
 * its entries. Two states have the same bytes exactly if they are equal.
 */
export interface Codec {
  /** The bytes of the last state that was encoded. */
  readonly bytes: Uint8Array;
  /** Returns how many bytes there are. */
  encode(s: Int32Array): number;
  decode(bytes: Uint8Array, at: number, s: Int32Array): void;
}

export function codecOf({ variables, storeBuffers, pipes, wbR, wbL, size }: Layout): Codec {
  const slots = Int32Array.from(variables);
  const buffers = [...storeBuffers, ...pipes, ...wbR, ...wbL];
  const starts = Int32Array.from(buffers.map(({ at }) => at));
  const widths = Int32Array.from(buffers.map(({ width }) => width));
  const bytes = new Uint8Array(size * 5);
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
      for (let i = 0; i < slots.length; i++) put(s[slots[i]]);
      for (let b = 0; b < starts.length; b++) {
        const start = starts[b];
        const length = s[start];
        bytes[n++] = length;
        const end = start + 1 + length * widths[b];
        for (let i = start + 1; i < end; i++) put(s[i]);
      }
      return n;
    },
    decode(from, start, s) {
      at = start;
      for (let i = 0; i < slots.length; i++) s[slots[i]] = take(from);
      for (let b = 0; b < starts.length; b++) {
        const first = starts[b];
        const length = from[at++];
        const old = s[first];
        s[first] = length;
        const width = widths[b];
        const end = first + 1 + length * width;
        for (let i = first + 1; i < end; i++) s[i] = take(from);
        if (old > length) s.fill(0, end, first + 1 + old * width);
      }
    },
  };
}
