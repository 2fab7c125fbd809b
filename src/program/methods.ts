import { checkMarks, checkMethods } from '../libraries/check.js';
import type { MethodShape } from '../libraries/check.js';
import type { InstructionSet } from '../model/instructions/set.js';
import type { Diagnostic } from '../parse/diagnostics/index.js';
import type { ImplementationFile } from '../parse/implementation-ast.js';

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

/**
 * Finds where an implementation differs from its library: methods that are missing or have another form, and marks that
 * name no stamp.
 */
export function unlikeLibrary(
  implementation: ImplementationFile,
  set: InstructionSet,
): readonly Diagnostic[] {
  const stamps = set.labels.map(({ name }) => name).filter((name) => name !== set.initial);
  return [
    ...checkMethods(implementation, methodsOf(set, implementation.implements.text)),
    ...checkMarks(implementation, stamps),
  ];
}
