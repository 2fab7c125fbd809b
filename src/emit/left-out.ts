import { instructionsOf } from '../program/instructions.js';
import type { Call, Instruction, Program, Test } from '../program/program.js';
import { isStateQuery } from '../program/program.js';
import { leavesIn } from '../parse/fold.js';
import { isInC } from './words.js';

/** What a card does, by operations and tags, in the words of verbs. Everything else is left out. */
const TAGS: Readonly<Record<string, readonly string[]>> = {
  put: ['inline', 'imm', 'unsignalled'],
  send: ['inline', 'unsignalled'],
  ...Object.fromEntries(['get', 'rcas', 'rfaa'].map((name) => [name, ['unsignalled']])),
  ...Object.fromEntries(['poll', 'rfence', 'recv', 'pollr', 'flush'].map((name) => [name, []])),
};

/** Why some operations cannot be measured. */
const REASONS: Readonly<Record<string, string>> = {
  cut: 'a power cut is nothing that a program can do',
  wait: 'what waits for a work identifier is a library: polls are measured',
  rxchg: 'verbs have no remote exchange',
  ...Object.fromEntries(
    ['mfence', 'dmb', 'dsb', 'isb', 'ldr', 'str'].map((name) => [
      name,
      `C has no word for ${name}`,
    ]),
  ),
};

/** Tags of places and queue pairs that a registration or a card has everywhere. */
const PLACE_TAGS = ['relaxed', 'strict'];

/** Why a test cannot be measured, for people; undefined if it can. */
export function leftOut(test: Test): string | undefined {
  const { program, queries } = test;
  if (!queries.some(isStateQuery)) return 'it asks nothing about final values';
  if ((program.objects ?? []).length > 0 || program.instructions.libraries.some((l) => !l.plain))
    return 'it is a client of libraries';
  const odd = program.locations.flatMap((l) =>
    (l.tags ?? []).filter((t) => !PLACE_TAGS.includes(t)),
  );
  if (odd.length > 0) return `its memory is [${odd[0]}], and only that of the host is measured`;
  for (const { queuePairs = [], body } of program.threads) {
    const tag = queuePairs.flatMap(({ tags = [] }) => tags).at(0);
    if (tag !== undefined) return `a queue pair is [${tag}], which nothing in verbs says`;
    for (const i of instructionsOf(body)) {
      const reason = reasonOf(i);
      if (reason !== undefined) return reason;
    }
  }
  return program.threads.some((_, i) => isPolledElsewhere(program, i))
    ? 'two threads poll one queue pair, and which of them takes what is not told in C'
    : undefined;
}

/** Does another thread poll a queue pair that a thread polls, too? */
function isPolledElsewhere({ threads }: Program, index: number): boolean {
  const polled = (i: number): readonly string[] => {
    const { node, body, queuePairs = [] } = threads[i];
    const joint = queuePairs.filter((one) => one.joint === true);
    return [...instructionsOf(body)].flatMap((one) => {
      if (one.kind !== 'call' || !['poll', 'pollr'].includes(one.operation)) return [];
      const on = one.arguments[0];
      const isJoint =
        on.kind === 'peer' && joint.some((q) => q.name === on.name && q.node === on.node);
      return isJoint ? [`${node} ${on.node} ${on.name} ${one.operation}`] : [];
    });
  };
  const own = polled(index);
  return threads.some((_, i) => i !== index && polled(i).some((one) => own.includes(one)));
}

function reasonOf(i: Instruction): string | undefined {
  if (i.kind === 'call') return ofCall(i);
  if (i.kind !== 'loop') return undefined;
  if (i.condition === undefined)
    return 'a loop runs any number of times, and nothing says how often';
  const reads = leavesIn(i.condition).filter(({ kind }) => kind === 'location');
  return reads.length > 1 ? 'a loop waits for several words at once' : undefined;
}

function ofCall({
  operation,
  tags = [],
  result,
  work,
  arguments: given,
}: Call): string | undefined {
  if (work !== undefined) return REASONS['wait'];
  if (isInC(operation, tags)) return undefined;
  const known = TAGS[operation];
  if (known === undefined) return REASONS[operation] ?? `verbs have no ${operation}`;
  const other = tags.find((tag) => !known.includes(tag));
  if (other !== undefined) return `verbs have no ${operation} [${other}]`;
  if (operation === 'poll' && result !== undefined)
    return 'it asks for statuses, and a card that works has one';
  if (given.some(({ kind }) => kind === 'nodes')) return `verbs have no ${operation} of nodes`;
  return undefined;
}
