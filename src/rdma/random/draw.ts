import fc from 'fast-check';
import { LOCATIONS } from './nodes.js';
import type { Piece } from './pieces.js';

/** How the operations of a thread are waited for. */
export type CompletionStyle = 'polls' | 'waits' | 'both';

export interface DrawContext {
  /** The thread's own node. */
  readonly own: string;
  readonly nodes: readonly string[];
  readonly remote: boolean;
  /** The weight of instructions for the NIC. Those of the CPU have weight 2. */
  readonly nic: number;
  readonly branches: boolean;
  readonly completion: CompletionStyle;
  /** Whether to draw the instructions that `ProgramShape.everything` adds. */
  readonly everything: boolean;
  /** Whether to draw queue pairs with names, and operations towards the own node. */
  readonly queuePairs: boolean;
  readonly loopBack: boolean;
  /** Whether to draw remote atomics, and atomics of the CPU other than CAS. */
  readonly atomics: boolean;
  /** How many pieces there are at the top level, at least and at most. */
  readonly least: number;
  readonly most: number;
}

/** Names of a thread that need no declaration: two registers, and private memory. */
const REGISTERS = ['a', 'b'] as const;
export const PRIVATE = 'p';
export const FEW_WORKS = ['d', 'e'] as const;
const WORKS = ['d', 'e', 'f', 'g'] as const;

export type WeightedPiece = { readonly weight: number; readonly arbitrary: fc.Arbitrary<Piece> };
export const arm = (weight: number, arbitrary: fc.Arbitrary<Piece>): WeightedPiece => ({
  weight,
  arbitrary,
});

export const NUMBER = fc.constantFrom(1, 2, 1, 2, 0);
export const REGISTER = fc.constantFrom(...REGISTERS);

export const plain = (text: string, reads: readonly string[] = [], writes?: string): Piece => ({
  kind: 'plain',
  text,
  reads,
  writes,
});

/** A location of a node. The first is drawn most often, so that threads access the same locations. */
const locationOf = (node: string, { everything }: DrawContext): fc.Arbitrary<string> => {
  const [first, ...rest] = LOCATIONS[node];
  // In larger programs it is drawn even more often.
  return fc.constantFrom(first, first, ...(everything ? [first] : []), ...rest);
};

/** The body of a thread. */
export function bodies(drawing: DrawContext): fc.Arbitrary<readonly Piece[]> {
  const { own, remote, branches, everything, atomics, least, most } = drawing;
  const here = locationOf(own, drawing);
  const cpu = fc.oneof(
    ...cpuArms(here, everything ? 12 : 5),
    ...(everything ? moreCpuArms(here) : []),
    ...(atomics ? atomicCpuArms(here, everything ? 3 : 1) : []),
  );
  const simple = remote
    ? fc.oneof(
        { weight: 2, arbitrary: cpu },
        { weight: drawing.nic, arbitrary: nicPieces(drawing, here) },
      )
    : cpu;
  if (!branches) return fc.array(simple, { minLength: least, maxLength: most });
  const outer = everything ? nested(simple, here) : branch(simple, here);
  const piece = fc.oneof(
    { weight: everything ? 10 : 6, arbitrary: simple },
    { weight: 1, arbitrary: outer },
  );
  return fc.array(piece, { minLength: least, maxLength: most });
}

/**
 * Instructions of the CPU. `common` is the weight of writes of constants and of reads into registers; all others have
 * weight 1.
 */
function cpuArms(here: fc.Arbitrary<string>, common: number): readonly WeightedPiece[] {
  return [
    arm(
      common,
      fc.tuple(here, NUMBER).map(([x, n]) => plain(`${x} := ${n}`)),
    ),
    arm(
      common,
      fc.tuple(REGISTER, here).map(([a, x]) => plain(`${a} := ${x}`, [], a)),
    ),
    arm(
      1,
      fc.tuple(here, here).map(([x, y]) => plain(`${x} := ${y}`)),
    ),
    arm(
      1,
      fc.tuple(here, REGISTER).map(([x, a]) => plain(`${x} := 1 - ${a}`, [a])),
    ),
    arm(1, fc.constant(plain('mfence'))),
    arm(
      1,
      fc
        .tuple(REGISTER, here, NUMBER, NUMBER)
        .map(([a, x, old, to]) => plain(`${a} := CAS(${x}, ${old}, ${to})`, [], a)),
    ),
  ];
}

/** Fetch-and-add, and exchange. */
function atomicCpuArms(here: fc.Arbitrary<string>, weight: number): readonly WeightedPiece[] {
  const name = fc.constantFrom('faa', 'xchg');
  return [
    arm(
      weight,
      fc
        .tuple(REGISTER, name, here, NUMBER)
        .map(([a, f, x, n]) => plain(`${a} := ${f}(${x}, ${n})`, [], a)),
    ),
    arm(
      1,
      fc
        .tuple(here, name, here, REGISTER)
        .map(([x, f, y, a]) => plain(`${x} := ${f}(${y}, ${a})`, [a])),
    ),
  ];
}

