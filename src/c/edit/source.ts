import type { SourceFile } from '../../parse/diagnostics/index.js';
import type { CCode, CFunction } from '../code.js';
import { codeOf } from '../code.js';
import type { HeadThread } from '../head.js';
import { headOf } from '../head.js';
import { split } from '../pieces.js';
import type { CNode } from '../tree.js';
import { fieldOf, isCpp, parseTree, partsOf } from '../tree.js';

/** A C file that is to be changed. */
export interface CSource {
  readonly path: string;
  readonly text: string;
  readonly tree: CNode;
  readonly code: CCode;
  /** By thread, its function. */
  readonly functionOf: ReadonlyMap<string, CFunction>;
  /** By function that is a thread: the completion queues that the head names for its queue pairs. */
  readonly queuesOf: ReadonlyMap<string, readonly Expression[]>;
  /** What one level of its indentation is. */
  readonly unit: string;
}

/** An expression of C, and the names in it. */
export interface Expression {
  readonly text: string;
  readonly names: readonly string[];
}

/** A file that is read as a program; undefined: it has no head, or is no C. */
export function sourceOf({ path, text }: SourceFile): CSource | undefined {
  if (isCpp(path)) return undefined;
  const tree = parseTree(text);
  const read = headOf({ path, text }, tree);
  if (read.kind === 'none') return undefined;
  const code = codeOf(tree);
  const functionOf = new Map(
    read.head.threads.flatMap(({ name, function: called }) => {
      const one = code.functions.get(called.text);
      return one === undefined ? [] : [[name.text, one] as const];
    }),
  );
  const { threads } = read.head;
  const queuesOf = new Map(
    [...code.functions.values()].map((one) => [one.name, queuesIn(threads, one)] as const),
  );
  return { path, text, tree, code, functionOf, queuesOf, unit: unitOf(text, code) };
}

/** What is behind `on` in the bindings of a function: in its parameters, where the head has arguments. */
function queuesIn(
  threads: readonly HeadThread[],
  { name, parameters }: CFunction,
): readonly Expression[] {
  return threads
    .filter(({ function: called }) => called.text === name)
    .flatMap(({ binds, arguments: given = [] }) => {
      const own = new Map(given.map((one, i) => [one.text.trim(), parameters.at(i)?.name]));
      return binds.flatMap(({ completions }) =>
        split(completions?.text ?? '', 0, completions?.text.length ?? 0, ',').map((one) => {
          const text = one.text
            .trim()
            .replaceAll(/(?<![\w.]|->)\w+/g, (word) => own.get(word) ?? word);
          return { text, names: text.match(/(?<![\w.]|->)[A-Za-z_]\w*/g) ?? [] };
        }),
      );
    });
}

/** The indentation of the first statement of a function that begins a line. */
function unitOf(text: string, { functions }: CCode): string {
  for (const { body } of functions.values()) {
    const [first] = partsOf(body);
    const lead = first === undefined ? '' : leadOf(text, first.startIndex);
    if (lead !== '' && lead.trim() === '') return lead;
  }
  return '    ';
}

/** What stands before a place in its line. */
export const leadOf = (text: string, at: number): string =>
  text.slice(text.lastIndexOf('\n', at - 1) + 1, at);

/** The indentation of the line of a place. */
export const indentAt = (text: string, at: number): string =>
  /^[ \t]*/.exec(text.slice(text.lastIndexOf('\n', at - 1) + 1))![0];

/** The nodes that a place is in, the outermost first. */
export function nodesAt(node: CNode, at: number): readonly CNode[] {
  const inner = partsOf(node).find((one) => one.startIndex <= at && at < one.endIndex);
  return inner === undefined ? [node] : [node, ...nodesAt(inner, at)];
}

/** The function that a place is in. */
export const functionAt = ({ code }: CSource, at: number): CFunction | undefined =>
  [...code.functions.values()].find(({ node }) => node.startIndex <= at && at < node.endIndex);

/** All nodes of a type in a node, in the order of the text. */
export function nodesOf(node: CNode, type: string): readonly CNode[] {
  const own = node.type === type ? [node] : [];
  return [...own, ...partsOf(node).flatMap((one) => nodesOf(one, type))];
}

/** The calls of a function in a node. */
export const callsOf = (node: CNode, name: string): readonly CNode[] =>
  nodesOf(node, 'call_expression').filter((one) => fieldOf(one, 'function')?.text === name);

export const argumentsOf = (call: CNode): readonly CNode[] => {
  const list = fieldOf(call, 'arguments');
  return list === undefined ? [] : partsOf(list);
};

/** A way from one function to another: the calls that lead there. */
export type CallPath = readonly CNode[];

/** Longer ways are not looked at. */
const DEEPEST = 6;

/** The ways by which a function comes to another one; to itself, by no call. */
export function callPaths(
  source: CSource,
  from: CFunction,
  to: CFunction,
  depth = DEEPEST,
): readonly CallPath[] {
  if (from === to) return [[]];
  if (depth === 0) return [];
  return nodesOf(from.body, 'call_expression').flatMap((call) => {
    const called = source.code.functions.get(fieldOf(call, 'function')?.text ?? '');
    if (called === undefined || called === from) return [];
    return callPaths(source, called, to, depth - 1).map((rest) => [call, ...rest]);
  });
}
