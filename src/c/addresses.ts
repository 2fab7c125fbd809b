import type { CNode } from './tree.js';
import { fieldOf, partOf, partsOf } from './tree.js';

/** Builtins whose `&x` is a variable of the function, and no memory of a request. */
const BY_ADDRESS =
  /^(ibv_poll_cq|ibv_post_\w+|ibv_get_cq_event|atomic_\w+|__atomic_\w+|__sync_\w+|memset|ibv_\w+poll)$/;

/** Is the address of a variable taken, but for calls that only return something in it? An array is an address. */
export function addressTaken(node: CNode, name: string, isArray: boolean): boolean {
  const visit = (one: CNode): boolean => {
    if (one.type === 'call_expression') {
      const called = fieldOf(one, 'function')?.text ?? '';
      const given = partsOf(partOf(one, 'arguments'));
      return given.some((argument) =>
        BY_ADDRESS.test(called) && isAddressOf(argument, name) ? false : visit(argument),
      );
    }
    if (isAddressOf(one, name)) return true;
    if (isArray && one.type === 'identifier' && one.text === name) return true;
    if (isArray && one.type === 'subscript_expression') {
      return partsOf(one).slice(1).some(visit);
    }
    if (one.type === 'sizeof_expression') return false;
    if (one.type === 'init_declarator') {
      const value = fieldOf(one, 'value');
      return value !== undefined && visit(value);
    }
    if (one.type === 'array_declarator') return false;
    return partsOf(one).some(visit);
  };
  return visit(node);
}

function isAddressOf(node: CNode, name: string): boolean {
  if (node.type !== 'pointer_expression' || !node.text.startsWith('&')) return false;
  const argument = partOf(node, 'argument');
  const root = argument.type === 'subscript_expression' ? partOf(argument, 'argument') : argument;
  return root.type === 'identifier' && root.text === name;
}
