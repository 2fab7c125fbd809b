import type { Model } from '../../model/term.js';
import type { CountedEvents, Guessed } from '../../program/events/guessed.js';
import type { Event, EventStructure } from '../../program/events/structure.js';
import { INITIAL } from '../../program/events/structure.js';
import { inWords } from '../accept.js';
import type { Atom } from '../atoms.js';
import type { Before, Constraints, PairMisfit, StepId } from '../constraints.js';
import { MEMORY, constraintsOf } from '../constraints.js';
import type { Refusal } from '../layers.js';
import type { Layered } from '../pairs.js';
import type { Edge, WholeLayers } from './layers.js';
import { wholeLayers } from './layers.js';

/** Index into `RunRules.steps`. */
export type StepIndex = number;

/** A step of an event, by its position: its issue, its observation, or both in one. */
export interface Step {
  readonly event: number;
  readonly isIssue: boolean;
  readonly isObservation: boolean;
}

/** An order of two steps that a run may turn out to need: index into `RunRules.orders`. */
export type OrderIndex = number;

/** A guess between two events, and the orders that each of its ways needs. */
export interface GuessOrders {
  readonly guess: string;
  readonly between: readonly [number, number];
  readonly ways: readonly [readonly OrderIndex[], readonly OrderIndex[]];
}

/** Steps of which one kind takes what the other makes. */
export interface CountedSteps {
  readonly from: readonly StepIndex[];
  readonly to: readonly StepIndex[];
}

/** What a model asks of the runs on one way through a program. Events are positions in `events`, the initial writes among them, which are done. */
export interface RunRules {
  readonly events: readonly Event[];
  readonly steps: readonly Step[];
  /** By step: those that come before it, as bits. */
  readonly needs: readonly bigint[];
  readonly orders: readonly (readonly [StepIndex, StepIndex])[];
  readonly guesses: readonly GuessOrders[];
  /** Guesses that are the order of two steps, whichever it is. */
  readonly free: readonly {
    readonly guess: string;
    readonly between: readonly [number, number];
    readonly steps: readonly [StepIndex, StepIndex];
  }[];
  /** Orders that are needed if something is so. */
  readonly decided: readonly { readonly atom: Atom; readonly order: OrderIndex }[];
  /** Steps that are counted: each of `to` needs that more of `from` have been taken than of `to`. */
  readonly counted: readonly CountedSteps[];
  /** By read: the writes that it may read when they are issued. */
  readonly early: ReadonlyMap<number, readonly number[]>;
  /** What the third axiom wants to be free of circles. */
  readonly coherence: readonly Edge[];
  /** All that is guessed. */
  readonly among: readonly Guessed[];
}

/**
 * What a model whose third axiom is coherence asks of the steps of some events, which are all those of an execution. Undefined: there is no run of them.
 *
 * The layers say which steps come first, as for machines of calls (`constraints.ts`). Here all events are known, so that what relates two of them by way of others is
 * decided, too; and what follows from what another pair of events turns out to be, is an order that is needed then.
 */
export function runRules(
  structure: EventStructure,
  model: Model,
  events: readonly Event[],
): RunRules | Refusal | undefined {
  const layers = wholeLayers(structure, model, events);
  if (layers === undefined || 'message' in layers) return layers;
  const { guesses } = layers.layered;
  const isPlace = (e: number): boolean => events[e].location !== undefined;
  if (guesses.some(({ counted }) => counted.some(({ to }) => to.events.some(isPlace))))
    return { message: 'what takes a thing that is counted accesses a location' };
  const constraints = constraintsOf(layers.layered);
  const refused = constraints.misfits.find((misfit) => !isDecidedHere(misfit));
  return refused === undefined ? new Ruling(layers, constraints).rules() : inWords(refused);
}

/** What two calls alone do not decide, and all events do. */
const isDecidedHere = ({ kind, atom }: PairMisfit): boolean =>
  kind === 'against program order' ||
  (kind === 'not by construction' && MEMORY.includes(atom!.name));

