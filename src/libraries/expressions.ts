import { didYouMean } from '../parse/diagnostics/index.js';
import type { CallArgument, LitmusExpr, NameRef } from '../parse/litmus-ast.js';
import { LENGTH, WORD, WORDS } from '../parse/values.js';
import { constantIn, nameGiven, numberIn, textOf, constantWords } from './constants.js';
import type { InlinedCall } from './names.js';
import { heldName, intExpr, nameExpr, registerOf } from './names.js';
import type { LibraryScope } from './scope.js';
import { lookUp } from './scope.js';

/**
 * Translates an expression of a method to one of the client: parameters become the client's arguments, names that
 * nothing declares become registers of the call, and values that are known before anything runs become numbers.
 */
export function translate(site: InlinedCall, scope: LibraryScope, e: LitmusExpr): LitmusExpr {
  const span = { ...site.span };
  const inner = (part: LitmusExpr): LitmusExpr => translate(site, scope, part);
  const known = numberIn(scope, e);
  if (known !== undefined) return intExpr(site, known);
  switch (e.kind) {
    case 'int':
    case 'none':
      return { ...e, span };
    case 'ref':
      return ofName(site, scope, e.ref);
    case 'unary':
      return { ...e, arg: inner(e.arg), span };
    case 'binary':
      return { ...e, left: inner(e.left), right: inner(e.right), span };
    case 'tuple':
      return { kind: 'tuple', parts: e.parts.map(inner), span };
    case 'slice':
      return tupleOf(site, sliceOf(site, scope, e) ?? []);
    case 'apply':
      return applied(site, scope, e);
  }
}

/** A tuple of words; one word is itself. */
export function tupleOf({ span }: InlinedCall, parts: readonly LitmusExpr[]): LitmusExpr {
  return parts.length === 1 ? parts[0] : { kind: 'tuple', parts, span: { ...span } };
}

function ofName(site: InlinedCall, scope: LibraryScope, ref: NameRef): LitmusExpr {
  if (ref.node !== undefined) {
    scope.report(ref.span, 'a remote location stands alone on its side of `:=`');
    return intExpr(site, 0);
  }
  const held = heldName(site, scope, ref);
  if (held !== undefined) return nameExpr(site, held);
  if (ref.object !== undefined) return intExpr(site, 0);
  const { text } = ref.name;
  const bound = lookUp(scope, text);
  if (bound === undefined && !site.locals.has(text)) {
    reportUnknown(site, scope, ref);
    return intExpr(site, 0);
  }
  if (ref.index !== undefined) return ofIndexed(site, scope, ref, ref.index);
  switch (bound?.kind) {
    case undefined:
      return nameExpr(site, registerOf(site, text));
    case 'given':
      return { ...bound.value, span: { ...site.span } };
    case 'int':
      return intExpr(site, bound.value);
    case 'thread':
    case 'node':
    case 'nodes':
    case 'object':
      scope.report(ref.span, `'${text}' has no value: it is ${WHAT[bound.kind]}`);
      return intExpr(site, 0);
  }
}

/** A register that is never written is a mistyped name. */
function reportUnknown(site: InlinedCall, scope: LibraryScope, { name, span }: NameRef): void {
  const { ofObjects, once } = site.holdings;
  const own = scope.object && ofObjects.get(scope.object.name.text);
  const known = () => [
    ...(own?.keys() ?? []),
    ...once.keys(),
    ...scope.names.keys(),
    ...site.locals,
  ];
  scope.report(
    span,
    `nothing is called '${name.text}' here`,
    () => didYouMean(name.text, known()) ?? 'a method writes its registers first',
  );
}

const WHAT = { thread: 'a thread', node: 'a node', nodes: 'a set of nodes', object: 'an object' };

/** The hint if the index of a register cannot be one. */
export const INDEX = 'a number, or what a `for` goes through';

/** `m[i]`, a word of the client's argument, and `v[i]`, a member of a family of registers. */
function ofIndexed(
  site: InlinedCall,
  scope: LibraryScope,
  { name, span }: NameRef,
  index: LitmusExpr,
): LitmusExpr {
  const known = constantIn(scope, index);
  const bound = lookUp(scope, name.text);
  if (known === undefined) {
    scope.report(span, `the index of '${name.text}' is known before anything runs`, INDEX);
    return intExpr(site, 0);
  }
  if (bound?.kind !== 'given') {
    return nameExpr(site, registerOf(site, `${name.text}[${textOf(known)}]`));
  }
  if (known.kind !== 'int') {
    scope.report(span, `the index of '${name.text}' is a number`);
    return intExpr(site, 0);
  }
  const at = known.value;
  const words = constantWords(bound.value);
  if (words === undefined) return wordAt(site, bound.value, at);
  const word = words[at - 1];
  if (word === undefined) {
    scope.report(span, `${name.text} has no word ${at}`, `it has ${words.length}, from 1 on`);
    return intExpr(site, 0);
  }
  return { ...word, span: { ...site.span } };
}

