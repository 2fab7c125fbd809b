import type { Instruction, Program } from './program.js';

/** The bodies that an instruction holds. */
export function inside(i: Instruction): readonly (readonly Instruction[])[] {
  if (i.kind === 'if') return [i.then, i.else];
  if (i.kind === 'loop') return [i.body];
  return i.kind === 'choose' ? i.branches : [];
}

/** An instruction with other bodies in the place of its own, in the order of `inside`. */
export function withBodies(
  i: Instruction,
  bodies: readonly (readonly Instruction[])[],
): Instruction {
  if (i.kind === 'if') return { ...i, then: bodies[0], else: bodies[1] };
  if (i.kind === 'loop') return { ...i, body: bodies[0] };
  return i.kind === 'choose' ? { ...i, branches: bodies } : i;
}

/** Every instruction of a body, those inside others included, in textual order. */
export function* instructionsOf(body: readonly Instruction[]): Generator<Instruction> {
  for (const i of body) {
    yield i;
    for (const inner of inside(i)) yield* instructionsOf(inner);
  }
}

const REMOTE = new Set<Instruction['kind']>(['get', 'put', 'poll', 'wait', 'rfence']);

/** Is this an instruction about the network? What it holds does not count. */
export const usesNetwork = (i: Instruction): boolean => REMOTE.has(i.kind);

/** Does a program use the network at all? */
export function isRemote(program: Program): boolean {
  return program.threads.some((t) => [...instructionsOf(t.body)].some(usesNetwork));
}
