import fc from 'fast-check';
import type { Parameter, WireEnd } from '../../model/instructions/set.js';
import { saysItsWay } from '../../model/instructions/operations.js';
import { isWritten } from '../../program/call-forms.js';
import type { WeightedPiece } from './draw.js';
import { FEW_WORKS, NUMBER, PRIVATE, REGISTER, arm, plain } from './draw.js';
import { LOCATIONS } from './nodes.js';
import type { Piece } from './pieces.js';
import type { Form, Vocabulary } from './vocabulary.js';
import { isTakenBy, isTaker } from './vocabulary.js';

/** Calls drawn by their declarations: an argument for each parameter, of its kind. */

/** A queue pair of a thread. */
export interface Pair {
  /** `2`, or `2.a`. */
  readonly text: string;
  readonly node: string;
  readonly name?: string;
  /** What takes its completions: itself, or the name of a completion queue. */
  readonly completions: string;
  /** The tags that it is declared with. */
  readonly tags: readonly string[];
  /** Whether the thread may use it as the end of a connection, which nobody else may have. */
  readonly isEnd: boolean;
}

export interface CallContext {
  readonly vocabulary: Vocabulary;
  /** The thread's own node. */
  readonly own: string;
  /** Those that are there twice are drawn twice as often. */
  readonly pairs: readonly Pair[];
  /** Of ten calls, so many have each tag. */
  readonly tagged: number;
  /** The weights of operations at either end of a connection, if there are to be any, and of those that models declare besides the usual ones. */
  readonly connected: Readonly<Record<WireEnd, number>> | undefined;
  readonly news: number;
  /** How often a call is of several words, against once of one. */
  readonly wide: number;
}

/** An argument as it is written, and what there is to know of it. */
interface Given {
  readonly text: string;
  /** Private memory that is read, registers, and private memory that is written. */
  readonly reads?: readonly string[];
  readonly operands?: readonly string[];
  readonly writes?: string;
  readonly pair?: Pair;
}

/** All calls, with their weights. */
export function callArms(context: CallContext): readonly WeightedPiece[] {
  const { vocabulary, pairs, connected, news, wide } = context;
  return vocabulary.forms.flatMap((form) => {
    const end = form.ends.at(0);
    const isPossible = end === undefined || connected !== undefined;
    const ofCall = end === undefined ? pairs : pairs.filter(({ isEnd }) => isEnd);
    if (!isPossible || ofCall.length === 0) return [];
    const weight = end === undefined ? weightOf(form) : connected![end];
    const one = arm(weight * (form.isNew ? news : 1), calls(form, { ...context, pairs: ofCall }));
    // What happens to some words of a call where queue pairs have tags, nobody says.
    const plainPairs = ofCall.filter(({ tags }) => tags.length === 0);
    if (!form.isWide || wide === 0 || plainPairs.length === 0) return [one];
    return [one, arm(weight * wide, wideCalls(form, { ...context, pairs: plainPairs }))];
  });
}

const weightOf = (form: Form): number => (isTaker(form) ? 14 : form.byNic ? 2 : 1);

/** Waits for identifiers. */
export const waitPiece: fc.Arbitrary<Piece> = fc
  .constantFrom(...FEW_WORKS)
  .map((work): Piece => ({ kind: 'wait', work }));

function calls(form: Form, context: CallContext): fc.Arbitrary<Piece> {
  const { operation } = form;
  const { tag, parameters, into, work } = operation;
  const marks = context.vocabulary.tags.operation.map((name) =>
    fc.nat(9).map((n) => (n < context.tagged && form.byNic ? [name] : [])),
  );
  return fc
    .record({
      given: fc.tuple(...parameters.map((parameter) => argument(parameter, form, context))),
      target: into === undefined ? fc.constant(undefined) : argument(into, form, context),
      result: REGISTER,
      tags: fc.tuple(...marks).map((some) => [...(tag === undefined ? [] : [tag]), ...some.flat()]),
      work: work !== undefined && context.vocabulary.waits ? fc.constantFrom(...FEW_WORKS) : NONE,
      anyway: fc.nat(15).map((n) => n === 0),
      asks: fc.boolean(),
    })
    .map((drawn) => pieceOf(form, context, drawn));
}