/** The call of a remote atomic on a location, and the registers that it reads. */
interface AtomicCall {
  readonly call: (location: string) => string;
  readonly operands: readonly string[];
}

/** Operands are more often numbers than registers. The compared value is often an initial value. */
const ATOMIC_CALL: fc.Arbitrary<AtomicCall> = fc.oneof(
  fc.tuple(fc.constantFrom(0, 0, 1), NUMBER).map(([old, n]): AtomicCall => {
    return { call: (x) => `rcas(${x}, ${old}, ${n})`, operands: [] };
  }),
  fc.tuple(fc.constantFrom('rfaa', 'rxchg'), NUMBER).map(([name, n]): AtomicCall => {
    return { call: (x) => `${name}(${x}, ${n})`, operands: [] };
  }),
  fc
    .tuple(fc.constantFrom('rcas', 'rfaa', 'rxchg'), REGISTER, NUMBER)
    .map(([name, a, n]): AtomicCall => {
      const more = name === 'rcas' ? `, ${n}` : '';
      return { call: (x) => `${name}(${x}, ${a}${more})`, operands: [a] };
    }),
);

/** Expressions with several names, CAS with registers and into memory, private memory, `assume`. */
function moreCpuArms(here: fc.Arbitrary<string>): readonly WeightedPiece[] {
  const sign = fc.constantFrom('+', '-', '*', '=', '<', '&&');
  const compared = fc.constantFrom('!=', '!=', '<=', '<=', '=');
  return [
    arm(
      2,
      fc.tuple(REGISTER, here, sign).map(([a, x, o]) => plain(`${a} := ${a} ${o} ${x}`, [a], a)),
    ),
    arm(
      1,
      fc.tuple(REGISTER, here, here).map(([a, x, y]) => plain(`${a} := ${x} + 2 * ${y}`, [], a)),
    ),
    arm(
      1,
      fc.tuple(here, REGISTER, REGISTER).map(([x, a, b]) => plain(`${x} := ${a} + ${b}`, [a, b])),
    ),
    arm(
      1,
      fc
        .tuple(here, here, REGISTER, NUMBER)
        .map(([x, y, a, n]) => plain(`${x} := CAS(${y}, ${a}, ${n})`, [a])),
    ),
    arm(
      1,
      fc
        .tuple(REGISTER, here, REGISTER)
        .map(([a, x, b]) => plain(`${a} := CAS(${x}, 0, ${b} + 1)`, [b], a)),
    ),
    arm(
      1,
      NUMBER.map((n) => plain(`${PRIVATE} := ${n}`, [], PRIVATE)),
    ),
    arm(
      1,
      REGISTER.map((a) => plain(`${a} := ${PRIVATE}`, [PRIVATE], a)),
    ),
    arm(
      1,
      fc.oneof(
        fc
          .tuple(REGISTER, compared, NUMBER)
          .map(([a, o, n]) => plain(`assume(${a} ${o} ${n})`, [a])),
        fc.tuple(here, compared, NUMBER).map(([x, o, n]) => plain(`assume(${x} ${o} ${n})`)),
      ),
    ),
  ];
}

/** The queue pairs that a thread may use. What is there twice is drawn twice as often. */
function queuePairsOf({ own, nodes, queuePairs, loopBack }: DrawContext): readonly string[] {
  const others = nodes.filter((node) => node !== own || loopBack);
  return queuePairs ? others.flatMap((node) => [node, node, `${node}.a`]) : others;
}

function nicPieces(drawing: DrawContext, here: fc.Arbitrary<string>): fc.Arbitrary<Piece> {
  const others = fc.constantFrom(...queuePairsOf(drawing));
  const works = fc.constantFrom(...(drawing.everything ? WORKS : FEW_WORKS));
  return fc.oneof(
    ...postedPieces(drawing, here, others, works),
    arm(2, completionPieces(drawing, others, works)),
    arm(
      1,
      others.map((queuePair) => plain(`rfence(${queuePair})`)),
    ),
  );
}

