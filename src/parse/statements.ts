import type { CallArgument, LitmusExpr, NameRef, Statement } from './litmus-ast.js';

/** The same statement with each of its bodies replaced. */
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

/** The bodies of a statement: the branches of an `if`, what a loop repeats. Not the bodies inside of these. */
export function branchesOf(s: Statement): readonly (readonly Statement[])[] {
  const bodies: (readonly Statement[])[] = [];
  mapBranches(s, (body) => {
    bodies.push(body);
    return body;
  });
  return bodies;
}

/** The expressions that a statement evaluates itself, and the arguments of its call. Not those in its bodies. */
export function evaluatedIn(s: Statement): readonly CallArgument[] {
  switch (s.kind) {
    case 'assign':
      return [s.value, ...(s.more?.values ?? [])];
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

type Assignment = Extract<Statement, { kind: 'assign' }>;

/** Both sides of an assignment, word by word. One side may have more than the other. */
export const wordsOf = ({
  target,
  value,
  more,
}: Assignment): {
  readonly targets: readonly NameRef[];
  readonly values: readonly LitmusExpr[];
} => ({
  targets: [target, ...(more?.targets ?? [])],
  values: [value, ...(more?.values ?? [])],
});

/** The same assignment with other names and values. */
export const mapWords = (
  s: Assignment,
  target: (ref: NameRef) => NameRef,
  value: (e: LitmusExpr) => LitmusExpr,
): Assignment => ({
  ...s,
  target: target(s.target),
  value: value(s.value),
  ...(s.more !== undefined && {
    more: { targets: s.more.targets.map(target), values: s.more.values.map(value) },
  }),
});

/** The names that a statement itself gives values to, from left to right. */
export function targetsOf(s: Statement): readonly NameRef[] {
  if (s.kind === 'assign') return wordsOf(s).targets;
  return s.kind === 'call' && s.target !== undefined ? [s.target] : [];
}

/** All statements of a body, and of the bodies in it, in textual order. */
export function* statementsOf(body: readonly Statement[]): Generator<Statement> {
  for (const s of body) {
    yield s;
    if (s.kind === 'return' && s.value.kind === 'call') yield s.value;
    for (const inner of branchesOf(s)) yield* statementsOf(inner);
  }
}
