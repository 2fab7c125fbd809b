import { reachableTerms } from '../../model/depends.js';
import { OPERATORS, holdsFor } from '../../model/operators/facts.js';
import { functionOf } from '../../model/operators/operations.js';
import type { BitRel, BitSet } from '../../model/relation/matrix.js';
import * as m from '../../model/relation/matrix.js';
import type { Kind, Model, OperatorTerm, Term, TermId } from '../../model/term.js';
import { hasOperands, operandsOf } from '../../model/term.js';
import { fixedRelations } from '../../program/events/fixed.js';
import { emptyBases, modelOver } from '../../program/events/narrow.js';
import { baseSets, membership } from '../../program/events/relations.js';
import type { EventStructure } from '../../program/events/structure.js';
import type { Draft } from '../../rdma/classes/draft.js';
import { threadsKey } from '../../rdma/classes/skeleton.js';
import type { MadePrograms, Unrolled } from '../by-size/unrolled.js';

/** The numbers of terms: equal terms have one number, whatever model they are of. */
type TermNumbers = Map<string, number>;

/**
 * What a model says of a program, once all that is about nothing there is left out: the events of the program, and the
 * axioms, but for their names and for the order in which unions and intersections are written. Models of which this is
 * the same allow the same. If it is not, they may allow the same all the same.
 *
 * Nothing is asked about what is between threads, or which places are the same. So it is the same for two models in all
 * programs whose threads have the same calls, if it is in one where no two calls are at one place.
 *
 * @returns undefined if it is not known what the program is unrolled to
 */
function saidOf(unrolled: Unrolled, model: Model, numbers: TermNumbers): string | undefined {
  const structure = unrolled(model);
  if ('open' in structure) return undefined;
  const { instructions } = structure.program;
  const idle = new Set(emptyBases(structure));
  const asked = new Saying(structure, { terms: instructions.terms, groups: [] }, numbers, idle);
  for (const guess of instructions.guesses) {
    if (asked.isNone('pairs' in guess ? guess.pairs : guess.to)) idle.add(guess.name);
  }
  const over = modelOver(structure, model);
  const said = new Saying(structure, over, numbers, idle);
  const axioms = over.axioms.flatMap(({ test, negated, flag, term }) =>
    flag ? [] : [`${test} ${String(negated)} ${said.number(term)}`],
  );
  const guesses = [...reachableTerms(over)].flatMap((id) => {
    const term = over.terms[id];
    if (term.op !== 'base' || idle.has(term.name)) return [];
    const guess = instructions.guesses.find(({ name }) => name === term.name);
    return guess === undefined ? [] : [JSON.stringify({ ...guess, words: undefined })];
  });
  const events = JSON.stringify({ ...structure, program: undefined });
  return [...[...new Set(axioms)].sort(), ...guesses.sort(), events].join(';');
}

/** Which of some models say the same of programs that are made; found out once for all whose threads have the same calls. */
export class Sayings {
  private readonly known = new Map<string, readonly number[]>();

  constructor(
    private readonly made: MadePrograms,
    readonly models: readonly Model[],
  ) {}

  /** For each model, as an index, the first of them that says the same of a program. */
  of(draft: Draft): readonly number[] {
    const key = threadsKey(draft);
    const known = this.known.get(key) ?? this.found(draft);
    this.known.set(key, known);
    return known;
  }

  private found(draft: Draft): readonly number[] {
    const skeleton = this.made.skeleton(draft);
    const numbers: TermNumbers = new Map();
    const all = this.models.map((model) => saidOf(skeleton, model, numbers));
    return all.map((said, i) => (said === undefined ? i : all.indexOf(said)));
  }
}

const remembered = new WeakMap<MadePrograms, Sayings[]>();

/** What is known of some models: workers go through many shares. */
export function sayingsOf(made: MadePrograms, models: readonly Model[]): Sayings {
  const all = remembered.get(made) ?? [];
  remembered.set(made, all);
  const isOfThese = ({ models: own }: Sayings): boolean =>
    own.length === models.length && own.every((model, i) => model === models[i]);
  const known = all.find(isOfThese) ?? new Sayings(made, models);
  if (!all.includes(known)) all.push(known);
  return known;
}

/** The relations of which it is known, without other threads and without places, which pairs are in them. */
const OF_THREADS: readonly string[] = ['po', 'sthd', 'ext', 'same', 'sqp', 'scq', 'wid'];

/** The value of a term that is known to have it in all executions, or else its number. */
type Said = BitSet | BitRel | number;

