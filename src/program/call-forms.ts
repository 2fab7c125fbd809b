import type { Calling } from '../model/instructions/operations.js';
import type { Operation } from '../model/instructions/set.js';
import type { CallStatement, Ident } from '../parse/litmus-ast.js';

/** How a call of an operation is written: `CAS(x, e1, e2)`. */
export function formOf({ name, parameters }: Operation): string {
  const values = parameters.filter(({ kind }) => kind === 'value').length;
  let seen = 0;
  const written = parameters.map(({ kind, name: own }) => {
    if (kind === 'value') return values === 1 ? 'e' : `e${++seen}`;
    if (kind === 'peer') return 'n';
    return kind === 'remote' ? `${own}^n` : own;
  });
  return parameters.length === 0 ? name : `${name}(${written.join(', ')})`;
}

/** The same with the place that it writes: `y^n := put(x)`. */
export function callOf(operation: Operation): string {
  const { into } = operation;
  const place = into && `${into.name}${into.kind === 'remote' ? '^n' : ''} := `;
  return `${place ?? ''}${formOf(operation)}`;
}

/** Does some event of an operation write the place of this parameter? */
export function isWritten(parameter: string, { alternatives }: Operation): boolean {
  return JSON.stringify(alternatives).includes(`"writes":{"place":"${parameter}"`);
}

/** The name by which a statement calls an operation: `put`, `sv.write`. */
export const calledName = ({ library, name }: CallStatement): string =>
  library === undefined ? name.text : `${library.text}.${name.text}`;

/** The texts of the tags of a call. */
export const textsOf = (tags: readonly Ident[] = []): readonly string[] =>
  tags.map(({ text }) => text);

/** A call in messages, by its operation and tags: `put [inline]`. */
export const operationCalled = ({ operation, tags = [], words }: Calling): string => {
  const of = words === undefined ? [] : [`of ${words} words`];
  return [operation, ...tags.map((tag) => `[${tag}]`), ...of].join(' ');
};
