import type { CallSite, MessagePart } from './calls.js';
import { eventsIn, receiveOf } from './calls.js';
import { alternativesOf } from './classes.js';
import { closureOf, isAfter } from './open.js';
import type { Refusal } from './layers.js';
import type { EventMask, ModelRelations, Relations, StepMask } from './relations.js';

/**
 * Why a machine cannot have the calls of messages, if it cannot. What it does is right where messages of a thread arrive in program order, completions come after arrivals, and a receive is ordered with
 * what stands around it by its being posted only.
 */
export function refusalOfMessages(
  classes: readonly CallSite[],
  relations: ModelRelations,
): Refusal | undefined {
  for (const site of classes) {
    const found = misfitOf(site, classes, relations);
    if (found !== undefined) return { ...found, call: site };
  }
  return undefined;
}

function misfitOf(
  site: CallSite,
  classes: readonly CallSite[],
  relations: ModelRelations,
): Refusal | undefined {
  const { message } = site;
  if (message?.kind === 'sent') {
    return ofMessage(site, message, classes, relations);
  }
  if (message?.kind === 'posted') return ofReceive(site, message, classes, relations);
  return undefined;
}

function ofMessage(
  site: CallSite,
  { arrival, carries, receive, wire }: Extract<MessagePart, { kind: 'sent' }>,
  classes: readonly CallSite[],
  relations: ModelRelations,
): Refusal | undefined {
  // It never arrives.
  if (receive === 0) return undefined;
  const alone = relations.of([site], [eventsIn(site)]);
  if (!alone.inst[arrival])
    return { message: 'a message arrives in two moments', hint: 'have its arrival in `Inst`' };
  if (waitsForWhatIsThere(site, alone)) return { message: WAITS };
  const completion = carries?.completion;
  if (completion !== undefined && !isAfter(alone.needs, 2 * completion, 2 * arrival))
    return { message: 'a completion of a receive can be taken before its message arrives' };
  for (const other of classes) {
    if (waitsForWhatIsThere(site, relations.of([site, other], [site, other].map(eventsIn))))
      return { message: WAITS };
    if (other.thread !== site.thread) continue;
    const { needs } = relations.of([site, other], [site, other].map(eventsIn));
    const { length: first } = site.events;
    const { message } = other;
    const isNext = message?.kind === 'sent' && message.wire === wire && message.receive > 0;
    if (isNext && !isAfter(needs, 2 * (first + message.arrival), 2 * arrival))
      return { message: 'messages of a thread can arrive in another order' };
  }
  return undefined;
}

const WAITS = 'something waits for a receive, and not for its message';

/** Is a step behind what has no step in a message, as its arrival stands for it, without being behind the arrival? */
function waitsForWhatIsThere(site: CallSite, { needs, either }: Relations): boolean {
  const { message } = site;
  if (message?.kind !== 'sent' || message.carries === undefined) return false;
  const { arrival, carries } = message;
  const isThere = (e: number): boolean => (carries.there & (1 << e)) !== 0;
  const steps = site.events.reduce((mask, _, e) => (isThere(e) ? mask | (3 << (2 * e)) : mask), 0);
  const isWaiting = needs.some(
    (mask, step) =>
      (mask & steps) !== 0 &&
      step >> 1 !== arrival &&
      !(step < 2 * site.events.length && isThere(step >> 1)) &&
      !isAfter(needs, step, 2 * arrival),
  );
  return (
    isWaiting ||
    either.some(({ between }) => between.some((e) => e < site.events.length && isThere(e)))
  );
}

/** What a receive takes in and writes comes at another time than the receive: of the thread, nothing but its being posted orders it. */
function ofReceive(
  site: CallSite,
  { wire, receive, use }: Extract<MessagePart, { kind: 'posted' }>,
  classes: readonly CallSite[],
  relations: ModelRelations,
): Refusal | undefined {
  const taking = classes.filter(
    ({ message }) =>
      message?.kind === 'sent' && message.wire === wire && message.receive === receive,
  );
  const isBeside = classes.every((other) => {
    if (other.thread !== site.thread) return true;
    return alternativesOf(use).every(({ events }) => {
      const posting = events.find((e) => use.events[e].label === site.events[0].label)!;
      const later = events.filter((e) => e !== posting);
      const executed = events.reduce((mask, e) => mask | (1 << e), 0);
      const own = { site: use, executed, posting, later };
      return (
        isOrderedByPosting(own, other, relations) && areSameGuesses(own, other, taking, relations)
      );
    });
  });
  return isBeside ? undefined : { message: BEYOND_POSTING };
}

const BEYOND_POSTING =
  'what a receive writes is ordered with other calls of its thread by more than its being posted';

/** A way through a receive: the event with which it is posted, and all others. */
interface Received {
  readonly site: CallSite;
  readonly executed: EventMask;
  readonly posting: number;
  readonly later: readonly number[];
}

function isOrderedByPosting(
  { site, executed, posting, later }: Received,
  other: CallSite,
  relations: ModelRelations,
): boolean {
  const { length: first } = other.events;
  const behind = relations.of([other, site], [eventsIn(other), executed]);
  const posted = closureOf(behind.needs, 2 * (first + posting) + 1);
  const others = (1 << (2 * first)) - 1;
  const isPosted = later.every((e) =>
    [0, 1].every((k) => (behind.needs[2 * (first + e) + k] & others & ~posted) === 0),
  );
  const before = relations.of([site, other], [executed, eventsIn(other)]);
  const own: StepMask = later.reduce((mask, e) => mask | (3 << (2 * e)), 0);
  const isUnneeded = before.needs.every(
    (needs, step) => step < 2 * site.events.length || (needs & own) === 0,
  );
  return isPosted && isUnneeded;
}

/** Is what a run decides about a receive and another call of its thread decided about the messages that take it, too? */
function areSameGuesses(
  { site, executed, later }: Received,
  other: CallSite,
  taking: readonly CallSite[],
  relations: ModelRelations,
): boolean {
  const { length: first } = other.events;
  const { either } = relations.of([other, site], [eventsIn(other), executed]);
  const asked = either.flatMap(({ guess, between: [x, e] }) =>
    x < first && later.includes(e - first) ? [{ guess, x, event: site.events[e - first] }] : [],
  );
  return taking.every((message) => {
    const found = relations.of([other, message], [other, message].map(eventsIn));
    const events = receiveOf(message)?.events;
    // Another way through the receive has no such events.
    const has = [...(events?.values() ?? [])];
    if (!later.every((e) => has.includes(site.events[e]))) return true;
    return asked.every(({ guess, x, event }) =>
      found.either.some(
        ({ guess: name, between: [a, b] }) =>
          name === guess && a === x && events?.get(b - first) === event,
      ),
    );
  });
}
