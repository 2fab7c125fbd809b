import type { InstructionSet, Library } from '../../model/instructions/set.js';
import type { CallKind, GeneratedCall, AlphabetNames } from './alphabet.js';
import { PLAIN_LETTER, callText, callKindsOf, workOf } from './alphabet.js';

/** How large generated clients get. */
export interface GenerateBounds {
  readonly threads: number;
  readonly nodes: number;
  /** Calls of one thread. */
  readonly calls: number;
  readonly objects: number;
  readonly locations: number;
  /** How many numbers are written. */
  readonly values: number;
}

/**
 * All of them are too many: the first ten thousand take a minute or two, and are those with the fewest calls. Some mistakes
 * need more: a third node, a third thread.
 */
export const GENERATE_BOUNDS: GenerateBounds = {
  threads: 2,
  nodes: 2,
  calls: 3,
  objects: 2,
  locations: 2,
  values: 3,
};

/** What does not depend on the calls of a client. */
interface Shape {
  /** The node of each thread, by index. */
  readonly threads: readonly number[];
  readonly objects: readonly ObjectShape[];
  /** The node of each location. */
  readonly locations: readonly number[];
}

interface ObjectShape {
  readonly library: number;
  readonly node?: number;
  /** For each role of its library, the threads in it. */
  readonly roles: readonly (readonly number[])[];
}

/** A generated client. */
export interface Generated {
  readonly shape: Shape;
  readonly threads: readonly (readonly GeneratedCall[])[];
}

const LETTERS = 'abcdefgh';

/**
 * All clients of some libraries within bounds, up to the names of threads, nodes, objects, locations and numbers, the
 * ones with fewer calls first. Of those with as many calls, the ones come first that write a number of its own each time:
 * they tell by what is read which write it is from. Left out are: locations that are written or read by nobody, and waits
 * for nothing.
 */
export class ClientGenerator {
  private readonly own: readonly Library[];
  private readonly kinds: readonly CallKind[];

  constructor(
    private readonly instructions: InstructionSet,
    libraries: readonly string[],
    private readonly bounds: GenerateBounds,
  ) {
    this.own = instructions.libraries.filter(({ name }) => libraries.includes(name));
    this.kinds = callKindsOf(instructions, libraries);
  }

  *clients(): Generator<Generated> {
    const { threads, calls } = this.bounds;
    for (let size = 1; size <= threads * calls; size++) {
      for (const repeats of [false, true]) {
        for (const shape of this.shapes()) yield* this.ofSize(shape, size, repeats);
      }
    }
  }

  /** The text of a client. */
  text({ shape, threads }: Generated, name: string): string {
    const names = this.names(shape);
    const nodes = names.nodes.map((node, i) => {
      const own = names.locations.filter((l) => l.node === i).map((l) => `${l.name} = 0`);
      return `node ${node} ${own.length === 0 ? '{}' : `{ ${own.join('; ')} }`}`;
    });
    const objects = shape.objects.map(({ library, node, roles }, i) => {
      const { name: of, object, roles: declared } = this.own[library];
      const on = node === undefined ? '' : ` on ${names.nodes[node]}`;
      const words = object?.sized === true ? ` of ${WORDS} words` : '';
      const parts = declared.map(
        (role, r) => `${role.name} ${roles[r].map((t) => `T${t + 1}`).join(', ')}`,
      );
      return `${of} ${names.objects[i]}${on}${words}${parts.length === 0 ? '' : ` (${parts.join('; ')})`}`;
    });
    const bodies = threads.map((calls, t) => {
      const written = calls.map((call, k) => callText(call, names, `${LETTERS[t]}${k + 1}`));
      return `thread T${t + 1} on ${names.nodes[shape.threads[t]]} { ${written.join('; ')} }`;
    });
    const uses = this.own.map(({ file }) => file).join(', ');
    return `RDMA ${name}\nuses ${uses}\n\n${[...nodes, ...objects].join('\n')}\n\n${bodies.join('\n')}\n`;
  }

  private names({ threads, objects, locations }: Shape): AlphabetNames {
    const nodes = Math.max(...threads, ...locations, ...objects.map(({ node = 0 }) => node)) + 1;
    return {
      objects: objects.map((_, i) => `o${i + 1}`),
      locations: locations.map((node, i) => ({ name: `x${i + 1}`, node })),
      nodes: Array.from({ length: nodes }, (_, i) => String(i + 1)),
      words: objects.map(({ library }) =>
        this.own[library].object?.sized === true ? WORDS : undefined,
      ),
    };
  }

  // Shapes.

  private *shapes(): Generator<Shape> {
    const { bounds } = this;
    for (const threads of this.placements()) {
      const nodes = Math.max(...threads) + 1;
      for (const objects of tuples([...this.objectShapes(threads.length, nodes)], bounds.objects)) {
        for (const locations of tuples([...Array(nodes).keys()], bounds.locations)) {
          yield { threads, objects, locations };
        }
      }
    }
  }

