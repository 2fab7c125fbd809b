import { instructionsOf } from '../../program/instructions.js';
import type * as core from '../../program/program.js';
import type { RdmaInstruction } from '../instructions.js';
import { isPosted, isUnknown, viewed } from '../instructions.js';

/** A call that posts, as the simplified machine takes it. */
export interface Posting {
  /** What is posted: an operation for each word. */
  readonly words: readonly core.Call[];
  /** Whether it has a completion. */
  readonly signalled: boolean;
}

const UNSIGNALLED = 'unsignalled';
/** Says something of several words alone, and then what the machine does not know. */
const IN_ORDER = 'inorder';

/**
 * A call that posts several words, or unsignalled work, as plain calls of one word. Undefined: it is no such call, or has
 * tags that the machine does not know.
 */
export function postingOf(i: core.Instruction): Posting | undefined {
  if (i.kind !== 'call') return undefined;
  const before = known.get(i);
  if (before !== undefined) return before;
  const made = posting(i);
  if (made !== undefined) known.set(i, made);
  return made;
}

const known = new WeakMap<core.Call, Posting>();

function posting(call: core.Call): Posting | undefined {
  const { tags = [], words, arguments: given, into, ...rest } = call;
  if (tags.length === 0 && words === undefined) return undefined;
  const known = words === undefined ? [UNSIGNALLED, IN_ORDER] : [UNSIGNALLED];
  if (tags.some((tag) => !known.includes(tag))) return undefined;
  const calls =
    words === undefined
      ? [{ ...rest, arguments: given, into }]
      : [into, ...given.slice(words)].map((to, i) => {
          return { ...rest, arguments: [given[i]], into: to as core.PlaceArgument };
        });
  if (calls.some((one) => isUnknown(one) || !isPosted(viewed(one)))) return undefined;
  return { words: calls, signalled: !tags.includes(UNSIGNALLED) };
}

/** Every instruction of a body, those inside others included: of several words, each. */
export const plainViewsOf = (body: readonly core.Instruction[]): readonly RdmaInstruction[] =>
  [...instructionsOf(body)].flatMap((i): readonly RdmaInstruction[] =>
    (postingOf(i)?.words ?? [i]).map((one: core.Instruction) => viewed(one)),
  );
