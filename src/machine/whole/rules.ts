import type { Axiom, Model, TermId } from '../../model/term.js';
import { pairs } from '../../model/relation/matrix.js';
import { guessesAmong, partnersByRank } from '../../program/events/guesses.js';
import { modelOver } from '../../program/events/narrow.js';
import type { Guessed } from '../../program/events/guessed.js';
import type { Event, EventStructure } from '../../program/events/structure.js';
import { INITIAL } from '../../program/events/structure.js';
import { inWords } from '../accept.js';
import type { Atom, Known } from '../atoms.js';
import { ALWAYS, Atoms, NEVER, OTHER, disjunctions } from '../atoms.js';
import type { Before, GuessWays } from '../constraints.js';
import { MEMORY, constraintsOf } from '../constraints.js';
import type { Layers } from '../form.js';
import { layersOf, unionOf } from '../form.js';
import type { Refusal } from '../layers.js';
import type { Layered } from '../pairs.js';
import { NO_BASES, valuesOver } from '../pairs.js';

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

export interface CountedSteps {
  readonly from: readonly StepIndex[];
  readonly to: readonly StepIndex[];
}

/** Two events that are related if one of these things is so. None: in every run. */
export interface Edge {
  readonly from: number;
  readonly to: number;
  readonly atoms: readonly Atom[];
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
  whole: Model,
  events: readonly Event[],
): RunRules | Refusal | undefined {
  const model = modelOver(structure, whole);
  const layers = layersOf(model);
  if ('message' in layers) return layers;
  const { coherence: axiom } = layers;
  if (axiom === undefined) throw new Error('the model has no third axiom');
  const over = layersOver(structure, model, { ...layers, coherence: axiom }, events);
  if (over === undefined || 'message' in over) return over;
  const { layered, coherence } = over;
  const { always, ways, free, early, covering, misfits } = constraintsOf(layered);
  const refused = misfits.find(
    ({ kind, atom }) =>
      !DECIDED_HERE.includes(kind) || (atom !== undefined && !MEMORY.includes(atom.name)),
  );
  if (refused !== undefined) return inWords(refused);
  const steps = stepsOf(layered);
  const indices = new Map(
    steps.flatMap(({ event, isIssue, isObservation }, i) => [
      ...(isIssue ? [[2 * event, i] as const] : []),
      ...(isObservation && !isIssue ? [[2 * event + 1, i] as const] : []),
    ]),
  );
  const needs = steps.map(({ event, isIssue }) =>
    isIssue ? 0n : 1n << BigInt(indices.get(2 * event)!),
  );
  const orders: (readonly [StepIndex, StepIndex])[] = [];
  for (const [first, second] of always) {
    const [a, b] = [indices.get(first), indices.get(second)];
    if (b === undefined) return undefined;
    if (a !== undefined) needs[b] |= 1n << BigInt(a);
  }
  const orderOf = ([first, second]: Before): OrderIndex | undefined => {
    const [a, b] = [indices.get(first), indices.get(second)];
    // What is initial is first.
    return a === undefined || b === undefined ? undefined : orders.push([a, b]) - 1;
  };
  const all = (befores: readonly Before[]): readonly OrderIndex[] =>
    befores.flatMap((before) => orderOf(before) ?? []);
  const isOver = (befores: readonly Before[]): boolean =>
    befores.some(([, second]) => indices.get(second) === undefined);
  const guesses = ways.map(({ guess, between, ways: [one, other] }: GuessWays): GuessOrders => ({
    guess,
    between,
    ways: [all(one), all(other)],
  }));
  if (ways.some(({ ways: [one, other] }) => isOver(one) || isOver(other))) return undefined;
  const at = (e: Event): number => events.indexOf(e);
  const stepOf = (event: number, isIssue: boolean): number =>
    2 * event + (isIssue || layered.inst[event] ? 0 : 1);
  const chained = misfits.flatMap(({ kind, from, to, layer, atom }) =>
    kind === 'not by construction'
      ? [{ atom: atom!, before: [from, to].map((e) => stepOf(at(e), layer === 'issued')) }]
      : [],
  );
  const covered = covering.map(({ write, read, since }) => ({
    atom: { name: 'rb', from: read, to: write },
    before: [stepOf(read, true), since],
  }));
  const decided = [...chained, ...covered].flatMap(({ atom, before: [first, second] }) => {
    const order = orderOf([first, second]);
    return order === undefined ? [] : [{ atom, order }];
  });
  const reads = new Map<number, number[]>();
  for (const [write, read] of early) reads.set(read, [...(reads.get(read) ?? []), write]);
  return {
    ...{
      events,
      steps,
      needs,
      orders,
      guesses,
      decided,
      coherence,
      early: reads,
      among: layered.guesses,
    },
    counted: layered.guesses.flatMap(({ counted }) =>
      counted.map(({ from, to }): CountedSteps => {
        const all = ({ events: list }: typeof from): readonly StepIndex[] =>
          list.flatMap((e) => indices.get(2 * e) ?? []);
        return { from: all(from), to: all(to) };
      }),
    ),
    free: free.flatMap(({ guess, between, steps: [one, other] }) => {
      const [a, b] = [indices.get(one), indices.get(other)];
      return a === undefined || b === undefined ? [] : [{ guess, between, steps: [a, b] as const }];
    }),
  };
}