  /** Threads on nodes, which are numbered as they come. */
  private *placements(before: readonly number[] = []): Generator<readonly number[]> {
    const { threads, nodes } = this.bounds;
    if (before.length > 0) yield before;
    if (before.length === threads) return;
    const next = Math.min(nodes - 1, Math.max(-1, ...before) + 1);
    for (let node = 0; node <= next; node++) yield* this.placements([...before, node]);
  }

  private *objectShapes(threads: number, nodes: number): Generator<ObjectShape> {
    for (const [library, { object, roles }] of this.own.entries()) {
      if (object === undefined) continue;
      const on = object.cells === 'one' ? [...Array(nodes).keys()] : [undefined];
      const takings = product(
        roles.map(({ many }) =>
          many ? subsets(threads) : [...Array(threads).keys()].map((t) => [t]),
        ),
      );
      for (const node of on) for (const taking of takings) yield { library, node, roles: taking };
    }
  }

  // Calls.

  /** @param repeats whether a number is written again while there are others */
  private *ofSize(shape: Shape, size: number, repeats: boolean): Generator<Generated> {
    const { threads } = shape;
    for (const lengths of split(size, threads.length, this.bounds.calls)) {
      const alphabets = threads.map((_, t) => this.alphabet(shape, t));
      const unused: Used = { ...INITIAL, repeats: repeats ? 'needed' : 'none' };
      for (const client of this.filled(shape, lengths, alphabets, [], unused)) {
        if (isUseful(client, this.instructions) && isLeast(client)) yield client;
      }
    }
  }

  /** All that a thread may call. */
  private alphabet(shape: Shape, thread: number): readonly GeneratedCall[] {
    const here = shape.threads[thread];
    const values = [...Array(this.bounds.values).keys()].map((v) => v + 1);
    const plain = shape.locations.flatMap((node, location) =>
      PLAIN_LETTER.flatMap((kind): GeneratedCall[] => {
        const access = kind.kind === 'plain' ? kind.access : 'read';
        const isRemote = access === 'put' || access === 'get';
        if (isRemote === (node === here)) return [];
        const writes = access === 'put' || access === 'write';
        return writes
          ? values.map((value) => ({ kind, about: [location], value }))
          : [{ kind, about: [location] }];
      }),
    );
    return [...this.kinds.flatMap((kind) => this.callsOf(kind, shape, thread, values)), ...plain];
  }

  private callsOf(
    kind: CallKind,
    { threads, objects }: Shape,
    thread: number,
    values: readonly number[],
  ): readonly GeneratedCall[] {
    if (kind.kind !== 'operation') return [];
    const { operation, takes } = kind;
    const mine = [...objects.keys()].filter((i) => {
      const { library, roles } = objects[i];
      const { name, roles: declared } = this.own[library];
      if (name !== operation.library) return false;
      const role = declared.findIndex((one) => one.name === operation.by);
      return role < 0 || roles[role].includes(thread);
    });
    const nodes = Math.max(...threads) + 1;
    const sets = takes.some((p) => p.kind === 'nodes')
      ? subsets(nodes)
      : takes.some((p) => p.kind === 'node' || p.kind === 'peer')
        ? [...Array(nodes).keys()].map((node) => [node])
        : [undefined];
    const given = takes.some((p) => p.kind === 'value') ? values : [undefined];
    const here = threads[thread];
    const abouts = product(
      kind.near.map((isNear) =>
        isNear ? mine.filter((i) => (objects[i].node ?? here) === here) : mine,
      ),
    );
    return abouts.flatMap((about) =>
      sets.flatMap((of) => given.map((value) => ({ kind, about, value, nodes: of }))),
    );
  }

  /** All ways to fill threads; objects, locations and numbers are used in the order of their indices. */
  private *filled(
    shape: Shape,
    lengths: readonly number[],
    alphabets: readonly (readonly GeneratedCall[])[],
    before: readonly (readonly GeneratedCall[])[],
    used: Used,
  ): Generator<Generated> {
    const current = before.length - 1;
    if (current >= 0 && before[current].length < lengths[current]) {
      for (const call of alphabets[current]) {
        const after = usedAfter(used, call, this.bounds.values);
        if (after === undefined) continue;
        const grown = [...before.slice(0, -1), [...before[current], call]];
        yield* this.filled(shape, lengths, alphabets, grown, after);
      }
      return;
    }
    if (before.length < lengths.length) {
      yield* this.filled(shape, lengths, alphabets, [...before, []], used);
      return;
    }
    const { objects, locations } = shape;
    if (used.repeats === 'needed') return;
    if (used.objects === objects.length && used.locations === locations.length) {
      yield { shape, threads: before };
    }
  }
}

/** The number of words of objects whose library says that they have several. */
const WORDS = 2;

/** How many objects, locations and numbers are used so far. */
interface Used {
  readonly objects: number;
  readonly locations: number;
  readonly values: number;
  /** Whether a number may be written again while there are others: not at all, once at least, or as it likes. */
  readonly repeats: 'none' | 'needed' | 'any';
}

