import type { Event, EventStructure } from '../../src/program/events/structure.js';
import { isRead } from '../../src/program/events/structure.js';
import { runOfWitness } from '../../src/check/witness/witness.js';
import { combinations } from './combinations.js';

/** One way through one thread: what it executes, and what it reads and chooses on the way. */
export interface Trace {
  readonly events: readonly Event[];
  readonly reads: readonly (readonly [event: number, value: number])[];
  readonly choices: readonly number[];
}

/**
 * All ways through a thread: every value for every read and every choice are tried, and those kept
 * that meet the constraints. What is not executed is tried with one value only. For small threads.
 */
export function tracesOf(
  structure: EventStructure,
  thread: number,
  numbers: (read: number) => readonly number[],
): readonly Trace[] {
  const events = structure.events.filter((e) => e.thread === thread);
  const constraints = [...structure.constraints, ...structure.divisions].filter(
    (c) => c.thread === thread,
  );
  const cuts = structure.cuts.filter((c) => c.thread === thread);
  const readings = events.filter(isRead).map((r) => numbers(r.id).map((n) => [r.id, n] as const));
  const choosings = choicesOf(structure, thread).map((choice) =>
    [0, 1].map((n) => [choice, n] as const),
  );
  const traces: Trace[] = [];
  for (const made of combinations(choosings)) {
    const choices = new Array<number>(structure.choices).fill(0);
    for (const [choice, n] of made) choices[choice] = n;
    for (const reads of combinations(readings)) {
      const run = runOfWitness(structure, { choices, reads, rf: [], mo: [], guessed: {} });
      const executed = events.filter((e) => run.executed(e.id));
      const idle = reads.filter(([r]) => !run.executed(r));
      if (idle.some(([r, n]) => n !== numbers(r)[0])) continue;
      if (cuts.some((cut) => run.taken(cut.path))) continue;
      if (constraints.some((c) => run.taken(c.path) && !run.value(c.condition))) continue;
      traces.push({ events: executed, reads: reads.filter(([r]) => run.executed(r)), choices });
    }
  }
  return traces;
}

/** The choices that a thread makes. */
function choicesOf(
  { values, events, constraints, registers }: EventStructure,
  thread: number,
): number[] {
  const found = new Set<number>();
  const visited = new Set<number>();
  const visit = (id: number): void => {
    if (visited.has(id)) return;
    visited.add(id);
    const v = values[id];
    if (v.op === 'choice') found.add(v.choice);
    if (v.op === 'unary') visit(v.arg);
    if (v.op === 'binary') [v.left, v.right].forEach(visit);
    if (v.op === 'select') [v.condition, v.then, v.else].forEach(visit);
  };
  for (const e of events) {
    if (e.thread !== thread) continue;
    e.path.forEach((b) => visit(b.condition));
    if (e.value !== undefined) visit(e.value);
  }
  for (const c of constraints) {
    if (c.thread === thread) [c.condition, ...c.path.map((b) => b.condition)].forEach(visit);
  }
  registers[thread].forEach(visit);
  return [...found];
}
