import { int } from './calls.js';
import { Evaluating } from './expressions.js';
import { ZEROED } from './known.js';
import { pointed } from './memory.js';
import { elementOf } from './paths.js';
import type { Place } from './state.js';
import type { CNode } from './tree.js';
import { partOf, partsOf } from './tree.js';
import { WORD } from './types.js';

/** Initialisers in braces. */
export abstract class Initialising extends Evaluating {
  /** What an initialiser in braces gives, by place or by name; all else is zero. */
  initialise(place: Place, list: CNode): void {
    const key = this.keyOf(place);
    if (key !== undefined) this.forget(key);
    const given: Place[] = [];
    const all = partsOf(list);
    // Whatever it is: all of it is zero.
    const isZero = all.length === 0 || (all.length === 1 && all[0].text === '0');
    if (isZero && key !== undefined) {
      this.state.values.set(key + ZEROED, int(0));
      return;
    }
    let next = 0;
    for (const one of all) {
      if (one.type !== 'initializer_pair') {
        const to = this.nth(place, next, one);
        given.push(to);
        this.initial(to, one);
        next += 1;
        continue;
      }
      const designators = one.childrenForFieldName('designator') as CNode[];
      const to = designators.reduce((of, designator) => {
        const [name] = partsOf(designator);
        if (designator.type === 'field_designator') return this.member(of, name.text, designator);
        return this.elementOf(of, this.numberOf(of, designator), designator);
      }, place);
      next = this.numberOf(place, designators[0]) + 1;
      given.push(to);
      this.initial(to, partOf(one, 'value'));
    }
    if (key !== undefined) this.state.values.set(key + ZEROED, int(0));
    else this.clear(place, given, list);
  }

  /** Which part a designator names, by its number. */
  private numberOf(place: Place, designator: CNode): number {
    const [name] = partsOf(designator);
    if (designator.type === 'field_designator') {
      return this.around.code.types.fieldsOf(place.type).findIndex((one) => one.name === name.text);
    }
    const { value } = this.evaluate(name);
    if (value.kind !== 'int') this.refuse(name, 'which element this is must be known');
    return value.value;
  }

  /** The n-th part of a structure or an array. */
  private nth(place: Place, n: number, node: CNode): Place {
    if (place.type.kind === 'array') return this.elementOf(place, n, node);
    const field = this.around.code.types.fieldsOf(place.type)[n];
    if (field !== undefined) return this.member(place, field.name, node);
    return this.refuse(
      node,
      'the fields of this structure are not known in their order',
      'name them: .field = …',
    );
  }

  private elementOf(place: Place, n: number, node: CNode): Place {
    const type = pointed(place.type);
    if (place.kind === 'variable') return { kind: 'variable', key: `${place.key}[${n}]`, type };
    if (place.kind === 'path') return { kind: 'path', text: elementOf(place.text, n), type };
    return { ...place, offset: place.offset + n * this.sizeOf(type, node), type };
  }

  /** Writes zero to the words of a variable, or of a part of one, that is memory, but for those of some of its parts. */
  private clear(place: Place, parts: readonly Place[], node: CNode): void {
    if (place.kind !== 'word') return;
    const { types } = this.around.code;
    const end = place.offset + (types.sizeOf(place.type) ?? Infinity);
    const isGiven = (at: number): boolean =>
      parts.some(
        (one) =>
          one.kind === 'word' &&
          at >= one.offset &&
          at < one.offset + (types.sizeOf(one.type) ?? 8),
      );
    for (const { at } of place.region.places) {
      const isInside = at >= place.offset && at < end;
      if (isInside && !isGiven(at)) this.write({ ...place, offset: at, type: WORD }, int(0), node);
    }
  }

  private initial(place: Place, value: CNode): void {
    if (value.type === 'initializer_list') return this.initialise(place, value);
    const { value: given } = this.evaluate(value);
    const isWhole = place.type.kind !== 'struct' && place.type.kind !== 'array';
    if (!isWhole && ['int', 'large', 'runtime', 'address', 'pointer'].includes(given.kind)) {
      const what = place.type.kind === 'array' ? 'an array' : 'a structure';
      this.refuse(
        value,
        `this is a part of ${what} without its braces`,
        'put them around its parts',
      );
    }
    this.write(place, given, value);
  }
}