class Saying {
  private readonly known: (Said | undefined)[] = [];
  private readonly size: number;
  private readonly sets: (name: string) => BitSet;
  private readonly relations: (name: string) => BitRel;

  /** @param idle bases that are empty */
  constructor(
    private readonly structure: EventStructure,
    private readonly model: Pick<Model, 'terms' | 'groups'>,
    private readonly numbers: TermNumbers,
    private readonly idle: ReadonlySet<string>,
  ) {
    const { events, program } = structure;
    this.size = events.length;
    this.sets = baseSets(events, program.instructions);
    this.relations = fixedRelations(events);
  }

  isNone(id: TermId): boolean {
    return isNone(this.said(id));
  }

  number(id: TermId): number {
    return this.numberOf(this.said(id));
  }

  private said(id: TermId): Said {
    return (this.known[id] ??= this.found(this.model.terms[id], id));
  }

  private found(term: Term, id: TermId): Said {
    const { terms, groups } = this.model;
    if (term.op === 'empty') return this.none(term.kind);
    if (term.op === 'universe') return m.universe(this.size);
    if (term.op === 'base') return this.base(term.name, term.kind);
    if (term.op === 'union' || term.op === 'inter') {
      return this.merged(term.op, term.kind, this.flat(id, term.op));
    }
    if (hasOperands(term)) {
      const operands = operandsOf(term).map((one) => this.said(one));
      return this.made(term, operands);
    }
    // Recursive definitions are the same only where all terms up to their end are.
    const group = groups[term.group];
    return this.numbered(JSON.stringify([term, group, terms.slice(0, group.end)]));
  }

  private base(name: string, kind: Kind): Said {
    const { instructions } = this.structure.program;
    if (this.idle.has(name)) return this.none(kind);
    if (membership(instructions)(name) !== undefined) return this.sets(name);
    if (name === 'id') return m.identity(m.universe(this.size));
    return OF_THREADS.includes(name) ? this.relations(name) : this.numbered(`base ${kind} ${name}`);
  }

  private made({ op, kind }: OperatorTerm, operands: readonly Said[]): Said {
    const { emptyWith, dropped, pointwise } = OPERATORS[op];
    if (holdsFor(emptyWith, operands, isNone)) return this.none(kind);
    const without = dropped.find((i) => isNone(operands[i]));
    if (without !== undefined) return operands[1 - without];
    const values = operands.filter(isValue);
    // Another operator may look at events between, of which other programs may have more or fewer.
    if (pointwise && values.length === operands.length) {
      return functionOf<BitSet, BitRel>(m, op, kind)(values[0], values[1]);
    }
    return this.numbered(`${op} ${kind} ${operands.map((one) => this.numberOf(one)).join()}`);
  }

  /** What operands of unions or intersections are together. */
  private merged(op: 'union' | 'inter', kind: Kind, operands: readonly Said[]): Said {
    const merge = functionOf<BitSet, BitRel>(m, op, kind);
    const values = operands.filter(isValue);
    const value = values.length === 0 ? [] : [values.reduce((all, one) => merge(all, one))];
    const open = new Set(operands.filter((one) => !isValue(one)));
    if (open.size === 0 || (op === 'inter' && value.some(isNone))) return value[0];
    const parts = op === 'union' && value.some(isNone) ? [...open] : [...value, ...open];
    if (parts.length === 1) return parts[0];
    const numbers = parts.map((one) => this.numberOf(one)).sort((x, y) => x - y);
    return this.numbered(`${op} ${numbers.join()}`);
  }

  /** The operands of a union of unions, or of an intersection of intersections. */
  private flat(id: TermId, op: 'union' | 'inter'): readonly Said[] {
    const term = this.model.terms[id];
    if (term.op !== op) return [this.said(id)];
    return [...this.flat(term.left, op), ...this.flat(term.right, op)];
  }

  private none(kind: Kind): BitSet | BitRel {
    return kind === 'set' ? m.emptySet(this.size) : m.emptyRel(this.size);
  }

  private numberOf(said: Said): number {
    return isValue(said) ? this.numbered(`${said.kind} ${said.words.join()}`) : said;
  }

  private numbered(key: string): number {
    const known = this.numbers.get(key) ?? this.numbers.size;
    this.numbers.set(key, known);
    return known;
  }
}

const isValue = (said: Said): said is BitSet | BitRel => typeof said !== 'number';
const isNone = (said: Said): boolean => isValue(said) && m.isEmpty(said);
