import { dependsOn, isAbout } from '../../model/depends.js';
import { labelsIn, operationsOf, saysItsWay } from '../../model/instructions/operations.js';
import type {
  Guess,
  InstructionSet,
  Operation,
  Tag,
  WireEnd,
} from '../../model/instructions/set.js';
import { SHARED } from '../../model/instructions/set.js';
import { instructionUnion, sameHead } from '../../model/instructions/union.js';
import type { Model } from '../../model/term.js';
import { occasionsMade } from '../../program/occasions.js';
import { labelsOf, tagsWithout } from '../../program/partners.js';
import { endsIn } from '../../program/wires.js';

/** What random programs can be made of besides reads and writes of the CPU: all that some models declare alike. */
export interface Vocabulary {
  readonly forms: readonly Form[];
  /** By what they are on. Tags that choose a form are not among those of operations. */
  readonly tags: Readonly<Record<Tag['on'], readonly string[]>>;
  /** Whether there is more order where threads share a queue pair, or queue pairs a completion queue. */
  readonly sharing: boolean;
  /** Whether all models have waits and no polls. */
  readonly waits: boolean;
}

/** An operation, or a form of it, and what its calls are for others. */
export interface Form {
  readonly operation: Operation;
  /** Whether a NIC performs some of it. */
  readonly byNic: boolean;
  /** The ends of connections that it uses. */
  readonly ends: readonly WireEnd[];
  /** The guesses that give its events a partner, without which its calls wait for ever, and those that have its events as partners. */
  readonly needs: readonly string[];
  readonly gives: readonly string[];
  /** The tags of calls that give nothing. */
  readonly without: readonly string[];
  /** Whether an assignment stands for it. */
  readonly isShort: boolean;
  /** Whether an assignment of several words stands for calls of several words. */
  readonly isWide: boolean;
  /** Whether it is not one that models have without declaring it. */
  readonly isNew: boolean;
}

/** Whether a thread waits for what it names: a poll. */
export function isTaker({ operation, byNic, needs }: Form): boolean {
  const { parameters, into, result } = operation;
  const isStatement = into === undefined && (result === undefined || saysItsWay(operation));
  return !byNic && needs.length > 0 && parameters.length === 1 && isStatement;
}

/**
 * Can a taker take something after a call of a form in its thread, on its queue pair? What comes in is taken where it was waited for;
 * all else goes by the queue pair.
 */
export const isTakenBy = (form: Form, taker: Form): boolean =>
  taker.ends.includes('from')
    ? form.ends.includes('from')
    : taker.needs.some((one) => form.gives.includes(one));

/** @param base what models have that declare nothing */
export function vocabularyOf(models: readonly Model[], base: InstructionSet): Vocabulary {
  const sets = [...new Set(models.map(({ instructions }) => instructions))];
  const [first, ...others] = sets;
  const union = instructionUnion([...sets, base]);
  const is = (a: Operation, b: Operation): boolean => a.name === b.name && a.tag === b.tag;
  const inAll = (operation: Operation): boolean =>
    others.every((set) =>
      set.operations.some((o) => is(o, operation) && sameHead(o, operation, false)),
    );
  const forms = first.operations
    .filter((operation) => isDrawn(operation, union) && inAll(operation))
    .map((operation) => ({
      ...formOf(operation, first),
      isNew: !base.operations.some((o) => is(o, operation)),
    }))
    .filter(({ needs }) => models.every((model) => needs.every((one) => dependsOn(model, one))));
  const choosing = new Set(union.operations.flatMap(({ tag }) => tag ?? []));
  const tagsOn = (on: Tag['on']): readonly Tag[] =>
    first.tags.filter(
      ({ name, on: own }) =>
        own === on &&
        others.every((set) => set.tags.some((tag) => tag.name === name && tag.on === on)),
    );
  return {
    forms,
    tags: {
      location: mattering(tagsOn('location'), models),
      constant: [],
      operation: mattering(
        tagsOn('operation').filter(({ name }) => !choosing.has(name)),
        models,
      ),
      qp: mattering(tagsOn('qp'), models),
      node: mattering(tagsOn('node'), models),
    },
    sharing: sets.every((set) => occasionsMade(set).includes(SHARED)),
    waits: models.every((model) => dependsOn(model, 'wf') && !dependsOn(model, 'pf')),
  };
}

/** The tags that say something by themselves, or that some model uses, if there are any: all others change nothing. */
function mattering(tags: readonly Tag[], models: readonly Model[]): readonly string[] {
  const used = tags.filter(
    ({ name, ordersWords }) => ordersWords === true || models.some((model) => isAbout(model, name)),
  );
  return (used.length === 0 ? tags : used).map(({ name }) => name);
}

const DRAWN_KINDS: readonly string[] = ['own', 'remote', 'any', 'value', 'peer'];

/**
 * Is an operation drawn by its declaration: are there such arguments, has it no short form for the CPU, and is it not another one
 * of the CPU with more order, as an acquire is a read?
 */
function isDrawn(operation: Operation, set: InstructionSet): boolean {
  const { name, tag, library, parameters } = operation;
  const isShort = set.shorts.some(
    (one) => one.operation === name && (one.left === undefined || one.right === 'value'),
  );
  return (
    library === undefined &&
    !isShort &&
    !set.tags.some((one) => one.on === 'node' && one.name === tag) &&
    parameters.every(({ kind }) => DRAWN_KINDS.includes(kind)) &&
    !isAnother(operation, set)
  );
}

/** Does an operation of the CPU do what an earlier one does, by events with other labels? */
function isAnother(operation: Operation, set: InstructionSet): boolean {
  const { operations, labels } = set;
  if (operationsOf(set).isRemote(operation)) return false;
  const by = new Map(labels.map((label) => [label.name, label.by]));
  const { uses } = operationsOf(set);
  const deeds = (one: Operation): string => {
    const taken = one.parameters.filter(({ kind, name }) => kind !== 'value' || uses(one, name));
    return JSON.stringify([taken, one.alternatives], (key, value: unknown) =>
      key === 'label' ? by.get(value as string) : value,
    );
  };
  const own = deeds(operation);
  return operations
    .slice(0, operations.indexOf(operation))
    .some((other) => other.tag === undefined && deeds(other) === own);
}

function formOf(operation: Operation, set: InstructionSet): Omit<Form, 'isNew'> {
  const made = new Set(operation.alternatives.flatMap(({ body }) => labelsIn(body)));
  const makes = (term: Kth['from']): boolean =>
    labelsOf(set, term).some(({ name }) => made.has(name));
  const counted = set.guesses.filter(isCounted);
  const giving = counted.filter(({ from }) => makes(from));
  const operations = operationsOf(set);
  const isShort = set.shorts.some(
    (short) => short.operation === operation.name && short.left === operation.into?.kind,
  );
  return {
    operation,
    byNic: operations.isByNic(operation),
    ends: endsIn(operation),
    needs: counted.filter(({ to }) => makes(to)).map(({ name }) => name),
    gives: giving.map(({ name }) => name),
    without: giving.flatMap(({ from }) => tagsWithout(set, from)),
    isShort,
    isWide: isShort && operations.overWords(operation, 2) !== undefined,
  };
}

type Kth = Extract<Guess, { how: 'kth' | 'counted' }>;
const isCounted = (guess: Guess): guess is Guess & Kth =>
  guess.how === 'kth' || guess.how === 'counted';
