// A process that decides one client with implementations in the place of its calls: how large that is, and how long it takes
// from text to the list of outcomes.
import { DISK } from '../dist/node/models.js';
import { readLitmus } from '../dist/node/tests.js';
import { inProcess } from '../dist/analyses/in-process.js';
import { openSession } from '../dist/check/session.js';
import { Libraries } from '../dist/program/libraries.js';
import { round } from './process.js';

const { text, implementations } = JSON.parse(process.argv[2]);
const libraries = new Libraries(DISK);
const started = performance.now();
const read = readLitmus(text, 'bench.litmus', [], { libraries, implementations });
const test = read.test.value;
const [model] = test.models;
const subjects = test.program.threads.flatMap(({ registers }, thread) =>
  registers.flatMap((name, register) =>
    /^[a-z]\d*$/.test(name) ? [{ kind: 'register', thread, register }] : [],
  ),
);
const listed = await inProcess().outcomes({
  kind: 'outcomes',
  counted: false,
  engine: 'search',
  models: [model],
  test,
  subjects,
});
const milliseconds = round(performance.now() - started);
let clauses = 0;
let edges = 0;
const counting = { addClause: () => (clauses += 1), addLess: () => (edges += 1) };
const session = openSession(test.program, model, () => counting, { acyclicity: 'difference' });
console.log(
  JSON.stringify({
    events: session.structure?.events.length,
    clauses,
    edges,
    outcomes: listed.states.length,
    incomplete: listed.incomplete ?? (listed.upTo === undefined ? undefined : 'loop bound'),
    milliseconds,
    mebibytes: Math.round(process.resourceUsage().maxRSS / 2 ** 10),
  }),
);
