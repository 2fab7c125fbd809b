import fc from 'fast-check';
import { parseLitmus } from '../../src/index.js';
import { unroll } from '../../src/program/events/unroll.js';
import { adapt } from '../../src/rdma/translate.js';
import { candidatesOf } from '../evaluate/executions.js';
import type { Candidate } from '../evaluate/executions.js';
import { mergeModels } from '../evaluate/merged.js';
import type { Reduced } from '../evaluate/reduced.js';
import { reduce } from '../evaluate/reduced.js';
import type { Rows } from '../evaluate/rows.js';
import * as r from '../evaluate/rows.js';
import { mutantsOf } from '../models/index.js';
import { fullName } from '../models/mutant.js';
import { mutatedModel, originalModel } from '../models/text.js';
import type { Op, Small } from './programs.js';
import { smallPrograms, withoutIdlePolls } from './programs.js';
import { litmusOf } from './text.js';

/**
 * Looks for mutants that order the memory events of no thread differently, whatever other threads do:
 *
 *     npx tsx mutate/search/local.ts INSTRUCTIONS RANDOM
 *
 * All threads with so many instructions, on locations of their own and all on the same; then so
 * many random ones with one instruction and with two more, on few locations.
 *
 * See mutate/equivalent.md for what this shows: where a mutant and its model order the memory
 * events of a thread alike in every way in which the thread's events can be related among
 * themselves, no program made of such threads tells them apart.
 */

const MODELS = ['rdma-sc', 'rdma-tso', 'rdma-tso-nopcie', 'rdma-wait'] as const;

/** Mutants that change what holds inside of a thread, and neither communication nor `Inst`. */
const LOCAL =
  /^(ippo|oppo|both|nfo|pf|wf|cpu|qpo)-|^ib-(drop|once)|^ob-(pf|wf)|^ob-drop-(nfo|pf|inst)|^ob-ib/;

const [length = '3', random = '0'] = process.argv.slice(2);
const sets = MODELS.map((model) => ({
  model,
  mutants: mutantsOf(model).filter((m) => LOCAL.test(m.name) && m.name !== 'ib-drop-rf'),
}));
const merged = mergeModels(
  sets.flatMap(({ model, mutants }) => [originalModel(model), ...mutants.map(mutatedModel)]),
);
const starts = sets.map((_, i) =>
  sets.slice(0, i).reduce((sum, { mutants }) => sum + mutants.length + 1, 0),
);

/** The smallest thread found for a mutant. */
const found = new Map<string, string>();
let threads = 0;

function examine(program: Small): void {
  const test = parseLitmus(litmusOf(program));
  if (!test.ok) throw new Error(test.errors[0].message);
  threads += 1;
  for (const waits of [false, true]) {
    const chosen = MODELS.flatMap((m, i) => ((m === 'rdma-wait') === waits ? [i] : []));
    const adapted = adapt(test.value.program, originalModel(MODELS[chosen[0]]));
    if (!adapted.ok) continue;
    const structure = unroll(adapted.value.program);
    const candidates = candidatesOf(structure, [], 2_000) ?? [];
    const wanted = new Set(
      chosen.flatMap((i) => [
        starts[i],
        ...sets[i].mutants.flatMap((m, k) => (found.has(fullName(m)) ? [] : [starts[i] + 1 + k])),
      ]),
    );
    const frames = new Map<Candidate['frame'], Reduced>();
    for (const c of candidates) {
      if (!frames.has(c.frame))
        frames.set(
          c.frame,
          reduce(merged, c.frame, (m) => wanted.has(m)),
        );
      for (const i of chosen) compareOn(c, frames.get(c.frame)!, i, litmusOf(program));
    }
  }
}

function compareOn(c: Candidate, reduced: Reduced, set: number, text: string): void {
  const { classOf } = reduced;
  const start = starts[set];
  let own: string | undefined;
  const known = new Map<number, string>();
  for (const [k, mutant] of sets[set].mutants.entries()) {
    const mine = classOf[start + 1 + k];
    if (mine < 0 || mine === classOf[start] || found.has(fullName(mutant))) continue;
    own ??= orderOf(c, reduced, classOf[start]);
    if (!known.has(mine)) known.set(mine, orderOf(c, reduced, mine));
    if (known.get(mine) !== own) found.set(fullName(mutant), text);
  }
}

/** How a model orders the memory events, or that it does not allow the thread's execution. */
function orderOf(c: Candidate, reduced: Reduced, modelClass: number): string {
  if (!reduced.allows(c, modelClass)) return 'not at all';
  const ob = reduced.valueOf(c, modelClass, 1) as Rows;
  const set = (name: string): number => c.frame.fixed.get(name) as number;
  const labels = ['lR', 'lW', 'CAS', 'nlR', 'nrW', 'nrR', 'nAR', 'nlW'];
  const memory = labels.reduce((all, label) => all | set(label), 0) & ~set('IW');
  return r.intersection(ob, r.product(memory, memory, c.frame.size)).join();
}

/** Instructions of a thread on node 1; `apart`, each on a location of its own. */
function* letters(place: number, apart: boolean): Generator<Op> {
  const at = apart ? place : 0;
  yield { op: 'read', at };
  yield { op: 'write', at };
  yield { op: 'cas', at, old: 0 };
  yield { op: 'fence' };
  for (const towards of [2, 3]) {
    yield { op: 'get', towards, remote: at, own: at };
    yield { op: 'put', towards, remote: at, own: at };
    yield { op: 'rfaa', towards, remote: at, own: at };
    yield { op: 'fail', towards, remote: at, own: at };
    yield { op: 'poll', towards };
    yield { op: 'rfence', towards };
  }
}

function* bodies(left: number, apart: boolean, before: readonly Op[] = []): Generator<Small> {
  if (left === 0) {
    const first = before.find((o) => 'towards' in o);
    if (first !== undefined && 'towards' in first && first.towards === 3) return;
    const program = { threads: [{ node: 1, body: before }] };
    if (withoutIdlePolls(program).threads[0]?.body.length === before.length) yield program;
    return;
  }
  for (const o of letters(before.length, apart)) yield* bodies(left - 1, apart, [...before, o]);
}

for (let n = 1; n <= Number(length); n++) {
  for (const apart of [true, false]) for (const program of bodies(n, apart)) examine(program);
  console.error(`${n} instructions: ${threads} threads, ${found.size} mutants told`);
}
for (const more of [1, 2]) {
  const size = {
    threads: 1,
    instructions: Math.max(3, Number(length) + more),
    remote: true,
    waits: false,
  };
  for (const waits of [false, true]) {
    fc.sample(smallPrograms({ ...size, waits }), { numRuns: Number(random), seed: more })
      .filter(({ threads }) => threads[0]?.node === 1)
      .forEach(examine);
  }
  console.error(
    `${size.instructions} instructions: ${threads} threads, ${found.size} mutants told`,
  );
}
for (const { model, mutants } of sets) {
  const same = mutants.filter((m) => !found.has(fullName(m))).map((m) => m.name);
  console.log(`${model}: the same in every thread: ${same.join(' ')}\n`);
}
for (const [name, text] of found) {
  console.log(
    `${name}: ${text
      .split('\n')
      .filter((line) => line.startsWith('thread'))
      .join(' ')}`,
  );
}
