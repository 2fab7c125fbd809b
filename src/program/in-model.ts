import { operationsOf } from '../model/instructions/operations.js';
import type { InstructionSet } from '../model/instructions/set.js';
import { interned, sameHead } from '../model/instructions/union.js';
import type { Model } from '../model/term.js';
import type { Diagnostic, Result } from '../parse/diagnostics/index.js';
import { didYouMean, fail, ok } from '../parse/diagnostics/index.js';
import { instructionsOf } from './instructions.js';
import type { Call, Program } from './program.js';
import { programSet } from './occasions.js';
import { unmeantForms } from './unmeant.js';
import { operationCalled } from './call-forms.js';

/**
 * A program with the meaning that a model gives its calls. Fails, with one diagnostic for each operation, if the model
 * lacks the operation or has another form of it.
 */
export function inInstructionsOf(
  program: Program,
  { instructions, name: model }: Pick<Model, 'instructions' | 'name'>,
): Result<Program> {
  const set = programSet(program, instructions);
  if (interned(program.instructions) === set) return ok(program);
  const before = adapted.get(program)?.get(set);
  if (before !== undefined) return ok(before);
  const known = operationsOf(instructions);
  const resolved = operationsOf(program.instructions);
  const errors = new Map<string, Diagnostic>();
  for (const call of callsOf(program)) {
    const { operation, tags = [], span } = call;
    const meant = resolved.named(operation, tags);
    const same = known.find(operation, tags);
    // A form that the model has dropped is not the plain operation.
    const takes = tags.every((tag) => known.takes(operation, tag)) && same?.tag === meant.tag;
    const found = takes ? same : undefined;
    const name = operationCalled(call);
    if (errors.has(name)) continue;
    if (found === undefined) {
      const names = instructions.operations.map((o) => o.name);
      const hint = didYouMean(operation, names);
      errors.set(name, { span, message: `${model} has no operation \`${name}\``, hint });
    } else if (found.on === undefined && isOnNamedPair(call)) {
      errors.set(name, { span, message: `${model} has no queue pairs with names` });
    } else if (!sameHead(found, meant)) {
      const message = `${model} declares \`${name}\` in another form than a model before it`;
      errors.set(name, { span, message, hint: 'ask it by itself' });
    }
  }
  const unmeant = unmeantForms(program, instructions).map(({ span, hint }) => {
    return { span, message: `${model} has no operation of this form`, hint };
  });
  if (errors.size + unmeant.length > 0) return fail([...errors.values(), ...unmeant]);
  const made = { ...program, instructions: set };
  adapted.set(program, (adapted.get(program) ?? new Map<InstructionSet, Program>()).set(set, made));
  return ok(made);
}

/** The same program object for all models with the same set, so that results about it are shared. */
const adapted = new WeakMap<Program, Map<InstructionSet, Program>>();

const callsOf = (program: Program): readonly Call[] =>
  program.threads.flatMap(({ body }) =>
    [...instructionsOf(body)].flatMap((i) => (i.kind === 'call' ? [i] : [])),
  );

/** Does a call name a queue pair, besides its node? */
function isOnNamedPair({ arguments: given, into }: Call): boolean {
  return [...given, ...(into === undefined ? [] : [into])].some(
    (one) =>
      (one.kind === 'place' && one.queuePair !== undefined) ||
      (one.kind === 'peer' && one.name !== undefined),
  );
}
