import type { EventId, EventStructure, ValueId } from '../../program/events/structure.js';
import { operandsOfValue } from '../../program/events/structure.js';
import type { Construction } from './partial.js';
import type { Space } from './space.js';
import type { Evaluated } from './values.js';
import { createConcreteValues } from './values.js';

/** What is still to be decided about values of a partial execution. */
export type Undecided =
  | { readonly kind: 'choice'; readonly choice: number }
  /** A read whose value comes from itself, so that it has to be guessed. */
  | { readonly kind: 'guess'; readonly read: number };

/** The values of a partial execution. */
export interface Reading {
  /** To be called when sources, choices or guesses have changed. */
  readonly forget: () => void;
  /** Do the decisions agree with the path that is taken? Excludes writes that do not. */
  readonly check: () => 'contradiction' | 'changed' | 'same';
  /** The next choice or read to decide; undefined if there is none. */
  readonly undecided: () => Undecided | undefined;
  /** Sets a free choice; undefined takes it back. */
  readonly choose: (choice: number, to: number | undefined) => void;
  /** Guesses the number of a read whose value comes from itself; undefined takes it back. */
  readonly guess: (read: number, number: number | undefined) => void;
  /** When everything is decided: a value, the choices, and the value of each read. */
  readonly value: (id: ValueId) => Evaluated;
  readonly choices: () => readonly number[];
  readonly numberRead: (read: number) => number;
}

export const createReading = (
  structure: EventStructure,
  space: Space,
  made: Construction,
  overflow: () => void,
): Reading => new ValuesRead(structure, space, made, overflow);

/** A condition with its required truth value, and the reads on which it can depend within its thread. */
interface Held {
  readonly id: ValueId;
  readonly met: Condition;
  readonly reads: Space['reads'];
}

class ValuesRead implements Reading {
  readonly forget: () => void;
  readonly value: (id: ValueId) => Evaluated;
  private readonly chosen = new Map<number, number>();
  private readonly guesses = new Map<number, number>();
  /** A number that a read is assumed to read, to test a condition. */
  private supposed: { readonly read: number; readonly number: number } | undefined;
  private readonly conditions: readonly Held[];
  private readonly written: readonly ValueId[];
  private readonly registers: readonly ValueId[];

  constructor(
    private readonly structure: EventStructure,
    private readonly space: Space,
    private readonly made: Construction,
    overflow: () => void,
  ) {
    const { events, taken, required } = space;
    for (const [condition, truth] of taken) {
      const v = structure.values[condition];
      if (v.op === 'choice') this.chosen.set(v.choice, Number(truth));
    }
    const { evaluate, forget } = createConcreteValues(structure, {
      taken: (condition) => taken.get(condition),
      choice: (choice) => this.chosen.get(choice),
      read: (event) => this.readBy(event),
      overflow,
    });
    this.value = evaluate;
    this.forget = forget;
    this.conditions = [
      ...[...taken].map(([id, truth]) => this.held(id, (n) => (n !== 0) === truth)),
      ...required.map((id) => this.held(id, (n) => n !== 0)),
    ];
    this.written = events.flatMap((e) => (e.value === undefined ? [] : [e.value]));
    this.registers = structure.registers.flat();
  }

  check(): 'contradiction' | 'changed' | 'same' {
    let changed = false;
    for (const held of this.conditions) {
      const outcome = this.value(held.id);
      if (isFalse(outcome, held.met)) return 'contradiction';
      if (outcome === 'unknown' && this.excludeRefuted(held)) changed = true;
    }
    if (changed) return 'changed';
    for (const id of this.written) if (this.value(id) === 'undefined') return 'contradiction';
    for (const id of this.registers) if (this.value(id) === 'undefined') return 'contradiction';
    for (const [read, number] of this.guesses) {
      const value = this.value(this.writtenBy(this.made.sources[read]));
      if (typeof value === 'number' && value !== number) return 'contradiction';
    }
    return 'same';
  }

  undecided(): Undecided | undefined {
    const { reads } = this.space;
    const complete = reads.every(({ read }) => this.made.sources[read] >= 0);
    const conditions = this.conditions.map(({ id }) => id);
    for (const id of [...conditions, ...this.written, ...(complete ? this.registers : [])]) {
      const outcome = this.value(id);
      if (typeof outcome === 'object') return { kind: 'choice', choice: outcome.choice };
    }
    if (!complete) return undefined;
    const unknown = reads.find(({ read }) => this.knownRead(read) === undefined);
    return unknown && { kind: 'guess', read: unknown.read };
  }

  choose(choice: number, to: number | undefined): void {
    if (to === undefined) this.chosen.delete(choice);
    else this.chosen.set(choice, to);
  }

  guess(read: number, number: number | undefined): void {
    if (number === undefined) this.guesses.delete(read);
    else this.guesses.set(read, number);
  }

  choices(): readonly number[] {
    const { choices } = this.structure;
    return Array.from({ length: choices }, (_, i) => this.chosen.get(i) ?? 0);
  }

  numberRead(read: number): number {
    return this.knownRead(read)!;
  }

  private knownRead(read: number): number | undefined {
    const value = this.guesses.get(read) ?? this.value(this.writtenBy(this.made.sources[read]));
    return typeof value === 'number' ? value : undefined;
  }

  private readBy(
    event: EventId,
  ): { readonly number: number } | { readonly value: ValueId } | undefined {
    const read = this.space.position[event];
    if (read === undefined) return undefined;
    const { supposed } = this;
    const number = supposed?.read === read ? supposed.number : this.guesses.get(read);
    if (number !== undefined) return { number };
    const source = this.made.sources[read];
    return source < 0 ? undefined : { value: this.writtenBy(source) };
  }

  private writtenBy(write: number): ValueId {
    return this.space.events[write].value!;
  }

  /** Excludes writes whose values make a condition fail. Returns whether there are any. */
  private excludeRefuted({ id, met, reads }: Held): boolean {
    const { made } = this;
    let found = false;
    for (const { read, sources } of reads) {
      if (made.sources[read] >= 0) continue;
      for (const write of sources) {
        if (!made.canRead(read, write)) continue;
        const number = this.value(this.writtenBy(write));
        if (typeof number !== 'number' || !this.refuted(read, number, id, met)) continue;
        made.excludeSource(read, write);
        found = true;
      }
    }
    return found;
  }

  /** Does a condition fail if a read reads a number? */
  private refuted(read: number, number: number, id: ValueId, met: Condition): boolean {
    this.supposed = { read, number };
    this.forget();
    const failed = isFalse(this.value(id), met);
    this.supposed = undefined;
    this.forget();
    return failed;
  }

  private held(id: ValueId, met: Condition): Held {
    const { values } = this.structure;
    const seen = new Set<ValueId>();
    const visit = (one: ValueId): void => {
      if (seen.has(one)) return;
      seen.add(one);
      operandsOfValue(values[one]).forEach(visit);
    };
    visit(id);
    const found = [...seen].map((one) => {
      const v = values[one];
      return v.op === 'read' ? this.space.position[v.event] : undefined;
    });
    return { id, met, reads: this.space.reads.filter(({ read }) => found.includes(read)) };
  }
}

type Condition = (n: number) => boolean;

const isFalse = (outcome: Evaluated, met: Condition): boolean =>
  outcome === 'undefined' || (typeof outcome === 'number' && !met(outcome));