/** Gets, puts and remote atomics. */
function postedPieces(
  drawing: DrawContext,
  here: fc.Arbitrary<string>,
  others: fc.Arbitrary<string>,
  works: fc.Arbitrary<string>,
): readonly WeightedPiece[] {
  const { completion, everything, atomics } = drawing;
  const there = others.chain((pair) => {
    const [node] = pair.split('.');
    return fc.tuple(fc.constant(pair), locationOf(node, drawing));
  });
  const local = fc.oneof(
    { weight: 3, arbitrary: here },
    { weight: 1, arbitrary: fc.constant<string>(PRIVATE) },
  );
  const source = fc.oneof(here, NUMBER.map(String), ...(everything ? [fc.constant(PRIVATE)] : []));
  // Identifiers are for waits. If nothing waits, they do no harm.
  const tagged =
    completion !== 'polls'
      ? fc.constant(true)
      : fc.constantFrom(...(everything ? [false, false, true] : [false]));
  const operation = (
    name: fc.Arbitrary<string>,
    write: (name: string, remote: string, tag: string) => string,
    uses: (name: string) => object,
  ) =>
    fc.tuple(there, name, works, tagged).map(([[queuePair, y], x, work, shown]): Piece => {
      const text = write(x, `${y}^${queuePair}`, shown ? `^${work}` : '');
      const own = x === PRIVATE ? uses(x) : {};
      return { kind: 'operation', text, queuePair, ...own, work: shown ? work : undefined };
    });
  const get = operation(
    local,
    (x, y, tag) => `${x} :=${tag} ${y}`,
    (writes) => ({ writes }),
  );
  const put = operation(
    source,
    (x, y, tag) => `${y} :=${tag} ${x}`,
    (p) => ({ reads: [p] }),
  );
  const atomic = fc
    .tuple(there, local, works, tagged, ATOMIC_CALL)
    .map(([[queuePair, y], x, work, shown, { call, operands }]): Piece => {
      const text = `${x} :=${shown ? `^${work}` : ''} ${call(`${y}^${queuePair}`)}`;
      const own = x === PRIVATE ? { writes: x } : {};
      return {
        ...{ kind: 'operation', text, queuePair, operands },
        ...own,
        work: shown ? work : undefined,
      };
    });
  return [arm(3, get), arm(3, put), ...(atomics ? [arm(4, atomic)] : [])];
}

/** Polls and waits. */
function completionPieces(
  { completion, everything, queuePairs }: DrawContext,
  others: fc.Arbitrary<string>,
  works: fc.Arbitrary<string>,
): fc.Arbitrary<Piece> {
  const poll = fc.tuple(others, fc.integer({ min: 0, max: 15 })).map(([queuePair, n]): Piece => {
    return { kind: 'poll', queuePair, anyway: n === 0, another: queuePairs };
  });
  const waitFor = works.map((work): Piece => ({ kind: 'wait', work }));
  const waitNext = others.map((queuePair): Piece => ({ kind: 'wait', queuePair }));
  const wait = everything ? fc.oneof(waitFor, waitNext, waitNext) : waitFor;
  return { polls: poll, waits: wait, both: fc.oneof(poll, wait) }[completion];
}

/** `if` and `choose` around simple instructions. */
export function branch(
  inside: fc.Arbitrary<Piece>,
  here: fc.Arbitrary<string>,
): fc.Arbitrary<Piece> {
  const inner = fc.array(inside, { minLength: 1, maxLength: 2 });
  const maybe = fc.array(inside, { maxLength: 1 });
  return fc.oneof(
    fc.tuple(REGISTER, NUMBER, inner, maybe).map(([a, n, yes, no]): Piece => {
      return { kind: 'if', head: `if (${a} = ${n})`, reads: [a], bodies: [yes, no] };
    }),
    fc.tuple(here, inner, maybe).map(([x, yes, no]): Piece => {
      return { kind: 'if', head: `if (${x} > 0)`, bodies: [yes, no] };
    }),
    fc.tuple(inner, maybe).map((bodies): Piece => ({ kind: 'choose', head: 'choose', bodies })),
  );
}

/** `while` and `loop`, a few iterations long. Most end within their bound. */
function loop(inside: fc.Arbitrary<Piece>, here: fc.Arbitrary<string>): fc.Arbitrary<Piece> {
  const inner = fc.array(inside, { minLength: 1, maxLength: 2 });
  const maybe = fc.array(inside, { maxLength: 1 });
  const bound = fc.constantFrom(1, 1, 2);
  const piece = (head: string, body: readonly Piece[], ...reads: string[]): Piece => {
    return { kind: 'loop', head, reads, bodies: [body] };
  };
  const spin = (a: string, x: string): Piece => plain(`${a} := ${x}`, [], a);
  const count = (a: string): Piece => plain(`${a} := ${a} + 1`, [a], a);
  return fc.oneof(
    fc.tuple(bound, inner).map(([n, body]) => piece(`loop bound ${n}`, body)),
    fc
      .tuple(REGISTER, bound, maybe)
      .map(([a, n, body]) => piece(`while (${a} < ${n}) bound ${n}`, [count(a), ...body], a)),
    fc
      .tuple(REGISTER, here, bound, maybe)
      .map(([a, x, n, body]) => piece(`while (!${a}) bound ${n}`, [spin(a, x), ...body], a)),
    fc.tuple(here, bound, maybe).map(([x, n, body]) => piece(`while (${x} > 1) bound ${n}`, body)),
  );
}

/** Branches and loops, and now and then one inside another. */
function nested(simple: fc.Arbitrary<Piece>, here: fc.Arbitrary<string>): fc.Arbitrary<Piece> {
  const flat = fc.oneof(branch(simple, here), loop(simple, here));
  const inside = fc.oneof({ weight: 5, arbitrary: simple }, { weight: 1, arbitrary: flat });
  return fc.oneof(branch(inside, here), loop(inside, here));
}
