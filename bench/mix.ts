// Long straight code: threads of random instructions on two nodes, the same ones every time.

const NODES = [1, 2] as const;
/** Locations of each node, and the values that are written to them. */
const LOCATIONS = 6;
const VALUES = 3;

/** How often each kind of instruction comes, in parts of the sum. A poll where there is nothing to poll is a read. */
const KINDS = { write: 8, read: 8, put: 8, get: 8, poll: 6, rfence: 2, mfence: 2, cas: 1 };
const BAG = Object.entries(KINDS).flatMap(([kind, parts]) => Array<string>(parts).fill(kind));

/**
 * The text of a test. Asked is for what one interleaving, in which each instruction has its effects at once, leaves in
 * every second register. So the answer is "allowed" under every model that admits what is sequentially consistent. But
 * that is not easy to see: few writes have a value that no other has, and of most reads it is open what they read.
 * Values that are drawn at random instead are mostly refuted by two or three instructions.
 */
export function mix(threads: number, length: number): string {
  const draw = drawing(threads * 1000 + length);
  const programs = range(threads).map((t) => thread(t, length, draw));
  const left = interleave(programs, draw);
  const declared = (node: number): readonly string[] =>
    range(LOCATIONS).map((i) => `${location(node, i)} = 0`);
  const asked = [...left].filter((_, i) => i % 2 === 0).map(([name, v]) => `${name} = ${v}`);
  return [
    `RDMA mix${threads}-${length}`,
    ...NODES.map((node) => `node ${node} { ${declared(node).join('; ')} }`),
    ...programs.map(
      ({ node, body }, t) =>
        `thread T${t} on ${node} { ${body.map(({ text }) => text).join('; ')} }`,
    ),
    `exists (${asked.join(' /\\ ')})`,
    '',
  ].join('\n');
}

const range = (n: number): readonly number[] => Array.from({ length: n }, (_, i) => i);
const location = (node: number, i: number): string => `${'xy'[node - 1]}${i}`;

/** Gives whole numbers from 0 on and below its argument. */
type Draw = (below: number) => number;

type Memory = Map<string, number>;

/** What an instruction is in text, which register it sets, and what it does to memory. */
interface Step {
  readonly text: string;
  readonly register?: string;
  /** Gives the value of the register. */
  run(memory: Memory): number | undefined;
}

interface Thread {
  readonly node: number;
  readonly body: readonly Step[];
}

/** Mulberry32. */
function drawing(seed: number): Draw {
  let state = seed;
  return (below) => {
    state = (state + 0x6d2b79f5) | 0;
    let n = Math.imul(state ^ (state >>> 15), 1 | state);
    n = (n + Math.imul(n ^ (n >>> 7), 61 | n)) ^ n;
    return Math.floor((((n ^ (n >>> 14)) >>> 0) / 2 ** 32) * below);
  };
}

function thread(t: number, length: number, draw: Draw): Thread {
  const node = NODES[t % NODES.length];
  const other = NODES.find((n) => n !== node)!;
  let unpolled = 0;
  const body = range(length).map((i): Step => {
    const register = `${'abcdefghij'[t]}${i}`;
    const drawn = BAG[draw(BAG.length)];
    const kind = drawn === 'poll' && unpolled === 0 ? 'read' : drawn;
    const own = location(node, draw(LOCATIONS));
    const far = location(other, draw(LOCATIONS));
    const [expected, value] = [draw(VALUES + 1), 1 + draw(VALUES)];
    if (kind === 'put' || kind === 'get') unpolled += 1;
    if (kind === 'poll') unpolled -= 1;
    switch (kind) {
      case 'write':
        return { text: `${own} := ${value}`, run: setting(own, value) };
      case 'put':
        return { text: `${far}^${other} := ${value}`, run: setting(far, value) };
      case 'read':
        return { text: `${register} := ${own}`, register, run: (m) => m.get(own) };
      case 'get':
        return { text: `${register} := ${far}^${other}`, register, run: (m) => m.get(far) };
      case 'cas': {
        const run = (m: Memory): number => {
          const before = m.get(own)!;
          if (before === expected) m.set(own, value);
          return before;
        };
        return { text: `${register} := CAS(${own}, ${expected}, ${value})`, register, run };
      }
      case 'mfence':
        return { text: 'mfence', run: () => undefined };
      default:
        return { text: `${kind}(${other})`, run: () => undefined };
    }
  });
  return { node, body };
}

const setting =
  (name: string, value: number) =>
  (memory: Memory): undefined => {
    memory.set(name, value);
  };

/** What the registers hold in the end, by name. */
function interleave(programs: readonly Thread[], draw: Draw): ReadonlyMap<string, number> {
  const memory: Memory = new Map(
    NODES.flatMap((node) => range(LOCATIONS).map((i) => [location(node, i), 0])),
  );
  const rest = programs.map(({ body }) => [...body]);
  const left = new Map<string, number>();
  for (;;) {
    const open = rest.filter((body) => body.length > 0);
    if (open.length === 0) return left;
    const { register, run } = open[draw(open.length)].shift()!;
    const value = run(memory);
    if (register !== undefined) left.set(register, value!);
  }
}
