import { readFileSync } from 'node:fs';
import { describe, expect, test } from 'vitest';
import { enumerate } from '../../src/check/decide.js';
import { machineFinals } from '../../src/explore/finals.js';
import { DISK } from '../../src/node/models.js';
import { readLitmus } from '../../src/node/tests.js';
import { Libraries } from '../../src/program/libraries.js';
import { observedSubjects } from '../../src/program/subjects.js';
import { adapted, modelOf, newSolver } from '../support/checker.js';
import { testUnder } from '../support/explored.js';
import { valueOf } from '../support/litmus.js';

/**
 * Clients with implementations on the machine of `rdma-wait`, which `explore` runs. The axioms of `rl` say where they can end,
 * with the last round of a loop for all of them; the machine goes through each round.
 */

/** More calls than are unfinished in these clients. */
const ROOM = 12;
const libraries = new Libraries(DISK);

function ends(client: string, implementations: readonly string[]) {
  const path = `corpus/libraries/${client}.litmus`;
  const read = readLitmus(readFileSync(path, 'utf8'), path, [], { libraries, implementations });
  const inlined = valueOf(read.test);
  const [rl] = inlined.models!;
  const subjects = observedSubjects(inlined);
  const { program } = testUnder(inlined, 'rdma-wait');
  const run = machineFinals(program, modelOf('rdma-wait'), { subjects, room: ROOM });
  if ('message' in run) throw new Error(run.message);
  return { run, axioms: enumerate(adapted(inlined, rl), rl, newSolver, subjects) };
}

describe('the machine ends where the axioms say', () => {
  test.each([
    ['lock-home-counter', ['test-and-set-lock'], 2],
    ['lock-home-counter', ['ticket-lock', 'loco-sv'], 3],
    ['lock-home-counter', ['mcs-lock'], 3],
    ['lock-home-counter', ['alock'], 3],
    ['lock-here', ['ticket-lock-local'], 2],
    ['bal-twice', ['loco-bal', 'loco-sv'], 2],
  ])('%s with %s', (client, names, count) => {
    const { run, axioms } = ends(client, names);
    expect([run.incomplete, axioms.incomplete]).toEqual([undefined, undefined]);
    expect(run.states).toEqual(axioms.states);
    expect(run.states).toHaveLength(count);
  });
});
