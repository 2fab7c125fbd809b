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
 * What the numbers of a proof mean, section by section: events, what registers are at the end, conditions that must be true, divisors, ends
 * of unrolling, and the values that all of these name. `r7` is what event 7 reads, `c0` is a free choice, `v5` stands among the values.
 */
export function listingOf(structure: EventStructure): readonly string[] {
  const { events, program, values, registers, constraints, divisions, cuts } = structure;
  const named = new Set<ValueId>();
  const sections: readonly (readonly [head: string, lines: readonly string[]])[] = [
    [
      'events',
      events.map(
        (e) => `${e.id} ${ownerOf(e)} ${e.label}${placeOf(e)}${written(e)}${guard(e.path)}`,
      ),
    ],
    [
      'registers',
      program.threads.flatMap(({ name, registers: own }, t) =>
        own.map((register, i) => `${name} ${register} = ${text(registers[t][i])}`),
      ),
    ],
    ['assumed', constraints.map(conditionLine)],
    ['divisors', divisions.map(conditionLine)],
    [
      'bounds',
      cuts.map(({ thread, path }, i) => `${i} ${program.threads[thread].name}${guard(path)}`),
    ],
  ];
  const all = [...sections, ['values', valueLines()] as const];
  return all.flatMap(([head, lines]) =>
    lines.length === 0 ? [] : [head, ...lines.map((line) => `  ${line}`)],
  );

  function ownerOf({ thread }: Event): string {
    return thread === INITIAL ? '-' : program.threads[thread].name;
  }

  function placeOf({ location }: Event): string {
    if (location === undefined) return '';
    const { name, node } = program.locations[location];
    return ` ${name}@${node}`;
  }

  function written({ value }: Event): string {
    return value === undefined ? '' : ` := ${text(value)}`;
  }

  function guard(path: Path): string {
    const branches = path.map(({ condition, taken }) => `${taken ? '' : 'not '}${text(condition)}`);
    return branches.length === 0 ? '' : ` if ${branches.join(', ')}`;
  }

  function conditionLine({ thread, path, condition }: Constraint, i: number): string {
    return `${i} ${program.threads[thread].name} ${text(condition)}${guard(path)}`;
  }

  function text(id: ValueId): string {
    const value = values[id];
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
        named.add(id);
        return `v${id}`;
    }
  }

  /** The values that are named, and those that these name. */
  function valueLines(): readonly string[] {
    const lines = new Map<ValueId, string>();
    for (const id of named) lines.set(id, `v${id} = ${definition(id)}`);
    return [...lines].sort(([a], [b]) => a - b).map(([, line]) => line);
  }

  function definition(id: ValueId): string {
    const value = values[id];
    switch (value.op) {
      case 'unary':
        return `${value.fn}${text(value.arg)}`;
      case 'binary':
        return `${text(value.left)} ${value.fn} ${text(value.right)}`;
      case 'select':
        return `${text(value.then)} if ${text(value.condition)}, else ${text(value.else)}`;
      case 'const':
      case 'read':
      case 'choice':
        return text(id);
    }
  }
}
