import type { CheckSession } from '../../check/session.js';
import type { Lit } from '../../encode/formula.js';
import type { Branch, Event, EventStructure, Path } from '../../program/events/structure.js';
import type { Instruction, Program } from '../../program/program.js';
import type { AddedPart, Addition } from '../../rdma/additions.js';
import { rewrite } from '../../rdma/additions.js';

/**
 * The program in which a free choice decides for each addition whether it is there. So there is one program, and one
 * encoding, for all sets of additions.
 */
export function withOptional(program: Program, additions: readonly Addition[]): Program {
  // In a loop, an addition must be there in every iteration or in none. A register has the choice.
  const registers = program.threads.map((t) => [...t.registers]);
  const starts: Instruction[][] = program.threads.map(() => []);
  const parts = additions.flatMap((a) => a.parts);
  const optional = rewrite(program, parts, ({ thread, repeated, instructions }) => {
    const { span } = instructions[0];
    if (!repeated) return [{ kind: 'choose', branches: [instructions, []], span }];
    const register = registers[thread].push(`there ${registers[thread].length}`) - 1;
    const set = (value: number): Instruction => ({
      kind: 'assign',
      target: { kind: 'register', register },
      value: { kind: 'int', value },
      span,
    });
    starts[thread].push({ kind: 'choose', branches: [[set(1)], [set(0)]], span });
    const condition = { kind: 'register', register } as const;
    return [{ kind: 'if', condition, then: instructions, else: [], span }];
  });
  const threads = optional.threads.map((t, i) => ({
    ...t,
    registers: registers[i],
    body: [...starts[i], ...t.body],
  }));
  return { ...optional, threads };
}

/** For each addition, the literals that say whether its parts are there: those that some run reaches. */
export function optionalPresence(
  { structure, encoding }: CheckSession,
  additions: readonly Addition[],
): readonly (readonly Lit[])[] {
  const literal = ({ instructions }: AddedPart): Lit | undefined => {
    const event = structure.events.find((e) => e.span === instructions[0].span);
    const branch = event && branchBefore(structure, event);
    const choice = branch && choiceBehind(structure, branch.condition);
    return choice === undefined ? undefined : encoding.values.choices[choice];
  };
  return additions.map(({ parts }) => parts.flatMap((part) => literal(part) ?? []));
}

/** The last branch before the call of an event. Which way the call goes is decided behind it. */
function branchBefore({ events }: EventStructure, { use, path }: Event): Branch | undefined {
  const others = events.filter((e) => e.use !== undefined && e.use === use);
  const isOf = (branch: Branch, other: Path): boolean =>
    other.some(({ condition, taken }) => condition === branch.condition && taken === branch.taken);
  return path.findLast((branch) => others.every((other) => isOf(branch, other.path)));
}

/** The free choice that decides a condition, perhaps by way of a register. */
function choiceBehind({ values }: EventStructure, condition: number): number | undefined {
  const value = values[condition];
  if (value.op === 'select') return choiceBehind({ values } as EventStructure, value.condition);
  return value.op === 'choice' ? value.choice : undefined;
}