/** The registers of `v[1 .. n]`, if their number is known. */
export function sliceOf(
  site: InlinedCall,
  scope: LibraryScope,
  { name, from, to, span }: Extract<LitmusExpr, { kind: 'slice' }>,
): readonly LitmusExpr[] | undefined {
  const [first, last] = [numberIn(scope, from), numberIn(scope, to)];
  if (first === undefined || last === undefined) {
    scope.report(
      span,
      'how many words this has is not known',
      'only `return v[1 .. n]` may compute n',
    );
    return undefined;
  }
  const count = Math.max(0, last - first + 1);
  return Array.from({ length: count }, (_, i) => registerAt(site, name.text, first + i));
}

export const registerAt = (site: InlinedCall, family: string, index: number): LitmusExpr =>
  nameExpr(site, registerOf(site, `${family}[${index}]`));

function applied(
  site: InlinedCall,
  scope: LibraryScope,
  e: Extract<LitmusExpr, { kind: 'apply' }>,
): LitmusExpr {
  switch (e.name.text) {
    case 'len':
      return length(site, scope, e);
    case 'hash':
      return hash(site, scope, e);
    default: {
      const text =
        e.name.text === 'size' ? 'the size of an object' : 'the one node of a thread or object';
      const isNode = constantIn(scope, e) !== undefined;
      scope.report(e.span, isNode ? 'a node has no value' : `'${e.name.text}' is ${text}`);
      return intExpr(site, 0);
    }
  }
}

function length(
  site: InlinedCall,
  scope: LibraryScope,
  e: Extract<LitmusExpr, { kind: 'apply' }>,
): LitmusExpr {
  const [only, ...more] = e.arguments;
  if (only === undefined || more.length > 0 || only.kind === 'peer' || only.kind === 'nodes') {
    scope.report(e.span, '`len` is of one value');
    return intExpr(site, 0);
  }
  return lengthOf(site, translate(site, scope, only));
}

const isTuple = (site: InlinedCall, value: LitmusExpr): LitmusExpr =>
  binaryExpr(site, '>=', value, intExpr(site, 2 * LENGTH));

/** The number of words of a value, as an expression: tuples of two and more words are the largest numbers. */
function lengthOf(site: InlinedCall, value: LitmusExpr): LitmusExpr {
  const more = binaryExpr(
    site,
    '-',
    binaryExpr(site, '/', value, intExpr(site, LENGTH)),
    intExpr(site, 1),
  );
  return binaryExpr(site, '+', intExpr(site, 1), binaryExpr(site, '*', isTuple(site, value), more));
}

/** A word of a value, from 1 on. A value of one word is that word. */
function wordAt(site: InlinedCall, value: LitmusExpr, at: number): LitmusExpr {
  const shifted =
    at === 1
      ? value
      : binaryExpr(site, '/', value, intExpr(site, WORD ** (Math.min(at, WORDS) - 1)));
  const word = binaryExpr(site, '%', shifted, intExpr(site, WORD));
  const isIn = isTuple(site, value);
  if (at > 1) return binaryExpr(site, '*', isIn, word);
  const beyond = binaryExpr(site, '-', value, word);
  return binaryExpr(site, '-', value, binaryExpr(site, '*', isIn, beyond));
}

/** The sum of the words, each with its weight. */
function hash(
  site: InlinedCall,
  scope: LibraryScope,
  e: Extract<LitmusExpr, { kind: 'apply' }>,
): LitmusExpr {
  const given = e.arguments.flatMap((one) => hashed(site, scope, one));
  const unknown = given.find((one) => 'whole' in one);
  if (unknown !== undefined) {
    if (given.length > 1)
      scope.report(e.span, 'of a value whose words are not known, a hash is of it alone');
    return binaryExpr(site, '%', unknown.whole, intExpr(site, LENGTH));
  }
  const words = given.flatMap((one) => ('words' in one ? one.words : []));
  if (words.length > WORDS) scope.report(e.span, `a hash is of at most ${WORDS} words`);
  return words
    .map((word, i) => (i === 0 ? word : binaryExpr(site, '*', word, intExpr(site, WORD ** i))))
    .reduce((sum, term) => binaryExpr(site, '+', sum, term), intExpr(site, 0));
}

type Hashed = { readonly words: readonly LitmusExpr[] } | { readonly whole: LitmusExpr };

/** The arguments of a hash: words, or a value that may be a tuple. */
function hashed(site: InlinedCall, scope: LibraryScope, given: CallArgument): readonly Hashed[] {
  if (given.kind === 'peer' || given.kind === 'nodes') {
    scope.report(given.span, 'a hash is of values');
    return [];
  }
  if (given.kind === 'slice') return [{ words: sliceOf(site, scope, given) ?? [] }];
  const name = nameGiven(given);
  const bound = name && lookUp(scope, name.text);
  if (bound?.kind !== 'given') return [{ words: [translate(site, scope, given)] }];
  const words = constantWords(bound.value);
  return [words === undefined ? { whole: bound.value } : { words }];
}

export function binaryExpr(
  site: InlinedCall,
  op: Extract<LitmusExpr, { kind: 'binary' }>['op'],
  left: LitmusExpr,
  right: LitmusExpr,
): LitmusExpr {
  if (left.kind === 'int' && left.value === 0 && op === '+') return right;
  return { kind: 'binary', op, left, right, span: { ...site.span } };
}
