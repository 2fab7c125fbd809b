import type { Cycle, Link } from './cycles.js';
import { binary, int } from './expression.js';
import {
  FALSE_FORMULA,
  TRUE_FORMULA,
  and,
  atLeast,
  differs,
  equals,
  or,
  sumOf,
  assignment,
  variable,
} from './formula.js';
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

/** @param ordered whether every exit is simulated before its entry, except the exit that is the last event */
export function detectionOf(
  cycles: readonly Cycle[],
  ordered: boolean,
  describe: { thread(thread: number): string; location(location: number): string },
  declare: (variable: Variable) => VariableId,
): Detection {
  const key = (link: Link): string => `${link.from} ${link.to} ${link.location}`;
  const links = [...new Map(cycles.flat().map((link) => [key(link), link])).values()];
  const states = new Map(
    links.map((link) => {
      const [from, to, by] = [
        describe.thread(link.from),
        describe.thread(link.to),
        describe.location(link.location),
      ];
      const name = `${from}_${to}_${by}`;
      const about = `the link from ${from} to ${to} by ${by}`;
      return [key(link), declare({ name, initial: 0, least: 0, greatest: LAST, about })] as const;
    }),
  );
  const idOf = (link: Link): VariableId => states.get(key(link))!;
  const stateOf = (link: Link): StateFormula => variable(idOf(link));
  const isOneOf = (link: Link, ...codes: readonly number[]): StateFormula =>
    or(...codes.map((n) => equals(stateOf(link), n)));
  const foundId = declare({
    name: 'found',
    initial: 0,
    least: 0,
    greatest: 1,
    about: 'the cycle is complete',
  });

  const entries = (thread: number, location: number): readonly Link[] =>
    links.filter((l) => l.to === thread && l.location === location);
  const exits = (thread: number, location: number): readonly Link[] =>
    links.filter((l) => l.from === thread && l.location === location);

  /** The links that enter the thread that a link leaves, in all rings that have this link. */
  const before = (link: Link): readonly Link[] => {
    const rings = cycles.filter((cycle) => cycle.some((l) => key(l) === key(link)));
    const found = rings.flatMap((ring) => ring.filter((l) => l.to === link.from));
    return [...new Map(found.map((l) => [key(l), l])).values()];
  };
  /** The cycle has entered the thread that a link leaves. */
  const isEntered = (link: Link): StateFormula =>
    or(...before(link).map((l) => and(atLeast(stateOf(l), ENTRY), differs(stateOf(l), LAST))));

  /** The exit of a link was simulated, and comes before an entry that is simulated now. */
  const isLeft = (link: Link, second: StateFormula, writes: StateFormula): StateFormula =>
    or(
      ...[EXIT, EXIT + 1, EXIT + 2, EXIT + 3].map((n) =>
        and(
          equals(stateOf(link), n),
          n % 2 === 1 ? TRUE_FORMULA : writes,
          n < EXIT + 2 ? TRUE_FORMULA : second,
        ),
      ),
    );

  const pass = (link: Link, again: boolean, missing: readonly number[]): GuardedChoice => ({
    guard: again ? TRUE_FORMULA : and(...missing.map((n) => differs(stateOf(link), n))),
    effects: [],
  });

  const enter = (link: Link, { part, writes, again }: CycleSite): readonly GuardedChoice[] => {
    const id = idOf(link);
    const thread = describe.thread(link.to);
    const second = equals(part, 2);
    const early = ordered ? LAST : OPEN;
    return [
      {
        guard: and(isOneOf(link, early), second),
        effects: [assignment(id, sumOf(int(ENTRY), writes))],
        about: `the cycle enters ${thread} here, its exit from ${describe.thread(link.from)} is still to come`,
      },
      {
        guard: isLeft(link, second, writes),
        effects: [assignment(id, DONE)],
        about: `the cycle enters ${thread} here`,
      },
      pass(link, again, [OPEN, EXIT, EXIT + 1, EXIT + 2, EXIT + 3, LAST]),
    ];
  };

  const leave = (link: Link, { part, writes, again }: CycleSite): readonly GuardedChoice[] => {
    const id = idOf(link);
    const about = `the cycle leaves ${describe.thread(link.from)} here`;
    const late = {
      guard: and(
        or(isOneOf(link, ENTRY + 1), and(isOneOf(link, ENTRY), writes)),
        equals(part, 1),
        isEntered(link),
      ),
      effects: [assignment(id, DONE)],
      about: `${about}, its entry to ${describe.thread(link.to)} was before`,
    };
    const early = {
      guard: and(isOneOf(link, OPEN), isEntered(link)),
      effects: [assignment(id, sumOf(binary('*', int(2), part), writes))],
      about,
    };
    return [
      // From a thread to itself, the entry comes first.
      ...(link.from === link.to ? [] : [early]),
      ...(ordered ? [] : [late]),
      pass(link, again, [OPEN, ENTRY, ENTRY + 1, LAST]),
    ];
  };

  /** If the last event is the exit of this link, all links are done. */
  const completes = (link: Link, writes: StateFormula): StateFormula => {
    const ready = or(isOneOf(link, ENTRY + 1), and(isOneOf(link, ENTRY), writes));
    // The last event may also be the entry of its thread. It is in the first part, so the exit before it is, too.
    const ways = before(link);
    const here = ways.filter((l) => l.location === link.location);
    const entered = or(isEntered(link), ...here.map((l) => isLeft(l, FALSE_FORMULA, writes)));
    const others = links.filter((l) => ![link, ...ways].some((known) => key(known) === key(l)));
    return and(ready, entered, ...others.map((l) => isOneOf(l, UNUSED, DONE)));
  };

  /** Whether a link is the one whose exit comes last. */
  const isLastLink = (link: Link): StateFormula => {
    const only = new Set(cycles.map((cycle) => key(cycle[0])));
    if (only.size === 1 && cycles.every((cycle) => key(cycle[0]) === key(link)))
      return TRUE_FORMULA;
    return and(atLeast(stateOf(link), ENTRY), differs(stateOf(link), DONE));
  };

  const name = (link: Link): string =>
    `${describe.thread(link.from)} -${describe.location(link.location)}->`;
  return {
    phases(thread, site) {
      return [
        ...entries(thread, site.location).map((link) => ({
          about: `entry by ${name(link)} ${describe.thread(link.to)}?`,
          choices: enter(link, site),
        })),
        ...exits(thread, site.location).map((link) => ({
          about: `exit by ${name(link)} ${describe.thread(link.to)}?`,
          choices: leave(link, site),
        })),
      ];
    },
    last: (thread, location, writes) =>
      ordered
        ? or(...exits(thread, location).map((link) => completes(link, writes)))
        : FALSE_FORMULA,
    found: [assignment(foundId, 1)],
    isLastAt: (location, thread) =>
      or(
        ...links
          .filter((l) => l.location === location && (thread ?? l.from) === l.from)
          .map((l) => isLastLink(l)),
      ),
    starts: cycles.map((cycle) => ({
      effects: cycle.map((link, i) => assignment(idOf(link), ordered && i === 0 ? LAST : OPEN)),
      about: `${cycle.map(name).join(' ')} ${describe.thread(cycle[0].from)}`,
    })),
    complete: ordered
      ? variable(foundId)
      : and(...links.map((link) => isOneOf(link, UNUSED, DONE))),
  };
}
