import type { CallId, Constraint, Cut, Event, EventId } from './structure.js';
import type { ValueTable } from './values.js';
import { createValueTable } from './values.js';

/** How a program is unrolled. */
export interface DraftOptions {
  /** How often loops without a bound of their own run. */
  readonly bound: number;
  /** Whether threads may stop anywhere. */
  readonly prefixes: boolean;
  /** With more events and iterations of loops than this, unrolling is given up. */
  readonly limit: number;
}

/** An event structure that is not complete yet. The threads add to it, one after the other. */
export class Draft {
  readonly table: ValueTable = createValueTable();
  readonly events: Event[] = [];
  readonly constraints: Constraint[] = [];
  readonly divisions: Constraint[] = [];
  readonly cuts: Cut[] = [];
  private calls = 0;
  private iterations = 0;

  constructor(readonly options: DraftOptions) {}

  add(event: Omit<Event, 'id'>): EventId {
    const id = this.events.length;
    this.events.push({ ...event, id });
    return id;
  }

  /** A new call, for one time that an instruction is performed. */
  newCall(): CallId {
    return this.calls++;
  }

  /** Is called for each iteration of a loop: a loop without events must end, too. */
  countIteration(): void {
    this.iterations += 1;
  }

  isFull(): boolean {
    return this.events.length + this.iterations > this.options.limit;
  }
}
