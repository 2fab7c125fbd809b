import fc from 'fast-check';

/** Random litmus programs as text. Every one of them resolves. */

export interface Shape {
  /** Gets, puts, polls and remote fences; without, CPU instructions only. Default: yes. */
  readonly remote?: boolean;
  /** `if` and `choose`. Default: yes. */
  readonly branches?: boolean;
  /** Work identifiers and `wait` in the place of polls. Default: no. */
  readonly waits?: boolean;
  readonly threads?: number;
  /** Instructions of a thread at most, not counting those that set registers at the start. */
  readonly instructions?: number;
}

/** A program whose threads can be laid out in blocks and in columns. */
export interface Source {
  readonly nodes: string;
  readonly threads: readonly {
    readonly name: string;
    readonly node: string;
    readonly body: readonly string[];
  }[];
}

export function inBlocks({ nodes, threads }: Source): string {
  const blocks = threads.map(
    ({ name, node, body }) => `thread ${name} on ${node} { ${body.join('; ')} }`,
  );
  return `RDMA random\n${nodes}\n${blocks.join('\n')}\n`;
}

export function inColumns({ nodes, threads }: Source): string {
  const rows = Math.max(1, ...threads.map(({ body }) => body.length));
  const heads = threads.map(({ name, node }) => `${name}@${node}`).join(' | ');
  const row = (_: unknown, i: number): string =>
    threads.map(({ body }) => body[i] ?? '').join(' | ');
  const table = Array.from({ length: rows }, row);
  return `RDMA random\n${nodes}\n${[heads, ...table].map((line) => `${line} ;\n`).join('')}`;
}

/** The locations of each node. The first is drawn most often, so that threads meet. */
const LOCATIONS: Readonly<Record<string, readonly string[]>> = {
  1: ['x', 'u'],
  2: ['y', 'v'],
  3: ['z'],
};

const locationOf = (node: string): fc.Arbitrary<string> => {
  const [first, ...rest] = LOCATIONS[node];
  return fc.constantFrom(first, first, ...rest);
};

/** A thread's names that are declared nowhere: two registers, and the target of some gets. */
const REGISTERS = ['a', 'b'] as const;
const PRIVATE = 'p';
const WORK = ['d', 'e'] as const;

/** An instruction, and what it does to the queue of operations not yet polled. */
type Piece =
  | { readonly kind: 'plain'; readonly text: string }
  | {
      readonly kind: 'operation';
      readonly text: string;
      readonly node: string;
      readonly work: string;
    }
  | { readonly kind: 'poll'; readonly node: string; readonly anyway: boolean }
  | { readonly kind: 'wait'; readonly work: string }
  | {
      readonly kind: 'branch';
      readonly head: string;
      readonly bodies: readonly (readonly Piece[])[];
    };

const plain = (text: string): Piece => ({ kind: 'plain', text });

export function programs(shape: Shape = {}): fc.Arbitrary<Source> {
  const { threads = 3, remote = true, waits = false } = shape;
  return fc
    .record({
      nodes: fc.constantFrom(2, 2, 3),
      initial: fc.array(fc.constantFrom(0, 0, 0, 1, -1), { minLength: 5, maxLength: 5 }),
      threads: fc.constantFrom(...[1, 2, 2, 3, 3].filter((n) => n <= threads)),
    })
    .chain(({ nodes, initial, threads }) => {
      const names = Object.keys(LOCATIONS).slice(0, nodes);
      const values = initial[Symbol.iterator]();
      const declared = names.map((node) => {
        const locations = LOCATIONS[node].map((name) => `${name} = ${values.next().value}`);
        return `node ${node} { ${locations.join('; ')} }`;
      });
      const thread = (_: unknown, i: number) =>
        fc.constantFrom(...(remote ? names : ['1'])).chain((node) =>
          bodies(node, names, shape).map((pieces) => ({
            name: `T${i + 1}`,
            node,
            body: finished(pieces, waits),
          })),
        );
      return fc
        .tuple(...Array.from({ length: threads }, thread))
        .map((made) => ({ nodes: declared.join('\n'), threads: made }));
    });
}

