import type { LitmusExpr } from '../parse/litmus-ast.js';
import { CONSTANTS } from './constants.js';
import { Core } from './core.js';
import { expressionOf } from './head.js';
import type { Place, Region, Typed, Value } from './state.js';
import type { CNode } from './tree.js';
import { fieldOf, operatorOf, partOf, partsOf } from './tree.js';
import type { Type } from './types.js';
import { unplaced } from './verbs.js';
import { INT, UNKNOWN, WORD } from './types.js';

export const int = (value: number): Value => ({ kind: 'int', value });
const typed = (value: Value, type: Type = WORD): Typed => ({ value, type });

const COMPARED: ReadonlyMap<string, (a: number, b: number) => boolean> = new Map([
  ['==', (a: number, b: number) => a === b],
  ['!=', (a: number, b: number) => a !== b],
  ['<', (a: number, b: number) => a < b],
  ['<=', (a: number, b: number) => a <= b],
  ['>', (a: number, b: number) => a > b],
  ['>=', (a: number, b: number) => a >= b],
]);

/** Operators of both languages, by that of C. */
const ALIKE: ReadonlyMap<
  string,
  '+' | '-' | '*' | '/' | '%' | '=' | '!=' | '<' | '<=' | '>' | '>='
> = new Map([
  ...(['+', '-', '*', '/', '%', '!=', '<', '<=', '>', '>='] as const).map(
    (op) => [op, op] as const,
  ),
  ['==', '='] as const,
]);

/** What expressions do: it writes down what they read and write, and says what their values are. */
export abstract class Evaluating extends Core {
  /** A call of a function: of one in the file, or of one whose meaning is known. */
  abstract call(node: CNode): Typed;

