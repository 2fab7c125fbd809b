import type { CNode } from '../tree.js';
import { fieldOf, identifiersIn } from '../tree.js';
import type { CFunction } from '../code.js';
import type { Edit } from './insert.js';
import { insertion } from './insert.js';
import { placesNear } from './places.js';
import { writtenIn } from './requests.js';
import type { CSource } from './source.js';
import { argumentsOf, callPaths, functionAt, nodesOf } from './source.js';
import { callAt, isOverVerbs } from './waits.js';

/**
 * How a request can get a flag: in the arguments of the calls that lead to it, where its flags are written, or by a statement before it is
 * posted.
 *
 * @param from the function that the thread is
 * @param at where the request is posted
 */
export function flagEdits(
  source: CSource,
  from: CFunction,
  at: number,
  flag: string,
): readonly (readonly Edit[])[] {
  const own = functionAt(source, at);
  const call = callAt(source, at);
  if (own === undefined || call === undefined || !isOverVerbs(source)) return [];
  const { flags } = writtenIn(own);
  const given = flags.flatMap((one) => argumentsFor(source, from, own, identifiersIn(one)));
  return [
    ...[...new Set(given)].map((one) => [withFlag(one, flag)]),
    ...[...flags].reverse().map((one) => [withFlag(one, flag)]),
    ...statements(source, own, call, flag),
  ];
}

/** The arguments on the ways to a function from which parameters of it come. */
function argumentsFor(
  source: CSource,
  from: CFunction,
  own: CFunction,
  names: readonly string[],
): readonly CNode[] {
  return callPaths(source, from, own).flatMap((path) => {
    const found: CNode[] = [];
    let called: CFunction | undefined = own;
    let wanted = names;
    for (const call of [...path].reverse()) {
      const given = argumentsOf(call);
      const some = called!.parameters.flatMap(({ name }, i) =>
        wanted.includes(name) && given[i] !== undefined ? [given[i]] : [],
      );
      found.unshift(...some);
      wanted = some.flatMap(identifiersIn);
      called = functionAt(source, call.startIndex);
    }
    return found;
  });
}

const SIMPLE: readonly string[] = ['identifier', 'field_expression', 'number_literal'];

function withFlag({ type, text, startIndex, endIndex }: CNode, flag: string): Edit {
  const isPlain = SIMPLE.includes(type) || /^[\w\s|]+$/.test(text);
  const before = isPlain ? text : `(${text})`;
  return { start: startIndex, end: endIndex, text: text === '0' ? flag : `${before} | ${flag}` };
}

/** `wr.send_flags |= IBV_SEND_FENCE;` */
function statements(
  source: CSource,
  own: CFunction,
  call: CNode,
  flag: string,
): readonly (readonly Edit[])[] {
  const isBuilt = fieldOf(call, 'function')?.text === 'ibv_wr_complete';
  const given = argumentsOf(call);
  // A macro that posts may have the request anywhere.
  const fields = isBuilt
    ? given.slice(0, 1).map(({ text }) => `${text}->wr_flags`)
    : given.filter(isRequest).map(fieldIn);
  const places = isBuilt
    ? nodesOf(own.body, 'call_expression').filter((one) =>
        /^ibv_wr_(rdma|send|atomic)/.test(fieldOf(one, 'function')?.text ?? ''),
      )
    : [call];
  return places.flatMap(({ startIndex }) => {
    const [place] = placesNear(source, own, startIndex);
    if (place === undefined) return [];
    return fields.map((field) => insertion(source, place, [`${field} |= ${flag};`]));
  });
}

const isRequest = ({ type, text }: CNode): boolean =>
  text.startsWith('&') || type === 'identifier' || type === 'field_expression';

const fieldIn = (list: CNode): string =>
  list.text.startsWith('&') ? `${list.text.slice(1)}.send_flags` : `${list.text}->send_flags`;
