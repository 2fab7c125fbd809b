import type { Span } from '../parse/diagnostics/index.js';
import type { Ident, NameRef, Statement } from '../parse/litmus-ast.js';
import { NOTHING, kindOn } from './calls.js';
import type {
  Following,
  Gap,
  Message,
  Others,
  Posted,
  Promised,
  Remark,
  Surroundings,
} from './around.js';
import { Refusal } from './core.js';
import { isUsedUnwritten } from './first.js';
import type { Run } from './follow.js';
import { follow, pruned, withOwnPlaces } from './follow.js';
import type { HeadThread } from './head.js';
import type { MessageCounts } from './messages.js';
import { messagesIn, receivesIn } from './messages.js';
import { Names } from './names.js';
import type { Sequence } from './sequences.js';
import { blocksOf, isNever, sequencesIn } from './sequences.js';
import type { Request, Value } from './state.js';
import { SOME_WAIT } from './state.js';
import { ThreadReader } from './run.js';

/** What a thread does, and what it uses. */
export interface ReadThread {
  readonly thread: HeadThread;
  readonly body: readonly Statement[];
  /** How many messages it sends at most, by node and kind. */
  readonly messages: MessageCounts;
  /** By queue pair: the messages that it sends. */
  readonly sent: ReadonlyMap<string, Sequence<Message>>;
  /** By queue pair and kind: the requests that make completions. */
  readonly posted: ReadonlyMap<string, Sequence<Request>>;
  /** The queue pairs, and kinds, of which it takes completions. */
  readonly taken: ReadonlySet<string>;
  /** Whether it posts receives. */
  readonly receives: boolean;
  readonly remarks: readonly Remark[];
  /** What it takes for granted of numbers. */
  readonly promised: readonly Promised[];
  /** The registers of what `assert` says, and its text. */
  readonly asserted: ReadonlyMap<string, { readonly name: Ident; readonly text: string }>;
  /** Variables at file level that it uses and that are on no node. */
  readonly globals: ReadonlySet<string>;
  /** Those of them that it has in its private memory. */
  readonly ownGlobals: ReadonlySet<string>;
  /** What it wrote that is no memory, by its first name. */
  readonly changed: ReadonlySet<string>;
  /** The words that stand for no memory, and the node of each. */
  readonly nowheres: ReadonlyMap<string, string>;
  /** By location: where it is registered with relaxed ordering. */
  readonly registered: ReadonlyMap<string, Span>;
  /** Where each of its runs waits for ever, if they do. */
  readonly endless?: Span;
  /** What is not understood, if that ended the reading. */
  readonly refused?: Refusal['diagnostic'];
}

/** Of a thread of which nothing is known that concerns another one. */
const ALONE: Others = {
  kinds: new Set(),
  most: Infinity,
  messages: new Map(),
  supplied: new Map(),
};

/** Reads one thread of the head. With a list of `gaps`, what the head lacks is noted there, and is no mistake. */
export function readThread(
  around: Surroundings,
  thread: HeadThread,
  others: Others = ALONE,
  gaps?: Gap[],
): ReadThread {
  const { words, nodeOf } = around;
  const names = new Names(nodeOf.keys(), words, around.observed(thread.name.text));
  const remarks: Remark[] = [];
  const promised: Promised[] = [];
  const asserted = new Map<string, { readonly name: Ident; readonly text: string }>();
  const [globals, ownGlobals, changed] = [0, 1, 2].map(() => new Set<string>());
  const nowheres = new Map<string, string>();
  const registered = new Map<string, Span>();
  const first = new Map<string, Statement>();
  const posted = new Map<Statement, Posted>();
  const taken = new Set<string>();
  let ownPosted = posted;
  const start = (one: Pick<Following, 'findings' | 'decisions' | 'forgot'>): Run => {
    ownPosted = new Map();
    const reader = new ThreadReader(around, thread, {
      ...{ names, remarks, promised, posted: ownPosted, taken, ...others, ...(gaps && { gaps }) },
      ...one,
    });
    try {
      return { body: reader.run(), forks: reader.forks };
    } finally {
      for (const [statement, what] of ownPosted) posted.set(statement, what);
      for (const said of reader.asserted) asserted.set(said.name.text, said);
      for (const name of reader.globals) globals.add(name);
      for (const name of reader.ownGlobals) ownGlobals.add(name);
      for (const name of reader.changed) changed.add(name);
      for (const [name, node] of reader.nowheres) nowheres.set(name, node);
      for (const [name, span] of reader.registered) registered.set(name, span);
      for (const [name, value] of reader.prologue) first.set(name, value);
    }
  };
  const used = { globals, ownGlobals, changed, nowheres, registered, taken };
  const found = { thread, remarks, promised, asserted, ...used };
  const isEmpty = ({ name, node }: NameRef): boolean =>
    node !== undefined && name.text === around.emptyName(node.text, 'send');
  try {
    const body = follow(start);
    const done = pruned(body);
    const begins = [...first].flatMap(([name, one]) => (isUsedUnwritten(done, name) ? [one] : []));
    const all = withOwnPlaces([...begins, ...done]);
    const asked = [...around.observed(thread.name.text)].filter((name) => nodeOf.has(name));
    const said = remarks.filter((one) => says(one, done, asked));
    const messages = messagesIn(body, isEmpty);
    const wait = isNever(done) ? remarks.find(({ text }) => text === SOME_WAIT) : undefined;
    return {
      ...found,
      ...(wait && { endless: wait.span }),
      remarks: said,
      body: all,
      messages,
      receives: receivesIn(body),
      ...sequences(posted, body),
    };
  } catch (error) {
    if (!(error instanceof Refusal)) throw error;
    // What it has posted up to there may be what others wait for.
    const body = [...ownPosted.keys()];
    const messages = messagesIn(body, isEmpty);
    return {
      ...{ ...found, body: [], messages, receives: receivesIn(body) },
      ...{ ...sequences(posted, body), refused: error.diagnostic },
    };
  }
}

/** Whether a remark says something of the body that was read. */
function says(
  { onlyIf, span }: Remark,
  body: readonly Statement[],
  asked: readonly string[],
): boolean {
  if (onlyIf === 'choice') return choicesIn(body).has(span.start);
  const text = onlyIf === undefined ? '' : JSON.stringify(body);
  return onlyIf === undefined || asked.some((name) => text.includes(`"text":"${name}"`));
}

/** Where the choices of a body are. */
const choicesIn = (body: readonly Statement[]): ReadonlySet<number> =>
  new Set(
    body.flatMap((one) => [
      ...(one.kind === 'choose' ? [one.span.start] : []),
      ...blocksOf(one).flatMap((block) => [...choicesIn(block)]),
    ]),
  );

/** What a thread sends and posts, in its order. */
function sequences(
  posted: ReadonlyMap<Statement, Posted>,
  body: readonly Statement[],
): Pick<ReadThread, 'sent' | 'posted'> {
  return {
    sent: sequencesIn(body, (statement) => {
      const { wire, message } = posted.get(statement) ?? {};
      return wire === undefined || message === undefined
        ? undefined
        : { to: wire, one: { ...message, immediate: shared(message.immediate) } };
    }),
    posted: sequencesIn(body, (statement) => {
      const { wire, request } = posted.get(statement) ?? {};
      return wire === undefined || request === undefined
        ? undefined
        : { to: kindOn(wire, request.isReceive), one: { ...request, id: shared(request.id) } };
    }),
  };
}

/** What means the same in another thread. */
const shared = (value: Value): Value =>
  value.kind === 'int' || (value.kind === 'path' && !value.isNew) ? value : NOTHING.value;
