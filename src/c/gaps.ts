import type { Span } from '../parse/diagnostics/index.js';
import { position } from '../parse/diagnostics/index.js';
import type { CCode } from './code.js';
import type { Gap, Surroundings } from './around.js';
import type { Refusal } from './core.js';
import { declared } from './first-values.js';
import type { HeadThread } from './head.js';
import { readThread } from './thread.js';
import type { CNode } from './tree.js';
import { fieldOf, partsOf } from './tree.js';

/** What the head of a C file has to say of one function. */
export interface ThreadGaps {
  readonly name: string;
  readonly gaps: readonly Gap[];
  /** Variables at file level that it uses, and how a head declares them, if it can. */
  readonly variables: ReadonlyMap<string, string | undefined>;
  /** What is not understood, if that ended the reading. */
  readonly refused?: Refusal['diagnostic'];
}

/** The functions that no other one of the file calls, or gives to be called: whoever calls them is outside. */
export function outermost({ functions, globals }: CCode): readonly string[] {
  const used = new Set<string>();
  for (const { body, name } of functions.values()) {
    for (const one of namesIn(body)) if (one !== name) used.add(one);
  }
  for (const { value } of globals.values()) {
    if (value !== undefined) for (const one of namesIn(value)) used.add(one);
  }
  return [...functions.keys()].filter((name) => !used.has(name));
}

/** What becomes a thread of its own is called by nobody. */
const STARTS = /^(pthread_create|thrd_create|kthread_(run|create))$/;

function namesIn(node: CNode): readonly string[] {
  if (node.type === 'identifier') return [node.text];
  const called = node.type === 'call_expression' ? fieldOf(node, 'function')?.text : undefined;
  return called !== undefined && STARTS.test(called) ? [] : partsOf(node).flatMap(namesIn);
}

/** The gaps of a thread, in the order in which its function comes to them. */
export function gapsOf(around: Surroundings, thread: HeadThread): ThreadGaps {
  const gaps: Gap[] = [];
  const { refused, ownGlobals } = readThread(around, thread, undefined, gaps);
  const variables = new Map(
    [...ownGlobals].map((name) => [name, declared(around.code.globals.get(name)!, around.code)]),
  );
  return { name: thread.name.text, gaps, variables, ...(refused && { refused }) };
}

/** The line of a place, from 1. */
export const lineOf = (text: string, { start }: Span): number => position(text, start).line;
