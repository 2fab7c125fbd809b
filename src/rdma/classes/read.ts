import type {
  Call,
  Expression,
  Instruction,
  PlaceArgument,
  Program,
} from '../../program/program.js';
import type { Alphabet, Letter } from './alphabet.js';
import type { Draft, DraftCall, DraftLocation } from './draft.js';

/** A program as a draft, with its own names and values; or why it is none. */
export function readDraft(
  program: Program,
  alphabet: Alphabet,
): Draft | { readonly reason: string } {
  try {
    return new DraftReader(program, alphabet).draft();
  } catch (error) {
    if (error instanceof NoDraft) return { reason: error.message };
    throw error;
  }
}

/** The name of a register in the draft of its program. */
export const registerName = ({ threads }: Program, thread: number, register: number): string => {
  const name = threads[thread].registers[register];
  const isShared = threads.some((one, t) => t !== thread && one.registers.includes(name));
  return isShared ? `${name}_${threads[thread].name}` : name;
};

/** The name of a location in the draft of its program. A constant has none of its own. */
export function locationName({ locations }: Program, location: number): string {
  const { name, hidden } = locations[location];
  if (hidden === true) return `constant_${location}`;
  const isShared = locations.some((one, i) => i !== location && one.name === name);
  return isShared ? `${name}_${location}` : name;
}

class NoDraft extends Error {}

class DraftReader {
  constructor(
    private readonly program: Program,
    private readonly alphabet: Alphabet,
  ) {}

  draft(): Draft {
    const { nodes, threads, locations, completionQueues = [], objects = [] } = this.program;
    const { marks } = this.alphabet;
    if (completionQueues.length > 0) throw new NoDraft('it has completion queues');
    if (objects.length > 0) throw new NoDraft('it has objects of libraries');
    const pairs = threads.flatMap(({ queuePairs = [] }) => queuePairs);
    if (pairs.some(({ joint = false, tags = [] }) => joint || tags.length > 0)) {
      throw new NoDraft('it has queue pairs that are shared, or have tags');
    }
    return {
      nodes: nodes.length,
      locations: locations.map((one, i): DraftLocation => {
        const [tag, ...more] = (one.tags ?? []).filter((name) => marks.includes(name));
        if (more.length > 0) throw new NoDraft('a location has several tags');
        return {
          ...{ name: locationName(this.program, i), node: this.node(one.node) },
          ...{ mark: marks.indexOf(tag) + 1, initial: one.initial },
        };
      }),
      threads: threads.map(({ node, body }, t) => ({
        node: this.node(node),
        calls: body.map((one) => this.call(one, t)),
      })),
    };
  }

  private node(name: string): number {
    return this.program.nodes.indexOf(name);
  }

  private call(one: Instruction, thread: number): DraftCall {
    switch (one.kind) {
      case 'call':
        return this.ofOperation(one, thread);
      case 'assign':
        return this.ofCpu(one.target, one.value, thread);
      case 'assume':
        throw new NoDraft('it assumes something');
      case 'if':
      case 'loop':
      case 'choose':
        throw new NoDraft('it has branches or loops');
    }
  }

  /** Reads and writes of the CPU. */
  private ofCpu(
    target: Extract<Instruction, { kind: 'assign' }>['target'],
    value: Expression,
    thread: number,
  ): DraftCall {
    if (target.kind === 'location') {
      if (value.kind !== 'int') throw new NoDraft('it writes what it computes');
      const letter = this.letter('write', []);
      return { letter, places: [target.location], numbers: [value.value], register: '' };
    }
    if (value.kind !== 'location') throw new NoDraft('it computes');
    const register = registerName(this.program, thread, target.register);
    return { letter: this.letter('read', []), places: [value.location], numbers: [], register };
  }

  private ofOperation(call: Call, thread: number): DraftCall {
    if (call.words !== undefined) throw new NoDraft('a call has several words');
    if (call.work !== undefined) throw new NoDraft('work has identifiers');
    const letter = this.letter(call.operation, call.tags ?? []);
    const given = [...call.arguments, ...(call.into === undefined ? [] : [call.into])];
    const ends = given.flatMap((one) => this.endOf(one));
    const places = given.flatMap((one) => (one.kind === 'place' ? [one.location] : []));
    const numbers = this.numbersOf(call, this.alphabet.letters[letter], places);
    const { result } = call;
    if (result?.kind === 'location') throw new NoDraft('a value of a call goes to memory');
    const register =
      result === undefined ? '' : registerName(this.program, thread, result.register);
    const [end] = ends;
    return { letter, ...end, places, numbers, register };
  }

  private endOf(given: Call['arguments'][number]): readonly Pick<DraftCall, 'to' | 'pair'>[] {
    const end = (node: string, pair: string | undefined) => [
      { to: this.node(node), ...(pair !== undefined && { pair }) },
    ];
    if (given.kind === 'peer') return end(given.node, given.name);
    const { node, queuePair } = given as Partial<PlaceArgument>;
    return given.kind === 'place' && node !== undefined ? end(node, queuePair) : [];
  }

  /** What is compared has to be what was there at the start, as in programs that are made. */
  private numbersOf(call: Call, { slots }: Letter, places: readonly number[]): readonly number[] {
    const values = call.arguments.flatMap((one) => (one.kind === 'value' ? [one.value] : []));
    const kinds = slots.flatMap(({ kind }) =>
      kind === 'number' || kind === 'compared' ? [kind] : [],
    );
    if (values.length !== kinds.length) throw new NoDraft('a call has other arguments');
    return values.flatMap((value, i) => {
      if (value.kind !== 'int') throw new NoDraft('a call computes its arguments');
      if (kinds[i] === 'number') return [value.value];
      if (value.value === this.program.locations[places[0]].initial) return [];
      throw new NoDraft('an atomic compares with another value than the first one');
    });
  }

  private letter(name: string, tags: readonly string[]): number {
    const found = this.alphabet.letters.findIndex(
      (one) =>
        one.operation.name === name &&
        one.tags.length === tags.length &&
        tags.every((tag) => one.tags.includes(tag)),
    );
    if (found < 0) throw new NoDraft(`it has ${[name, ...tags.map((tag) => `[${tag}]`)].join('')}`);
    return found;
  }
}
