import { leavesIn, mapLeaves } from '../parse/fold.js';
import type {
  CallArgument,
  LitmusExpr,
  LitmusLeaf,
  NameRef,
  Statement,
} from '../parse/litmus-ast.js';
import type { Span } from '../parse/diagnostics/index.js';
import { evaluatedIn, mapWords, targetsOf } from '../parse/statements.js';
import { constantIn } from './constants.js';
import { binaryExpr } from './expressions.js';
import type { InlinedCall } from './names.js';
import { familyOf, fresh, intExpr, nameExpr, refOf } from './names.js';
import { printExpr } from './print.js';
import type { LibraryScope } from './scope.js';

type Simple = Extract<Statement, { kind: 'assign' | 'call' }>;

/**
 * The first name in a statement that is a member of a held family, with an index that is known only when the program
 * runs.
 */
export function computedIndex(
  site: InlinedCall,
  scope: LibraryScope,
  s: Simple,
): NameRef | undefined {
  return refsOf(s).find(
    (ref) =>
      ref.index !== undefined &&
      constantIn(scope, ref.index) === undefined &&
      familyOf(site, scope, ref) !== undefined,
  );
}

const refsOf = (s: Simple): readonly NameRef[] => [
  ...targetsOf(s),
  ...evaluatedIn(s).flatMap(refsIn),
];

/** The names in an argument of a call. The family of a slice is known before anything runs. */
function refsIn(e: CallArgument): readonly NameRef[] {
  if (e.kind === 'peer' || e.kind === 'nodes') return [];
  return leavesIn<LitmusLeaf>(e).flatMap((leaf) => {
    if (leaf.kind === 'ref') return [leaf.ref];
    return leaf.kind === 'none' || leaf.kind === 'slice' ? [] : partsOf(leaf).flatMap(refsIn);
  });
}

const partsOf = (e: Extract<LitmusLeaf, { kind: 'tuple' | 'apply' }>): readonly CallArgument[] =>
  e.kind === 'tuple' ? e.parts : e.arguments;

/**
 * A statement for each member of a name's family, each under the condition that the index is that of the member. If no
 * member has the index, there is no execution.
 *
 * @param index the computed index, as an expression of the client's program
 * @param make makes the statement for an index that is a number
 */
export function chooseMember(
  site: InlinedCall,
  scope: LibraryScope,
  s: Simple,
  ref: NameRef,
  index: LitmusExpr,
  make: (one: Simple) => readonly Statement[],
): readonly Statement[] {
  const span = { ...site.span };
  const family = familyOf(site, scope, ref) ?? new Map<string, string>();
  const members = [...family.keys()].filter((key) => /^-?\d+$/.test(key)).map(Number);
  if (members.length === 0) {
    scope.report(
      ref.span,
      `the indices of '${ref.name.text}' are no numbers: none can be computed`,
    );
    return [];
  }
  const register = fresh(site, 'index');
  const made = members.map((member) => make(withIndex(s, ref, intExpr(site, member))));
  if (made.every((one) => one.length === 0)) return [];
  const chain = made.reduceRight<readonly Statement[]>((otherwise, then, i) => {
    const place = { ...span };
    const condition = binaryExpr(site, '=', nameExpr(site, register), intExpr(site, members[i]));
    return i === members.length - 1
      ? [{ kind: 'assume', condition, span: place }, ...then]
      : [{ kind: 'if', condition, then, else: otherwise, span: place }];
  }, []);
  const assigned: Statement = { kind: 'assign', target: refOf(site, register), value: index, span };
  return [assigned, ...chain];
}

/** The statement with another index of a name, wherever the name occurs with the same index. */
function withIndex(s: Simple, { object, name, index }: NameRef, other: LitmusExpr): Simple {
  const written = printExpr(index!);
  const place = (ref: NameRef): NameRef => {
    const same =
      ref.object?.text === object?.text &&
      ref.name.text === name.text &&
      ref.index !== undefined &&
      printExpr(ref.index) === written;
    return same ? { ...ref, index: other } : ref;
  };
  const inside = (e: LitmusExpr): LitmusExpr =>
    mapLeaves<LitmusLeaf, LitmusLeaf, { readonly span: Span }>(e, leaf);
  const leaf = (e: LitmusLeaf): LitmusExpr => {
    switch (e.kind) {
      case 'ref':
        return { ...e, ref: place(e.ref) };
      case 'tuple':
        return { ...e, parts: e.parts.map(inside) };
      case 'apply':
        return { ...e, arguments: e.arguments.map(argument) };
      case 'none':
      case 'slice':
        return e;
    }
  };
  const argument = (given: CallArgument): CallArgument =>
    given.kind === 'peer' || given.kind === 'nodes' ? given : inside(given);
  return s.kind === 'assign'
    ? mapWords(s, place, inside)
    : { ...s, target: s.target && place(s.target), arguments: s.arguments?.map(argument) };
}
