import { operationsOf } from '../model/instructions/operations.js';
import type { Body, InstructionSet, Operation } from '../model/instructions/set.js';
import type { Call, PlaceArgument } from './program.js';

/**
 * What a call is there for, by the declaration of its operation:
 * - `orders`: it reads and writes nothing, as a fence or a poll
 * - `reads`: it reads, and writes only to memory of its own node, as a get
 * - `more`: anything else
 */
export type Purpose = 'orders' | 'reads' | 'more';

/** What a call is there for, and what it does with the places that it is given. */
export interface CallUse {
  readonly purpose: Purpose;
  /** The places that it writes, and does not read. */
  readonly writes: readonly PlaceArgument[];
  /** All others. */
  readonly reads: readonly PlaceArgument[];
}

export function useOf(instructions: InstructionSet, call: Call): CallUse {
  const operation = operationsOf(instructions).called(call);
  const { alternatives, parameters, into } = operation;
  const events = alternatives.flatMap(({ body }) => eventsIn(body));
  const read = new Set(events.flatMap(({ reads }) => reads?.place ?? []));
  const written = new Set(events.flatMap(({ writes }) => writes?.place ?? []));
  const given = [...parameters, ...(into === undefined ? [] : [into])].map(({ name }, i) => ({
    place: i < parameters.length ? call.arguments[i] : call.into,
    isWritten: written.has(name) && !read.has(name),
  }));
  const places = (isWritten: boolean): readonly PlaceArgument[] =>
    given.flatMap((one) =>
      one.isWritten === isWritten && one.place?.kind === 'place' ? [one.place] : [],
    );
  return {
    purpose: purposeOf(instructions, operation, events),
    writes: places(true),
    reads: places(false),
  };
}

type EventOf = Extract<Body, { readonly kind: 'event' }>;

const eventsIn = (body: Body): readonly EventOf[] =>
  body.kind === 'event' ? [body] : ('parts' in body ? body.parts : [body.body]).flatMap(eventsIn);

function purposeOf(
  { labels }: InstructionSet,
  { library, parameters, into }: Operation,
  events: readonly EventOf[],
): Purpose {
  const reads = events.flatMap((event) => event.reads ?? []);
  const writes = events.flatMap((event) => event.writes ?? []);
  // What neither CPU nor NIC does, such as a power cut, is no part of the program. Wires have messages.
  const isDone = events.every(({ label }) => labels.find(({ name }) => name === label)?.by);
  const isMessage = [...reads, ...writes].some(({ wire }) => wire !== undefined);
  if (library !== undefined || !isDone || isMessage) return 'more';
  if (reads.length + writes.length === 0) return 'orders';
  const own = [...parameters, ...(into === undefined ? [] : [into])].flatMap(({ kind, name }) =>
    kind === 'own' && !reads.some(({ place }) => place === name) ? [name] : [],
  );
  return reads.length > 0 && writes.every(({ place }) => own.includes(place)) ? 'reads' : 'more';
}
