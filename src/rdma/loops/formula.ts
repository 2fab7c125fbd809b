import { int, nameExpression } from '../../program/expression.js';
import type { Effect, StateFormula, VariableId } from './system.js';

/** What formulas over the variables of a system are made of. */

export const variable = (id: VariableId): StateFormula => nameExpression(id);

export const assignment = (variable: VariableId, value: StateFormula | number): Effect => ({
  variable,
  value: typeof value === 'number' ? int(value) : value,
});