/** Calls of two or three words. Each word is a location or, where it is read, a number. */
function wideCalls(form: Form, context: CallContext): fc.Arbitrary<Piece> {
  const { operation } = form;
  const { own, pairs, vocabulary } = context;
  const isPut = operation.into!.kind === 'remote';
  const free = vocabulary.tags.operation.map((name) =>
    fc.nat(9).map((n) => (n < context.tagged ? [name] : [])),
  );
  return fc.constantFrom(...pairs).chain((pair) => {
    const [near, far] = [own, pair.node].map((node) => fc.constantFrom(...placesOf(node)));
    const read = isPut ? fc.oneof(near, NUMBER.map(String)) : far;
    const words = fc.array(fc.tuple(isPut ? far : near, read), { minLength: 2, maxLength: 3 });
    const tags = fc.tuple(...free).map((some) => some.flat());
    return fc.record({ words, tags }).map(({ words, tags }): Piece => {
      const to = `[${words.map(([word]) => word).join(', ')}]`;
      const from = `[${words.map(([, word]) => word).join(', ')}]`;
      const [left, right] = isPut ? [`^${pair.text}`, ''] : ['', `^${pair.text}`];
      return {
        kind: 'operation',
        text: `${to}${left} :=${brackets(tags)} ${from}${right}`,
        queuePair: pair.text,
        opens: openedBy(form, pair, tags, vocabulary),
        ...wiresOf(form, pair, context),
      };
    });
  });
}

const NONE = fc.constant<string | undefined>(undefined);

interface DrawnCall {
  readonly given: readonly Given[];
  readonly target: Given | undefined;
  readonly result: string;
  readonly tags: readonly string[];
  readonly work: string | undefined;
  readonly anyway: boolean;
  /** Whether its value is used, if it is the status of what it takes. */
  readonly asks: boolean;
}

function pieceOf(
  form: Form,
  context: CallContext,
  { given, target, result, tags, work, anyway, asks }: DrawnCall,
): Piece {
  const { operation } = form;
  const { name, on, parameters, into } = operation;
  const places = [...parameters, ...(into === undefined ? [] : [into])];
  const all = [...given, ...(target === undefined ? [] : [target])];
  const pair = all[places.findIndex((one) => one.name === on)]?.pair;
  const call = `${name}${marked(tags)}(${given.map(({ text }) => text).join(', ')})`;
  const left = target?.text ?? (operation.result === undefined ? undefined : result);
  const text = left === undefined ? call : assigned(form, left, call, { given, tags, work });
  const onWires = { ...wiresOf(form, pair, context), anyway };
  if (pair === undefined) {
    const writes = operation.result === undefined ? target?.writes : result;
    const reads = all.flatMap(({ operands = [], reads = [] }) => [...operands, ...reads]);
    return plain(text === `${name}()` ? name : text, reads, writes);
  }
  if (isTaker(form)) {
    return {
      kind: 'poll',
      queuePair: pair.text,
      call,
      another: form.ends.length === 0,
      ...(asks && pair.tags.length > 0 && saysItsWay(operation) && { into: result }),
      ...onWires,
    };
  }
  const writes = all.find((one) => one.writes !== undefined)?.writes;
  return {
    kind: 'operation',
    text,
    queuePair: pair.text,
    reads: all.flatMap(({ reads = [] }) => reads),
    operands: all.flatMap(({ operands = [] }) => operands),
    ...(writes !== undefined && { writes }),
    ...(work !== undefined && { work }),
    opens: openedBy(form, pair, tags, context.vocabulary),
    ...onWires,
  };
}

