import type { Slot } from '../../machine/compute.js';
import type { Control } from '../../machine/control.js';
import type { Machine } from '../../machine/machine.js';
import { namesOf } from '../../program/expression.js';
import { isTrue } from '../../program/formula.js';
import { showQuery } from '../../program/print.js';
import type { PromelaQuestions } from './questions.js';
import type { SlotAction, GuardedStep, ThreadSteps } from './steps.js';
import { comment, expressionText } from './syntax.js';

/** A model as it is printed. */
export interface Printed {
  readonly machine: Machine;
  readonly threads: readonly ThreadSteps[];
  readonly questions: PromelaQuestions;
  /** What slots have in the first state. */
  readonly start: (slot: Slot) => number;
  /** Does an assertion fail before it? */
  readonly failed: boolean;
  /** Do threads that may stay for ever at a place do so? */
  readonly resting: boolean;
  /** The words for a place of a thread. */
  placeText(thread: number, place: number): string;
}

/**
 * Threads as proctypes: a label for each control, and below it the steps, each of them one step of SPIN, too. `beyond` is set where SPIN would leave what was explored.
 */
export function promelaText(printed: Printed): readonly string[] {
  const { threads, questions } = printed;
  const slots = new Set([...threads.flatMap(slotsIn), ...questions.slots]);
  const names = namesFor(printed, slots);
  const isLeft = threads.some(({ steps }) =>
    [...steps.values()].some((all) => all.some(({ to }) => to === undefined)),
  );
  return [
    ...[...names].map(([slot, name]) => {
      const value = printed.start(slot);
      return `int ${name}${value === 0 ? '' : ` = ${value}`};`;
    }),
    ...(isLeft ? ['bit beyond; /* a run goes on where no exploration has been */'] : []),
    ...threads.flatMap((_, t) => new ThreadText(printed, t, names).lines()),
    ...watching(printed, names),
  ];
}

function slotsIn({ steps }: ThreadSteps): readonly Slot[] {
  return [...steps.values()]
    .flat()
    .flatMap(({ guard, actions }) => [
      ...namesOf(guard),
      ...actions.flatMap((action) => [
        ...namesOf(action.value),
        ...(action.kind === 'set' ? [action.slot] : []),
      ]),
    ]);
}

type Names = ReadonlyMap<Slot, string>;

/** Names that are none of Promela or C: all of them have an underscore inside. */
function namesFor(
  { machine: { layout }, questions: { insides } }: Printed,
  slots: ReadonlySet<Slot>,
): Names {
  const { threads, locations } = layout.program;
  const nameOf = (slot: Slot): string => {
    const inside = insides.find((one) => one.slot === slot);
    if (inside !== undefined) return inside.name;
    if (slot < threads.length) return `${threads[slot].name}_calls`;
    const name = layout.nameOf(slot).replace("'s copy of ", '_copy_');
    if (slot >= layout.memory && slot < layout.memory + locations.length) return `memory_${name}`;
    if (slot >= layout.queues && slot < layout.memory) return name;
    if (slot >= layout.ghosts && slot < layout.memory) return `ghost_${name}`;
    const t = layout.values.findLastIndex((first) => slot >= first);
    if (t < 0 || slot < layout.memory) return name;
    const k = slot - layout.values[t];
    return `${threads[t].name}_call_${Math.floor(k / layout.widths[t])}_${k % layout.widths[t]}`;
  };
  const taken = new Set<string>();
  const names = [...slots]
    .sort((a, b) => a - b)
    .map((slot): readonly [Slot, string] => {
      let name = nameOf(slot).replace(/\W/g, '_');
      while (taken.has(name)) name += '_';
      taken.add(name);
      return [slot, name];
    });
  return new Map(names);
}

class ThreadText {
  private readonly name: string;
  private readonly isAtRest: (control: Control) => boolean;

