import type { Alphabet, Letter } from './alphabet.js';
import type { Draft } from './draft.js';
import { draftOf } from './draft.js';
import type { Shape } from './shape.js';

/** A shape as a litmus file. */
export const writeShape = (shape: Shape, alphabet: Alphabet, name: string): string =>
  writeDraft(draftOf(shape, alphabet), alphabet, name);

/** A program as a litmus file, without a question. */
export function writeDraft(draft: Draft, alphabet: Alphabet, name: string): string {
  const { marks } = alphabet;
  const { threads, locations } = draft;
  const nodes = Array.from({ length: draft.nodes }, (_, node) => {
    const own = locations.flatMap((at) => {
      const tag = at.mark === 0 ? '' : ` [${marks[at.mark - 1]}]`;
      return at.node === node ? [`${at.name} = ${at.initial}${tag}`] : [];
    });
    return `node ${node + 1} { ${own.join('; ')} }`;
  });
  const pairs = threads.flatMap(({ calls }, t) =>
    calls.flatMap(({ pair, to }) =>
      pair === undefined ? [] : [`qp ${pair} : T${t + 1} -> ${to! + 1}`],
    ),
  );
  const texts = callTexts(draft, alphabet);
  const bodies = threads.map(
    ({ node }, t) => `thread T${t + 1} on ${node + 1} { ${texts[t].join('; ')} }`,
  );
  const lines = [`RDMA ${name}`, ...nodes, ...new Set(pairs), ...bodies];
  return `${lines.join('\n')}\n`;
}

/** The calls of each thread as litmus files have them. */
export const callTexts = (
  { threads, locations }: Draft,
  { letters }: Alphabet,
): readonly (readonly string[])[] =>
  threads.map(({ calls }) =>
    calls.map(({ letter, places, numbers, to, pair, register }) => {
      const end = to === undefined ? '' : `${to + 1}${pair === undefined ? '' : `.${pair}`}`;
      let [place, number] = [0, 0];
      const given = letters[letter].slots.map(({ kind }) => {
        switch (kind) {
          case 'here':
            return locations[places[place++]].name;
          case 'there':
            return `${locations[places[place++]].name}^${end}`;
          case 'pair':
            return end;
          case 'number':
            return `${numbers[number++]}`;
          case 'compared':
            return `${locations[places[0]].initial}`;
        }
      });
      return callText(letters[letter], given, register);
    }),
  );

/** @param given the arguments, and last what the call writes */
function callText(
  { operation, tags, isShort, gives }: Letter,
  given: readonly string[],
  register: string,
): string {
  const { name, into } = operation;
  const marks = tags.map((tag) => `[${tag}]`).join('');
  if (isShort) {
    const [left, right] = into === undefined ? given : [given[1], given[0]];
    return gives ? `${register} := ${left}` : `${left} :=${marks} ${right}`;
  }
  const taken = into === undefined ? given : given.slice(0, -1);
  const call = `${name}${marks}${taken.length === 0 ? '' : `(${taken.join(', ')})`}`;
  if (into !== undefined) return `${given.at(-1)} := ${call}`;
  return gives ? `${register} := ${call}` : call;
}
