import type { Operations } from '../../model/instructions/operations.js';
import { operationsOf } from '../../model/instructions/operations.js';
import type { InstructionSet } from '../../model/instructions/set.js';
import type { Instruction, LibraryObject, LocationId, ObjectId, Program } from '../program.js';
import type {
  CallId,
  Constraint,
  Cut,
  Event,
  EventId,
  Group,
  Passed,
  Wait,
  WayTaken,
} from './structure.js';
import type { ValueTable } from './values.js';
import { createValueTable } from './values.js';

/** How a program is unrolled. */
export interface DraftOptions {
  /** How often loops without a bound of their own run. */
  readonly bound: number;
  /** Whether threads may stop anywhere. */
  readonly prefixes: boolean;
  /** Whether it is noted where threads may wait for ever (`check/waits.ts`). */
  readonly waits?: boolean;
  /** The labels of reads: the last iteration is enough for loops that have only these. */
  readonly leavable: readonly string[];
  /** Other loops for which the last iteration is enough. */
  readonly shortened: ReadonlySet<Instruction>;
  /** Whether events say what they depend on. */
  readonly dependencies?: boolean;
  /** With more events and iterations of loops than this, unrolling is given up. */
  readonly limit: number;
}

const NO_TAGS: readonly string[] = [];

/** An event structure that is not complete yet. The threads add to it, one after the other. */
export class StructureDraft {
  readonly table: ValueTable = createValueTable();
  readonly events: Event[] = [];
  readonly constraints: Constraint[] = [];
  readonly divisions: Constraint[] = [];
  readonly cuts: Cut[] = [];
  readonly groups: Group[] = [];
  readonly ways: WayTaken[] = [];
  readonly waits: Wait[] = [];
  readonly passes: Passed[] = [];
  /** The operations that calls use. */
  readonly operations: Operations;
  /** What the model has as tags of places of constants. */
  private readonly constantTags: readonly string[];
  /** Whether some loop has its last iteration alone. */
  shortened = false;
  /** Whether some dependency is not known. */
  unclear = false;
  /** Whether an assumption may be one that fails for ever, or only drops runs. */
  assumes = false;
  private calls = 0;
  private uses = 0;
  private iterations = 0;

  constructor(
    readonly program: Program,
    readonly options: DraftOptions,
  ) {
    this.operations = operationsOf(program.instructions);
    this.constantTags = program.instructions.tags.flatMap(({ name, on }) =>
      on === 'constant' ? [name] : [],
    );
  }

  nodeOf(location: LocationId): string {
    return this.program.locations[location].node;
  }

  /** The tags of a location; of that of a constant, those that the model has for such places. */
  tagsOf(location: LocationId): readonly string[] {
    const { hidden, tags = NO_TAGS } = this.program.locations[location];
    return hidden === true ? this.constantTags : tags;
  }

  /** The operations that calls may use, and their events. */
  get instructions(): InstructionSet {
    return this.program.instructions;
  }

  /** An object that the program declares. */
  objectOf(object: ObjectId): LibraryObject {
    return this.program.objects![object];
  }

  /** The object that a location is a cell of. */
  objectAt(location: LocationId): ObjectId | undefined {
    return this.program.locations[location].object;
  }

  /** All nodes of the program. */
  get nodes(): readonly string[] {
    return this.program.nodes;
  }

  /** The nodes of some threads, each once, in the order of the program's nodes. */
  nodesOf(threads: readonly number[]): readonly string[] {
    const of = new Set(threads.map((thread) => this.program.threads[thread].node));
    return this.program.nodes.filter((node) => of.has(node));
  }

  add(event: Omit<Event, 'id'>): EventId {
    const id = this.events.length;
    this.events.push({ ...event, id });
    return id;
  }

  /** A new call, for one time that an instruction is performed. */
  newCall(): CallId {
    return this.calls++;
  }

  /** The number of one more use of an operation. */
  newUse(): number {
    return this.uses++;
  }

  /** Counts an iteration of a loop, since a loop may go on without making events. */
  countIteration(): void {
    this.iterations += 1;
  }

  /** How many events and iterations of loops there are so far. */
  size(): number {
    return this.events.length + this.iterations;
  }

  isFull(): boolean {
    return this.size() > this.options.limit;
  }
}
