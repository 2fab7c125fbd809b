import type { CFunction } from '../code.js';
import type { CNode } from '../tree.js';
import { fieldOf, identifiersIn } from '../tree.js';
import type { Code } from './code.js';
import { distinct, joined } from './code.js';
import type { Place } from './places.js';
import { canName, localsOf, seenFrom } from './scope.js';
import type { CallPath, CSource } from './source.js';
import { argumentsOf, callPaths, functionAt } from './source.js';
import type { About } from './waits.js';
import { callAt, isOverVerbs } from './waits.js';
import { writtenIn } from './requests.js';

/** A read of remote memory that only waits for what was posted before: into a word of its own, with the wait for it. */

/**
 * How such a read can be written at a place: by the helper that posts requests there, or written out, with the address that a request
 * to the same queue pair has.
 */
export function readsAt(
  source: CSource,
  place: Place,
  { posts }: About,
  wait: Code,
): readonly Code[] {
  if (!isOverVerbs(source)) return [];
  const ways = posts.flatMap((at): readonly Way[] => {
    const own = functionAt(source, at);
    const call = callAt(source, at);
    if (own === undefined || call === undefined) return [];
    return callPaths(source, place.inside, own).map((path) => ({ own, call, path }));
  });
  return distinct([
    ...ways.flatMap((way) => byHelper(place, way, wait)),
    ...ways.flatMap((way) => writtenOut(source, place, way, wait)),
  ]);
}

/** A call of verbs that posts, the function that has it, and the calls that lead there. */
interface Way {
  readonly own: CFunction;
  readonly call: CNode;
  readonly path: CallPath;
}

/** The last expression of a list before a place; else the first. */
const lastBefore = (all: readonly CNode[], at: number): CNode | undefined =>
  all.findLast(({ startIndex }) => startIndex < at) ?? all.at(0);

/** `post(c, IBV_WR_RDMA_READ, &flushed, raddr, IBV_SEND_SIGNALED);` where the helper's parameters are what a request has. */
function byHelper(place: Place, { own, call, path }: Way, wait: Code): readonly Code[] {
  if (path.length !== 1) return [];
  const [outer] = path;
  const { opcode, flags, local } = writtenIn(own);
  const parameterIn = (all: readonly CNode[]): number => {
    const one = lastBefore(all, call.startIndex);
    const names = one === undefined ? [] : identifiersIn(one);
    return own.parameters.findIndex(({ name }) => names.includes(name));
  };
  const [kind, signal, data] = [opcode, flags, local].map(parameterIn);
  if (kind < 0 || data < 0) return [];
  const scratch = freshName(place.inside, 'flushed');
  const given = argumentsOf(outer).map((one, i) => {
    if (i === kind) return 'IBV_WR_RDMA_READ';
    if (i === data) return `&${scratch}`;
    return i === signal ? 'IBV_SEND_SIGNALED' : one.text;
  });
  const kept = argumentsOf(outer).filter((_, i) => ![kind, data, signal].includes(i));
  if (!canName(place, kept.flatMap(identifiersIn))) return [];
  const posted = `${fieldOf(outer, 'function')!.text}(${given.join(', ')});`;
  return [joined([{ declarations: [word(scratch)], statements: [posted] }, wait])];
}

function writtenOut(
  source: CSource,
  place: Place,
  { own, call, path }: Way,
  wait: Code,
): readonly Code[] {
  const { remote, remoteKey, localKey } = writtenIn(own);
  const seen = (one: CNode | undefined): string | undefined => {
    const found = one && seenFrom(source, one, own, path);
    return found !== undefined && canName(place, found.names) ? found.text : undefined;
  };
  const pair = seen(argumentsOf(call).at(0));
  if (pair === undefined) return [];
  const isBuilt = fieldOf(call, 'function')?.text === 'ibv_wr_complete';
  const addresses = [...remote].sort((a, b) => far(a, call) - far(b, call));
  return addresses.flatMap((one) => {
    const [to, rkey, lkey] = [one, nearest(remoteKey, one), nearest(localKey, one)].map(seen);
    if (to === undefined) return [];
    const given = { pair, to, rkey, lkey };
    return [joined([isBuilt ? built(place, given) : listed(source, place, given), wait])];
  });
}

const far = (a: CNode, { startIndex }: CNode): number => Math.abs(startIndex - a.startIndex);

const nearest = (all: readonly CNode[], to: CNode): CNode | undefined =>
  [...all].sort((a, b) => far(a, to) - far(b, to)).at(0);

interface Given {
  readonly pair: string;
  readonly to: string;
  readonly rkey?: string;
  readonly lkey?: string;
}

/** As a work request. */
function listed({ unit }: CSource, { inside }: Place, { pair, to, rkey, lkey }: Given): Code {
  const [scratch, sge, bad, wr] = ['flushed', 'sge', 'bad', 'wr'].map((n) => freshName(inside, n));
  const local = lkey === undefined || lkey === '0' ? '' : `, .lkey = ${lkey}`;
  const key = rkey === undefined ? '' : `, .rkey = ${rkey}`;
  const declarations = [
    word(scratch),
    `struct ibv_sge ${sge} = { .addr = (uintptr_t)&${scratch}, .length = sizeof ${scratch}${local} };`,
    `struct ibv_send_wr *${bad}, ${wr} = {`,
    `${unit}.opcode = IBV_WR_RDMA_READ, .send_flags = IBV_SEND_SIGNALED, .sg_list = &${sge}, .num_sge = 1,`,
    `${unit}.wr.rdma = { .remote_addr = ${to}${key} },`,
    '};',
  ];
  return { declarations, statements: [`ibv_post_send(${pair}, &${wr}, &${bad});`] };
}

/** By the builders of ibv_wr_post(3). */
function built({ inside }: Place, { pair, to, rkey = '0', lkey = '0' }: Given): Code {
  const scratch = freshName(inside, 'flushed');
  const statements = [
    `ibv_wr_start(${pair});`,
    `${pair}->wr_flags = IBV_SEND_SIGNALED;`,
    `ibv_wr_rdma_read(${pair}, ${rkey}, ${to});`,
    `ibv_wr_set_sge(${pair}, ${lkey}, (uintptr_t)&${scratch}, sizeof ${scratch});`,
    `ibv_wr_complete(${pair});`,
  ];
  return { declarations: [word(scratch)], statements };
}

/** What is read is of no use, but it goes to memory that is registered. */
const word = (name: string): string => `uint64_t ${name}; /* must be in registered memory */`;

/** A name that the function does not have. */
function freshName(inside: CFunction, base: string): string {
  const taken = new Set([...localsOf(inside), ...identifiersIn(inside.body)]);
  let name = base;
  for (let n = 2; taken.has(name); n++) name = `${base}${n}`;
  return name;
}
