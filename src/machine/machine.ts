import type { Control } from './control.js';
import { Actions } from './actions.js';
import type { Actor } from './actors.js';
import { Actors } from './actors.js';
import type { CodeStep, Passing } from './code.js';
import { compiledSteps } from './code.js';
import { Compiler } from './compiler.js';
import type { Slot } from './compute.js';
import { constant, otherThan } from './compute.js';
import { Controls } from './controls.js';
import { FreeSteps } from './free.js';
import type { Later } from './later.js';
import { laterOf } from './later.js';
import type { Asked, Beyond, Layout, ThreadMark, MarkWait } from './layout.js';
import { Links } from './links.js';
import { LocalStates } from './local.js';
import { Pairs } from './masks.js';
import type { TakenStep, StepWatcher } from './moment.js';
import { Moment } from './moment.js';
import { Plans } from './plan.js';
import { PrivateLocations } from './private.js';
import { Ranks } from './ranks.js';
import { Reads } from './reads.js';
import type { ModelRelations } from './relations.js';
import type { Segment } from './segments.js';
import { QueueEffects } from './queue-effects.js';
import { Starts } from './starts.js';
import { stopsOf } from './stops.js';
import { Threads } from './threads.js';
import { Times } from './times.js';

export type { TakenStep };

/** One state that moves, step by step: see `Compiler`. Memory has the value of the last observed write. */
export class Machine {
  /** The state that moves. */
  readonly s: Int32Array;
  /** Lanes in which a call had to wait, as too many were not finished. */
  readonly full = new Set<string>();
  readonly controls: Controls;
  readonly actors: Actors;
  readonly codes: readonly (readonly CodeStep[])[];
  readonly free: FreeSteps;
  readonly later: Later;
  readonly locals: LocalStates;
  readonly privates: PrivateLocations;
  readonly links: Links;
  private readonly compiler: Compiler;
  private readonly moment = new Moment();
  private readonly times: Times;
  /** What was done since the last step began, so many of them. */
  private readonly done: Segment[] = [];
  private count = 0;

  constructor(
    readonly layout: Layout,
    relations: ModelRelations,
    ranked: readonly string[],
    asked: Asked,
    private readonly beyond: Beyond,
  ) {
    const { orders, queues } = beyond;
    const { calls, size, widths, lanes, program } = layout;
    const { flows, classes, variants } = calls;
    this.s = new Int32Array(size);
    this.later = laterOf(layout, asked);
    const locals = new LocalStates(classes, variants, relations, orders);
    const pairs = new Pairs(relations);
    const plans = new Plans(locals);
    const threads = new Threads(classes, relations, ranked, orders);
    const ranks = new Ranks(locals, pairs, ranked);
    const controls = new Controls(locals, pairs, threads, widths);
    const actors = new Actors(threads, queues, lanes, flows.length);
    const actions = new Actions(controls, locals, new Reads(pairs, plans), plans, ranks, actors);
    const codes: (readonly CodeStep[])[] = [];
    const free = new FreeSteps(
      ...([calls, locals, pairs, plans, threads, this.later, ranks, queues, codes] as const),
      ...([program.locations, asked] as const),
    );
    for (const t of flows.keys()) codes.push(codeOf(layout, t, asked, locals, threads, free));
    const starts = new Starts(
      ...([calls, codes, controls, locals, pairs, plans, threads, queues, free, actions] as const),
    );
    this.privates = new PrivateLocations(
      ...([calls, program.locations, asked, locals, pairs, threads, free, ranked.length] as const),
    );
    this.links = new Links(layout, controls, pairs, threads, orders);
    this.compiler = new Compiler(
      ...([layout, codes, controls, locals, plans, free, actions, starts, this.links] as const),
      ...([new QueueEffects(layout, queues), orders, actors, this.moment, asked.reduces] as const),
    );
    this.times = new Times(layout, controls, orders);
    this.codes = codes;
    this.locals = locals;
    this.controls = controls;
    this.actors = actors;
    this.free = free;
  }

