import type { Event, EventStructure, Path, ValueId } from '../events/structure.js';
import { isRead } from '../events/structure.js';
import { applyBinary, applyUnary } from '../program/arithmetic.js';

/** One way through one thread: what it executes, given what its reads read. */
export interface Trace {
  readonly events: readonly Event[];
  /** Value of every executed read. */
  readonly reads: ReadonlyMap<number, number>;
  /** The free choices that were made, by index. */
  readonly choices: ReadonlyMap<number, number>;
  /** Value of every executed write. */
  readonly writes: ReadonlyMap<number, number>;
}

/** What a value turns out to be while reads and choices are still being fixed. */
type Outcome =
  | { readonly kind: 'number'; readonly value: number }
  | { readonly kind: 'undefined' }
  | { readonly kind: 'open'; readonly choice: number };

/**
 * All traces of one thread. Reads are guessed from `numbers`, the values that they can have at all;
 * choices are made when something depends on them. Traces that fail a constraint, divide by zero or
 * leave the loop bound do not exist.
 */
export function* tracesOf(
  structure: EventStructure,
  thread: number,
  numbers: (read: number) => readonly number[],
): Generator<Trace> {
  const { values } = structure;
  const events = structure.events.filter((e) => e.thread === thread);
  const constraints = [...structure.constraints, ...structure.divisions].filter(
    (c) => c.thread === thread,
  );
  const cuts = structure.cuts.filter((c) => c.thread === thread).map((c) => c.path);

  yield* extend(0, new Map(), new Map());

  function* extend(
    index: number,
    reads: ReadonlyMap<number, number>,
    choices: ReadonlyMap<number, number>,
  ): Generator<Trace> {
    if (index === events.length) {
      yield* finish(reads, choices);
      return;
    }
    const event = events[index];
    const taken = pathTaken(event.path, reads, choices);
    if (taken.kind === 'open') yield* choose(taken.choice, choices, (c) => extend(index, reads, c));
    else if (taken.kind === 'number' && taken.value !== 0 && isRead(event)) {
      for (const n of numbers(event.id)) {
        yield* extend(index + 1, new Map([...reads, [event.id, n]]), choices);
      }
    } else yield* extend(index + 1, reads, choices);
  }

  /** Checks what is left to check, once all reads are fixed. */
  function* finish(
    reads: ReadonlyMap<number, number>,
    choices: ReadonlyMap<number, number>,
  ): Generator<Trace> {
    const asked: Outcome[] = [];
    for (const { path, condition } of constraints) {
      const here = pathTaken(path, reads, choices);
      asked.push(here);
      if (here.kind === 'number' && here.value === 0) continue;
      const met = evaluate(condition, reads, choices);
      asked.push(met);
      if (met.kind === 'undefined' || (met.kind === 'number' && met.value === 0)) return;
    }
    for (const path of cuts) {
      const beyond = pathTaken(path, reads, choices);
      asked.push(beyond);
      if (beyond.kind === 'number' && beyond.value !== 0) return;
    }
    const executed = events.filter((e) => {
      const taken = pathTaken(e.path, reads, choices);
      return taken.kind === 'number' && taken.value !== 0;
    });
    const writes = new Map<number, number>();
    for (const e of executed) {
      if (e.value === undefined) continue;
      const written = evaluate(e.value, reads, choices);
      asked.push(written);
      if (written.kind === 'undefined') return;
      if (written.kind === 'number') writes.set(e.id, written.value);
    }
    const open = asked.find((o) => o.kind === 'open');
    if (open !== undefined) yield* choose(open.choice, choices, (c) => finish(reads, c));
    else yield { events: executed, reads, choices, writes };
  }

  function* choose(
    choice: number,
    choices: ReadonlyMap<number, number>,
    next: (choices: ReadonlyMap<number, number>) => Generator<Trace>,
  ): Generator<Trace> {
    for (const n of [0, 1]) yield* next(new Map([...choices, [choice, n]]));
  }

  function pathTaken(
    path: Path,
    reads: ReadonlyMap<number, number>,
    choices: ReadonlyMap<number, number>,
  ): Outcome {
    for (const { condition, taken } of path) {
      const outcome = evaluate(condition, reads, choices);
      if (outcome.kind === 'open') return outcome;
      if (outcome.kind === 'undefined' || (outcome.value !== 0) !== taken) {
        return { kind: 'number', value: 0 };
      }
    }
    return { kind: 'number', value: 1 };
  }

  function evaluate(
    id: ValueId,
    reads: ReadonlyMap<number, number>,
    choices: ReadonlyMap<number, number>,
  ): Outcome {
    const v = values[id];
    const known = (value: number | undefined): Outcome =>
      value === undefined ? { kind: 'undefined' } : { kind: 'number', value };
    switch (v.op) {
      case 'const':
        return known(v.value);
      case 'read':
        return known(reads.get(v.event));
      case 'choice': {
        const made = choices.get(v.choice);
        return made === undefined ? { kind: 'open', choice: v.choice } : known(made);
      }
      case 'unary': {
        const arg = evaluate(v.arg, reads, choices);
        return arg.kind === 'number' ? known(applyUnary(v.fn, arg.value)) : arg;
      }
      case 'binary': {
        const left = evaluate(v.left, reads, choices);
        if (left.kind !== 'number') return left;
        const right = evaluate(v.right, reads, choices);
        if (right.kind !== 'number') return right;
        return known(applyBinary(v.fn, left.value, right.value));
      }
      case 'select': {
        const condition = evaluate(v.condition, reads, choices);
        if (condition.kind !== 'number') return condition;
        return evaluate(condition.value !== 0 ? v.then : v.else, reads, choices);
      }
    }
  }
}
