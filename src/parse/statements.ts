import type { Statement } from './litmus-ast.js';

/** The same statement with each body inside of it replaced. */
export function withBranches(
  s: Statement,
  replace: (body: readonly Statement[]) => readonly Statement[],
): Statement {
  switch (s.kind) {
    case 'if':
      return { ...s, then: replace(s.then), else: replace(s.else) };
    case 'choose':
      return { ...s, branches: s.branches.map(replace) };
    case 'while':
    case 'loop':
    case 'for':
    case 'critical':
    case 'inlined':
      return { ...s, body: replace(s.body) };
    case 'assign':
    case 'call':
    case 'skip':
    case 'assume':
    case 'point':
    case 'ghost':
    case 'assert':
    case 'return':
      return s;
  }
}

/** The bodies inside of a statement. */
export function branchesOf(s: Statement): readonly (readonly Statement[])[] {
  const bodies: (readonly Statement[])[] = [];
  withBranches(s, (body) => {
    bodies.push(body);
    return body;
  });
  return bodies;
}

/** Every statement of a body, those inside of others included. */
export function* statementsOf(body: readonly Statement[]): Generator<Statement> {
  for (const s of body) {
    yield s;
    if (s.kind === 'return' && s.value.kind === 'call') yield s.value;
    for (const inner of branchesOf(s)) yield* statementsOf(inner);
  }
}
