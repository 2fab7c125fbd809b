import { definitionOf } from '../../src/check/order-in-every-run.js';
import type { Judgement } from '../../src/model/relation/concrete.js';
import * as m from '../../src/model/relation/matrix.js';
import type { Model } from '../../src/model/term.js';
import type { Machine } from '../../src/rdma/machines/machine.js';
import type { ThreadState } from '../../src/rdma/machines/state.js';
import type { ThreadLabel } from '../../src/rdma/machines/thread.js';
import { offerOf } from '../../src/rdma/machines/thread.js';
import { updated } from '../../src/rdma/update.js';
import type { AnnotatedEvent, AnnotatedLabel, Configuration } from './annotated.js';
import { along, annotatedStart, initialWrites } from './annotated.js';
import { Places, samePair } from './annotated-paths.js';
import type { Candidate } from './naive.js';

/** From annotated paths to execution graphs, and back (TSO paper, App. D.3 and D.4). */

type Path = readonly AnnotatedLabel[];

/**
 * A graph in words, whatever its events are called: by thread, events with what they read and write, and then the pairs of each relation.
 * Two graphs have the same words exactly if they are equal.
 */
export interface Graph {
  readonly events: readonly string[];
  readonly relations: Readonly<Record<'rf' | 'mo' | 'pf' | 'nfo', readonly string[]>>;
}

const inWords = (label: string, at?: number, reads?: number, writes?: number): string =>
  `${label} ${at ?? ''} reads ${reads ?? ''} writes ${writes ?? ''}`;

/** The graph of a complete path (getEG). */
export function graphOfPath(path: Path, machine: Machine): Graph {
  const p = new Places(path);
  const names = new Map(
    initialWrites(machine.program).map(({ id, location }) => [id, `x${location}`]),
  );
  const events = machine.codes.flatMap((_, t) =>
    path
      .filter(({ of }) => of[0].thread === t)
      .flatMap((label) => generated(label, p))
      .map((e, k) => {
        names.set(e.id, `${t}.${k}`);
        return inWords(e.kind, e.location, e.reads, e.writes);
      }),
  );
  const pair = (a: AnnotatedEvent, b: AnnotatedEvent): string =>
    `${names.get(a.id)} ${names.get(b.id)}`;
  const observed = path.flatMap(({ type, of }) => (type === 'B' || type === 'CAS' ? [of[0]] : []));
  const mo = observed.flatMap((w, i) => [
    `x${w.location} ${names.get(w.id)}`,
    ...observed.slice(0, i).flatMap((v) => (v.location === w.location ? [pair(v, w)] : [])),
  ]);
  return {
    events,
    relations: {
      rf: path
        .flatMap(({ type, of: [r, w] }) =>
          ['lR', 'CAS', 'nlR', 'nrR'].includes(type) ? [pair(w, r)] : [],
        )
        .toSorted(),
      mo: mo.toSorted(),
      pf: path
        .flatMap(({ type, of: [poll, e] }) => {
          const write = p.label('nlW', e, 1) ?? p.label('nrW', e, 1);
          return type === 'P' ? [pair(write!.of[0], poll)] : [];
        })
        .toSorted(),
      nfo: flushes(path, p, pair).toSorted(),
    },
  };
}

/** The events that a label generates, where program order has them. */
function generated({ type, of: [e] }: AnnotatedLabel, p: Places): readonly AnnotatedEvent[] {
  if (['lR', 'lW', 'CAS', 'F', 'P'].includes(type)) return [e];
  if (type !== 'Push') return [];
  const reading = p.label('nlR', e, 2) ?? p.label('nrR', e, 2);
  return reading === undefined ? [e] : [reading.of[0], reading.of[3]];
}

function flushes(
  path: Path,
  p: Places,
  pair: (a: AnnotatedEvent, b: AnnotatedEvent) => string,
): readonly string[] {
  const firsts = (type: string) => path.flatMap((l) => (l.type === type ? [l.of[0]] : []));
  return (
    [
      ['nlR', 'nlW'],
      ['nrR', 'nrW'],
    ] as const
  ).flatMap(([reading, writing]) =>
    firsts(reading).flatMap((r) =>
      firsts(writing)
        .filter((w) => samePair(r, w))
        .flatMap((w) => {
          if (p.of(reading, r) < p.of(writing, w)) return [pair(r, w)];
          return p.of('B', w) < p.of(reading, r) ? [pair(w, r)] : [];
        }),
    ),
  );
}

/** The graph of an execution. */
export function graphOf({ events, execution }: Candidate): Graph {
  const names = new Map<number, string>();
  const counts = new Map<number, number>();
  const words: string[] = [];
  for (const { id, thread, label, location, reads, writes } of events) {
    const k = counts.get(thread) ?? 0;
    counts.set(thread, k + 1);
    names.set(id, thread < 0 ? `x${location}` : `${thread}.${k}`);
    if (thread >= 0) words.push(inWords(label, location, reads, writes?.n));
  }
  const told = (name: string): readonly string[] => {
    const found = [...m.pairs(execution.relations.get(name)!)];
    return found.map(([a, b]) => `${names.get(a)} ${names.get(b)}`).toSorted();
  };
  return {
    events: words,
    relations: { rf: told('rf'), mo: told('mo'), pf: told('pf'), nfo: told('nfo') },
  };
}

