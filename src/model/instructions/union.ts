import type { Model } from '../term.js';
import type { InstructionSet, Operation, Parameter } from './set.js';
import { EMPTY_SET } from './set.js';

/** What a program sees of an operation: how it is called. */
const headOf = ({ name, tag, parameters, into, work }: Operation): string =>
  JSON.stringify([name, tag, parameters.map(asCalled), into, work]);

/** Where there are no queue pairs with names, a node is given as one of its queue pairs is. */
const asCalled = ({ kind, name }: Parameter): string =>
  kind === 'work' || kind === 'peer' || kind === 'node'
    ? kind.replace('node', 'peer')
    : `${kind} ${name}`;

/**
 * Are two operations called in the same way? What they do may differ.
 *
 * @param withResult whether the value of the call is used
 */
export const sameHead = (a: Operation, b: Operation, withResult: boolean): boolean =>
  headOf(a) === headOf(b) && (!withResult || (a.result === undefined) === (b.result === undefined));

const keyOf = ({ name, tag }: Operation): string => (tag === undefined ? name : `${name} [${tag}]`);

/**
 * Everything that some models declare, to resolve a program once for all of them: how a call reads
 * depends on the heads of operations only. Where two models declare one differently, the first one's is taken;
 * the other one then has no verdict on programs that use it (`inInstructionsOf`).
 */
export function instructionUnion(sets: readonly InstructionSet[]): InstructionSet {
  const distinct = [...new Set(sets)];
  if (distinct.length <= 1) return distinct[0] ?? EMPTY_SET;
  const [first, ...others] = distinct;
  const merged = <T>(of: (set: InstructionSet) => readonly T[], key: (one: T) => string): T[] => {
    const all = new Map<string, T>();
    for (const set of [first, ...others]) {
      for (const one of of(set)) if (!all.has(key(one))) all.set(key(one), one);
    }
    return [...all.values()];
  };
  return {
    ...first,
    initial: distinct.find((set) => set.initial !== undefined)?.initial,
    labels: merged(
      (set) => set.labels,
      (label) => label.name,
    ),
    operations: merged((set) => set.operations, keyOf),
    shorts: merged(
      (set) => set.shorts,
      (short) => `${short.left ?? ''} ${short.right}`,
    ),
    libraries: merged(
      (set) => set.libraries,
      (library) => library.name,
    ),
    insteads: merged((set) => set.insteads, JSON.stringify),
    tags: merged(
      (set) => set.tags,
      (tag) => `${tag.name} ${tag.on} ${tag.facing ?? ''} ${tag.ordersWords ?? ''}`,
    ),
  };
}

const byText = new Map<string, InstructionSet>();
const byObject = new WeakMap<InstructionSet, InstructionSet>();

/**
 * One object for all equal sets, wherever they come from: a program that was posted to a worker has a copy
 * of its set. That two models have one set is then seen at a glance.
 */
export function interned(set: InstructionSet): InstructionSet {
  const before = byObject.get(set);
  if (before !== undefined) return before;
  const text = JSON.stringify(set);
  const one = byText.get(text) ?? set;
  byText.set(text, one);
  byObject.set(set, one);
  return one;
}

const agreeing = new WeakMap<InstructionSet, WeakMap<InstructionSet, boolean>>();

/** Are two sets the same, but for operations that only one of them has? */
export function agreeOnCommon(a: InstructionSet, b: InstructionSet): boolean {
  const [one, other] = [interned(a), interned(b)];
  if (one === other) return true;
  const of = agreeing.get(one) ?? new WeakMap<InstructionSet, boolean>();
  agreeing.set(one, of);
  const known = of.get(other) ?? interned(common(one, other)) === interned(common(other, one));
  of.set(other, known);
  return known;
}

/** A set with those of its operations alone that another one has. */
function common(set: InstructionSet, { operations }: InstructionSet): InstructionSet {
  const keys = new Set(operations.map(keyOf));
  return { ...set, operations: set.operations.filter((one) => keys.has(keyOf(one))) };
}

/** All that some models declare, and what they have that declare nothing. */
export const instructionsOf = (
  models: readonly Pick<Model, 'instructions'>[],
  base: InstructionSet,
): InstructionSet =>
  instructionUnion([...models.map(({ instructions }) => instructions), base].map(interned));
