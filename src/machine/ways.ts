import type { Event, Path, Value, ValueId } from '../program/events/structure.js';
import { isWrite, operandsOfValue } from '../program/events/structure.js';
import type { Program } from '../program/program.js';
import type { CallSite } from './calls.js';
import type { Calls, ClassAlternative, ClassId, UseClasses } from './classes.js';
import { alternativesOf } from './classes.js';

/**
 * The calls that uses make, where an operation has several ways that nothing guards, as on queue pairs that may break: each way is a call of its own, which is one
 * of the variants of the use.
 */
export function waysOfUses({ flows, classAt, classes }: UseClasses, { locations }: Program): Calls {
  const made: CallSite[] = [];
  const variants: (readonly ClassId[])[] = [];
  const first = classes.map((site) => {
    const sites = isOpen(site, locations) ? apart(site) : [site];
    const ids = sites.map((one) => made.push(one) - 1);
    for (const id of ids) variants[id] = ids;
    return ids[0];
  });
  return {
    flows,
    classAt: classAt.map((row) => row.map((of) => (of < 0 ? of : first[of]))),
    classes: made,
    variants,
  };
}

/** Receives stay as they are: which way they go, their messages decide. */
function isOpen(site: CallSite, locations: Program['locations']): boolean {
  const { events, guards, result } = site;
  const isReceive = events.some(
    (e) => e.location !== undefined && locations[e.location].wire === true && !isWrite(e),
  );
  return (
    guards.length === 0 && result === undefined && !isReceive && alternativesOf(site).length > 1
  );
}

/** Each way once: two of them may have the same events, with the same values. */
function apart(site: CallSite): readonly CallSite[] {
  const found = new Map<string, CallSite>();
  for (const way of alternativesOf(site)) {
    const one = alone(site, way);
    const key = JSON.stringify(
      one.events.map(({ value, path, span: _, ...event }) => [
        event,
        value === undefined ? undefined : written(one.values, value),
        path.map(({ condition, taken }) => [written(one.values, condition), taken]),
      ]),
    );
    if (!found.has(key)) found.set(key, one);
  }
  return [...found.values()];
}

/** A value without the numbers of those that it is made of. */
function written(values: readonly Value[], id: ValueId): unknown {
  const value = values[id];
  const { op } = value;
  const own = op === 'unary' || op === 'binary' ? value.fn : undefined;
  const parts = operandsOfValue(value).map((one) => written(values, one));
  return parts.length === 0 ? value : [op, own, parts];
}

function alone(site: CallSite, { choices, events }: ClassAlternative): CallSite {
  const at = (e: number): number => events.indexOf(e);
  const isFree = ({ condition }: Path[number]): boolean => {
    const value = site.values[condition];
    return value.op === 'choice' && choices.has(value.choice);
  };
  return {
    ...site,
    events: events.map((e, id): Event => {
      const event = site.events[e];
      return {
        ...event,
        id,
        path: event.path.filter((branch) => !isFree(branch)),
        ...(event.beside && { beside: event.beside.map(at).filter((other) => other >= 0) }),
      };
    }),
    values: site.values.map((value): Value =>
      value.op === 'read' ? { ...value, event: at(value.event) } : value,
    ),
  };
}