  /** Whether an assertion failed since the last step began. */
  get failed(): boolean {
    return this.moment.failed;
  }

  /** Whether a thread has passed a mark, or come to its end or to rest, since the last step began. */
  get passed(): boolean {
    return this.moment.passed;
  }

  /** Do states remember in which order steps were taken? */
  get remembersOrder(): boolean {
    return this.beyond.orders.some;
  }

  /** Are there messages? */
  get hasMessages(): boolean {
    return this.layout.calls.classes.some(({ message }) => message !== undefined);
  }

  /** Does a message choose one of several receives when it begins? If it is another's turn then, the run does not go on. */
  get foresees(): boolean {
    const { classes, variants } = this.layout.calls;
    return variants.some((all) => {
      const taken = all.map((of) => classes[of].message).filter((one) => one?.kind === 'sent');
      return new Set(taken.map(({ receive }) => receive)).size > 1;
    });
  }

  /** The least bound of a loop beyond which a run would go on, if there is one. */
  get cut(): number {
    return this.moment.cut;
  }

  set mirror(mirror: StepWatcher | undefined) {
    this.moment.mirror = mirror;
  }

  /** The control of a thread in a state. */
  controlOf(s: Int32Array, t: number): Control {
    return this.controls.all[t][s[t]];
  }

  /** The slots of a thread whose values are still needed: of cells, of private locations, and of its calls. */
  needs(control: Control): readonly Slot[] {
    const { [control.thread]: values } = this.layout.values;
    return [...this.cellsAndPrivates(control), ...control.values.map((k) => values + k)];
  }

  /** The same without what its calls have. */
  cellsAndPrivates(control: Control): readonly Slot[] {
    const { layout, free } = this;
    const places = this.privates.in(control).filter((l) => !free.isConstant(l));
    return [...this.cellsIn(control), ...places.map((l) => layout.memory + l)];
  }

  private cellsIn({ thread, place, waits }: Control): readonly Slot[] {
    if (!waits) return this.later.live[thread][place];
    // What the call was given is among its values.
    const step = this.codes[thread][place] as CodeStep & { kind: 'use' };
    return this.later.live[thread][step.next[0]].filter((slot) => slot !== step.result);
  }

  /** May a thread stay for ever where it is at a place? */
  isAtRest(t: number, place: number): boolean {
    return this.compiler.isAtRest(t, place);
  }

  /** Have all threads come to their ends, and are all calls finished? */
  isFinal(s: Int32Array): boolean {
    return this.codes.every((code, t) => {
      const { place, isIdle } = this.controlOf(s, t);
      return place === code.length && isIdle;
    });
  }

  /** Goes to the first state: false if there is none, as an assumption fails before. */
  reset(): boolean {
    const { s, layout, controls, moment } = this;
    const { program, memory, ghosts } = layout;
    s.fill(0);
    program.locations.forEach(({ initial }, l) => (s[memory + l] = initial));
    program.ghosts?.forEach(({ initial }, g) => (s[ghosts + g] = initial));
    moment.begin();
    const first = this.codes.map((_, t) => controls.at(t, 0, []));
    first.forEach(({ id }, t) => (s[t] = id));
    moment.mirror?.start(s);
    return first.every((control, t) => this.run(t, this.compiler.beginning(control)));
  }

  /**
   * Takes each step that is possible in a state, with all that comes of it at once.
   *
   * @param visit hears of each step when `s` is the state after it: whose it is
   * @returns whether a step is only impossible because too many calls are not finished
   */
  successors(from: Int32Array, visit: (actor: Actor) => void): boolean {
    const { s, moment, links } = this;
    let isCramped = false;
    s.set(from);
    for (let t = 0; t < this.codes.length; t++) {
      const control = this.controls.all[t][from[t]];
      const { moves, full } = this.compiler.movesOf(control);
      if (full !== undefined) {
        this.full.add(full);
        isCramped = true;
      }
      for (let k = 0; k < moves.length; k++) {
        const { segment, of, isLinked, actor } = moves[k];
        if (of !== undefined && isLinked) {
          if ((links.openIn(from, control, of.call) & (1 << of.step)) === 0) continue;
        }
        moment.begin();
        this.count = 0;
        if (this.run(t, segment)) visit(actor);
        else if (moment.cramped) {
          this.full.add('what waits in a queue');
          isCramped = true;
        }
        this.undo(from, t);
      }
    }
    return isCramped;
  }

