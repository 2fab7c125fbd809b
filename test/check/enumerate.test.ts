import { readFileSync, readdirSync } from 'node:fs';
import { join } from 'node:path';
import { describe, expect, test } from 'vitest';
import { enumerate } from '../../src/check/decide.js';
import { enumerateCandidates } from '../../src/check/enumerate/candidates.js';
import { unroll } from '../../src/program/events/unroll.js';
import type { Test } from '../../src/program/program.js';
import { allSubjects, subjectName } from '../../src/program/subjects.js';
import { adapted, cat, litmus, modelOf, newSolver } from '../support/checker.js';
import type { Model } from '../../src/model/term.js';
import type { Verified } from '../../src/check/witness/verify.js';

/** Explicit enumeration of candidates, without a solver, against the solver. */

const LIMIT = 20_000;

function enumerated(subject: Test, model: Model, limit = LIMIT) {
  const subjects = allSubjects(subject.program);
  const states = new Set<string>();
  let executions = 0;
  const { incomplete } = enumerateCandidates(
    unroll(subject.program),
    model,
    ({ run }) => {
      executions += 1;
      states.add(JSON.stringify(subjects.map(run.final)));
    },
    { limit },
  );
  return { states: [...states].sort(), executions, incomplete };
}

function solved(subject: Test, model: Model): readonly string[] {
  const subjects = allSubjects(subject.program);
  const { states } = enumerate(subject, model, newSolver, subjects);
  const names = subjects.map((s) => subjectName(subject.program, s));
  return states.map((state) => JSON.stringify(names.map((n) => state[n]))).sort();
}

const read = (file: string) => litmus(readFileSync(join('corpus', file), 'utf8'));

describe.each(['sc', 'rdma-tso', 'rdma-tso-nopcie'])('under %s', (name) => {
  const files = ['tso', 'robustness', 'decidability'].flatMap((folder) =>
    readdirSync(join('corpus', folder))
      // They have thousands of executions.
      .filter((file) => !file.startsWith('vass'))
      .map((file) => join(folder, file)),
  );
  test.each(files)('%s has the same final states', (file) => {
    const model = modelOf(name);
    const subject = adapted(read(file), model);
    const { states, incomplete } = enumerated(subject, model);
    expect(incomplete).toBeUndefined();
    expect(states).toEqual(solved(subject, model));
  });
});

test('branches, CAS and path-dependent polls', () => {
  const subject = litmus(`RDMA mixed
node 1 { lock = 0; y = 0 }
node 2 { x = 0 }
thread T1 on 1 {
  a := CAS(lock, 0, 1);
  if (a = 0) { x^2 := 1 };
  x^2 := 2;
  poll(2);
  y := a + 1
}
thread T2 on 1 { b := CAS(lock, 0, 2); choose { c := y } or { c := 9 } }
`);
  for (const name of ['rdma-sc', 'rdma-tso']) {
    const model = modelOf(name);
    expect(enumerated(subject, model).states).toEqual(solved(subject, model));
  }
});

test('executions are counted, each once', () => {
  // Two reads of one location with two writes, and no axiom that matters: 2 · 2 ways to read.
  const subject = litmus(`RDMA count
node 1 { x = 0 }
thread T1 on 1 { x := 1 }
thread T2 on 1 { a := x; b := x }
`);
  expect(enumerated(subject, cat('empty 0 as nothing')).executions).toBe(4);
  expect(enumerated(subject, modelOf('sc')).executions).toBe(3);
});

test('a limit makes it incomplete, never forbidden', () => {
  const subject = read('tso/IRIW1.litmus');
  expect(enumerated(subject, modelOf('rdma-tso'), 5).incomplete).toBe(
    'limit of 5 candidates reached',
  );
});

test('a deadline makes it incomplete', () => {
  const structure = unroll(read('tso/IRIW1.litmus').program);
  const { judged, incomplete } = enumerateCandidates(
    structure,
    cat('empty 0 as nothing'),
    () => {},
    {
      limit: LIMIT,
      deadline: performance.now() - 1,
    },
  );
  expect(incomplete).toBe('time limit reached');
  expect(judged).toBeLessThan(100);
});

