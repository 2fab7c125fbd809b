import { instructionsOf } from '../program/instructions.js';
import { hostAccess } from './hosts.js';
import { operationCalled } from '../program/call-forms.js';
import { partnersOf, queuePairOfCall } from '../program/partners.js';
import type { Call, Instruction, Program } from '../program/program.js';
import type { Span } from '../parse/diagnostics/index.js';
import type { Towards } from './instructions.js';
import {
  REMOTE_ATOMICS,
  callFor,
  isPosted,
  isUnknown,
  queuePairKey,
  viewedAsPosted,
} from './instructions.js';

/**
 * What the additions of repairs ask of an instruction: whether it is posted, whether it makes a completion, and where that is
 * polled. Besides the papers' instructions it covers unsignalled work, messages, and completion queues.
 */
export type Posting =
  | {
      readonly kind: 'posted';
      readonly on: Towards;
      readonly completes: boolean;
      readonly isAtomic: boolean;
      readonly work?: string;
    }
  /** `of`: the completion queue, or the key of the queue pair. */
  | { readonly kind: 'poll'; readonly of: string }
  /** A receive is posted, or its completion is taken. */
  | { readonly kind: 'receive' | 'receive-poll'; readonly on: Towards }
  | { readonly kind: 'other' };

const OTHER: Posting = { kind: 'other' };

/** What calls may be tagged with. */
const TAGS: readonly string[] = ['unsignalled', 'inline', 'imm', 'atomicwrite', 'inorder'];
const UNSIGNALLED = 'unsignalled';
const POSTED: readonly string[] = ['put', 'get', 'send', 'flush', ...REMOTE_ATOMICS];
/** Calls that neither post anything nor take completions. */
const NOT_POSTED: readonly string[] = ['rfence', 'cut'];

/** What an instruction is for repairs, in a program; undefined if that is not known. */
export function postingOf(program: Program, i: Instruction): Posting | undefined {
  if (i.kind !== 'call') return OTHER;
  const { operation, tags = [], work } = i;
  if (hostAccess(i) !== undefined) return OTHER;
  if (!isUnknown(i)) {
    const view = viewedAsPosted(i);
    if (view.kind === 'poll') return { kind: 'poll', of: queuePairKey(view) };
    if (!isPosted(view)) return OTHER;
    const { node, queuePair } = view;
    const isAtomic = view.kind === 'remote-atomic';
    return { kind: 'posted', on: { node, queuePair }, completes: true, isAtomic, work };
  }
  if (!tags.every((tag) => TAGS.includes(tag))) return undefined;
  const [first] = i.arguments;
  if (operation === 'poll' && first.kind === 'completions') return { kind: 'poll', of: first.name };
  // For its status.
  if (operation === 'poll' && first.kind === 'peer') {
    return { kind: 'poll', of: queuePairKey({ node: first.node, queuePair: first.name }) };
  }
  if (NOT_POSTED.includes(operation)) return OTHER;
  const pair = queuePairOfCall(program, i);
  if (pair === undefined) return undefined;
  const on = { node: pair.node, queuePair: pair.name };
  if (operation === 'recv') return { kind: 'receive', on };
  if (operation === 'pollr') return { kind: 'receive-poll', on };
  if (!POSTED.includes(operation)) return undefined;
  const isAtomic = REMOTE_ATOMICS.includes(operation);
  return { kind: 'posted', on, completes: !tags.includes(UNSIGNALLED), isAtomic, work };
}

/** The same of a call of which it is known. */
export const knownPosting = (program: Program, i: Instruction): Posting =>
  postingOf(program, i) ?? OTHER;

/** The first operation of a program that repairs do not know. */
export function operationNotKnown(program: Program): string | undefined {
  const all = program.threads.flatMap(({ body }) => [...instructionsOf(body)]);
  const found = all.find(
    (i): i is Call => i.kind === 'call' && postingOf(program, i) === undefined,
  );
  return found && operationCalled(found);
}

/** Where the completions of a queue pair are polled: in a completion queue, or by the queue pair's key. */
export function completionsOf({ completionQueues = [] }: Program, on: Towards): string {
  const { queuePair } = on;
  const queue = completionQueues.find(
    ({ of }) => queuePair !== undefined && of.includes(queuePair),
  );
  return queue?.name ?? queuePairKey(on);
}

/** The completion queue that receives of a queue pair complete to, if one is declared for it. */
export function receiveQueueOf(program: Program, on: Towards): string | undefined {
  const of = completionsOf(program, on);
  return of === queuePairKey(on) ? undefined : of;
}

/** A poll of the completions of a queue pair. */
export function pollFor(program: Program, on: Towards, span: Span): Call {
  const of = completionsOf(program, on);
  if (of === queuePairKey(on)) return callFor({ kind: 'poll', ...on, span });
  const given = [{ kind: 'completions', name: of } as const];
  return { kind: 'call', operation: 'poll', arguments: given, span };
}

/** The call that takes the completion of a receive. */
export const receivePollFor = ({ node, queuePair: name }: Towards, span: Span): Call => ({
  kind: 'call',
  operation: 'pollr',
  arguments: [{ kind: 'peer', node, name }],
  span,
});

/** Whether an instruction makes a completion that `poll` takes, or takes one, and in which queue. */
export function completionOf(
  program: Program,
  i: Instruction,
): { readonly kind: 'made' | 'taken'; readonly of?: string | undefined } {
  const posting = postingOf(program, i);
  if (posting === undefined) return declaredCompletion(program, i as Call);
  switch (posting.kind) {
    case 'poll':
      return { kind: 'taken', of: posting.of };
    case 'posted':
      return {
        kind: 'made',
        of: posting.completes ? completionsOf(program, posting.on) : undefined,
      };
    case 'receive':
      return { kind: 'made', of: receiveQueueOf(program, posting.on) };
    case 'receive-poll':
    case 'other':
      return { kind: 'made' };
  }
}

/** The same of an operation that is only known by its declaration. */
function declaredCompletion(program: Program, call: Call): ReturnType<typeof completionOf> {
  const [one, ...others] = partnersOf(program)(call);
  if (one === undefined || others.length > 0 || one.given + one.asked !== 1)
    return { kind: 'made' };
  const { node, name } = one.queuePair;
  const of = completionsOf(program, { node, queuePair: name });
  return { kind: one.given === 1 ? 'made' : 'taken', of };
}
