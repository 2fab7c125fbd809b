import type { Alphabet, Letter } from './alphabet.js';
import { isPlace } from './alphabet.js';
import type { Shape, ShapedCall, ShapedLocation, ShapedThread } from './shape.js';
import { compareNumbers, numbersOf } from './shape.js';

/** How large the programs of one group are: all of a group have as many calls, threads, nodes, queue pairs with names, and locations. */
export interface Size {
  /** Of each thread, the most first. */
  readonly calls: readonly number[];
  readonly nodes: number;
  readonly namedPairs: number;
  readonly locations: number;
}

/** The groups of programs with so many calls, in the order in which people find them simple. */
export function* sizesOf(calls: number, { letters, hasNamedPairs }: Alphabet): Generator<Size> {
  const most = mostPlaces(letters);
  const isNamed = hasNamedPairs && letters.some(({ onPair }) => onPair);
  for (let threads = 1; threads <= calls; threads++) {
    const splits = [...partitions(calls, threads, calls)];
    // The first call of a thread is on none with a name.
    const mostNamed = isNamed ? calls - threads : 0;
    for (let nodes = 1; nodes <= threads + calls; nodes++) {
      for (let namedPairs = 0; namedPairs <= mostNamed; namedPairs++) {
        for (let locations = 0; locations <= most * calls; locations++) {
          for (const split of splits) yield { calls: split, nodes, namedPairs, locations };
        }
      }
    }
  }
}

const mostPlaces = (letters: readonly Letter[]): number =>
  Math.max(0, ...letters.map(({ slots }) => slots.filter(isPlace).length));

/** The ways to divide calls among threads, the most calls first. */
function* partitions(calls: number, threads: number, most: number): Generator<readonly number[]> {
  if (threads === 0) {
    if (calls === 0) yield [];
    return;
  }
  for (let first = Math.min(calls, most); first * threads >= calls && first > 0; first--) {
    for (const rest of partitions(calls - first, threads - 1, first)) yield [first, ...rest];
  }
}

/**
 * Ways in which programs of a size begin: in their order, those from one up to, but not including, another. Whatever
 * begins otherwise is passed over without being made.
 */
export interface Beginnings {
  /** How many calls a beginning has, those of the first threads first; fewer than the programs. */
  readonly calls: number;
  readonly from: number;
  readonly to: number;
}

/** However they begin. */
export const ANY: Beginnings = { calls: 0, from: 0, to: 1 };

/** How many ways there are for programs of a size to begin. With some of them no program goes on. */
export function countBeginnings(alphabet: Alphabet, size: Size, calls: number): number {
  if (calls === 0) return 1;
  const passed = new Enumeration(alphabet, size, () => true, {
    calls,
    from: Infinity,
    to: Infinity,
  });
  passed.thread(0);
  return passed.begun;
}

/**
 * All programs of a size, each once up to the names of threads, nodes, queue pairs and locations: of those that differ in names only, the one
 * whose numbers come first. Left out are calls that take what no earlier call of their thread left, connections with an end that several
 * threads have, and those on which a call waits for ever.
 *
 * @param visit is given each program; it returns true to stop
 */
export function enumerateShapes(
  alphabet: Alphabet,
  size: Size,
  visit: (shape: Shape) => boolean | void,
  beginnings = ANY,
): void {
  new Enumeration(alphabet, size, visit, beginnings).thread(0);
}

class Enumeration {
  private readonly threads: { node: number; calls: ShapedCall[] }[] = [];
  private readonly locations: ShapedLocation[] = [];
  private nodes = 0;
  private namedPairs = 0;
  /** How many calls there are, and how many beginnings there were. */
  private made = 0;
  begun = 0;
  private stopped = false;
  /** The numbers of the first thread alone. */
  private first: readonly number[] = [];
  private readonly orders: readonly (readonly number[])[];
  /** How many calls there are to be. */
  private readonly calls: number;
  /** By letter: its places, whether each is at the other end. */
  private readonly placesOf: readonly (readonly boolean[])[];
  /** How many locations, and how many nodes, one call can add. */
  private readonly mostPlaces: number;
  private readonly mostNodes: number;

  constructor(
    private readonly alphabet: Alphabet,
    private readonly size: Size,
    private readonly visit: (shape: Shape) => boolean | void,
    private readonly beginnings: Beginnings,
  ) {
    const { letters } = alphabet;
    this.orders = ordersOf(size.calls);
    this.calls = size.calls.reduce((sum, one) => sum + one, 0);
    this.placesOf = letters.map(({ slots }) =>
      slots.filter(isPlace).map(({ kind }) => kind === 'there'),
    );
    this.mostPlaces = mostPlaces(letters);
    this.mostNodes = letters.some(({ onPair }) => onPair) ? 1 : 0;
  }

