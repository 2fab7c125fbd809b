import type { InstructionSet } from '../model/instructions/set.js';
import type { Program } from '../program/program.js';
import type { Path, Value, ValueId } from '../program/events/structure.js';
import { flowOf } from '../program/flow/compile.js';
import type { FlowOptions } from '../program/flow/compile.js';
import type { FlowGraph } from '../program/flow/graph.js';
import type { CallSite } from './calls.js';
import { callSiteOf } from './calls.js';

/** Index into `Calls.classes`. */
export type ClassId = number;

/** The uses of operations in a program: those whose events are alike in all that matters are of one class. */
export interface UseClasses {
  readonly flows: readonly FlowGraph[];
  /** By thread and step: the class of a use; -1 for other steps. */
  readonly classAt: readonly (readonly ClassId[])[];
  readonly classes: readonly CallSite[];
}

/** The calls that uses make. */
export interface Calls extends UseClasses {
  /** By class: those that a use of it may turn out to be, itself among them. */
  readonly variants: readonly (readonly ClassId[])[];
}

/** Calls that are alike are one object, in all programs in the same instructions: what is known of it is known of all of them. */
const SITES = new WeakMap<InstructionSet, Map<string, CallSite>>();

export function useClassesOf(program: Program, options: FlowOptions): UseClasses {
  const classes: CallSite[] = [];
  const sites = SITES.get(program.instructions) ?? new Map<string, CallSite>();
  SITES.set(program.instructions, sites);
  const classOf = (made: CallSite): ClassId => {
    const key = keyOf(made);
    const site = sites.get(key) ?? made;
    sites.set(key, site);
    const before = classes.indexOf(site);
    return before < 0 ? classes.push(site) - 1 : before;
  };
  const flows = program.threads.map((thread) => flowOf(thread, program.instructions, options));
  const classAt = flows.map(({ steps }, thread) =>
    steps.map((step) =>
      step.kind === 'use' ? classOf(callSiteOf(program, thread, step.use)) : -1,
    ),
  );
  return { flows, classAt, classes };
}

/** Two uses with the same key are alike but for where they stand in the text. */
function keyOf({ thread, events, values, given, result, guards, divisors }: CallSite): string {
  const bare = events.map((event) => ({ ...event, span: 0, use: 0, call: 0 }));
  return JSON.stringify([thread, bare, values, given, result, guards, divisors]);
}

/** A way through a call of an operation with alternatives, or the one way of any other: what a thread decides when it begins. */
export interface ClassAlternative {
  /** Free choices, by their numbers, and how they fall. */
  readonly choices: ReadonlyMap<number, boolean>;
  /** The events that are on the way, or may turn out to be. */
  readonly events: readonly number[];
}

/** The ways through a call, as its free choices fall. */
export function alternativesOf(site: CallSite): readonly ClassAlternative[] {
  const known = ALTERNATIVES.get(site) ?? alternativesIn(site);
  ALTERNATIVES.set(site, known);
  return known;
}

const ALTERNATIVES = new WeakMap<CallSite, readonly ClassAlternative[]>();

function alternativesIn(site: CallSite): readonly ClassAlternative[] {
  const choiceOf = (condition: ValueId): number | undefined => {
    const value = site.values[condition];
    return value.op === 'choice' && value.choice >= site.given ? value.choice : undefined;
  };
  const all = new Set<number>();
  for (const { path } of [...site.events, ...site.guards]) {
    for (const { condition } of path) {
      const choice = choiceOf(condition);
      if (choice !== undefined) all.add(choice);
    }
  }
  const found: ClassAlternative[] = [];
  // Alternatives are tried one after the other: one is taken if its choice is true and those before are false.
  const open = [...all];
  for (let taken = 0; taken <= open.length; taken++) {
    const choices = new Map(
      open.slice(0, taken + 1).map((choice, i) => [choice, i === taken] as const),
    );
    const isOn = (path: Path): boolean =>
      path.every(({ condition, taken: way }) => {
        const choice = choiceOf(condition);
        return choice === undefined || choices.get(choice) === way;
      });
    found.push({
      choices,
      events: site.events.flatMap((event, i) => (isOn(event.path) ? [i] : [])),
    });
  }
  return found;
}

/** Which values a value is made of: what the call was given, and what its events have read; by event. */
export interface ValueUses {
  readonly given: ReadonlySet<number>;
  readonly reads: ReadonlySet<number>;
}

export function usesOf(values: readonly Value[], ids: readonly ValueId[]): ValueUses {
  const [given, reads] = [new Set<number>(), new Set<number>()];
  const visit = (id: ValueId): void => {
    const value = values[id];
    switch (value.op) {
      case 'const':
        return;
      case 'read':
        reads.add(value.event);
        return;
      case 'choice':
        given.add(value.choice);
        return;
      case 'unary':
        return visit(value.arg);
      case 'binary':
        visit(value.left);
        visit(value.right);
        return;
      case 'select':
        visit(value.condition);
        visit(value.then);
        visit(value.else);
    }
  };
  ids.forEach(visit);
  return { given, reads };
}
