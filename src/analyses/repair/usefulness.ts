import type { CheckSession } from '../../check/session.js';
import type { Span } from '../../parse/diagnostics/index.js';
import { instructionsOf, mapInstructions } from '../../program/instructions.js';
import type { Instruction, Program, Proposition } from '../../program/program.js';
import type { TestedProgram } from '../../rdma/tested.js';

/** Opens a session for a program, or says why it cannot be decided. */
export type Open = (program: Program) => CheckSession | { readonly reason: string };

/**
 * Says of tests of statuses whether they are of use: each fails in some run that ends, and all that it guards is done in
 * some run that ends, if it was without tests. So no repair has a test that never fails, one after whose failure nothing
 * ends, or one that leaves something out for ever.
 *
 * @param original the program without tests
 */
export function usefulness(
  original: Program,
  open: Open,
): (changed: Program, tested: Pick<TestedProgram, 'additions'>) => boolean {
  let before: ReadonlySet<Span> | undefined;
  return (changed, { additions }) => {
    const tests = additions.filter(({ kind }) => kind === 'status').flatMap(({ parts }) => parts);
    const guards = new Set(tests.map(({ instructions }) => instructions[0].span));
    before ??= inSession(open, original, (session) => doneIn(session)) ?? new Set();
    const known = before;
    const { program, failures } = withFailures(changed, guards);
    const done = (session: CheckSession): boolean => {
      const wanted = guardedIn(program, guards).filter((span) => known.has(span));
      const after = doneIn(session, new Set(wanted));
      return wanted.every((span) => after.has(span));
    };
    const fail = ({ ask, encoding }: CheckSession): boolean =>
      failures.every((one) => ask(encoding.condition(one)).kind === 'found');
    return inSession(open, program, (session) => fail(session) && done(session)) ?? false;
  };
}

/** Asks about a program; undefined if it cannot be decided. */
function inSession<Found>(
  open: Open,
  program: Program,
  ask: (session: CheckSession) => Found,
): Found | undefined {
  const session = open(program);
  if ('reason' in session) return undefined;
  try {
    return ask(session);
  } finally {
    session.solver.dispose();
  }
}

/** The instructions that are done in some run that ends, by their spans. */
function doneIn(
  { structure, encoding, ask }: CheckSession,
  wanted?: ReadonlySet<Span>,
): ReadonlySet<Span> {
  const found = new Set<Span>();
  for (const { id, span } of structure.events) {
    if (span === undefined || found.has(span) || wanted?.has(span) === false) continue;
    if (ask(encoding.base.executed(id)).kind === 'found') found.add(span);
  }
  return found;
}

/** The spans of all that is inside of guards. */
const guardedIn = ({ threads }: Program, guards: ReadonlySet<Span>): readonly Span[] =>
  threads.flatMap(({ body }) =>
    [...instructionsOf(body)].flatMap((i) =>
      i.kind === 'if' && guards.has(i.span) ? [...instructionsOf(i.then)].map((j) => j.span) : [],
    ),
  );

/** The program in which registers say that tests have failed, and what they say then. */
function withFailures(
  program: Program,
  guards: ReadonlySet<Span>,
): { readonly program: Program; readonly failures: readonly Proposition[] } {
  const failures: Proposition[] = [];
  const threads = program.threads.map((t, thread) => {
    const registers = [...t.registers];
    const mark = (i: Instruction): readonly Instruction[] | undefined => {
      if (i.kind !== 'if' || !guards.has(i.span)) return undefined;
      const register = registers.push(`failed ${registers.length}`) - 1;
      const failed = { kind: 'int', value: 1 } as const;
      const left = { kind: 'register', thread, register } as const;
      failures.push({ kind: 'atom', left, equal: true, right: failed });
      const target = { kind: 'register', register } as const;
      const set: Instruction = { kind: 'assign', target, value: failed, span: i.span };
      return [{ ...i, then: mapInstructions(i.then, mark), else: [set] }];
    };
    return { ...t, body: mapInstructions(t.body, mark), registers };
  });
  return { program: { ...program, threads }, failures };
}
