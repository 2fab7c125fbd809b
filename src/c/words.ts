import type { LitmusExpr } from '../parse/litmus-ast.js';
import type { QueuePairEnd } from './around.js';
import type { Core } from './core.js';
import type { Building, Region, Stretch, Value } from './state.js';
import type { CNode } from './tree.js';
import { fieldOf } from './tree.js';

/** Which words a request moves. */

export type Words = Region['places'];

/** What stands for words of which the head does not say where they are. */
const UNPLACED: Words = [{ location: '?', at: 0 }];

/** The words of the data, as they lie one element behind the other. */
export function localWords(core: Core, data: readonly Stretch[], node: CNode): Words {
  const [first] = data;
  if (data.length === 1) return wordsOf(core, first, node);
  let start = 0;
  return data.flatMap((one) => {
    if (one.length === undefined) {
      core.refuse(node, 'how long each of several elements is must be known');
    }
    const words = wordsOf(core, one, node);
    const from = start - words[0].at;
    start += one.length;
    return words.map(({ location, at }) => ({ location, at: from + at }));
  });
}

function wordsOf(core: Core, { local, length }: Stretch, node: CNode): Words {
  const { words, home } = wordsAt(core, local, length, 'the address of the data', node);
  if (home !== undefined && home !== core.thread.node.text) {
    const [{ location }] = words;
    core.refuse(
      node,
      `${location} is on node ${home}: the data of a request is in memory of its own node`,
    );
  }
  return words;
}

/** The words at a remote address, which the queue pair leads to. */
export function remoteWords(
  core: Core,
  end: QueuePairEnd,
  remote: Value | undefined,
  length: number | undefined,
  node: CNode,
): Words {
  const { words, home } = wordsAt(core, remote, length, 'the remote address', node);
  const [{ location }] = words;
  // The head may be still to be filled in: nobody knows what leads where.
  const isOpen = core.gaps !== undefined && (words === UNPLACED || end.node.text === '?');
  if (home !== end.node.text && !isOpen) {
    if (remote?.kind === 'address') core.isElsewhere(remote.region, end);
    const where = home === undefined ? 'private memory of the thread' : `on node ${home}`;
    core.refuse(
      node,
      `${location} is ${where}, and this queue pair leads to node ${end.node.text}`,
    );
  }
  return words;
}

/** The words at the remote address of a request. They lie as those of the data do. */
export function wordsThere(
  core: Core,
  end: QueuePairEnd,
  { remote, data, copied }: Building,
  local: Words,
  node: CNode,
): Words {
  const words = remoteWords(core, end, remote, lengthOf(data, copied), node);
  const isOpen = [words, local].some((all) => all.includes(UNPLACED[0]));
  if (core.gaps !== undefined && isOpen) return local.map(() => words[0]);
  const isAlike =
    words.length === local.length &&
    words.every(({ at }, i) => at - words[0].at === local[i].at - local[0].at);
  if (!isAlike) {
    const [from, to] = [local, words].map((all) => all.map((one) => one.location).join(', '));
    core.refuse(node, `the words of this request do not lie alike: ${from} here, ${to} there`);
  }
  return words;
}

function lengthOf(data: Building['data'], copied: Building['copied'] = []): number | undefined {
  if (data === undefined) return 8 * copied.length;
  const lengths = data.map(({ length }) => length);
  return lengths.includes(undefined)
    ? undefined
    : lengths.reduce<number>((sum, one) => sum + (one ?? 0), 0);
}

/** The values that words have now, in registers. */
export function copiedNow(core: Core, words: Words, node: CNode): readonly LitmusExpr[] {
  // What a call does first has the place of its name: the instruction that it is has that of the whole call.
  const at = fieldOf(node, 'function') ?? node;
  return words.map(({ location }) => {
    const value: Value = { kind: 'runtime', expr: core.refExpr(location, node), reads: true };
    return core.exprOf(core.settled(value, at, 'inlined'), node);
  });
}

function wordsAt(
  core: Core,
  value: Value | undefined,
  length: number | undefined,
  what: string,
  node: CNode,
): { readonly words: Words; readonly home?: string } {
  if (value?.kind === 'path') {
    core.unplaced(value.text, node);
    return { words: UNPLACED };
  }
  if (value?.kind === 'pointer' || value?.kind === 'parts') {
    return core.isMemory(value.key, node, `${what} is a variable that is no word of memory`);
  }
  if (value?.kind !== 'address') return core.refuse(node, `${what} is no place`);
  const { region, offset } = value;
  if (length === undefined && region.places.some(({ at }) => at > offset)) {
    core.refuse(node, 'how many words this request has is not known: its length is not constant');
  }
  const words = core.wordsIn(region, offset, length ?? 1, node);
  return { words, ...(region.node !== undefined && { home: region.node }) };
}
