import { locationsOf } from '../program/accessed.js';
import type { Expression, LocationId, Target } from '../program/program.js';
import type { Instruction } from './instructions.js';

/** One time that an instruction reads or writes a location. */
export interface Access {
  readonly location: LocationId;
  readonly kind: 'reads' | 'writes';
  /** Is it done by the CPU, or by the NIC in the memory of the thread's own node? */
  readonly isLocal: boolean;
}

/** What an instruction accesses itself, without the instructions inside of it. Values of atomics are of registers. */
export function accessesOf(i: Instruction): readonly Access[] {
  switch (i.kind) {
    case 'assign':
      return [...readBy(i.value), ...writtenTo(i.target)];
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
    case 'assume':
    case 'if':
      return readBy(i.condition);
    case 'loop':
      return i.condition === undefined ? [] : readBy(i.condition);
    case 'mfence':
    case 'poll':
    case 'rfence':
    case 'wait':
    case 'choose':
      return [];
  }
}

const access = (location: LocationId, kind: Access['kind'], isLocal = true): Access => ({
  location,
  kind,
  isLocal,
});

const readBy = (e: Expression): readonly Access[] =>
  locationsOf(e).map((location) => access(location, 'reads'));

const writtenTo = (t: Target): readonly Access[] =>
  t.kind === 'location' ? [access(t.location, 'writes')] : [];
