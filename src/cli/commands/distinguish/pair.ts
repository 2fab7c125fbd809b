import type { DifferingProgram, Wanted } from '../../../analyses/distinguish/part.js';
import { pairSearch } from '../../../analyses/distinguish/distinguish.js';
import type { Distinction } from '../../../analyses/distinguish/distinction.js';
import { distinctionOf } from '../../../analyses/distinguish/distinction.js';
import type { Pool } from '../../../analyses/workers.js';
import { instructionsOf } from '../../../model/instructions/union.js';
import type { Model } from '../../../model/term.js';
import { defaultInstructions } from '../../../node/models.js';
import type { Alphabet } from '../../../rdma/classes/alphabet.js';
import { alphabetOf } from '../../../rdma/classes/alphabet.js';
import type { PairRecord } from '../../../report/distinguish.js';
import { distinguishJson, distinguishText } from '../../../report/distinguish.js';
import type { DistinguishReport } from '../../../report/distinguish.js';
import { AS_EXPECTED, DEPARTS, UNDECIDED } from '../../command/exit.js';
import { chosenLetters } from '../../inputs/alphabet.js';
import type { Output } from '../../outputs/plan.js';
import type { Reporters } from '../../print/formats.js';
import { answer } from '../../run/answer.js';
import { searchPrograms } from '../../run/by-size.js';
import { startRun } from '../../run/tasks.js';
import type { Format, Options } from './options.js';

/** The smallest program that tells two models apart. */
export async function distinguishPair(
  pair: readonly [Model, Model],
  outputs: readonly Output[],
  options: Options & { readonly calls: number },
): Promise<number> {
  const started = performance.now();
  const { calls, reporter: format = 'text' } = options;
  const known = alphabetOf(pair, defaultInstructions());
  const letters = chosenLetters(known, options.operations, 'both models have');
  const alphabet = { letters, marks: options.tags ? known.marks : [] };
  const wanted = options.all === true ? 'all' : options.both === true ? 'both' : 'first';
  return answer(startRun(options, true), {
    tasks: [
      { name: 'distinguish', do: (pool) => recordsOf(pool, pair, alphabet, wanted, options) },
    ],
    report([groups], interrupted) {
      const report: DistinguishReport = {
        models: [pair[0].name, pair[1].name],
        operations: alphabet.letters.map(({ name }) => name),
        marks: alphabet.marks,
        ...{ calls, groups, wanted, interrupted },
        seconds: (performance.now() - started) / 1000,
      };
      const found = groups.flatMap(({ distinctions }) => distinctions).at(0);
      return {
        format,
        text: REPORTERS[format](report),
        write: () =>
          found === undefined ? [] : outputs.flatMap(({ write }) => write(found.litmus)),
        filesFirst: true,
        code: codeOf(report),
      };
    },
  });
}

const REPORTERS: Reporters<Format, DistinguishReport> = {
  text: distinguishText,
  json: distinguishJson,
};

/** Searches, and meanwhile asks about what is found. */
async function recordsOf(
  pool: Pool,
  pair: readonly [Model, Model],
  alphabet: Alphabet,
  wanted: Wanted,
  { calls, engine, jobs }: Options & { readonly calls: number },
): Promise<readonly PairRecord[]> {
  const instructions = instructionsOf(pair, defaultInstructions());
  const told = new Map<DifferingProgram, Distinction | { readonly unfinished: string }>();
  let telling = Promise.resolve();
  const search = pairSearch(pair, { alphabet, instructions, wanted, calls }, (program) => {
    telling = telling.then(async () => {
      told.set(program, await distinctionOf(pool, pair, program.litmus, instructions, engine));
    });
  });
  const found = await searchPrograms(search, pool, jobs);
  await telling;
  return found.map((share) => {
    const own = share.differing.flatMap((program) => told.get(program) ?? []);
    const unfinished = own.flatMap((one) => ('unfinished' in one ? one.unfinished : [])).at(0);
    return {
      ...share,
      distinctions: own.flatMap((one) => ('unfinished' in one ? [] : [one])),
      ...(unfinished !== undefined && { unfinished }),
    };
  });
}

function codeOf({ groups }: DistinguishReport): number {
  if (groups.some(({ distinctions }) => distinctions.length > 0)) return DEPARTS;
  const isOpen = groups.some(({ open, unfinished }) => open.length > 0 || unfinished !== undefined);
  return isOpen ? UNDECIDED : AS_EXPECTED;
}
