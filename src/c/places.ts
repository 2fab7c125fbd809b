import { didYouMean } from '../parse/diagnostics/index.js';
import { moved } from './arithmetic.js';
import { CONSTANTS, LIMITS } from './constants.js';
import { elementNames, expressionOf } from './pieces.js';
import { commonType, literalOf, promoted, resultType } from './numbers.js';
import { Memory, pointed } from './memory.js';
import { elementOf, partOfPath, pathText } from './paths.js';
import { refuseKnown } from './refused.js';
import type { Place, Region, Typed } from './state.js';
import type { CNode } from './tree.js';
import { fieldOf, operatorOf, partOf, partsOf } from './tree.js';
import type { Type } from './types.js';
import { INT, UNKNOWN, UNSIGNED, WORD } from './types.js';

/** Which place an expression leads to. */
export abstract class Places extends Memory {
  placeOf(node: CNode): Place {
    return this.placed(this.expressed(node));
  }

  /** Memory, if the head says of the address of a place where it leads. */
  private placed(place: Place): Place {
    if (place.kind !== 'path') return place;
    const { text, type } = place;
    const value = this.boundAt(text);
    if (value?.kind !== 'address') return place;
    return { kind: 'word', region: value.region, offset: value.offset, type };
  }

  private expressed(node: CNode): Place {
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
      case 'call_expression': {
        const inMacro = this.placeInMacro(node);
        return inMacro ?? this.behind(this.evaluate(node), node);
      }
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
        const isInside = type.kind === 'array';
        return { kind: 'path', text: elementOf(value.text, 0), type: to, isInside };
      }
      case 'parts':
        return { kind: 'variable', key: `${value.key}[0]`, type: to };
      case 'int':
      case 'large':
      case 'nothing':
      case 'runtime':
      case 'text':
        return this.refuse(node, 'nobody knows where this pointer leads');
    }
  }

  member(place: Place, name: string, node: CNode): Place {
    const { types } = this.around.code;
    const known = types.membersWithout(place.type, name);
    if (known !== undefined && place.type.kind === 'struct') {
      const at = fieldOf(node, 'field') ?? partsOf(node).at(0) ?? node;
      this.refuse(at, ...withoutMember(place.type.name, name, known));
    }
    const type = types.fieldType(place.type, name);
    switch (place.kind) {
      case 'variable': {
        const key = `${place.key}.${name}`;
        const besides = types.besides(place.type, name).map((one) => `${place.key}.${one}`);
        if (besides.length > 0) this.besides.set(key, besides);
        return { kind: 'variable', key, type };
      }
      case 'path':
        return { kind: 'path', text: partOfPath(place.text, `.${name}`), type };
      case 'word': {
        const at = types.offsetOf(place.type, name);
        if (at === undefined) return this.refuse(node, `where ${name} is in memory is not known`);
        return { ...place, offset: place.offset + at, type };
      }
    }
  }

  /** The structure around a member that a pointer leads to. */
  containing({ value }: Typed, of: CNode, member: string, node: CNode): Typed {
    const { types } = this.around.code;
    const type: Type = { kind: 'pointer', to: types.named(of) };
    const at = types.offsetOf(type.to, member);
    if (value.kind === 'address' && at !== undefined) {
      return { value: { ...value, offset: value.offset - at }, type };
    }
    const text = value.kind === 'pointer' ? value.key : value.kind === 'path' ? value.text : '';
    const end = new RegExp(`(\\.|->)${member.replaceAll('.', '\\.')}$`).exec(text);
    if (end === null) {
      return this.refuse(node, `this is not known to lead to a member ${member}`);
    }
    const outer = text.slice(0, end.index);
    if (value.kind === 'pointer') return { value: { ...value, key: outer }, type };
    const path = end[1] === '->' ? outer.replace(/^&/, '') : outer;
    return { value: { kind: 'path', text: path }, type };
  }

  private element(node: CNode): Place {
    const argument = partOf(node, 'argument');
    const { value: index } = this.evaluate(partOf(node, 'index'));
    const base = this.evaluate(argument);
    const to = pointed(base.type);
    if (index.kind !== 'int') {
      const message = 'an index must be known when the file is read';
      const at = partOf(node, 'index');
      return this.refuse(
        at,
        message,
        index.kind === 'path' ? this.givenFor(index.text) : undefined,
      );
    }
    switch (base.value.kind) {
      case 'address': {
        const offset = base.value.offset + index.value * this.sizeOf(to, node);
        return { kind: 'word', region: base.value.region, offset, type: to };
      }
      case 'parts':
        return { kind: 'variable', key: `${base.value.key}[${index.value}]`, type: to };
      case 'pointer': {
        const key = moved(base.value.key, index.value);
        return { kind: 'variable', key, type: to };
      }
      case 'path': {
        const isInside = base.type.kind === 'array';
        return { kind: 'path', text: elementOf(base.value.text, index.value), type: to, isInside };
      }
      case 'int':
      case 'large':
      case 'nothing':
      case 'runtime':
      case 'text':
        return this.refuse(argument, 'nobody knows where this pointer leads');
    }
  }

  /** The place that a macro of the file stands for; undefined: this is none. */
  abstract placeInMacro(node: CNode): Place | undefined;

  private variable(node: CNode): Place {
    const { text } = node;
    const local = this.find(text);
    if (local !== undefined) return local;
    const inMacro = this.placeInMacro(node);
    if (inMacro !== undefined) return inMacro;
    const global = this.around.code.globals.get(text);
    const region = this.regionOf(text);
    if (region !== undefined)
      return { kind: 'word', region, offset: 0, type: global?.type ?? WORD };
    if (global === undefined && this.around.code.functions.has(text)) {
      return { kind: 'path', text, type: UNKNOWN };
    }
    if (global === undefined && !this.isInHead(text)) {
      this.mustBeNoConstant(node);
      const { scopes } = this.frames.at(-1) ?? { scopes: [] };
      const names = [this.around.nodeOf, this.around.code.globals, ...scopes].flatMap((of) => [
        ...of.keys(),
      ]);
      const hint =
        didYouMean(text, names) ?? `declare it, or give it a binding in the head: ${text} => …`;
      this.missing('place', text, node, `nothing says what ${text} is`, hint);
    }
    if (global === undefined) return { kind: 'path', text, type: UNKNOWN };
    return this.globalPlace(text, global.type);
  }

  /** A name in capitals that is nearly that of a constant. */
  private mustBeNoConstant(node: CNode): void {
    const { text } = node;
    if (!/^[A-Z][A-Z\d_]*$/.test(text)) return;
    refuseKnown(this, text, node);
    const { code, constants } = this.around;
    const known = [CONSTANTS, LIMITS, constants, code.macros].flatMap((of) => [...of.keys()]);
    const hint = didYouMean(text, known);
    if (hint !== undefined) this.refuse(node, `there is no constant ${text}`, hint);
  }

  /** A variable at file level that is no location of a node. */
  abstract globalPlace(name: string, type: Type): Place;

  /** The memory that a name of the head is. */
  regionOf(name: string): Region | undefined {
    const { nodeOf, arrays } = this.around;
    const count = arrays.get(name);
    const names = elementNames(name, count);
    const node = nodeOf.get(names[0]);
    if (node === undefined) return undefined;
    const { types, globals } = this.around.code;
    const type = globals.get(name)?.type ?? UNKNOWN;
    const step = types.sizeOf(pointed(type)) ?? 8;
    const word = count === undefined ? type : pointed(type);
    const size = word.kind === 'int' ? word.size : 0;
    return { node, places: names.map((location, i) => ({ location, at: step * i, size })) };
  }

  protected addressOf(node: CNode): Typed {
    const place = this.placeOf(node);
    const type: Type = { kind: 'pointer', to: place.type };
    switch (place.kind) {
      case 'variable':
        return { value: { kind: 'pointer', key: place.key }, type };
      case 'word':
        return { value: { kind: 'address', region: place.region, offset: place.offset }, type };
      case 'path': {
        const { text } = place;
        const bound = this.boundAt(text);
        if (bound !== undefined) return { value: bound, type };
        return { value: { kind: 'path', text: pathText(`&${text}`) }, type };
      }
    }
  }

  /** The type of an expression, without doing what it does. */
  protected typeOf(node: CNode): Type {
    const { types } = this.around.code;
    const of = (name: string): Type => this.typeOf(partOf(node, name));
    switch (node.type) {
      case 'parenthesized_expression':
        return this.typeOf(partsOf(node)[0]);
      case 'identifier':
        return this.typeOfName(node);
      case 'number_literal':
        return literalOf(node.text)?.type ?? UNKNOWN;
      case 'char_literal':
        return INT;
      case 'sizeof_expression':
        return UNSIGNED;
      case 'cast_expression':
        return types.named(partOf(node, 'type'));
      case 'field_expression': {
        const type = of('argument');
        const { text } = partOf(node, 'field');
        return types.fieldType(operatorOf(node) === '.' ? type : pointed(type), text);
      }
      case 'subscript_expression':
        return pointed(of('argument'));
      case 'pointer_expression':
        return operatorOf(node) === '*'
          ? pointed(of('argument'))
          : { kind: 'pointer', to: of('argument') };
      case 'call_expression':
        return this.around.code.functions.get(partOf(node, 'function').text)?.returns ?? UNKNOWN;
      case 'unary_expression':
        return operatorOf(node) === '!' ? INT : promoted(of('argument'));
      case 'update_expression':
        return of('argument');
      case 'assignment_expression':
        return of('left');
      case 'comma_expression':
        return of('right');
      case 'binary_expression':
        return resultType(operatorOf(node), of('left'), of('right'));
      case 'conditional_expression':
        return commonType(of('consequence'), of('alternative'));
      default:
        return UNKNOWN;
    }
  }

  private typeOfName(node: CNode): Type {
    const { text } = node;
    if (this.find(text) === undefined) {
      const { macros } = this.around.code;
      const macro = expressionOf(LIMITS.get(text) ?? macros.get(text) ?? '');
      if (macro !== undefined) return this.typeOf(macro);
      if (CONSTANTS.has(text) || this.around.constants.has(text)) return INT;
    }
    return this.variable(node).type;
  }

  /** The size of what a pointer steps over, in bytes. */
  protected sizeOf(type: Type, node: CNode): number {
    const size = this.around.code.types.sizeOf(type);
    return size ?? this.refuse(node, 'how large this is, the file does not say');
  }
}

/** What is said of a member that a structure does not have, and a hint. */
export const withoutMember = (
  of: string,
  name: string,
  known: readonly string[],
): readonly [message: string, hint: string] => {
  const hint = didYouMean(name, known) ?? `it has ${known.join(', ')}`;
  const what = of.startsWith('at ') ? 'this structure' : of;
  return [`${what} has no member ${name}`, hint];
};
