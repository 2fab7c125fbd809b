import { definitionOf } from '../../check/order-in-every-run.js';
import type { Model } from '../../model/term.js';
import { interpret } from '../../model/interpret.js';
import { concreteDomain } from '../../model/relation/concrete.js';
import { related } from '../../model/relation/matrix.js';
import { fixedRelations } from '../../program/events/fixed.js';
import { baseSets } from '../../program/events/relations.js';
import type { Event } from '../../program/events/structure.js';
import { stampText } from './subevents.js';

/** A label, with a node if it has an index. */
export type Stamp = Pick<Event, 'label' | 'node'>;

/** All stamps that calls can have, and which of two stays first in program order. */
export interface StampOrder {
  readonly stamps: readonly Stamp[];
  readonly inOrder: (earlier: Stamp, later: Stamp) => boolean;
}

/** A node that no call is about: it stands for all others. */
const ELSEWHERE = 'elsewhere';

/** The stamp order of a model (LOCO paper, Fig. 10), which it calls `to`, over the nodes of a program. */
export function stampOrder(model: Model, nodes: readonly string[]): StampOrder {
  const { instructions } = model;
  const stamps = instructions.labels
    .filter(({ name }) => name !== instructions.initial)
    .flatMap(({ name, indexed }): readonly Stamp[] =>
      indexed === true
        ? [...nodes, ELSEWHERE].map((node) => ({ label: name, node }))
        : [{ label: name }],
    );
  const events = stamps.map((stamp, id): Event => ({ ...stamp, id, thread: 0, path: [] }));
  const sets = baseSets(events, instructions);
  const relations = fixedRelations(events);
  const domain = concreteDomain({
    size: events.length,
    sets: { get: sets },
    relations: { get: relations },
  });
  const order = interpret(model, domain).rel(definitionOf(model, 'to'));
  const positions = new Map(stamps.map((stamp, i) => [stampText(stamp), i]));
  const at = (stamp: Stamp): number => positions.get(stampText(stamp))!;
  return { stamps, inOrder: (a, b) => related(order, at(a), at(b)) };
}
