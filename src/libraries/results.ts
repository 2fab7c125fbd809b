import type { CallStatement, LitmusExpr, Statement } from '../parse/litmus-ast.js';
import { branchesOf, mapBranches } from '../parse/statements.js';

/**
 * A body without `return`: each `return` is replaced by `give` of its value. Statements after an `if` or a `choose`
 * that may return move into the branches that do not return. Loops do not return (`check.ts`).
 */
export function withoutReturns(
  body: readonly Statement[],
  give: (value: LitmusExpr | CallStatement) => Statement,
): readonly Statement[] {
  const done: Statement[] = [];
  for (const [i, s] of body.entries()) {
    if (s.kind === 'return') return [...done, give(s.value)];
    if (!mayReturn([s])) {
      done.push(s);
      continue;
    }
    const rest = body.slice(i + 1);
    const goesOn = (branch: readonly Statement[]): readonly Statement[] =>
      withoutReturns(alwaysReturns(branch) ? branch : [...branch, ...rest], give);
    if (isConditional(s)) return [...done, mapBranches(s, goesOn)];
  }
  return done;
}

/** Does some path through a body return? */
export function mayReturn(body: readonly Statement[]): boolean {
  return body.some((s) => s.kind === 'return' || branchesOf(s).some(mayReturn));
}

/** Does every path through a body return? */
export function alwaysReturns(body: readonly Statement[]): boolean {
  return body.some(
    (s) => s.kind === 'return' || (isConditional(s) && branchesOf(s).every(alwaysReturns)),
  );
}

const isConditional = (s: Statement): boolean => s.kind === 'if' || s.kind === 'choose';
