import { openEnds } from '../../check/by-candidates.js';
import type { ThreadPath } from '../../check/enumerate/paths.js';
import { combinations, isTaken, pathsOf } from '../../check/enumerate/paths.js';
import { structureFor } from '../../check/structure.js';
import { readsLast, waitsOn } from '../../check/waits.js';
import type { Witness } from '../../check/witness/witness.js';
import type { RunRules } from '../../machine/whole/rules.js';
import { runRules } from '../../machine/whole/rules.js';
import type { RunMove, RunState } from '../../machine/whole/run.js';
import { WayMachine, keyOf } from '../../machine/whole/run.js';
import { WayValues } from '../../machine/whole/values.js';
import type { Model } from '../../model/term.js';
import { BEYOND_EXACT } from '../../program/arithmetic.js';
import type { EventStructure, Path, ValueId, Wait } from '../../program/events/structure.js';
import { INITIAL, isRead, isWrite } from '../../program/events/structure.js';
import type { Program, Subject } from '../../program/program.js';
import type { SearchEnd } from '../finals.js';
import { noMachineFor } from '../prepare.js';
import { witnessOf } from './witness.js';

/** How many states are gone through: what a gigabyte has room for. */
export const STATES = 2_000_000;

/** What a search asks for, and when it ends. */
export interface WholeOptions {
  readonly subjects: readonly Subject[];
  readonly bound?: number | undefined;
  readonly states: number;
  readonly deadline: number;
  /** Do runs count, too, at whose end threads wait for ever? Then one is enough of each way (`check/waits.ts`). */
  readonly waits?: boolean;
}

/** A run to a final state. */
export interface WholeRun {
  readonly structure: EventStructure;
  readonly rules: RunRules;
  readonly values: WayValues;
  readonly moves: readonly RunMove[];
  readonly taken: (path: Path) => boolean;
  /** Where threads wait for ever, if that was asked for. */
  readonly waits: readonly Wait[];
  readonly final: (subject: Subject) => number;
  readonly witness: () => Witness;
}

/**
 * All final states of a program under a model in which reads are performed out of order: of each way through its threads, whose branches are bets until what they are about is read
 * (`machine/whole/`). Loops go round as often as the bound says. Time grows with the number of orders in which accesses of one location can come.
 *
 * @param final hears of a run for each final state of each way, if not more; true ends the search
 */
export function searchWhole(
  program: Program,
  model: Model,
  options: WholeOptions,
  final: (run: WholeRun) => boolean,
): SearchEnd {
  const { waits = false, bound } = options;
  const structure = structureFor(program, model, bound, { everyIteration: !waits, waits });
  if ('reason' in structure) return { incomplete: structure.reason, explored: 0 };
  if (structure.assumes === true) return { incomplete: ASSUMES, explored: 0 };
  const search = new Search(structure, model, options, final);
  const most = waits ? MOST_WAYS : Infinity;
  // Short runs are easier to follow.
  const paths = program.threads.map((_, t) => {
    let left = most;
    const own = pathsOf(structure, t, () => left-- >= 0 && search.goOn());
    return own.toSorted((one, other) => one.events.length - other.events.length);
  });
  const ways = paths.reduce((product, own) => product * own.length, 1);
  if (ways > most) return { incomplete: TOO_MANY, explored: 0 };
  for (const chosen of combinations(paths)) if (search.goOn()) search.way(chosen);
  const { explored, ended, incomplete } = search;
  if (ended) return { explored };
  return incomplete === undefined ? { ...openEnds(structure), explored } : { incomplete, explored };
}

/** A state that was reached, by a move from an earlier one. */
interface Reached {
  readonly move: RunMove | undefined;
  readonly state: RunState;
  readonly before: Reached | undefined;
}

class Search {
  explored = 0;
  ended = false;
  incomplete: string | undefined;

  constructor(
    private readonly structure: EventStructure,
    private readonly model: Model,
    private readonly options: WholeOptions,
    private readonly final: (run: WholeRun) => boolean,
  ) {}

