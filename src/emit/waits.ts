import { leavesIn } from '../parse/fold.js';
import type { Expression, Instruction } from '../program/program.js';

/** What reads into a register: what, and into which. */
interface Read {
  readonly register: number;
  readonly value: Expression;
}

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
  const end = list.findIndex((i) => readOf(i) === undefined);
  const last = list[end];
  if (last?.kind !== 'assume') return undefined;
  const reads = list.slice(0, end).flatMap((i) => readOf(i) ?? []);
  const [first = last.condition] = reads.map(({ value }) => value);
  const isWait = readsMemory(first) && isNeeded(reads, last.condition) && isAnew(reads);
  return isWait ? { reads: list.slice(0, end), condition: last.condition } : undefined;
}

function readOf(i: Instruction): Read | undefined {
  if (i.kind === 'assign') {
    const { target, value } = i;
    return target.kind === 'register' ? { register: target.register, value } : undefined;
  }
  if (i.kind !== 'call' || !LOADS.includes(i.operation)) return undefined;
  const [place] = i.arguments;
  if (place.kind !== 'place' || i.result?.kind !== 'register') return undefined;
  const value = { kind: 'location', location: place.location } as const;
  return { register: i.result.register, value };
}

/** Reads with more order than others. */
const LOADS: readonly string[] = ['ldar', 'ldapr'];

const readsMemory = (e: Expression): boolean => leavesIn(e).some(({ kind }) => kind === 'location');

const registersIn = (e: Expression): readonly number[] =>
  leavesIn(e).flatMap((leaf) => (leaf.kind === 'register' ? [leaf.register] : []));

/** Does a condition depend on the first of the reads before it? */
function isNeeded(reads: readonly Read[], condition: Expression): boolean {
  const needed = new Set(registersIn(condition));
  let isLast = true;
  for (const one of [...reads].reverse()) {
    isLast = needed.delete(one.register);
    if (isLast) for (const register of registersIn(one.value)) needed.add(register);
  }
  return isLast;
}

/** Is each register written before it is used? */
function isAnew(reads: readonly Read[]): boolean {
  const later = reads.map(({ register }) => register);
  return reads.every(({ value }, at) =>
    registersIn(value).every((one) => later.slice(0, at).includes(one) || !later.includes(one)),
  );
}
