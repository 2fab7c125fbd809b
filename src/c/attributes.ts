import type { Diagnostic, SourceFile, Span } from '../parse/diagnostics/index.js';
import type { CCode } from './code.js';
import type { Remark, Surroundings } from './around.js';
import type { Head } from './head.js';
import { numberOf } from './numbers.js';
import { elementNames } from './pieces.js';
import type { CNode } from './tree.js';
import { fieldOf, partOf, partsOf, spanIn } from './tree.js';

/**
 * What the code says where it sets things up, in whichever function that is: whether every request makes a completion, and which memory
 * is registered with relaxed ordering (ibv_create_qp(3), ibv_reg_mr(3)).
 */

/** All nodes of the functions and first values of a file that are wanted, if its text has a word. */
function nodesIn(
  { text }: SourceFile,
  { functions, globals }: CCode,
  word: string,
  isWanted: (node: CNode) => boolean,
): readonly CNode[] {
  if (!text.includes(word)) return [];
  const found = (node: CNode): readonly CNode[] => {
    if (node.endIndex - node.startIndex < word.length) return [];
    return [...(isWanted(node) ? [node] : []), ...partsOf(node).flatMap(found)];
  };
  const values = [...globals.values()].flatMap(({ value }) => value ?? []);
  return [...[...functions.values()].map(({ body }) => body), ...values].flatMap(found);
}

/** Whether the code sets `sq_sig_all`, for all of its queue pairs; undefined: nobody knows. */
export function allSignalledIn(source: SourceFile, code: CCode): boolean | undefined {
  const values = settings(source, code, 'sq_sig_all').map((node) => {
    const { text } = valueIn(node);
    const plain = code.macros.get(text) ?? text;
    return plain === 'true' ? 1 : plain === 'false' ? 0 : numberOf(plain.replaceAll(/[()]/g, ''));
  });
  if (values.every((value) => value === 0)) return false;
  return values.includes(undefined) || values.includes(0) ? undefined : true;
}

/** Where a member is set: `.sq_sig_all = 1`, `attr.sq_sig_all = 1`. */
const settings = (source: SourceFile, code: CCode, member: string): readonly CNode[] =>
  nodesIn(source, code, member, (node) => {
    if (node.type === 'initializer_pair') {
      return partsOf(node)[0].text === `.${member}`;
    }
    if (node.type !== 'assignment_expression') return false;
    const left = partOf(node, 'left');
    return left.type === 'field_expression' && partOf(left, 'field').text === member;
  });

/** What it is set to. */
const valueIn = (node: CNode): CNode =>
  partOf(node, node.type === 'initializer_pair' ? 'value' : 'right');

/** Queue pairs of other types than reliable connections. Where the code makes some of each, it says which by a condition. */
export function otherTypes(source: SourceFile, code: CCode): readonly Diagnostic[] {
  const types = settings(source, code, 'qp_type').flatMap((node) => {
    const { text } = valueIn(node);
    const [, type] = /^\(*IBV_QPT_(\w+)\)*$/.exec(code.macros.get(text) ?? text) ?? [];
    return [{ node, type }];
  });
  const other = types.find(({ type }) => type !== undefined && type !== 'RC');
  if (other === undefined || types.some(({ type }) => type === 'RC')) return [];
  const message = `queue pairs of the type ${other.type} are not understood`;
  const hint = 'only reliable connections are: IBV_QPT_RC';
  return [{ span: spanIn(source, valueIn(other.node)), message, hint }];
}

const SELECTIVE = 'FI_SELECTIVE_COMPLETION';
const ALWAYS_COMPLETE: readonly string[] = ['put', 'inline put', 'get', 'rcas', 'rfaa', 'rxchg'];

/**
 * Endpoints of libfabric whose requests make completions only with FI_COMPLETION (fi_endpoint(3)). The table of the interface has those of
 * other endpoints: its lines may not be about the requests of a thread then, but those of the head may.
 */
export function selectiveCompletions(
  source: SourceFile,
  { code, calls, used }: Pick<Surroundings, 'code' | 'calls' | 'used'>,
): readonly Diagnostic[] {
  const isSelective = (node: CNode): boolean =>
    node.type === 'identifier' &&
    (node.text === SELECTIVE || code.macros.get(node.text)?.includes(SELECTIVE) === true);
  const isBound = (node: CNode): boolean =>
    node.type === 'call_expression' &&
    partOf(node, 'function').text === 'fi_ep_bind' &&
    partsOf(partOf(node, 'arguments')).some(function has(one): boolean {
      return isSelective(one) || partsOf(one).some(has);
    });
  const found = nodesIn(source, code, 'fi_ep_bind', (node) => isSelective(node) || isBound(node));
  const line = calls.tables.find(
    (one) =>
      used.has(one) &&
      one.names[0].startsWith('fi_') &&
      one.operations.some(({ name }) => ALWAYS_COMPLETE.includes(name)),
  );
  if (found.length === 0 || line === undefined) return [];
  const message = `requests of an endpoint with ${SELECTIVE} complete only where they ask for it, which is not understood`;
  const [name] = line.names;
  const hint = `say in the head what they do: call ${name}(…) = unsignalled put(…) on ep, value 0`;
  return [{ span: spanIn(source, found.find(isSelective) ?? found[0]), message, hint }];
}

