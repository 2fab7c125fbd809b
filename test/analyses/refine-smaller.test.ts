import { expect, test } from 'vitest';
import { readFileSync } from 'node:fs';
import { inProcess } from '../../src/analyses/in-process.js';
import type { RefinementPair } from '../../src/analyses/refine/refine.js';
import { smaller } from '../../src/analyses/refine/smaller.js';
import { keep, keepable } from '../../src/analyses/shrink/keep.js';
import { pairOf } from '../../src/cli/commands/refine/pairs.js';
import { DISK } from '../../src/node/models.js';
import { whole } from '../../src/parse/diagnostics/index.js';
import { parseLitmusFile } from '../../src/parse/litmus.js';
import { Libraries } from '../../src/program/libraries.js';
import { printProgram } from '../../src/program/print.js';
import type { Program } from '../../src/program/program.js';
import { BROKEN_CLIENTS, FOLDER } from '../support/broken.js';
import { inlineTexts } from '../support/implementations.js';
import { statesOfClient } from '../support/inlined-states.js';
import { valueOf } from '../support/litmus.js';
import { ALL } from '../support/random.js';

/** Clients that fail are shrunk until nothing can be left out alone. */

const pool = inProcess();

/** Does a client fail? Decided with the solver, where shrinking asks the search. */
function fails(text: string, path: string, S: number): boolean {
  const client = { path: 'less.litmus', text };
  const implementation = { path, text: readFileSync(path, 'utf8') };
  const specified = statesOfClient(valueOf(whole(parseLitmusFile(client))));
  const made = statesOfClient(valueOf(inlineTexts(client, [implementation], { S })));
  // Without names of its own, a client only says whether it can end.
  if (!text.includes('locations')) return made.length > 0 && specified.length === 0;
  return made.some((state) => !specified.includes(state));
}

/** A program as a client whose outcomes are listed. */
function textOf(program: Program): string {
  const names = [
    ...program.threads.flatMap(({ registers }) => registers),
    ...program.locations.flatMap((l) =>
      l.owner === undefined || l.hidden === true ? [] : [l.name],
    ),
  ];
  const listed = names.length === 0 ? '' : `locations [${names.join('; ')}]\n`;
  return `RDMA less\n${printProgram(program, { tidy: true })}${listed}`;
}

/** Shrinking takes some seconds, since each has many small programs around it: by hand alone. */
const DEAR = ['ack-in-order', 'ack-no-window', 'ack-one-slot'];
const TRIED = Object.entries(BROKEN_CLIENTS).filter(([name]) => ALL || !DEAR.includes(name));

test.each(TRIED)('%s', async (name, given) => {
  const [body, , S = 2] = given;
  const path = `${FOLDER}/${name}.impl`;
  const about = { libraries: new Libraries(DISK), instead: [] };
  const below = { ...about, implementations: [path], settings: { S } };
  const read = (text: string): RefinementPair | undefined => {
    const pair = pairOf({ path: 'case.litmus', text }, about, below);
    return pair === 'no client' || 'errors' in pair ? undefined : pair;
  };
  const pair = read(`RDMA t ${body}`)!;
  const found = await smaller(pool, pair, 'less', read, { engine: 'search' });
  const { program } = (found?.pair ?? pair).specification;
  expect(fails(textOf(program), path, S)).toBe(true);
  const all = Array.from({ length: keepable(program) }, () => true);
  for (const at of all.keys()) {
    const less = read(textOf(keep(program, all.with(at, false))));
    if (less === undefined) continue;
    const text = textOf(less.specification.program);
    expect(fails(text, path, S), text).toBe(false);
  }
});
