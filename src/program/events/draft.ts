import type { CallId, Constraint, Cut, Event, EventId } from './structure.js';
import type { ValueTable } from './values.js';
import { createValueTable } from './values.js';

/** What holds for all threads of a program that is being unrolled. */
export interface DraftOptions {
  /** How often loops without a bound of their own run. */
  readonly bound: number;
  /** Whether threads may stop anywhere. */
  readonly prefixes: boolean;
  /** Events and iterations of loops after which there is no sense in going on. */
  readonly limit: number;
}

/** An event structure in the making: the threads add to it one after the other. */
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

  /** A new call: an instruction that is performed. */
  newCall(): CallId {
    return this.calls++;
  }

  /** To be said of each iteration of a loop, since one may go on without events. */
  countIteration(): void {
    this.iterations += 1;
  }

  isFull(): boolean {
    return this.events.length + this.iterations > this.options.limit;
  }
}
