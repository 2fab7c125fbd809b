import type { Answer } from '../check/result.js';
import { isOutOfOrder } from '../machine/layers.js';
import type { Model } from '../model/term.js';
import type { Program, RunQuery, Test } from '../program/program.js';
import { isStateQuery } from '../program/program.js';
import type { Found, RunLimits } from './answer.js';
import { DEFAULT_ROOM, inLines, limitsOf, restsOn, shownBy, sizeOf } from './answer.js';
import { askedAlways } from './asked.js';
import { FORESEES, machineOf, noMachineFor } from './prepare.js';
import type { Liveness } from './progress.js';
import { EndlessRuns, MOST_WAITS, Waiting } from './progress.js';
import { BadStates, badRun, isSafety, isSameFor, subjectsOfRuns, untilBad } from './safety.js';
import type { Watch } from './search.js';
import { explore } from './search.js';
import { decideWaits } from './whole/decide.js';

/**
 * Decides queries about runs by exploring all states of a program on the machine that a model is, however often its loops go round. A
 * state that is bad is a question of which states there are; that something is put off for ever is one of their graph. All are answered
 * by one exploration.
 *
 * @param queries those to decide, by index: all about runs
 */
export function decideRuns(
  test: Test,
  model: Model,
  queries: readonly number[],
  limits: RunLimits,
): readonly Answer[] {
  const asked = queries.map((index) => {
    const query = test.queries[index];
    if (isStateQuery(query)) throw new Error(`\`${query.quantifier}\` is about final states`);
    return { index, query };
  });
  const answers = groupsOf(test.program, asked).flatMap((group) => {
    const started = performance.now();
    const found = decideGroup(
      test.program,
      model,
      group.map(({ query }) => query),
      limits,
    );
    const milliseconds = (performance.now() - started) / group.length;
    return group.map(({ index }, i) => ({ query: index, flags: [], milliseconds, ...found[i] }));
  });
  return answers.sort((a, b) => a.query - b.query);
}

/**
 * Questions that one exploration can answer. Those about progress make no use of symmetry, and are apart where there is some. What is noted for
 * `always` goes on changing, and would make rounds longer than another question needs.
 */
function groupsOf<Q extends { readonly query: RunQuery }>(
  { symmetric }: Program,
  asked: readonly Q[],
): readonly (readonly Q[])[] {
  const isAlways = ({ query }: Q): boolean =>
    query.quantifier === 'progress' && query.from === 'always';
  const isApart = (one: Q): boolean =>
    symmetric !== undefined && one.query.quantifier === 'progress';
  const groups: Q[][] = asked.filter(isAlways).map((one) => [one]);
  const others = asked.filter((one) => !isAlways(one));
  for (const part of [others.filter((one) => !isApart(one)), others.filter(isApart)]) {
    for (let at = 0; at < part.length; at += MOST_WAITS) {
      groups.push(part.slice(at, at + MOST_WAITS));
    }
  }
  return groups;
}

/** Why nothing is known of moments in the middle of a run where reads are performed out of order. */
const MIDDLE =
  'where reads are performed out of order, a thread is at several places of its code at a time: of runs, only `deadlock` and `progress` are known';

/** Where reads are performed out of order: who waits for ever is known at the ends of runs. */
function decideWhole(
  program: Program,
  model: Model,
  queries: readonly RunQuery[],
  limits: RunLimits,
): readonly Found[] {
  const endless = queries.filter((query): query is Liveness => !isSafety(query));
  const found = endless.length === 0 ? [] : decideWaits(program, model, endless, limits);
  return queries.map((query) =>
    isSafety(query) ? { verdict: 'unknown', reason: MIDDLE } : found[endless.indexOf(query)],
  );
}

function decideGroup(
  program: Program,
  model: Model,
  queries: readonly RunQuery[],
  limits: RunLimits,
): readonly Found[] {
  if (isOutOfOrder(model)) return decideWhole(program, model, queries, limits);
  const { room = DEFAULT_ROOM, reduces = true } = limits;
  const safety = queries.filter(isSafety);
  const endless = queries.filter((query): query is Liveness => !isSafety(query));
  const waits = endless.filter((query) => query.quantifier === 'progress');
  const machine = machineOf(program, model, {
    ...askedAlways(subjectsOfRuns(queries)),
    ...{ waits, room, reduces, resting: endless.length > 0 },
  });
  if ('message' in machine) {
    return queries.map(() => ({ verdict: 'unknown', reason: noMachineFor(machine) }));
  }
  const bad = new BadStates(machine, safety);
  const seen = new Waiting(machine, waits.length);
  const keep = endless.length > 0 && !machine.foresees;
  // A round of states that stand for others need not be one of theirs: only what can be reached is the same.
  const isSame: Watch['isSame'] =
    waits.length > 0 ? undefined : (p, holds) => isSameFor(machine.layout, safety, p, holds);
  const explored = explore(
    machine,
    { ...watching(bad, seen, keep, limits), isSame },
    keep,
    limitsOf(limits),
  );
  const { incomplete: reason } = explored;
  const runs = new EndlessRuns(explored, seen, room, model);
  return queries.map((query): Found => {
    if (isSafety(query)) {
      const one = bad.found[safety.indexOf(query)];
      if (one !== undefined) {
        const run = badRun(explored, one);
        const told = inLines(machine, untilBad(query, run));
        return shownBy(machine, model, run, { verdict: 'fails', ...told, ...sizeOf(explored) });
      }
    }
    if (reason !== undefined) return { verdict: 'unknown', reason };
    if (isSafety(query)) return { verdict: 'holds', ...restsOn(explored, room) };
    if (machine.foresees) return { verdict: 'unknown', reason: FORESEES };
    return runs.decide(query, query.quantifier === 'progress' ? waits.indexOf(query) : -1);
  });
}

/** @param keep whether there are questions about endless runs, which need all states */
function watching(bad: BadStates, seen: Waiting, keep: boolean, { progress }: RunLimits): Watch {
  const isDone = (): boolean => !keep && bad.found.every((one) => one !== undefined);
  return {
    state(s, state) {
      bad.see(s, state);
      if (keep) seen.see(s);
      return isDone();
    },
    failed(state) {
      bad.seeFailure(state);
      return isDone();
    },
    expanded(cramped) {
      if (keep) seen.cramped.push(Number(cramped));
    },
    progress,
  };
}
