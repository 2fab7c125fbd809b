import { mapInstructions } from './instructions.js';
import type { Instruction, Program } from './program.js';

/** A program without some instructions. Marks of an instruction stay where it was. */
export function withoutInstructions(program: Program, gone: ReadonlySet<Instruction>): Program {
  const rest = (i: Instruction): readonly Instruction[] | undefined => {
    if (!gone.has(i)) return undefined;
    const { span, marks } = i;
    if (marks === undefined) return [];
    return [{ kind: 'assume', condition: { kind: 'int', value: 1 }, span, marks }];
  };
  const threads = program.threads.map((t) => ({ ...t, body: mapInstructions(t.body, rest) }));
  return { ...program, threads };
}
