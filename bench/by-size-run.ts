// A process that goes through all programs by size, in one thread: how many there are, and how long that takes.
import { sharesOf } from '../dist/analyses/by-size/shares.js';
import { pairSearch } from '../dist/analyses/distinguish/distinguish.js';
import { inProcess } from '../dist/analyses/in-process.js';
import { synthesisSearch } from '../dist/analyses/synthesise/synthesise.js';
import { instructionsOf } from '../dist/model/instructions/union.js';
import { defaultInstructions } from '../dist/node/models.js';
import { alphabetOf } from '../dist/rdma/classes/alphabet.js';
import { modelNamed } from './inputs.js';
import { given } from './process.js';

export interface BySizeGiven {
  /** One model: its minimal tests. Two: the programs that tell them apart, of which there are to be none. */
  readonly models: readonly [string] | readonly [string, string];
  /** What programs are made of; without it, what commands take. */
  readonly operations?: readonly string[];
  readonly calls: number;
}

/** The programs with so many calls. */
export interface SizeFound {
  readonly calls: number;
  readonly programs: number;
  readonly seconds: number;
  /** The most that the process had up to then. */
  readonly mebibytes: number;
}

const { models, operations, calls } = given<BySizeGiven>();
const [first, second] = models.map(modelNamed);
const of = second === undefined ? [first] : [first, second];
const { letters, ...rest } = alphabetOf(of, defaultInstructions());
const isDrawn = ({ name, isUsual }: (typeof letters)[number]): boolean =>
  operations?.includes(name) ?? isUsual;
const drawn = letters.filter(isDrawn);
const instructions = instructionsOf(of, defaultInstructions());
const alphabet = { ...rest, letters: [...drawn, ...letters.filter((one) => !isDrawn(one))] };
const search =
  second === undefined
    ? synthesisSearch(first, { alphabet, drawn: drawn.length, instructions, calls })
    : pairSearch([first, second], {
        ...{ alphabet: { ...rest, letters: drawn }, instructions, calls },
        wanted: 'all',
      });
const pool = inProcess();
for (let size = 1; size <= calls; size++) {
  const started = performance.now();
  let programs = 0;
  for (const share of sharesOf(size, search.alphabet)) {
    const found = await search.find(share, pool);
    if ('unfinished' in found) throw new Error(found.unfinished);
    programs += found.output.programs;
  }
  const line: SizeFound = {
    calls: size,
    programs,
    seconds: (performance.now() - started) / 1000,
    mebibytes: Math.round(process.resourceUsage().maxRSS / 2 ** 10),
  };
  console.log(JSON.stringify(line));
}
