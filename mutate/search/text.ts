import type { Op, Small } from './programs.js';

/** The body of a litmus file: nodes and threads, with names that are used and nothing else. */
export interface Written {
  readonly nodes: readonly string[];
  readonly threads: readonly {
    readonly name: string;
    readonly node: number;
    readonly body: readonly string[];
  }[];
}

const LOCATIONS: readonly (readonly string[])[] = [
  [],
  ['x', 'y', 'x1', 'x2', 'x3'],
  ['z', 'w', 'z1', 'z2', 'z3'],
  ['u', 'v', 'u1', 'u2', 'u3'],
  ['k', 'l', 'k1', 'k2', 'k3'],
];
const REGISTERS = ['a', 'b', 'c', 'd', 'e', 'f', 'g', 'h'];
const PRIVATE = ['p', 'q', 'r', 's', 't', 'o', 'm', 'n'];

/** More than there are writes to a location: sums differ from what is written. */
const ADDED = 10;
/** What no location has. */
const NOWHERE = -1;

/** Names everything: each read has a register of its own, each write the next value. */
export function write({ threads }: Small): Written {
  const names = new Map<string, string>();
  const values = new Map<string, number>();
  let registers = 0;
  let privates = 0;
  const used = new Map<number, string[]>([[1, []]]);
  const location = (node: number, index: number): string => {
    const key = `${node} ${index}`;
    const list = used.get(node) ?? [];
    used.set(node, list);
    if (!names.has(key)) {
      const name = LOCATIONS[node][list.length];
      names.set(key, name);
      list.push(name);
    }
    return names.get(key)!;
  };
  const next = (name: string): number => {
    values.set(name, (values.get(name) ?? 0) + 1);
    return values.get(name)!;
  };
  const text = (node: number, o: Op): string => {
    switch (o.op) {
      case 'write': {
        const x = location(node, o.at);
        return `${x} := ${next(x)}`;
      }
      case 'read':
        return `${REGISTERS[registers++]} := ${location(node, o.at)}`;
      case 'copy': {
        const from = location(node, o.from);
        return `${location(node, o.at)} := ${from}`;
      }
      case 'cas': {
        const x = location(node, o.at);
        return `${REGISTERS[registers++]} := CAS(${x}, ${o.old}, ${next(x)})`;
      }
      case 'fence':
        return 'mfence';
      case 'poll':
        return `poll(${o.towards})`;
      case 'wait':
        return `wait(${o.work})`;
      case 'rfence':
        return `rfence(${o.towards})`;
      case 'get':
      case 'put':
      case 'rfaa':
      case 'rcas':
      case 'fail': {
        const own = o.own === undefined ? undefined : location(node, o.own);
        const remote = location(o.towards, o.remote);
        const sign = o.work === undefined ? ':=' : `:=^${o.work}`;
        const there = `${remote}^${o.towards}`;
        if (o.op === 'put') return `${there} ${sign} ${own ?? next(remote)}`;
        const read = {
          get: () => there,
          rfaa: () => `rfaa(${there}, ${ADDED})`,
          rcas: () => `rcas(${there}, 0, ${next(remote)})`,
          fail: () => `rcas(${there}, ${NOWHERE}, 0)`,
        }[o.op];
        return `${own ?? PRIVATE[privates++]} ${sign} ${read()}`;
      }
    }
  };
  const written = threads.map(({ node, body }, i) => ({
    name: `T${i + 1}`,
    node,
    body: body.map((o) => text(node, o)),
  }));
  for (const { node } of threads) if (!used.has(node)) used.set(node, []);
  for (const o of threads.flatMap(({ body }) => body)) {
    if ('towards' in o && !used.has(o.towards)) used.set(o.towards, []);
  }
  const nodes = [...used]
    .sort(([a], [b]) => a - b)
    .map(([node, locations]) => {
      const declared = locations.map((x) => `${x} = 0`).join('; ');
      return declared === '' ? `node ${node} {}` : `node ${node} { ${declared} }`;
    });
  return { nodes, threads: written };
}

/** A litmus file with the program and no more. */
export function litmusOf(program: Small): string {
  const { nodes, threads } = write(program);
  const blocks = threads.map((t) => `thread ${t.name} on ${t.node} { ${t.body.join('; ')} }`);
  return `RDMA program\n${nodes.join('\n')}\n${blocks.join('\n')}\n`;
}
