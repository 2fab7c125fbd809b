import type { CFunction } from '../code.js';
import type { CNode } from '../tree.js';
import { fieldOf, fieldsOf, identifiersIn } from '../tree.js';
import type { Type } from '../types.js';
import type { Place } from './places.js';
import { canName, localsOf, seenFrom, visibleAt } from './scope.js';
import type { Code } from './code.js';
import { distinct } from './code.js';
import type { CSource } from './source.js';
import { argumentsOf, callPaths, functionAt, indentAt, nodesAt, nodesOf } from './source.js';

/** What is known of the queue pair that completions are of. */
export interface About {
  /** Where the thread takes completions of it, and where it posts to it: calls of verbs, the nearest first. */
  readonly polls: readonly number[];
  readonly posts: readonly number[];
  readonly isReceive: boolean;
}

/** How a wait for one completion can be written at a place, the likeliest first: as the function waits already, or written out. */
export function waitsAt(source: CSource, place: Place, about: About): readonly Code[] {
  const copied = copiedWaits(source, place, about);
  return distinct([
    ...copied.map((statements) => ({ declarations: [], statements })),
    ...(isOverVerbs(source) ? writtenWaits(source, place, about) : OTHERS.filter(usedIn(source))),
  ]);
}

/** Other interfaces have waits of their own. */
export const isOverVerbs = ({ text }: CSource): boolean => /\bibv_(post|poll|wr)_/.test(text);

/** Those that need no names. */
const OTHERS: readonly Code[] = [{ declarations: [], statements: ['shmem_quiet();'] }];

const usedIn =
  ({ text }: CSource) =>
  ({ statements: [one] }: Code): boolean =>
    new RegExp(`\\b${one.split('_')[0]}_`).test(text);

/** The call of verbs that begins at a place. */
export const callAt = ({ tree }: CSource, at: number): CNode | undefined =>
  nodesAt(tree, at).find(({ type, startIndex }) => type === 'call_expression' && startIndex === at);

const LOOPS: readonly string[] = ['while_statement', 'do_statement', 'for_statement'];
const COPIED: readonly string[] = [...LOOPS, 'expression_statement', 'if_statement'];

/** The statements by which the function of a place waits elsewhere, or another one in the same words: a loop around a poll, or the call of a helper that has one. */
function copiedWaits(
  source: CSource,
  place: Place,
  { polls }: About,
): readonly (readonly string[])[] {
  const others = [...new Set([place.inside, ...source.functionOf.values()])];
  return others.flatMap((inside) =>
    polls.flatMap((poll) => {
      const own = functionAt(source, poll);
      if (own === undefined) return [];
      return callPaths(source, inside, own).flatMap((path) => {
        const around = nodesAt(inside.body, path[0]?.startIndex ?? poll);
        const loop =
          path.length > 0 ? undefined : around.findLast(({ type }) => LOOPS.includes(type));
        const statement = loop ?? around.findLast(({ type }) => /_statement$/.test(type));
        if (statement === undefined || !COPIED.includes(statement.type)) return [];
        const isNamed = inside === place.inside || !usesOwn(inside, place, statement);
        return isNamed && canName(place, identifiersIn(statement))
          ? [linesOf(source, statement)]
          : [];
      });
    }),
  );
}

/** Has a statement of a function variables that the function of a place does not have? */
function usesOwn(inside: CFunction, place: Place, statement: CNode): boolean {
  const [theirs, ours] = [localsOf(inside), localsOf(place.inside)];
  return identifiersIn(statement).some((name) => theirs.has(name) && !ours.has(name));
}

/** The lines of a node, without the indentation of the first. */
function linesOf({ text }: CSource, { startIndex, endIndex }: CNode): readonly string[] {
  const indent = indentAt(text, startIndex);
  return text
    .slice(startIndex, endIndex)
    .split(/\r?\n/)
    .map((line, i) => (i > 0 && line.startsWith(indent) ? line.slice(indent.length) : line));
}

function writtenWaits(source: CSource, place: Place, about: About): readonly Code[] {
  const known = visibleCompletion(place);
  return queuesAt(source, place, about).map((queue) => ({
    declarations: known === undefined ? ['struct ibv_wc wc;'] : [],
    statements: [`while (ibv_poll_cq(${queue}, 1, &${known ?? 'wc'}) == 0)`, `${source.unit};`],
  }));
}

/** A variable of the type `struct ibv_wc` that can be named at a place. */
function visibleCompletion(place: Place): string | undefined {
  const visible = visibleAt(place);
  return nodesOf(place.inside.body, 'declaration')
    .filter((one) => fieldOf(one, 'type')?.text === 'struct ibv_wc')
    .flatMap((one) => fieldsOf(one, 'declarator'))
    .find(({ type, text }) => type === 'identifier' && visible.has(text))?.text;
}

/** What may be named at a place for the completion queue. */
function queuesAt(
  source: CSource,
  place: Place,
  { polls, posts, isReceive }: About,
): readonly string[] {
  const bound = source.queuesOf.get(place.inside.name) ?? [];
  const said = bound.filter(({ names }) => canName(place, names)).map(({ text }) => text);
  const polled = polls.flatMap((at) => firstArgument(source, place, at));
  const declared = [...place.inside.parameters, ...source.code.globals.values()]
    .filter(({ type }) => isQueue(type))
    .map(({ name }) => name);
  const own = posts
    .flatMap((at) => firstArgument(source, place, at))
    .map((pair) => `${pair}->${isReceive ? 'recv_cq' : 'send_cq'}`);
  return [...new Set([...polled, ...said, ...declared, ...own])];
}

const isQueue = (type: Type): boolean =>
  type.kind === 'pointer' && type.to.kind === 'struct' && type.to.name === 'ibv_cq';

/** The first argument of the call that begins at a place of the text, in words that can be used at another. */
export function firstArgument(source: CSource, place: Place, at: number): readonly string[] {
  const own = functionAt(source, at);
  const call = callAt(source, at);
  if (own === undefined || call === undefined) return [];
  const [first] = argumentsOf(call);
  if (first === undefined) return [];
  return callPaths(source, place.inside, own).flatMap((path) => {
    const seen = seenFrom(source, first, own, path);
    return seen !== undefined && canName(place, seen.names) ? [seen.text] : [];
  });
}
