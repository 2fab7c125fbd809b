// A process that decides some queries of a lock under RDMA^TSO: verdicts, seconds, and the MiB that the process took at most.
import { readFileSync } from 'node:fs';
import { join } from 'node:path';
import { parseLitmus } from '../dist/index.js';
import { decideRuns } from '../dist/rdma/explore/decide.js';
import { EXPLORED_MODELS } from '../dist/rdma/explore/hardware.js';
import { ROOT, round } from './process.js';

const { path, kinds } = JSON.parse(process.argv[2]);
const test = parseLitmus(readFileSync(join(ROOT, path), 'utf8'), path).value;
const queries = [...test.queries.keys()].filter((q) => kinds.includes(test.queries[q].quantifier));
const started = performance.now();
const answers = decideRuns(test, EXPLORED_MODELS.get('rdma-tso'), queries, { deadline: Infinity });
const seconds = round((performance.now() - started) / 1000);
const verdicts = [...new Set(answers.map(({ verdict }) => verdict))];
const { states, symmetry } = answers[0];
const mebibytes = Math.round(process.resourceUsage().maxRSS / 2 ** 10);
console.log(JSON.stringify({ verdicts, states, symmetry, seconds, mebibytes }));
