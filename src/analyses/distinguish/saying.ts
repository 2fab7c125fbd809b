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

/**
 * What models say of the events of a program, once all that is about nothing there is left out: the axioms, but for their
 * names and for the order in which unions and intersections are written.
 *
 * Nothing is asked about what is between threads, or which places are the same. So two models say the same of all programs
 * whose threads have the same calls, if they do of one where no two calls are at one place. If nothing is asked either about
 * which pairs of events are in a relation, but only in which sets events are, that goes for all programs with calls of the
 * same kinds.
 */
export class Saying {
  /** Bases that are empty. */
  private readonly idle: Set<string>;
  private readonly sets: (name: string) => BitSet;
  private readonly relations: (name: string) => BitRel;
  private text: string | undefined;

  /**
   * @param numbers of terms: equal terms have one number, whatever model they are of
   * @param knowsPairs whether it is asked which pairs of events are in relations
   */
  constructor(
    private readonly structure: EventStructure,
    private readonly numbers: Map<string, number>,
    readonly knowsPairs: boolean,
  ) {
    const { events, program } = structure;
    const { instructions } = program;
    this.sets = baseSets(events, instructions);
    this.relations = fixedRelations(events);
    this.idle = new Set(emptyBases(structure));
    const terms = new Terms(this, { terms: instructions.terms, groups: [] });
    for (const guess of instructions.guesses) {
      if (terms.isNone('pairs' in guess ? guess.pairs : guess.to)) this.idle.add(guess.name);
    }
  }

  get size(): number {
    return this.structure.events.length;
  }

  /** Models of which this is the same allow the same. If it is not, they may allow the same all the same. */
  by(model: Model): string {
    const over = modelOver(this.structure, model);
    const terms = new Terms(this, over);
    const axioms = over.axioms.flatMap(({ test, negated, flag, term }) =>
      flag || (!negated && terms.isNone(term))
        ? []
        : [`${test} ${String(negated)} ${terms.number(term)}`],
    );
    const all = [...[...new Set(axioms)].sort(), ...this.guesses(over).sort(), this.events()];
    return all.join(';');
  }

  /** The guesses that axioms may ask about. */
  private guesses(model: Model): string[] {
    const { guesses } = this.structure.program.instructions;
    return [...reachableTerms(model)].flatMap((id) => {
      const term = model.terms[id];
      if (term.op !== 'base' || this.idle.has(term.name)) return [];
      const guess = guesses.find(({ name }) => name === term.name);
      return guess === undefined ? [] : [JSON.stringify({ ...guess, words: undefined })];
    });
  }

  /** Of all programs with calls of some kinds, only those with one meaning of calls have the same events for sure. */
  private events(): string {
    return (this.text ??= this.knowsPairs
      ? JSON.stringify({ ...this.structure, program: undefined })
      : `${this.numbered(`events, the ${this.numbers.size}th`)}`);
  }

  base(name: string, kind: Kind): Said {
    if (this.idle.has(name)) return none(kind, this.size);
    if (membership(this.structure.program.instructions)(name) !== undefined) return this.sets(name);
    if (this.knowsPairs && name === 'id') return m.identity(m.universe(this.size));
    if (this.knowsPairs && OF_THREADS.has(name)) return this.relations(name);
    return this.numbered(`base ${kind} ${name}`);
  }

  numbered(key: string): number {
    const known = this.numbers.get(key) ?? this.numbers.size;
    this.numbers.set(key, known);
    return known;
  }
}

/** The relations of which it is known, without other threads and without places, which pairs are in them. */
const OF_THREADS: ReadonlySet<string> = new Set('po sthd ext same sqp scq wid'.split(' '));

/** The value of a term that is known to have it in all executions, or else its number. */
type Said = BitSet | BitRel | number;

/** What is known of terms. */
class Terms {
  private readonly known: (Said | undefined)[] = [];

  constructor(
    private readonly about: Saying,
    private readonly model: Pick<Model, 'terms' | 'groups'>,
  ) {}

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
    if (term.op === 'empty') return none(term.kind, this.about.size);
    if (term.op === 'universe') return m.universe(this.about.size);
    if (term.op === 'base') return this.about.base(term.name, term.kind);
    if (term.op === 'union' || term.op === 'inter') {
      return this.merged(term.op, term.kind, this.flat(id, term.op));
    }
    if (hasOperands(term)) {
      const operands = operandsOf(term).map((one) => this.said(one));
      return this.made(term, operands);
    }
    // Recursive definitions are the same only where all terms up to their end are.
    const group = groups[term.group];
    return this.about.numbered(JSON.stringify([term, group, terms.slice(0, group.end)]));
  }

  private made({ op, kind }: OperatorTerm, operands: readonly Said[]): Said {
    const { emptyWith, dropped, pointwise } = OPERATORS[op];
    if (holdsFor(emptyWith, operands, isNone)) return none(kind, this.about.size);
    const without = dropped.find((i) => isNone(operands[i]));
    if (without !== undefined) return operands[1 - without];
    const values = operands.filter(isValue);
    // Another operator may look at events between, of which other programs may have more or fewer.
    const isKnown = pointwise && (kind === 'set' || this.about.knowsPairs);
    if (isKnown && values.length === operands.length) {
      return functionOf<BitSet, BitRel>(m, op, kind)(values[0], values[1]);
    }
    return this.about.numbered(`${op} ${kind} ${operands.map((one) => this.numberOf(one)).join()}`);
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
    return this.about.numbered(`${op} ${numbers.join()}`);
  }

  /** The operands of a union of unions, or of an intersection of intersections. */
  private flat(id: TermId, op: 'union' | 'inter'): readonly Said[] {
    const term = this.model.terms[id];
    if (term.op !== op) return [this.said(id)];
    return [...this.flat(term.left, op), ...this.flat(term.right, op)];
  }

  private numberOf(said: Said): number {
    return isValue(said) ? this.about.numbered(`${said.kind} ${said.words.join()}`) : said;
  }
}

const none = (kind: Kind, size: number): BitSet | BitRel =>
  kind === 'set' ? m.emptySet(size) : m.emptyRel(size);
const isValue = (said: Said): said is BitSet | BitRel => typeof said !== 'number';
const isNone = (said: Said): boolean => isValue(said) && m.isEmpty(said);
