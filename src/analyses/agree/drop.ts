import { inside, instructionsOf, withBodies } from '../../program/instructions.js';
import type { Expression, Instruction, Program } from '../../program/program.js';

/**
 * What to keep of a program: a list of booleans. fast-check can shrink such lists, and so it can shrink programs. If all
 * are true, the program stays as it is. For each instruction there is
 * - one boolean for the instruction itself: false removes it;
 * - one for each of its bodies: false puts the body in the place of the instruction;
 * - one for all its bodies, if it has several: false puts all bodies there, one after the other;
 * - one for each value that it computes: false replaces the value by 0.
 */
export type Kept = readonly boolean[];

/** How many booleans there are for a program. */
export function keepable(program: Program): number {
  const all = program.threads.flatMap((t) => [...instructionsOf(t.body)]);
  return all.reduce((sum, i) => sum + 1 + replacements(i) + values(i), 0);
}

/** The program without what is not kept. Names may be left unset: it must be resolved anew. */
export function keep(program: Program, kept: Kept): Program {
  let at = 0;
  const take = (): boolean => kept[at++];
  const body = (list: readonly Instruction[]): readonly Instruction[] =>
    list.flatMap((i): readonly Instruction[] => {
      const whole = take();
      const replaced = Array.from({ length: replacements(i) }, () => !take()).indexOf(true);
      const simpler = simplified(i, take);
      // All bodies are visited, even if they are not kept: each instruction takes its own booleans.
      const bodies = inside(i).map(body);
      if (!whole) return [];
      if (replaced < 0) return [withBodies(simpler, bodies)];
      return replaced < bodies.length ? bodies[replaced] : bodies.flat();
    });
  return { ...program, threads: program.threads.map((t) => ({ ...t, body: body(t.body) })) };
}

/** How many things can stand in the place of an instruction with bodies. */
function replacements(i: Instruction): number {
  const { length } = inside(i);
  return length > 1 ? length + 1 : length;
}

/** How many values an instruction computes. */
function values(i: Instruction): number {
  let count = 0;
  simplified(i, () => (count += 1) > 0);
  return count;
}

const ZERO: Expression = { kind: 'int', value: 0 };

function simplified(i: Instruction, take: () => boolean): Instruction {
  const value = (e: Expression): Expression => (e.kind === 'int' || take() ? e : ZERO);
  if (i.kind === 'assign') return { ...i, value: value(i.value) };
  if (i.kind !== 'call') return i;
  const args = i.arguments.map((given) =>
    given.kind === 'value' ? { ...given, value: value(given.value) } : given,
  );
  return { ...i, arguments: args };
}
