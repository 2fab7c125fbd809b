import { operationsOf } from '../model/instructions/operations.js';
import type { InstructionSet, Operation } from '../model/instructions/set.js';
import { interned, sameHead } from '../model/instructions/union.js';
import type { Model } from '../model/term.js';
import type { Diagnostic, Result, Span } from '../parse/diagnostics/index.js';
import { didYouMean, fail, ok } from '../parse/diagnostics/index.js';
import { instructionsOf } from './instructions.js';
import type { Call, Program } from './program.js';
import { programSet } from './occasions.js';
import { tagsOfCall } from './partners.js';
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
  for (const { tags = [], node, span = NOWHERE } of program.threads) {
    const unknown = tags.find(
      (tag) => !instructions.tags.some(({ name, on }) => name === tag && on === 'node'),
    );
    if (unknown === undefined) continue;
    errors.set(`node ${node}`, {
      span,
      message: `${model} has no nodes of the kind [${unknown}], as node ${node} is`,
    });
  }
  const mine = operationsOf(set);
  for (const { call, about } of callsOf(program)) {
    const { operation, tags = [], span } = call;
    const meant = resolved.called(call);
    const same = known.find(operation, tags) && known.called(call);
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
    } else if (!sameHead(found, meant, call.result !== undefined)) {
      const message = `${model} declares \`${name}\` in another form than a model before it`;
      errors.set(name, { span, message, hint: 'ask it by itself' });
    } else {
      const meanings = insteadTags(resolved.named(operation, tags), about);
      const unknown = meanings.find(
        (tag) => !insteadTags(mine.named(operation, tags), about).includes(tag),
      );
      if (unknown === undefined) continue;
      const message = `${model} does not say what the tag '${unknown}' means for \`${name}\``;
      errors.set(name, { span, message });
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

/** For programs that are in no file. */
const NOWHERE: Span = { file: '', start: 0, end: 0 };

/** The same program object for all models with the same set, so that results about it are shared. */
const adapted = new WeakMap<Program, Map<InstructionSet, Program>>();

/** The calls of a program, and the tags that each has by itself or by its queue pair. */
const callsOf = (
  program: Program,
): readonly { readonly call: Call; readonly about: readonly string[] }[] =>
  program.threads.flatMap(({ body }, thread) =>
    [...instructionsOf(body)].flatMap((call) =>
      call.kind === 'call' ? [{ call, about: tagsOfCall(program, thread, call) }] : [],
    ),
  );

/** The tags of a call by which an operation may go other ways than without them. */
const insteadTags = ({ alternatives }: Operation, about: readonly string[]): readonly string[] =>
  alternatives.flatMap(({ tags = [] }) => tags.filter((tag) => about.includes(tag)));

/** Does a call name a queue pair, besides its node? */
function isOnNamedPair({ arguments: given, into }: Call): boolean {
  return [...given, ...(into === undefined ? [] : [into])].some(
    (one) =>
      (one.kind === 'place' && one.queuePair !== undefined) ||
      (one.kind === 'peer' && one.name !== undefined),
  );
}
