import type { Span } from '../parse/diagnostics/index.js';
import { mapBodies } from '../program/instructions.js';
import type { Call, Instruction, Program, RegisterId } from '../program/program.js';
import type { Addition } from './additions.js';
import { fresh, namesOf } from './names.js';
import type { StatusTest, TestPart } from './statuses.js';
import { bodyFrom } from './statuses.js';

/** A program with tests of statuses. */
export interface TestedProgram {
  readonly program: Program;
  /** The tests, and what was added for them, with places in the program without tests. */
  readonly additions: readonly Addition[];
  /** Polls that got a register for their status. */
  readonly named: readonly NamedPoll[];
}

export interface NamedPoll {
  readonly thread: number;
  readonly insteadOf: Call;
  readonly instructions: readonly [Call];
}

/** A test of one thread, with all that is made for it but for what it guards. */
interface PlacedTest extends TestPart {
  readonly guard: Extract<Instruction, { kind: 'if' }>;
  readonly named?: NamedPoll;
}

/** The program with tests. Of two at one place, the first holds the second. */
export function withTests(program: Program, tests: readonly StatusTest[]): TestedProgram {
  const registers = program.threads.map((t) => [...t.registers]);
  const taken = namesOf(program);
  const placed = tests.map(({ parts }) => {
    const name = fresh('status', taken);
    return parts.map((part) => {
      const { body } = program.threads[part.thread];
      const result = part.poll?.result;
      const known = result?.kind === 'register' ? result.register : undefined;
      const register = known ?? registers[part.thread].push(name) - 1;
      const [{ span }] = bodyFrom(body, part.place);
      return placedTest(part, register, span);
    });
  });
  const all = placed.flat();
  const threads = program.threads.map((t, thread) => {
    const own = all.filter((test) => test.thread === thread);
    return { ...t, registers: registers[thread], body: guarded(t.body, own) };
  });
  const additions = tests.flatMap(({ kinds }, n): readonly Addition[] => {
    const kind = kinds.at(-1);
    const guards = placed[n].map((part) => ({ ...part, instructions: [part.guard] }));
    return [
      ...(kind === undefined ? [] : [{ kind, parts: placed[n] }]),
      { kind: 'status', parts: guards },
    ];
  });
  const named = all.flatMap((test) => test.named ?? []);
  return { program: { ...program, threads }, additions, named };
}

/** @param span of what the test comes before, which tells people its place. Each instruction gets an object of its own. */
function placedTest(part: TestPart, register: RegisterId, span: Span): PlacedTest {
  const { thread, poll, instructions } = part;
  const result = { kind: 'register', register } as const;
  const success = { kind: 'int', value: 0 } as const;
  const condition = { kind: 'binary', op: '=', left: result, right: success } as const;
  const added = instructions.map((i, n): Instruction => {
    const here = { ...i, span: { ...span } };
    return n === instructions.length - 1 ? { ...(here as Call), result } : here;
  });
  const named: NamedPoll | undefined =
    poll !== undefined && poll.result === undefined
      ? { thread, insteadOf: poll, instructions: [{ ...poll, result }] }
      : undefined;
  const guard = { kind: 'if', condition, then: [], else: [], span: { ...span } } as const;
  return { ...part, instructions: added, guard, named };
}

/** The body of a thread with its tests. */
function guarded(
  body: readonly Instruction[],
  tests: readonly PlacedTest[],
): readonly Instruction[] {
  const polls = new Map<Instruction, Call>(
    tests.flatMap(({ named }) =>
      named === undefined ? [] : [[named.insteadOf, named.instructions[0]] as const],
    ),
  );
  const walk = (list: readonly Instruction[], outer: string): readonly Instruction[] => {
    let rest: readonly Instruction[] = [];
    for (let at = list.length - 1; at >= 0; at--) {
      const place = `${outer}${at}`;
      const i = polls.get(list[at]) ?? list[at];
      rest = [mapBodies(i, (inner, b) => walk(inner, `${place},${b},`)), ...rest];
      for (const test of tests.toReversed()) {
        if (test.place.join() !== place) continue;
        rest = [...test.instructions, { ...test.guard, then: rest }];
      }
    }
    return rest;
  };
  return walk(body, '');
}
