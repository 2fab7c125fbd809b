import type { CCode } from './code.js';
import type { HeadThread } from './head.js';
import { expressionOf } from './pieces.js';
import type { CNode } from './tree.js';
import { partsOf } from './tree.js';

/** The things of an expression that are neither numbers nor made of others by operators: `n`, `c->size`. */
export function thingsIn(text: string): readonly string[] {
  const expression = expressionOf(text);
  return expression === undefined ? [] : [...new Set(things(expression))];
}

function things(node: CNode): readonly string[] {
  const isThing = /^(identifier|(field|subscript|pointer)_expression)$/.test(node.type);
  return isThing ? [node.text] : partsOf(node).flatMap(things);
}

/** How a head says what numbers are of which nobody knows anything. Undefined: these are none that a function is given. */
export function givenInHead(
  { name, function: called, arguments: before = [], node }: HeadThread,
  { functions }: CCode,
  unknown: readonly string[],
): string | undefined {
  const parameters = functions.get(called.text)?.parameters ?? [];
  const missing = parameters.filter((one) => unknown.includes(one.name));
  if (missing.length > 0) {
    const names = parameters.map((one, i) =>
      missing.includes(one) ? '…' : (before[i]?.text.trim() ?? one.name),
    );
    const said = missing.map((one) => one.name).join(' and ');
    const call = `${called.text}(${names.join(', ')})`;
    return `give ${said} in the head: thread ${name.text} = ${call} on ${node.text}`;
  }
  const [field] = unknown.filter((one) => /->|\./.test(one));
  const own = `${called.text}(${parameters.map((one) => one.name).join(', ')})`;
  return field === undefined
    ? undefined
    : `the head can call what sets ${field} before: thread ${name.text} = setup(…), ${own} on ${node.text}`;
}
