import { CONSTANTS } from './constants.js';
import type { Core } from './core.js';
import type { CNode } from './tree.js';

/** The orders of memory that C has, in the words that the instructions of CPUs have for them (docs/hosts.md). */

const numbered = (name: string): number => CONSTANTS.get(`memory_order_${name}`)!;
export const RELAXED = numbered('relaxed');
export const ACQUIRE = numbered('acquire');
export const RELEASE = numbered('release');
export const SEQ_CST = numbered('seq_cst');

/** The order that a call names; without one it is sequentially consistent. */
export function orderIn(core: Core, node: CNode | undefined): number {
  if (node === undefined) return SEQ_CST;
  const { value } = core.evaluate(node);
  return value.kind === 'int'
    ? value.value
    : core.refuse(node, 'which memory order this is must be known when the file is read');
}

// Compilers take consume for acquire.
const acquires = (order: number): boolean => order !== RELAXED && order !== RELEASE;
const releases = (order: number): boolean => order >= RELEASE;

/** The operation that reads, if it is more than a read. */
export const loadFor = (order: number): string | undefined =>
  order === SEQ_CST ? 'ldar' : acquires(order) ? 'ldapr' : undefined;

/** The tags of `stlr`, if a write is one. */
export const storeFor = (order: number): readonly string[] | undefined =>
  order === SEQ_CST ? ['seq_cst'] : releases(order) ? [] : undefined;

/** The order of a comparison that fails, where nothing but that of one that succeeds is said. */
export const failing = (order: number): number =>
  order === SEQ_CST ? SEQ_CST : acquires(order) ? ACQUIRE : RELAXED;

/** The tags of an atomic; `less`: the order of a comparison that fails, which is a part of that of all. */
export function tagsFor(order: number, less = RELAXED): readonly string[] {
  const acquire = acquires(order) || acquires(less);
  if (acquire && releases(order)) return ['al'];
  return acquire ? ['a'] : releases(order) ? ['l'] : [];
}

/** A barrier: the operation, and its tags. */
export type Barrier = readonly [operation: string, ...tags: readonly string[]];

/** What `atomic_thread_fence` is. Compilers have no barrier of releases alone. */
export function fenceFor(order: number): Barrier | undefined {
  if (order === SEQ_CST) return ['mfence'];
  if (releases(order)) return ['dmb', 'ish', 'release'];
  return acquires(order) ? ['dmb', 'ish', 'ld'] : undefined;
}

/** An instruction of Arm in assembly: `dmb ishld`. */
export function barrierIn(assembly: string): Barrier | undefined {
  const text = assembly.replaceAll(/\\[nt]|[";]/g, ' ').trim();
  const found = /^(?:(isb)(?:\s+sy)?|(dmb|dsb)\s+(ish|osh|)(sy|ld|st|))$/.exec(text);
  if (found === null) return undefined;
  const [, isb, barrier, domain, kind] = found;
  if (isb !== undefined) return ['isb'];
  if (domain + kind === '' || (domain !== '' && kind === 'sy')) return undefined;
  return [barrier, ...(domain === '' ? [] : [domain]), kind === '' ? 'sy' : kind];
}
