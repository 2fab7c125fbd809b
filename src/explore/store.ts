/**
 * States that were reached, as bytes, each once and in the order in which they were found. The bytes are one after the
 * other in large pieces; a table with open addressing finds a state by its hash.
 */
export class Store {
  count = 0;
  private readonly pieces: Uint8Array[] = [new Uint8Array(PIECE)];
  private used = 0;
  private starts = new Float64Array(FIRST);
  private lengths = new Uint16Array(FIRST);
  private hashes = new Int32Array(FIRST);
  /** Index of a state and 1; 0: free. */
  private table = new Int32Array(2 * FIRST);

  /** The index of a state; -1 if it is not there. */
  find(bytes: Uint8Array, length: number): number {
    const hash = hashOf(bytes, length);
    const mask = this.table.length - 1;
    for (let at = hash & mask; this.table[at] !== 0; at = (at + 1) & mask) {
      const index = this.table[at] - 1;
      if (this.hashes[index] === hash && this.equals(index, bytes, length)) return index;
    }
    return -1;
  }

  /** Adds a state, unless it is there. Returns its index, or the complement of its index if it was there. */
  add(bytes: Uint8Array, length: number): number {
    const hash = hashOf(bytes, length);
    const mask = this.table.length - 1;
    let at = hash & mask;
    for (let entry = this.table[at]; entry !== 0; entry = this.table[at]) {
      const index = entry - 1;
      if (this.hashes[index] === hash && this.equals(index, bytes, length)) return ~index;
      at = (at + 1) & mask;
    }
    const index = this.count++;
    if (index === this.starts.length) this.grow();
    this.keep(index, bytes, length);
    this.hashes[index] = hash;
    this.table[at] = index + 1;
    if (this.count * 2 > this.table.length) this.rehash();
    return index;
  }

  /** Where the bytes of a state are. */
  piece(index: number): Uint8Array {
    return this.pieces[Math.trunc(this.starts[index] / PIECE)];
  }

  start(index: number): number {
    return this.starts[index] % PIECE;
  }

  /** How many bytes all of it takes. */
  get size(): number {
    const perState = this.starts.byteLength + this.lengths.byteLength + this.hashes.byteLength;
    return this.pieces.length * PIECE + perState + this.table.byteLength;
  }

  private equals(index: number, bytes: Uint8Array, length: number): boolean {
    if (this.lengths[index] !== length) return false;
    const piece = this.piece(index);
    const start = this.start(index);
    for (let i = 0; i < length; i++) if (piece[start + i] !== bytes[i]) return false;
    return true;
  }

  private keep(index: number, bytes: Uint8Array, length: number): void {
    if (this.used + length > PIECE) {
      this.pieces.push(new Uint8Array(PIECE));
      this.used = 0;
    }
    const last = this.pieces.length - 1;
    this.pieces[last].set(bytes.subarray(0, length), this.used);
    this.starts[index] = last * PIECE + this.used;
    this.lengths[index] = length;
    this.used += length;
  }

  private grow(): void {
    this.starts = grown(this.starts, new Float64Array(2 * this.starts.length));
    this.lengths = grown(this.lengths, new Uint16Array(2 * this.lengths.length));
    this.hashes = grown(this.hashes, new Int32Array(2 * this.hashes.length));
  }

  private rehash(): void {
    const table = new Int32Array(2 * this.table.length);
    const mask = table.length - 1;
    for (let index = 0; index < this.count; index++) {
      let at = this.hashes[index] & mask;
      while (table[at] !== 0) at = (at + 1) & mask;
      table[at] = index + 1;
    }
    this.table = table;
  }
}

const PIECE = 2 ** 22;
const FIRST = 2 ** 12;

function grown<T extends Float64Array | Uint16Array | Int32Array>(old: T, larger: T): T {
  larger.set(old);
  return larger;
}

/** FNV-1a over bytes, and a last round that spreads its bits. */
function hashOf(bytes: Uint8Array, length: number): number {
  let hash = 0x811c9dc5;
  for (let i = 0; i < length; i++) hash = Math.imul(hash ^ bytes[i], 0x01000193);
  hash ^= hash >>> 15;
  hash = Math.imul(hash, 0x2c1b3c6d);
  return hash ^ (hash >>> 13);
}

/** A list of numbers that grows. */
export class Numbers {
  length = 0;
  private values: Int32Array<ArrayBuffer>;

  constructor(room = 1024) {
    this.values = new Int32Array(room);
  }

  push(value: number): void {
    if (this.length === this.values.length) {
      this.values = grown(this.values, new Int32Array(2 * this.length));
    }
    this.values[this.length++] = value;
  }

  get(index: number): number {
    return this.values[index];
  }

  set(index: number, value: number): void {
    this.values[index] = value;
  }

  get size(): number {
    return this.values.byteLength;
  }
}