/** What has to be said of completions that the code asks for in another place than its requests. */
export function remarksOnSignals(source: SourceFile, head: Head, code: CCode): readonly Remark[] {
  const [first] = settings(source, code, 'sq_sig_all');
  if (first === undefined || head.allSignalled) return [];
  const all = allSignalledIn(source, code);
  if (all === false) return [];
  const span = spanIn(source, first);
  if (all) return [{ kind: 'default', text: 'every request makes a completion', span }];
  const text = 'only signalled requests make completions, unless the head has sq_sig_all';
  return [{ kind: 'assumed', text, span }];
}

const RELAXED = 'IBV_ACCESS_RELAXED_ORDERING';

/** Whether access flags ask for relaxed ordering, as far as their text says. */
export function isRelaxed({ macros }: CCode, { text }: CNode): boolean {
  const words = [...text.matchAll(/\w+/g)].flatMap(([word]) => [word, macros.get(word) ?? '']);
  return words.some((one) => one.includes(RELAXED)) && !/[?~&]/.test(text);
}

/** By location: where it is registered with relaxed ordering. And what the file does not say of it. */
export interface Relaxed {
  readonly locations: ReadonlyMap<string, Span>;
  readonly remarks: readonly Remark[];
  readonly errors: readonly Diagnostic[];
}

/** `known`: what threads have found out that come past such calls. */
export function relaxedIn(
  source: SourceFile,
  head: Head,
  around: Surroundings,
  known: ReadonlyMap<string, Span>,
): Relaxed {
  const { code } = around;
  const locations = new Map(known);
  const handled = [...known.values()];
  for (const call of nodesIn(source, code, RELAXED, isRegistration)) {
    const given = partsOf(partOf(call, 'arguments'));
    const access = given.at(-1);
    const names = access && isRelaxed(code, access) ? namesAt(given[1], head.arrays) : [];
    const declared = names.filter((name) => around.nodeOf.has(name));
    for (const name of declared) locations.set(name, spanIn(source, call));
    if (declared.length > 0) handled.push(spanIn(source, call));
  }
  const tags = head.litmus.nodes.flatMap((node) =>
    node.locations.flatMap((one) => one.tags.map((tag) => ({ tag: tag.text, name: one.name }))),
  );
  const errors = tags.flatMap(({ tag, name }) => {
    const span = locations.get(name.text);
    if (tag !== 'strict' || span === undefined) return [];
    return [{ span, message: `this has relaxed ordering, and ${name.text} is strict in the head` }];
  });
  const isSaid = tags.some(({ tag }) => tag === 'relaxed' || tag === 'strict');
  const isHandled = ({ startIndex }: CNode): boolean =>
    handled.some(({ start, end }) => startIndex >= start && startIndex < end);
  const all = nodesIn(source, code, RELAXED, isRegistration).map((node) => spanIn(source, node));
  // Flags that a variable has are those of a region that is registered in the same function.
  const isOfVariable = ({ startIndex }: CNode): boolean => {
    if (all.some(({ start, end }) => startIndex >= start && startIndex < end)) return false;
    const around = [...code.functions.values()].find(
      ({ node }) => node.startIndex <= startIndex && startIndex < node.endIndex,
    )?.node;
    return handled.some(
      ({ start }) => around && start >= around.startIndex && start < around.endIndex,
    );
  };
  const open = nodesIn(source, code, RELAXED, ({ text, type }) =>
    type === 'identifier' ? text === RELAXED : false,
  ).find((node) => !isHandled(node) && !isOfVariable(node));
  if (open === undefined || isSaid) return { locations, remarks: [], errors };
  const text =
    'what is registered here is not relaxed, unless the head says so: data = 0 [relaxed]';
  return { locations, errors, remarks: [{ kind: 'assumed', text, span: spanIn(source, open) }] };
}

const isRegistration = (node: CNode): boolean =>
  node.type === 'call_expression' &&
  /^ibv_reg_mr(_iova2?)?$/.test(partOf(node, 'function').text) &&
  partsOf(partOf(node, 'arguments')).length > 3;

/** The names of the words at an address that the head has: of a variable, or of an array. */
function namesAt(node: CNode, arrays: Head['arrays']): readonly string[] {
  if (node.type === 'parenthesized_expression') return namesAt(partsOf(node)[0], arrays);
  const inner = fieldOf(node, 'value') ?? fieldOf(node, 'argument');
  if (inner !== undefined && /^(cast|pointer)_expression$/.test(node.type)) {
    return namesAt(inner, arrays);
  }
  if (node.type !== 'identifier') return [];
  return elementNames(node.text, arrays.get(node.text));
}
