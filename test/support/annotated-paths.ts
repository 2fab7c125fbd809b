import type { AnnotatedEvent, AnnotatedLabel, Buffers, Configuration } from './annotated.js';

/** What annotated paths satisfy (TSO paper, Def. D.1), read off the labels alone. Paths have the earliest label first. */

type Path = readonly AnnotatedLabel[];
type Type = AnnotatedLabel['type'];

/** Which events of a label no other label of its type may have. */
const RELEVANT: Partial<Record<Type, readonly number[]>> = {
  ...{ nlR: [0, 2, 3], nrR: [0, 2, 3], nlW: [0, 1], nrW: [0, 1], P: [0, 1] },
};

/** Where the labels of a path are. */
export class Places {
  private readonly at = new Map<string, number>();

  constructor(readonly path: Path) {
    path.forEach(({ type, of }, i) => {
      of.forEach(({ id }, k) => this.at.set(`${type} ${k} ${id}`, i));
    });
  }

  /** The place of the label of a type that has an event as its k-th; NaN, which is before and after nothing, if there is none. */
  of(type: Type, event: AnnotatedEvent | undefined, k = 0): number {
    return this.at.get(`${type} ${k} ${event?.id}`) ?? NaN;
  }

  has(type: Type, event: AnnotatedEvent, k = 0): boolean {
    return !Number.isNaN(this.of(type, event, k));
  }

  /** The label of a type that has an event as its k-th. */
  label(type: Type, event: AnnotatedEvent | undefined, k = 0): AnnotatedLabel | undefined {
    return this.path[this.of(type, event, k)];
  }
}

export const samePair = (a: AnnotatedEvent, b: AnnotatedEvent): boolean =>
  a.thread === b.thread && a.queuePair === b.queuePair;

/** The first events of the labels of some types, in the order of the path. */
const firsts = (path: Path, ...types: readonly Type[]): readonly AnnotatedEvent[] =>
  path.flatMap(({ type, of }) => (types.includes(type) ? [of[0]] : []));

const isEach = <A, B>(
  as: readonly A[],
  bs: readonly B[],
  holds: (a: A, b: B) => boolean,
): boolean => as.every((a) => bs.every((b) => holds(a, b)));

function hasNoDuplicate(path: Path): boolean {
  const seen = new Set<string>();
  for (const { type, of } of path) {
    const keys = (RELEVANT[type] ?? [0]).map((k) => `${type} ${of[k].id}`);
    if (keys.some((key) => seen.has(key))) return false;
    keys.forEach((key) => seen.add(key));
  }
  return true;
}

/** Whether everything comes after what it needs: backComp. For `nlW` the paper's text has `nrW` once, by mistake. */
function isBackwardComplete(path: Path): boolean {
  const p = new Places(path);
  return path.every(({ type, of: [event, second, operation] }, i) => {
    switch (type) {
      case 'B':
        return p.of(event.kind as Type, event) < i;
      case 'NIC':
        return p.of('Push', event) < i;
      case 'nF':
        return p.of('NIC', event) < i;
      case 'nlR':
      case 'nrR':
        return p.of('NIC', operation) < i;
      case 'nrW':
        return p.of('nlR', event, 3) < i;
      case 'nlW':
        return p.of('nrR', event, 3) < i;
      case 'CN':
        return p.of('nrW', event, 1) < i;
      case 'P': {
        const local = p.label('nlW', second, 1);
        const issued = p.of('nlW', second, 1);
        const observed = p.of('B', local?.of[0]);
        return (issued < observed && observed < i) || p.of('CN', second) < i;
      }
      default:
        return true;
    }
  });
}

