import type { Body, InstructionSet, Operation, Parameter } from '../../model/instructions/set.js';
import { callSetName } from '../../model/instructions/library.js';
import { operationsOf } from '../../model/instructions/operations.js';

/** A call of a generated client: what it is of, and which of the client's things it names, by their indices. */
export interface GeneratedCall {
  readonly kind: CallKind;
  /** The object, or for the instructions of a machine the location. */
  readonly about: readonly number[];
  /** The number that it gives: 1 for the first, and so on. */
  readonly value?: number;
  /** The nodes that it names, by their indices. */
  readonly nodes?: readonly number[];
}

/** What can be called: an operation of a library, or a plain access to a location. */
export type CallKind =
  | {
      readonly kind: 'operation';
      readonly operation: Operation;
      /** The parameters that are objects, in order; that of `into` is the last. */
      readonly objects: number;
      readonly takes: readonly Parameter[];
      /** For each object, whether it is on the caller's node, where objects are on nodes. */
      readonly near: readonly boolean[];
    }
  | { readonly kind: 'plain'; readonly access: 'read' | 'write' | 'put' | 'get' };

/** Everything that clients of some libraries may call, but for what they are called on. */
export function callKindsOf(
  instructions: InstructionSet,
  libraries: readonly string[],
): readonly CallKind[] {
  return instructions.operations.flatMap((operation): CallKind[] => {
    const { library, parameters, into } = operation;
    if (library === undefined || !libraries.includes(library)) return [];
    const takes = into === undefined ? parameters : [...parameters, into];
    if (takes.some(({ kind }) => kind === 'own' || kind === 'remote' || kind === 'any')) return [];
    const objects = takes.filter(({ kind }) => kind === 'object');
    const far = new Set(operation.alternatives.flatMap(({ body }) => placesOfNodes(body)));
    const near = objects.map(({ name }) => !far.has(name));
    return [{ kind: 'operation', operation, objects: objects.length, takes, near }];
  });
}

/** The places whose nodes are at the other end of events: these are on any node, all others on the caller's. */
function placesOfNodes(body: Body): readonly string[] {
  switch (body.kind) {
    case 'event':
      return body.index?.kind === 'place' ? [body.index.place] : [];
    case 'then':
    case 'beside':
      return body.parts.flatMap(placesOfNodes);
    case 'if':
    case 'for':
      return placesOfNodes(body.body);
  }
}

/** The accesses to locations of a machine. */
export const PLAIN_LETTER: readonly CallKind[] = (['write', 'read', 'put', 'get'] as const).map(
  (access) => ({
    kind: 'plain',
    access,
  }),
);

/** Does a call make something that a later one may wait for, or wait for such a thing? */
export function workOf(
  call: GeneratedCall,
  instructions: InstructionSet,
): 'makes' | 'waits' | undefined {
  if (call.kind.kind !== 'operation') return undefined;
  const { operation, takes } = call.kind;
  const named = operation.work !== undefined || takes.some(({ kind }) => kind === 'work');
  if (!named) return undefined;
  return operationsOf(instructions).isRemote(operation) ? 'makes' : 'waits';
}

/** What is named in a client, as its text writes it. */
export interface AlphabetNames {
  readonly objects: readonly string[];
  readonly locations: readonly { readonly name: string; readonly node: number }[];
  readonly nodes: readonly string[];
  /** Of how many words the values of each object are. */
  readonly words: readonly (number | undefined)[];
}

/**
 * A call as litmus text.
 *
 * @param register a name that nothing else in the client has
 */
export function callText(call: GeneratedCall, names: AlphabetNames, register: string): string {
  const { kind, about, value = 1 } = call;
  if (kind.kind === 'plain') {
    const { name, node } = names.locations[about[0]];
    const remote = `${name}^${names.nodes[node]}`;
    switch (kind.access) {
      case 'read':
        return `${register} := ${name}`;
      case 'write':
        return `${name} := ${value}`;
      case 'put':
        return `${remote} := ${value}`;
      case 'get':
        return `${register}m :=^${register}w ${remote}; wait(${register}w); ${register} := ${register}m`;
    }
  }
  const { operation, takes } = kind;
  let object = 0;
  const written = takes.map(({ kind: what }): string => {
    switch (what) {
      case 'object':
        return names.objects[about[object++]];
      case 'value': {
        const words = names.words[about[0] ?? -1];
        return words === undefined
          ? String(value)
          : `<${Array<number>(words).fill(value).join(', ')}>`;
      }
      case 'node':
      case 'peer':
        return names.nodes[call.nodes![0]];
      case 'nodes':
        return `{${call.nodes!.map((node) => names.nodes[node]).join(', ')}}`;
      case 'work':
        return 'd';
      case 'own':
      case 'remote':
      case 'any':
        throw new Error(`'${operation.name}' is about locations`);
    }
  });
  const into = operation.into === undefined ? undefined : written.pop();
  const called = `${callSetName(operation)}(${written.join(', ')})`;
  if (into !== undefined) return `${into} :=${operation.work === undefined ? '' : '^d'} ${called}`;
  return operation.result === undefined ? called : `${register} := ${called}`;
}
