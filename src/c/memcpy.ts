import type { Call } from './calls.js';
import { int } from './calls.js';
import type { Core } from './core.js';
import { pointed } from './memory.js';
import type { Place, Region, Typed, Value } from './state.js';
import type { CNode } from './tree.js';
import type { Type } from './types.js';
import { INT, UNKNOWN, WORD } from './types.js';

/** `memcpy(to, from, bytes)`: of structures that are no memory, by their parts; of memory, word by word. */
export const copy: Call = (core, [to, from, length], node) => {
  const [target, source] = [to, from].map((one) => core.evaluate(one));
  const bytes = core.evaluate(length).value;
  const [into, out] = [core.behind(target, to), core.behind(source, from)];
  if (into.kind === 'word' || out.kind === 'word') {
    copyWords(core, [target, source], bytes, node);
    return target;
  }
  const sizes = [into, out].map(({ type }) => core.around.code.types.sizeOf(type));
  const isPart = bytes.kind === 'int' && sizes.some((n) => n !== undefined && n > bytes.value);
  if (isPart) core.refuse(node, 'a part of this is copied', 'write an assignment for each member');
  const count = elementsIn(bytes, sizes);
  if (count === undefined) {
    return core.refuse(node, 'what this copies has elements of several sizes', 'write a loop');
  }
  for (let i = 0; i < count; i++) {
    const [there, here] = [target, source].map((one) => elementAt(core, one, i, node));
    const isNumber = here.type.kind === 'int';
    const value: Value = isNumber
      ? core.read(here, node).value
      : { kind: 'parts', key: core.keyOf(here)! };
    core.write({ ...there, type: UNKNOWN }, value, node);
  }
  return target;
};

/** How many elements of some sizes so many bytes are; what is of no known size is taken to be one. Undefined: they are none of both. */
function elementsIn(bytes: Value, sizes: readonly (number | undefined)[]): number | undefined {
  const [size, other] = sizes;
  if (bytes.kind !== 'int' || (size === undefined && other === undefined)) return 1;
  const counts = [size ?? other!, other ?? size!].map((one) => bytes.value / one);
  return counts[0] === counts[1] && Number.isInteger(counts[0]) ? counts[0] : undefined;
}

/** What is so many elements behind a pointer. */
function elementAt(core: Core, pointer: Typed, index: number, node: CNode): Place {
  const by: Typed = { value: int(index), type: INT };
  return core.behind(index === 0 ? pointer : core.combined('+', pointer, by, node), node);
}

/** A number that is copied: where it is from the beginning, in bytes, and how large, if that is known. */
interface Piece {
  readonly place: Place;
  readonly name: string;
  readonly at: number;
  readonly size?: number;
}

function copyWords(core: Core, both: readonly Typed[], bytes: Value, node: CNode): void {
  if (bytes.kind !== 'int') core.refuse(node, 'how much memory this copies is not known');
  const { value: length } = bytes;
  if (length === 0) return;
  // The head has to say where a pointer to no structure leads.
  const open = both.flatMap(({ value, type }) => {
    const isOpen = value.kind === 'path' && !value.text.startsWith('&') && type.kind !== 'array';
    return isOpen && pointed(type).kind !== 'struct' ? [value.text] : [];
  });
  for (const text of open) core.unplaced(text, node);
  if (open.length > 0) return;
  const [to, from] = both.map((one) => piecesAt(core, one, length, node));
  mustBeWhole([...to, ...from], length, core, node);
  const isSame = (a: Piece, b: Piece): boolean =>
    a.at === b.at && (a.size === undefined || b.size === undefined || a.size === b.size);
  if (to.length !== from.length || !to.every((one, i) => isSame(one, from[i]))) {
    const [there, here] = [to, from].map((all) => all.map(({ name }) => name).join(', '));
    core.refuse(node, `what this copies does not lie alike: ${here} here, ${there} there`);
  }
  const twice = to.find((one) => from.some(({ name }) => name === one.name));
  if (twice !== undefined)
    core.refuse(node, `${twice.name} is copied, and written by the same copy`);
  if (to.length > 1) {
    core.remark('assumed', 'this copies word by word, from the first to the last', node);
  }
  for (const [i, one] of to.entries()) {
    const isUnsaid = one.size === undefined && from[i].size === undefined;
    if (isUnsaid && one.at + 8 > length) {
      core.remark('assumed', `this part of ${one.name} is all of it`, node);
    }
    const type = typeOf(from[i].place) ?? typeOf(one.place) ?? WORD;
    const { value } = core.read({ ...from[i].place, type }, node);
    core.write({ ...one.place, type: typeOf(one.place) ?? type }, value, node);
  }
}

/** The type that a variable has; a word has that of what it is copied to, or from. */
const typeOf = ({ kind, type }: Place): Type | undefined => (kind === 'word' ? undefined : type);

/** A copy of some of the bytes of a number is none of a number. */
function mustBeWhole(all: readonly Piece[], length: number, core: Core, node: CNode): void {
  const part = all.find(({ at, size = 0 }) => at + size > length);
  if (part !== undefined) core.refuse(node, `a part of ${part.name} is copied`);
}

/** The numbers within so many bytes of where a pointer leads. */
function piecesAt(core: Core, pointer: Typed, length: number, node: CNode): readonly Piece[] {
  const place = core.behind(pointer, node);
  if (place.kind === 'word') return wordsAt(core, place, length, node);
  const size = core.around.code.types.sizeOf(place.type);
  if (size === undefined) core.refuse(node, 'how large this is, the file does not say');
  const count = Math.ceil(length / size);
  return Array.from({ length: count }, (_, i) => {
    return numbersIn(core, elementAt(core, pointer, i, node), size * i, node);
  }).flat();
}

function wordsAt(
  core: Core,
  place: Place & { readonly kind: 'word' },
  length: number,
  node: CNode,
): readonly Piece[] {
  const { region, offset } = place;
  const words: Region['places'] = core.wordsIn(region, offset, length, node);
  return words.map(({ location, at, size = 0 }) => ({
    ...{ place: { ...place, offset: at }, name: location, at: at - offset },
    ...(size > 0 && { size }),
  }));
}

/** The numbers that a variable is made of. */
function numbersIn(core: Core, place: Place, at: number, node: CNode): readonly Piece[] {
  const { types } = core.around.code;
  const { type } = place;
  if (type.kind === 'struct' && !types.isUnion(type.name)) {
    const fields = types.fieldsOf(type);
    return fields.flatMap(({ name }) => {
      const from = types.offsetOf(type, name);
      if (from === undefined) core.refuse(node, `where ${name} is in memory is not known`);
      return numbersIn(core, core.member(place, name, node), at + from, node);
    });
  }
  const size = types.sizeOf(type);
  if (type.kind !== 'int' || size === undefined) {
    core.refuse(node, 'only numbers, and structures of them, are copied to memory and from it');
  }
  const key = core.keyOf(place) ?? '';
  return [{ place, name: key.replace(/^(\d+:|path |global )|#\d+/g, ''), at, size }];
}
