import { isTrue, namesIn, oppositeOf } from './arithmetic.js';
import type { Word } from './atomics.js';
import { added, loaded, negative, stored } from './atomics.js';
import { NOTHING, int } from './calls.js';
import { CONSTANTS, LIMITS } from './constants.js';
import { Gone } from './core.js';
import { expressionOf } from './pieces.js';
import { SEQ_CST } from './orders.js';
import { Operators, typed } from './operators.js';
import { commonType, foldedUnary, isKnown, literalOf, promoted } from './numbers.js';
import type { Place, Typed, Value } from './state.js';
import type { CNode } from './tree.js';
import { identifiersIn, operatorOf, partOf, partsOf } from './tree.js';
import type { Type } from './types.js';
import { INT, UNKNOWN } from './types.js';
import type { LitmusExpr } from '../parse/litmus-ast.js';

/** What expressions do: it writes down what they read and write, and says what their values are. */
export abstract class Evaluating extends Operators {
  /** A call of a function: of one in the file, or of one whose meaning is known. */
  abstract call(node: CNode): Typed;
  abstract initialise(place: Place, list: CNode): void;
  /** The expression whose value nobody uses: it is a statement. */
  protected unused?: CNode;

  evaluate(node: CNode): Typed {
    const found = this.evaluated(node);
    // What is around a call that never returns is not done.
    if (!this.alive) throw new Gone();
    return found;
  }

  private evaluated(node: CNode): Typed {
    if (!this.alive) throw new Gone();
    this.spend();
    switch (node.type) {
      case 'parenthesized_expression': {
        const [inner] = partsOf(node);
        return inner.type === 'compound_statement' ? this.block(inner) : this.evaluate(inner);
      }
      case 'number_literal':
        return this.number(node);
      case 'char_literal':
        return this.character(node);
      case 'true':
        return typed(int(1), INT);
      case 'false':
      case 'null':
        return typed(int(0), INT);
      case 'string_literal':
      case 'concatenated_string':
        return typed({ kind: 'text' }, UNKNOWN);
      case 'cast_expression':
        return this.castOf(node);
      case 'sizeof_expression':
        return this.size(node);
      case 'offsetof_expression':
        return this.offset(node);
      case 'identifier':
      case 'field_expression':
      case 'subscript_expression':
        return this.valueAt(node);
      case 'pointer_expression': {
        if (operatorOf(node) === '&') return this.addressOf(partOf(node, 'argument'));
        return this.readAt(node);
      }
      case 'call_expression':
      case 'gnu_asm_expression':
        return this.call(node);
      case 'assignment_expression':
        return this.assignment(node);
      case 'update_expression':
        return this.update(node);
      case 'unary_expression':
        return this.unary(node);
      case 'binary_expression':
        return this.binary(node);
      case 'conditional_expression':
        return this.conditional(node);
      case 'comma_expression':
        this.evaluate(partOf(node, 'left'));
        return this.evaluate(partOf(node, 'right'));
      case 'compound_literal_expression': {
        const type = this.around.code.types.named(partOf(node, 'type'));
        const key = this.keyAt('literal', node);
        this.initialise({ kind: 'variable', key, type }, partOf(node, 'value'));
        return { value: { kind: 'parts', key }, type };
      }
      default:
        return this.refuse(node, `this is not understood: ${node.type.replaceAll('_', ' ')}`);
    }
  }

  /** `({ int x = f(); x; })`, of GCC: the value of its last expression. */
  private block(node: CNode): Typed {
    this.frame.scopes.push(new Map());
    this.frame.blocks += 1;
    const before = this.frame.scopes.length;
    const all = partsOf(node);
    const last = all.at(-1)?.type === 'expression_statement' ? all.at(-1) : undefined;
    for (const one of all) if (one !== last) this.execute(one);
    const [value] = last === undefined ? [] : partsOf(last);
    const found = value === undefined ? undefined : this.evaluate(value);
    this.frame.scopes.length = before - 1;
    this.frame.blocks -= 1;
    return found ?? NOTHING;
  }

  private valueAt(node: CNode): Typed {
    if (node.type === 'identifier') {
      const known = this.named(node);
      if (known !== undefined) return known;
    }
    return this.readAt(node);
  }

  /** C11: to read an atomic, or to assign to it, is sequentially consistent. */
  private readAt(node: CNode): Typed {
    const place = this.placeOf(node);
    return isAtomic(place) ? loaded(this, place, SEQ_CST, node) : this.read(place, node);
  }

