import type { Cycle, Link } from './cycles.js';
import { binary, int } from '../../program/expression.js';
import {
  FALSE_FORMULA,
  TRUE_FORMULA,
  and,
  atLeast,
  differs,
  equals,
  or,
  sumOf,
} from '../../program/formula.js';
import { assignment, variable } from './formula.js';
import type {
  GuardedChoice,
  Effect,
  StateFormula,
  Phase,
  Start,
  Variable,
  VariableId,
} from './system.js';

/**
 * Finding the cycle of SC (decidability paper, §6.5 and App. D.2). The ring is guessed at the start. Each of its links
 * connects the event at which the cycle leaves one thread (the exit) with the event at which it enters the next one (the
 * entry). In the run, the exit of a link comes before its entry. In a thread, the entry comes before the exit in program
 * order, or is the same event.
 *
 * There are two cases in the paper. If the exit is simulated before the entry, it comes first in the run unless the exit
 * is in the second part and the entry in the first. If the entry is simulated before the exit, the entry must be in the
 * second part and the exit in the first. With `orderedMemory`, the second case occurs for one link only: its exit is the
 * event `e`, which is simulated last and completes the cycle.
 */
export interface Detection {
  /** The phases that choose whether an access is the entry of its thread, and whether it is the exit. */
  phases(thread: number, site: CycleSite): readonly Phase[];
  /** Whether an access can be `e`: put at the end of the first part, it completes the cycle. */
  readonly last: (thread: number, location: number, writes: StateFormula) => StateFormula;
  /** The effects of that: the cycle is found. */
  readonly found: readonly Effect[];
  /** Whether `e` is an access to a location; and, if a thread is given, one by this thread. */
  isLastAt(location: number, thread?: number): StateFormula;
  readonly starts: readonly Start[];
  readonly complete: StateFormula;
}

export interface CycleSite {
  readonly location: number;
  /** The part that the event is in, and whether it writes. */
  readonly part: StateFormula;
  readonly writes: StateFormula;
  /** Whether the thread can access the location again. */
  readonly again: boolean;
}

/** The states of a link. */
const UNUSED = 0;
const OPEN = 1;
/** The exit was simulated. 1 is added if it writes, and 2 if it is in the second part. */
const EXIT = 2;
/** The entry was simulated, in the second part. 1 is added if it writes. */
const ENTRY = 6;
const DONE = 8;
/** Like `OPEN`, and the exit will be the last event of all. */
const LAST = 9;

/** How threads and locations are called. */
export interface CycleNames {
  thread(thread: number): string;
  location(location: number): string;
}

/** @param ordered whether every exit is simulated before its entry, except the exit that is the last event */
export function detectionOf(
  cycles: readonly Cycle[],
  ordered: boolean,
  describe: CycleNames,
  declare: (variable: Variable) => VariableId,
): Detection {
  const links = new Links(cycles, ordered, describe, declare);
  const name = 'found';
  const about = 'the cycle is complete';
  const found = declare({ name, initial: 0, least: 0, greatest: 1, about });
  const { thread: threadName } = describe;
  return {
    phases: (thread, site) => [
      ...links.entries(thread, site.location).map((link) => ({
        about: `entry by ${links.name(link)} ${threadName(link.to)}?`,
        choices: links.enter(link, site),
      })),
      ...links.exits(thread, site.location).map((link) => ({
        about: `exit by ${links.name(link)} ${threadName(link.to)}?`,
        choices: links.leave(link, site),
      })),
    ],
    last: (thread, location, writes) =>
      ordered
        ? or(...links.exits(thread, location).map((link) => links.completes(link, writes)))
        : FALSE_FORMULA,
    found: [assignment(found, 1)],
    isLastAt: (location, thread) => links.isLastAt(location, thread),
    starts: cycles.map((cycle) => ({
      effects: cycle.map((link, i) =>
        assignment(links.idOf(link), ordered && i === 0 ? LAST : OPEN),
      ),
      about: `${cycle.map((link) => links.name(link)).join(' ')} ${threadName(cycle[0].from)}`,
    })),
    complete: ordered ? variable(found) : links.areDone(),
  };
}

const key = (link: Link): string => `${link.from} ${link.to} ${link.location}`;

/** Each link once. */
const distinct = (links: readonly Link[]): readonly Link[] => [
  ...new Map(links.map((link) => [key(link), link])).values(),
];

/** The links of all rings, and a variable for the state of each. */
class Links {
  private readonly links: readonly Link[];
  private readonly states: ReadonlyMap<string, VariableId>;

  constructor(
    private readonly cycles: readonly Cycle[],
    private readonly ordered: boolean,
    private readonly describe: CycleNames,
    declare: (variable: Variable) => VariableId,
  ) {
    this.links = distinct(cycles.flat());
    this.states = new Map(
      this.links.map((link) => {
        const [from, to] = [describe.thread(link.from), describe.thread(link.to)];
        const by = describe.location(link.location);
        const name = `${from}_${to}_${by}`;
        const about = `the link from ${from} to ${to} by ${by}`;
        return [key(link), declare({ name, initial: 0, least: 0, greatest: LAST, about })] as const;
      }),
    );
  }

  idOf(link: Link): VariableId {
    return this.states.get(key(link))!;
  }

  name(link: Link): string {
    return `${this.describe.thread(link.from)} -${this.describe.location(link.location)}->`;
  }

