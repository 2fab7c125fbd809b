import fc from 'fast-check';
import { expect, test } from 'vitest';
import { enumerateCandidates } from '../../src/check/enumerate/candidates.js';
import { definitionOf } from '../../src/check/order-in-every-run.js';
import type { Verified } from '../../src/check/witness/verify.js';
import type { Execution } from '../../src/model/relation/concrete.js';
import { evaluate } from '../../src/model/relation/concrete.js';
import type { BitRel } from '../../src/model/relation/matrix.js';
import * as m from '../../src/model/relation/matrix.js';
import type { Event } from '../../src/program/events/structure.js';
import { unroll } from '../../src/program/events/unroll.js';
import type { Program } from '../../src/program/program.js';
import { inBlocks, programs } from '../../src/rdma/random/programs.js';
import { PLAIN_FILES } from '../support/corpus.js';
import { litmus } from '../support/litmus.js';
import { RDMA_SC, SC } from '../support/prefixes.js';
import { cases, few, some } from '../support/random.js';

/**
 * How a violation is brought into normal form: from its trace T by way of T′, without a maximal event, to T″, which has it back (decidability
 * paper, §5.3). Each step is judged by the axioms, and held against all traces of the program.
 */

const [IB, OB] = ['ib', 'ob'].map((name) => definitionOf(RDMA_SC, name));

/** A trace: events of a program, the relations over them, and no more of it than the steps need. */
interface Trace {
  readonly events: readonly Event[];
  readonly execution: Execution;
}

/** Positions of the events of a trace, in some order. */
type Sequence = readonly number[];

const isViolating = ({ execution }: Trace): boolean => !evaluate(SC, execution).consistent;

/** What a trace chooses, in the names of the program's events: two traces of a program with the same key are the same. */
function keyOf({ events, execution }: Trace): string {
  const told = (name: string): readonly string[] =>
    [...m.pairs(execution.relations.get(name)!)].map(([a, b]) => `${events[a].id} ${events[b].id}`);
  return JSON.stringify([
    events.map(({ id }) => id),
    ...['rf', 'mo', 'nfo'].map((name) => told(name).toSorted()),
  ]);
}

/** All consistent traces of a program by their keys; undefined where they are too many. */
function tracesOf(program: Program): ReadonlyMap<string, Verified> | undefined {
  const found = new Map<string, Verified>();
  const visit = (trace: Verified): void => void found.set(keyOf(trace), trace);
  const structure = unroll(program, undefined, { prefixes: true });
  const { incomplete } = enumerateCandidates(structure, RDMA_SC, visit, { limit: 4000 });
  return incomplete === undefined ? found : undefined;
}

/** The trace T(τ) of a sequence of events of another trace (Def. 4). */
function traceOf({ events, execution }: Trace, sequence: Sequence): Trace {
  const kept = sequence.toSorted((a, b) => a - b);
  const at = new Map(kept.map((e, i) => [e, i]));
  const size = kept.length;
  const isIn =
    (name: string) =>
    (e: number): boolean =>
      m.has(execution.sets.get(name)!, e);
  const isAt =
    (e: number) =>
    (other: number): boolean =>
      events[e].location === events[other].location;
  const over = (pairs: readonly (readonly [number, number])[]): BitRel =>
    m.relOf(
      size,
      pairs.map(([a, b]) => [at.get(a)!, at.get(b)!] as const),
    );
  const later = (i: number): Sequence => sequence.slice(i + 1);
  const writes = sequence.filter(isIn('W'));
  const rf = sequence.flatMap((r, i) => {
    const source = sequence.slice(0, i).filter(isIn('W')).findLast(isAt(r));
    return isIn('R')(r) ? [[source!, r] as const] : [];
  });
  const mo = writes.flatMap((w, i) =>
    writes
      .slice(i + 1)
      .filter(isAt(w))
      .map((v) => [w, v] as const),
  );
  const flushes = [['nlR', 'nlW'], ['nlW', 'nlR'], ['nrR', 'nrW'], ['nrW', 'nrR']]; // prettier-ignore
  const nfo = sequence.flatMap((a, i) =>
    later(i).flatMap((b) =>
      m.related(execution.relations.get('sqp')!, a, b) &&
      flushes.some(([first, second]) => isIn(first)(a) && isIn(second)(b))
        ? [[a, b] as const]
        : [],
    ),
  );
  const chosen = new Map([['rf', over(rf)], ['mo', over(mo)], ['nfo', over(nfo)]]); // prettier-ignore
  return {
    events: kept.map((e) => events[e]),
    execution: {
      size,
      sets: { get: (name) => m.restrictSet(execution.sets.get(name)!, kept) },
      relations: {
        get: (name) => chosen.get(name) ?? m.restrict(execution.relations.get(name)!, kept),
      },
    },
  };
}

/** po, rf, mo and rb together. */
function scOf({ execution: { relations } }: Trace): BitRel {
  const [po, rf, mo] = ['po', 'rf', 'mo'].map((name) => relations.get(name)!);
  const rb = m.seq(m.inverse(rf), mo);
  const own = m.identity(m.universe(po.size));
  return [po, rf, mo, m.diffRel(rb, own)].reduce(m.unionRel);
}

/** Sequences that an order without cycles allows, up to so many. */
function* linearisations(order: BitRel, most: number): Generator<Sequence> {
  let left = most;
  function* go(done: Sequence, rest: Sequence): Generator<Sequence> {
    if (rest.length === 0) {
      left -= 1;
      yield done;
    }
    for (const e of rest) {
      if (left === 0) return;
      if (rest.some((other) => m.related(order, other, e))) continue;
      yield* go(
        [...done, e],
        rest.filter((other) => other !== e),
      );
    }
  }
  yield* go([], [...Array(order.size).keys()]);
}