  /** Does something with the machine; meanwhile, a list has what was done since the last step began. */
  listen<T>(act: (told: readonly TakenStep[]) => T): T {
    const steps: TakenStep[] = [];
    this.moment.record = steps;
    const result = act(steps);
    this.moment.record = undefined;
    return result;
  }

  /** Goes back to the state before a step of a thread. */
  private undo(from: Int32Array, t: number): void {
    const { s, done, count } = this;
    if (this.beyond.orders.some) return void s.set(from);
    s[t] = from[t];
    for (let k = 0; k < count; k++) {
      const { slots } = done[k];
      for (let i = 0; i < slots.length; i++) s[slots[i]] = from[slots[i]];
    }
  }

  /** Does what a thread does in one go: false if there is no such run. */
  private run(t: number, first: Segment): boolean {
    const { s, moment } = this;
    const { isHeard } = moment;
    for (let segment = first; ;) {
      const { then } = segment;
      const operations = isHeard ? segment.operations : segment.changes;
      this.done[this.count++] = segment;
      for (let k = 0; k < operations.length; k++) operations[k](s);
      if (segment.passes) moment.passed = true;
      if (then === undefined) return false;
      if (then.kind === 'end') {
        s[t] = then.control;
        if (this.beyond.orders.some) this.times.renumber(s);
        return true;
      }
      const way = then.choose(s);
      if (way < 0) return false;
      segment = then.ways[way] ??= then.make(way);
    }
  }
}

/** What becomes of those who wait when a thread passes a mark. Their slots begin with `first`. */
function passing(
  waits: readonly MarkWait[],
  { thread, mark }: ThreadMark,
  first: Slot,
): readonly Passing[] {
  const isOne = (marks: readonly ThreadMark[]): boolean =>
    marks.some((one) => one.thread === thread && one.mark === mark);
  return waits.flatMap(({ from, to }, k): readonly Passing[] => {
    const slot = first + k;
    if (from === 'always') return isOne(to) ? [[slot, otherThan(slot)]] : [];
    if (isOne(from)) return [[slot, constant(1)]];
    return isOne(to) ? [[slot, constant(0)]] : [];
  });
}

/** The steps of a thread, and which of them are steps of their own. */
function codeOf(
  layout: Layout,
  t: number,
  asked: Asked,
  locals: LocalStates,
  threads: Threads,
  free: FreeSteps,
): readonly CodeStep[] {
  const { classAt, flows } = layout.calls;
  const { [t]: flow } = flows;
  const isWatched = (at: number): boolean => {
    const step = flow.steps[at];
    const cell = step.kind === 'set' ? step.cell : step.kind === 'use' ? step.result : undefined;
    return cell?.kind === 'register' && asked.isWatched(t, cell.register);
  };
  // Is the use of an operation surely a step of its own?
  const isVisible = (at: number): boolean => {
    const of = classAt[t].at(at) ?? -1;
    if (at >= flow.steps.length || of < 0) return false;
    const [local, ...others] = locals.initial(of);
    return (
      others.length > 0 ||
      threads.headOf(local).some((event) => !free.amongOthers(local, 2 * event))
    );
  };
  return compiledSteps(flow, stopsOf(flow, isWatched, isVisible), {
    slotOf: (cell) => layout.slotOf(t, cell),
    passing: (mark) => passing(asked.waits, { thread: t, mark }, layout.waits),
  });
}