function bodies(
  own: string,
  nodes: readonly string[],
  shape: Shape,
): fc.Arbitrary<readonly Piece[]> {
  const { remote = true, branches = true, waits = false, instructions = 4 } = shape;
  const others = nodes.filter((node) => node !== own);
  const here = locationOf(own);
  const register = fc.constantFrom(...REGISTERS);
  const number = fc.constantFrom(1, 2, 1, 2, 0);
  const cpu = fc.oneof(
    { weight: 5, arbitrary: fc.tuple(here, number).map(([x, n]) => plain(`${x} := ${n}`)) },
    { weight: 5, arbitrary: fc.tuple(register, here).map(([a, x]) => plain(`${a} := ${x}`)) },
    { weight: 1, arbitrary: fc.tuple(here, here).map(([x, y]) => plain(`${x} := ${y}`)) },
    { weight: 1, arbitrary: fc.tuple(here, register).map(([x, a]) => plain(`${x} := 1 - ${a}`)) },
    { weight: 1, arbitrary: fc.constant(plain('mfence')) },
    {
      weight: 1,
      arbitrary: fc
        .tuple(register, here, number, number)
        .map(([a, x, old, to]) => plain(`${a} := CAS(${x}, ${old}, ${to})`)),
    },
  );
  const there = fc
    .constantFrom(...others)
    .chain((node) => fc.tuple(fc.constant(node), locationOf(node)));
  const local = fc.oneof(
    { weight: 3, arbitrary: here },
    { weight: 1, arbitrary: fc.constant(PRIVATE) },
  );
  const operation = (text: fc.Arbitrary<(y: string, work: string) => string>) =>
    fc.tuple(there, text, fc.constantFrom(...WORK)).map(([[node, y], write, work]): Piece => {
      const tag = waits ? `^${work}` : '';
      return { kind: 'operation', text: write(`${y}^${node}`, tag), node, work };
    });
  const nic = fc.oneof(
    {
      weight: 3,
      arbitrary: operation(local.map((x) => (y, work) => `${x} :=${work} ${y}`)),
    },
    {
      weight: 3,
      arbitrary: operation(
        fc.oneof(here, number.map(String)).map((x) => (y, work) => `${y} :=${work} ${x}`),
      ),
    },
    {
      weight: 2,
      arbitrary: waits
        ? fc.constantFrom(...WORK).map((work): Piece => ({ kind: 'wait', work }))
        : fc
            .tuple(fc.constantFrom(...others), fc.integer({ min: 0, max: 15 }))
            .map(([node, n]): Piece => ({ kind: 'poll', node, anyway: n === 0 })),
    },
    { weight: 1, arbitrary: fc.constantFrom(...others).map((node) => plain(`rfence(${node})`)) },
  );
  const simple = remote
    ? fc.oneof({ weight: 2, arbitrary: cpu }, { weight: 3, arbitrary: nic })
    : cpu;
  const inner = fc.array(simple, { minLength: 1, maxLength: 2 });
  const maybe = fc.array(simple, { maxLength: 1 });
  const branch = fc.oneof(
    fc.tuple(register, number, inner, maybe).map(([a, n, yes, no]): Piece => {
      return { kind: 'branch', head: `if (${a} = ${n})`, bodies: [yes, no] };
    }),
    fc.tuple(here, inner, maybe).map(([x, yes, no]): Piece => {
      return { kind: 'branch', head: `if (${x} > 0)`, bodies: [yes, no] };
    }),
    fc.tuple(inner, maybe).map((bodies): Piece => ({ kind: 'branch', head: 'choose', bodies })),
  );
  const piece = branches
    ? fc.oneof({ weight: 6, arbitrary: simple }, { weight: 1, arbitrary: branch })
    : simple;
  return fc.array(piece, { minLength: Math.min(2, instructions), maxLength: instructions });
}

/**
 * The text of a thread: with its registers set at the start where they are used, and without the
 * polls and waits that have nothing to wait for (but for a few polls, so that some tests are empty).
 */
function finished(pieces: readonly Piece[], waits: boolean): readonly string[] {
  const works = new Set<string>();
  const collect = (p: Piece): void => {
    if (p.kind === 'operation') works.add(p.work);
    if (p.kind === 'branch') p.bodies.flat().forEach(collect);
  };
  pieces.forEach(collect);

  /** The text of a body, and how many operations are sure to be there after it, by node. */
  const written = (
    body: readonly Piece[],
    before: Readonly<Record<string, number>>,
  ): { readonly lines: readonly string[]; readonly open: Readonly<Record<string, number>> } => {
    const open = { ...before };
    const lines = body.flatMap((p): string[] => {
      switch (p.kind) {
        case 'plain':
          return [p.text];
        case 'operation':
          open[p.node] = (open[p.node] ?? 0) + 1;
          return [p.text];
        case 'poll':
          if ((open[p.node] ?? 0) === 0 && !p.anyway) return [];
          open[p.node] = (open[p.node] ?? 0) - 1;
          return [`poll(${p.node})`];
        case 'wait':
          return waits && works.has(p.work) ? [`wait(${p.work})`] : [];
        case 'branch': {
          const [yes, no] = p.bodies.map((b) => written(b, open));
          for (const node of Object.keys({ ...yes.open, ...no.open })) {
            open[node] = Math.min(yes.open[node] ?? 0, no.open[node] ?? 0);
          }
          const [first, second] = [yes, no].map(({ lines }) => `{ ${lines.join('; ')} }`);
          return [`${p.head} ${first} ${p.head === 'choose' ? 'or' : 'else'} ${second}`];
        }
      }
    });
    return { lines, open };
  };
  const { lines } = written(pieces, {});
  const used = REGISTERS.filter((a) => lines.some((line) => new RegExp(`\\b${a}\\b`).test(line)));
  return [...used.map((a) => `${a} := 0`), ...lines];
}
