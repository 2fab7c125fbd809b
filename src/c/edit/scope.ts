import type { CFunction } from '../code.js';
import type { CNode } from '../tree.js';
import { fieldOf, fieldsOf, identifiersIn, partsOf } from '../tree.js';
import type { Place } from './places.js';
import { offsetOf } from './places.js';
import type { CallPath, CSource } from './source.js';
import { argumentsOf, nodesAt, nodesOf } from './source.js';

/** Which names can be used where, and what an expression of a helper is where the helper is called. */

/** The name that a declarator declares. */
function nameOf(declarator: CNode): string {
  const inner = fieldOf(declarator, 'declarator');
  return inner === undefined ? declarator.text : nameOf(inner);
}

const namesOf = (declaration: CNode): readonly string[] =>
  fieldsOf(declaration, 'declarator').map(nameOf);

/** The variables that a function declares, parameters included. */
export const localsOf = ({ body, parameters }: CFunction): ReadonlySet<string> =>
  new Set([
    ...parameters.map(({ name }) => name),
    ...nodesOf(body, 'declaration').flatMap(namesOf),
  ]);

/** The variables of the function that can be named at a place. */
export function visibleAt(place: Place): ReadonlySet<string> {
  const { inside, holder } = place;
  const at = offsetOf(place);
  const around = [...nodesAt(inside.body, holder.startIndex), holder];
  const declared = around.flatMap((node) =>
    partsOf(node).filter((one) => one.type === 'declaration' && one.endIndex <= at),
  );
  return new Set([...inside.parameters.map(({ name }) => name), ...declared.flatMap(namesOf)]);
}

/** Can all that is named be named at a place? What no function declares, all of them can name. */
export function canName(place: Place, names: readonly string[]): boolean {
  const visible = visibleAt(place);
  const locals = localsOf(place.inside);
  return names.every((name) => visible.has(name) || !locals.has(name));
}

/** An expression where a way of calls begins: arguments in the place of parameters; undefined: it has variables of a helper. */
export function seenFrom(
  { text, code }: CSource,
  expression: CNode,
  inside: CFunction,
  path: CallPath,
): Seen | undefined {
  let seen: Seen = {
    text: text.slice(expression.startIndex, expression.endIndex),
    names: identifiersIn(expression),
  };
  let last = inside;
  for (const call of [...path].reverse()) {
    const given = new Map(
      last.parameters.map(({ name }, i) => [name, argumentsOf(call).at(i)] as const),
    );
    const locals = localsOf(last);
    if (seen.names.some((name) => locals.has(name) && given.get(name) === undefined)) {
      return undefined;
    }
    seen = {
      text: tidy(
        seen.text.replaceAll(/(?<![\w.]|->)[A-Za-z_]\w*\b/g, (name) => {
          const one = given.get(name);
          return one === undefined ? name : inParentheses(one);
        }),
      ),
      names: seen.names.flatMap((name) => {
        const one = given.get(name);
        return one === undefined ? [name] : identifiersIn(one);
      }),
    };
    const caller = [...code.functions.values()].find(
      ({ node }) => node.startIndex <= call.startIndex && call.startIndex < node.endIndex,
    );
    if (caller === undefined) return undefined;
    last = caller;
  }
  return seen;
}

/** The text of an expression, and the names in it. */
export interface Seen {
  readonly text: string;
  readonly names: readonly string[];
}

const PLAIN: readonly string[] = ['identifier', 'number_literal', 'call_expression'];
const PATHS: readonly string[] = ['field_expression', 'subscript_expression'];

const inParentheses = ({ type, text }: CNode): string =>
  [...PLAIN, ...PATHS].includes(type) ? text : `(${text})`;

/** `c->data.qp` for `(&c->data)->qp`, and `c->a + 64` for `(c->a + 64)`. */
function tidy(text: string): string {
  const direct = text.replaceAll(/\(&([\w.[\]]+(?:->[\w.[\]]+)*)\)->/g, '$1.');
  return direct.replace(/^\(([^()]*)\)$/, '$1');
}
