import type { Compound, OperationPiece, Piece, Poll, Uses } from './pieces.js';
import { isCompound, piecesOf, pollOf } from './pieces.js';

/** What is known of a thread at some point, on every path that leads there. */
interface ThreadKnowledge {
  /** By the call that takes it: operations that were issued and not polled. */
  readonly open: ReadonlyMap<string, number>;
  /** By queue pair: identifiers of the operations that were not waited for. */
  readonly queue: ReadonlyMap<string, readonly string[]>;
  /** Names that were written. */
  readonly assigned: ReadonlySet<string>;
}

interface WrittenThread extends ThreadKnowledge {
  readonly lines: readonly string[];
}

const NOTHING: ThreadKnowledge = { open: new Map(), queue: new Map(), assigned: new Set() };

/**
 * The instructions of a thread. A name that would be read before it is written is set at the start. Polls and waits
 * that have nothing to wait for are left out, except a few polls, so that some programs have no execution.
 */
export function writeThread(pieces: readonly Piece[]): readonly string[] {
  const writer = new ThreadWriter([...piecesOf(pieces)]);
  const { lines } = writer.body(pieces, NOTHING);
  return [...[...writer.unset].sort().map((name) => `${name} := 0`), ...lines];
}

class ThreadWriter {
  /** Names that are read before they are written. */
  readonly unset = new Set<string>();
  /** The identifiers of operations. */
  private readonly works: ReadonlySet<string>;
  private readonly memory: ReadonlySet<string>;

  constructor(all: readonly Piece[]) {
    this.works = new Set(all.flatMap((p) => (p.kind === 'operation' && p.work) || []));
    this.memory = privateMemory(all);
  }

  body(list: readonly Piece[], before: ThreadKnowledge): WrittenThread {
    return list.reduce<WrittenThread>(
      (state, p) => {
        const after = this.piece(p, state);
        return { ...after, lines: [...state.lines, ...after.lines] };
      },
      { ...before, lines: [] },
    );
  }

  private read(names: readonly string[] = [], { assigned }: ThreadKnowledge): void {
    for (const name of names) {
      if (!assigned.has(name) && !this.memory.has(name)) this.unset.add(name);
    }
  }

  private piece(p: Piece, state: ThreadKnowledge): WrittenThread {
    if (isCompound(p)) return this.compound(p, state);
    switch (p.kind) {
      case 'plain':
        return { ...this.used(p, state), lines: [p.text] };
      case 'operation':
        return this.operation(p, state);
      case 'poll':
        return this.poll(p, state);
      case 'wait': {
        const { queue } = state;
        if ('work' in p) {
          return { ...state, lines: this.works.has(p.work) ? [`wait(${p.work})`] : [] };
        }
        const [next = '', ...rest] = queue.get(p.queuePair) ?? [];
        if (next === '') return { ...state, lines: [] };
        return {
          ...state,
          queue: new Map([...queue, [p.queuePair, rest]]),
          lines: [`wait(${next})`],
        };
      }
    }
  }

  /** What is known after the names of a piece were read and written. */
  private used({ reads, writes }: Uses, state: ThreadKnowledge): ThreadKnowledge {
    this.read(reads, state);
    const { open, queue, assigned } = state;
    const now = writes === undefined ? assigned : new Set([...assigned, writes]);
    return { open, queue, assigned: now };
  }

  private poll(p: Poll, state: ThreadKnowledge): WrittenThread {
    const { lines, ...after } = poll(p, state);
    if (p.into === undefined || lines.length === 0) return { ...after, lines };
    return { ...this.used({ writes: p.into }, after), lines: [`${p.into} := ${lines[0]}`] };
  }

  private operation(p: OperationPiece, state: ThreadKnowledge): WrittenThread {
    const { open, queue, assigned } = this.used(p, state);
    this.read(p.operands, state);
    const works = [...(queue.get(p.queuePair) ?? []), p.work ?? ''];
    const { opens = [pollOf(p.queuePair)] } = p;
    return {
      open: new Map([...open, ...opens.map((call) => [call, (open.get(call) ?? 0) + 1] as const)]),
      queue: new Map([...queue, [p.queuePair, works]]),
      assigned,
      lines: [p.text],
    };
  }

  private compound(p: Compound, before: ThreadKnowledge): WrittenThread {
    this.read(p.reads, before);
    const bodies = p.bodies.map((inner) => this.body(inner, before));
    const blocks = bodies.map(({ lines }) => `{ ${lines.join('; ') || 'skip'} }`);
    // A loop may also be left at once.
    const ends = p.kind === 'loop' ? [before, ...bodies] : bodies;
    return { ...ends.reduce(both), lines: [`${p.head} ${joined(p, bodies, blocks)}`] };
  }
}

function poll(p: Poll, state: ThreadKnowledge): WrittenThread {
  const { open } = state;
  const own = p.call ?? pollOf(p.queuePair);
  const [name] = own.split('(');
  const others = [...open].filter(([other, count]) => count > 0 && other.startsWith(`${name}(`));
  const another = p.another && (open.get(own) ?? 0) === 0 ? others.at(0)?.[0] : undefined;
  const call = another ?? own;
  const there = open.get(call) ?? 0;
  if (there === 0 && p.anyway !== true) return { ...state, lines: [] };
  return { ...state, open: new Map([...open, [call, there - 1]]), lines: [call] };
}

function joined(p: Compound, bodies: readonly WrittenThread[], blocks: readonly string[]): string {
  if (p.kind === 'choose') return blocks.join(' or ');
  const [first, second] = blocks;
  return bodies.length < 2 || bodies[1].lines.length === 0 ? first : `${first} else ${second}`;
}

/** What is known after either of two paths. */
function both(a: ThreadKnowledge, b: ThreadKnowledge): ThreadKnowledge {
  const calls = new Set([...a.open.keys(), ...b.open.keys()]);
  const least = (call: string) => Math.min(a.open.get(call) ?? 0, b.open.get(call) ?? 0);
  return {
    open: new Map([...calls].map((call) => [call, least(call)])),
    queue: a.queue.size <= b.queue.size ? a.queue : b.queue,
    assigned: new Set([...a.assigned].filter((name) => b.assigned.has(name))),
  };
}

/** The thread's private memory: names that a get writes or a put reads, and that are written. These need not be set. */
function privateMemory(all: readonly Piece[]): ReadonlySet<string> {
  const uses = all.flatMap((p) => (p.kind === 'plain' || p.kind === 'operation' ? [p] : []));
  const written = new Set(uses.flatMap((p) => p.writes ?? []));
  const operands = uses.flatMap((p) =>
    p.kind === 'operation'
      ? [...(p.reads ?? []), ...(p.writes === undefined ? [] : [p.writes])]
      : [],
  );
  return new Set(operands.filter((name) => written.has(name)));
}
