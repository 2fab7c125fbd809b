import type { Code } from '../../c/edit/code.js';
import { joined, linesOf } from '../../c/edit/code.js';
import type { Edit } from '../../c/edit/insert.js';
import { endOfLines } from '../../c/edit/insert.js';
import { barriersFor } from '../../c/edit/orders.js';
import type { Place } from '../../c/edit/places.js';
import { readsAt } from '../../c/edit/reads.js';
import type { CSource } from '../../c/edit/source.js';
import type { About } from '../../c/edit/waits.js';
import { waitsAt } from '../../c/edit/waits.js';
import { instructionsOf } from '../../program/instructions.js';
import { queuePairOfCall } from '../../program/partners.js';
import type { Instruction, Program } from '../../program/program.js';
import { knownPosting } from '../../rdma/postings.js';
import type { Added } from './changes.js';
import { FENCE } from './probe.js';
import { getOf, headOf, instructionAt } from './changes.js';

const NOTHING: Code = { declarations: [], statements: [] };

/** The ways to write what is added at a place of the C, the likeliest first; none for what cannot be written. */
export function linesFor(
  source: CSource,
  program: Program,
  place: Place,
  added: Added,
): readonly (readonly string[])[] {
  const { steps } = added;
  let ways: readonly Code[] = [NOTHING];
  for (let i = 0; i < steps.length; i++) {
    const through = getOf(steps[i]);
    // The polls behind a read are in its block: until then, its word has to be there.
    const poll = `poll(${through})`;
    let polls = 0;
    while (through !== undefined && steps[i + 1 + polls] === poll) polls += 1;
    const next =
      through === undefined
        ? stepWays(source, program, place, added, steps[i])
        : readWays(source, place, aboutPair(program, added, through, poll), polls);
    i += polls;
    ways = ways.flatMap((before) => next.map((code) => joined([before, code])));
  }
  return ways.map((code) => linesOf(code, source.unit));
}

function readWays(source: CSource, place: Place, about: About, polls: number): readonly Code[] {
  const waits = polls === 0 ? [NOTHING] : waitsAt(source, place, about);
  return waits.flatMap((wait) =>
    readsAt(source, place, about, joined(Array.from({ length: polls }, () => wait))),
  );
}

function stepWays(
  source: CSource,
  program: Program,
  place: Place,
  added: Added,
  step: string,
): readonly Code[] {
  const barriers = step === 'mfence' ? [FENCE] : barriersFor(source, step);
  if (barriers.length > 0) return barriers.map((one) => ({ declarations: [], statements: [one] }));
  const pair = /^pollr?\((.*)\)$/.exec(step)?.[1];
  return pair === undefined ? [] : waitsAt(source, place, aboutPair(program, added, pair, step));
}

/** What the file does with a queue pair, the nearest first. */
function aboutPair(program: Program, { thread, place }: Added, pair: string, poll: string): About {
  const all = [...instructionsOf(program.threads[thread].body)];
  const next = instructionAt(program, { thread, place });
  const here = next === undefined ? all.length : all.indexOf(next);
  const near = (some: readonly Instruction[]): readonly number[] => {
    const far = (i: Instruction): number => {
      const behind = here - all.indexOf(i);
      return behind > 0 ? behind : all.length - behind;
    };
    return [...new Set([...some].sort((a, b) => far(a) - far(b)).map(({ span }) => span.start))];
  };
  const isPost = (i: Instruction): boolean =>
    knownPosting(program, i).kind === 'posted' && pairOf(program, i) === pair;
  const others = program.threads.flatMap(({ body }, t) =>
    t === thread
      ? []
      : [...instructionsOf(body)].flatMap((i) =>
          headOf(program, t, i) === poll ? [i.span.start] : [],
        ),
  );
  const own = near(all.filter((i) => headOf(program, thread, i) === poll));
  return {
    polls: [...new Set([...own, ...others])],
    posts: near(all.filter(isPost)),
    isReceive: poll.startsWith('pollr'),
  };
}

function pairOf(program: Program, i: Instruction): string | undefined {
  const pair = i.kind === 'call' ? queuePairOfCall(program, i) : undefined;
  if (pair === undefined) return undefined;
  return pair.name === undefined ? pair.node : `${pair.node}.${pair.name}`;
}

/** The header that lines need, if the file does not have it. */
export function includesFor(source: CSource, lines: readonly string[]): readonly Edit[] {
  const { text } = source;
  const isThere = /#\s*include\s*<stdatomic\.h>/.test(text);
  if (isThere || !lines.some((line) => line.trim().startsWith('atomic_'))) return [];
  const last = [...text.matchAll(/^[ \t]*#[ \t]*include\b.*\n/gm)].at(-1);
  const at = last === undefined ? 0 : last.index + last[0].length;
  return [{ start: at, end: at, text: `#include <stdatomic.h>${endOfLines(source)}` }];
}
