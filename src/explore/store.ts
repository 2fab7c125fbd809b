/**
 * States that were reached, as bytes, each once and in the order in which they were found. No state has bytes that begin those of
 * another one (`codec.ts`), so that nothing remembers where they end. They are one after the other in large pieces, each from a word of
 * four bytes on; a table with open addressing finds a state by its hash.
 */
export class Store {
  count = 0;
  private readonly pieces: Int32Array[] = [new Int32Array(PIECE)];
  private readonly bytes: Uint8Array[] = [new Uint8Array(this.pieces[0].buffer)];
  /** Words of the last piece that are used. */
  private used = 0;
  /** By state: the words before it in all pieces. */
  private starts = new Uint32Array(FIRST);
  /** Pairs: the index of a state and 1, or 0 if the place is free; and its hash. */
  private table = new Int32Array(4 * FIRST);
  private given: Uint8Array = this.bytes[0];
  private words: Int32Array = this.pieces[0];

  /** The index of a state; -1 if it is not there. @param bytes with room for a whole number of words */
  find(bytes: Uint8Array, length: number): number {
    const count = this.take(bytes, length);
    const at = this.place(hashOf(this.words, count), count);
    return this.table[at] - 1;
  }

  /** Adds a state, unless it is there. Returns its index, or the complement of its index if it was there. */
  add(bytes: Uint8Array, length: number): number {
    const count = this.take(bytes, length);
    const hash = hashOf(this.words, count);
    const at = this.place(hash, count);
    const known = this.table[at];
    if (known !== 0) return ~(known - 1);
    const index = this.count++;
    if (index === this.starts.length) {
      this.starts = grown(this.starts, new Uint32Array(2 * this.starts.length));
    }
    this.keep(index, count);
    this.table[at] = index + 1;
    this.table[at + 1] = hash;
    if (this.count * 4 > this.table.length) this.rehash();
    return index;
  }

  /** Where the bytes of a state are. */
  piece(index: number): Uint8Array {
    return this.bytes[this.starts[index] >>> PIECE_BITS];
  }

  start(index: number): number {
    return (this.starts[index] & (PIECE - 1)) << 2;
  }

  /** How many bytes all of it takes. */
  get size(): number {
    return 4 * PIECE * this.pieces.length + this.starts.byteLength + this.table.byteLength;
  }

  /** Looks at bytes as words, the last of which is filled with zeros. Returns how many there are. */
  private take(bytes: Uint8Array, length: number): number {
    if (bytes !== this.given) {
      this.given = bytes;
      this.words = new Int32Array(bytes.buffer, bytes.byteOffset, bytes.length >> 2);
    }
    for (let i = length; (i & 3) !== 0; i++) bytes[i] = 0;
    return (length + 3) >> 2;
  }

  /** The place in the table that the words have, or should have. */
  private place(hash: number, count: number): number {
    const { table } = this;
    const mask = table.length - 1;
    let at = (hash << 1) & mask;
    for (let entry = table[at]; entry !== 0; entry = table[at]) {
      if (table[at + 1] === hash && this.equals(entry - 1, count)) break;
      at = (at + 2) & mask;
    }
    return at;
  }

  private equals(index: number, count: number): boolean {
    const { words } = this;
    const start = this.starts[index];
    const piece = this.pieces[start >>> PIECE_BITS];
    const offset = start & (PIECE - 1);
    for (let i = 0; i < count; i++) if (piece[offset + i] !== words[i]) return false;
    return true;
  }

  private keep(index: number, count: number): void {
    if (this.used + count > PIECE) {
      const piece = new Int32Array(PIECE);
      this.pieces.push(piece);
      this.bytes.push(new Uint8Array(piece.buffer));
      this.used = 0;
    }
    const last = this.pieces.length - 1;
    const piece = this.pieces[last];
    for (let i = 0; i < count; i++) piece[this.used + i] = this.words[i];
    this.starts[index] = last * PIECE + this.used;
    this.used += count;
  }

  private rehash(): void {
    const old = this.table;
    const table = new Int32Array(2 * old.length);
    const mask = table.length - 1;
    for (let from = 0; from < old.length; from += 2) {
      if (old[from] === 0) continue;
      let at = (old[from + 1] << 1) & mask;
      while (table[at] !== 0) at = (at + 2) & mask;
      table[at] = old[from];
      table[at + 1] = old[from + 1];
    }
    this.table = table;
  }
}

/** A piece has so many words: four MiB. */
const PIECE_BITS = 20;
const PIECE = 2 ** PIECE_BITS;
const FIRST = 2 ** 12;

function grown<T extends Uint32Array | Int32Array>(old: T, larger: T): T {
  larger.set(old);
  return larger;
}

/** MurmurHash3 of words. */
function hashOf(words: Int32Array, count: number): number {
  let hash = 0;
  for (let i = 0; i < count; i++) {
    let word = Math.imul(words[i], 0xcc9e2d51);
    word = Math.imul((word << 15) | (word >>> 17), 0x1b873593);
    hash ^= word;
    hash = (Math.imul((hash << 13) | (hash >>> 19), 5) + 0xe6546b64) | 0;
  }
  hash ^= hash >>> 16;
  hash = Math.imul(hash, 0x85ebca6b);
  hash ^= hash >>> 13;
  hash = Math.imul(hash, 0xc2b2ae35);
  return hash ^ (hash >>> 16);
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
