import { dependsOn } from '../../model/depends.js';
import type { Session, SessionOptions } from '../../check/session.js';
import { openSession } from '../../check/session.js';
import type { Search } from '../../check/session.js';
import type { Lit } from '../../encode/formula.js';
import type { Model } from '../../model/term.js';
import type { Instruction, Program } from '../../program/program.js';
import type { SolverFactory } from '../../solve/solver.js';
import type { Addition, AdditionKind, Additions } from '../../rdma/additions.js';
import { additionsOf, insert } from '../../rdma/additions.js';
import { blockingPolls } from '../../rdma/blocking.js';
import { presence, withOptional } from './optional.js';

/** What must not happen. */
export interface Badness {
  /** The model whose executions must not be bad. */
  readonly model: Model;
  /** The literal that says that an execution is bad. Without it, every execution is bad. */
  readonly bad?: (session: Session) => Lit;
}

/** A program with optional additions, and a solver that says what can happen with a set of them. */
export interface Trial {
  readonly additions: readonly Addition[];
  /** The indices of the additions that some run reaches. */
  readonly usable: readonly number[];
  /** Can something bad happen with exactly these additions? If not, it may tell which of them are enough. */
  still(chosen: ReadonlySet<number>): {
    readonly kind: Search['kind'];
    readonly enough?: readonly number[];
  };
  /** Can something bad happen with these additions and perhaps others? If `found`, `isThere` says which are there. */
  stillWith(chosen: readonly number[]): Search['kind'];
  isThere(addition: number): boolean;
  /** The program with some of them, and the instructions that are new. */
  make(choice: readonly number[]): ReturnType<typeof insert>;
  /** Might a poll have nothing to poll with these additions, although it has without them? */
  blocks(choice: readonly number[]): boolean;
  dispose(): void;
}

/** Opens a trial with all additions of some kinds, or says why the program cannot be treated. */
export function openTrial(
  program: Program,
  kinds: ReadonlySet<AdditionKind>,
  several: boolean,
  { model, bad }: Badness,
  newSolver: SolverFactory,
  options: SessionOptions,
): Trial | { readonly reason: string } {
  const completion = dependsOn(model, 'wf') ? 'wait' : 'poll';
  const possible = thatLeaveEnough(additionsOf(program, kinds, completion, several));
  const { additions } = possible;
  const session = openSession(withOptional(possible.program, additions), model, newSolver, options);
  if ('reason' in session) return session;
  const literals = presence(session, additions);
  const usable = additions.flatMap((_, i) => (literals[i].length === 0 ? [] : [i]));
  const badness = bad === undefined ? [] : [bad(session)];
  const waiting = blockingPolls(possible.program);
  const make = (choice: readonly number[]) =>
    insert(
      possible.program,
      choice.map((i) => additions[i]),
    );
  return {
    additions,
    usable,
    still(chosen) {
      const asked = usable.flatMap((i) => literals[i].map((lit) => (chosen.has(i) ? lit : -lit)));
      const answer = session.ask(...badness, ...asked);
      if (answer.kind !== 'none' || answer.core === undefined) return { kind: answer.kind };
      const core = new Set(answer.core);
      return { kind: 'none', enough: [...chosen].filter((i) => literals[i].some((lit) => core.has(lit))) };
    },
    stillWith: (chosen) => session.ask(...badness, ...chosen.flatMap((i) => literals[i])).kind,
    isThere: (addition) =>
      literals[addition].every((literal) => {
        const asked = session.encoding.formula.assumption(literal);
        return session.solver.value(Math.abs(asked)) === asked > 0;
      }),
    make,
    blocks: (choice) => blocks(make(choice).program, waiting),
    dispose: () => session.solver.dispose(),
  };
}

/** Leaves out each addition with which, even alone, some poll may have nothing to poll. */
function thatLeaveEnough({ program, additions }: Additions): Additions {
  const waiting = blockingPolls(program);
  const places: (number | undefined)[] = [];
  const kept: Addition[] = [];
  for (const addition of additions) {
    const { after, ...rest } = addition;
    const before = after === undefined ? undefined : places[after];
    const blocked = blocks(insert(program, [addition]).program, waiting);
    if (blocked || (after !== undefined && before === undefined)) places.push(undefined);
    else places.push(kept.push(before === undefined ? rest : { ...rest, after: before }) - 1);
  }
  return { program, additions: kept };
}

/** Does some poll have nothing to poll, other than those that are known already? */
const blocks = (program: Program, known: ReadonlySet<Instruction>): boolean =>
  [...blockingPolls(program)].some((poll) => !known.has(poll));
