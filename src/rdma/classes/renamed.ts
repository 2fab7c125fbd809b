import type { Call, Instruction, Location, LocationId, RegisterId } from '../../program/program.js';
import type { Draft } from './draft.js';

/** What instructions of a straight program are about in another one. */
export interface Renaming {
  readonly number: (value: number) => number;
  readonly location: (location: LocationId) => LocationId;
  readonly register: (register: RegisterId) => RegisterId;
}

/** The same instruction with other numbers, locations and registers. */
export function renamed(one: Instruction, to: Renaming): Instruction {
  if (one.kind === 'assign') {
    return { ...one, target: target(one.target, to), value: expression(one.value, to) };
  }
  if (one.kind !== 'call') throw new Error('programs by size are straight');
  const { into, result } = one;
  return {
    ...one,
    arguments: one.arguments.map((given) => argument(given, to)),
    ...(into !== undefined && { into: located(into, to) }),
    ...(result !== undefined && { result: target(result, to) }),
  };
}

type Target = Extract<Instruction, { kind: 'assign' }>['target'];
type Expression = Extract<Instruction, { kind: 'assign' }>['value'];

function argument(given: Call['arguments'][number], to: Renaming): typeof given {
  if (given.kind === 'value') return { ...given, value: expression(given.value, to) };
  return located(given, to);
}

function expression(e: Expression, to: Renaming): Expression {
  if (e.kind === 'int') return { ...e, value: to.number(e.value) };
  return e.kind === 'location' || e.kind === 'register' ? target(e, to) : e;
}

const target = (one: Target, to: Renaming): Target =>
  one.kind === 'register' ? { ...one, register: to.register(one.register) } : located(one, to);

function located<One extends object>(one: One, to: Renaming): One {
  return 'location' in one ? { ...one, location: to.location(one.location as LocationId) } : one;
}

/** The locations of a draft, in the order in which a program declares them, node by node; and by number of the draft, which it is. */
export function declared(
  { locations }: Draft,
  nodes: readonly string[],
  marks: readonly string[],
): { readonly made: Location[]; readonly at: readonly LocationId[] } {
  const made: Location[] = [];
  const at: LocationId[] = [];
  for (const [n, node] of nodes.entries()) {
    for (const [i, one] of locations.entries()) {
      if (one.node !== n) continue;
      const { name, initial, mark } = one;
      const tags = mark === 0 ? {} : { tags: [marks[mark - 1]] };
      at[i] = made.push({ name, node, initial, ...tags }) - 1;
    }
  }
  return { made, at };
}