  entries(thread: number, location: number): readonly Link[] {
    return this.links.filter((l) => l.to === thread && l.location === location);
  }

  exits(thread: number, location: number): readonly Link[] {
    return this.links.filter((l) => l.from === thread && l.location === location);
  }

  enter(link: Link, { part, writes, again }: CycleSite): readonly GuardedChoice[] {
    const id = this.idOf(link);
    const thread = this.describe.thread(link.to);
    const second = equals(part, 2);
    const early = this.ordered ? LAST : OPEN;
    return [
      {
        guard: and(this.isOneOf(link, early), second),
        effects: [assignment(id, sumOf(int(ENTRY), writes))],
        about: `the cycle enters ${thread} here, its exit from ${this.describe.thread(link.from)} is still to come`,
      },
      {
        guard: this.isLeft(link, second, writes),
        effects: [assignment(id, DONE)],
        about: `the cycle enters ${thread} here`,
      },
      this.pass(link, again, [OPEN, EXIT, EXIT + 1, EXIT + 2, EXIT + 3, LAST]),
    ];
  }

  leave(link: Link, { part, writes, again }: CycleSite): readonly GuardedChoice[] {
    const id = this.idOf(link);
    const about = `the cycle leaves ${this.describe.thread(link.from)} here`;
    const late = {
      guard: and(this.isEntry(link, writes), equals(part, 1), this.isEntered(link)),
      effects: [assignment(id, DONE)],
      about: `${about}, its entry to ${this.describe.thread(link.to)} was before`,
    };
    const early = {
      guard: and(this.isOneOf(link, OPEN), this.isEntered(link)),
      effects: [assignment(id, sumOf(binary('*', int(2), part), writes))],
      about,
    };
    return [
      // From a thread to itself, the entry comes first.
      ...(link.from === link.to ? [] : [early]),
      ...(this.ordered ? [] : [late]),
      this.pass(link, again, [OPEN, ENTRY, ENTRY + 1, LAST]),
    ];
  }

  /** If the last event is the exit of this link, all links are done. */
  completes(link: Link, writes: StateFormula): StateFormula {
    // The last event may also be the entry of its thread. It is in the first part, so the exit before it is, too.
    const ways = this.before(link);
    const here = ways.filter((l) => l.location === link.location);
    const entered = or(
      this.isEntered(link),
      ...here.map((l) => this.isLeft(l, FALSE_FORMULA, writes)),
    );
    const others = this.links.filter(
      (l) => ![link, ...ways].some((known) => key(known) === key(l)),
    );
    return and(this.isEntry(link, writes), entered, ...others.map((l) => this.isDone(l)));
  }

  areDone(): StateFormula {
    return and(...this.links.map((link) => this.isDone(link)));
  }

  isLastAt(location: number, thread?: number): StateFormula {
    const there = this.links.filter(
      (l) => l.location === location && (thread ?? l.from) === l.from,
    );
    return or(...there.map((l) => this.isLast(l)));
  }

  /** Whether a link is the one whose exit comes last. */
  private isLast(link: Link): StateFormula {
    const { cycles } = this;
    const only = new Set(cycles.map((cycle) => key(cycle[0])));
    if (only.size === 1 && cycles.every((cycle) => key(cycle[0]) === key(link)))
      return TRUE_FORMULA;
    return and(atLeast(this.stateOf(link), ENTRY), differs(this.stateOf(link), DONE));
  }

  private isDone(link: Link): StateFormula {
    return this.isOneOf(link, UNUSED, DONE);
  }

  /** The entry was simulated, and conflicts with an exit that is simulated now. */
  private isEntry(link: Link, writes: StateFormula): StateFormula {
    return or(this.isOneOf(link, ENTRY + 1), and(this.isOneOf(link, ENTRY), writes));
  }

  private stateOf(link: Link): StateFormula {
    return variable(this.idOf(link));
  }

  private isOneOf(link: Link, ...codes: readonly number[]): StateFormula {
    return or(...codes.map((n) => equals(this.stateOf(link), n)));
  }

  /** The links that enter the thread that a link leaves, in all rings that have this link. */
  private before(link: Link): readonly Link[] {
    const rings = this.cycles.filter((cycle) => cycle.some((l) => key(l) === key(link)));
    return distinct(rings.flatMap((ring) => ring.filter((l) => l.to === link.from)));
  }

  /** The cycle has entered the thread that a link leaves. */
  private isEntered(link: Link): StateFormula {
    const entered = this.before(link).map((l) => {
      const state = this.stateOf(l);
      return and(atLeast(state, ENTRY), differs(state, LAST));
    });
    return or(...entered);
  }

  /** The exit of a link was simulated, and comes before an entry that is simulated now. */
  private isLeft(link: Link, second: StateFormula, writes: StateFormula): StateFormula {
    return or(
      ...[EXIT, EXIT + 1, EXIT + 2, EXIT + 3].map((n) =>
        and(
          equals(this.stateOf(link), n),
          n % 2 === 1 ? TRUE_FORMULA : writes,
          n < EXIT + 2 ? TRUE_FORMULA : second,
        ),
      ),
    );
  }

  private pass(link: Link, again: boolean, missing: readonly number[]): GuardedChoice {
    return {
      guard: again ? TRUE_FORMULA : and(...missing.map((n) => differs(this.stateOf(link), n))),
      effects: [],
    };
  }
}
