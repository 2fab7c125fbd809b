import type { Statement } from '../parse/litmus-ast.js';

type CallOf = Extract<Statement, { readonly kind: 'call' }>;

export const isLoad = ({ name }: CallOf): boolean => name.text === 'ldar' || name.text === 'ldapr';

/** A read or a write that has more order than others, as an assignment; any other statement as it is. */
export function unordered(one: Statement): Statement {
  if (one.kind !== 'call') return one;
  const [place, value] = one.arguments ?? [];
  const { target, span } = one;
  if (place?.kind !== 'ref') return one;
  if (isLoad(one) && target !== undefined) return { kind: 'assign', target, value: place, span };
  const isStore = one.name.text === 'stlr' && value.kind !== 'peer' && value.kind !== 'nodes';
  return isStore ? { kind: 'assign', target: place.ref, value, span } : one;
}

const BARRIERS: readonly string[] = ['dmb', 'dsb', 'isb'];

/** Is it there for the order of others alone? On x86, it may be nothing. */
export const isBarrier = (one: Statement): boolean =>
  one.kind === 'call' && BARRIERS.includes(one.name.text);
