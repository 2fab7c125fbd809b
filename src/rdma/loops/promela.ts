import { comment, expressionText } from '../../explore/promela/syntax.js';
import type { Span } from '../../parse/diagnostics/index.js';
import { and } from '../../program/formula.js';
import type {
  GuardedChoice,
  Effect,
  StateFormula,
  Phase,
  PlaceId,
  Process,
  System,
  Variable,
} from './system.js';

/**
 * A system as a Promela model for SPIN. Each process is a proctype, and each step an atomic sequence. The main process
 * chooses the start, and asserts that the goal is not reached.
 *
 * Traces are prefix-closed: a thread may stop anywhere. So labels begin with `end`, and SPIN does not report a thread
 * that stops as a deadlock.
 *
 * @param place the words for an instruction, to go into a comment
 */
export function promelaOf(system: System, place: (span: Span) => string): string {
  const { variables, processes, starts, goal } = system;
  const text = (f: StateFormula): string => formulaText(f, variables);
  const cut = processes.some((p) => isReached(p, 'cut') || isReached(p, 'undefined'));
  const lines = [
    ...(cut ? LEFT_OUT : []),
    ...variables.map(declaration),
    '',
    ...processes.flatMap((p) => [...processText(p, variables, place), '']),
    'init {',
    '  atomic {',
    '    if /* which cycle is looked for */',
    ...starts.flatMap(({ effects, about }) => [
      `    :: ${sequence(effects, variables)} ${comment(about)}`,
    ]),
    '    fi;',
    ...processes.map((p) => `    run ${proctype(p)}();`),
    '  }',
    `end_cycle: ${comment(isOpen(goal.memory) ? 'the cycle is complete, and what was guessed is so' : 'the cycle is complete')}`,
    `  atomic { ${text(and(goal.cycle, goal.memory))} -> assert(false) }`,
    '}',
  ];
  return `${lines.join('\n')}\n`;
}

const LEFT_OUT = [
  '#ifdef STRICT',
  '#define LEFT_OUT assert(false)',
  '#else',
  '#define LEFT_OUT skip',
  '#endif',
  '',
];

const isOpen = (f: StateFormula): boolean => f.kind !== 'int';

function isReached({ places }: Process, why: 'cut' | 'undefined'): boolean {
  return places.some(({ phases }) =>
    phases.some(({ choices }) =>
      choices.some((c) => c.to !== undefined && places[c.to].stop === why),
    ),
  );
}

const proctype = ({ name }: Process): string => `thread_${name}`;

function declaration({ name, initial, least, greatest, about, scratch }: Variable): string {
  // SPIN does not allow `hidden bit`.
  const type =
    least >= 0 && greatest <= 1 && scratch !== true
      ? 'bit'
      : least >= 0 && greatest <= 255
        ? 'byte'
        : least >= -32768 && greatest <= 32767
          ? 'short'
          : 'int';
  const value = initial === 0 ? '' : ` = ${initial}`;
  return `${scratch === true ? 'hidden ' : ''}${type} ${name}${value}; ${comment(about)}`;
}

function processText(
  process: Process,
  variables: readonly Variable[],
  sourceOf: (span: Span) => string,
): readonly string[] {
  const writer = new ProcessWriter(process, variables, sourceOf);
  return [`proctype ${proctype(process)}() {`, ...writer.body(), `${writer.end}: skip`, '}'];
}

class ProcessWriter {
  readonly end: string;

  constructor(
    private readonly process: Process,
    private readonly variables: readonly Variable[],
    private readonly sourceOf: (span: Span) => string,
  ) {
    this.end = `end_${process.name}`;
  }

  body(): readonly string[] {
    return this.process.places.flatMap(({ urgent, phases }, id) =>
      urgent || phases.length === 0
        ? []
        : [
            `${this.label(id)}: ${this.about(id)}`,
            '  atomic {',
            ...this.from(phases, 0, '    '),
            '  }',
          ],
    );
  }

  private label(id: PlaceId): string {
    return `${this.end}_${id}`;
  }

  /** What a process does when a step has led it to a place. */
  private arrival(id: PlaceId, indent: string): readonly string[] {
    const { urgent, phases, stop } = this.process.places[id];
    if (urgent) return [`${indent}${this.about(id)}`, ...this.from(phases, 0, indent)];
    if (stop !== undefined) return [`${indent}LEFT_OUT; goto ${this.end}`];
    return [`${indent}goto ${phases.length === 0 ? this.end : this.label(id)}`];
  }

  private about(id: PlaceId): string {
    const { span } = this.process.places[id];
    return span === undefined ? '' : comment(this.sourceOf(span));
  }

  /** The phases of a step from number `index` on, and all that follows in the same step. */
  private from(phases: readonly Phase[], index: number, indent: string): readonly string[] {
    const phase = phases[index];
    if (phase === undefined) return [];
    const { choices } = phase;
    if (choices.length === 0) return [`${indent}false`];
    // Most choices lead to the same place. What follows there is written once, after the choices.
    const isLast = index === phases.length - 1;
    const common = isLast ? this.mostCommon(choices) : undefined;
    const rest =
      common === undefined ? this.from(phases, index + 1, indent) : this.arrival(common, indent);
    const [only] = choices;
    if (choices.length === 1 && !isOpen(only.guard)) {
      return [...this.statements(only.effects, indent), ...rest];
    }
    return [
      `${indent}if${phase.about === '' ? '' : ` ${comment(phase.about)}`}`,
      ...choices.flatMap((choice) => this.alternative(choice, common, indent)),
      `${indent}fi${rest.length > 0 ? ';' : ''}`,
      ...rest,
    ];
  }

  private alternative(
    choice: GuardedChoice,
    common: PlaceId | undefined,
    indent: string,
  ): readonly string[] {
    const { variables } = this;
    const elsewhere = choice.to !== undefined && choice.to !== common;
    const done = [
      ...(isOpen(choice.guard) ? [`${formulaText(choice.guard, variables)} ->`] : []),
      ...(choice.effects.length > 0 ? [`${sequence(choice.effects, variables)}`] : []),
    ].join(' ');
    const what = done === '' || done.endsWith('->') ? `${done} skip`.trim() : done;
    const why = choice.about === undefined ? '' : ` ${comment(choice.about)}`;
    if (!elsewhere) return [`${indent}:: ${what}${why}`];
    return [`${indent}:: ${what};${why}`, ...this.arrival(choice.to!, `${indent}   `)];
  }

  /** The place that most choices of a last phase lead to, if possible one where the process does not end. */
  private mostCommon(choices: readonly GuardedChoice[]): PlaceId | undefined {
    const { places } = this.process;
    const targets = choices.flatMap((c) => (c.to === undefined ? [] : [c.to]));
    return (
      targets.find((to) => places[to].phases.length > 0) ??
      targets.find((to) => places[to].stop === undefined)
    );
  }

  private statements(effects: readonly Effect[], indent: string): readonly string[] {
    return effects.length === 0 ? [] : [`${indent}${sequence(effects, this.variables)};`];
  }
}

const sequence = (effects: readonly Effect[], variables: readonly Variable[]): string =>
  effects
    .map(({ variable, value }) => `${variables[variable].name} = ${formulaText(value, variables)}`)
    .join('; ');

const formulaText = (f: StateFormula, variables: readonly Variable[]): string =>
  expressionText(f, (variable) => variables[variable].name);
