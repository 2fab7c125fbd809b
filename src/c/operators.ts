import { ALIKE, moved, pathSum, samePath } from './arithmetic.js';
import { int } from './calls.js';
import { pointed } from './memory.js';
import { Literals } from './literals.js';
import { IN_ORDER, ordered } from './cuts.js';
import { COMPARED, commonType, folded, isKnown, isWide, promoted, resultType } from './numbers.js';
import { elementOf, pathText } from './paths.js';
import { comparedPointers, distance } from './pointers.js';
import type { Range } from './ranges.js';
import type { Typed, Value } from './state.js';
import { isSame } from './state.js';
import type { CNode } from './tree.js';
import { partOf } from './tree.js';
import type { Type } from './types.js';
import { INT, WORD } from './types.js';
import type { LitmusExpr } from '../parse/litmus-ast.js';

/** A value with its type: without one, it is a word. */
export const typed = (value: Value, type: Type = WORD): Typed => ({ value, type });

const NOT_NEGATIVE: Range = { least: 0, most: Infinity };

/** What operators of two sides give. */
export abstract class Operators extends Literals {
  combined(operator: string, left: Typed, right: Typed, node: CNode): Typed {
    const [a, b] = [left.value, right.value];
    const type = resultType(operator, left.type, right.type);
    if (isKnown(a) && isKnown(b)) {
      const result = folded(operator, [a, b], [left.type, right.type]);
      return 'not' in result ? this.refuse(node, result.not) : typed(result, type);
    }
    const compared = comparedPointers(this, operator, left, right);
    if (compared !== undefined) return typed(int(compared ? 1 : 0), INT);
    const apart = operator === '-' ? distance(this, left, right) : undefined;
    if (apart !== undefined) return typed(int(apart));
    if (a.kind === 'path' || b.kind === 'path') return this.withPath(operator, left, right, node);
    const isSum = operator === '+' || operator === '-';
    if (a.kind === 'address' && b.kind === 'int')
      return this.shifted(left, operator, b.value, node);
    if (b.kind === 'address' && a.kind === 'int' && operator === '+')
      return this.shifted(right, '+', a.value, node);
    if ((a.kind === 'pointer' || a.kind === 'parts') && b.kind === 'int' && isSum) {
      if (b.value === 0) return left;
      if (left.type.kind !== 'pointer' && left.type.kind !== 'array') {
        return this.isMemory(a.key, node, 'how bytes lie in this variable is not known');
      }
      const key = a.kind === 'parts' ? `${a.key}[0]` : a.key;
      const by = operator === '+' ? b.value : -b.value;
      const type: Type = { kind: 'pointer', to: pointed(left.type) };
      return { value: { kind: 'pointer', key: moved(key, by) }, type };
    }
    if (![a, b].every((one) => one.kind === 'runtime' || isKnown(one))) {
      const message = 'an address must be a place and a constant, and is compared with its like';
      const isMemory = [a, b].some(({ kind }) => kind === 'runtime');
      const hint = 'write a way for each value that it may have: if (i == 0) p[0] = 1; else …';
      return this.refuse(node, message, isMemory ? hint : undefined);
    }
    const op = ALIKE.get(operator);
    if (op === undefined)
      return this.refuse(node, `${operator} is not understood of what is not constant`);
    const common = commonType(left.type, right.type);
    const [x, y] = this.operands(operator, [left, right], common, node);
    const expr: LitmusExpr = { kind: 'binary', op, left: x, right: y, span: this.spanOf(node) };
    const reads = [a, b].some((v) => v.kind === 'runtime' && v.reads);
    const value: Value = { kind: 'runtime', expr, reads };
    // Numbers with a sign do not overflow in C.
    const isCut = type.kind === 'int' && type.isUnsigned === true;
    return typed(isCut ? this.asType(value, type) : value, type);
  }

  /** Both sides of an operator, as it takes them. Sums and products are cut behind it. */
  private operands(
    operator: string,
    [left, right]: readonly [Typed, Typed],
    common: Type,
    node: CNode,
  ): readonly [LitmusExpr, LitmusExpr] {
    const isSum = /^[-+*]$/.test(operator);
    const [x, y] = [left, right].map(({ value, type }) => {
      const isAlike = isSum || (!isKnown(value) && isSame(promoted(type), common));
      return this.exprOf(isAlike ? value : this.asType(value, common), node);
    });
    if (isSum || !isWide(common) || operator === '==' || operator === '!=') return [x, y];
    const isLarge = [x, y].some((one) => one.kind === 'int' && one.value > IN_ORDER.most);
    const isOrdered = COMPARED.has(operator) && !isLarge;
    const [range, said] = isOrdered
      ? [IN_ORDER, 'below 2^51, or just below 2^64']
      : [NOT_NEGATIVE, 'below 2^63'];
    for (const one of [x, y])
      this.promise(one, range, `the numbers of ${node.text} are ${said}`, node);
    return isOrdered ? [ordered(x), ordered(y)] : [x, y];
  }

  /** Of what nobody knows, something is known that nobody knows either; but pointers that are given lead somewhere. */
  private withPath(operator: string, left: Typed, right: Typed, node: CNode): Typed {
    const isGiven = (v: Typed): boolean => v.value.kind === 'path' && v.type.kind === 'pointer';
    const isNull = (v: Typed): boolean => v.value.kind === 'int' && v.value.value === 0;
    const isEquality = operator === '==' || operator === '!=';
    if (isEquality && ((isGiven(left) && isNull(right)) || (isNull(left) && isGiven(right)))) {
      return typed(int(operator === '==' ? 0 : 1), INT);
    }
    const further = this.furtherOn(operator, left, right);
    if (further !== undefined) return further;
    const isOne = isEquality ? samePath(left.value, right.value) : undefined;
    if (isOne !== undefined) return typed(int(isOne === (operator === '==') ? 1 : 0), INT);
    return typed(
      pathSum(operator, left.value, right.value) ?? {
        ...{ kind: 'path', text: sumText(operator, node), isNew: true },
      },
      left.type,
    );
  }

  /** A pointer that is given, and a number of elements. */
  private furtherOn(
    operator: string,
    { value, type }: Typed,
    { value: by }: Typed,
  ): Typed | undefined {
    if (value.kind !== 'path' || value.isNew || by.kind !== 'int') return undefined;
    if ((type.kind !== 'pointer' && type.kind !== 'array') || !/^[+-]$/.test(operator))
      return undefined;
    const text = elementOf(value.text, operator === '+' ? by.value : -by.value);
    return {
      value: { kind: 'path', text: pathText(`&${text}`) },
      type: { kind: 'pointer', to: pointed(type) },
    };
  }

  private shifted({ value, type }: Typed, operator: string, by: number, node: CNode): Typed {
    if (value.kind !== 'address' || (operator !== '+' && operator !== '-')) {
      return this.refuse(node, 'an address must be a place and a constant');
    }
    // An address in a number counts bytes, one in a pointer elements.
    const isPointer = type.kind === 'pointer' || type.kind === 'array';
    const size = isPointer && by !== 0 ? this.sizeOf(pointed(type), node) : 1;
    const offset = value.offset + (operator === '+' ? by : -by) * size;
    return {
      value: { ...value, offset },
      type: isPointer ? { kind: 'pointer', to: pointed(type) } : type,
    };
  }
}

/** What an operator gives as text: `p += n` gives `p + n`. */
function sumText(operator: string, node: CNode): string {
  if (node.type !== 'assignment_expression') return node.text;
  const [left, right] = ['left', 'right'].map((name) => partOf(node, name).text);
  return `${left} ${operator} ${right}`;
}
