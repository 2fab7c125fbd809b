import { insteadIn, withEvents } from '../model/instructions/instead.js';
import type { Instead, InstructionSet, Label, Operation } from '../model/instructions/set.js';
import { QUEUED, SHARED, WORDS } from '../model/instructions/set.js';
import { labelsIn, operationsOf } from '../model/instructions/operations.js';
import { withLabels } from '../model/narrow.js';
import type { Model } from '../model/term.js';
import { interned } from '../model/instructions/union.js';
import { instructionsOf } from './instructions.js';
import type { Program } from './program.js';

/**
 * The instruction set for one program: without the events that are made only where a program has some tag, or something
 * shared, if this one has not. So what few programs use costs the others nothing. The same object for all programs with
 * the same occasions.
 */
export function programSet(program: Program, instructions: InstructionSet): InstructionSet {
  const set = interned(instructions);
  const asked = new Set([
    ...set.labels.flatMap(({ occasions = [] }) => occasions),
    ...set.insteads.flatMap(({ tags }) => tags),
  ]);
  if (asked.size === 0) return set;
  const has = occasionsIn(program);
  return setWith(
    set,
    [...asked].filter((occasion) => has(occasion)),
  );
}

/**
 * A model without what is only about operations that a program does not call, for questions that are judged by the form of
 * axioms. The program is in the model's instructions.
 */
export function modelFor(program: Program, model: Model): Model {
  const { instructions } = program;
  if (usesShared(program)) return model;
  const made = new Set(
    operationsUsed(program).flatMap((o) => o.alternatives.flatMap(({ body }) => labelsIn(body))),
  );
  const { initial } = instructions;
  const labels = instructions.labels.flatMap(({ name }) =>
    made.has(name) || name === initial ? [name] : [],
  );
  const ofModel = narrow.get(model) ?? new Map<string, Model>();
  narrow.set(model, ofModel);
  const key = labels.join(' ');
  const before = ofModel.get(key) ?? withLabels(model, new Set(labels));
  ofModel.set(key, before);
  return before;
}

/** The operations that a program calls. Expressions and assignments are calls, too. */
export function operationsUsed({ instructions, threads }: Program): readonly Operation[] {
  const operations = operationsOf(instructions);
  const called = threads.flatMap(({ body }) =>
    [...instructionsOf(body)].flatMap((i) => (i.kind === 'call' ? [operations.called(i)] : [])),
  );
  const short = instructions.shorts
    .filter(({ left, right }) => left === undefined || right === 'value')
    .flatMap((one) => operations.find(one.operation) ?? []);
  return [...new Set([...called, ...short])];
}

const narrow = new WeakMap<Model, Map<string, Model>>();

/** What a program has that few others have, by its instruction set: occasions of events that calls make. */
export function occasionsMade({ labels, operations }: InstructionSet): readonly string[] {
  const made = new Set(
    operations.flatMap((o) => o.alternatives.flatMap(({ body }) => labelsIn(body))),
  );
  return [...new Set(labels.flatMap((l) => (made.has(l.name) ? (l.occasions ?? []) : [])))];
}

/** The instruction set for programs that have some occasions. */
export function setWith(set: InstructionSet, occasions: readonly string[]): InstructionSet {
  const known = made.get(set) ?? new Map<string, InstructionSet>();
  made.set(set, known);
  const key = [...occasions].sort().join(' ');
  const before = known.get(key);
  if (before !== undefined) return before;
  const insteads = set.insteads.filter(({ tags }) => tags.some((tag) => occasions.includes(tag)));
  // Where others stand in the place of an event, there is the event.
  const there = new Set(insteads.flatMap(({ of, label }) => [of, label]));
  const gone = new Set(
    set.labels.flatMap(({ name, occasions: some }) =>
      some === undefined || there.has(name) || some.some((one) => occasions.includes(one))
        ? []
        : [name],
    ),
  );
  const narrow = interned({
    ...set,
    operations: set.operations.map((operation) =>
      withInsteads(without(operation, gone), insteads, set.labels),
    ),
    // What is left of them is in the operations.
    insteads: [],
  });
  known.set(key, narrow);
  return narrow;
}

const made = new WeakMap<InstructionSet, Map<string, InstructionSet>>();

function occasionsIn(program: Program): (occasion: string) => boolean {
  const { threads, locations } = program;
  const pairs = threads.flatMap(({ queuePairs = [] }) => queuePairs);
  const calls = threads.flatMap(({ body }) =>
    [...instructionsOf(body)].flatMap((i) => (i.kind === 'call' ? (i.tags ?? []) : [])),
  );
  const tags = new Set([
    ...calls,
    ...pairs.flatMap((pair) => pair.tags ?? []),
    ...locations.flatMap((location) => location.tags ?? []),
  ]);
  return (occasion) => {
    if (occasion === SHARED) return usesShared(program);
    if (occasion === QUEUED) return (program.completionQueues ?? []).length > 0;
    return occasion === WORDS ? usesWords(program) : tags.has(occasion);
  };
}

/** Has it queue pairs of several threads, or completion queues of several queue pairs? */
export const usesShared = ({ threads, completionQueues = [] }: Program): boolean =>
  completionQueues.length > 0 ||
  threads.some(({ queuePairs = [] }) => queuePairs.some(({ joint }) => joint === true));

const usesWords = ({ threads }: Program): boolean =>
  threads.some(({ body }) =>
    [...instructionsOf(body)].some((i) => i.kind === 'call' && i.words !== undefined),
  );

/**
 * An operation without the events of some labels. An alternative that has no events any more is dropped, unless all are
 * like this; and so is one that has become another one.
 */
function without(operation: Operation, gone: ReadonlySet<string>): Operation {
  const left = operation.alternatives.map((one) => ({
    ...one,
    body: withEvents(one.body, (event) => (gone.has(event.label) ? undefined : event)),
  }));
  const texts = left.map((one) => JSON.stringify(one));
  const some = left.filter(({ body }, i) => body !== undefined && texts.indexOf(texts[i]) === i);
  return {
    ...operation,
    alternatives: (some.length > 0 ? some : left).map((one) => ({
      ...one,
      body: one.body ?? { kind: 'then', parts: [] },
    })),
  };
}

/** An operation with what calls with a tag may do in the place of one of its events. */
const withInsteads = (
  operation: Operation,
  insteads: readonly Instead[],
  labels: readonly Label[],
): Operation => ({
  ...operation,
  alternatives: [...operation.alternatives, ...insteadIn(operation, insteads, labels)],
});
