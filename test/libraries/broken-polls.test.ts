import { readFileSync } from 'node:fs';
import { expect, test } from 'vitest';
import { inProcess } from '../../src/analyses/in-process.js';
import { refine } from '../../src/analyses/refine/refine.js';
import { DISK, loadModelNamed } from '../../src/node/models.js';
import { readLitmus } from '../../src/node/tests.js';
import { inInstructionsOf } from '../../src/program/in-model.js';
import { mapBodies } from '../../src/program/instructions.js';
import { Libraries } from '../../src/program/libraries.js';
import type { Instruction, Program } from '../../src/program/program.js';
import { withPolls } from '../../src/rdma/polling.js';
import { valueOf } from '../support/litmus.js';

/**
 * The translation of waits into polls (LOCO paper, App. F, Fig. 24, Thms F.3 and G.9), broken on purpose: what it makes of a program is changed. A client
 * tells each mistake, and does not tell the translation as it is.
 */

/** A wait becomes a loop for each queue pair, all at the place of the wait; its body polls once and counts. */
type Loop = Extract<Instruction, { kind: 'loop' }>;
type Break = (loops: readonly Loop[]) => readonly Instruction[];

const BROKEN: Readonly<Record<string, Break>> = {
  'as it is': (loops) => loops,
  'one poll for each node': (loops) =>
    loops.map(({ condition, body, span }) => ({
      kind: 'if',
      condition: condition!,
      then: body,
      else: [],
      span,
    })),
  'no poll': () => [],
  'only the first node is polled': (loops) => loops.slice(0, 1),
};

const brokenPolls = (program: Program, change: Break): Program => ({
  ...program,
  threads: withPolls(program).threads.map((thread) => ({
    ...thread,
    body: changed(thread.body, change),
  })),
});

function changed(body: readonly Instruction[], change: Break): readonly Instruction[] {
  const made: Instruction[] = [];
  for (let i = 0; i < body.length; i++) {
    const loops = body.slice(i).findIndex((one) => !isOfWait(one, body[i]));
    const end = loops < 0 ? body.length : i + loops;
    if (end > i) {
      made.push(...change(body.slice(i, end) as Loop[]));
      i = end - 1;
    } else {
      const one = body[i];
      made.push(mapBodies(one, (inner) => changed(inner, change)));
    }
  }
  return made;
}

/** Whether an instruction is a loop of the wait that another one is of. */
const isOfWait = (one: Instruction, first: Instruction): boolean =>
  one.kind === 'loop' &&
  one.body[0]?.kind === 'call' &&
  one.body[0].operation === 'poll' &&
  one.span.start === first.span.start;

async function verdictOf(client: string, change: Break) {
  const file = `corpus/libraries/${client}.litmus`;
  const libraries = new Libraries(DISK);
  const specification = valueOf(
    readLitmus(readFileSync(file, 'utf8'), file, [], { libraries }).test,
  );
  const tso = valueOf(loadModelNamed('rdma-tso').model);
  const program = brokenPolls(valueOf(inInstructionsOf(specification.program, tso)), change);
  const implementation = { ...specification, program, models: [tso] };
  const { verdict, hangs, implemented } = await refine(
    inProcess(),
    { specification, implementation },
    { engine: 'auto', explained: false },
  );
  return hangs ? 'hangs' : `${verdict}${implemented > 0 ? '' : ', no outcome'}`;
}

const SECOND = 'wait-second';
const NODES = 'wait-two-nodes';

test.each([
  ['as it is', SECOND, 'refines'],
  ['as it is', NODES, 'refines'],
  ['as it is', 'wait-twice', 'refines'],
  ['one poll for each node', SECOND, 'does not refine'],
  ['no poll', SECOND, 'does not refine'],
  ['no poll', NODES, 'does not refine'],
  ['only the first node is polled', NODES, 'does not refine'],
  // Neither client alone tells both.
  ['one poll for each node', NODES, 'refines'],
  ['only the first node is polled', SECOND, 'refines'],
])('polls, %s: %s %s', async (name, client, verdict) => {
  expect(await verdictOf(client, BROKEN[name])).toBe(verdict);
});
