import { valueText } from '../parse/values.js';
import type {
  Constraint,
  Event,
  EventStructure,
  Path,
  ValueId,
} from '../program/events/structure.js';
import { INITIAL } from '../program/events/structure.js';

/**
 * What the numbers of a proof mean, section by section: events, final values of registers, conditions that must be
 * true, divisors, ends of unrolling, and the values that these name. `r7` is what event 7 reads, `c0` is a free choice,
 * `v5` is one of the values.
 */
export const listingOf = (structure: EventStructure): readonly string[] =>
  new Listing(structure).lines();

class Listing {
  /** The values that lines name. */
  private readonly named = new Set<ValueId>();

  constructor(private readonly structure: EventStructure) {}

  lines(): readonly string[] {
    const { events, program, registers, constraints, divisions, cuts } = this.structure;
    const conditions = (all: readonly Constraint[]): readonly string[] =>
      all.map((one, i) => this.condition(one, i));
    return [
      ...section(
        'events',
        events.map((e) => this.event(e)),
      ),
      ...section(
        'registers',
        program.threads.flatMap(({ name, registers: own }, t) =>
          own.map((register, i) => `${name} ${register} = ${this.text(registers[t][i])}`),
        ),
      ),
      ...section('assumed', conditions(constraints)),
      ...section('divisors', conditions(divisions)),
      ...section(
        'bounds',
        cuts.map(
          ({ thread, path }, i) => `${i} ${program.threads[thread].name}${this.guard(path)}`,
        ),
      ),
      // The values that the sections name are known when these are written.
      ...section('values', this.values()),
    ];
  }

  private event(e: Event): string {
    const { program } = this.structure;
    const owner = e.thread === INITIAL ? '-' : program.threads[e.thread].name;
    const written = e.value === undefined ? '' : ` := ${this.text(e.value)}`;
    return `${e.id} ${owner} ${e.label}${this.place(e)}${written}${this.guard(e.path)}`;
  }

  private place({ location }: Event): string {
    if (location === undefined) return '';
    const { name, node } = this.structure.program.locations[location];
    return ` ${name}@${node}`;
  }

  private guard(path: Path): string {
    const branches = path.map(
      ({ condition, taken }) => `${taken ? '' : 'not '}${this.text(condition)}`,
    );
    return branches.length === 0 ? '' : ` if ${branches.join(', ')}`;
  }

  private condition({ thread, path, condition }: Constraint, i: number): string {
    const { name } = this.structure.program.threads[thread];
    return `${i} ${name} ${this.text(condition)}${this.guard(path)}`;
  }

  private text(id: ValueId): string {
    const value = this.structure.values[id];
    switch (value.op) {
      case 'const':
        return valueText(value.value);
      case 'read':
        return `r${value.event}`;
      case 'choice':
        return `c${value.choice}`;
      case 'unary':
      case 'binary':
      case 'select':
        this.named.add(id);
        return `v${id}`;
    }
  }

  /** The lines of the values that are named, directly or by other values. */
  private values(): readonly string[] {
    const lines = new Map<ValueId, string>();
    for (const id of this.named) lines.set(id, `v${id} = ${this.definition(id)}`);
    return [...lines].sort(([a], [b]) => a - b).map(([, line]) => line);
  }

  private definition(id: ValueId): string {
    const value = this.structure.values[id];
    switch (value.op) {
      case 'unary':
        return `${value.fn}${this.text(value.arg)}`;
      case 'binary':
        return `${this.text(value.left)} ${value.fn} ${this.text(value.right)}`;
      case 'select':
        return `${this.text(value.then)} if ${this.text(value.condition)}, else ${this.text(value.else)}`;
      case 'const':
      case 'read':
      case 'choice':
        return this.text(id);
    }
  }
}

const section = (head: string, lines: readonly string[]): readonly string[] =>
  lines.length === 0 ? [] : [head, ...lines.map((line) => `  ${line}`)];
