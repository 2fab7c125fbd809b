// A process that decides one client with implementations in the place of its calls: how large that is, and how long it takes
// from text to the list of outcomes.
import { DISK } from '../dist/node/models.js';
import { readLitmus } from '../dist/node/tests.js';
import { inProcess } from '../dist/analyses/in-process.js';
import { openSession } from '../dist/check/session.js';
import { Libraries } from '../dist/program/libraries.js';
import type { Subject } from '../dist/program/program.js';
import type { Counted } from './counting.js';
import { counting } from './counting.js';
import { valueOf } from './inputs.js';
import { given, round } from './process.js';

export interface ClientGiven {
  readonly text: string;
  readonly implementations: readonly string[];
}

export interface ClientFound extends Counted {
  readonly events: number | undefined;
  readonly outcomes: number;
  readonly incomplete: string | undefined;
  readonly milliseconds: number;
  readonly mebibytes: number;
}

const { text, implementations } = given<ClientGiven>();
const libraries = new Libraries(DISK);
const started = performance.now();
const read = readLitmus(text, 'bench.litmus', [], { libraries, implementations });
const test = valueOf(read.test);
const [model] = test.models!;
const subjects = test.program.threads.flatMap(({ registers }, thread) =>
  registers.flatMap((name, register): readonly Subject[] =>
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
const { solver, counted } = counting();
const session = openSession(test.program, model, solver, { acyclicity: 'difference' });
const found: ClientFound = {
  events: 'reason' in session ? undefined : session.structure.events.length,
  ...counted(),
  outcomes: listed.states.length,
  incomplete: listed.incomplete ?? (listed.upTo === undefined ? undefined : 'loop bound'),
  milliseconds,
  mebibytes: Math.round(process.resourceUsage().maxRSS / 2 ** 10),
};
console.log(JSON.stringify(found));
