import type { Library, ObjectKind, Role } from '../model/instructions/set.js';
import type { TableRow } from './table.js';

/** The names that stand for an object, a node, a number and threads in the forms below. */
const [OBJECT, NODE, NUMBER] = ['x', 'n', 'k'];

/** How programs declare objects of a library, and what that means: a row for the form, and a row for each role. */
export function objectRows({ name, object, roles }: Library): readonly TableRow[] {
  if (object === undefined) return [];
  return [
    [declarationOf(name, object, roles), cellsInWords(object)],
    ...roles.map((role): TableRow => [`  ${role.name}`, roleInWords(role)]),
  ];
}

/** `rbl x (writer T; reader T, …)`. */
function declarationOf(library: string, object: ObjectKind, roles: readonly Role[]): string {
  const on = object.cells === 'one' ? ` on ${NODE}` : '';
  const of = object.sized ? ` of ${NUMBER} words` : '';
  const taking = roles.map(({ name, many }) => `${name} ${many ? 'T, …' : 'T'}`);
  const parts = taking.length === 0 ? '' : ` (${taking.join('; ')})`;
  return `${library} ${OBJECT}${on}${of}${parts}`;
}

function cellsInWords({ cells, empty, sized }: ObjectKind): string {
  if (cells === 'none') return 'has no cells';
  const where =
    cells === 'one'
      ? `one cell, ${OBJECT}, on node ${NODE}`
      : `a cell ${OBJECT}[${NODE}] on every node`;
  const what = sized ? `, with a tuple of ${NUMBER} words` : '';
  return `${where}${what}${empty ? ', at first empty' : ''}`;
}

const roleInWords = ({ many }: Role): string =>
  many ? 'threads that take part' : 'the thread that takes part';