test('a deadline is kept however long candidates take', () => {
  const structure = unroll(read('tso/IRIW1.litmus').program);
  const deadline = performance.now() + 200;
  let seen = 0;
  const visit = (): void => {
    seen += 1;
    while (performance.now() <= deadline);
  };
  const { incomplete } = enumerateCandidates(structure, cat('empty 0 as nothing'), visit, {
    limit: LIMIT,
    deadline,
  });
  expect(incomplete).toBe('time limit reached');
  expect(seen).toBeLessThan(2);
});

test('whoever has seen enough stops it', () => {
  const structure = unroll(read('tso/IRIW1.litmus').program);
  let seen = 0;
  const visit = (): boolean => ++seen === 3;
  const { incomplete } = enumerateCandidates(structure, modelOf('sc'), visit, { limit: LIMIT });
  expect(seen).toBe(3);
  expect(incomplete).toBeUndefined();
});

test('one execution for each final state', () => {
  const { program } = litmus(`RDMA three
node 1 { x = 0; y = 0 }
thread T1 on 1 { x := 1; x := 2 }
thread T2 on 1 { x := 3; a := y }
thread T3 on 1 { y := 1 }
`);
  const visited = (names: readonly string[]): readonly string[] => {
    const states = allSubjects(program).filter((s) => names.includes(subjectName(program, s)));
    const found: string[] = [];
    const visit = ({ run }: Verified): void => void found.push(states.map(run.final).join());
    enumerateCandidates(unroll(program), modelOf('sc'), visit, { limit: LIMIT, states });
    return found.sort();
  };
  const names = allSubjects(program).map((s) => subjectName(program, s));
  expect(visited(names.filter((name) => name.startsWith('x')))).toEqual(['2', '3']);
  expect(visited(names)).toHaveLength(4);
});

test('flush order that the model cannot see is not multiplied', () => {
  const subject = litmus(`RDMA flush
node 1 { x = 0; z = 0 }
node 2 { y = 0 }
thread T1 on 1 { x := y^2; y^2 := z }
`);
  // Two ways to read, and two pairs: of the local events and of the remote ones.
  const seen = 'empty nfo & (lW * lW)';
  expect(enumerated(subject, cat('empty rf & mo')).executions).toBe(2);
  expect(enumerated(subject, cat(`empty rf & mo ${seen}`)).executions).toBe(8);
  expect(enumerated(subject, cat(`empty rf & mo flag ~${seen}`)).executions).toBe(8);
});

test('choices that only registers depend on are made, those that nothing depends on are not', () => {
  const subject = litmus(`RDMA choices
node 1 { x = 0 }
thread T1 on 1 { choose { c := 1 } or { c := 2 } choose { d := 1 } or { d := 2 } d := x }
`);
  const { states, executions } = enumerated(subject, modelOf('sc'));
  expect(states).toEqual(solved(subject, modelOf('sc')));
  expect(executions).toBe(2);
});

test('values that come from themselves are guessed', () => {
  const subject = litmus(`RDMA thin-air
node 1 { x = 0; y = 0 }
thread T1 on 1 { a := x; y := a }
thread T2 on 1 { b := y; x := b }
thread T3 on 1 { x := 1 }
`);
  const model = cat('let rb = (rf^-1 ; mo) \\ id\nacyclic (po & loc) | rf | rb | mo as coherence');
  expect(enumerated(subject, model).states).toEqual(solved(subject, model));
});

test('axioms that may come to hold again do not prune', () => {
  // `~empty` and an axiom with mo under a difference fail on partial candidates only.
  const model = cat(
    'let W = lW\nempty (((W * W) & loc) \\ (mo | mo^-1 | id)) as total\n~empty (mo \\ (IW * _)) as some-order',
  );
  const subject = litmus(`RDMA two-writes
node 1 { x = 0 }
thread T1 on 1 { x := 1 }
thread T2 on 1 { x := 2 }
`);
  expect(enumerated(subject, model).states).toEqual(solved(subject, model));
  expect(enumerated(subject, model).states).toHaveLength(2);
});

test('a recursive relation of which a part is empty over the program has no value for that part', () => {
  const model = cat('let rec r = (rf | [nlR];(r & sqp);[nlW])+ acyclic r as a');
  const subject = adapted(
    litmus(`RDMA buffers
node 1 { x = 0; y = 0 }
thread T1 on 1 { x := 1; a := y }
thread T2 on 1 { y := 1; b := x }`),
    model,
  );
  const { states } = enumerated(subject, model);
  expect(states).toHaveLength(4);
  expect(states).toEqual(solved(subject, model));
});
