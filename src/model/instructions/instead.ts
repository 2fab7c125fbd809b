import { namesIn } from './operations.js';
import type { Alternative, Body, Instead, Label, Operation } from './set.js';

type EventOf = Extract<Body, { kind: 'event' }>;

/**
 * A body with other events in the place of its own. Undefined is no event; parts that this leaves empty are dropped, and
 * nothing may be left.
 */
export function withEvents(
  body: Body,
  change: (event: EventOf) => EventOf | undefined,
): Body | undefined {
  switch (body.kind) {
    case 'event':
      return change(body);
    case 'if':
    case 'for': {
      const inside = withEvents(body.body, change);
      return inside && { ...body, body: inside };
    }
    case 'then':
    case 'beside': {
      const parts = body.parts.flatMap((part) => withEvents(part, change) ?? []);
      return parts.length > 1 ? { ...body, parts } : parts[0];
    }
  }
}

/** The alternatives of an operation for what calls with a tag may do in the place of an event, in the order given. */
export function insteadIn(
  { alternatives }: Pick<Operation, 'alternatives'>,
  insteads: readonly Instead[],
  labels: readonly Label[],
): readonly Alternative[] {
  const performers = new Map(labels.map(({ name, by }) => [name, by]));
  return alternatives.flatMap((alternative) =>
    insteads.flatMap(({ of, tags, label, without }): Alternative[] => {
      let found = false;
      const body = withEvents(alternative.body, (event) => {
        if (event.label === of) {
          found = true;
          return { ...event, label };
        }
        const by = performers.get(event.label);
        const isLeftOut = without.includes(event.label) || (by && without.includes(by));
        return isLeftOut === true ? undefined : event;
      });
      return found ? [{ ...alternative, body: body!, tags }] : [];
    }),
  );
}

/** Does a call go an alternative, by its own tags and those of its queue pair? */
export const isFor = ({ tags }: Alternative, own: readonly string[]): boolean =>
  tags === undefined || tags.some((tag) => own.includes(tag));

/** A value that an alternative uses and that nothing in it gives. */
export function missingValue(operation: Operation, alternative: Alternative): string | undefined {
  const known = new Set(
    operation.parameters.flatMap(({ kind, name }) => (kind === 'value' ? [name] : [])),
  );
  const inBody = missingIn(alternative.body, known);
  if (inBody !== undefined) return inBody;
  const { result, when } = alternative;
  const own = result === undefined && operation.result !== undefined ? [operation.result] : [];
  return [...own, ...namesIn(result), ...namesIn(when)].find((name) => !known.has(name));
}

/** @param known the names of values so far; those that events read are added */
function missingIn(body: Body, known: Set<string>): string | undefined {
  switch (body.kind) {
    case 'event': {
      if (body.reads !== undefined) known.add(body.reads.as);
      return namesIn(body.writes?.value).find((name) => !known.has(name));
    }
    case 'if':
      return (
        namesIn(body.condition).find((name) => !known.has(name)) ??
        missingIn(body.body, new Set(known))
      );
    case 'for':
      return missingIn(body.body, known);
    case 'then':
    case 'beside':
      for (const part of body.parts) {
        const missing = missingIn(part, known);
        if (missing !== undefined) return missing;
      }
      return undefined;
  }
}
