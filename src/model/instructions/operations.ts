import { leavesIn } from '../../parse/fold.js';
import { interned } from './union.js';
import { overWords as madeOverWords } from './words.js';
import type {
  Body,
  InstructionSet,
  Label,
  Operation,
  ParameterKind,
  ValueLeaf,
  ValueOf,
} from './set.js';

/** The operations of an instruction set, found by what a program says of them. */
export interface Operations {
  /** The names of what a use is given: the parameters, `into`, `work`, in this order. */
  namesOf(operation: Operation): readonly string[];
  /** @throws Error if there is none: whoever resolves a program sees to it that there is */
  named(name: string, tags?: readonly string[]): Operation;
  /** What a call calls: over several words, the operation is made for so many. */
  called(call: Calling): Operation;
  /** The operation over several words, if it has such a form. */
  overWords(operation: Operation, words: number): Operation | undefined;
  /** The form that one of the tags chooses, if there is one. */
  find(name: string, tags?: readonly string[]): Operation | undefined;
  /**
   * May calls of an operation have a tag? A tag that chooses a form is for operations that have this form; all other tags on
   * operations are for all.
   */
  takes(name: string, tag: string): boolean;
  /** The operation that `left := right` stands for. */
  short(left: ParameterKind | undefined, right: ParameterKind): Operation | undefined;
  /** What a name in an expression, and an assignment to a name, stand for. */
  readonly read: Operation;
  readonly write: Operation;
  /** Is a value parameter in what the operation writes, decides or gives back? If not, it only says where the operation takes place. */
  uses(operation: Operation, parameter: string): boolean;
  isOnQueuePair(label: string): boolean;
  /** Does it use a NIC: is it on a queue pair, or has it events that a NIC performs? */
  isRemote(operation: Operation): boolean;
  /** Has it events that a NIC performs? */
  isByNic(operation: Operation): boolean;
}

/** What tells the operation of a call. */
export interface Calling {
  readonly operation: string;
  readonly tags?: readonly string[];
  readonly words?: number;
}

const known = new WeakMap<InstructionSet, Operations>();

/** Made once for each set: every program that is unrolled asks for it. */
export function operationsOf(set: InstructionSet): Operations {
  const one = interned(set);
  const before = known.get(one);
  if (before !== undefined) return before;
  const made = make(one);
  known.set(one, made);
  return made;
}

function make({ operations, shorts, labels, libraries, tags }: InstructionSet): Operations {
  const key = (name: string, tag?: string): string =>
    tag === undefined ? name : `${name} [${tag}]`;
  const byName = new Map(operations.map((o) => [key(o.name, o.tag), o]));
  const longer = new Map<Operation, Map<number, Operation | undefined>>();
  const plain = libraries.find((library) => library.plain)?.name;
  for (const o of operations) {
    // A call may name the library that needs no name.
    if (o.library === plain && plain !== undefined) byName.set(key(`${plain}.${o.name}`, o.tag), o);
  }
  const byLabel = new Map<string, Label>(labels.map((label) => [label.name, label]));
  const find = (name: string, tags: readonly string[] = []): Operation | undefined => {
    for (const tag of tags) {
      const form = byName.get(key(name, tag));
      if (form !== undefined) return form;
    }
    return byName.get(name);
  };
  const named = (name: string, tags: readonly string[] = []): Operation => {
    const found = find(name, tags);
    if (found === undefined) throw new Error(`no operation is called '${name}'`);
    return found;
  };
  const ordering = new Set(tags.flatMap(({ name, ordersWords }) => (ordersWords ? [name] : [])));
  const overWords = (
    operation: Operation,
    words: number,
    tags: readonly string[] = [],
  ): Operation | undefined => {
    const ofOne = longer.get(operation) ?? new Map<number, Operation | undefined>();
    longer.set(operation, ofOne);
    const inOrder = tags.some((tag) => ordering.has(tag));
    const key = inOrder ? -words : words;
    if (!ofOne.has(key)) {
      const made = madeOverWords(operation, words, inOrder);
      ofOne.set(key, made);
      if (made !== undefined) names.set(made, givenNames(made));
    }
    return ofOne.get(key);
  };
  const called = ({ operation, tags, words = 1 }: Calling): Operation => {
    const one = named(operation, tags);
    const all = words === 1 ? one : overWords(one, words, tags);
    if (all === undefined) throw new Error(`'${operation}' is of one word`);
    return all;
  };
  const short = (left: ParameterKind | undefined, right: ParameterKind): Operation | undefined => {
    const meant = shorts.find((one) => one.left === left && one.right === right);
    return meant && find(meant.operation);
  };
  const forms = new Set(operations.flatMap(({ tag }) => tag ?? []));
  const marks = new Set(
    tags.flatMap(({ name, on }) => (on === 'operation' && !forms.has(name) ? [name] : [])),
  );
  const isByNic = ({ alternatives }: Operation): boolean =>
    alternatives.some(({ body }) => labelsIn(body).some((l) => byLabel.get(l)?.by === 'nic'));
  const names = new Map(operations.map((operation) => [operation, givenNames(operation)]));
  return {
    namesOf: (operation) => names.get(operation)!,
    find,
    named,
    called,
    overWords,
    takes: (name, tag) => marks.has(tag) || byName.has(key(name, tag)),
    short,
    uses: (operation, parameter) =>
      operation.alternatives.some(({ result, body, when }) =>
        [result, when, ...valuesIn(body)].some((value) => namesIn(value).includes(parameter)),
      ),
    isRemote: (operation) => operation.on !== undefined || isByNic(operation),
    isByNic,
    isOnQueuePair: (label) => byLabel.get(label)?.onQueuePair === true,
    get read() {
      return short(undefined, 'own') ?? named('a name in an expression');
    },
    get write() {
      return short('own', 'value') ?? named('an assignment');
    },
  };
}

function givenNames({ parameters, into, work }: Operation): readonly string[] {
  const names = parameters.map(({ name }) => name);
  if (into !== undefined) names.push(into.name);
  if (work !== undefined) names.push(work);
  return names;
}

/** The values that a body writes or decides by. */
function valuesIn(body: Body): readonly ValueOf[] {
  if (body.kind === 'event') return body.writes === undefined ? [] : [body.writes.value];
  if (body.kind === 'if') return [body.condition, ...valuesIn(body.body)];
  return ('parts' in body ? body.parts : [body.body]).flatMap(valuesIn);
}

/** The names in a value. */
export const namesIn = (value: ValueOf | undefined): readonly string[] =>
  value === undefined
    ? []
    : leavesIn<ValueLeaf>(value).map((leaf) => (leaf.kind === 'sum' ? leaf.of : leaf.name));

/** The labels of the events of a body. */
export function labelsIn(body: Body): readonly string[] {
  if (body.kind === 'event') return [body.label];
  return ('parts' in body ? body.parts : [body.body]).flatMap(labelsIn);
}

/** Is the value of an instruction a number for each way that a call may go? */
export const saysItsWay = ({ library, alternatives }: Operation): boolean =>
  library === undefined && alternatives.every(({ result }) => result?.kind === 'int');