/** Whether buffers keep their order, and who flushes whom: bufFlushOrd. */
function isFlushedInOrder(path: Path): boolean {
  const p = new Places(path);
  const inOrder = (
    [a, enters, leaves]: readonly [AnnotatedEvent, Type, Type],
    [b, enters2, leaves2]: readonly [AnnotatedEvent, Type, Type],
  ): boolean =>
    (p.has(leaves2, b) && p.of(enters, a) < p.of(enters2, b)) ===
    p.of(leaves, a) < p.of(leaves2, b);
  const writes = firsts(path, 'lW').map((w) => [w, 'lW', 'B'] as const);
  const pushed = firsts(path, 'Push').map((a) => [a, 'Push', 'NIC'] as const);
  const stored = [...writes, ...pushed];
  const buffered = (type: 'nlW' | 'nrW') => firsts(path, type).map((w) => [w, type, 'B'] as const);
  const flushes = (type: Type, w: AnnotatedEvent, by: Type, r: AnnotatedEvent): boolean =>
    !(p.of(type, w) < p.of(by, r)) || p.of('B', w) < p.of(by, r);
  return (
    isEach(stored, stored, (a, b) => a[0].thread !== b[0].thread || inOrder(a, b)) &&
    (['nlW', 'nrW'] as const).every((type) =>
      isEach(buffered(type), buffered(type), (a, b) => !samePair(a[0], b[0]) || inOrder(a, b)),
    ) &&
    (['F', 'CAS'] as const).every((by) =>
      isEach(
        firsts(path, 'lW'),
        firsts(path, by),
        (w, f) => w.thread !== f.thread || flushes('lW', w, by, f),
      ),
    ) &&
    (
      [
        ['nlW', 'nlR'],
        ['nrW', 'nrR'],
      ] as const
    ).every(([type, by]) =>
      isEach(
        firsts(path, type),
        firsts(path, by),
        (w, r) => !samePair(w, r) || flushes(type, w, by, r),
      ),
    )
  );
}

/** Whether polls take notifications in the order in which these come: pollOrder. */
function isPolledInOrder(path: Path): boolean {
  const p = new Places(path);
  const told = path.flatMap(({ type, of }) =>
    type === 'nlW' ? [of[1]] : type === 'CN' ? [of[0]] : [],
  );
  return told.every((second, i) =>
    told
      .slice(0, i)
      .filter((first) => samePair(first, second))
      .every((first) => !p.has('P', second, 1) || p.of('P', first, 1) < p.of('P', second, 1)),
  );
}

/** The places of the steps of an operation, in their order, as far as it has come. */
function stepsOf(p: Places, a: AnnotatedEvent) {
  if (a.kind === 'nF') return { fence: p.of('nF', a) };
  const [reading, writing] =
    a.kind === 'put' ? (['nlR', 'nrW'] as const) : (['nrR', 'nlW'] as const);
  const write = p.label(reading, a, 2)?.of[3];
  const notification = p.label(writing, write)?.of[1];
  return {
    read: p.of(reading, a, 2),
    write: p.of(writing, write),
    end: a.kind === 'put' ? p.of('CN', notification) : p.of(writing, write),
  };
}

/** Whether queue pairs keep the order that they have to keep: nicActOrder, case by case. */
function isPerformedInOrder(path: Path): boolean {
  const p = new Places(path);
  /** If the later one is there, the earlier one is there before it. */
  const before = (a: number | undefined, b: number | undefined): boolean =>
    Number.isNaN(b) || a! < b!;
  const operations = firsts(path, 'NIC');
  return operations.every((second, i) =>
    operations
      .slice(0, i)
      .filter((first) => samePair(first, second))
      .every((first) => {
        const [a, b] = [stepsOf(p, first), stepsOf(p, second)];
        switch (`${first.kind} ${second.kind}`) {
          case 'nF get':
          case 'nF put':
            return before(a.fence, b.read);
          case 'nF nF':
            return before(a.fence, b.fence);
          case 'get nF':
          case 'put nF':
            return before(a.end, b.fence);
          case 'get get':
          case 'get put':
            return before(a.end, b.end);
          case 'put get':
            return before(a.write, b.read) && before(a.end, b.end);
          default:
            return before(a.read, b.read) && before(a.write, b.write) && before(a.end, b.end);
        }
      }),
  );
}

/** Whether each read finds what the labels before it say: wfrd. */
function readsWhatIsThere(path: Path): boolean {
  return path.every(({ type, of: [r, w] }, i) => {
    if (!['lR', 'CAS', 'nlR', 'nrR'].includes(type)) return true;
    const past = path.slice(0, i);
    const own = type === 'lR' || type === 'CAS' ? waiting(past, r.thread) : [];
    const found = own.findLast(({ location }) => location === r.location);
    return found === undefined
      ? memoryAfter(past, r.location!)?.id === w.id || isInitial(past, r, w)
      : found === w;
  });
}

const isInitial = (past: Path, r: AnnotatedEvent, w: AnnotatedEvent): boolean =>
  w.thread < 0 && w.location === r.location && memoryAfter(past, r.location!) === undefined;

