import type { Answer, RunStep } from '../../check/result.js';
import type { Program, Query } from '../../program/program.js';
import { allSubjects, subjectName } from '../../program/subjects.js';
import type { Where } from './draft.js';
import { TimelineDraft } from './draft.js';
import { ending } from './ending.js';
import type { Timeline, TimelineStep } from './timeline.js';

/** More steps are not seen at a glance: of longer runs, the end is drawn. */
const STEPS = 30;

/** Steps of a thread that nobody else hears of. They are in the words of a run. */
const FOLDED: readonly string[] = ['set', 'pass'];

/** What was in a buffer comes to memory. */
const COMING: readonly string[] = ['drain', 'flush-remote'];

/** What an answer to a query about runs shows. */
export type ShownRun = Pick<Answer, 'steps' | 'run' | 'round'>;

/**
 * The run that shows an answer to a query about runs, in space and time: without steps that are about a thread alone, and
 * of a long run its end.
 */
export function timelineOfShown(
  program: Program,
  { quantifier }: Query,
  { steps = [], run = [], round }: ShownRun,
): Timeline {
  const exclusive = quantifier === 'exclusive';
  const { drawn, timeline } = draw(program, steps);
  const begin = round && drawn.slice(run.length).find((i) => i >= 0);
  const last = timeline.steps.length - 1;
  const told = timeline.steps.map(({ note, ...step }, i): TimelineStep => {
    const own =
      i === begin
        ? 'from here on, again and again'
        : i === last && round === undefined
          ? lastWords(steps, exclusive)
          : isLastOf(timeline.steps, i)
            ? note
            : undefined;
    return { ...step, ...(own !== undefined && { note: own }) };
  });
  // A round is drawn as a whole.
  const most = begin === undefined ? STEPS : Math.max(STEPS, last + 1 - begin);
  return ending({ ...timeline, steps: told }, most);
}

/** A run to the end of all threads in space and time. */
export const timelineOfRun = (program: Program, steps: readonly RunStep[]): Timeline =>
  draw(program, steps).timeline;

/** @returns also, by step of the run, the step that is drawn for it; -1: none */
function draw(
  program: Program,
  steps: readonly RunStep[],
): { readonly drawn: readonly number[]; readonly timeline: Timeline } {
  const drawing = new RunDrawing(program, steps);
  const drawn = steps.map((step, i) => (isFolded(step, steps[i + 1]) ? -1 : drawing.add(step, i)));
  return { drawn, timeline: drawing.done() };
}

/** The last step of a run is told, whatever it is: it is the last straw. */
const isFolded = ({ kind }: RunStep, next: RunStep | undefined): boolean =>
  next !== undefined && FOLDED.includes(kind);

/** Threads that wait read too early again and again: what each of them finds at last is what counts. */
const isLastOf = (steps: readonly TimelineStep[], i: number): boolean =>
  !steps.slice(i + 1).some(({ lane, note }) => note !== undefined && lane === steps[i].lane);

/** What is wrong at the end of a run. */
function lastWords(steps: readonly RunStep[], exclusive: boolean): string | undefined {
  const { kind, mark } = steps[steps.length - 1];
  if (kind === 'assertion') return 'what the thread asserts is not so';
  if (!exclusive || kind !== 'enter') return undefined;
  const inside = new Map<string, string | undefined>();
  for (const step of steps.slice(0, -1)) {
    if (step.kind === 'enter') inside.set(step.actor, step.mark);
    if (step.kind === 'leave') inside.delete(step.actor);
  }
  const others = [...inside].flatMap(([name, block]) => (block === mark ? [name] : []));
  return others.length === 0 ? undefined : `${others.join(', ')} is in ${mark}, too`;
}

class RunDrawing {
  private readonly draft: TimelineDraft;
  /** By step of the run: the step that is drawn for it. */
  private readonly drawn = new Map<number, number>();
  /** The node of each location, by its name in runs. */
  private readonly nodes: ReadonlyMap<string, string>;
  /** What each operation began with, and each write of a thread. */
  private readonly begun = new Map<number, number>();
  /** The store buffer of each thread: the locations of what is in it. */
  private readonly stores = new Map<string, string[]>();

  constructor(
    private readonly program: Program,
    private readonly steps: readonly RunStep[],
  ) {
    this.draft = new TimelineDraft(program);
    this.nodes = new Map(
      allSubjects(program).flatMap((subject) =>
        subject.kind === 'location'
          ? [[subjectName(program, subject), program.locations[subject.location].node] as const]
          : [],
      ),
    );
  }

  done(): Timeline {
    // What never comes to memory waits until the end.
    this.steps.forEach((step, i) => {
      const from = this.drawn.get(i);
      if (step.pending === undefined || from === undefined) return;
      const { thread, card } = this.placesOf(step);
      const at = step.kind === 'write' ? thread : card;
      this.draft.wait(at, from, this.draft.next - 1, equation(step));
      this.access(step, 'write', i, Infinity);
    });
    return this.draft.done();
  }

  /** Draws a step of the run, and gives its number. */
  add(step: RunStep, i: number): number {
    this.draft.number = i + 1;
    const number = this.put(step, i);
    this.drawn.set(i, number);
    const before = step.from;
    this.begun.set(i, (before === undefined ? undefined : this.begun.get(before)) ?? number);
    return number;
  }

