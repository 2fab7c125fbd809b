import { leavesIn } from '../parse/fold.js';
import type { Expression, Instruction } from '../program/program.js';

type Assign = Extract<Instruction, { readonly kind: 'assign' }>;

/** What reads memory into registers, and what has to hold then. */
export interface Wait {
  readonly reads: readonly Instruction[];
  readonly condition: Expression;
}

/**
 * The wait that a list of instructions begins with: an `assume` of memory, or of registers that were read from memory directly before. A
 * thread may do all of it again and again until it holds, since only the last round counts: none uses what one before it has read.
 */
export function waitIn(list: readonly Instruction[]): Wait | undefined {
  const end = list.findIndex((i) => !isRead(i));
  const last = list[end];
  if (last?.kind !== 'assume') return undefined;
  const reads = list.slice(0, end).filter(isRead);
  const [first = last.condition] = reads.map(({ value }) => value);
  const isWait = readsMemory(first) && isNeeded(reads, last.condition) && isAnew(reads);
  return isWait ? { reads, condition: last.condition } : undefined;
}

const isRead = (i: Instruction): i is Assign => i.kind === 'assign' && i.target.kind === 'register';

const readsMemory = (e: Expression): boolean => leavesIn(e).some(({ kind }) => kind === 'location');

const registersIn = (e: Expression): readonly number[] =>
  leavesIn(e).flatMap((leaf) => (leaf.kind === 'register' ? [leaf.register] : []));

const targetOf = ({ target }: Assign): number => (target as { readonly register: number }).register;

/** Does a condition depend on the first of the reads before it? */
function isNeeded(reads: readonly Assign[], condition: Expression): boolean {
  const needed = new Set(registersIn(condition));
  let isLast = true;
  for (const one of [...reads].reverse()) {
    isLast = needed.delete(targetOf(one));
    if (isLast) for (const register of registersIn(one.value)) needed.add(register);
  }
  return isLast;
}

/** Is each register written before it is used? */
function isAnew(reads: readonly Assign[]): boolean {
  const later = reads.map(targetOf);
  return reads.every(({ value }, at) =>
    registersIn(value).every((one) => later.slice(0, at).includes(one) || !later.includes(one)),
  );
}
