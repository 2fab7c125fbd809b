import type { Cell, FlowGraph, FlowStep, FlowValue } from './graph.js';

/** The cells that a value is computed from. */
export function cellsOf(value: FlowValue): readonly Cell[] {
  switch (value.kind) {
    case 'int':
      return [];
    case 'cell':
      return [value.cell];
    case 'unary':
      return cellsOf(value.arg);
    case 'binary':
      return [...cellsOf(value.left), ...cellsOf(value.right)];
  }
}

/** The cells that a step reads. */
export function readsOf(step: FlowStep): readonly Cell[] {
  switch (step.kind) {
    case 'use':
      return step.use.given.flatMap((one) => (one.kind === 'value' ? cellsOf(one.value) : []));
    case 'set':
      return cellsOf(step.value);
    case 'assume':
    case 'assert':
    case 'branch':
      return cellsOf(step.condition);
    case 'choose':
    case 'rest':
    case 'goto':
    case 'pass':
    case 'leave':
    case 'cut':
      return [];
  }
}

/** The cell that a step gives a value. */
export function writtenBy(step: FlowStep): Cell | undefined {
  if (step.kind === 'set') return step.cell;
  return step.kind === 'use' ? step.result : undefined;
}

/**
 * An analysis that goes forward from what comes next: of each step, and of the end, what holds of all that may come from there on, the step itself among it. Sets only
 * grow, until nothing changes.
 *
 * @param end what holds at the end
 * @param before what holds before a step, by what holds behind it
 */
export function backwards<T>(
  { steps }: FlowGraph,
  end: ReadonlySet<T>,
  before: (step: FlowStep, at: number, behind: ReadonlySet<T>) => Iterable<T>,
): readonly ReadonlySet<T>[] {
  const found: Set<T>[] = Array.from({ length: steps.length + 1 }, () => new Set(end));
  for (let changed = true; changed;) {
    changed = false;
    for (let at = steps.length - 1; at >= 0; at--) {
      const behind = new Set<T>();
      for (const next of steps[at].next) for (const one of found[next]) behind.add(one);
      const { size } = found[at];
      for (const one of before(steps[at], at, behind)) found[at].add(one);
      changed ||= found[at].size !== size;
    }
  }
  return found;
}
