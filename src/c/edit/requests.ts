import type { CFunction } from '../code.js';
import type { CNode } from '../tree.js';
import { fieldOf, partOf, partsOf } from '../tree.js';
import { nodesOf } from './source.js';

/** What a function writes into the fields of its requests. */
export interface Written {
  readonly opcode: readonly CNode[];
  readonly flags: readonly CNode[];
  readonly remote: readonly CNode[];
  readonly remoteKey: readonly CNode[];
  /** Of a scatter element: the address of the data, and its key. */
  readonly local: readonly CNode[];
  readonly localKey: readonly CNode[];
}

/** The ends of the paths of C to these fields. */
const FIELDS: readonly (readonly [keyof Written, RegExp])[] = [
  ['opcode', /(^|[.>])opcode$/],
  ['flags', /(^|[.>])(send_flags|wr_flags)$/],
  ['remote', /(^|[.>])remote_addr$/],
  ['remoteKey', /(^|[.>])rkey$/],
  ['local', /(^|[.>])addr$/],
  ['localKey', /(^|[.>])lkey$/],
];

/** By the builder of ibv_wr_post(3) or its setter: which argument is what. */
const BUILDERS: readonly (readonly [RegExp, Partial<Record<keyof Written, number>>])[] = [
  [/^ibv_wr_(rdma_|atomic_)/, { remoteKey: 1, remote: 2 }],
  [/^ibv_wr_set_sge$/, { localKey: 1, local: 2 }],
];

/** The expressions that a function gives to fields of requests, in the order of the text. */
export function writtenIn({ body }: CFunction): Written {
  const found = new Map<keyof Written, CNode[]>(FIELDS.map(([field]) => [field, []]));
  const note = (path: string, value: CNode): void => {
    for (const [field, end] of FIELDS) if (end.test(path)) found.get(field)!.push(value);
  };
  for (const one of nodesOf(body, 'assignment_expression')) {
    note(partOf(one, 'left').text, partOf(one, 'right'));
  }
  for (const list of nodesOf(body, 'initializer_list')) {
    for (const one of partsOf(list)) noteInitializer(one, note);
  }
  for (const one of nodesOf(body, 'declaration')) {
    if (fieldOf(one, 'type')?.text !== 'struct ibv_sge') continue;
    for (const list of nodesOf(one, 'initializer_list')) inOrder(list, ['addr', '', 'lkey'], note);
  }
  for (const call of nodesOf(body, 'call_expression')) {
    const name = fieldOf(call, 'function')?.text ?? '';
    const given = partsOf(partOf(call, 'arguments'));
    for (const [names, fields] of BUILDERS) {
      if (!names.test(name)) continue;
      for (const [field, at] of Object.entries(fields)) {
        if (given[at] !== undefined) found.get(field as keyof Written)!.push(given[at]);
      }
    }
  }
  return Object.fromEntries(found) as unknown as Written;
}

type Note = (path: string, value: CNode) => void;

/** `.wr.rdma = { raddr, rkey }`, `.send_flags = 0` */
function noteInitializer(one: CNode, note: Note): void {
  if (one.type !== 'initializer_pair') return;
  const value = partOf(one, 'value');
  const path = partsOf(one)
    .filter(({ type }) => type === 'field_designator')
    .map(({ text }) => text)
    .join('');
  note(path, value);
  if (/\.rdma$/.test(path) && value.type === 'initializer_list') {
    inOrder(value, ['remote_addr', 'rkey'], note);
  }
}

/** The parts of an initialiser that names no fields. */
function inOrder(list: CNode, names: readonly string[], note: Note): void {
  const parts = partsOf(list);
  if (parts.some(({ type }) => type === 'initializer_pair')) return;
  for (const [i, name] of names.entries()) if (parts[i] !== undefined) note(name, parts[i]);
}