  thread(index: number): void {
    const { threads, size, calls, made } = this;
    if (index === size.calls.length) return this.done();
    for (let node = 0; node <= this.nodes && node < size.nodes; node++) {
      const before = this.nodes;
      this.nodes = Math.max(before, node + 1);
      if (this.mayHaveNodes(index, calls - made)) {
        threads.push({ node, calls: [] });
        this.call(index);
        threads.pop();
      }
      this.nodes = before;
      if (this.stopped) return;
    }
  }

  private call(index: number): void {
    const { size, alphabet, placesOf } = this;
    const { node, calls } = this.threads[index];
    const position = calls.length;
    if (position === size.calls[index]) {
      if (!this.mayBeFirst(index)) return;
      return this.thread(index + 1);
    }
    const isEnd = position === 0 || position === size.calls[index] - 1;
    for (let letter = 0; letter < placesOf.length; letter++) {
      const { onPair, wire } = alphabet.letters[letter];
      const { length } = placesOf[letter];
      if ((isEnd && length === 0) || !this.mayHaveLocations(length)) continue;
      const ends = onPair ? Math.min(this.nodes + 1, size.nodes) : 1;
      for (let to = 0; to < ends; to++) {
        if (onPair && to === node) continue;
        if (wire !== undefined && this.hasEnd(index, to)) continue;
        const before = this.nodes;
        if (onPair) this.nodes = Math.max(before, to + 1);
        if (this.mayHaveNodes(index, this.calls - this.made - 1)) {
          if (onPair) this.onPairs(index, letter, to);
          else this.places(index, { letter, places: [] });
        }
        this.nodes = before;
        if (this.stopped) return;
      }
    }
  }

  /** Makes a call on each queue pair of its thread to a node, and on one more. */
  private onPairs(index: number, letter: number, to: number): void {
    const { size, calls, made } = this;
    const { takes, operation, wire } = this.alphabet.letters[letter];
    const own = this.threads[index].calls.filter((call) => call.to === to);
    const known = own.reduce((most, { pair = 0 }) => Math.max(most, pair + 1), 0);
    const connection = own.find((call) => this.alphabet.letters[call.letter].wire !== undefined);
    for (let pair = 0; pair <= known && !this.stopped; pair++) {
      if (takes && !this.isLeft(operation.name, own, pair)) continue;
      // One thread has one connection to a node.
      if (wire !== undefined && connection !== undefined && pair !== (connection.pair ?? 0))
        continue;
      const adds = pair > 0 && pair === known ? 1 : 0;
      const named = this.namedPairs + adds;
      if (named > size.namedPairs || named + calls - made - 1 < size.namedPairs) continue;
      this.namedPairs = named;
      this.places(index, { letter, to, ...(pair > 0 && { pair }), places: [] });
      this.namedPairs -= adds;
    }
  }

  /** Chooses the places of a call one by one. */
  private places(index: number, call: ShapedCall): void {
    const { locations, size, threads, alphabet } = this;
    const at = this.placesOf[call.letter];
    const { length } = call.places;
    if (length === at.length) {
      threads[index].calls.push(call);
      this.made += 1;
      if (this.made !== this.beginnings.calls || this.isWanted(this.begun++)) this.call(index);
      this.made -= 1;
      threads[index].calls.pop();
      return;
    }
    const node = at[length] ? call.to! : threads[index].node;
    if (this.mayHaveLocations(at.length - length - 1)) {
      for (let place = 0; place < locations.length; place++) {
        if (locations[place].node !== node) continue;
        this.places(index, { ...call, places: [...call.places, place] });
        if (this.stopped) return;
      }
    }
    if (locations.length === size.locations) return;
    for (let mark = 0; mark <= alphabet.marks.length && !this.stopped; mark++) {
      locations.push({ node, mark });
      this.places(index, { ...call, places: [...call.places, locations.length - 1] });
      locations.pop();
    }
  }

  /** Can there be all nodes yet, after the threads up to one, with so many more calls? */
  private mayHaveNodes(index: number, calls: number): boolean {
    const { size, nodes, mostNodes } = this;
    return nodes + (size.calls.length - 1 - index) + mostNodes * calls >= size.nodes;
  }

  /** Can there be all locations yet, with so many more places of the next call? */
  private mayHaveLocations(places: number): boolean {
    const { size, locations, mostPlaces, calls, made } = this;
    return locations.length + places + mostPlaces * (calls - made - 1) >= size.locations;
  }

