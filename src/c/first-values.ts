import type { Diagnostic, SourceFile } from '../parse/diagnostics/index.js';
import type { CCode, CGlobal } from './code.js';
import type { Head } from './head.js';
import { constantOf } from './lengths.js';
import { elementNames } from './pieces.js';
import type { CNode } from './tree.js';
import { partsOf, spanIn } from './tree.js';

/** What a word of a variable begins with: a number, if it is known, and where that stands. */
interface FirstValue {
  readonly number: number | undefined;
  readonly node: CNode;
}

/** The first values of so many words. Where a list ends, zeros follow. Undefined: nothing is said. */
function givenFirst(
  { value }: CGlobal,
  code: CCode,
  count: number,
): readonly FirstValue[] | undefined {
  if (value === undefined) return undefined;
  const given = value.type === 'initializer_list' ? partsOf(value) : [value];
  const isInOrder = given.every(({ type }) => !/^initializer_/.test(type));
  return Array.from({ length: count }, (_, i) => {
    const node = given.at(i) ?? value;
    const number = !isInOrder ? undefined : i < given.length ? constantOf(node, code) : 0;
    return { number, node };
  });
}

/** How a head declares a variable with what it begins with; undefined: words of one array that differ cannot be said so. */
export function declared(global: CGlobal, code: CCode): string | undefined {
  const { name, type } = global;
  const count = type.kind === 'array' ? (type.count ?? 1) : 1;
  const numbers = (givenFirst(global, code, count) ?? []).map(({ number }) => number ?? 0);
  if (new Set(numbers).size > 1) return undefined;
  const [number = 0] = numbers;
  return `${name}${type.kind === 'array' ? `[${count}]` : ''} = ${number}`;
}

/**
 * A location begins with the value of the head. A variable of the file with another one contradicts that.
 *
 * `inHead`: the locations, with the words of arrays by names of their own
 */
export function wrongFirst(
  source: SourceFile,
  { arrays }: Head,
  inHead: ReadonlyMap<string, number>,
  code: CCode,
): readonly Diagnostic[] {
  return [...code.globals.values()].flatMap((global) => {
    const names = elementNames(global.name, arrays.get(global.name));
    const given = givenFirst(global, code, names.length) ?? [];
    const at = given.findIndex(({ number }, i) => {
      const value = inHead.get(names[i]);
      return number !== undefined && value !== undefined && number !== value;
    });
    if (at < 0) return [];
    const { number, node } = given[at];
    const isArray = arrays.has(global.name);
    const what = isArray ? `${global.name}[${at}]` : global.name;
    const message = `${what} begins with ${number} here, and with ${inHead.get(names[at])} in the head`;
    const hint = `declare its words one by one, and bind it: ${global.name} => ${names.join(', ')}`;
    return [{ span: spanIn(source, node), message, ...(isArray && { hint }) }];
  });
}