  /** A constant, or a macro. */
  private named(node: CNode): Typed | undefined {
    const { text } = node;
    const { macros } = this.around.code;
    if (this.find(text) !== undefined) return undefined;
    const macro = macros.get(text);
    if (macro !== undefined) {
      const expression = expressionOf(macro);
      if (expression === undefined) return this.refuse(node, `the macro ${text} is no expression`);
      return this.inMacro(node, text, () => this.evaluate(expression));
    }
    const limit = LIMITS.get(text);
    if (limit !== undefined) return literalOf(limit);
    const constant = CONSTANTS.get(text) ?? this.around.constants.get(text);
    return constant === undefined ? undefined : typed(int(constant), INT);
  }

  private assignment(node: CNode): Typed {
    const operator = operatorOf(node);
    const left = partOf(node, 'left');
    const right = partOf(node, 'right');
    const place = this.placeOf(left);
    if (operator !== '=') {
      if (isAtomic(place)) {
        return this.addedTo(place, operator[0], this.evaluate(right).value, 'after', node);
      }
      const before = this.read(place, left);
      const after = this.combined(operator.slice(0, -1), before, this.evaluate(right), node);
      return this.assigned(place, after.value, node);
    }
    if (right.type === 'initializer_list') {
      this.initialise(place, right);
      return this.read(place, node);
    }
    return this.assigned(place, this.evaluate(right).value, node);
  }

  /** Writes a place. The value is what it has then, without reading memory again. */
  private assigned(place: Place, given: Value, node: CNode): Typed {
    const isUsed = this.unused !== node && place.kind === 'word';
    const value = isUsed ? this.settled(given, node) : given;
    if (isAtomic(place)) stored(this, place, value, SEQ_CST, node);
    else this.write(place, value, node);
    if (place.kind !== 'word') return this.read(place, node);
    return { value: this.fitted(value, place.type, node), type: place.type };
  }

  /** `x += e`, and its like, of an atomic. */
  private addedTo(
    place: Word,
    operator: string,
    by: Value,
    gives: 'before' | 'after',
    node: CNode,
  ): Typed {
    if (operator === '+') return added(this, place, by, gives, SEQ_CST, node);
    if (operator === '-') return added(this, place, negative(this, by, node), gives, SEQ_CST, node);
    const hint = 'write a loop with atomic_compare_exchange_strong';
    return this.refuse(node, `${operator}= of an atomic is not understood`, hint);
  }

  private update(node: CNode): Typed {
    const place = this.placeOf(partOf(node, 'argument'));
    const operator = operatorOf(node);
    const isPrefix = node.text.startsWith(operator);
    if (isAtomic(place)) {
      return this.addedTo(place, operator[0], int(1), isPrefix ? 'after' : 'before', node);
    }
    const found = this.read(place, node);
    const before = { ...found, value: this.settled(found.value, node) };
    const after = this.combined(operator[0], before, typed(int(1), INT), node);
    if (isPrefix) return this.assigned(place, after.value, node);
    // What is in a register is overwritten: the value before it needs another one.
    const kept =
      before.value.kind === 'runtime'
        ? this.settled({ ...before.value, reads: true }, node)
        : before.value;
    this.write(place, after.value, node);
    return { ...before, value: kept };
  }

  private unary(node: CNode): Typed {
    this.mustBeGrouped(node);
    const operand = this.evaluate(partOf(node, 'argument'));
    const operator = operatorOf(node);
    const { value } = operand;
    if (operator === '!') {
      const known = this.holds(operand);
      return typed(known === undefined ? this.negated(value, node) : int(known ? 0 : 1), INT);
    }
    const type = promoted(operand.type);
    const known = isKnown(value) ? foldedUnary(operator, value, operand.type) : undefined;
    if (known !== undefined) return typed(known, type);
    if (operator === '+') return operand;
    if (operator !== '-')
      return this.refuse(node, `${operator} is not understood of what is not constant`);
    const expr: LitmusExpr = {
      kind: 'unary',
      op: '-',
      arg: this.exprOf(value, node),
      span: this.spanOf(node),
    };
    const reads = value.kind === 'runtime' && value.reads;
    const made: Value = { kind: 'runtime', expr, reads };
    return typed(type.kind === 'int' && type.isUnsigned ? this.asType(made, type) : made, type);
  }

  negated(value: Value, node: CNode): Value {
    switch (value.kind) {
      case 'int':
        return int(value.value === 0 ? 1 : 0);
      case 'runtime':
        return { ...value, expr: oppositeOf(value.expr) };
      case 'path':
        return { ...value, text: `!(${value.text})` };
      case 'address':
      case 'large':
      case 'parts':
      case 'pointer':
      case 'text':
        return int(0);
      case 'nothing':
        return this.refuse(node, 'this has no value');
    }
  }

