import { slotsOf } from './slots.js';
import type { Counters } from './counting.js';
import type { Cycle } from './cycles.js';
import { detectionOf } from './detection.js';
import type { Domains } from './domains.js';
import { reachableAfter } from './graph.js';
import type { Contents } from './memory.js';
import { guessedMemory, orderedMemory } from './memory.js';
import { isAccess, mayRead, mayWrite } from './needs.js';
import type { Needs } from './needs.js';
import { endsOf, processPlaces } from './places.js';
import { placementOf } from './placement.js';
import { simplifiedSystem } from './simplify.js';
import type { System, Variable, VariableId } from './system.js';

/**
 * How a program is instrumented.
 *
 * The instrumentation of the decidability paper (§6, App. D) makes a system that runs under SC of a program that runs
 * under RDMA^SC. The system can reach its goal exactly if the program has a violating trace with one of the given cycles.
 *
 * By Theorem 5.1, a program that is not robust has a violating trace in normal form: its events are in two parts, each
 * in an order of SC, and `ob` never leads from the second part to the first. The system simulates the threads under SC,
 * puts each event at the end of one part (placement.ts), keeps a memory for each part (memory.ts), and guesses where the
 * cycle goes (detection.ts). Its goal is what the main thread in the paper checks after it has stopped the others.
 */
export interface Instrumentation {
  readonly counters: Counters;
  /** Leaves out what cannot change the answer: see needs.ts and places.ts. Default: yes. */
  readonly reduce?: boolean;
  /**
   * Simulates events in the order of the proof (`orderedMemory`), instead of guessing the memory between the parts as
   * in §6. Then each cycle begins with the link whose exit is the last event. Default: yes.
   */
  readonly ordered?: boolean;
  /** Gives up a cycle when a thread that should be on it has made its last access that could be. Default: yes. */
  readonly prune?: boolean;
}

export function instrument(
  needs: Needs,
  domains: Domains,
  cycles: readonly Cycle[],
  { counters, reduce = true, prune = true, ordered = true }: Instrumentation,
): System {
  const { program, flows } = needs;
  const variables: Variable[] = [];
  const declare = declaring(variables);
  const threads = relevantThreads(needs, cycles);
  const contents = { ...contentsOf(needs, domains, threads), declare };
  const { values, nameOf } = contents;
  const describe = { thread: (t: number) => program.threads[t].name, location: nameOf };
  const detection = detectionOf(cycles, ordered, describe, declare);
  const writesLast = cycles.every(([{ from, location }]) =>
    flows[from].ops.every((op) => !isAccess(op) || op.location !== location || !mayRead(op)),
  );
  const memory = ordered
    ? orderedMemory(contents, detection.isLastAt, writesLast)
    : guessedMemory(contents);
  const scratch = (name: string, greatest: number, about: string): VariableId =>
    declare({ name, initial: 0, least: 0, greatest, scratch: true, about });
  const marks = {
    part: scratch('part', 2, 'the part that the event comes into'),
    writes: scratch('writes', 1, 'whether the CAS succeeds'),
  };

  const processes = threads.map((thread) => {
    const flow = flows[thread];
    const { name } = program.threads[thread];
    const around = {
      flow,
      thread,
      slots: slotsOf(needs, domains, thread, declare),
      placement: placementOf(flow, name, counters, declare),
      memory,
      detection,
      after: reachableAfter(flow),
      values,
      marks,
      changes: declare({
        name: `${name}_changes`,
        initial: 0,
        least: 0,
        greatest: 1,
        about: 'what the NIC has read and not yet written is a value that the last event changes',
      }),
      ordered,
      prune,
      ends: endsOf(flow.ops.length),
    };
    return { name, thread, places: processPlaces(needs, around, reduce) };
  });
  const goal = { cycle: detection.complete, memory: memory.matches };
  return simplifiedSystem({ variables, processes, starts: detection.starts, goal });
}

/** Adds variables to a list, each with a name of its own. */
function declaring(variables: Variable[]): (variable: Variable) => VariableId {
  const names = new Set<string>();
  return (variable) => {
    let name = variable.name.replaceAll(/\W/g, '');
    while (names.has(name)) name += '_';
    names.add(name);
    return variables.push({ ...variable, name }) - 1;
  };
}

/** The memory that some threads share. */
function contentsOf(
  { program, flows, kinds }: Needs,
  domains: Domains,
  threads: readonly number[],
): Omit<Contents, 'declare'> {
  const accesses = threads.flatMap((t) => flows[t].ops.filter(isAccess));
  const shared = accesses.map((op) => op.location).filter((l) => kinds[l] === 'shared');
  const read = new Set(accesses.filter(mayRead).map((op) => op.location));
  return {
    locations: [...new Set(shared)].sort((a, b) => a - b),
    values: new Map([...domains.values].filter(([location]) => read.has(location))),
    initial: (location) => program.locations[location].initial,
    nameOf: (location) => {
      const { owner, name, hidden } = program.locations[location];
      if (hidden === true) return name;
      return owner === undefined ? name : `${program.threads[owner].name}_${name}`;
    },
  };
}

/**
 * The threads of the cycles, the threads that write values which these need, and so on. All others are left out: a trace
 * without their events is a trace, too (Def. 1).
 */
function relevantThreads(needs: Needs, cycles: readonly Cycle[]): readonly number[] {
  const found = new Set(cycles.flatMap((cycle) => cycle.map((link) => link.from)));
  const open = [...found];
  for (let thread = open.pop(); thread !== undefined; thread = open.pop()) {
    for (const op of needs.flows[thread].ops) {
      if (!isAccess(op) || !mayRead(op) || !needs.valued.has(op.location)) continue;
      needs.flows.forEach(({ ops }, other) => {
        const writes = ops.some((o) => isAccess(o) && mayWrite(o) && o.location === op.location);
        if (!writes || found.has(other)) return;
        found.add(other);
        open.push(other);
      });
    }
  }
  return [...found].sort((a, b) => a - b);
}
