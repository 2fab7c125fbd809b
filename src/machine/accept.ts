import { isRead, isWrite } from '../program/events/structure.js';
import type { CallSite } from './calls.js';
import type { PairMisfit } from './constraints.js';
import { alternativesOf, usesOf } from './classes.js';
import { refusalByInitial, refusalOfChecks } from './accept-checks.js';
import { refusalOfMessages } from './accept-messages.js';
import { isAfter } from './open.js';
import { orderedIn, relationsAmong } from './orders.js';
import type { Layer } from './form.js';
import type { Refusal } from './layers.js';
import type { ModelRelations } from './relations.js';
import type { Threads } from './threads.js';

/** More steps than this do not go into a mask of two calls. */
const MOST_EVENTS = 7;

/**
 * Why there is no machine for a program whose calls are of these classes, if there is none.
 *
 * @param partnersBy the guesses that make partners, by rank or by counting
 */
export function refusalFor(
  classes: readonly CallSite[],
  relations: ModelRelations,
  threads: Threads,
  partnersBy: readonly string[],
): Refusal | undefined {
  const ofMessages = tooLarge(classes) ?? refusalOfMessages(classes, relations);
  if (ofMessages !== undefined) return ofMessages;
  for (const [of, site] of classes.entries()) {
    const { length } = site.events;
    const alone = orderedIn(relations.of([site], [(1 << length) - 1]), 2 * length);
    if (alone?.length !== 0) return { ...UNSEEN, call: site };
    const own =
      refusalByInitial(site, relations) ??
      refusalOfCall(site, threads.barriersOf(of)) ??
      blindWrite(site, relations) ??
      perhapsForbidden(site, relations);
    if (own !== undefined) return { ...own, call: site };
  }
  for (const one of classes) {
    for (const other of classes) {
      const all = [one, other].map(({ events }) => (1 << events.length) - 1);
      const found = relations.of([one, other], all);
      const [misfit] = found.misfits;
      if (misfit !== undefined) return { ...inWords(misfit), layer: layerOf(misfit), call: other };
      const ofChecks = refusalOfChecks(one, other, relations, partnersBy);
      if (ofChecks !== undefined) return { ...ofChecks, call: other };
      const steps = 2 * (one.events.length + other.events.length);
      const ways = relationsAmong(relations, one, other);
      if (ways.some((way) => orderedIn(way, steps) === undefined)) {
        return { ...UNSEEN, call: other };
      }
      const isPast = [...found.covering, ...found.early].some(
        ({ write, read }) => write < one.events.length !== read < one.events.length,
      );
      if (isPast && one.thread !== other.thread) {
        const message = 'a read reads past a write of another thread that is not observed';
        return { message, layer: 'observed', call: other };
      }
    }
  }
  return undefined;
}

/** A call that is too large, if there is one. To be asked first: how long all else takes grows fast with the size of a call. */
export function tooLarge(classes: readonly CallSite[]): Refusal | undefined {
  const call = classes.find(({ events }) => events.length > MOST_EVENTS);
  if (call === undefined) return undefined;
  return { message: `a call of ${call.events.length} events is too large for a machine`, call };
}

const UNSEEN: Refusal = {
  message: 'a guess between two events goes a way that does not show in how far they are',
  hint: 'of one of the two, both steps have to be one',
  layer: 'inst',
};

function refusalOfCall(site: CallSite, barriers: number): Refusal | undefined {
  const { events, result, guards } = site;
  const isBarrier = (e: number): boolean => (barriers & (1 << e)) !== 0;
  const late = events.findIndex((event, e) => isRead(event) && !isBarrier(e));
  const isAsked = result !== undefined || guards.length > 0;
  if (late >= 0 && isAsked) {
    const message = `${events[late].label} gives a value to its thread, which goes on before that is read`;
    return { message, hint: 'put it before all later events in `issued`', layer: 'issued' };
  }
  return undefined;
}

/** A write that may be issued before its value is known, or whether it is executed at all. */
function blindWrite(site: CallSite, relations: ModelRelations): Refusal | undefined {
  for (const { events } of alternativesOf(site)) {
    const executed = events.reduce((mask, e) => mask | (1 << e), 0);
    const { needs, taken } = relations.of([site], [executed]);
    for (const w of events.filter((e) => isWrite(site.events[e]))) {
      const { path, value, label } = site.events[w];
      const { reads } = usesOf(site.values, [value!, ...path.map(({ condition }) => condition)]);
      const blind = [...reads].find(
        (r) => taken[w] !== taken[r] && !isAfter(needs, 2 * taken[w], 2 * taken[r]),
      );
      if (blind === undefined || blind === w) continue;
      return {
        message: `${label} writes what ${site.events[blind].label} of its call reads, and can be issued before it`,
        hint: 'put it after that read in `issued`',
        layer: 'issued',
      };
    }
  }
  return undefined;
}

/** A call of which an axiom rules out events that may turn out not to be executed: it is too late then. */
function perhapsForbidden(site: CallSite, relations: ModelRelations): Refusal | undefined {
  const maskOf = (events: readonly number[]): number =>
    events.reduce((mask, e) => mask | (1 << e), 0);
  for (const { events } of alternativesOf(site)) {
    const isSure = (e: number): boolean =>
      site.events[e].path.every(({ condition }) => {
        const value = site.values[condition];
        return value.op === 'choice' && value.choice >= site.given;
      });
    const [all, sure] = [maskOf(events), maskOf(events.filter(isSure))];
    if (relations.of([site], [all]).isForbidden === relations.of([site], [sure]).isForbidden)
      continue;
    return { message: 'an axiom rules out events of a call that may not be executed' };
  }
  return undefined;
}

/** What relates two events in a way that does not fit. */
const layerOf = ({ kind, layer }: PairMisfit): Layer =>
  kind === 'read in two moments' ? 'inst' : layer;

export function inWords({ kind, from, to, layer, atom }: PairMisfit): Refusal {
  const [a, b] = [from.label, to.label];
  switch (kind) {
    case 'older value':
      return {
        message: `${atom!.name} of ${a} and ${b} is not in \`${layer}\`: a read could return an older value`,
      };
    case 'read in two moments':
      return {
        message: `${a} reads and is not in \`Inst\`: its value would be needed at two moments`,
      };
    case 'several atoms':
      return {
        message: `whether ${a} is ${layer} before ${b} takes several things that a run decides`,
        hint: 'what a run decides can be joined by `|`, and taken away as a whole',
      };
    case 'not by construction':
      return {
        message: `${a} is ${layer} before ${b} because of ${atom!.name} between other events`,
      };
    case 'before itself':
      return { message: `an event ${a} is ${layer} before itself` };
    case 'against program order':
      return {
        message: `${a} is ${layer} before ${b} in every run, without being before it in program order`,
      };
    case 'guess of another kind':
      return { message: `'${atom!.name}' is a guess of the kind \`one\`` };
    case 'order of no layer':
      return {
        message: `the order '${atom!.name}' is not one of the steps of a machine`,
        hint: 'have all of it in `issued`, or all of it in `observed`',
      };
    case 'counted in two moments':
      return {
        message: `'${atom!.name}' counts ${a} and ${b}, which are not issued and observed at one moment`,
        hint: 'only events of `Inst` can be counted',
      };
    case 'issue in a circle':
      return {
        message: `${a} and ${b} could be issued in a circle`,
        hint: 'add the axiom that `issued` has no cycle',
      };
    case 'order of issue by memory':
      return {
        message: `the order in which ${a} and ${b} are issued follows that in which they are observed`,
      };
  }
}