/** The events of an execution, and the puts, gets and notifications that are made for them. */
function annotatedEvents({ events, execution }: Candidate, { program, queuePairs }: Machine) {
  const initial = initialWrites(program);
  const all = events.map((e): AnnotatedEvent => {
    if (e.thread < 0) return initial[e.location!];
    const { id, thread, location, reads } = e;
    const index = queuePairs.findIndex(
      (q) => q.thread === thread && `${q.node} ${q.queuePair}` === e.queuePair,
    );
    const queuePair = index < 0 ? undefined : index;
    const kind = e.label as AnnotatedEvent['kind'];
    return { id, kind, thread, queuePair, location, reads, writes: e.writes?.n };
  });
  const before = (relation: string, to: number): AnnotatedEvent =>
    all[[...m.pairs(execution.relations.get(relation)!)].find(([, b]) => b === to)![0]];
  const labels = new Map<number, AnnotatedLabel>();
  const operations: { readonly a: AnnotatedEvent; readonly e?: AnnotatedEvent }[] = [];
  const polled = new Map<number, AnnotatedEvent>();
  for (const [i, event] of all.entries()) {
    const { kind, thread, queuePair } = event;
    if (thread < 0) continue;
    const on = { thread, queuePair };
    const label = (...of: readonly AnnotatedEvent[]) => labels.set(i, { type: kind as 'lR', of });
    if (kind === 'nlR' || kind === 'nrR') {
      const write = all[i + 1];
      const isPut = kind === 'nlR';
      const a: AnnotatedEvent = {
        ...on,
        id: 1000 + i,
        kind: isPut ? 'put' : 'get',
        location: event.location,
        to: write.location,
      };
      const e: AnnotatedEvent = { ...on, id: 2000 + i, kind: isPut ? 'nrEX' : 'nlEX' };
      operations.push({ a, e });
      polled.set(i + 1, e);
      label(event, before('rf', i), a, write);
      labels.set(i + 1, { type: write.kind as 'nlW', of: [write, e] });
    } else if (kind === 'nF') {
      operations.push({ a: event });
      label(event);
    } else if (kind === 'P') {
      const [write] = [...m.pairs(execution.relations.get('pf')!)].find(([, b]) => b === i)!;
      label(event, polled.get(write)!);
    } else if (kind === 'lR' || kind === 'CAS') label(event, before('rf', i));
    else if (kind === 'lW' || kind === 'F') label(event);
  }
  return { all, labels, operations };
}

const BUFFERED = ['lW', 'nlW', 'nrW'];

/**
 * A path for all but `Push`, `NIC` and `CN` in which events are issued and observed as ib and ob say (the paper's π₀). What these leave open:
 * writes are issued first, and come into memory last.
 *
 * @param first which of the events that can come next does
 */
function basicPath(
  all: readonly AnnotatedEvent[],
  labels: ReadonlyMap<number, AnnotatedLabel>,
  [ib, ob]: readonly m.BitRel[],
  first: (free: readonly number[]) => number,
): Path {
  const path: AnnotatedLabel[] = [];
  const own = [...all.keys()].filter((i) => all[i].thread >= 0);
  const toIssue = new Set(own);
  const toObserve = new Set(own);
  const isFree = (i: number, order: m.BitRel, left: ReadonlySet<number>): boolean =>
    ![...left].some((before) => m.related(order, before, i));
  while (toObserve.size > 0) {
    const isBuffered = (i: number): boolean => BUFFERED.includes(all[i].kind);
    const issuable = [...toIssue].filter(
      (i) => isFree(i, ib, toIssue) && (isBuffered(i) || isFree(i, ob, toObserve)),
    );
    const next = issuable.length > 0 ? first(issuable) : undefined;
    if (next !== undefined) {
      path.push(labels.get(next)!);
      toIssue.delete(next);
      if (!isBuffered(next)) toObserve.delete(next);
      continue;
    }
    const observable = [...toObserve].filter((i) => !toIssue.has(i) && isFree(i, ob, toObserve));
    if (observable.length === 0) throw new Error('ib and ob have no common path');
    const written = first(observable);
    path.push({ type: 'B', of: [all[written]] });
    toObserve.delete(written);
  }
  return path;
}

/** Puts a label as early as possible, behind all labels that it needs (`extend`). */
function extended(
  path: Path,
  label: AnnotatedLabel,
  isNeeded: (one: AnnotatedLabel) => boolean,
): Path {
  const at = path.findLastIndex(isNeeded) + 1;
  return path.toSpliced(at, 0, label);
}

