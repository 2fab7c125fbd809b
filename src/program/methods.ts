import type { MethodShape } from '../libraries/check.js';
import type { InstructionSet } from '../model/instructions/set.js';

/** How the operations of a library are called, for its implementations. */
export function methodsOf({ operations }: InstructionSet, library: string): readonly MethodShape[] {
  return operations
    .filter((operation) => operation.library === library && operation.tag === undefined)
    .map(({ name, parameters, into, work, result, alternatives }) => ({
      name: name.replace(`${library}.`, ''),
      parameters: parameters.length,
      into: into !== undefined,
      work: work !== undefined,
      result: result !== undefined || alternatives.some((one) => one.result !== undefined),
    }));
}
