import type { ExpressionOver } from '../../program/expression.js';
import { binary, int, namesOf, substitute, unary } from '../../program/expression.js';
import { isFalse } from '../../program/formula.js';
import type {
  GuardedChoice,
  Effect,
  StateFormula,
  Phase,
  ProcessPlace,
  Process,
  System,
  VariableId,
} from './system.js';

/**
 * Simplifies a system. Variables that never change are replaced by numbers. Variables that nothing depends on are
 * removed, and so are choices that can never be taken.
 */
export function simplifiedSystem(system: System): System {
  let now = system;
  for (;;) {
    const constant = constants(now);
    const next = substituted(now, constant);
    const asked = askedFor(next);
    const kept = next.variables.flatMap((_, id) => (asked.has(id) ? [id] : []));
    if (kept.length === now.variables.length) return next;
    now = renumbered(next, kept);
  }
}

/** The variables that are only ever set to their initial value. */
function constants(system: System): ReadonlyMap<VariableId, number> {
  const changed = new Set<VariableId>();
  for (const { variable, value } of effectsOf(system)) {
    const { initial } = system.variables[variable];
    if (value.kind !== 'int' || value.value !== initial) changed.add(variable);
  }
  return new Map(
    system.variables.flatMap(({ initial }, id) =>
      changed.has(id) ? [] : [[id, initial] as const],
    ),
  );
}

/** The variables that a guard or the goal depends on. */
function askedFor(system: System): ReadonlySet<VariableId> {
  const { goal, processes } = system;
  const guards = processes.flatMap((p) => choicesOf(p).map((c) => c.guard));
  const asked = new Set([goal.cycle, goal.memory, ...guards].flatMap(namesOf));
  const effects = effectsOf(system);
  for (let before = -1; before < asked.size;) {
    before = asked.size;
    for (const { variable, value } of effects) {
      if (asked.has(variable)) namesOf(value).forEach((id) => asked.add(id));
    }
  }
  return asked;
}

const choicesOf = ({ places }: Process): readonly GuardedChoice[] =>
  places.flatMap(({ phases }) => phases.flatMap(({ choices }) => choices));

const effectsOf = ({ processes, starts }: System): readonly Effect[] => [
  ...starts.flatMap((s) => s.effects),
  ...processes.flatMap((p) => choicesOf(p).flatMap((c) => c.effects)),
];

function substituted(system: System, constant: ReadonlyMap<VariableId, number>): System {
  const truths = new Set(
    system.variables.flatMap(({ least, greatest }, id) =>
      least >= 0 && greatest <= 1 ? [id] : [],
    ),
  );
  const formula = (f: StateFormula): StateFormula =>
    folded(
      substitute(f, (id): StateFormula => {
        const value = constant.get(id);
        return value === undefined ? { kind: 'name', name: id } : int(value);
      }),
      (id) => truths.has(id),
    );
  return mapped(system, formula, (id) => (constant.has(id) ? undefined : id));
}

function renumbered(system: System, kept: readonly VariableId[]): System {
  const number = new Map(kept.map((id, at) => [id, at]));
  const formula = (f: StateFormula): StateFormula =>
    substitute(f, (id): StateFormula => ({ kind: 'name', name: number.get(id)! }));
  return {
    ...mapped(system, formula, (id) => number.get(id)),
    variables: kept.map((id) => system.variables[id]),
  };
}

/** Rewrites all formulas, and removes the effects on variables that no longer exist. */
function mapped(
  system: System,
  formula: (f: StateFormula) => StateFormula,
  variable: (id: VariableId) => VariableId | undefined,
): System {
  const effects = (list: readonly Effect[]): readonly Effect[] =>
    list.flatMap((e) => {
      const id = variable(e.variable);
      if (id === undefined) return [];
      const value = formula(e.value);
      // `x := x` has no effect.
      return value.kind === 'name' && value.name === id ? [] : [{ variable: id, value }];
    });
  const choice = (c: GuardedChoice): GuardedChoice => ({
    ...c,
    guard: formula(c.guard),
    effects: lasting(effects(c.effects)),
  });
  const phase = (p: Phase): Phase => ({
    ...p,
    choices: p.choices.map(choice).filter((c) => !isFalse(c.guard)),
  });
  const place = (p: ProcessPlace): ProcessPlace => ({ ...p, phases: p.phases.map(phase) });
  const { goal } = system;
  return {
    ...system,
    processes: system.processes.map((p) => ({ ...p, places: p.places.map(place) })),
    starts: system.starts.map((s) => ({ ...s, effects: effects(s.effects) })),
    goal: { cycle: formula(goal.cycle), memory: formula(goal.memory) },
  };
}

/** Removes the effects that are overwritten before they are read. */
function lasting(effects: readonly Effect[]): readonly Effect[] {
  const overwritten = new Set<VariableId>();
  return effects
    .toReversed()
    .flatMap((e) => {
      if (overwritten.has(e.variable)) return [];
      overwritten.add(e.variable);
      namesOf(e.value).forEach((id) => overwritten.delete(id));
      return [e];
    })
    .toReversed();
}

/** Removes operators whose result a number decides, as in `x + 0` or `0 && x`. `isTruth`: is a name 0 or 1? */
export function folded<Name>(
  e: ExpressionOver<Name>,
  isTruth: (name: Name) => boolean,
): ExpressionOver<Name> {
  const isLogical = (x: ExpressionOver<Name>): boolean => {
    switch (x.kind) {
      case 'int':
        return x.value === 0 || x.value === 1;
      case 'name':
        return isTruth(x.name);
      case 'unary':
        return x.op === '!';
      case 'binary':
        return ['=', '!=', '<', '<=', '>', '>=', '&&', '||'].includes(x.op);
    }
  };
  const visit = (x: ExpressionOver<Name>): ExpressionOver<Name> => {
    if (x.kind === 'unary') return unary(x.op, visit(x.arg));
    if (x.kind !== 'binary') return x;
    const [left, right] = [visit(x.left), visit(x.right)];
    if (x.op === '&&' || x.op === '||') {
      for (const [one, other] of [
        [left, right],
        [right, left],
      ]) {
        if (one.kind !== 'int') continue;
        const decides = (one.value !== 0) === (x.op === '||');
        if (decides) return int(x.op === '||' ? 1 : 0);
        if (isLogical(other)) return other;
      }
    }
    if (x.op === '*' && [left, right].some((f) => f.kind === 'int' && f.value === 0)) return int(0);
    if (x.op === '*' && left.kind === 'int' && left.value === 1) return right;
    if (x.op === '+' || x.op === '-') {
      if (right.kind === 'int' && right.value === 0) return left;
      if (x.op === '+' && left.kind === 'int' && left.value === 0) return right;
    }
    return binary(x.op, left, right);
  };
  return visit(e);
}