  evaluate(node: CNode): Typed {
    switch (node.type) {
      case 'parenthesized_expression':
        return this.evaluate(partsOf(node)[0]);
      case 'number_literal':
        return typed(int(this.number(node)), INT);
      case 'char_literal':
        return typed(int(node.text.charCodeAt(1)), INT);
      case 'true':
        return typed(int(1), INT);
      case 'false':
      case 'null':
        return typed(int(0), INT);
      case 'string_literal':
      case 'concatenated_string':
        return typed({ kind: 'text' }, UNKNOWN);
      case 'cast_expression': {
        const type = this.around.code.types.named(partOf(node, 'type'));
        const { value, type: before } = this.evaluate(partOf(node, 'value'));
        return { value, type: type.kind === 'int' && before.kind === 'pointer' ? before : type };
      }
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
        return this.read(this.placeOf(node), node);
      }
      case 'call_expression':
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
        const key = `${this.frame.id}:literal#${node.startIndex}`;
        this.initialise({ kind: 'variable', key, type }, partOf(node, 'value'));
        return { value: { kind: 'parts', key }, type };
      }
      case 'gnu_asm_expression':
        return this.call(node);
      default:
        return this.refuse(node, `this is not understood: ${node.type.replaceAll('_', ' ')}`);
    }
  }

  private number(node: CNode): number {
    const value = Number(node.text.replaceAll("'", '').replace(/[uUlL]+$/, ''));
    if (!Number.isInteger(value)) this.refuse(node, 'only whole numbers are understood');
    return value;
  }

  private size(node: CNode): Typed {
    const { types } = this.around.code;
    const named = fieldOf(node, 'type');
    const type = named === undefined ? this.typeOf(partOf(node, 'value')) : types.named(named);
    return typed(int(types.sizeOf(type) ?? 8));
  }

  private offset(node: CNode): Typed {
    const { types } = this.around.code;
    const at = types.offsetOf(types.named(partOf(node, 'type')), partOf(node, 'member').text);
    return at === undefined
      ? this.refuse(node, 'the file does not have this structure with all of its types')
      : typed(int(at));
  }

  /** The type of an expression, without doing what it does. */
  private typeOf(node: CNode): Type {
    const inner = node.type === 'parenthesized_expression' ? partsOf(node)[0] : node;
    if (
      inner.type === 'identifier' ||
      inner.type === 'field_expression' ||
      inner.type === 'subscript_expression'
    ) {
      return this.placeOf(inner).type;
    }
    if (inner.type === 'pointer_expression' && operatorOf(inner) === '*')
      return this.placeOf(inner).type;
    return WORD;
  }

  private valueAt(node: CNode): Typed {
    if (node.type === 'identifier') {
      const known = this.named(node);
      if (known !== undefined) return known;
    }
    return this.read(this.placeOf(node), node);
  }

  /** A constant, or a macro. */
  private named(node: CNode): Typed | undefined {
    const { text } = node;
    const { macros, enumerators } = this.around.code;
    if (this.find(text) !== undefined) return undefined;
    if (enumerators.has(text)) return typed(int(enumerators.get(text)!), INT);
    const macro = macros.get(text);
    if (macro !== undefined) {
      const expression = expressionOf(macro);
      if (expression === undefined) return this.refuse(node, `the macro ${text} is no expression`);
      return this.evaluate(expression);
    }
    const constant = CONSTANTS.get(text);
    return constant === undefined ? undefined : typed(int(constant), INT);
  }

  placeOf(node: CNode): Place {
    switch (node.type) {
      case 'parenthesized_expression':
        return this.placeOf(partsOf(node)[0]);
      case 'cast_expression':
        return this.placeOf(partOf(node, 'value'));
      case 'identifier':
        return this.variable(node);
      case 'field_expression': {
        const argument = partOf(node, 'argument');
        const name = partOf(node, 'field').text;
        if (operatorOf(node) === '.') return this.member(this.placeOf(argument), name, node);
        return this.member(this.behind(this.evaluate(argument), argument), name, node);
      }
      case 'subscript_expression':
        return this.element(node);
      case 'pointer_expression': {
        const argument = partOf(node, 'argument');
        if (operatorOf(node) === '&') return this.placeOf(argument);
        return this.behind(this.evaluate(argument), argument);
      }
      case 'compound_literal_expression': {
        const { value, type } = this.evaluate(node);
        return { kind: 'variable', key: (value as { readonly key: string }).key, type };
      }
      case 'call_expression':
        return this.behind(this.evaluate(node), node);
      default:
        return this.refuse(node, 'this is no place that can be read or written');
    }
  }

  /** Where a pointer leads. */
  behind({ value, type }: Typed, node: CNode): Place {
    const to = type.kind === 'pointer' || type.kind === 'array' ? pointed(type) : UNKNOWN;
    switch (value.kind) {
      case 'address':
        return { kind: 'word', region: value.region, offset: value.offset, type: to };
      case 'pointer':
        return { kind: 'variable', key: value.key, type: to };
      case 'path': {
        const { text } = value;
        return { kind: 'path', text: text.startsWith('&') ? text.slice(1) : `*${text}`, type: to };
      }
      case 'parts':
        return { kind: 'variable', key: `${value.key}[0]`, type: to };
      case 'int':
      case 'nothing':
      case 'runtime':
      case 'text':
        return this.refuse(node, 'nobody knows where this pointer leads');
    }
  }

  private member(place: Place, name: string, node: CNode): Place {
    const { types } = this.around.code;
    const type = types.fieldType(place.type, name);
    switch (place.kind) {
      case 'variable':
        return { kind: 'variable', key: `${place.key}.${name}`, type };
      case 'path': {
        const { text } = place;
        const path = text.startsWith('*') ? `${text.slice(1)}->${name}` : `${text}.${name}`;
        return { kind: 'path', text: path, type };
      }
      case 'word': {
        const at = types.offsetOf(place.type, name);
        if (at === undefined) return this.refuse(node, `where ${name} is in memory is not known`);
        return { ...place, offset: place.offset + at, type };
      }
    }
  }

  private element(node: CNode): Place {
    const argument = partOf(node, 'argument');
    const { value: index } = this.evaluate(partOf(node, 'index'));
    const base = this.evaluate(argument);
    const to = pointed(base.type);
    if (index.kind !== 'int') {
      return this.refuse(partOf(node, 'index'), 'an index must be known when the file is read');
    }
    switch (base.value.kind) {
      case 'address': {
        const size = this.around.code.types.sizeOf(to) ?? 8;
        const offset = base.value.offset + index.value * size;
        return { kind: 'word', region: base.value.region, offset, type: to };
      }
      case 'parts':
        return { kind: 'variable', key: `${base.value.key}[${index.value}]`, type: to };
      case 'pointer': {
        const key = moved(base.value.key, index.value);
        return { kind: 'variable', key, type: to };
      }
      case 'path': {
        const { text } = base.value;
        if (text.startsWith('&') && index.value === 0)
          return { kind: 'path', text: text.slice(1), type: to };
        return { kind: 'path', text: `${text}[${index.value}]`, type: to };
      }
      case 'int':
      case 'nothing':
      case 'runtime':
      case 'text':
        return this.refuse(argument, 'nobody knows where this pointer leads');
    }
  }

  private variable(node: CNode): Place {
    const { text } = node;
    const local = this.find(text);
    if (local !== undefined) return local;
    const global = this.around.code.globals.get(text);
    const region = this.regionOf(text);
    if (region !== undefined)
      return { kind: 'word', region, offset: 0, type: global?.type ?? WORD };
    if (global === undefined) {
      const hint = `give it a binding in the head: ${text} => …`;
      this.missing('place', text, node, `nothing says what ${text} is`, hint);
      return { kind: 'path', text, type: UNKNOWN };
    }
    return this.globalPlace(text, global.type);
  }

  /** A variable at file level that is no location of a node. */
  abstract globalPlace(name: string, type: Type): Place;

  /** The memory that a name of the head is. */
  regionOf(name: string): Region | undefined {
    const { nodeOf, arrays } = this.around;
    const count = arrays.get(name);
    const names =
      count === undefined ? [name] : Array.from({ length: count }, (_, i) => `${name}${i}`);
    const node = nodeOf.get(names[0]);
    if (node === undefined) return undefined;
    return { node, places: names.map((location, i) => ({ location, at: 8 * i })) };
  }

  private addressOf(node: CNode): Typed {
    const place = this.placeOf(node);
    const type: Type = { kind: 'pointer', to: place.type };
    switch (place.kind) {
      case 'variable':
        return { value: { kind: 'pointer', key: place.key }, type };
      case 'word':
        return { value: { kind: 'address', region: place.region, offset: place.offset }, type };
      case 'path': {
        const { text } = place;
        const bound = this.boundTo(`&${text}`);
        if (bound !== undefined) return { value: bound, type };
        return {
          value: { kind: 'path', text: text.startsWith('*') ? text.slice(1) : `&${text}` },
          type,
        };
      }
    }
  }

  /** What the head says of a path. */
  abstract boundTo(text: string): Value | undefined;

  read(place: Place, node: CNode): Typed {
    const { type } = place;
    switch (place.kind) {
      case 'word': {
        const { region, offset } = place;
        if (type.kind === 'array') return { value: { kind: 'address', region, offset }, type };
        if (type.kind === 'struct')
          return this.refuse(node, 'a whole structure is not read from memory at once');
        const name = this.locationAt(region, offset, node);
        if (region.node !== undefined && region.node !== this.thread.node.text) {
          this.refuse(
            node,
            `${name} is on node ${region.node}, and this thread on ${this.thread.node.text}`,
          );
        }
        return { value: { kind: 'runtime', expr: this.refExpr(name, node), reads: true }, type };
      }
      case 'variable': {
        const value = this.state.values.get(place.key);
        if (type.kind === 'struct' || type.kind === 'array')
          return { value: { kind: 'parts', key: place.key }, type };
        if (value !== undefined) return { value, type };
        if (this.isZeroed(place.key)) return { value: int(0), type };
        if (this.hasParts(place.key)) return { value: { kind: 'parts', key: place.key }, type };
        return this.refuse(node, `${node.text} is read, and nothing was written to it`);
      }
      case 'path': {
        const written = this.state.values.get(`path ${place.text}`);
        if (written !== undefined) return { value: written, type };
        this.mustBePlaced(place, node);
        return { value: this.boundTo(place.text) ?? { kind: 'path', text: place.text }, type };
      }
    }
  }

  /** Was a structure or an array around it set to zero? */
  private isZeroed(key: string): boolean {
    const { values } = this.state;
    for (
      let end = key.length;
      end > 0;
      end = Math.max(key.lastIndexOf('.', end - 1), key.lastIndexOf('[', end - 1))
    ) {
      if (values.has(`${key.slice(0, end)} zeroed`)) return true;
    }
    return false;
  }

  /** What a pointer to numbers leads to is memory, of which the head says where it is. */
  private mustBePlaced({ text, type }: Extract<Place, { kind: 'path' }>, node: CNode): void {
    const [, pointer] = /^\*(.*)$/.exec(text) ?? /^(.*)\[\d+\]$/.exec(text) ?? [];
    if (pointer !== undefined && type.kind === 'int') unplaced(this, pointer, node);
  }

  private hasParts(key: string): boolean {
    return [...this.state.values.keys()].some(
      (one) => one.startsWith(`${key}.`) || one.startsWith(`${key}[`),
    );
  }

  locationAt({ places }: Region, offset: number, node: CNode): string {
    const found = places.find(({ at }) => at === offset);
    if (found !== undefined) return found.location;
    const names = places.map(({ location, at }) => `${location} at ${at}`).join(', ');
    return this.refuse(node, `no word begins ${offset} bytes from there: there is ${names}`);
  }

  write(place: Place, given: Value, node: CNode): void {
    switch (place.kind) {
      case 'word': {
        const name = this.locationAt(place.region, place.offset, node);
        const { node: home } = place.region;
        if (home !== undefined && home !== this.thread.node.text) {
          this.refuse(
            node,
            `${name} is on node ${home}, and this thread on ${this.thread.node.text}`,
          );
        }
        this.assign(name, this.exprOf(given, node), node);
        return;
      }
      case 'variable':
        return this.store(place.key, given, node);
      case 'path':
        this.mustBePlaced(place, node);
        this.state.values.set(`path ${place.text}`, this.settled(given, node));
    }
  }

  /** What is computed when the program runs goes to a register, and so does what a query asks for. */
  private store(key: string, given: Value, node: CNode): void {
    const { values } = this.state;
    for (const old of [...values.keys()]) {
      if (isPart(old, key)) values.delete(old);
    }
    if (given.kind === 'parts') {
      for (const [old, value] of [...values]) {
        if (isPart(old, given.key)) {
          values.set(key + old.slice(given.key.length), value);
        }
      }
      return;
    }
    const isRuntime = given.kind === 'runtime';
    if (!isRuntime && !(given.kind === 'int' && this.isObserved(key))) {
      values.set(key, given);
      return;
    }
    const register = this.registerOf(key);
    this.assign(register, this.exprOf(given, node), node);
    values.set(
      key,
      isRuntime ? { kind: 'runtime', expr: this.refExpr(register, node), reads: false } : given,
    );
  }

  /** Does a query ask for a variable of the thread's own function? */
  private isObserved(key: string): boolean {
    const [, frame, name] = /^(\d+):([^#.[]*)/.exec(key) ?? [];
    return frame === '0' && this.around.observed(this.thread.name.text).has(name);
  }

  private assignment(node: CNode): Typed {
    const operator = operatorOf(node);
    const left = partOf(node, 'left');
    const right = partOf(node, 'right');
    if (operator === '=') {
      const place = this.placeOf(left);
      if (right.type === 'initializer_list') {
        this.initialise(place, right);
        return this.read(place, node);
      }
      const { value } = this.evaluate(right);
      this.write(place, value, node);
      return place.kind === 'word' ? { value, type: place.type } : this.read(place, node);
    }
    const op = operator.slice(0, -1);
    const place = this.placeOf(left);
    const before = this.read(place, left);
    const after = this.combined(op, before, this.evaluate(right), node);
    this.write(place, after.value, node);
    return after;
  }

  private update(node: CNode): Typed {
    const place = this.placeOf(partOf(node, 'argument'));
    const operator = operatorOf(node);
    const found = this.read(place, node);
    const before = { ...found, value: this.settled(found.value, node) };
    const after = this.combined(operator[0], before, typed(int(1), INT), node);
    const isPrefix = node.text.startsWith(operator);
    // What is in a register is overwritten: the value before it needs another one.
    const kept =
      !isPrefix && before.value.kind === 'runtime'
        ? this.settled({ ...before.value, reads: true }, node)
        : before.value;
    this.write(place, after.value, node);
    return isPrefix ? this.read(place, node) : { ...before, value: kept };
  }

  private unary(node: CNode): Typed {
    const operand = this.evaluate(partOf(node, 'argument'));
    const operator = operatorOf(node);
    const { value } = operand;
    if (operator === '!') return typed(this.negated(value, node), INT);
    if (value.kind === 'int') {
      const results: Readonly<Record<string, number>> = {
        '-': -value.value,
        '+': value.value,
        '~': ~value.value,
      };
      return typed(int(results[operator]), operand.type);
    }
    if (operator === '+') return operand;
    if (operator !== '-')
      return this.refuse(node, `${operator} is not understood of what is not constant`);
    const expr: LitmusExpr = {
      kind: 'unary',
      op: '-',
      arg: this.exprOf(value, node),
      span: this.spanOf(node),
    };
    return typed(
      { kind: 'runtime', expr, reads: value.kind === 'runtime' && value.reads },
      operand.type,
    );
  }

  negated(value: Value, node: CNode): Value {
    switch (value.kind) {
      case 'int':
        return int(value.value === 0 ? 1 : 0);
      case 'runtime': {
        const opposite = oppositeOf(value.expr);
        if (opposite !== undefined) return { ...value, expr: opposite };
        const expr: LitmusExpr = {
          kind: 'unary',
          op: '!',
          arg: value.expr,
          span: this.spanOf(node),
        };
        return { kind: 'runtime', expr, reads: value.reads };
      }
      case 'path':
        return { kind: 'path', text: `!(${value.text})` };
      case 'address':
      case 'nothing':
      case 'parts':
      case 'pointer':
      case 'text':
        return int(0);
    }
  }

  private binary(node: CNode): Typed {
    const operator = operatorOf(node);
    if (operator === '&&' || operator === '||') return this.logical(operator, node);
    const left = this.evaluate(partOf(node, 'left'));
    const [out, at] = [this.out, this.out.length];
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
    return this.combined(operator, left, right, node);
  }

  private logical(operator: string, node: CNode): Typed {
    const left = this.evaluate(partOf(node, 'left'));
    const decides = operator === '&&' ? 0 : 1;
    const known = truth(left);
    if (known !== undefined) {
      if (Number(known) === decides) return typed(int(decides), INT);
      const right = this.evaluate(partOf(node, 'right'));
      return typed(this.truthOf(right, node), INT);
    }
    const key = `${this.frame.id}:both#${node.startIndex}`;
    const right = (): void => {
      const { value } = this.evaluate(partOf(node, 'right'));
      this.store(key, this.truthOf({ value, type: INT }, node), node);
    };
    const short = (): void => this.store(key, int(decides), node);
    const condition = this.settled(left.value, node);
    this.branch(node, condition, operator === '&&' ? [right, short] : [short, right]);
    return { value: this.state.values.get(key) ?? { kind: 'path', text: node.text }, type: INT };
  }

  private truthOf(given: Typed, node: CNode): Value {
    const known = truth(given);
    if (known !== undefined) return int(known ? 1 : 0);
    if (given.value.kind !== 'runtime') return given.value;
    const { expr, reads } = given.value;
    const zero = this.int(0, node);
    const span = this.spanOf(node);
    return {
      kind: 'runtime',
      expr: { kind: 'binary', op: '!=', left: expr, right: zero, span },
      reads,
    };
  }

  private conditional(node: CNode): Typed {
    const condition = this.evaluate(partOf(node, 'condition'));
    const known = truth(condition);
    const [yes, no] = [partOf(node, 'consequence'), partOf(node, 'alternative')];
    if (known !== undefined) return this.evaluate(known ? yes : no);
    const key = `${this.frame.id}:either#${node.startIndex}`;
    let type: Type = UNKNOWN;
    const way = (one: CNode) => (): void => {
      const found = this.evaluate(one);
      type = found.type;
      this.store(key, found.value, one);
    };
    this.branch(node, this.settled(condition.value, node), [way(yes), way(no)]);
    const value = this.state.values.get(key);
    if (value === undefined)
      return this.refuse(node, 'which of both it is must be known when the file is read');
    return { value, type };
  }

  combined(operator: string, left: Typed, right: Typed, node: CNode): Typed {
    const [a, b] = [left.value, right.value];
    if (a.kind === 'int' && b.kind === 'int')
      return typed(int(folded(operator, a.value, b.value, node, this)), left.type);
    const isPointer = (v: Value): boolean =>
      ['address', 'pointer', 'parts', 'text'].includes(v.kind);
    const compared = COMPARED.get(operator);
    if (compared !== undefined && (isPointer(a) || isPointer(b))) {
      if (a.kind === 'address' && b.kind === 'address' && a.region === b.region) {
        return typed(int(compared(a.offset, b.offset) ? 1 : 0), INT);
      }
      return typed(int(compared(isPointer(a) ? 1 : 0, isPointer(b) ? 1 : 0) ? 1 : 0), INT);
    }
    if (a.kind === 'path' || b.kind === 'path') {
      // Pointers that are given lead somewhere.
      const isGiven = (v: Typed): boolean => v.value.kind === 'path' && v.type.kind === 'pointer';
      const isNull = (v: Value): boolean => v.kind === 'int' && v.value === 0;
      if (
        (operator === '==' || operator === '!=') &&
        ((isGiven(left) && isNull(b)) || (isGiven(right) && isNull(a)))
      ) {
        return typed(int(operator === '==' ? 0 : 1), INT);
      }
      return typed({ kind: 'path', text: pathSum(operator, a, b) ?? node.text }, left.type);
    }
    if (a.kind === 'address' && b.kind === 'int')
      return this.shifted(left, operator, b.value, node);
    if (b.kind === 'address' && a.kind === 'int' && operator === '+')
      return this.shifted(right, '+', a.value, node);
    if (a.kind === 'pointer' && b.kind === 'int' && (operator === '+' || operator === '-')) {
      const by = operator === '+' ? b.value : -b.value;
      return { value: { kind: 'pointer', key: moved(a.key, by) }, type: left.type };
    }
    if (a.kind === 'address' || b.kind === 'address') {
      return this.refuse(node, 'an address must be a place and a constant');
    }
    const op = ALIKE.get(operator);
    if (op === undefined)
      return this.refuse(node, `${operator} is not understood of what is not constant`);
    const expr: LitmusExpr = {
      ...{ kind: 'binary', op, left: this.exprOf(a, node), right: this.exprOf(b, node) },
      span: this.spanOf(node),
    };
    const reads = [a, b].some((v) => v.kind === 'runtime' && v.reads);
    return typed({ kind: 'runtime', expr, reads }, left.type);
  }

  private shifted({ value, type }: Typed, operator: string, by: number, node: CNode): Typed {
    if (value.kind !== 'address' || (operator !== '+' && operator !== '-')) {
      return this.refuse(node, 'an address must be a place and a constant');
    }
    // An address in a number counts bytes, one in a pointer elements.
    const size = type.kind === 'pointer' ? (this.around.code.types.sizeOf(type.to) ?? 1) : 1;
    const offset = value.offset + (operator === '+' ? by : -by) * size;
    return { value: { ...value, offset }, type };
  }

  /** What an initialiser in braces gives, by place or by name; all else is zero. */
  initialise(place: Place, list: CNode): void {
    const { types } = this.around.code;
    if (place.kind !== 'variable') this.refuse(list, 'only variables are written as a whole');
    this.store(place.key, { kind: 'parts', key: '' }, list);
    this.state.values.delete(place.key);
    const fields = types.fieldsOf(place.type);
    let at = 0;
    for (const one of partsOf(list)) {
      if (one.type === 'initializer_pair') {
        const path = (one.childrenForFieldName('designator') as CNode[]).reduce<Place>(
          (of, designator) => {
            const [name] = partsOf(designator);
            return designator.type === 'field_designator'
              ? this.member(of, name.text, designator)
              : ({
                  kind: 'variable',
                  key: `${(of as { key: string }).key}[${name.text}]`,
                  type: pointed(of.type),
                } as const);
          },
          place,
        );
        const field = partsOf(one.childrenForFieldName('designator')[0]!)[0].text;
        at = fields.findIndex(({ name }) => name === field) + 1;
        this.initial(path, partOf(one, 'value'));
        continue;
      }
      const isArray = place.type.kind === 'array';
      const field = fields[at];
      if (!isArray && field === undefined) {
        this.refuse(
          one,
          'the fields of this structure are not known in their order',
          'name them: .field = …',
        );
      }
      const to: Place = isArray
        ? { kind: 'variable', key: `${place.key}[${at}]`, type: pointed(place.type) }
        : this.member(place, field.name, one);
      this.initial(to, one);
      at += 1;
    }
    this.state.values.set(`${place.key} zeroed`, int(0));
  }

  private initial(place: Place, value: CNode): void {
    if (value.type === 'initializer_list') this.initialise(place, value);
    else this.write(place, this.evaluate(value).value, value);
  }
}

/** An address that nobody has placed yet, further on by a constant. */
function pathSum(operator: string, a: Value, b: Value): string | undefined {
  if (operator !== '+' || a.kind !== 'path' || b.kind !== 'int') return undefined;
  return b.value === 0 ? a.text : `${a.text} + ${b.value}`;
}

const OPPOSITES = { '=': '!=', '!=': '=', '<': '>=', '>=': '<', '>': '<=', '<=': '>' } as const;

/** The comparison that holds where one does not. */
function oppositeOf(expr: LitmusExpr): LitmusExpr | undefined {
  if (expr.kind === 'unary' && expr.op === '!') {
    const zero: LitmusExpr = { kind: 'int', value: 0, span: expr.span };
    return { kind: 'binary', op: '!=', left: expr.arg, right: zero, span: expr.span };
  }
  if (expr.kind !== 'binary' || !(expr.op in OPPOSITES)) return undefined;
  return { ...expr, op: OPPOSITES[expr.op as keyof typeof OPPOSITES] };
}

const isPart = (one: string, key: string): boolean =>
  one.startsWith(key) && ['.', '[', ' '].includes(one[key.length]);

export const pointed = (type: Type): Type =>
  type.kind === 'pointer' ? type.to : type.kind === 'array' ? type.of : UNKNOWN;

/** An element further on. */
function moved(key: string, by: number): string {
  const found = /^(.*)\[(\d+)\]$/.exec(key);
  if (found === null) return by === 0 ? key : `${key}[${by}]`;
  return `${found[1]}[${Number(found[2]) + by}]`;
}

/** Whether a value holds as a condition, if that is known. Pointers that are given lead somewhere. */
export function truth({ value, type }: Typed): boolean | undefined {
  if (value.kind === 'int') return value.value !== 0;
  if (value.kind === 'runtime') return undefined;
  if (value.kind === 'path') return type.kind === 'pointer' ? true : undefined;
  return true;
}

function folded(operator: string, a: number, b: number, node: CNode, core: Core): number {
  const compared = COMPARED.get(operator);
  if (compared !== undefined) return compared(a, b) ? 1 : 0;
  if ((operator === '/' || operator === '%') && b === 0) core.refuse(node, 'this divides by zero');
  const big = (f: (x: bigint, y: bigint) => bigint): number => Number(f(BigInt(a), BigInt(b)));
  const results: Readonly<Record<string, () => number>> = {
    '+': () => a + b,
    '-': () => a - b,
    '*': () => a * b,
    '/': () => Math.trunc(a / b),
    '%': () => a % b,
    '&': () => big((x, y) => x & y),
    '|': () => big((x, y) => x | y),
    '^': () => big((x, y) => x ^ y),
    '<<': () => big((x, y) => x << y),
    '>>': () => big((x, y) => x >> y),
  };
  const result = results[operator];
  if (result === undefined) core.refuse(node, `${operator} is not understood`);
  const value = result();
  if (!Number.isSafeInteger(value)) core.refuse(node, 'numbers go up to 2^53');
  return value;
}
