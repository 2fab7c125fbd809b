import { kindOn, wireOf } from './calls.js';
import type { Message, MessageKind, Others, Surroundings } from './around.js';
import type { Head } from './head.js';
import type { Sequence } from './sequences.js';
import type { Request } from './state.js';
import { alike, isSame } from './state.js';
import type { ReadThread } from './thread.js';
import { readThread } from './thread.js';

const KINDS: readonly MessageKind[] = ['send', 'imm'];

/** Threads that go on telling each other something new for so long are given up. */
const MOST_ROUNDS = 40;

/**
 * Reads all threads. What one knows of the others, such as how many messages come, is known when these are read: each is read again as
 * long as that changes. First there are no messages. More receives than messages are never complete.
 */
export function readTogether(around: Surroundings, head: Head): readonly ReadThread[] {
  const { threads } = head;
  const told: Others[] = threads.map(() => {
    return { most: 0, kinds: new Set(), messages: new Map(), supplied: new Map() };
  });
  const read = threads.map((thread, i) => readThread(around, thread, told[i]));
  const tell = (i: number, others: Others): boolean => {
    if (isAlike(told[i], others)) return false;
    told[i] = others;
    read[i] = readThread(around, threads[i], others);
    return true;
  };
  let isNew = true;
  for (let round = 0; isNew && round < MOST_ROUNDS; round++) {
    isNew = false;
    for (const i of threads.keys()) {
      const others = othersOf(i, head, read);
      const most = Math.min(others.most, told[i].most + 1, around.bound);
      if (read[i].receives || others.supplied.size > 0) {
        isNew = tell(i, { ...others, most }) || isNew;
      }
    }
  }
  for (const [i, { receives }] of read.entries()) {
    // Nobody of the file sends: a message comes from elsewhere.
    if (receives && told[i].most === 0) tell(i, { ...told[i], most: 1 });
  }
  return read.map((one, i) => {
    const refused = isNew ? neverDone(one) : bothPolling(i, head, read);
    const { most } = othersOf(i, head, read);
    return { ...withRemark(one, told[i].most, most), ...(refused && { refused }) };
  });
}

const neverDone = ({ thread: { name }, refused }: ReadThread): ReadThread['refused'] =>
  refused ?? {
    message: 'what these threads send to each other is not understood: each answers the other anew',
    span: name.span,
  };

/** Of a queue pair that threads share, one takes the completions of a kind. */
function bothPolling(
  i: number,
  { litmus }: Head,
  read: readonly ReadThread[],
): ReadThread['refused'] {
  const { thread, taken } = read[i];
  for (const { name, node, threads } of litmus.queuePairs) {
    if (!threads.some(({ text }) => text === thread.name.text)) continue;
    const wire = wireOf(thread.node.text, node.text, name.text);
    const isPolled = (of: ReadThread['taken']): boolean =>
      [false, true].some((kind) => of.has(kindOn(wire, kind)) && taken.has(kindOn(wire, kind)));
    const other = read.find((one, at) => at < i && isPolled(one.taken));
    if (other === undefined) continue;
    const message = `${other.thread.name.text} takes completions of queue pair ${name.text}, too: which of both takes which is not known`;
    return { message, span: thread.name.span };
  }
  return undefined;
}

function withRemark(one: ReadThread, most: number, coming: number): ReadThread {
  if (!one.receives || coming <= most) return one;
  const { text: name, span } = one.thread.name;
  const text = `at most ${most} messages come to ${name}`;
  return { ...one, remarks: [...one.remarks, { kind: 'assumed', text, span }] };
}

/** What a thread is told of the others. */
function othersOf(i: number, { threads, litmus }: Head, read: readonly ReadThread[]): Others {
  const { node, name } = threads[i];
  const counts = KINDS.map((kind) =>
    read.reduce((sum, { messages }) => sum + (messages[kind].get(node.text) ?? 0), 0),
  );
  const messages = new Map<string, Sequence<Message>>();
  for (const [wire, all] of read.flatMap(({ sent }) => [...sent])) {
    // Nobody knows which of two senders comes first.
    messages.set(wire, messages.has(wire) ? [] : all);
  }
  const supplied = new Map<string, readonly Request[]>();
  for (const pair of litmus.queuePairs) {
    if (!pair.threads.some(({ text }) => text === name.text)) continue;
    const wire = wireOf(node.text, pair.node.text, pair.name.text);
    for (const kind of [false, true].map((isReceive) => kindOn(wire, isReceive))) {
      const [own, ...more] = [i, ...threads.keys()].map((at) => read[at].posted.get(kind) ?? []);
      const requests = suppliedBy(
        more.filter((_, at) => at !== i),
        own,
      );
      if (requests.length > 0) supplied.set(kind, requests);
    }
  }
  const kinds = new Set(KINDS.filter((_, at) => counts[at] > 0));
  const isOwn = ([wire]: readonly [string, unknown]): boolean => wire.includes(`>${node.text}.`);
  return {
    ...{ kinds, most: counts[0] + counts[1], supplied },
    messages: new Map([...messages].filter(isOwn)),
  };
}

/** The requests of others on one queue pair. In which order those of several threads are is not known. */
function suppliedBy(
  others: readonly Sequence<Request>[],
  own: Sequence<Request>,
): readonly Request[] {
  const posting = others.filter((one) => one.length > 0);
  const inOrder = posting.length === 1 && own.length === 0;
  const any = inOrder ? [] : [...posting, own].flat(2);
  return posting.flat().map((at) => alike(inOrder ? at : any));
}

const isAlike = (a: Others, b: Others): boolean =>
  a.most === b.most &&
  isSame([...a.kinds], [...b.kinds]) &&
  isSame([...a.messages], [...b.messages]) &&
  isSame([...a.supplied], [...b.supplied]);
