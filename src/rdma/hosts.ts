import { isAbout } from '../model/depends.js';
import type { Model } from '../model/term.js';
import type { Span } from '../parse/diagnostics/index.js';
import { locationsOf } from '../program/accessed.js';
import { instructionsOf } from '../program/instructions.js';
import { mapLeaves } from '../parse/fold.js';
import type {
  Call,
  Instruction,
  LocationId,
  Program,
  RegisterId,
  Target,
  Thread,
} from '../program/program.js';
import { fresh, namesOf } from './names.js';

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

/** The same of the CPU of a thread: where nodes have tags that say whose CPUs theirs are, it does if its node has one. */
export function ordersLittle(model: Model, { tags = [] }: Thread): boolean {
  const named = model.instructions.tags.filter(({ on }) => on === 'node');
  return needsBarriers(model) && (named.length === 0 || named.some((t) => tags.includes(t.name)));
}

/** `dmb [ld]`, behind reads; `dmb [st]`, of writes. */
export const barrier = (kind: 'ld' | 'st', span: Span): Call => ({
  kind: 'call',
  operation: 'dmb',
  tags: [kind],
  arguments: [],
  span,
});

/** An instruction of a thread, and what may stand in its place; the last of it has its bodies. */
export interface Exchange {
  readonly thread: number;
  readonly from: Instruction;
  readonly to: readonly Instruction[];
  /** One more register of the thread that this needs. */
  readonly register?: string;
}

/**
 * The accesses of the CPU that may have more order: reads as acquires, writes as releases, atomics as either or both. Those of the
 * members of a family, which have one text, are together.
 */
export function orderedAccesses(program: Program, model: Model): readonly (readonly Exchange[])[] {
  const found = new Map<string, Exchange[]>();
  const name = fresh('r', namesOf(program));
  for (const [thread, own] of program.threads.entries()) {
    if (!ordersLittle(model, own)) continue;
    for (const from of instructionsOf(own.body)) {
      const { length: register } = own.registers;
      const read = readInside(from, register);
      const all: readonly Exchange[] = [
        ...withOrder(program, from).map((call) => ({ thread, from, to: [call] })),
        ...(read === undefined ? [] : [{ thread, from, to: read, register: name }]),
      ];
      for (const one of all) {
        const [{ operation, tags = [] }] = one.to as readonly [Call];
        const key = `${from.span.file} ${from.span.start} ${operation} ${tags.join()}`;
        found.set(key, [...(found.get(key) ?? []), one]);
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
  if (value.kind === 'location' && target.kind === 'register')
    return [acquire(value.location, target, span)];
  if (target.kind !== 'location' || locationsOf(value).length > 0) return [];
  if (program.locations[target.location].owner !== undefined) return [];
  const place = { kind: 'place', location: target.location } as const;
  return [{ kind: 'call', operation: 'stlr', arguments: [place, { kind: 'value', value }], span }];
}

const acquire = (location: LocationId, result: Target, span: Span): Call => ({
  ...{ kind: 'call', operation: 'ldapr', arguments: [{ kind: 'place', location }], result, span },
});

/** An instruction that reads one location within an expression, with the read before it, which is an acquire then. In a loop, it is read again in each round. */
function readInside(i: Instruction, register: RegisterId): readonly Instruction[] | undefined {
  if (i.kind === 'call' || i.kind === 'choose') return undefined;
  const value = i.kind === 'assign' ? i.value : i.condition;
  if (value === undefined || (i.kind === 'assign' && value.kind === 'location')) return undefined;
  const [location, ...others] = locationsOf(value);
  if (location === undefined || others.length > 0) return undefined;
  const result = { kind: 'register', register } as const;
  const other = mapLeaves<Target, Target>(value, (leaf) =>
    leaf.kind === 'location' ? result : leaf,
  );
  const { marks, ...bare } = i;
  const before = marks && { marks: { before: marks.before, after: [] } };
  const read = (): Call => acquire(location, result, { ...i.span });
  const then =
    bare.kind === 'assign'
      ? { ...bare, value: other }
      : bare.kind === 'loop'
        ? { ...bare, condition: other, body: [...bare.body, read()] }
        : { ...bare, condition: other };
  return [
    { ...read(), ...before },
    { ...then, ...(marks && { marks: { before: [], after: marks.after } }) },
  ];
}