const marked = (tags: readonly string[]): string =>
  tags.length === 0 ? '' : ` ${brackets(tags)} `;
const brackets = (tags: readonly string[]): string => tags.map((tag) => `[${tag}]`).join('');

/** A call that writes something. One with a work identifier and tags has no short form. */
function assigned(
  { isShort }: Form,
  left: string,
  call: string,
  { given, tags, work }: Pick<DrawnCall, 'given' | 'tags' | 'work'>,
): string {
  if (work !== undefined) return `${left} :=^${work} ${call}`;
  return isShort ? `${left} :=${brackets(tags)} ${given[0].text}` : `${left} := ${call}`;
}

/** The calls that can take something after a call of a form. */
function openedBy(
  form: Form,
  pair: Pair,
  tags: readonly string[],
  { forms }: Vocabulary,
): readonly string[] {
  if (tags.some((tag) => form.without.includes(tag))) return [];
  return forms.filter(isTaker).flatMap((taker) => {
    const { operation, ends } = taker;
    if (!isTakenBy(form, taker)) return [];
    return [`${operation.name}(${ends.length > 0 ? pair.text : pair.completions})`];
  });
}

/** What a call offers to the other end of a connection, and what it waits for from there. */
function wiresOf(
  { ends, gives, needs }: Form,
  pair: Pair | undefined,
  { own }: CallContext,
): { readonly gives: readonly string[]; readonly needs: readonly string[] } {
  if (pair === undefined) return { gives: [], needs: [] };
  const { node, name = '' } = pair;
  const keys = (guesses: readonly string[]): readonly string[] =>
    ends.flatMap((end) =>
      guesses.map(
        (guess) => `${guess} ${end === 'to' ? own : node} ${end === 'to' ? node : own} ${name}`,
      ),
    );
  return { gives: keys(gives), needs: keys(needs) };
}

function argument(
  { kind, name }: Parameter,
  form: Form,
  { own, pairs }: CallContext,
): fc.Arbitrary<Given> {
  const { operation, byNic } = form;
  const here = fc.constantFrom(...placesOf(own)).map((text): Given => ({ text }));
  const pair = fc.constantFrom(...pairs);
  switch (kind) {
    case 'value':
      return fc.oneof(
        { weight: 2, arbitrary: NUMBER.map((n): Given => ({ text: `${n}` })) },
        { weight: 1, arbitrary: REGISTER.map((a): Given => ({ text: a, operands: [a] })) },
      );
    case 'peer': {
      const isOfQueue = !byNic && form.ends.length === 0;
      return pair.map((one) => ({ text: isOfQueue ? one.completions : one.text, pair: one }));
    }
    case 'remote':
      return pair.chain((one) =>
        fc
          .constantFrom(...placesOf(one.node))
          .map((x): Given => ({ text: `${x}^${one.text}`, pair: one })),
      );
    case 'own':
      return byNic
        ? fc.oneof({ weight: 3, arbitrary: here }, ...others(isWritten(name, operation)))
        : here;
    case 'any':
      return here;
    case 'node':
    case 'nodes':
    case 'work':
    case 'object':
      throw new Error(`no arguments of the kind ${kind} are drawn`);
  }
}

/** What an operation of a NIC can have besides a location of the node. */
const others = (isTarget: boolean) =>
  isTarget
    ? [{ weight: 1, arbitrary: fc.constant<Given>({ text: PRIVATE, writes: PRIVATE }) }]
    : [
        { weight: 1, arbitrary: fc.constant<Given>({ text: PRIVATE, reads: [PRIVATE] }) },
        { weight: 2, arbitrary: NUMBER.map((n): Given => ({ text: `${n}` })) },
      ];

/** The locations of a node, the first twice. */
const placesOf = (node: string): readonly string[] => [LOCATIONS[node][0], ...LOCATIONS[node]];