  private isWanted(beginning: number): boolean {
    const { from, to } = this.beginnings;
    if (beginning >= to) this.stopped = true;
    return from <= beginning && beginning < to;
  }

  /** Have calls of a thread to one node left something on a queue pair that a call with this name could take? */
  private isLeft(name: string, own: readonly ShapedCall[], pair: number): boolean {
    let left = 0;
    for (const call of own) {
      if ((call.pair ?? 0) !== pair) continue;
      const { leaves, takes, operation } = this.alphabet.letters[call.letter];
      if (takes && operation.name === name) left -= 1;
      else if (leaves.includes(name)) left += 1;
    }
    return left > 0;
  }

  /** Has an earlier thread on the node of a thread the end there of its connection to another node? */
  private hasEnd(index: number, to: number): boolean {
    const { threads, alphabet } = this;
    return threads
      .slice(0, index)
      .some(
        ({ node, calls }) =>
          node === threads[index].node &&
          calls.some((call) => call.to === to && alphabet.letters[call.letter].wire !== undefined),
      );
  }

  /** Could the first thread still be the first one, after this one? */
  private mayBeFirst(index: number): boolean {
    const { threads, locations, size } = this;
    if (index === 0) this.first = numbersOf({ threads, locations }, [0]);
    else if (size.calls[index] === size.calls[0]) {
      return compareNumbers({ threads, locations }, [index], this.first) >= 0;
    }
    return true;
  }

  /** Are there as many calls on each connection as others there wait for? */
  private areMet(): boolean {
    const { threads, alphabet } = this;
    const left = new Map<string, number>();
    const add = (names: readonly string[], wire: string, count: number): void => {
      for (const name of names)
        left.set(`${name} ${wire}`, (left.get(`${name} ${wire}`) ?? 0) + count);
    };
    for (const { node, calls } of threads) {
      for (const { letter, to } of calls) {
        const { wire } = alphabet.letters[letter];
        if (wire === undefined) continue;
        const from = wire.end === 'to' ? `${node} ${to}` : `${to} ${node}`;
        add(wire.meets, from, 1);
        add(wire.needs, from, -1);
      }
    }
    return [...left.values()].every((count) => count >= 0);
  }

  private done(): void {
    const { threads, locations, nodes, namedPairs, size, orders } = this;
    if (nodes !== size.nodes || locations.length !== size.locations) return;
    if (namedPairs !== size.namedPairs) return;
    if (!this.areMet()) return;
    const own = numbersOf({ threads, locations }, orders[0]);
    for (const order of orders.slice(1)) {
      if (compareNumbers({ threads, locations }, order, own) < 0) return;
    }
    const copy: readonly ShapedThread[] = threads.map(({ node, calls }) => ({
      node,
      calls: [...calls],
    }));
    if (this.visit({ threads: copy, nodes, locations: [...locations] }) === true)
      this.stopped = true;
  }
}

/** The orders of threads in which threads with more calls stay before those with fewer; the given one first. */
function ordersOf(calls: readonly number[]): readonly (readonly number[])[] {
  const orders: number[][] = [];
  const extend = (chosen: readonly number[]): void => {
    if (chosen.length === calls.length) return void orders.push([...chosen]);
    const wanted = calls[chosen.length];
    for (const [index, count] of calls.entries()) {
      if (count === wanted && !chosen.includes(index)) extend([...chosen, index]);
    }
  };
  extend([]);
  return orders;
}

/**
 * Can the models give a program several outcomes? Each call of a CPU has to be about a location that another call
 * accesses, one of the two to write it; and there is such a location.
 */
export function isContended({ threads, locations }: Shape, { letters }: Alphabet): boolean {
  const reads = locations.map(() => 0);
  const writes = locations.map(() => 0);
  for (const { calls } of threads) {
    for (const { letter, places } of calls) {
      const slots = letters[letter].slots.filter(isPlace);
      for (const [i, place] of places.entries()) {
        // A call that has a place twice accesses it once.
        if (places.indexOf(place) < i) continue;
        const does = (what: 'reads' | 'writes'): boolean =>
          slots.some((slot, j) => places[j] === place && slot[what]);
        if (does('writes')) writes[place] += 1;
        else if (does('reads')) reads[place] += 1;
      }
    }
  }
  const isShared = (place: number): boolean =>
    writes[place] > 1 || (writes[place] > 0 && reads[place] > 0);
  return (
    locations.some((_, place) => isShared(place)) &&
    threads.every(({ calls }) =>
      calls.every(
        ({ to, places }) => to !== undefined || places.length === 0 || places.some(isShared),
      ),
    )
  );
}
