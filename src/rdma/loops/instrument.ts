import type { LocationId } from '../../program/program.js';
import { slotsOf } from './slots.js';
import type { Counters } from './counting.js';
import type { Cycle } from './cycles.js';
import { detectionOf } from './detection.js';
import type { Domains } from './domains.js';
import { reachableAfter } from './graph.js';
import { guessedMemory, orderedMemory } from './memory.js';
import { isAccess, mayRead, mayWrite } from './needs.js';
import type { Needs } from './needs.js';
import { endsOf, placesOf } from './places.js';
import { placementOf } from './placement.js';
import { simplified } from './simplify.js';
import type { System, Variable, VariableId } from './system.js';

/**
 * The instrumentation of the decidability paper (§6, App. D): from a program that runs under RDMA^SC
 * to a system that runs under SC, and that can reach its goal exactly if the program has a violating
 * trace with one of the given cycles.
 *
 * By Theorem 5.1, a program that is not robust has a violating trace whose events can be put into two
 * parts, each in an order of SC, so that `ob` leads from the first to the second only. The system
 * simulates the threads under SC, puts each event at the end of one part (placement.ts), keeps a
 * memory for each part (memory.ts), and guesses where the cycle goes (detection.ts). Its goal is
 * what the paper's main thread checks when it has stopped the others.
 */
export interface Instrumentation {
  readonly counters: Counters;
  /** Leaves out what cannot change the answer: see `Needs`, places.ts. Default: yes. */
  readonly reduce?: boolean;
  /**
   * Follows the order of the proof (`orderedMemory`), rather than guess the memory between the parts
   * as §6 does. The cycles then begin with the link that is left by the last event. Default: yes.
   */
  readonly ordered?: boolean;
  /** Gives up a cycle as soon as a thread has missed its last chance to be in it. Default: yes. */
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
  const names = new Set<string>();
  const declare = (variable: Variable): VariableId => {
    let name = variable.name.replaceAll(/\W/g, '');
    while (names.has(name)) name += '_';
    names.add(name);
    return variables.push({ ...variable, name }) - 1;
  };

  const nameOf = (location: LocationId): string => {
    const { owner, name, hidden } = program.locations[location];
    if (hidden === true) return name;
    return owner === undefined ? name : `${program.threads[owner].name}_${name}`;
  };
  const threads = relevantThreads(needs, cycles);
  const accesses = threads.flatMap((t) => flows[t].ops.filter(isAccess));
  const shared = accesses.map((op) => op.location).filter((l) => needs.kinds[l] === 'shared');
  const read = new Set(accesses.filter(mayRead).map((op) => op.location));
  const values = new Map([...domains.values].filter(([location]) => read.has(location)));
  const contents = {
    locations: [...new Set(shared)].sort((a, b) => a - b),
    values,
    initial: (location: LocationId) => program.locations[location].initial,
    nameOf,
    declare,
  };
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
    return { name, thread, places: placesOf(needs, around, reduce) };
  });
  const goal = { cycle: detection.complete, memory: memory.matches };
  return simplified({ variables, processes, starts: detection.starts, goal });
}

/**
 * The threads of the cycles, and those that write what these need to read. All others may as well do
 * nothing: a trace without their events is a trace, too (Def. 1).
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
