import type { CallSite, MessagePart } from './calls.js';
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
  if (message?.kind === 'posted') return ofReceive(site, classes, relations);
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
  const completion = carries?.completion;
  if (completion !== undefined && !isAfter(alone.needs, 2 * completion, 2 * arrival))
    return { message: 'a completion of a receive can be taken before its message arrives' };
  for (const other of classes) {
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

/** What a receive takes in and writes comes at another time than the receive: of the thread, nothing but its being posted orders it. */
function ofReceive(
  site: CallSite,
  classes: readonly CallSite[],
  relations: ModelRelations,
): Refusal | undefined {
  const { use } = site.message!;
  const isBeside = classes.every((other) => {
    if (other.thread !== site.thread) return true;
    return alternativesOf(use).every(({ events }) => {
      const posting = events.find((e) => use.events[e].label === site.events[0].label)!;
      const later = events.filter((e) => e !== posting);
      const executed = events.reduce((mask, e) => mask | (1 << e), 0);
      const own = { site: use, executed, posting, later };
      return isOrderedByPosting(own, other, relations);
    });
  });
  return isBeside
    ? undefined
    : {
        message:
          'what a receive writes is ordered with other calls of its thread by more than its being posted',
      };
}

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
  const stepsFrom = (first: number): StepMask =>
    later.reduce((mask, e) => mask | (3 << (2 * (first + e))), 0);
  const behind = relations.of([other, site], [eventsIn(other), executed]);
  const { length: first } = other.events;
  const posted = closureOf(behind.needs, 2 * (first + posting) + 1);
  const others = (1 << (2 * first)) - 1;
  const isPosted = later.every((e) =>
    [0, 1].every((k) => (behind.needs[2 * (first + e) + k] & others & ~posted) === 0),
  );
  const before = relations.of([site, other], [executed, eventsIn(other)]);
  const isUnneeded = before.needs.every(
    (needs, step) => step < 2 * site.events.length || (needs & stepsFrom(0)) === 0,
  );
  const isGuessed = (either: Relations['either'], at: number): boolean =>
    either.some(({ between }) => between.some((e) => later.includes(e - at)));
  return isPosted && isUnneeded && !isGuessed(behind.either, first) && !isGuessed(before.either, 0);
}

const eventsIn = ({ events }: CallSite): number => (1 << events.length) - 1;