/** Maximal events (Def. 5). */
function maximalIn({ execution: { size, sets, relations } }: Trace, ib: BitRel): Sequence {
  const initial = sets.get('IW')!;
  const cpu = m.elements(sets.get('CPU')!);
  return [...Array(size).keys()].filter(
    (e) =>
      !m.has(initial, e) &&
      m.successors(relations.get('po')!, e).length === 0 &&
      !cpu.some((f) => m.related(ib, e, f)),
  );
}

/** Events in the order of a sequence. */
const inOrder = (events: Sequence, by: Sequence): Sequence =>
  events.toSorted((a, b) => by.indexOf(a) - by.indexOf(b));

interface Steps {
  readonly e: number;
  readonly tau: Sequence;
  /** Without e, over the events of T. */
  readonly sigma: Sequence;
  readonly last: Sequence;
}

/** The steps from T to T″ for a maximal event and a linearisation, each judged. */
function toNormalForm(
  T: Trace,
  e: number,
  tau: Sequence,
  traces: ReadonlyMap<string, Verified>,
): Steps {
  const rest = tau.filter((other) => other !== e);
  const first = traceOf(T, rest);
  // T′ is a consistent trace of the program, and does not violate.
  expect(traces.has(keyOf(first))).toBe(true);
  expect(isViolating(first)).toBe(false);
  const kept = rest.toSorted((a, b) => a - b);
  const [order] = linearisations(m.plus(scOf(first)), 1);
  const sigma = order.map((i) => kept[i]);
  const [before, after] = [tau.slice(0, tau.indexOf(e)), tau.slice(tau.indexOf(e) + 1)];
  const last = [...inOrder(before, sigma), e, ...inOrder(after, sigma)];
  const second = traceOf(T, last);
  // T″ is one, violates, and has the sc of T (Thm 5.2).
  expect(traces.has(keyOf(second))).toBe(true);
  expect(isViolating(second)).toBe(true);
  expect(m.equal(scOf(second), scOf(T))).toBe(true);
  // Its two parts are as Thm 5.1 says.
  const sc = scOf(second);
  for (const part of [[...before, e], after]) {
    expect(
      m.isAcyclic(
        m.restrict(
          sc,
          part.toSorted((a, b) => a - b),
        ),
      ),
    ).toBe(true);
  }
  const ob = evaluate(RDMA_SC, second.execution).rel(OB);
  expect(after.some((a) => [...before, e].some((b) => m.related(ob, a, b)))).toBe(false);
  return { e, tau, sigma, last };
}

/** All steps of the smallest violations of a program, with at most so many linearisations each; undefined where traces are too many. */
function normalForms(
  program: Program,
  most: number,
): readonly (Steps & { readonly T: Trace })[] | undefined {
  const traces = tracesOf(program);
  if (traces === undefined) return undefined;
  const violating = [...traces.values()].filter(isViolating);
  const least = Math.min(...violating.map(({ events }) => events.length));
  return violating
    .filter(({ events }) => events.length === least)
    .flatMap((T) =>
      maximalIn(T, T.judgement.rel(IB)).flatMap((e) =>
        [...linearisations(T.judgement.rel(OB), most)].map((tau) => ({
          T,
          ...toNormalForm(T, e, tau, traces),
        })),
      ),
    );
}

test('decidability paper, §5.1 and §5.3: the steps of the example are those of the paper', () => {
  const { text } = PLAIN_FILES.find(({ file }) => file === 'decidability/A51.litmus')!;
  const { program } = litmus(text);
  const told = (T: Trace, sequence: Sequence): string =>
    sequence
      .filter((e) => !m.has(T.execution.sets.get('IW')!, e))
      .map((e) => `${T.events[e].label} ${program.locations[T.events[e].location!].name}`)
      .join(', ');
  const all = normalForms(program, 20)!.map(({ T, e, tau, sigma, last }) =>
    [[e], tau, sigma, last].map((sequence) => told(T, sequence)),
  );
  expect(all).toContainEqual([
    'lW x',
    'nrR w, lW x, nlR x, nrW z, nlW y',
    'nrR w, nlW y, nlR x, nrW z',
    'nrR w, lW x, nlW y, nlR x, nrW z',
  ]);
});

const files = PLAIN_FILES.filter(({ file }) => /^(?:tso|robustness|decidability)\//.test(file));

test('decidability paper, §5.3, Thms 5.1 and 5.2: the smallest violations of published programs have a normal form', () => {
  const found = some(files).map(({ text }) => normalForms(litmus(text).program, 3)?.length ?? 0);
  expect(found.filter((count) => count > 0).length).toBeGreaterThan(few(30));
  expect(found.reduce((a, b) => a + b, 0)).toBeGreaterThan(few(150));
});

test('decidability paper, §5.3, Thms 5.1 and 5.2: so have those of random programs', () => {
  let [programsWith, steps] = [0, 0];
  const drawn = programs({ threads: 2, instructions: 3, branches: false });
  for (const source of fc.sample(drawn, { seed: 53, numRuns: cases(400, 40) })) {
    const count = normalForms(litmus(inBlocks(source)).program, 3)?.length ?? 0;
    if (count > 0) programsWith += 1;
    steps += count;
  }
  expect(programsWith).toBeGreaterThan(few(40));
  expect(steps).toBeGreaterThan(few(140));
});
