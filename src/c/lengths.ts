import { expressionOf } from './pieces.js';
import { folded, foldedUnary, isKnown, literalOf } from './numbers.js';
import type { Value } from './state.js';
import type { CNode } from './tree.js';
import { fieldOf, operatorOf, partOf, partsOf } from './tree.js';
import type { Type, Types } from './types.js';
import { UNKNOWN, WORD } from './types.js';

/** What constant expressions are made of that are no literals: lengths of arrays. */
export interface Names {
  readonly types: Types;
  /** The text that a macro, an enumerator or a constant stands for. */
  textOf(name: string): string | undefined;
  /** The type of a variable. */
  typeOf(name: string): Type | undefined;
}

/** The value of a constant expression; undefined: it is none. */
export function constantOf(node: CNode, names: Names, depth = 0): number | undefined {
  const value = valueOf(node, names, depth);
  return value?.kind === 'int' ? value.value : undefined;
}

function valueOf(node: CNode, names: Names, depth: number): Value | undefined {
  const of = (field: string): Value | undefined => valueOf(partOf(node, field), names, depth);
  switch (node.type) {
    case 'number_literal':
      return literalOf(node.text)?.value;
    case 'parenthesized_expression':
      return valueOf(partsOf(node)[0], names, depth);
    case 'cast_expression':
      return of('value');
    case 'identifier': {
      const text = depth > 50 ? undefined : names.textOf(node.text);
      const expression = text === undefined ? undefined : expressionOf(text);
      return expression && valueOf(expression, names, depth + 1);
    }
    case 'sizeof_expression': {
      const named = fieldOf(node, 'type');
      const type = named
        ? names.types.named(named)
        : (names.types.inParentheses(partOf(node, 'value')) ??
          typeOf(partOf(node, 'value'), names));
      const size = names.types.sizeOf(type);
      return size === undefined ? undefined : { kind: 'int', value: size };
    }
    case 'unary_expression': {
      const value = of('argument');
      return value && isKnown(value) ? foldedUnary(operatorOf(node), value, WORD) : undefined;
    }
    case 'binary_expression': {
      const [left, right] = [of('left'), of('right')];
      if (!left || !right || !isKnown(left) || !isKnown(right)) return undefined;
      const found = folded(operatorOf(node), [left, right], [WORD, WORD]);
      return 'not' in found ? undefined : found;
    }
    case 'conditional_expression': {
      const condition = of('condition');
      if (condition?.kind !== 'int') return undefined;
      return of(condition.value === 0 ? 'alternative' : 'consequence');
    }
    default:
      return undefined;
  }
}

/** The type of a variable, or of an element of one. */
function typeOf(node: CNode, names: Names): Type {
  if (node.type === 'parenthesized_expression') return typeOf(partsOf(node)[0], names);
  if (node.type === 'identifier') return names.typeOf(node.text) ?? UNKNOWN;
  if (node.type !== 'subscript_expression') return UNKNOWN;
  const of = typeOf(partOf(node, 'argument'), names);
  return of.kind === 'array' ? of.of : of.kind === 'pointer' ? of.to : UNKNOWN;
}

/** The type of a variable that its first value gives a length. */
export function withLength(type: Type, value: CNode | undefined): Type {
  if (type.kind !== 'array' || type.count !== undefined || value === undefined) return type;
  if (value.type === 'initializer_list') return { ...type, count: partsOf(value).length };
  return type;
}
