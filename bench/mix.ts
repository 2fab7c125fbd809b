// Long straight code: threads of random instructions on two nodes, the same ones every time.

const NODES = [1, 2];
/** Locations of each node, and the values that are written to them. */
const LOCATIONS = 6;
const VALUES = 3;

/** How often each kind of instruction comes, in parts of the sum. A poll where there is nothing to poll is a read. */
const KINDS = { write: 8, read: 8, put: 8, get: 8, poll: 6, rfence: 2, mfence: 2, cas: 1 };
const BAG = Object.entries(KINDS).flatMap(([kind, parts]) => Array(parts).fill(kind));

/**
 * The text of a test. Asked is for what one interleaving, in which each instruction has its effects at once, leaves in
 * every second register. So the answer is "allowed" under every model that admits what is sequentially consistent. But
 * that is not easy to see: few writes have a value that no other has, and of most reads it is open what they read.
 * Values that are drawn at random instead are mostly refuted by two or three instructions.
 */
export function mix(threads, length) {
  const draw = drawing(threads * 1000 + length);
  const programs = range(threads).map((t) => thread(t, length, draw));
  const left = interleave(programs, draw);
  const declared = (node) => range(LOCATIONS).map((i) => `${location(node, i)} = 0`);
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

const range = (n) => Array.from({ length: n }, (_, i) => i);
const location = (node, i) => `${'xy'[node - 1]}${i}`;

/** Gives whole numbers from 0 on and below its argument (mulberry32). */
function drawing(seed) {
  let state = seed;
  return (below) => {
    state = (state + 0x6d2b79f5) | 0;
    let n = Math.imul(state ^ (state >>> 15), 1 | state);
    n = (n + Math.imul(n ^ (n >>> 7), 61 | n)) ^ n;
    return Math.floor((((n ^ (n >>> 14)) >>> 0) / 2 ** 32) * below);
  };
}

/** Instructions: what they are in text, which register they set, and what they do to memory. */
function thread(t, length, draw) {
  const node = NODES[t % NODES.length];
  const other = NODES.find((n) => n !== node);
  let unpolled = 0;
  const body = range(length).map((i) => {
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
        return { text: `${own} := ${value}`, run: (m) => m.set(own, value) };
      case 'put':
        return { text: `${far}^${other} := ${value}`, run: (m) => m.set(far, value) };
      case 'read':
        return { text: `${register} := ${own}`, register, run: (m) => m.get(own) };
      case 'get':
        return { text: `${register} := ${far}^${other}`, register, run: (m) => m.get(far) };
      case 'cas': {
        const run = (m) => {
          const before = m.get(own);
          if (before === expected) m.set(own, value);
          return before;
        };
        return { text: `${register} := CAS(${own}, ${expected}, ${value})`, register, run };
      }
      case 'mfence':
        return { text: 'mfence', run: () => {} };
      default:
        return { text: `${kind}(${other})`, run: () => {} };
    }
  });
  return { node, body };
}

/** What the registers hold in the end, by name. */
function interleave(programs, draw) {
  const memory = new Map(
    NODES.flatMap((node) => range(LOCATIONS).map((i) => [location(node, i), 0])),
  );
  const rest = programs.map(({ body }) => [...body]);
  const left = new Map();
  for (;;) {
    const open = rest.filter((body) => body.length > 0);
    if (open.length === 0) return left;
    const { register, run } = open[draw(open.length)].shift();
    const value = run(memory);
    if (register !== undefined) left.set(register, value);
  }
}
