import type { LitmusExpr, Statement, ThreadDecl } from '../parse/litmus-ast.js';
import type { Report } from './report.js';

/**
 * Reports every read of a register that is not written on all paths to it. It would read 0, and that is
 * probably not what was meant. `registers` are the thread's.
 */
export function checkAssigned(
  thread: ThreadDecl,
  registers: ReadonlySet<string>,
  report: Report,
): void {
  const reported = new Set<string>();

  const read = (e: LitmusExpr, assigned: ReadonlySet<string>): void => {
    if (e.kind === 'tuple') for (const part of e.parts) read(part, assigned);
    if (e.kind === 'unary') read(e.arg, assigned);
    if (e.kind === 'binary') {
      read(e.left, assigned);
      read(e.right, assigned);
    }
    if (e.kind !== 'ref') return;
    const { text } = e.ref.name;
    if (!registers.has(text) || assigned.has(text) || reported.has(text)) return;
    reported.add(text);
    report(e.span, `register '${text}' is read before it is written`, `write ${text} := 0 first`);
  };

  /** What is written on all paths after a body, given what is written on all paths before it. */
  const after = (body: readonly Statement[], before: ReadonlySet<string>): ReadonlySet<string> => {
    let assigned = new Set(before);
    for (const s of body) {
      switch (s.kind) {
        case 'assign':
          read(s.value, assigned);
          assigned.add(s.target.name.text);
          break;
        case 'call':
          for (const given of s.arguments ?? []) {
            if (given.kind !== 'peer' && given.kind !== 'nodes') read(given, assigned);
          }
          if (s.target !== undefined) assigned.add(s.target.name.text);
          break;
        case 'skip':
        case 'point':
          break;
        case 'ghost':
          read(s.value, assigned);
          break;
        case 'for':
        case 'return':
          break;
        case 'inlined':
        case 'critical':
          assigned = new Set(after(s.body, assigned));
          break;
        case 'assert':
        case 'assume':
          read(s.condition, assigned);
          break;
        case 'if': {
          read(s.condition, assigned);
          const [yes, no] = [after(s.then, assigned), after(s.else, assigned)];
          assigned = both([yes, no]);
          break;
        }
        case 'while':
          read(s.condition, assigned);
          after(s.body, assigned);
          break;
        case 'loop':
          after(s.body, assigned);
          break;
        case 'choose': {
          const before = assigned;
          assigned = both(s.branches.map((branch) => after(branch, before)));
          break;
        }
      }
    }
    return assigned;
  };

  after(thread.body, new Set());
}

function both(sets: readonly ReadonlySet<string>[]): Set<string> {
  const [first, ...rest] = sets;
  return new Set([...first].filter((name) => rest.every((s) => s.has(name))));
}
