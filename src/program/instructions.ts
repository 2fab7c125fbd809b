import type { Instruction, Program } from './program.js';

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
    case 'get':
    case 'put':
    case 'cas':
    case 'mfence':
    case 'poll':
    case 'rfence':
    case 'wait':
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
    case 'get':
    case 'put':
    case 'cas':
    case 'mfence':
    case 'poll':
    case 'rfence':
    case 'wait':
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

const USES_NETWORK: Readonly<Record<Instruction['kind'], boolean>> = {
  get: true,
  put: true,
  poll: true,
  wait: true,
  rfence: true,
  assign: false,
  cas: false,
  mfence: false,
  assume: false,
  if: false,
  loop: false,
  choose: false,
};

/** Is this an instruction about the network? The instructions inside of it do not count. */
export const usesNetwork = (i: Instruction): boolean => USES_NETWORK[i.kind];

/** Does a program use the network at all? */
export function isRemote(program: Program): boolean {
  return program.threads.some((t) => [...instructionsOf(t.body)].some(usesNetwork));
}
