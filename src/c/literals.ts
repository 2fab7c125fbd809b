import { int } from './calls.js';
import { Macros } from './macros.js';
import { literalOf } from './numbers.js';
import type { Typed } from './state.js';
import type { CNode } from './tree.js';
import { fieldOf, partOf, partsOf } from './tree.js';
import type { Type } from './types.js';
import { FLOAT, INT, UNSIGNED } from './types.js';

/** Characters that are written with a backslash. */
const ESCAPED: ReadonlyMap<string, number> = new Map(
  Object.entries({
    n: 10,
    t: 9,
    r: 13,
    0: 0,
    a: 7,
    b: 8,
    f: 12,
    v: 11,
    '\\': 92,
    "'": 39,
    '"': 34,
  }),
);

/** Literals, sizes and casts: expressions that say what they are when the file is read. */
export abstract class Literals extends Macros {
  protected number(node: CNode): Typed {
    const found = literalOf(node.text);
    if (found !== undefined) return found;
    if (!/^(\d|\.\d)/.test(node.text)) this.refuse(node, 'only whole numbers are understood');
    return { value: { kind: 'path', text: node.text, isNew: true }, type: FLOAT };
  }

  protected character(node: CNode): Typed {
    const [, escaped, plain] = /^'(?:\\(.)|(.))'$/.exec(node.text) ?? [];
    const value = plain === undefined ? ESCAPED.get(escaped) : plain.charCodeAt(0);
    if (value === undefined) return this.refuse(node, 'only plain characters are understood');
    return { value: int(value), type: INT };
  }

  protected castOf(node: CNode): Typed {
    this.mustBeGrouped(node);
    const type = this.around.code.types.named(partOf(node, 'type'));
    const { value } = this.evaluate(partOf(node, 'value'));
    return { value: this.asType(value, type), type };
  }

  protected size(node: CNode): Typed {
    const { types } = this.around.code;
    const named = fieldOf(node, 'type');
    const type = named === undefined ? this.typeOrValue(partOf(node, 'value')) : types.named(named);
    const size = types.sizeOf(type);
    return {
      value: size === undefined ? { kind: 'path', text: node.text } : int(size),
      type: UNSIGNED,
    };
  }

  private typeOrValue(node: CNode): Type {
    const [inner] = partsOf(node);
    const isVariable = inner !== undefined && this.find(inner.text) !== undefined;
    const type = isVariable ? undefined : this.around.code.types.inParentheses(node);
    return type ?? this.typeOf(node);
  }

  protected offset(node: CNode): Typed {
    const { types } = this.around.code;
    const at = types.offsetOf(types.named(partOf(node, 'type')), partOf(node, 'member').text);
    return at === undefined
      ? this.refuse(node, 'the file does not have this structure with all of its types')
      : { value: int(at), type: UNSIGNED };
  }
}