  private binary(node: CNode): Typed {
    const operator = operatorOf(node);
    if (operator === '&&' || operator === '||') return this.logical(operator, node);
    this.mustBeGrouped(node);
    const left = this.evaluate(partOf(node, 'left'));
    const [out, at] = [this.out, this.out.length];
    const offset = unwrapped(partOf(node, 'right'));
    if (operator === '-' && offset.type === 'offsetof_expression' && isPointer(left.value)) {
      const [of, member] = ['type', 'member'].map((name) => partOf(offset, name));
      return this.containing(left, of, member.text, node);
    }
    const right = this.evaluate(partOf(node, 'right'));
    if (left.value.kind === 'runtime' && left.value.reads && this.out === out && out.length > at) {
      // The left side is read before what the right side does.
      const name = this.fresh('r');
      const { expr } = left.value;
      const span = this.spanOf(node);
      out.splice(at, 0, { kind: 'assign', target: this.refTo(name, node), value: expr, span });
      const value = { kind: 'runtime', expr: this.refExpr(name, node), reads: false } as const;
      return this.combined(operator, { ...left, value }, right, node);
    }
    this.mustDiffer(left.value, right.value, node);
    return this.combined(operator, left, right, node);
  }

  /** Two reads of one place are in some order, which nothing says. */
  private mustDiffer(a: Value, b: Value, node: CNode): void {
    if (a.kind !== 'runtime' || b.kind !== 'runtime' || !a.reads || !b.reads) return;
    const names = new Set(namesIn(a.expr));
    const { nodeOf } = this.around;
    const twice = namesIn(b.expr).find((name) => names.has(name) && nodeOf.has(name));
    if (twice === undefined) return;
    this.refuse(node, `${twice} is read twice here, in no order`, 'read it into a variable');
  }

  private logical(operator: string, node: CNode): Typed {
    const left = this.evaluate(partOf(node, 'left'));
    const decides = operator === '&&' ? 0 : 1;
    const known = this.holds(left);
    if (known !== undefined) {
      if (Number(known) === decides) return typed(int(decides), INT);
      const right = this.evaluate(partOf(node, 'right'));
      return typed(this.truthOf(right), INT);
    }
    const key = this.keyAt('both', node);
    const right = (): void => {
      const { value } = this.evaluate(partOf(node, 'right'));
      this.store(key, this.truthOf({ value, type: INT }), node);
    };
    const short = (): void => this.store(key, int(decides), node);
    this.branch(node, left.value, operator === '&&' ? [right, short] : [short, right]);
    return { value: this.taken(key) ?? { kind: 'path', text: node.text, isNew: true }, type: INT };
  }

  private truthOf(given: Typed): Value {
    const known = this.holds(given);
    if (known !== undefined) return int(known ? 1 : 0);
    const { value } = given;
    return value.kind === 'runtime' ? { ...value, expr: isTrue(value.expr) } : value;
  }

  private conditional(node: CNode): Typed {
    const condition = this.evaluate(partOf(node, 'condition'));
    const known = this.holds(condition);
    const [yes, no] = [partOf(node, 'consequence'), partOf(node, 'alternative')];
    if (known !== undefined) {
      const [one, other] = known ? [yes, no] : [no, yes];
      const { value, type } = this.evaluate(one);
      const common = type.kind === 'int' ? this.commonWith(type, other) : type;
      return typed(this.asType(value, common), common);
    }
    const key = this.keyAt('either', node);
    let type: Type = UNKNOWN;
    const way = (one: CNode, other: CNode) => (): void => {
      const found = this.evaluate(one);
      type = found.type.kind === 'int' ? this.commonWith(found.type, other) : found.type;
      this.store(key, this.asType(found.value, type), one);
    };
    this.branch(node, condition.value, [way(yes, no), way(no, yes)]);
    const value = this.taken(key);
    if (value === undefined)
      return this.refuse(node, 'which of both it is must be known when the file is read');
    return { value, type };
  }

  /** The type of a choice, of which the other side is not followed. */
  private commonWith(type: Type, other: CNode): Type {
    const { code, constants } = this.around;
    const names = identifiersIn(other);
    const isKnown = names.every(
      (name) =>
        this.find(name) !== undefined ||
        [code.globals, code.macros, code.functions, constants, CONSTANTS, LIMITS].some((of) =>
          of.has(name),
        ),
    );
    return isKnown ? commonType(type, this.typeOf(other)) : type;
  }
}

const isPointer = ({ kind }: Value): boolean => ['address', 'pointer', 'path'].includes(kind);

/** An expression without parentheses and casts around it. */
function unwrapped(node: CNode): CNode {
  if (node.type === 'parenthesized_expression') return unwrapped(partsOf(node)[0]);
  return node.type === 'cast_expression' ? unwrapped(partOf(node, 'value')) : node;
}

const isAtomic = (place: Place): place is Word =>
  place.kind === 'word' && place.type.kind === 'int' && place.type.isAtomic === true;