/** A path of a consistent execution (App. D.4): it is well-formed and complete, and a run of the program (Thm D.11). */
export function pathOf(
  candidate: Candidate,
  machine: Machine,
  recursive: Model,
  judged: Judgement,
  first: (free: readonly number[]) => number,
): Path {
  const { all, labels, operations } = annotatedEvents(candidate, machine);
  const orders = ['ib', 'ob'].map((name) => judged.rel(definitionOf(recursive, name)));
  let path = basicPath(all, labels, orders, first);
  // A put or get is where its read is in program order, and events are in this order.
  const place = ({ id }: AnnotatedEvent): number => id % 1000;
  for (const { a, e } of operations) {
    const isEarlier = (one: AnnotatedEvent): boolean =>
      one.thread === a.thread && place(one) < place(a);
    const isOnPair = (one: AnnotatedEvent): boolean => samePair(one, a) && place(one) < place(a);
    path = extended(
      path,
      { type: 'Push', of: [a] },
      ({ type, of: [one] }) =>
        ['lR', 'lW', 'CAS', 'F', 'P', 'Push'].includes(type) && isEarlier(one),
    );
    path = extended(
      path,
      { type: 'NIC', of: [a] },
      ({ type, of: [one] }) =>
        (type === 'Push' && one === a) ||
        (((type === 'B' && one.kind === 'lW') || type === 'NIC') && isEarlier(one)),
    );
    if (e?.kind !== 'nrEX') continue;
    path = extended(
      path,
      { type: 'CN', of: [e] },
      ({ type, of: [one, second] }) =>
        (type === 'nrW' && second === e) ||
        (type === 'nlW' && isOnPair(second)) ||
        (type === 'CN' && isOnPair(one)),
    );
  }
  return withFencesLate(path);
}

/** The memory fence of a compare-and-swap that fails comes right before its read (proof of Thm D.11). */
function withFencesLate(path: Path): Path {
  let moved = path;
  for (const label of path) {
    const [read] = label.of;
    if (label.type !== 'lR') continue;
    const fence = moved.find(
      ({ type, of: [f] }) => type === 'F' && f.thread === read.thread && f.id === read.id - 1,
    );
    if (fence === undefined) continue;
    const rest = moved.filter((one) => one !== fence);
    moved = rest.toSpliced(rest.indexOf(label), 0, fence);
  }
  return moved;
}

/** Runs a program along a path; undefined where a step is not possible. */
export function replayed(machine: Machine, path: Path): Configuration | undefined {
  let at: Configuration | undefined = annotatedStart(machine);
  for (let i = 0; i < path.length && at !== undefined;) {
    const taken = threadStep(machine, at, path, i);
    if (taken === undefined) return undefined;
    at = along({ ...at, threads: taken.threads }, path.slice(i, i + taken.count));
    i += taken.count;
  }
  const codes = machine.codes;
  return (
    at && {
      ...at,
      threads: at.threads.map(
        (thread, t) =>
          silently(codes[t], thread).find(({ at: end }) => end === codes[t].ops.length) ?? thread,
      ),
    }
  );
}

type Code = Machine['codes'][number];

/** All that a thread can come to without a label. */
function silently(code: Code, thread: ThreadState): readonly ThreadState[] {
  const offer = offerOf(code, thread);
  return offer.kind === 'silent' ? offer.next.flatMap((next) => silently(code, next)) : [thread];
}

/** What becomes of threads with the label at a place of a path, and how many labels this takes. */
function threadStep({ codes }: Machine, at: Configuration, path: Path, i: number) {
  const {
    type,
    of: [event],
  } = path[i];
  if (!['lR', 'lW', 'CAS', 'F', 'P', 'Push'].includes(type))
    return { threads: at.threads, count: 1 };
  const { thread } = event;
  for (const ready of silently(codes[thread], at.threads[thread])) {
    const offer = offerOf(codes[thread], ready);
    if (offer.kind !== 'label') continue;
    const count = isFor(offer.label, path, i);
    if (count === 0) continue;
    const found = path[i + count - 1].of[0].reads;
    return { threads: at.threads.with(thread, offer.next(found)), count };
  }
  return undefined;
}

/** How many labels of a path, from a place on, are those of a thread's step: none if they are not. */
function isFor(label: ThreadLabel, path: Path, i: number): number {
  const {
    type,
    of: [e],
  } = path[i];
  switch (label.kind) {
    case 'read':
      return Number(type === 'lR' && e.location === label.location);
    case 'write':
      return Number(type === 'lW' && e.location === label.location && e.writes === label.value);
    case 'update': {
      const { location, update } = label;
      if (type === 'CAS')
        return Number(e.location === location && updated(update, e.reads!) === e.writes);
      const read = path.at(i + 1);
      const fails =
        read?.type === 'lR' &&
        read.of[0].location === location &&
        updated(update, read.of[0].reads!) === undefined;
      return type === 'F' && fails && read.of[0].thread === e.thread ? 2 : 0;
    }
    case 'mfence':
      return Number(type === 'F');
    case 'poll':
      return Number(type === 'P' && e.queuePair === label.queuePair);
    case 'request': {
      const { request } = label;
      if (type !== 'Push' || e.queuePair !== request.queuePair) return 0;
      if (request.kind === 'rfence') return Number(e.kind === 'nF');
      return Number(
        e.kind === request.kind &&
          'from' in request &&
          e.location === request.from &&
          e.to === request.to,
      );
    }
  }
}
