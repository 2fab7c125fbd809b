import type { Program } from '../../program/program.js';
import { valueText } from '../../parse/values.js';
import { allSubjects, subjectName } from '../../program/subjects.js';
import type { AccessNote } from './notes.js';
import { notesOn } from './notes.js';
import type {
  Timeline,
  TimelineLane,
  TimelineStep,
  TimelineWait,
  TimelineWay,
} from './timeline.js';

/** Where something is, before it is known which lanes there are. */
export type Where = TimelineLane;

/** A step before lanes have numbers. */
export interface DraftStep extends Omit<TimelineStep, 'lane' | 'from' | 'note'> {
  readonly at: Where;
  readonly from?: Where;
}

/** A timeline under way. */
export class TimelineDraft {
  /** The number that the next step has in words, where the step itself does not say it. */
  number: number | undefined;
  private readonly steps: DraftStep[] = [];
  private readonly ways: TimelineWay[] = [];
  private readonly waits: (Omit<TimelineWait, 'lane'> & { readonly at: Where })[] = [];
  private readonly accesses: AccessNote[] = [];
  private readonly notes = new Map<number, string>();

  constructor(private readonly program: Program) {}

  thread(index: number): Where {
    const { name, node } = this.program.threads[index];
    return { kind: 'thread', node, thread: name };
  }

  /** The card of a node, or its memory. */
  at(kind: 'nic' | 'memory', node: string): Where {
    return { kind, node };
  }

  /** The number of the step that comes next. */
  get next(): number {
    return this.steps.length;
  }

  /** Adds a step, and returns its number. */
  step(step: DraftStep): number {
    const { number } = this;
    return this.steps.push({ ...(number !== undefined && { number }), ...step }) - 1;
  }

  way(from: number | undefined, to: number, look: TimelineWay['look'] = 'wire'): void {
    if (from !== undefined && from !== to) this.ways.push({ from, to, look });
  }

  /** Something waits on the way to memory; nothing where it does not have to. */
  wait(at: Where, from: number, to: number, what: string): void {
    if (to > from + 1) this.waits.push({ at, from, to, what });
  }

  /** Says what is wrong with a step, where the accesses do not say it. */
  note(step: number, words: string): void {
    this.notes.set(step, words);
  }

  access(access: AccessNote): void {
    this.accesses.push(access);
  }

  /** What is in memory at first, of all places that are accessed. */
  private memory(): Timeline['memory'] {
    const { program } = this;
    const places = new Set(this.accesses.map(({ place }) => place));
    return allSubjects(program).flatMap((subject) => {
      if (subject.kind !== 'location') return [];
      const place = subjectName(program, subject);
      const { node, initial } = program.locations[subject.location];
      return places.has(place) ? [{ node, place, value: valueText(initial) }] : [];
    });
  }

  done(): Timeline {
    const { program, steps, ways } = this;
    const used = new Set(
      [
        ...steps.flatMap(({ at, from }) => [at, ...(from ? [from] : [])]),
        ...this.waits.map(({ at }) => at),
      ].map(keyOf),
    );
    const lanes = program.nodes
      .flatMap((node): Where[] => [
        ...program.threads.flatMap((t, i) => (t.node === node ? [this.thread(i)] : [])),
        this.at('memory', node),
        this.at('nic', node),
      ])
      .filter((lane) => used.has(keyOf(lane)));
    const index = new Map(lanes.map((lane, i) => [keyOf(lane), i]));
    const numberOf = (where: Where): number => index.get(keyOf(where))!;
    const waits = this.waits.map(({ at, ...wait }) => ({ lane: numberOf(at), ...wait }));
    const found = notesOn(this.accesses, (step, what) => {
      const wait = waits.find((w) => w.what === what && w.from < step && step < w.to);
      return wait && lanes[wait.lane];
    });
    const notes = this.notes.size > 0 ? this.notes : found;
    const stored = new Map(
      this.accesses.flatMap(({ kind, place, value, done }) =>
        kind === 'write' ? [[done, { place, value }] as const] : [],
      ),
    );
    return {
      lanes,
      steps: steps.map(({ at, from, ...rest }, i): TimelineStep => ({
        lane: numberOf(at),
        ...(from && { from: numberOf(from) }),
        ...rest,
        ...(stored.has(i) && { stored: stored.get(i)! }),
        ...(notes.has(i) && { note: notes.get(i)! }),
      })),
      ways,
      waits,
      memory: this.memory(),
    };
  }
}

const keyOf = ({ kind, node, thread }: Where): string => `${kind} ${node} ${thread ?? ''}`;
