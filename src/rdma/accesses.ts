import { locationsOf } from '../program/accessed.js';
import type { Expression, LocationId, Target } from '../program/program.js';
import { destinationOf, expressionsOf } from '../program/instructions.js';
import type { RdmaInstruction } from './instructions.js';

/** One read or write of a location by an instruction. */
export interface Access {
  readonly location: LocationId;
  readonly kind: 'reads' | 'writes';
  /** Is it in the memory of the thread's own node, by the CPU or the NIC? */
  readonly isLocal: boolean;
}

/**
 * The accesses of an instruction itself, without the instructions inside of it. Operands of atomics only have
 * registers.
 */
export function accessesOf(i: RdmaInstruction): readonly Access[] {
  switch (i.kind) {
    case 'get':
      return [access(i.from, 'reads', false), access(i.to, 'writes')];
    case 'put':
      return [access(i.from, 'reads'), access(i.to, 'writes', false)];
    case 'cas':
    case 'faa':
    case 'xchg':
      return [access(i.location, 'reads'), access(i.location, 'writes'), ...writtenTo(i.target)];
    case 'remote-atomic':
      return [
        access(i.location, 'reads', false),
        access(i.location, 'writes', false),
        access(i.into, 'writes'),
      ];
    case 'mfence':
    case 'poll':
    case 'rfence':
    case 'wait':
      return [];
    case 'assign':
    case 'assume':
    case 'if':
    case 'loop':
    case 'choose':
      return [...expressionsOf(i).flatMap(readBy), ...writtenTo(destinationOf(i))];
  }
}

const access = (location: LocationId, kind: Access['kind'], isLocal = true): Access => ({
  location,
  kind,
  isLocal,
});

const readBy = (e: Expression): readonly Access[] =>
  locationsOf(e).map((location) => access(location, 'reads'));

const writtenTo = (t: Target | undefined): readonly Access[] =>
  t?.kind === 'location' ? [access(t.location, 'writes')] : [];
