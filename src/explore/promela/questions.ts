import type { Slot } from '../../machine/compute.js';
import type { Control } from '../../machine/control.js';
import type { Machine } from '../../machine/machine.js';
import type { ExpressionOver } from '../../program/expression.js';
import { binary, int, nameExpression, namesOf } from '../../program/expression.js';
import { and, not, or, sumOf } from '../../program/formula.js';
import type { Proposition, RunQuery, RunSubject } from '../../program/program.js';
import { slotOf } from '../asked.js';
import { insideOf } from '../safety.js';
import type { SlotAction, GuardedStep, ThreadSteps } from './steps.js';
import { mapSteps } from './steps.js';

type Expression = ExpressionOver<Slot>;

/** What is asked of each state: a query holds where nothing makes `ok` false. */
export interface Watched {
  readonly query: RunQuery;
  readonly ok: Expression;
}

/** Whether a thread is inside of a block: a slot behind those of the machine. */
export interface Inside {
  readonly slot: Slot;
  readonly name: string;
  readonly thread: number;
  is(control: Control): boolean;
}

export interface PromelaQuestions {
  readonly watched: readonly Watched[];
  readonly insides: readonly Inside[];
  /** The slots that they read in each state. */
  readonly slots: ReadonlySet<Slot>;
}

/** What `exclusive` and `never` ask of states. */
export function questionsOf(machine: Machine, queries: readonly RunQuery[]): PromelaQuestions {
  const { layout } = machine;
  const { threads } = layout.program;
  const insides: Inside[] = [];
  const watched = queries.flatMap((query): Watched[] => {
    if (query.quantifier === 'never') {
      return [{ query, ok: not(formulaOf(query.condition, (s) => slotOf(layout, s))) }];
    }
    if (query.quantifier !== 'exclusive') return [];
    const bits = insideOf(query, machine).map(({ t: thread, places }) => {
      const name = `${threads[thread].name}_in_${query.section}`;
      const known = insides.find((one) => one.name === name);
      const slot = known?.slot ?? layout.size + insides.length;
      const is = ({ place }: Control): boolean => places[place] === 1;
      if (known === undefined) insides.push({ slot, name, thread, is });
      return nameExpression(slot);
    });
    const count = bits.reduce<Expression>(sumOf, int(0));
    return [{ query, ok: binary('<=', count, int(1)) }];
  });
  return { watched, insides, slots: new Set(watched.flatMap(({ ok }) => namesOf(ok))) };
}

function formulaOf(p: Proposition<RunSubject>, slot: (subject: RunSubject) => Slot): Expression {
  switch (p.kind) {
    case 'true':
      return int(1);
    case 'atom': {
      const right = p.right.kind === 'int' ? int(p.right.value) : nameExpression(slot(p.right));
      return binary(p.equal ? '=' : '!=', nameExpression(slot(p.left)), right);
    }
    case 'not':
      return not(formulaOf(p.arg, slot));
    case 'and':
      return and(formulaOf(p.left, slot), formulaOf(p.right, slot));
    case 'or':
      return or(formulaOf(p.left, slot), formulaOf(p.right, slot));
  }
}

/** The same steps, which also say where a thread enters and leaves blocks. */
export const withInsides = (
  threads: readonly ThreadSteps[],
  insides: readonly Inside[],
): readonly ThreadSteps[] =>
  threads.map((thread, t) => {
    const own = insides.filter((one) => one.thread === t);
    const controls = new Map([...thread.steps.keys()].map((control) => [control.id, control]));
    const changes = (from: Control, to: Control): readonly SlotAction[] =>
      own.flatMap(({ slot, is }): SlotAction[] =>
        is(from) === is(to) ? [] : [{ kind: 'set', slot, value: int(Number(is(to))) }],
      );
    const said = (step: GuardedStep, from: Control): GuardedStep => {
      if (step.to === undefined) return step;
      return { ...step, actions: [...step.actions, ...changes(from, controls.get(step.to)!)] };
    };
    return mapSteps(thread, (steps, control) => steps.map((step) => said(step, control)));
  });