/** The writes of a thread that are not in memory yet. */
function waiting(past: Path, thread: number): readonly AnnotatedEvent[] {
  const p = new Places(past);
  return firsts(past, 'lW').filter((w) => w.thread === thread && !p.has('B', w));
}

/** The last write to a location in memory, if there was one: `read` of the paper. */
const memoryAfter = (past: Path, location: number): AnnotatedEvent | undefined =>
  firsts(past, 'B', 'CAS').findLast((w) => w.location === location);

const CONDITIONS = {
  nodup: hasNoDuplicate,
  backComp: isBackwardComplete,
  bufFlushOrd: isFlushedInOrder,
  pollOrder: isPolledInOrder,
  nicActOrder: isPerformedInOrder,
  wfrd: readsWhatIsThere,
};

/** What keeps a path from being well-formed, by the paper's names (wfp). */
export const wrongIn = (path: Path): readonly string[] =>
  Object.entries(CONDITIONS).flatMap(([name, holds]) => (holds(path) ? [] : [name]));

/** Whether nothing is left to be done (`complete`). */
export function isComplete(path: Path): boolean {
  const p = new Places(path);
  return path.every(({ type, of: [event, second, , write] }) => {
    switch (type) {
      case 'lW':
      case 'nlW':
        return p.has('B', event);
      case 'Push':
        return p.has('NIC', event);
      case 'NIC':
        return event.kind === 'nF'
          ? p.has('nF', event)
          : p.has(event.kind === 'put' ? 'nlR' : 'nrR', event, 2);
      case 'nlR':
        return p.has('nrW', write);
      case 'nrR':
        return p.has('nlW', write);
      case 'nrW':
        return p.has('B', event) && p.has('CN', second);
      default:
        return true;
    }
  });
}

/** The buffers that a path leads to, by its labels alone (mksbuff, mkpipe, mkwbR, mkwbL, read). */
export function buffersAfter(path: Path, { memory, store, pairs }: Buffers): Buffers {
  const p = new Places(path);
  const inPair = (q: number) => path.filter(({ of }) => of[0].queuePair === q);
  return {
    memory: memory.map(
      (w, location) => memoryAfter(path, location) ?? (w.thread < 0 ? w : undefined!),
    ),
    store: store.map((_, t) =>
      path.flatMap(({ type, of: [e] }) => {
        const left = type === 'lW' ? 'B' : type === 'Push' ? 'NIC' : undefined;
        return left !== undefined && e.thread === t && !p.has(left, e) ? [e] : [];
      }),
    ),
    pairs: pairs.map((_, q) => ({
      pipe: inPair(q).flatMap(({ type, of: [a] }) => (type === 'NIC' ? inPipe(p, a) : [])),
      wbR: firsts(inPair(q), 'nrW').filter((w) => !p.has('B', w)),
      wbL: inPair(q).flatMap(({ type, of: [w, e] }) => {
        if (type === 'CN') return p.has('P', w, 1) ? [] : [w];
        if (type !== 'nlW') return [];
        // A notification that is polled has no write before it that waits.
        return [...(p.has('B', w) ? [] : [w]), ...(p.has('P', e, 1) ? [] : [e])];
      }),
    })),
  };
}

/** What an operation that has come to the card is in the pipe, if it is there. */
function inPipe(p: Places, a: AnnotatedEvent): readonly AnnotatedEvent[] {
  if (a.kind === 'nF') return p.has('nF', a) ? [] : [a];
  const [reading, writing] =
    a.kind === 'put' ? (['nlR', 'nrW'] as const) : (['nrR', 'nlW'] as const);
  const write = p.label(reading, a, 2)?.of[3];
  if (write === undefined) return [a];
  const notification = p.label(writing, write)?.of[1];
  if (notification === undefined) return [write];
  return a.kind === 'put' && !p.has('CN', notification) ? [notification] : [];
}

/** What is wrong with a configuration (Def. D.1): nothing, by Thm D.2. */
export function wrongOf(configuration: Configuration): readonly string[] {
  const { memory, store, pairs, path } = configuration;
  const ids = (buffers: Buffers): string =>
    JSON.stringify([buffers.memory, buffers.store, buffers.pairs], (_, value: unknown) =>
      typeof value === 'object' && value !== null && 'id' in value ? value.id : value,
    );
  const same = ids(buffersAfter(path, configuration)) === ids({ memory, store, pairs });
  return [...wrongIn(path), ...(same ? [] : ['buffers'])];
}
