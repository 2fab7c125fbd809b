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
  const names = new Names();
  const written = threads.map(({ node, body }, i) => ({
    name: `T${i + 1}`,
    node,
    body: body.map((o) => textOf(o, node, names)),
  }));
  for (const { node } of threads) names.locationsOf(node);
  for (const o of threads.flatMap(({ body }) => body)) {
    if ('towards' in o) names.locationsOf(o.towards);
  }
  return { nodes: names.nodes(), threads: written };
}

/** Names and values, each new one when it is asked for. */
class Names {
  private readonly names = new Map<string, string>();
  private readonly values = new Map<string, number>();
  private readonly used = new Map<number, string[]>([[1, []]]);
  private registers = 0;
  private privates = 0;

  location(node: number, index: number): string {
    const key = `${node} ${index}`;
    const list = this.locationsOf(node);
    if (!this.names.has(key)) {
      const name = LOCATIONS[node][list.length];
      this.names.set(key, name);
      list.push(name);
    }
    return this.names.get(key)!;
  }

  /** The locations of a node so far. From now on there is the node. */
  locationsOf(node: number): string[] {
    const list = this.used.get(node) ?? [];
    this.used.set(node, list);
    return list;
  }

  register(): string {
    return REGISTERS[this.registers++];
  }

  /** A location of the thread's own. */
  local(): string {
    return PRIVATE[this.privates++];
  }

  /** The next value of a location. */
  next(name: string): number {
    this.values.set(name, (this.values.get(name) ?? 0) + 1);
    return this.values.get(name)!;
  }

  /** The declarations of all nodes. */
  nodes(): readonly string[] {
    return [...this.used]
      .sort(([a], [b]) => a - b)
      .map(([node, locations]) => {
        const declared = locations.map((x) => `${x} = 0`).join('; ');
        return declared === '' ? `node ${node} {}` : `node ${node} { ${declared} }`;
      });
  }
}

function textOf(o: Op, node: number, names: Names): string {
  switch (o.op) {
    case 'write': {
      const x = names.location(node, o.at);
      return `${x} := ${names.next(x)}`;
    }
    case 'read':
      return `${names.register()} := ${names.location(node, o.at)}`;
    case 'copy': {
      const from = names.location(node, o.from);
      return `${names.location(node, o.at)} := ${from}`;
    }
    case 'cas': {
      const x = names.location(node, o.at);
      return `${names.register()} := CAS(${x}, ${o.old}, ${names.next(x)})`;
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
    case 'fail':
      return remoteText(o, node, names);
  }
}

/** An operation on a location of another node. */
function remoteText(o: Extract<Op, { remote: number }>, node: number, names: Names): string {
  const own = o.own === undefined ? undefined : names.location(node, o.own);
  const remote = names.location(o.towards, o.remote);
  const sign = o.work === undefined ? ':=' : `:=^${o.work}`;
  const there = `${remote}^${o.towards}`;
  if (o.op === 'put') return `${there} ${sign} ${own ?? names.next(remote)}`;
  const read = {
    get: () => there,
    rfaa: () => `rfaa(${there}, ${ADDED})`,
    rcas: () => `rcas(${there}, 0, ${names.next(remote)})`,
    fail: () => `rcas(${there}, ${NOWHERE}, 0)`,
  }[o.op];
  return `${own ?? names.local()} ${sign} ${read()}`;
}

/** A litmus file with the program and no more. */
export function litmusOf(program: Small): string {
  const { nodes, threads } = write(program);
  const blocks = threads.map((t) => `thread ${t.name} on ${t.node} { ${t.body.join('; ')} }`);
  return `RDMA program\n${nodes.join('\n')}\n${blocks.join('\n')}\n`;
}