  constructor(
    private readonly printed: Printed,
    private readonly t: number,
    private readonly names: Names,
  ) {
    const { machine } = printed;
    this.name = machine.layout.program.threads[t].name.replace(/\W/g, '_');
    this.isAtRest = ({ place }) => machine.isAtRest(t, place);
  }

  lines(): readonly string[] {
    const { first, steps } = this.printed.threads[this.t];
    const others = [...steps.keys()].filter((control) => control !== first);
    return [
      ...['', `active proctype thread_${this.name}() {`],
      ...[first, ...others].flatMap((control) => this.place(control, steps.get(control)!)),
      // Who rests for ever, and where nothing is known, is here.
      ...[`end_${this.name}:`, '  false', '}'],
    ];
  }

  private place(control: Control, all: readonly GuardedStep[]): readonly string[] {
    const { t, printed } = this;
    const rests = printed.resting && this.isAtRest(control) && control.isIdle && all.length > 0;
    const stays = rests ? [`  :: goto end_${this.name} /* stays for ever */`] : [];
    const steps = [...all.map((step) => this.step(control, step)), ...stays];
    const head = `${this.label(control)}: ${comment(printed.placeText(t, control.place))}`;
    return [head, ...(steps.length === 0 ? ['  false;'] : ['  if', ...steps, '  fi;'])];
  }

  private label(control: Control): string {
    return `${this.mayEnd(control) ? 'end_' : ''}at_${this.name}_${control.id}`;
  }

  /** Is it no fault of the program if a run ends there? More room might let it go on. */
  private mayEnd(control: Control): boolean {
    return this.isAtRest(control) || control.known.moves?.full !== undefined;
  }

  private step(from: Control, { guard, actions, to, move }: GuardedStep): string {
    const { t, printed } = this;
    const when = isTrue(guard) ? [] : [expressionText(guard, this.nameOf)];
    if (to === undefined) {
      const body = atOnce([...when, 'beyond = 1', 'assert(!beyond)']);
      return `  :: ${body} goto end_${this.name}`;
    }
    const body = atOnce([...when, ...actions.map((action) => this.action(action))]);
    const target = printed.machine.controls.all[t][to];
    return `  :: ${body} goto ${this.label(target)} ${about(from, move)}`.trimEnd();
  }

  private action(action: SlotAction): string {
    const value = expressionText(action.value, this.nameOf);
    if (action.kind === 'assert') return `assert(${value})`;
    return `${this.nameOf(action.slot)} = ${value}`;
  }

  private readonly nameOf = (slot: Slot): string => this.names.get(slot)!;
}

/** Statements that are one step. Nothing behind the first one can block. */
const atOnce = ([first = 'true', ...others]: readonly string[]): string =>
  others.length === 0 ? `${first};` : `atomic { ${[first, ...others].join('; ')} }`;

/** What a step of a call is, in the words of the model. */
function about({ calls }: Control, { of }: GuardedStep['move']): string {
  if (of === undefined) return '';
  const { local } = calls[of.call];
  const { label } = local.site.events[of.step >> 1];
  if (local.own.inst[of.step >> 1]) return comment(label);
  return comment(`${label} is ${(of.step & 1) === 0 ? 'issued' : 'observed'}`);
}

/** A process that looks at all states. */
function watching({ questions: { watched }, failed }: Printed, names: Names): readonly string[] {
  const conditions = [
    ...watched.map(({ query, ok }) => ({
      ok: expressionText(ok, (slot) => names.get(slot)!),
      about: comment(showQuery(query)),
    })),
    ...(failed ? [{ ok: 'false', about: comment('assertions') }] : []),
  ];
  if (conditions.length === 0) return [];
  return [
    ...['', 'active proctype queries() {', 'end_queries:', '  if'],
    ...conditions.map(({ ok, about }) => `  :: ${atOnce([`!(${ok})`, `assert(${ok})`])} ${about}`),
    ...['  fi', '}'],
  ];
}