const INITIAL: Used = { objects: 0, locations: 0, values: 0, repeats: 'any' };

/**
 * Undefined where a call names something before what comes before it, or a number again that must not be.
 *
 * @param values how many numbers there are
 */
function usedAfter(
  used: Used,
  { kind, about, value = 0 }: GeneratedCall,
  values: number,
): Used | undefined {
  const what = kind.kind === 'plain' ? 'locations' : 'objects';
  let count = used[what];
  for (const one of about) {
    if (one > count) return undefined;
    count = Math.max(count, one + 1);
  }
  if (value > used.values + 1) return undefined;
  const after = { ...used, [what]: count, values: Math.max(used.values, value) };
  const isAgain = value > 0 && value <= used.values && used.values < values;
  if (!isAgain) return after;
  return used.repeats === 'none' ? undefined : { ...after, repeats: 'any' };
}

/** Is each location written and read, and something there for each wait; and is some call of a library? */
function isUseful({ shape, threads }: Generated, instructions: InstructionSet): boolean {
  const all = threads.flat();
  const accessed = (location: number, accesses: readonly string[]): boolean =>
    all.some(
      ({ kind, about }) =>
        kind.kind === 'plain' && about[0] === location && accesses.includes(kind.access),
    );
  const isUsed = [...shape.locations.keys()].every(
    (l) => accessed(l, ['write', 'put']) && accessed(l, ['read', 'get']),
  );
  if (!isUsed || all.every(({ kind }) => kind.kind === 'plain')) return false;
  return threads.every((calls) => {
    const works = calls.map((call) => workOf(call, instructions));
    const first = works.indexOf('waits');
    return first < 0 || works.slice(0, first).includes('makes');
  });
}

/** Of the clients that differ only in the order of threads, one is the least. */
function isLeast(client: Generated): boolean {
  const own = keyOf(client, [...client.threads.keys()]);
  return permutations([...client.threads.keys()]).every((order) => own <= keyOf(client, order));
}

/** A client whose threads stand in some order, with all else named as it comes. */
function keyOf({ shape, threads }: Generated, order: readonly number[]): string {
  const naming = () => {
    const names = new Map<number, number>();
    return (one: number): number => {
      if (!names.has(one)) names.set(one, names.size);
      return names.get(one)!;
    };
  };
  const [node, object, location, value] = [naming(), naming(), naming(), naming()];
  const places = order.map((t) => node(shape.threads[t]));
  const at = (t: number): number => order.indexOf(t);
  const calls = order.map((t) =>
    threads[t].map(({ kind, about, value: given, nodes }) => [
      kind.kind === 'plain' ? kind.access : kind.operation.name,
      about.map(kind.kind === 'plain' ? location : object),
      given === undefined ? -1 : value(given),
      (nodes ?? []).map(node).sort(),
    ]),
  );
  const objects = shape.objects
    .map((one, i) => [
      object(i),
      one.library,
      one.node === undefined ? -1 : node(one.node),
      one.roles.map((taking) => taking.map(at).sort()),
    ])
    .sort((a, b) => Number(a[0]) - Number(b[0]));
  const locations = shape.locations
    .map((one, i) => [location(i), node(one)])
    .sort((a, b) => a[0] - b[0]);
  const lengths = calls.map((list) => String.fromCharCode(255 - list.length));
  return JSON.stringify([lengths, places, calls, objects, locations]);
}

/** All sequences of up to a number of members of a list, shorter ones first. */
function* tuples<T>(list: readonly T[], most: number): Generator<readonly T[]> {
  let layer: readonly (readonly T[])[] = [[]];
  for (let length = 0; length <= most; length++) {
    yield* layer;
    layer = layer.flatMap((before) => list.map((one) => [...before, one]));
  }
}

/** One member of each list, in all ways. */
const product = <T>(lists: readonly (readonly T[])[]): readonly (readonly T[])[] =>
  lists.reduce<readonly (readonly T[])[]>(
    (before, list) => before.flatMap((some) => list.map((one) => [...some, one])),
    [[]],
  );

/** All sets of some of the first numbers that have a member. */
const subsets = (size: number): readonly (readonly number[])[] =>
  Array.from({ length: 2 ** size - 1 }, (_, i) =>
    [...Array(size).keys()].filter((k) => ((i + 1) >> k) & 1),
  );

/** All ways to make a sum of some numbers from 1 on. */
function* split(sum: number, parts: number, most: number): Generator<readonly number[]> {
  if (parts === 0) {
    if (sum === 0) yield [];
    return;
  }
  for (let first = Math.min(most, sum); first >= 1; first--) {
    for (const rest of split(sum - first, parts - 1, most)) yield [first, ...rest];
  }
}

const permutations = (list: readonly number[]): readonly (readonly number[])[] =>
  list.length === 0
    ? [[]]
    : list.flatMap((one) =>
        permutations(list.filter((other) => other !== one)).map((rest) => [one, ...rest]),
      );
