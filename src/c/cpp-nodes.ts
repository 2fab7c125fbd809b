import type { CNode } from './tree.js';
import { fieldOf, fieldsOf, partOf, partsOf } from './tree.js';

/** What nodes of C++ are, and what names they have. */

export const isBlock = ({ type }: CNode): boolean =>
  type === 'namespace_definition' ||
  type === 'linkage_specification' ||
  type === 'declaration_list';

export const isClass = ({ type }: CNode): boolean =>
  type === 'class_specifier' || type === 'struct_specifier';

/** The class that a declaration declares. */
export const classIn = (node: CNode): CNode | undefined => {
  const found = isClass(node) ? node : fieldOf(node, 'type');
  return found !== undefined && isClass(found) ? found : undefined;
};

export const hasBody = (node: CNode): boolean => fieldOf(node, 'body') !== undefined;

/** Does this declare an object, and no pointer or reference to one? */
export function isOfObject(declarator: CNode): boolean {
  const inner =
    declarator.type === 'init_declarator' ? partOf(declarator, 'declarator') : declarator;
  return /^(identifier|array_declarator)$/.test(inner.type);
}

/** Is this a constructor or destructor that does something, or of which nobody knows what it does? */
export function isMaking(node: CNode, name: string, of: string): boolean {
  if (name !== of && name !== `~${of}`) return false;
  const body = fieldOf(node, 'body');
  if (body === undefined) return !/=\s*default\s*;$/.test(node.text);
  return (
    partsOf(body).length > 0 || partsOf(node).some(({ type }) => type === 'field_initializer_list')
  );
}

/** Is something in a class a method, with its body or without? */
export const isMethod = (node: CNode): boolean =>
  node.type === 'function_definition' ||
  fieldsOf(node, 'declarator').some((one) => functionIn(one) !== undefined);

/** The declarator of a function in another one: `*f(int)` */
export function functionIn(node: CNode): CNode | undefined {
  if (node.type === 'function_declarator') return node;
  const inner =
    fieldOf(node, 'declarator') ??
    (/_declarator$/.test(node.type) ? partsOf(node).at(-1) : undefined);
  return inner && functionIn(inner);
}

export const functionOf = (node: CNode): CNode => {
  const declarator = partOf(node, 'declarator');
  return functionIn(declarator) ?? declarator;
};

export const innermost = (node: CNode): CNode => {
  const inner =
    fieldOf(node, 'declarator') ??
    (node.type === 'reference_declarator' ? partsOf(node).at(-1) : undefined);
  return inner === undefined ? node : innermost(inner);
};

export const nameOf = (declarator: CNode): readonly [inside: string | undefined, name: string] =>
  nameIn(fieldOf(declarator, 'declarator') ?? declarator);

/** The last two names of `a::b::c`. */
export function nameIn(node: CNode): readonly [inside: string | undefined, name: string] {
  const names = node.text.replaceAll(/<[^<>]*>|\s/g, '').split('::');
  return [names.at(-2), names.at(-1)!];
}

export const referencesOf = (declarator: CNode): readonly boolean[] =>
  partsOf(fieldOf(declarator, 'parameters') ?? declarator).map(
    (one) => fieldOf(one, 'declarator')?.type === 'reference_declarator',
  );

/** Notes what is declared in a tree, and what of that is a reference. */
export function noteNames(node: CNode, names: Set<string>, references: Set<string>): void {
  if (/^(declaration|parameter_declaration)$/.test(node.type)) {
    for (const one of fieldsOf(node, 'declarator')) {
      const declarator = one.type === 'init_declarator' ? partOf(one, 'declarator') : one;
      const { text } = innermost(declarator);
      names.add(text);
      if (declarator.type === 'reference_declarator') references.add(text);
    }
  }
  for (const one of partsOf(node)) noteNames(one, names, references);
}

/** T of `std::atomic<T>`. */
export function atomicIn(type: CNode): CNode | undefined {
  if (type.type === 'qualified_identifier') return atomicIn(partOf(type, 'name'));
  if (type.type !== 'template_type' || partOf(type, 'name').text !== 'atomic') return undefined;
  const [argument] = partsOf(partOf(type, 'arguments'));
  return argument && fieldOf(argument, 'type');
}
