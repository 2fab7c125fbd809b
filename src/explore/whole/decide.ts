import type { Model } from '../../model/term.js';
import { instructionsOf } from '../../program/instructions.js';
import { printInstruction } from '../../program/print.js';
import type { Place, Program } from '../../program/program.js';
import type { Found, RunLimits } from '../answer.js';
import type { Liveness } from '../progress.js';
import { ASSUMED } from '../progress.js';
import { wrongRun } from './explorer.js';
import type { WholeRun } from './search.js';
import { STATES, searchWhole } from './search.js';
import { tellWhole } from './told.js';

/** What a run in which all threads are at their ends, or wait for ever, says of a question. */
export type Said = 'fails' | 'holds' | 'unclear';

/**
 * Decides who waits for ever, where reads are performed out of order: in runs that have come to their ends, with all that was posted performed. Loops
 * that wait are repeated for ever; all others go round as often as the program's bound says. One run is enough of each way through the branches.
 */
export function decideWaits(
  program: Program,
  model: Model,
  queries: readonly Liveness[],
  { limit = STATES, deadline }: RunLimits,
): readonly Found[] {
  const failed = queries.map((): Found | undefined => undefined);
  const unclear = queries.map(() => false);
  let ends = 0;
  const options = { subjects: [], states: limit, deadline, waits: true };
  const { incomplete, upTo, explored } = searchWhole(program, model, options, (run) => {
    ends += 1;
    queries.forEach((query, q) => {
      if (failed[q] !== undefined) return;
      const said = saidBy(run, query);
      unclear[q] ||= said === 'unclear';
      if (said === 'fails') failed[q] = shown(run, model);
    });
    return failed.every((found) => found !== undefined);
  });
  return queries.map((query, q): Found => {
    const { [q]: found } = failed;
    if (found !== undefined) return { ...found, states: explored };
    if (incomplete !== undefined) return { verdict: 'unknown', reason: incomplete };
    if (unclear[q]) return { verdict: 'unknown', reason: UNCLEAR };
    if (ends === 0 && upTo !== undefined) return { verdict: 'unknown', reason: BEYOND(upTo) };
    if (query.quantifier === 'deadlock') {
      return { verdict: 'holds', states: explored, ...(upTo !== undefined && { upTo }) };
    }
    // Who comes too late again and again, rounds do not show.
    return upTo === undefined
      ? { verdict: 'holds', states: explored, assuming: [ASSUMED] }
      : { verdict: 'unknown', reason: ENDLESS(upTo) };
  });
}

const UNCLEAR =
  'where reads are performed out of order, it does not show which of two threads passes its mark first';
const ENDLESS = (upTo: number): string =>
  `nobody waits for ever within ${upTo} iterations of each loop, and where reads are performed out of order, endless runs are not known`;
const BEYOND = (upTo: number): string =>
  `no run ends within ${upTo} iterations of each loop, and where reads are performed out of order, loops are gone through round by round`;

function shown(run: WholeRun, model: Model): Found {
  const reason = wrongRun(run, model);
  if (reason !== undefined) return { verdict: 'unknown', reason };
  const { program } = run.structure;
  const waiting = run.waits.map(({ thread, span }) => {
    const { [thread]: own } = program.threads;
    const i = [...instructionsOf(own.body)].find((one) => one.span === span)!;
    return `${own.name} waits for ever: ${printInstruction(program, own, i, () => '…')}`;
  });
  return { verdict: 'fails', run: [...tellWhole(run, false), ...waiting] };
}

/** What a run says of a question: where threads wait for ever, and which marks they have passed. */
export function saidBy(
  { structure, waits, taken }: Pick<WholeRun, 'structure' | 'waits' | 'taken'>,
  query: Liveness,
): Said {
  if (query.quantifier === 'deadlock') return waits.length > 0 ? 'fails' : 'holds';
  const { from, to } = query;
  const { passes = [], program } = structure;
  // Threads that rest may do so for ever; others do not come again, once the run has ended.
  if (from === 'always')
    return to.some(({ thread }) => rests(program, thread)) ? 'unclear' : 'fails';
  const passed = passes.filter(({ path }) => taken(path));
  const isAt = (places: readonly Place[], at: number): boolean =>
    places.some(({ thread, mark }) => passed[at].thread === thread && passed[at].mark === mark);
  const came = [...passed.keys()].filter((at) => isAt(to, at));
  const said = [...passed.keys()]
    .filter((at) => isAt(from, at))
    .map((at): Said => {
      if (came.some((k) => k > at && passed[k].thread === passed[at].thread)) return 'holds';
      return came.some((k) => passed[k].thread !== passed[at].thread) ? 'unclear' : 'fails';
    });
  return said.includes('fails') ? 'fails' : said.includes('unclear') ? 'unclear' : 'holds';
}

const rests = ({ threads }: Program, thread: number): boolean =>
  [...instructionsOf(threads[thread].body)].some(
    (i) => i.kind === 'loop' && i.condition === undefined,
  );