  private put(step: RunStep, i: number): number {
    const { kind, location } = step;
    const { thread, home } = this.placesOf(step);
    const memory = location === undefined ? undefined : this.memory(location);
    const at = (where: Where, from?: Where, both?: true): number =>
      this.stepAt(step, where, from, both);
    switch (kind) {
      case 'read': {
        const buffered = this.stores.get(step.actor)?.includes(location!) === true;
        const number = at(thread, buffered ? undefined : memory);
        if (!buffered) this.access(step, 'read', i, number);
        return number;
      }
      case 'write': {
        if (!this.isBuffered(i)) {
          const number = at(memory!, thread);
          this.access(step, 'write', i, number);
          return number;
        }
        this.stores.set(step.actor, [...(this.stores.get(step.actor) ?? []), location!]);
        return at(thread);
      }
      case 'drain': {
        const name = thread.thread!;
        this.stores.set(name, this.stores.get(name)!.slice(1));
        return this.arrival(step, i, thread, at(memory!, thread));
      }
      case 'update': {
        const number = at(thread, memory, true);
        this.access(step, 'read', i, number);
        if (step.value !== undefined) this.access(step, 'write', i, number);
        return number;
      }
      case 'post':
        return at(home, thread);
      case 'poll': {
        const number = at(thread);
        this.draft.way(this.before(step), number, 'completion');
        return number;
      }
      default:
        return this.putByCard(step, i);
    }
  }

  /** The steps of cards; any other is one of its thread. */
  private putByCard(step: RunStep, i: number): number {
    const { kind, location } = step;
    const { thread, home, card } = this.placesOf(step);
    const memory = location === undefined ? undefined : this.memory(location);
    const at = (where: Where, from?: Where): number => this.stepAt(step, where, from);
    switch (kind) {
      case 'read-local':
      case 'read-remote':
      case 'perform': {
        const number = this.carriedOn(step, at(kind === 'read-local' ? home : card, memory));
        this.access(step, 'read', i, number);
        if (kind === 'perform' && step.value !== undefined && !this.isBuffered(i)) {
          this.access(step, 'write', i, number);
        }
        return number;
      }
      case 'deliver':
      case 'message':
        return this.carriedOn(step, at(card));
      case 'fail':
      case 'fence':
        return step.lane.kind === 'thread' ? at(thread) : this.carriedOn(step, at(home));
      case 'flush-local': {
        const number = this.carriedOn(step, at(memory!, home));
        this.access(step, 'write', i, number);
        return number;
      }
      case 'flush-remote':
        return this.arrival(step, i, card, at(memory!, card));
      default:
        return at(thread);
    }
  }

  private stepAt(step: RunStep, at: Where, from?: Where, both?: true): number {
    const { text } = step;
    const brief = briefOf(step);
    return this.draft.step({ at, ...(from && { from }), ...(both && { both }), brief, text });
  }

  /** A step takes an operation further on its way. */
  private carriedOn(step: RunStep, number: number): number {
    this.draft.way(this.before(step), number);
    return number;
  }

  /** What waited somewhere comes to memory. */
  private arrival(step: RunStep, i: number, waited: Where, number: number): number {
    const from = this.before(step);
    if (from !== undefined) this.draft.wait(waited, from, number, equation(step));
    this.access(step, 'write', i, number);
    return number;
  }

  /** The step that is drawn for the one that a step carries on. */
  private readonly before = ({ from }: RunStep): number | undefined =>
    from === undefined ? undefined : this.drawn.get(from);

  /** Is what a step writes in a buffer for a while? */
  private readonly isBuffered = (i: number): boolean =>
    this.steps[i].pending === true ||
    this.steps.some(({ kind, from }) => COMING.includes(kind) && from === i);

  private access(step: RunStep, kind: 'read' | 'write', i: number, done: number): void {
    const { location: place, found, value } = step;
    const own = String(kind === 'read' ? (found ?? value) : value);
    const begun = (step.from === undefined ? this.begun.get(i) : this.begun.get(step.from)) ?? done;
    const thread = this.threadOf(step);
    this.draft.access({ kind, place: place!, value: own, thread, begun, done });
  }

  /** The thread that a step is about, the card of its node, and the card that its queue pair leads to. */
  private placesOf(step: RunStep): Readonly<Record<'thread' | 'home' | 'card', Where>> {
    const { draft, program } = this;
    const index = this.threadOf(step);
    const thread = draft.thread(index);
    const home = draft.at('nic', thread.node);
    const [, towards = ''] = this.first(step).lane.name.split('->');
    const node = program.nodes.find((one) => towards === one || towards.startsWith(`${one}.`));
    const own = step.location === undefined ? undefined : this.nodes.get(step.location);
    return { thread, home, card: draft.at('nic', node ?? own ?? thread.node) };
  }

  private threadOf(step: RunStep): number {
    const { program } = this;
    const { lane, actor } = this.first(step);
    const name = lane.kind === 'network' ? lane.name.split('->')[0] : actor;
    return program.threads.findIndex((thread) => thread.name === name);
  }

  /** The step of a thread or of a queue pair that a step in memory carries on; otherwise the step itself. */
  private first(step: RunStep): RunStep {
    return step.lane.kind !== 'memory' || step.from === undefined
      ? step
      : this.first(this.steps[step.from]);
  }

  private readonly memory = (location: string): Where =>
    this.draft.at('memory', this.nodes.get(location)!);
}

/** As few words as in timelines of other runs. */
function briefOf(step: RunStep): string {
  switch (step.kind) {
    case 'deliver':
      return `${equation(step)} arrives`;
    case 'write':
    case 'drain':
    case 'flush-local':
    case 'flush-remote':
      return equation(step);
    case 'enter':
      return `enters ${step.mark}`;
    default:
      return step.brief;
  }
}

const equation = ({ location, value }: RunStep): string => `${location} = ${value}`;
