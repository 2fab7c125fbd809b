import type { Report } from '../parse/diagnostics/index.js';
import { leavesIn } from '../parse/fold.js';
import type { LitmusExpr, LitmusLeaf, Statement, ThreadDecl } from '../parse/litmus-ast.js';
import { branchesOf, evaluatedIn, targetsOf } from '../parse/statements.js';

/**
 * Reports every read of a register that is not written on all paths before the read. It would read 0, which is probably
 * not meant. `registers` are the thread's.
 */
export function checkAssigned(
  thread: ThreadDecl,
  registers: ReadonlySet<string>,
  report: Report,
): void {
  const reported = new Set<string>();

  const read = (e: LitmusExpr, assigned: ReadonlySet<string>): void => {
    for (const leaf of leavesIn<LitmusLeaf>(e)) {
      if (leaf.kind === 'tuple') for (const part of leaf.parts) read(part, assigned);
      if (leaf.kind !== 'ref') continue;
      const { text } = leaf.ref.name;
      if (!registers.has(text) || assigned.has(text) || reported.has(text)) continue;
      reported.add(text);
      const message = `register '${text}' is read before it is written`;
      report(leaf.span, message, `write ${text} := 0 first`);
    }
  };

  /** The registers that are written on all paths after a body, given those that are written on all paths before it. */
  const after = (body: readonly Statement[], before: ReadonlySet<string>): ReadonlySet<string> => {
    let assigned = new Set(before);
    for (const s of body) {
      // Only implementations have these.
      if (s.kind === 'for' || s.kind === 'return') continue;
      for (const given of evaluatedIn(s)) {
        if (given.kind !== 'peer' && given.kind !== 'nodes') read(given, assigned);
      }
      for (const { name } of targetsOf(s)) assigned.add(name.text);
      const ends = branchesOf(s).map((branch) => after(branch, assigned));
      // A loop may have no iteration.
      if (ends.length > 0 && s.kind !== 'while' && s.kind !== 'loop') assigned = both(ends);
    }
    return assigned;
  };

  after(thread.body, new Set());
}

function both(sets: readonly ReadonlySet<string>[]): Set<string> {
  const [first, ...rest] = sets;
  return new Set([...first].filter((name) => rest.every((s) => s.has(name))));
}
