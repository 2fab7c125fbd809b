import fc from 'fast-check';
import type { Pair } from './calls.js';
import { LOCATIONS } from './nodes.js';
import type { Vocabulary } from './vocabulary.js';

/** What a random program of declared operations is about. */
export type Theme = 'tags' | 'messages' | 'shared' | 'completions' | 'places' | 'words' | 'new';
/** Whether a program has something of each theme. */
export type Themes = Readonly<Record<Theme, boolean>>;

/** What a program declares, and which threads it has. */
export interface Layout {
  readonly nodes: readonly string[];
  /** By node: its tags, as they are written. */
  readonly nodeTags: readonly string[];
  /** By location: initial values, and tags as they are written. */
  readonly values: readonly number[];
  readonly tags: readonly string[];
  /** By thread: its node, and the tags of the queue pair that it declares. */
  readonly homes: readonly string[];
  readonly marks: readonly (readonly string[])[];
  /** Whether the completions of a queue pair of several threads go to the completion queue. */
  readonly joined: boolean;
  /** The name of the queue pairs between the first two nodes that messages go through. */
  readonly connection: string | undefined;
}

/** The queue pair of the first two threads, which leads to node 2; and the completion queue with its queue pairs. */
const JOINT = 's';
const QUEUE = 'c';
const QUEUED = ['a', 'b'];
/** The most locations and threads of a program. */
const LOCATED = Object.values(LOCATIONS).flat().length;
const THREADS = 3;

export function layouts({ tags }: Vocabulary, themes: Themes): fc.Arbitrary<Layout> {
  const { places, shared } = themes;
  const tagged = (some: readonly string[]): fc.Arbitrary<string> =>
    some.length > 0 ? fc.constantFrom('', '', ...some.map((tag) => ` [${tag}]`)) : fc.constant('');
  const list = <T>(one: fc.Arbitrary<T>, length: number) =>
    fc.array(one, { minLength: length, maxLength: length });
  return fc.record({
    nodes: fc.constantFrom(2, 2, 2, 2, 3).map((n) => Object.keys(LOCATIONS).slice(0, n)),
    values: list(fc.constantFrom(0, 0, 0, 1), LOCATED),
    tags: list(tagged(places ? tags.location : []), LOCATED),
    homes: homesFor(themes),
    marks: list(fc.subarray([...tags.qp], { maxLength: Math.min(2, tags.qp.length) }), THREADS),
    joined: fc.boolean(),
    connection: fc.constantFrom(...(shared ? [JOINT, JOINT] : []), undefined, 'm'),
    nodeTags: list(tagged(places ? tags.node : []), Object.keys(LOCATIONS).length),
  });
}

/** The nodes of the threads. */
function homesFor({ shared, completions, messages }: Themes): fc.Arbitrary<readonly string[]> {
  if (shared) return fc.constantFrom(['1', '1'], ['1', '1', '2']);
  if (completions) return fc.constantFrom(['1'], ['1', '2'], ['1', '1', '2']);
  if (messages) return fc.constantFrom(['1', '2'], ['1', '2'], ['1', '2', '1'], ['1', '2', '2']);
  return fc.constantFrom(['1'], ['1', '2'], ['1', '2'], ['1', '1'], ['1', '2', '2']);
}

/** The queue pairs that a thread may use; what is there several times is drawn more often. */
export function pairsOf(thread: number, themes: Themes, layout: Layout): readonly Pair[] {
  const { nodes, homes, connection } = layout;
  const { messages, shared, completions, places } = themes;
  const own = homes[thread];
  const others = nodes.filter((node) => node !== own);
  const pair = pairOf(thread, themes, layout);
  // The other end of a connection has the name of the shared queue pair.
  const isJoint = shared && (thread < 2 || (messages && own === '2'));
  return [
    ...others.map((node) => pair(node)),
    ...(messages && connection === 'm' ? others.map((node) => pair(node, 'm')) : []),
    ...(isJoint ? times(5, pair(own === '2' ? '1' : '2', JOINT)) : []),
    ...(completions
      ? others.flatMap((node) => QUEUED.flatMap((name) => times(2, pair(node, name))))
      : []),
    ...(places
      ? times(3, { ...pair(towards(thread, layout), nameOf(thread)), tags: layout.marks[thread] })
      : []),
  ];
}

const times = <T>(count: number, one: T): readonly T[] => Array.from({ length: count }, () => one);

/** The queue pair that a thread declares: its name and its node. The second thread's leads to its own node. */
const nameOf = (thread: number): string => `q${thread + 1}`;
const towards = (thread: number, { nodes, homes }: Layout): string =>
  thread === 1 ? homes[1] : nodes.find((node) => node !== homes[thread])!;

function pairOf(
  thread: number,
  { completions }: Themes,
  { homes, connection, joined }: Layout,
): (node: string, name?: string) => Pair {
  const own = homes[thread];
  const isFirst = homes.indexOf(own) === thread;
  return (node, name) => {
    const text = name === undefined ? node : `${node}.${name}`;
    const isQueued =
      completions && name !== undefined && [...QUEUED, ...(joined ? [JOINT] : [])].includes(name);
    const isOwner = isFirst || (name === JOINT && own === '1');
    const isConnected = own !== '3' && node !== '3' && node !== own;
    return {
      ...{ text, node, completions: isQueued ? QUEUE : text, tags: [] },
      ...(name !== undefined && { name }),
      isEnd: isOwner && isConnected && name === connection,
    };
  };
}

/** Nodes, queue pairs and completion queues, as text. */
export function declarations(themes: Themes, layout: Layout): string {
  const { nodes, nodeTags, values, tags, homes, marks, joined } = layout;
  const all = nodes.flatMap((node) => LOCATIONS[node]);
  const location = (name: string): string =>
    `${name} = ${values[all.indexOf(name)]}${tags[all.indexOf(name)]}`;
  const { places, shared, completions } = themes;
  const own = homes.map((_, thread) => {
    const tagged = marks[thread].map((tag) => ` [${tag}]`).join('');
    return `qp ${nameOf(thread)} : T${thread + 1} -> ${towards(thread, layout)}${tagged}`;
  });
  const queued = [...QUEUED, ...(shared && joined ? [JOINT] : [])];
  return [
    ...nodes.map(
      (node, i) => `node ${node}${nodeTags[i]} { ${LOCATIONS[node].map(location).join('; ')} }`,
    ),
    ...(places ? own : []),
    ...(shared ? [`qp ${JOINT} : T1, T2 -> 2`] : []),
    ...(completions ? [`cq ${QUEUE} { ${queued.join(', ')} }`] : []),
  ].join('\n');
}
