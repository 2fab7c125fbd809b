import { foldExpression } from '../../parse/fold.js';
import { operationsOf } from '../../model/instructions/operations.js';
import type { InstructionSet, Label, Operation } from '../../model/instructions/set.js';
import { locationsOf, registersOf } from '../accessed.js';
import { isDivision } from '../arithmetic.js';
import { bodiesOf, expressionsOf, instructionsOf, registerSet } from '../instructions.js';
import type { Expression, Instruction, RegisterId, Target } from '../program.js';

export type Loop = Extract<Instruction, { kind: 'loop' }>;

/** The label of the event for a name in an expression; undefined if a name makes more than one read. */
export function plainRead(instructions: InstructionSet): Label | undefined {
  const { alternatives } = operationsOf(instructions).read;
  const [{ body, when }] = alternatives;
  if (alternatives.length > 1 || when !== undefined) return undefined;
  if (body.kind !== 'event' || body.reads === undefined || body.writes !== undefined) {
    return undefined;
  }
  return instructions.labels.find(({ name }) => name === body.label);
}

/** The label of an operation that is one event which reads, whatever it is called on, and nothing else. */
export function labelRead({ alternatives, on }: Operation): string | undefined {
  const [{ body, when, result }] = alternatives;
  if (alternatives.length > 1 || when !== undefined || result !== undefined) return undefined;
  const reads = body.kind === 'event' && body.reads !== undefined && body.writes === undefined;
  return reads && on === undefined ? body.label : undefined;
}

/**
 * How many iterations of a loop stand for any number of them; undefined if every iteration may matter.
 *
 * The iterations may only read, and none may use what an earlier one computed. Then all iterations but the last can be
 * left out of a run, with their reads, and a run of the same loop remains: the first evaluation of the condition, the
 * last iteration, and the evaluation that ends the loop. If iterations set no register, this last evaluation is enough.
 *
 * This needs a model under which reads can be left out, and a question about final states. For spin loops of libraries,
 * the LOCO paper's proofs do the same.
 *
 * @param leavable the labels of the reads that can be left out
 */
export function iterationsThatCount(
  { condition, body }: Loop,
  instructions: InstructionSet,
  leavable: readonly string[],
): 0 | 1 | undefined {
  if (leavable.length === 0) return undefined;
  const all = [...instructionsOf(body)];
  if (
    !all.every((i) => onlyReads(i, instructions, leavable)) ||
    !keepsNothing({ condition, body })
  ) {
    return undefined;
  }
  return all.every((i) => registerSet(i) === undefined) ? 0 : 1;
}

/**
 * Does no iteration of a loop use a register that an earlier one set? False if one divides: a division by zero in any
 * iteration makes the run meaningless.
 */
export function keepsNothing({ condition, body }: Pick<Loop, 'condition' | 'body'>): boolean {
  const all = [...instructionsOf(body)];
  const expressions = [
    ...(condition === undefined ? [] : [condition]),
    ...all.flatMap(expressionsOf),
  ];
  if (expressions.some(divides)) return false;
  const set = new Set(all.map(registerSet).filter((r) => r !== undefined));
  return setAfter(body, new Set(), set)?.size === set.size;
}

/**
 * May a thread wait in a loop for ever? It goes round as often as memory says, its iterations are alike, and nobody sees how often it went round.
 */
export const mayWait = (loop: Loop): boolean =>
  loop.condition !== undefined &&
  locationsOf(loop.condition).length + registersOf(loop.condition).length > 0 &&
  keepsNothing(loop) &&
  [...instructionsOf(loop.body)].every(({ marks }) => marks === undefined);

/** Does an instruction itself, without those inside of it, do nothing to memory but read? */
function onlyReads(
  i: Instruction,
  instructions: InstructionSet,
  leavable: readonly string[],
): boolean {
  if (i.kind === 'assign') return i.target.kind === 'register';
  if (i.kind !== 'call') return true;
  const read = labelRead(operationsOf(instructions).called(i));
  const isRead =
    read !== undefined &&
    leavable.includes(read) &&
    i.arguments.every(({ kind }) => kind === 'object' || kind === 'place');
  return isRead && i.into === undefined && i.result?.kind !== 'location';
}

const divides = (e: Expression): boolean =>
  foldExpression<Target, boolean>(e, {
    int: () => false,
    leaf: () => false,
    unary: (_, arg) => arg,
    binary: ({ op }, left, right) => isDivision(op) || left || right,
  });

type Registers = ReadonlySet<RegisterId>;

/**
 * The registers that are set on all paths through a body. Undefined if a register that the loop sets may be used before
 * it is set, and so have the value of an earlier iteration.
 *
 * @param before the registers that are set on all paths to the body
 * @param kept the registers that the loop sets
 */
function setAfter(
  body: readonly Instruction[],
  before: Registers,
  kept: Registers,
): Registers | undefined {
  let now = before;
  for (const i of body) {
    const used = expressionsOf(i).flatMap(registersOf);
    if (used.some((r) => kept.has(r) && !now.has(r))) return undefined;
    const ends = takenOf(i).map((branch) => setAfter(branch, now, kept));
    if (ends.includes(undefined)) return undefined;
    const set = registerSet(i);
    if (set !== undefined) now = new Set([...now, set]);
    // A loop may have no iteration.
    else if (ends.length > 0 && i.kind !== 'loop') {
      now = new Set([...ends[0]!].filter((r) => ends.every((end) => end!.has(r))));
    }
  }
  return now;
}

/** The bodies that may be taken: only one if the condition is known, as around the instructions that replace a call. */
function takenOf(i: Instruction): readonly (readonly Instruction[])[] {
  if (i.kind !== 'if' || i.condition.kind !== 'int') return bodiesOf(i);
  return [i.condition.value !== 0 ? i.then : i.else];
}
