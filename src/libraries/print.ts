import { expressionText } from '../parse/fold.js';
import type {
  CallArgument,
  LitmusExpr,
  LitmusLeaf,
  NameRef,
  NodeSet,
  Statement,
} from '../parse/litmus-ast.js';

/** Parts of clients as litmus text, for messages and for the heads of inlined calls. */

/** The text of a call, without its target. */
export function printCall({
  library,
  name,
  tags = [],
  arguments: given,
}: Pick<Extract<Statement, { kind: 'call' }>, 'library' | 'name' | 'tags' | 'arguments'>): string {
  const called = library === undefined ? name.text : `${library.text}.${name.text}`;
  const marks = tags.map(({ text }) => `[${text}]`).join('');
  const form = marks === '' ? called : `${called} ${marks} `;
  return given === undefined ? form : `${form}(${given.map(printArgument).join(', ')})`;
}

function printArgument(given: CallArgument): string {
  if (given.kind === 'peer') return `${given.node.text}.${given.queuePair.text}`;
  return given.kind === 'nodes' ? printNodes(given.set) : printExpr(given);
}

export function printNodes(set: NodeSet): string {
  switch (set.kind) {
    case 'all':
      return 'nodes';
    case 'set':
      return `{${set.nodes.map(({ text }) => text).join(', ')}}`;
    case 'difference':
      return `${printNodes(set.left)} \\ ${printNodes(set.right)}`;
    case 'named':
      return set.name.text;
    case 'nodesOf':
      return `nodes(${set.of.text})`;
    case 'union':
      return set.sets.map(printNodes).join(' + ');
  }
}

export function printRef({ object, name, index, node, queuePair }: NameRef): string {
  return [
    object && `${object.text}.`,
    name.text,
    index && `[${printExpr(index)}]`,
    node && `^${node.text}`,
    queuePair && `.${queuePair.text}`,
  ].join('');
}

export const printExpr = (e: LitmusExpr): string => expressionText(e, String, printLeaf);

function printLeaf(e: LitmusLeaf): string {
  switch (e.kind) {
    case 'none':
      return 'none';
    case 'ref':
      return printRef(e.ref);
    case 'tuple':
      return `<${e.parts.map(printExpr).join(', ')}>`;
    case 'slice':
      return `${e.name.text}[${printExpr(e.from)} .. ${printExpr(e.to)}]`;
    case 'apply':
      return `${e.name.text}(${e.arguments.map(printArgument).join(', ')})`;
  }
}
