import type { Body, InstructionSet, Operation } from '../model/instructions/set.js';
import { SHARED } from '../model/instructions/set.js';
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
  const asked = new Set(set.labels.flatMap(({ occasions = [] }) => occasions));
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
    [...instructionsOf(body)].flatMap((i) =>
      i.kind === 'call' ? [operations.named(i.operation, i.tags)] : [],
    ),
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
  const gone = new Set(
    set.labels.flatMap(({ name, occasions: some }) =>
      some === undefined || some.some((one) => occasions.includes(one)) ? [] : [name],
    ),
  );
  const narrow = interned({
    ...set,
    operations: set.operations.map((operation) => without(operation, gone)),
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
  return (occasion) => (occasion === SHARED ? usesShared(program) : tags.has(occasion));
}

const usesShared = ({ threads, completionQueues = [] }: Program): boolean =>
  completionQueues.length > 0 ||
  threads.some(({ queuePairs = [] }) => queuePairs.some(({ joint }) => joint === true));

const without = (operation: Operation, gone: ReadonlySet<string>): Operation => ({
  ...operation,
  alternatives: operation.alternatives.map((one) => ({ ...one, body: rest(one.body, gone) })),
});

/** A body without the events of some labels. Parts that this leaves empty are dropped, but for the whole. */
function rest(body: Body, gone: ReadonlySet<string>): Body {
  switch (body.kind) {
    case 'event':
      return gone.has(body.label) ? { kind: 'then', parts: [] } : body;
    case 'if':
    case 'for':
      return { ...body, body: rest(body.body, gone) };
    case 'then':
    case 'beside': {
      const parts = body.parts
        .map((part) => rest(part, gone))
        .filter((part) => !('parts' in part) || part.parts.length > 0);
      return parts.length === 1 ? parts[0] : { ...body, parts };
    }
  }
}
