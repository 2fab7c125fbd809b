import { operationsOf } from '../model/instructions/operations.js';
import type { InstructionSet } from '../model/instructions/set.js';
import type { Instruction, ObjectId, Program } from './program.js';

/** The bodies that an instruction holds. */
export function inside(i: Instruction): readonly (readonly Instruction[])[] {
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

/** An instruction with other bodies in the place of its own, in the order of `inside`. */
export function withBodies(
  i: Instruction,
  bodies: readonly (readonly Instruction[])[],
): Instruction {
  switch (i.kind) {
    case 'if':
      return { ...i, then: bodies[0], else: bodies[1] };
    case 'loop':
      return { ...i, body: bodies[0] };
    case 'choose':
      return { ...i, branches: bodies };
    case 'assign':
    case 'call':
    case 'assume':
      return i;
  }
}

/** Every instruction of a body, those inside others included, in textual order. */
export function* instructionsOf(body: readonly Instruction[]): Generator<Instruction> {
  for (const i of body) {
    yield i;
    for (const inner of inside(i)) yield* instructionsOf(inner);
  }
}

/**
 * Is this a call about the network: of an operation that uses a NIC, or that waits for
 * such ones by their work identifier? What it holds does not count.
 */
export function usesNetwork(i: Instruction, instructions: InstructionSet): boolean {
  if (i.kind !== 'call') return false;
  const operations = operationsOf(instructions);
  const meant = operations.find(i.operation, i.tag);
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