/** What two calls alone do not decide, and all events do. */
const DECIDED_HERE: readonly string[] = ['not by construction', 'against program order'];

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

/** The layers over all events of an execution, and what coherence is about. Undefined: an axiom, or a partner that is missing, rules them out. */
function layersOver(
  structure: EventStructure,
  model: Model,
  {
    issued,
    observed,
    inst,
    isIssuedAcyclic,
    checks,
    coherence,
  }: Required<Layers> & { readonly coherence: Axiom },
  events: readonly Event[],
): { readonly layered: Layered; readonly coherence: readonly Edge[] } | Refusal | undefined {
  const { length: size } = events;
  const sure = new Map<string, readonly (readonly [number, number])[]>();
  const found = guessesAmong(structure, events);
  for (const guess of found) {
    if (guess.chosen) continue;
    const partners = partnersByRank(guess, events);
    if (partners === undefined) return undefined;
    sure.set(guess.name, [...pairs(partners)]);
  }
  // Who is whose partner by rank is known here.
  const guesses = found.map((guess) => ({ ...guess, ranked: [] }));
  const atoms = new Atoms();
  const { instructions } = structure.program;
  const values = valuesOver(model, instructions, events, { guesses, sure }, atoms);
  const { unionRel, emptyRel } = disjunctions(size, atoms, NO_BASES);
  const sum = (parts: readonly TermId[]): Known =>
    parts.reduce((all, part) => unionRel(all, values.rel(part)), emptyRel());
  for (const { term, name } of checks) {
    const value = model.terms[term].kind === 'set' ? values.set(term) : values.rel(term);
    if (value.includes(ALWAYS)) return undefined;
    if (value.some((one) => one !== NEVER)) return { message: `axiom '${name}' ${TOO_LATE}` };
  }
  const [before, after] = [sum(issued), sum(observed)];
  const checked = sum(unionOf(model.terms, coherence.term));
  if (checked.includes(OTHER)) return { message: `axiom '${coherence.name}' ${TOO_LATE}` };
  const edges = [...checked.entries()].flatMap(([k, value]): readonly Edge[] => {
    if (value === NEVER) return [];
    const [from, to] = [Math.floor(k / size), k % size];
    return [{ from, to, atoms: value === ALWAYS ? [] : atoms.of(value) }];
  });
  const isInst = inst === undefined ? undefined : values.set(inst);
  const layered: Layered = {
    events,
    inst: events.map((_, e) => isInst === undefined || isInst[e] === ALWAYS),
    isIssuedAcyclic,
    issued: (from, to) => before[from * size + to],
    observed: (from, to) => after[from * size + to],
    atomsOf: (disjunction) => atoms.of(disjunction),
    guesses,
    isForbidden: false,
    excluded: () => NEVER,
    lacking: [],
  };
  return { layered, coherence: edges };
}

const TOO_LATE = 'asks for what takes several things that a run decides';
