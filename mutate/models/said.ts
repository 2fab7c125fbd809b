import type { Change } from './mutant.js';
import { filesOf, shippedText } from './text.js';

/** What stands in the place of a text that one file of a model has. */
export type Said = readonly [name: string, what: string, from: string, to: string];

/** Each member of a line of a union is left out, in turn. */
export function without(name: string, line: string, members: readonly string[]): readonly Said[] {
  return members.map((member) => [
    `${name}-${member}`,
    `${name} without ${member}`,
    line,
    line.includes(`${member} | `)
      ? line.replace(`${member} | `, '')
      : line.replace(` | ${member}`, ''),
  ]);
}

/** A definition that is said again, of nothing: behind `head`. */
export const none = (name: string, what: string, line: string, head: string): Said => [
  name,
  what,
  line,
  line.replace(head, `${head}0 & `),
];

/** The changes of a list, each in the first file of a model that has its text. Their names begin with a prefix. */
export function changed(model: string, prefix: string, list: readonly Said[]): readonly Change[] {
  const files = filesOf(`${model}.cat`);
  return list.map(([name, what, from, to]) => ({
    name: `${prefix}-${name}`,
    what,
    edits: [{ file: files.find((file) => shippedText(file).includes(from))!, from, to }],
    direction: 'other',
  }));
}
