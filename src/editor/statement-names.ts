import type {
  CallArgument,
  CallStatement,
  LitmusExpr,
  Ident,
  NameRef,
  NodeSet,
  Statement,
} from '../parse/litmus-ast.js';
import { statementsOf } from '../parse/statements.js';

/** What a name in a statement is used as. */
export type Use =
  | { readonly as: 'read' | 'written'; readonly ref: NameRef }
  | { readonly as: 'queuePair'; readonly name: Ident; readonly node: Ident }
  | { readonly as: 'node' | 'work' | 'set' | 'ghost' | 'stamp' | 'applied'; readonly name: Ident }
  | { readonly as: 'mark' | 'index'; readonly name: Ident; readonly whole: Statement['span'] }
  | {
      readonly as: 'operation';
      readonly name: Ident;
      readonly library?: Ident;
      readonly statement: CallStatement;
    };

/** Hears every name of statements, in order of place as far as one sees it. */
export type Hear = (use: Use) => void;

/** Tells every name in a body, and in the bodies inside of it. */
export function namesInBody(body: readonly Statement[], hear: Hear): void {
  for (const s of statementsOf(body)) namesIn(s, hear);
}

function namesIn(s: Statement, hear: Hear): void {
  switch (s.kind) {
    case 'assign':
      ofRef(s.target, 'written', hear);
      ofWork(s.work, hear);
      ofExpr(s.value, hear);
      return s.stands?.forEach((name) => hear({ as: 'stamp', name }));
    case 'call': {
      if (s.target) ofRef(s.target, 'written', hear);
      ofWork(s.work, hear);
      hear({ as: 'operation', name: s.name, library: s.library, statement: s });
      s.arguments?.forEach((argument) => ofArgument(argument, hear));
      return s.stands?.forEach((name) => hear({ as: 'stamp', name }));
    }
    case 'assume':
    case 'assert':
    case 'if':
    case 'while':
      return ofExpr(s.condition, hear);
    case 'critical':
    case 'point':
      return hear({ as: 'mark', name: s.name, whole: s.span });
    case 'ghost':
      hear({ as: 'ghost', name: s.name });
      return ofExpr(s.value, hear);
    case 'for':
      hear({ as: 'index', name: s.variable, whole: s.span });
      if (s.over.kind !== 'range') return ofNodes(s.over, hear);
      ofExpr(s.over.from, hear);
      return ofExpr(s.over.to, hear);
    case 'return':
      return s.value.kind === 'call' ? undefined : ofExpr(s.value, hear);
    case 'skip':
    case 'loop':
    case 'choose':
    case 'inlined':
      return;
  }
}

function ofWork(work: Ident | undefined, hear: Hear): void {
  if (work !== undefined) hear({ as: 'work', name: work });
}

function ofRef(ref: NameRef, as: 'read' | 'written', hear: Hear): void {
  hear({ as, ref });
  if (ref.index) ofExpr(ref.index, hear);
  if (ref.node) hear({ as: 'node', name: ref.node });
  if (ref.node && ref.queuePair) hear({ as: 'queuePair', name: ref.queuePair, node: ref.node });
}

/** Tells every name in an expression. */
export function ofExpr(e: LitmusExpr, hear: Hear): void {
  switch (e.kind) {
    case 'int':
    case 'none':
      return;
    case 'ref':
      return ofRef(e.ref, 'read', hear);
    case 'tuple':
      return e.parts.forEach((part) => ofExpr(part, hear));
    case 'slice':
      hear({ as: 'applied', name: e.name });
      ofExpr(e.from, hear);
      return ofExpr(e.to, hear);
    case 'apply':
      return e.arguments.forEach((argument) => ofArgument(argument, hear));
    case 'unary':
      return ofExpr(e.arg, hear);
    case 'binary':
      ofExpr(e.left, hear);
      return ofExpr(e.right, hear);
  }
}

function ofArgument(argument: CallArgument, hear: Hear): void {
  if (argument.kind === 'peer') {
    hear({ as: 'node', name: argument.node });
    hear({ as: 'queuePair', name: argument.queuePair, node: argument.node });
  } else if (argument.kind === 'nodes') ofNodes(argument.set, hear);
  else ofExpr(argument, hear);
}

/** Tells every name in a set of nodes. */
export function ofNodes(set: NodeSet, hear: Hear): void {
  switch (set.kind) {
    case 'all':
      return;
    case 'set':
      return set.nodes.forEach((name) => hear({ as: 'node', name }));
    case 'difference':
      ofNodes(set.left, hear);
      return ofNodes(set.right, hear);
    case 'named':
      return hear({ as: 'set', name: set.name });
    case 'nodesOf':
      return hear({ as: 'set', name: set.of });
    case 'union':
      return set.sets.forEach((one) => ofNodes(one, hear));
  }
}
