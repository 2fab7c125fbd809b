// A process that decides some queries of a lock under RDMA^TSO: verdicts, seconds, and the MiB that the process took at most.
import { decideRuns } from '../dist/explore/decide.js';
import { modelNamed } from './inputs.js';
import { testAt } from './inputs.js';
import { given, round } from './process.js';

export interface LocksGiven {
  /** From the root. */
  readonly path: string;
  /** Of the queries that are asked. */
  readonly kinds: readonly string[];
}

export interface LocksFound {
  readonly verdicts: readonly string[];
  readonly states: number;
  readonly symmetry?: number;
  readonly seconds: number;
  readonly mebibytes: number;
}

const { path, kinds } = given<LocksGiven>();
const test = testAt(path);
const queries = [...test.queries.keys()].filter((q) => kinds.includes(test.queries[q].quantifier));
const started = performance.now();
const answers = decideRuns(test, modelNamed('rdma-tso'), queries, { deadline: Infinity });
const seconds = round((performance.now() - started) / 1000);
const verdicts = [...new Set(answers.map(({ verdict }) => verdict))];
const { states = 0, symmetry } = answers[0];
const mebibytes = Math.round(process.resourceUsage().maxRSS / 2 ** 10);
const found: LocksFound = { verdicts, states, symmetry, seconds, mebibytes };
console.log(JSON.stringify(found));
