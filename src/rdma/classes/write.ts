import { saysItsWay } from '../../model/instructions/operations.js';
import type { Alphabet, Letter } from './alphabet.js';
import { initialValues } from './values.js';
import type { Shape } from './shape.js';

/** A shape as a litmus file. */
export function writeShape(shape: Shape, alphabet: Alphabet, name: string): string {
  const { threads, locations } = shape;
  const { letters, marks } = alphabet;
  const { initial, numbers } = initialValues(shape, letters);
  const named = nameLocations(locations.length);
  const nodes = Array.from({ length: shape.nodes }, (_, node) => {
    const own = locations.flatMap((at, i) => {
      const tag = at.mark === 0 ? '' : ` [${marks[at.mark - 1]}]`;
      return at.node === node ? [`${named[i]} = ${initial[i]}${tag}`] : [];
    });
    return `node ${node + 1} { ${own.join('; ')} }`;
  });
  let register = 0;
  let number = 0;
  const bodies = threads.map(({ node, calls }, t) => {
    const texts = calls.map(({ letter, to, places }) => {
      let place = 0;
      const given = letters[letter].slots.map(({ kind }) => {
        switch (kind) {
          case 'here':
            return named[places[place++]];
          case 'there':
            return `${named[places[place++]]}^${to! + 1}`;
          case 'pair':
            return `${to! + 1}`;
          case 'number':
            return `${numbers[number++]}`;
          case 'compared':
            return `${initial[places[0]]}`;
        }
      });
      return callText(letters[letter], given, () => `r${++register}`);
    });
    return `thread T${t + 1} on ${node + 1} { ${texts.join('; ')} }`;
  });
  return `RDMA ${name}\n${nodes.join('\n')}\n${bodies.join('\n')}\n`;
}

/** @param given the arguments, and last what the call writes */
function callText(
  { operation, tags, isShort }: Letter,
  given: readonly string[],
  register: () => string,
): string {
  const { name, into, result } = operation;
  const marks = tags.map((tag) => `[${tag}]`).join('');
  if (isShort) {
    const [left, right] = into === undefined ? given : [given[1], given[0]];
    return right === undefined ? `${register()} := ${left}` : `${left} :=${marks} ${right}`;
  }
  const taken = into === undefined ? given : given.slice(0, -1);
  const call = `${name}${marks}${taken.length === 0 ? '' : `(${taken.join(', ')})`}`;
  if (into !== undefined) return `${given.at(-1)} := ${call}`;
  return result === undefined || saysItsWay(operation) ? call : `${register()} := ${call}`;
}

const FIRST_NAMES = ['x', 'y', 'z', 'w', 'u', 'v'];
const nameLocations = (count: number): readonly string[] =>
  Array.from({ length: count }, (_, i) => FIRST_NAMES[i] ?? `x${i}`);