/** Constraints over the steps that there are. */
class Ruling {
  private readonly steps: readonly Step[];
  private readonly indices: ReadonlyMap<StepId, StepIndex>;
  private readonly orders: (readonly [StepIndex, StepIndex])[] = [];

  constructor(
    private readonly layers: WholeLayers,
    private readonly constraints: Constraints,
  ) {
    this.steps = stepsOf(layers.layered);
    this.indices = new Map(
      this.steps.map(({ event, isIssue }, i) => [2 * event + (isIssue ? 0 : 1), i]),
    );
  }

  rules(): RunRules | undefined {
    const { constraints, layers, steps, orders } = this;
    const { layered, coherence } = layers;
    const { always, ways, free } = constraints;
    // What is initial comes after nothing.
    const seconds = [...always, ...ways.flatMap(({ ways: both }) => both.flat())];
    if (seconds.some(([, second]) => !this.indices.has(second))) return undefined;
    const guesses = ways.map(({ guess, between, ways: [one, other] }) => ({
      ...{ guess, between },
      ways: [this.ordersOf(one), this.ordersOf(other)] as const,
    }));
    return {
      ...{ events: layered.events, steps, needs: this.needs(), orders, guesses, coherence },
      ...{ decided: this.decided(), early: this.early(), among: layered.guesses },
      free: free.flatMap(({ guess, between, steps: both }) => {
        const [first, second] = both.map((step) => this.indices.get(step));
        return first === undefined || second === undefined
          ? []
          : [{ guess, between, steps: [first, second] as const }];
      }),
      counted: layered.guesses.flatMap(({ counted }) =>
        counted.map(({ from, to }) => ({ from: this.issuesOf(from), to: this.issuesOf(to) })),
      ),
    };
  }

  private needs(): readonly bigint[] {
    const needs = this.steps.map(({ event, isIssue }) => (isIssue ? 0n : this.bit(2 * event)));
    for (const [first, second] of this.constraints.always)
      needs[this.indices.get(second)!] |= this.bit(first);
    return needs;
  }

  /** What is initial is done. */
  private bit(step: StepId): bigint {
    const index = this.indices.get(step);
    return index === undefined ? 0n : 1n << BigInt(index);
  }

  private ordersOf(befores: readonly Before[]): readonly OrderIndex[] {
    return befores.flatMap(([first, second]) => {
      const [a, b] = [first, second].map((step) => this.indices.get(step));
      return a === undefined || b === undefined ? [] : [this.orders.push([a, b]) - 1];
    });
  }

  private decided(): RunRules['decided'] {
    const { events, inst } = this.layers.layered;
    const { misfits, covering } = this.constraints;
    const stepOf = (e: Event, layer: PairMisfit['layer']): StepId => {
      const at = events.indexOf(e);
      return 2 * at + (layer === 'issued' || inst[at] ? 0 : 1);
    };
    const chained = misfits.flatMap(({ from, to, layer, atom }) =>
      atom === undefined
        ? []
        : [{ atom, before: [stepOf(from, layer), stepOf(to, layer)] as const }],
    );
    const covered = covering.map(({ write, read, since }) => ({
      atom: { name: 'rb', from: read, to: write },
      before: [2 * read, since] as const,
    }));
    return [...chained, ...covered].flatMap(({ atom, before }) =>
      this.ordersOf([before]).map((order) => ({ atom, order })),
    );
  }

  private early(): RunRules['early'] {
    const reads = new Map<number, number[]>();
    for (const [write, read] of this.constraints.early)
      reads.set(read, [...(reads.get(read) ?? []), write]);
    return reads;
  }

  private issuesOf({ events }: CountedEvents): readonly StepIndex[] {
    return events.flatMap((e) => this.indices.get(2 * e) ?? []);
  }
}

function stepsOf({ events, inst }: Layered): readonly Step[] {
  return events.flatMap(({ thread }, event): readonly Step[] => {
    if (thread === INITIAL) return [];
    if (inst[event]) return [{ event, isIssue: true, isObservation: true }];
    return [
      { event, isIssue: true, isObservation: false },
      { event, isIssue: false, isObservation: true },
    ];
  });
}
