import type { CallSite } from './calls.js';
import { eventsIn } from './calls.js';
import type { Refusal } from './layers.js';
import type { ModelRelations } from './relations.js';

/**
 * Why axioms that something be empty cannot be judged when a call begins, if they cannot: only earlier calls of the thread may rule a call out, or be what
 * it needs, and partners may only rule each other out by the guess that makes them partners.
 *
 * @param partners the guesses that a machine makes partners by
 */
export function refusalOfChecks(
  one: CallSite,
  other: CallSite,
  relations: ModelRelations,
  partners: readonly string[],
): Refusal | undefined {
  if (!relations.rulesOutPairs) return undefined;
  const { length: first } = one.events;
  const { excluded, lacking } = relations.of([one, other], [one, other].map(eventsIn));
  const isOneThread = one.thread === other.thread;
  const wrong = excluded.find(({ from, to, guesses }) => {
    if (guesses === undefined) return !isOneThread || from >= first || to < first;
    return guesses.length === 0 || !guesses.every((name) => partners.includes(name));
  });
  if (wrong !== undefined) return { message: RULED_OUT };
  const [before, behind] = [one, other].map(
    (site) => relations.of([site], [eventsIn(site)]).lacking,
  );
  const isServed = lacking.some(
    (needy, k) =>
      (needy & eventsIn(one)) !== before[k] || (!isOneThread && needy >>> first !== behind[k]),
  );
  return isServed ? { message: ASKED_FOR } : undefined;
}

const RULED_OUT = 'an axiom rules out a call by what is not before it in its thread';
const ASKED_FOR = 'an axiom asks for a call that is not before another one in its thread';

/** The same where it would be an initial write that rules out a call, or is what it needs. */
export function refusalByInitial(site: CallSite, relations: ModelRelations): Refusal | undefined {
  if (!relations.rulesOutPairs) return undefined;
  const { lacking: alone } = relations.of([site], [eventsIn(site)]);
  const { excluded, lacking } = relations.behindInitial(site);
  const first = new Set(site.events.map(({ location = 0 }) => location)).size;
  if (excluded.some(({ from }) => from < first)) return { message: RULED_OUT };
  const isServed = lacking.some((needy, k) => needy >>> first !== alone[k]);
  return isServed ? { message: ASKED_FOR } : undefined;
}
