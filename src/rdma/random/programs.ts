import fc from 'fast-check';
import type { CompletionStyle } from './draw.js';
import { bodies } from './draw.js';
import { LOCATIONS } from './nodes.js';
import type { Piece } from './pieces.js';
import { isCompound } from './pieces.js';
import { writeThread } from './write.js';

/** Random litmus programs as text. Each of them is valid, also after shrinking. */

export interface ProgramShape {
  /** Gets, puts, polls and remote fences besides CPU instructions. Default: yes. */
  readonly remote?: boolean;
  /** `if` and `choose`. Default: yes. */
  readonly branches?: boolean;
  /** Work identifiers and `wait` instead of polls. Default: no. */
  readonly waits?: boolean;
  readonly threads?: number;
  /** The most instructions of a thread, without those that set registers at the start. */
  readonly instructions?: number;
  /**
   * All of the language: also loops, branches inside branches, `assume`, larger expressions, CAS with registers, and
   * private memory. Unless `waits` is given, some programs have polls, some waits, and some both; operations that are
   * polled may have identifiers. Instructions inside others are counted, too. Default: no.
   */
  readonly everything?: boolean;
  /** Queue pairs with names besides those without. Default: no. */
  readonly queuePairs?: boolean;
  /** Operations towards the own node, too. Default: no. */
  readonly loopBack?: boolean;
  /** Remote atomics, and `faa` and `xchg` of CPUs. Default: no. */
  readonly atomics?: boolean;
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

export function programs(shape: ProgramShape = {}): fc.Arbitrary<Source> {
  const { threads = 3, remote = true, branches = true, everything = false } = shape;
  const { waits = everything ? undefined : false, instructions = 4 } = shape;
  const { queuePairs = false, loopBack = false, atomics = false } = shape;
  const body = (own: string, nodes: readonly string[], completion: CompletionStyle, nic: number) =>
    bodies({
      own,
      nodes,
      remote,
      branches,
      everything,
      queuePairs,
      loopBack,
      atomics,
      completion,
      nic,
      least: Math.min(2, instructions),
      most: instructions,
    }).map((pieces) => writeThread(everything ? atMost(instructions, pieces) : pieces));
  return fc
    .record({
      nodes: fc.constantFrom(2, 2, ...(everything ? [2, 2] : []), loopBack ? 1 : 3),
      initial: fc.array(fc.constantFrom(0, 0, 0, 1, -1), { minLength: 5, maxLength: 5 }),
      threads: fc.constantFrom(...(everything ? MANY : SOME).filter((n) => n <= threads)),
      completion: fc.constantFrom(...COMPLETIONS[String(waits)]),
      nic: fc.constantFrom(...(everything ? [1, 3, 3, 6] : [3])),
    })
    .chain(({ nodes, initial, threads, completion, nic }) => {
      const names = Object.keys(LOCATIONS).slice(0, nodes);
      const values = initial[Symbol.iterator]();
      const declared = names.map((node) => {
        const locations = LOCATIONS[node].map((name) => `${name} = ${values.next().value}`);
        return `node ${node} { ${locations.join('; ')} }`;
      });
      const thread = (_: unknown, i: number) =>
        fc.constantFrom(...(remote ? names : ['1'])).chain((node) =>
          body(node, names, completion, nic).map((lines) => ({
            name: `T${i + 1}`,
            node,
            body: lines,
          })),
        );
      return fc
        .tuple(...Array.from({ length: threads }, thread))
        .map((made) => ({ nodes: declared.join('\n'), threads: made }));
    });
}

/** Numbers of threads to draw from. What is there twice is drawn twice as often. */
const SOME = [1, 2, 2, 3, 3];
const MANY = [1, 2, 2, 2, 2, 3, 3, 3];

/** How programs wait, by the option `waits`. */
const COMPLETIONS: Readonly<Record<string, readonly CompletionStyle[]>> = {
  false: ['polls'],
  true: ['waits'],
  undefined: ['polls', 'polls', 'polls', 'polls', 'polls', 'waits', 'waits', 'both'],
};

/** The first pieces of a body, with at most `count` instructions. Those inside others are counted. */
function atMost(count: number, pieces: readonly Piece[]): readonly Piece[] {
  let left = count;
  const taken = (list: readonly Piece[]): readonly Piece[] =>
    list.flatMap((p): readonly Piece[] => {
      if (left === 0) return [];
      left -= 1;
      return [isCompound(p) ? { ...p, bodies: p.bodies.map(taken) } : p];
    });
  return taken(pieces);
}
