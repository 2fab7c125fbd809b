import { operationsOf } from '../../model/instructions/operations.js';
import type { InstructionSet, Label, Operation } from '../../model/instructions/set.js';
import { instructionsOf } from '../instructions.js';
import type { Expression, Instruction, RegisterId } from '../program.js';

export type Loop = Extract<Instruction, { kind: 'loop' }>;

/** The label of the one event that a name in an expression stands for; undefined where it stands for more than a read. */
export function plainRead(instructions: InstructionSet): Label | undefined {
  const { alternatives } = operationsOf(instructions).read;
  const [{ body, when }] = alternatives;
  if (alternatives.length > 1 || when !== undefined) return undefined;
  if (body.kind !== 'event' || body.reads === undefined || body.writes !== undefined) {
    return undefined;
  }
  return instructions.labels.find(({ name }) => name === body.label);
}

/** Is an operation one event that reads, with this label, whatever it is called on, and nothing else? */
export function isPlainRead({ alternatives, on }: Operation, { name }: Label): boolean {
  const [{ body, when, result }] = alternatives;
  if (alternatives.length > 1 || when !== undefined || result !== undefined) return false;
  const reads = body.kind === 'event' && body.reads !== undefined && body.writes === undefined;
  return reads && on === undefined && body.label === name;
}

/**
 * How many iterations of a loop stand for any number of them; undefined where each may count.
 *
 * The iterations may only read, and keep nothing for each other. Then all but the last can be left out of a run, with their
 * reads, and what remains is a run of the same loop: the first evaluation of the condition, the last iteration, and the
 * evaluation that ends the loop. Where iterations set no register, that last evaluation is enough.
 *
 * It takes a model under which reads can be left out, and a question about final states. For spin loops of libraries, the
 * LOCO paper's proofs do the same.
 */
export function iterationsThatCount(
  { condition, body }: Loop,
  instructions: InstructionSet,
): 0 | 1 | undefined {
  const all = [...instructionsOf(body)];
  if (!all.every((i) => onlyReads(i, instructions)) || !keepsNothing({ condition, body })) {
    return undefined;
  }
  return all.flatMap(registerSet).length === 0 ? 0 : 1;
}

/**
 * Do the iterations of a loop keep no value in a register for each other? Where one divides, it is not said: a run that
 * divides by zero has no meaning, in whichever iteration that is.
 */
export function keepsNothing({ condition, body }: Pick<Loop, 'condition' | 'body'>): boolean {
  const all = [...instructionsOf(body)];
  const expressions = [...(condition === undefined ? [] : [condition]), ...all.flatMap(evaluated)];
  if (expressions.some(divides)) return false;
  const set = new Set(all.flatMap(registerSet));
  return setAfter(body, new Set(), set)?.size === set.size;
}

/** Does an instruction, without those inside of it, neither write memory nor use an operation that does more than read? */
function onlyReads(i: Instruction, instructions: InstructionSet): boolean {
  if (i.kind === 'assign') return i.target.kind === 'register';
  if (i.kind !== 'call') return true;
  const read = plainRead(instructions);
  const isRead =
    read !== undefined &&
    isPlainRead(operationsOf(instructions).named(i.operation, i.tag), read) &&
    i.arguments.every(({ kind }) => kind === 'object' || kind === 'place');
  return isRead && i.into === undefined && i.result?.kind !== 'location';
}

function registerSet(i: Instruction): readonly RegisterId[] {
  if (i.kind !== 'assign' && i.kind !== 'call') return [];
  const target = i.kind === 'assign' ? i.target : i.result;
  return target?.kind === 'register' ? [target.register] : [];
}

/** What an instruction evaluates itself. */
function evaluated(i: Instruction): readonly Expression[] {
  switch (i.kind) {
    case 'assign':
      return [i.value];
    case 'assume':
    case 'if':
      return [i.condition];
    case 'loop':
      return i.condition === undefined ? [] : [i.condition];
    case 'call':
      return i.arguments.flatMap((given) => (given.kind === 'value' ? [given.value] : []));
    case 'choose':
      return [];
  }
}

function divides(e: Expression): boolean {
  if (e.kind === 'unary') return divides(e.arg);
  if (e.kind !== 'binary') return false;
  return e.op === '/' || e.op === '%' || divides(e.left) || divides(e.right);
}

type Registers = ReadonlySet<RegisterId>;

/**
 * Which registers are set on all paths through a body. Undefined if one that the loop sets may be used before: it may hold
 * what an earlier iteration left in it.
 *
 * @param before those that are set on all paths to the body
 * @param kept those that the loop sets
 */
function setAfter(
  body: readonly Instruction[],
  before: Registers,
  kept: Registers,
): Registers | undefined {
  let now = before;
  for (const i of body) {
    const used = evaluated(i).flatMap(registersOf);
    if (used.some((r) => kept.has(r) && !now.has(r))) return undefined;
    switch (i.kind) {
      case 'assign':
      case 'call':
        now = new Set([...now, ...registerSet(i)]);
        break;
      case 'if':
      case 'choose': {
        const branches = i.kind === 'if' ? takenOf(i) : i.branches;
        const ends = branches.map((branch) => setAfter(branch, now, kept));
        if (ends.includes(undefined)) return undefined;
        now = new Set([...ends[0]!].filter((r) => ends.every((end) => end!.has(r))));
        break;
      }
      case 'loop':
        // It may have no iteration.
        if (setAfter(i.body, now, kept) === undefined) return undefined;
        break;
      case 'assume':
        break;
    }
  }
  return now;
}

function registersOf(e: Expression): readonly RegisterId[] {
  switch (e.kind) {
    case 'register':
      return [e.register];
    case 'unary':
      return registersOf(e.arg);
    case 'binary':
      return [...registersOf(e.left), ...registersOf(e.right)];
    case 'int':
    case 'location':
      return [];
  }
}

/** The branches that may be taken: one where the condition is known, as around what stands in the place of a call. */
function takenOf(i: Extract<Instruction, { kind: 'if' }>): readonly (readonly Instruction[])[] {
  if (i.condition.kind !== 'int') return [i.then, i.else];
  return [i.condition.value !== 0 ? i.then : i.else];
}
