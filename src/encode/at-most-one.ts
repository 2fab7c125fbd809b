import type { Formula, Lit } from './formula.js';

/** Up to so many literals, a clause for each pair takes no more clauses than a grid. */
const FEW = 5;

/**
 * Asserts that at most one of some literals is true. Many of them are put into the cells of a grid: at most one row and at
 * most one column has one that is true (Chen, A New SAT Encoding of the At-Most-One Constraint, ModRef 2010). For n
 * literals that takes some 2n clauses instead of n²/2.
 */
export function assertAtMostOne(lits: readonly Lit[], formula: Formula): void {
  if (lits.length <= FEW) {
    lits.forEach((a, i) => lits.slice(i + 1).forEach((b) => formula.assert(-a, -b)));
    return;
  }
  const width = Math.ceil(Math.sqrt(lits.length));
  const columns = lits.slice(0, width).map(() => formula.fresh());
  const rows = Array.from({ length: Math.ceil(lits.length / width) }, () => formula.fresh());
  lits.forEach((lit, i) => {
    formula.assert(-lit, rows[Math.floor(i / width)]);
    formula.assert(-lit, columns[i % width]);
  });
  assertAtMostOne(rows, formula);
  assertAtMostOne(columns, formula);
}
