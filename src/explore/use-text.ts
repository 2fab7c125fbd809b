import type { FlowArgument, FlowUse } from '../program/flow/graph.js';
import { printInstruction } from '../program/print.js';
import type { Argument, Call, Program } from '../program/program.js';

/**
 * The text of a use of an operation, as the thread posts it: `a := rcas(x^2, 0, 1)`.
 *
 * @param given the values that it is given, in order
 */
export function useText(
  program: Program,
  thread: number,
  { operation, given: arguments_, tags, call: written, span }: FlowUse,
  given: readonly number[],
): string {
  let k = 0;
  const made = arguments_.map((argument: FlowArgument): Argument =>
    argument.kind === 'value'
      ? { kind: 'value', value: { kind: 'int', value: given[k++] } }
      : argument,
  );
  const count = operation.parameters.length;
  const into = operation.into === undefined ? undefined : made[count];
  const work = made.slice(count).find((one) => one.kind === 'work');
  const isShort = program.instructions.shorts.some((short) => short.operation === operation.name);
  const call: Call = {
    ...{ kind: 'call', operation: operation.name, arguments: made.slice(0, count), span },
    ...(tags.length > 0 && { tags }),
    ...(written?.words !== undefined && { words: written.words }),
    ...(into !== undefined && { into: into as NonNullable<Call['into']> }),
    ...(work?.kind === 'work' && { work: work.work }),
    ...(isShort && { short: true }),
  };
  return printInstruction(program, program.threads[thread], call);
}