  goOn(): boolean {
    const { states, deadline } = this.options;
    if (this.explored > states) this.incomplete ??= `limit of ${states} states reached`;
    if (performance.now() > deadline)
      this.incomplete ??= `time limit reached after ${this.explored} states`;
    return !this.ended && this.incomplete === undefined;
  }

  way(paths: readonly ThreadPath[]): void {
    const { structure, model } = this;
    const initial = structure.events.filter(({ thread }) => thread === INITIAL);
    const events = [...initial, ...paths.flatMap((path) => path.events)];
    const conditions = new Map(paths.flatMap((path) => [...path.taken]));
    const taken = (path: Path): boolean => isTaken(path, conditions);
    const waits = waitsOn(structure, events, taken);
    if (waits === undefined) return;
    const rules = runRules(structure, model, events);
    if (rules === undefined) return;
    if ('message' in rules) {
      this.incomplete ??= noMachineFor(rules);
      return;
    }
    const values = new WayValues(structure, events, paths, () => {
      this.incomplete ??= BEYOND_EXACT;
    });
    const machine = new WayMachine(rules, values.areOpen);
    const state = machine.start();
    if (!values.areOpen(state)) return;
    const seen = new Set<string>();
    const open: Reached[] = [{ move: undefined, state, before: undefined }];
    const way = { structure, rules, values, taken, waits };
    for (let here = open.pop(); here !== undefined && this.goOn(); here = open.pop()) {
      this.explored += 1;
      if (machine.isFinal(here.state) && this.end(machine, way, here)) return;
      for (const move of machine.moves(here.state)) {
        const key = keyOf(move.state);
        if (seen.has(key)) continue;
        seen.add(key);
        open.push({ move, state: move.state, before: here });
      }
    }
  }

  /** Is it known what there is to know of the way? */
  private end(machine: WayMachine, way: Way, reached: Reached): boolean {
    const { structure } = this;
    const { rules, values, waits } = way;
    const { state } = reached;
    const { events } = rules;
    const valueOf = (subject: Subject): ValueId | undefined => {
      if (subject.kind === 'register') return structure.registers[subject.thread][subject.register];
      const last = machine.inMemory(state, subject.location);
      return last < 0 ? undefined : events[last].value;
    };
    const reads = events.flatMap((e, i) => (isRead(e) ? [events[state.sources[i]].value!] : []));
    const written = events.flatMap((e) => (isWrite(e) ? [e.value!] : []));
    const asked = [...this.options.subjects.flatMap((s) => valueOf(s) ?? []), ...reads, ...written];
    const endings = values.endings(state, asked);
    if (endings === undefined) this.incomplete ??= OF_ITSELF;
    for (const { value, choices } of endings ?? []) {
      const run: WholeRun = {
        ...{ ...way, moves: movesTo(reached) },
        final: (subject) => {
          const id = valueOf(subject);
          if (id !== undefined) return value(id);
          return subject.kind === 'location'
            ? structure.program.locations[subject.location].initial
            : 0;
        },
        witness: () => witnessOf(machine, rules, movesTo(reached), { value, choices }),
      };
      if (waits.length > 0 && !readsLast(structure, waits, run.witness())) continue;
      this.ended ||= this.final(run);
      if (this.options.waits === true) return true;
    }
    return false;
  }
}

type Way = Omit<WholeRun, 'moves' | 'final' | 'witness'>;

const ASSUMES =
  'an `assume` that is not about what was just read says which runs count: that does not tell who waits for ever';
/** Each takes some milliseconds at least. */
const MOST_WAYS = 5000;
const TOO_MANY = `there are more than ${MOST_WAYS} ways through its branches, which are gone through one by one: loops with \`bound 1\` have fewer`;
const OF_ITSELF = 'a run reads a value that is made of itself';

function movesTo(reached: Reached): readonly RunMove[] {
  const moves: RunMove[] = [];
  for (let r: Reached | undefined = reached; r?.move !== undefined; r = r.before)
    moves.push(r.move);
  return moves.reverse();
}
