import { expect, test } from 'vitest';
import { implementedCalls, waysThrough } from '../../src/analyses/local/subevents.js';
import type { RefinementPair } from '../../src/analyses/refine/refine.js';
import type { Verified } from '../../src/check/witness/verify.js';
import { enumerateCandidates } from '../../src/check/enumerate/candidates.js';
import { structureFor } from '../../src/check/structure.js';
import { related } from '../../src/model/relation/matrix.js';
import { fixedRelations } from '../../src/program/events/fixed.js';
import type { Event, EventStructure } from '../../src/program/events/structure.js';
import type { Program, Test } from '../../src/program/program.js';
import { ALL } from '../support/random.js';
import { MIXED, TRIED, clientsOf, readTried } from '../support/tried-implementations.js';

/** What stands for what, where calls are replaced by instructions. */

/** What a client does in one step: a call of its library, or an instruction of its own that has events. */
interface Step {
  readonly thread: number;
  readonly isCall: boolean;
  /** On all paths. */
  readonly events: readonly Event[];
  /** The name that a call gives its value. */
  readonly result?: string;
}

const structureOf = ({ program, models }: Test): EventStructure => {
  const structure = structureFor(program, models![0]);
  if ('reason' in structure) throw new Error(structure.reason);
  return structure;
};

const ownEvents = (events: readonly Event[], thread: number): readonly Event[] =>
  events.filter((e) => e.thread === thread && e.mark === undefined);

/** The steps of a client with its calls. */
function specifiedSteps(
  { program, events }: EventStructure,
  calls: ReadonlySet<string>,
): readonly Step[] {
  let before = 0;
  return program.threads.flatMap(({ body, registers }, thread) => {
    const own = ownEvents(events, thread);
    const steps = body.map((instruction, k): Step => {
      const isCall = instruction.kind === 'call' && calls.has(instruction.operation);
      const given = instruction.kind === 'call' ? instruction.result : undefined;
      const result = given?.kind === 'register' ? registers[given.register] : undefined;
      return { thread, isCall, result, events: own.filter((e) => e.call === before + k) };
    });
    before += body.length;
    return steps.filter((step) => step.isCall || step.events.length > 0);
  });
}

/** The events that stand for each step where calls are implemented: the function of the definition, backwards. */
function implementedSteps(
  structure: EventStructure,
  steps: readonly Step[],
): readonly (readonly Event[])[] {
  return structure.program.threads.flatMap((_, thread) => {
    const groups = [...implementedCalls(structure, thread)];
    const rest = ownEvents(structure.events, thread).filter((e) => e.group === undefined);
    const others = [...new Set(rest.map((e) => e.call))].map((call) =>
      rest.filter((e) => e.call === call),
    );
    const own = steps
      .filter((step) => step.thread === thread)
      .map(({ isCall }) => (isCall ? groups : others).shift() ?? []);
    // Nothing stands for no step.
    expect([groups, others]).toEqual([[], []]);
    return own;
  });
}

/** What was looked at. */
interface Seen {
  executions: number;
  calls: number;
  others: number;
  /** Calls for which nothing is done. */
  empty: number;
}

test('LOCO paper, Def. E.1: executions of implementations have wide abstractions', () => {
  const seen = { executions: 0, calls: 0, others: 0, empty: 0 };
  for (const one of TRIED) {
    const { empty } = seen;
    for (const { text } of clientsOf(one, MIXED)) {
      const pair = readTried(text, one);
      if (pair !== undefined) checkClient(pair, one.library, seen);
    }
    // The definition is about implementations that do something for each call. Those that lost a statement may not.
    if (!/drop|one node less/.test(one.name))
      expect([one.name, seen.empty]).toEqual([one.name, empty]);
  }
  expect(seen.executions).toBeGreaterThan(ALL ? 5000 : 300);
  expect(seen.calls).toBeGreaterThan(ALL ? 6000 : 300);
  expect(seen.others).toBeGreaterThan(ALL ? 15_000 : 700);
});

/** Checks executions of a client with an implementation in the place of the calls of a library. */
function checkClient(
  { specification, implementation }: RefinementPair,
  library: string,
  seen: Seen,
): void {
  const [model] = implementation.models!;
  const { operations } = specification.models![0].instructions;
  const calls = new Set(operations.filter((o) => o.library === library).map(({ name }) => name));
  const [above, below] = [specification, implementation].map(structureOf);
  const steps = specifiedSteps(above, calls);
  const made = implementedSteps(below, steps);
  const check = (execution: Verified): boolean => {
    seen.executions += 1;
    const own = execution.events.filter((e) => e.thread >= 0 && e.mark === undefined);
    // No call of the library is left.
    expect(own.filter((e) => e.library === library)).toEqual([]);
    checkOrder(own, made);
    for (const [i, step] of steps.entries()) {
      const by = own.filter((e) => made[i].includes(e));
      if (!step.isCall) {
        seen.others += 1;
        expect(by.map((e) => said(below, e))).toEqual(step.events.map((e) => said(above, e)));
        continue;
      }
      seen.calls += 1;
      if (by.length === 0 && step.events.length > 0) seen.empty += 1;
      expect(isWayThrough(by, made[i], step, below, execution)).toBe(true);
    }
    return false;
  };
  enumerateCandidates(below, model, check, { limit: 100 });
}

/** Events of one thread are in program order as their steps are, both ways. */
function checkOrder(own: readonly Event[], made: readonly (readonly Event[])[]): void {
  const po = fixedRelations(own)('po');
  const step = own.map((e) => made.findIndex((events) => events.includes(e)));
  expect(step).not.toContain(-1);
  for (const [i, a] of own.entries()) {
    for (const [j, b] of own.entries()) {
      if (step[i] === step[j]) continue;
      expect(related(po, i, j)).toBe(a.thread === b.thread && step[i] < step[j]);
    }
  }
}

/** Whether the implementation, alone, may make these events of a call and return its value. */
function isWayThrough(
  by: readonly Event[],
  all: readonly Event[],
  { thread, result }: Step,
  structure: EventStructure,
  { run }: Verified,
): boolean {
  const index = structure.program.threads[thread].registers.indexOf(result ?? '');
  const register = index < 0 ? undefined : index;
  const value =
    register === undefined ? undefined : run.final({ kind: 'register', thread, register });
  return waysThrough(structure, thread, all, register).some(
    (way) =>
      way.events.length === by.length &&
      way.events.every((e) => by.includes(e)) &&
      (way.result === undefined || way.result === value),
  );
}

/** What does not depend on the numbering of events. */
const said = ({ program, values }: EventStructure, { label, node, location, value }: Event) => ({
  label,
  node,
  location: nameOf(program, location),
  writes: value === undefined ? undefined : values[value].op === 'const' ? values[value] : 'read',
});

const nameOf = ({ locations }: Program, location: number | undefined): string | undefined =>
  location === undefined ? undefined : locations[location].name;
