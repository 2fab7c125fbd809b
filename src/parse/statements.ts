import type { CallArgument, Statement } from './litmus-ast.js';

/** The same statement with each body inside of it replaced. */
export function mapBranches(
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
  mapBranches(s, (body) => {
    bodies.push(body);
    return body;
  });
  return bodies;
}

/** What a statement evaluates itself, or hands over to what it calls. */
export function evaluatedIn(s: Statement): readonly CallArgument[] {
  switch (s.kind) {
    case 'assign':
    case 'ghost':
      return [s.value];
    case 'call':
      return s.arguments ?? [];
    case 'assume':
    case 'assert':
    case 'if':
    case 'while':
      return [s.condition];
    case 'return':
      return s.value.kind === 'call' ? evaluatedIn(s.value) : [s.value];
    case 'for':
      return s.over.kind === 'range' ? [s.over.from, s.over.to] : [];
    case 'skip':
    case 'critical':
    case 'point':
    case 'loop':
    case 'choose':
    case 'inlined':
      return [];
  }
}

/** Every statement of a body, those inside of others included. */
export function* statementsOf(body: readonly Statement[]): Generator<Statement> {
  for (const s of body) {
    yield s;
    if (s.kind === 'return' && s.value.kind === 'call') yield s.value;
    for (const inner of branchesOf(s)) yield* statementsOf(inner);
  }
}
