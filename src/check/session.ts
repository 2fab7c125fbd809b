import type { Bounds } from '../encode/bounds/bounds.js';
import { computeBounds } from '../encode/bounds/bounds.js';
import type { Encoding } from '../encode/encode.js';
import { encode } from '../encode/encode.js';
import type { Acyclicity } from '../encode/acyclicity/choice.js';
import { cyclesFor, needsIntegers } from '../encode/acyclicity/choice.js';
import type { Lit } from '../encode/formula.js';
import { modelOver } from '../program/events/narrow.js';
import type { EventStructure } from '../program/events/structure.js';
import type { Model } from '../model/term.js';
import type { Program } from '../program/program.js';
import type { Solver, SolverFactory } from '../solve/solver.js';
import { extract } from './witness/extract.js';
import type { Verified } from './witness/verify.js';
import { verifyWitness } from './witness/verify.js';
import type { Witness } from './witness/witness.js';
import type { StructureOptions } from './structure.js';
import { structureFor } from './structure.js';

/** A program under a model, ready to be asked about. */
export interface CheckSession {
  readonly structure: EventStructure;
  readonly bounds: Bounds;
  readonly encoding: Encoding;
  readonly solver: Solver;
  /**
   * Is there a consistent execution in which all literals are true? What comes back was checked
   * by the concrete evaluator.
   *
   * @throws DisagreementError if solver and evaluator disagree
   */
  find(...assumed: readonly Lit[]): Search;
  /**
   * Like `find`, for questions of which only the answer matters: the execution is not extracted and checked, unless the
   * encoding is approximate.
   */
  ask(...assumed: readonly Lit[]): Search | { readonly kind: 'found' };
}

export type Search =
  | { readonly kind: 'found'; readonly witness: Witness; readonly verified: Verified }
  | {
      readonly kind: 'none';
      /** The literals that rule each other out; undefined if the solver cannot tell. */
      readonly core?: readonly Lit[];
    }
  | { readonly kind: 'unknown'; readonly reason: string };

/** A bug in Remora: the solver's execution is not one by the model's definition. */
export class DisagreementError extends Error {
  constructor(
    what: string,
    readonly witness: Witness,
  ) {
    super(`solver and evaluator disagree: ${what}`);
  }
}

export interface SessionOptions extends StructureOptions {
  /** Overrides the program's loop bound. */
  readonly bound?: number;
  /** How acyclicity is encoded; by default, by vertex elimination. */
  readonly acyclicity?: Acyclicity;
}

/** Opens a session, or says why the program cannot be decided. The caller has to dispose of the solver. */
export function openSession(
  program: Program,
  model: Model,
  newSolver: SolverFactory,
  { bound, acyclicity = 'elimination', ...options }: SessionOptions = {},
): CheckSession | { readonly reason: string } {
  const structure = structureFor(program, model, bound, options);
  if ('reason' in structure) return structure;
  const needed = modelOver(structure, model);
  const result = computeBounds(structure, needed);
  if (!result.ok) return result;
  const { bounds } = result;
  const solver = newSolver({ integers: needsIntegers(acyclicity) });
  const cycles = cyclesFor(acyclicity, (...less) => solver.addLess(...less));
  const encoding = encode(structure, bounds, needed, (c) => solver.addClause(c), cycles);
  const { formula } = encoding;

  const meant = (assumed: readonly Lit[]): readonly number[] =>
    [...assumed, -encoding.dividesByZero].map((lit) => formula.assumption(lit));
  const find = (...assumed: readonly Lit[]): Search => {
    const lits = meant(assumed);
    for (;;) {
      const answer = solver.check(lits);
      if (answer.kind === 'unsat') return none(assumed, answer.core);
      if (answer.kind === 'unknown') return answer;
      const witness = extract(structure, encoding, solver);
      const verified = verifyWitness(structure, model, witness);
      if ('wrong' in verified) throw new DisagreementError(verified.wrong, witness);
      if (verified.judgement.consistent) return { kind: 'found', witness, verified };
      if (!encoding.isApproximate()) {
        const broken = verified.judgement.axioms.filter((a) => !a.holds).map((a) => a.axiom.name);
        throw new DisagreementError(`${broken.join(', ')} of ${model.name} fails`, witness);
      }
      formula.assert(...differently(structure, encoding, witness));
    }
  };
  const ask = (...assumed: readonly Lit[]): Search | { readonly kind: 'found' } => {
    if (encoding.isApproximate()) return find(...assumed);
    const answer = solver.check(meant(assumed));
    if (answer.kind === 'unsat') return none(assumed, answer.core);
    return answer.kind === 'sat' ? { kind: 'found' } : answer;
  };
  const none = (assumed: readonly Lit[], core?: readonly number[]): Search => {
    const needed = core && new Set(core);
    return {
      kind: 'none',
      core: needed && assumed.filter((lit) => needed.has(formula.assumption(lit))),
    };
  };
  return { structure, bounds, encoding, solver, find, ask };
}

/** A clause that is true of every execution except this one. */
function differently(structure: EventStructure, encoding: Encoding, witness: Witness): Lit[] {
  const { values, base } = encoding;
  const chosen = [
    ...witness.choices.map((c, i) => (c === 1 ? values.choices[i] : -values.choices[i])),
    ...witness.rf.map(([a, b]) => base.base('rf', a, b)),
    ...witness.mo.map(([a, b]) => base.base('mo', a, b)),
    ...Object.entries(witness.guessed).flatMap(([name, pairs]) =>
      pairs.map(([a, b]) => base.base(name, a, b)),
    ),
    ...structure.values.flatMap((v, id) => {
      const number = v.op === 'read' && witness.reads.find(([e]) => e === v.event)?.[1];
      return typeof number === 'number' ? [values.is(id, number)] : [];
    }),
  ];
  return chosen.map((lit) => -lit);
}
