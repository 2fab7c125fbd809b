import { isAbout } from '../model/depends.js';
import type { Model } from '../model/term.js';
import type { Span } from '../parse/diagnostics/index.js';
import { locationsOf } from '../program/accessed.js';
import { instructionsOf } from '../program/instructions.js';
import type { Call, Instruction, Program } from '../program/program.js';

/** What repairs know of CPUs that order little by themselves: their accesses and barriers (docs/hosts.md). */

/** Operations of the CPU alone, in the words of Arm: what they read and write. */
const OPERATIONS: Readonly<Record<string, readonly ('reads' | 'writes')[]>> = {
  ldar: ['reads'],
  ldapr: ['reads'],
  ldr: ['reads'],
  stlr: ['writes'],
  str: ['writes'],
  CAS: ['reads', 'writes'],
  faa: ['reads', 'writes'],
  xchg: ['reads', 'writes'],
  dmb: [],
  dsb: [],
  isb: [],
};

/** The tags of atomics: acquire, release, both. */
const ORDERS = ['a', 'l', 'al'];

/** What such an operation does to memory; undefined for all other instructions. */
export const hostAccess = (i: Instruction): readonly ('reads' | 'writes')[] | undefined =>
  i.kind === 'call' ? OPERATIONS[i.operation] : undefined;

/** Does the CPU of a model order so little that dependencies count? Then acquires and barriers are of use. */
export const needsBarriers = (model: Model): boolean => isAbout(model, 'ctrl');

/** `dmb [ld]`, behind reads; `dmb [st]`, of writes. */
export const barrier = (kind: 'ld' | 'st', span: Span): Call => ({
  kind: 'call',
  operation: 'dmb',
  tags: [kind],
  arguments: [],
  span,
});

/** An instruction of a thread, and what may stand in its place. */
export interface Exchange {
  readonly thread: number;
  readonly from: Instruction;
  readonly to: Call;
}

/**
 * The accesses of the CPU that may have more order: reads as acquires, writes as releases, atomics as either or both. Those of the
 * members of a family, which have one text, are together.
 */
export function orderedAccesses(program: Program, model: Model): readonly (readonly Exchange[])[] {
  if (!needsBarriers(model)) return [];
  const found = new Map<string, Exchange[]>();
  for (const [thread, { body }] of program.threads.entries()) {
    for (const from of instructionsOf(body)) {
      for (const to of withOrder(program, from)) {
        const key = `${from.span.file} ${from.span.start} ${to.operation} ${to.tags?.join() ?? ''}`;
        found.set(key, [...(found.get(key) ?? []), { thread, from, to }]);
      }
    }
  }
  return [...found.values()];
}

function withOrder(program: Program, i: Instruction): readonly Call[] {
  const { span } = i;
  if (i.kind === 'call') {
    const { tags = [] } = i;
    const isAtomic = OPERATIONS[i.operation]?.length === 2;
    if (!isAtomic || ORDERS.some((tag) => tags.includes(tag))) return [];
    return ORDERS.map((tag) => ({ ...i, tags: [...tags, tag] }));
  }
  if (i.kind !== 'assign') return [];
  const { target, value } = i;
  if (value.kind === 'location' && target.kind === 'register') {
    const place = { kind: 'place', location: value.location } as const;
    return [{ kind: 'call', operation: 'ldapr', arguments: [place], result: target, span }];
  }
  if (target.kind !== 'location' || locationsOf(value).length > 0) return [];
  if (program.locations[target.location].owner !== undefined) return [];
  const place = { kind: 'place', location: target.location } as const;
  return [{ kind: 'call', operation: 'stlr', arguments: [place, { kind: 'value', value }], span }];
}
