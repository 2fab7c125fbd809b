import { baseBounds } from '../encode/bounds/base.js';
import { boundsDomain, presence } from '../encode/bounds/domain.js';
import { ROUNDS } from '../model/definitions.js';
import { interpret } from '../model/interpret.js';
import * as m from '../model/relation/matrix.js';
import type { Model } from '../model/term.js';
import { modelOver } from '../program/events/narrow.js';
import type { EventStructure } from '../program/events/structure.js';

/** Why nothing is known where that is so. */
export const UNSETTLED = `a \`let rec\` that is not monotone may change on after ${ROUNDS} rounds`;

/** Are all groups of a model computed to their end in all executions of a program? Not everything that is so is found to be. */
export function isSettled(structure: EventStructure, model: Model): boolean {
  const { unsettled = [] } = model;
  if (unsettled.length === 0) return true;
  const over = modelOver(structure, model);
  const open = unsettled.filter(({ change }) => over.terms[change].op !== 'empty');
  if (open.length === 0) return true;
  const present = presence(structure.events);
  const base = baseBounds(structure, present);
  const values = interpret(
    over,
    boundsDomain(
      present,
      (name) => base.set(name)!,
      (name) => base.relations.get(name) ?? base.fixed(name),
    ),
  );
  return open.every(({ change }) =>
    over.terms[change].kind === 'set'
      ? m.isEmpty(values.set(change).may)
      : m.isEmpty(values.rel(change).may),
  );
}
