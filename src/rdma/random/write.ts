import type { Compound, Piece } from './pieces.js';
import { isCompound, piecesOf } from './pieces.js';

/** What is known of a thread at some point, on every path that leads there. */
interface ThreadKnowledge {
  /** By queue pair: operations that were issued and not polled. */
  readonly open: ReadonlyMap<string, number>;
  /** By queue pair: identifiers of the operations that were not waited for. */
  readonly queue: ReadonlyMap<string, readonly string[]>;
  /** Names that were written. */
  readonly assigned: ReadonlySet<string>;
}

interface WrittenThread extends ThreadKnowledge {
  readonly lines: readonly string[];
}

/**
 * The instructions of a thread. A name that would be read before it is written is set at the start. Polls and waits
 * that have nothing to wait for are left out, except a few polls, so that some programs have no execution.
 */
export function writeThread(pieces: readonly Piece[]): readonly string[] {
  const all = [...piecesOf(pieces)];
  const works = new Set(all.flatMap((p) => (p.kind === 'operation' && p.work) || []));
  const memory = privateMemory(all);
  const unset = new Set<string>();

  const read = (names: readonly string[] = [], { assigned }: ThreadKnowledge): void => {
    for (const name of names) if (!assigned.has(name) && !memory.has(name)) unset.add(name);
  };

  const body = (list: readonly Piece[], before: ThreadKnowledge): WrittenThread =>
    list.reduce<WrittenThread>(
      (state, p) => {
        const after = piece(p, state);
        return { ...after, lines: [...state.lines, ...after.lines] };
      },
      { ...before, lines: [] },
    );

  const piece = (p: Piece, state: ThreadKnowledge): WrittenThread => {
    const { open, queue, assigned } = state;
    if (isCompound(p)) return compound(p, state);
    switch (p.kind) {
      case 'plain':
      case 'operation': {
        read(p.reads, state);
        if (p.kind === 'operation') read(p.operands, state);
        const lines = [p.text];
        const now = p.writes === undefined ? assigned : new Set([...assigned, p.writes]);
        if (p.kind === 'plain') return { open, queue, assigned: now, lines };
        return {
          open: new Map([...open, [p.queuePair, (open.get(p.queuePair) ?? 0) + 1]]),
          queue: new Map([
            ...queue,
            [p.queuePair, [...(queue.get(p.queuePair) ?? []), p.work ?? '']],
          ]),
          assigned: now,
          lines,
        };
      }
      case 'poll': {
        const others = [...open].flatMap(([pair, count]) => (count > 0 ? [pair] : []));
        const another = p.another && (open.get(p.queuePair) ?? 0) === 0 ? others.at(0) : undefined;
        const pair = another ?? p.queuePair;
        const there = open.get(pair) ?? 0;
        if (there === 0 && !p.anyway) return { ...state, lines: [] };
        return {
          ...state,
          open: new Map([...open, [pair, there - 1]]),
          lines: [`poll(${pair})`],
        };
      }
      case 'wait': {
        if ('work' in p) return { ...state, lines: works.has(p.work) ? [`wait(${p.work})`] : [] };
        const [next = '', ...rest] = queue.get(p.queuePair) ?? [];
        if (next === '') return { ...state, lines: [] };
        return {
          ...state,
          queue: new Map([...queue, [p.queuePair, rest]]),
          lines: [`wait(${next})`],
        };
      }
    }
  };

  const compound = (p: Compound, before: ThreadKnowledge): WrittenThread => {
    read(p.reads, before);
    const bodies = p.bodies.map((inner) => body(inner, before));
    const blocks = bodies.map(({ lines }) => `{ ${lines.join('; ') || 'skip'} }`);
    // A loop may also be left at once.
    const ends = p.kind === 'loop' ? [before, ...bodies] : bodies;
    return { ...ends.reduce(both), lines: [`${p.head} ${joined(p, bodies, blocks)}`] };
  };

  const { lines } = body(pieces, { open: new Map(), queue: new Map(), assigned: new Set() });
  return [...[...unset].sort().map((name) => `${name} := 0`), ...lines];
}

function joined(p: Compound, bodies: readonly WrittenThread[], blocks: readonly string[]): string {
  if (p.kind === 'choose') return blocks.join(' or ');
  const [first, second] = blocks;
  return bodies.length < 2 || bodies[1].lines.length === 0 ? first : `${first} else ${second}`;
}

/** What is known after either of two paths. */
function both(a: ThreadKnowledge, b: ThreadKnowledge): ThreadKnowledge {
  const pairs = new Set([...a.open.keys(), ...b.open.keys()]);
  const least = (pair: string) => Math.min(a.open.get(pair) ?? 0, b.open.get(pair) ?? 0);
  return {
    open: new Map([...pairs].map((pair) => [pair, least(pair)])),
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
