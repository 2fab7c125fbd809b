/**
 * Which axioms are needed to forbid something. Sets of axioms are lists of their positions, ascending.
 */
export interface Cores {
  /** The minimal sets that nothing satisfies; the smallest first. */
  readonly cores: readonly (readonly number[])[];
  /** Whether `cores` has all of them. */
  readonly all: boolean;
}

/** With more axioms than this, only one minimal set is looked for. */
const MANY = 6;

/**
 * Finds the cores of an unsatisfiable list of axioms by asking about parts of it. A part of a satisfiable set is satisfiable,
 * and is not asked about.
 *
 * @param isSatisfiable gives the reason if it cannot tell
 * @returns the cores, or the reason why a question had no answer
 */
export function coresOf(
  count: number,
  isSatisfiable: (axioms: readonly number[]) => boolean | string,
): Cores | { readonly reason: string } {
  let reason: string | undefined;
  const ask = (axioms: readonly number[]): boolean => {
    if (reason !== undefined) return false;
    const answer = isSatisfiable(axioms);
    if (typeof answer === 'boolean') return answer;
    reason = answer;
    return false;
  };
  const found = count <= MANY ? allCores(count, ask) : oneCore(count, ask);
  return reason === undefined ? found : { reason };
}

function allCores(count: number, ask: (axioms: readonly number[]) => boolean): Cores {
  const whole = 2 ** count - 1;
  const satisfiable: number[] = [];
  const refuted: number[] = [whole];
  const within = (part: number, set: number) => (part & ~set) === 0;
  // Large sets come first: most other sets are part of a satisfiable one then.
  for (const set of subsets(count)) {
    if (set === whole || satisfiable.some((known) => within(set, known))) continue;
    (ask(members(set)) ? satisfiable : refuted).push(set);
  }
  const minimal = refuted.filter((set) => !refuted.some((r) => r !== set && within(r, set)));
  return {
    cores: minimal.map(members).sort((a, b) => a.length - b.length || a[0] - b[0]),
    all: true,
  };
}

/** Goes through the axioms, and drops each one that is not needed. */
function oneCore(count: number, ask: (axioms: readonly number[]) => boolean): Cores {
  let core = [...Array(count).keys()];
  for (const axiom of [...core]) {
    const rest = core.filter((other) => other !== axiom);
    if (!ask(rest)) core = rest;
  }
  return { cores: [core], all: core.length === 0 };
}

/** All sets as bits, the largest first; among those of one size, those with early axioms. */
function subsets(count: number): readonly number[] {
  const sets = Array.from({ length: 2 ** count }, (_, set) => set);
  return sets.sort((a, b) => members(b).length - members(a).length || a - b);
}

const members = (set: number): number[] =>
  Array.from({ length: 32 }, (_, i) => i).filter((i) => ((set >>> i) & 1) === 1);
