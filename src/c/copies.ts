import type { Span } from '../parse/diagnostics/index.js';
import { mapLeaves } from '../parse/fold.js';
import type { LitmusExpr, LitmusLeaf } from '../parse/litmus-ast.js';
import { namesIn } from './arithmetic.js';
import type { Core } from './core.js';
import type { Building, Value, Way } from './state.js';
import type { At } from './tree.js';

/**
 * Before the register of a variable is written: what has its value besides, as copies of structures, arguments and operands of requests do,
 * gets that from another register. Whether there is something.
 */
export function keepCopies(
  core: Core,
  register: string,
  key: string,
  { out, state }: Way,
  node: At,
): boolean {
  const uses = (value: Value): boolean => value.kind === 'runtime' && hasIn(value.expr, register);
  const values = [...state.values].filter(([other, value]) => other !== key && uses(value));
  const building = [...state.building].filter(([, all]) =>
    all.some(
      ({ operands = [], copied = [] }) =>
        operands.some(uses) || copied.some((expr) => hasIn(expr, register)),
    ),
  );
  if (values.length === 0 && building.length === 0) return false;
  const kept = core.refTo(core.fresh('kept'), node);
  const span = core.spanOf(node);
  out.push({ kind: 'assign', target: kept, value: core.refExpr(register, node), span });
  const renamed = (expr: LitmusExpr): LitmusExpr =>
    mapLeaves<LitmusLeaf, LitmusLeaf, { readonly span: Span }>(expr, (leaf) =>
      leaf.kind === 'ref' && leaf.ref.name.text === register
        ? { ...leaf, ref: { ...leaf.ref, name: kept.name } }
        : leaf,
    );
  const changed = (value: Value): Value =>
    value.kind === 'runtime' ? { ...value, expr: renamed(value.expr) } : value;
  for (const [other, value] of values) state.values.set(other, changed(value));
  for (const [pair, all] of building) {
    state.building.set(
      pair,
      all.map((one): Building => {
        const { operands, copied } = one;
        return {
          ...one,
          ...(operands && { operands: operands.map(changed) }),
          ...(copied && { copied: copied.map(renamed) }),
        };
      }),
    );
  }
  return true;
}

/** Does something that is known use a register? */
export const isKept = ({ values }: Way['state'], register: string): boolean =>
  [...values.values()].some((value) => value.kind === 'runtime' && hasIn(value.expr, register));

const hasIn = (expr: LitmusExpr, name: string): boolean => namesIn(expr).includes(name);
