import type { CCode } from './code.js';
import { pointed } from './memory.js';
import type { CNode } from './tree.js';
import { operatorOf, partOf, partsOf } from './tree.js';
import type { Type } from './types.js';
import { UNKNOWN } from './types.js';

/** The type of what the left side of a binding names, in terms of the parameters of functions. */
export function typeOfPath(node: CNode, code: CCode, functions: readonly string[]): Type {
  const of = (name: string): Type => typeOfPath(partOf(node, name), code, functions);
  switch (node.type) {
    case 'parenthesized_expression':
      return typeOfPath(partsOf(node)[0], code, functions);
    case 'cast_expression':
      return code.types.named(partOf(node, 'type'));
    case 'identifier': {
      const parameters = functions.flatMap((one) => code.functions.get(one)?.parameters ?? []);
      const found = parameters.find(({ name }) => name === node.text);
      return found?.type ?? code.globals.get(node.text)?.type ?? UNKNOWN;
    }
    case 'field_expression':
      return code.types.fieldType(ownerOf(node, code, functions), partOf(node, 'field').text);
    case 'subscript_expression':
      return pointed(of('argument'));
    case 'pointer_expression':
      return operatorOf(node) === '*'
        ? pointed(of('argument'))
        : { kind: 'pointer', to: of('argument') };
    default:
      return UNKNOWN;
  }
}

/** The type of what a member belongs to. */
function ownerOf(node: CNode, code: CCode, functions: readonly string[]): Type {
  const type = typeOfPath(partOf(node, 'argument'), code, functions);
  return operatorOf(node) === '.' ? type : pointed(type);
}

/** A number that is as large as an address, or a pointer to numbers: no queue pair is one. */
export const isAddress = (type: Type): boolean =>
  type.kind === 'pointer'
    ? type.to.kind === 'int' && type.to.size > 1
    : type.kind === 'int' && type.size === 8;

/** A member of a path that its structure does not have. */
export interface StrangeMember {
  readonly member: CNode;
  readonly of: string;
  /** The members that the structure has. */
  readonly known: readonly string[];
}

/** The innermost member of a path that its structure does not have; undefined: there is none. */
export function strangeMember(
  node: CNode,
  code: CCode,
  functions: readonly string[],
): StrangeMember | undefined {
  for (const one of partsOf(node)) {
    const found = strangeMember(one, code, functions);
    if (found !== undefined) return found;
  }
  if (node.type !== 'field_expression') return undefined;
  const member = partOf(node, 'field');
  const of = ownerOf(node, code, functions);
  const known = code.types.membersWithout(of, member.text);
  return known === undefined || of.kind !== 'struct' ? undefined : { member, of: of.name, known };
}
