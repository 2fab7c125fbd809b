import { operationsOf } from '../model/instructions/operations.js';
import type { InstructionSet } from '../model/instructions/set.js';
import type { Expression, Instruction, ObjectId, Program, RegisterId, Target } from './program.js';

/** The bodies that an instruction holds. */
export function bodiesOf(i: Instruction): readonly (readonly Instruction[])[] {
  switch (i.kind) {
    case 'if':
      return [i.then, i.else];
    case 'loop':
      return [i.body];
    case 'choose':
      return i.branches;
    case 'assign':
    case 'call':
    case 'assume':
      return [];
  }
}

/** Those that are written down: an empty `else` is not. */
export const blocksOf = (i: Instruction): readonly (readonly Instruction[])[] =>
  i.kind === 'if' && i.else.length === 0 ? [i.then] : bodiesOf(i);

/** An instruction with other bodies. */
export function mapBodies(
  i: Instruction,
  other: (body: readonly Instruction[], index: number) => readonly Instruction[],
): Instruction {
  switch (i.kind) {
    case 'if':
      return { ...i, then: other(i.then, 0), else: other(i.else, 1) };
    case 'loop':
      return { ...i, body: other(i.body, 0) };
    case 'choose':
      return { ...i, branches: i.branches.map(other) };
    case 'assign':
    case 'call':
    case 'assume':
      return i;
  }
}

/** What an instruction evaluates itself: its value, its condition, the values that it gives to an operation. */
export function expressionsOf(i: Instruction): readonly Expression[] {
  switch (i.kind) {
    case 'assign':
      return [i.value];
    case 'call':
      return i.arguments.flatMap((given) => (given.kind === 'value' ? [given.value] : []));
    case 'assume':
    case 'if':
      return [i.condition];
    case 'loop':
      return i.condition === undefined ? [] : [i.condition];
    case 'choose':
      return [];
  }
}

/** The target of the value that an instruction computes or that its operation gives. */
export const destinationOf = (i: Instruction): Target | undefined =>
  i.kind === 'assign' ? i.target : i.kind === 'call' ? i.result : undefined;

/** The register that an instruction sets. */
export function registerSet(i: Instruction): RegisterId | undefined {
  const to = destinationOf(i);
  return to?.kind === 'register' ? to.register : undefined;
}

/** Every instruction of a body, those inside others included, in textual order. */
export function* instructionsOf(body: readonly Instruction[]): Generator<Instruction> {
  for (const i of body) {
    yield i;
    for (const inner of bodiesOf(i)) yield* instructionsOf(inner);
  }
}

/**
 * A body in which `replace` replaces instructions. If it gives none, the instruction stays, and its bodies are treated
 * in the same way.
 */
export function mapInstructions(
  body: readonly Instruction[],
  replace: (i: Instruction) => readonly Instruction[] | undefined,
): readonly Instruction[] {
  return body.flatMap(
    (i) => replace(i) ?? [mapBodies(i, (inner) => mapInstructions(inner, replace))],
  );
}

/**
 * Is this a call of an operation that uses a NIC, or that waits for such operations by work identifier? Instructions
 * inside of it do not count.
 */
export function usesNetwork(i: Instruction, instructions: InstructionSet): boolean {
  if (i.kind !== 'call') return false;
  const operations = operationsOf(instructions);
  const meant = operations.find(i.operation, i.tags);
  if (meant === undefined) return false;
  return operations.isRemote(meant) || meant.parameters.some((p) => p.kind === 'work');
}

/** Does a program use the network at all? */
export function isRemote(program: Program): boolean {
  return program.threads.some((t) =>
    [...instructionsOf(t.body)].some((i) => usesNetwork(i, program.instructions)),
  );
}

/** The objects that an instruction names itself. */
export function objectsOf(i: Instruction): readonly ObjectId[] {
  if (i.kind !== 'call') return [];
  const given = i.into === undefined ? i.arguments : [...i.arguments, i.into];
  return given.flatMap((one) => (one.kind === 'object' ? [one.object] : []));
}

/** The objects that some instruction of a program names. */
export const calledObjects = ({ threads }: Pick<Program, 'threads'>): ReadonlySet<ObjectId> =>
  new Set(threads.flatMap(({ body }) => [...instructionsOf(body)].flatMap(objectsOf)));
