import { bodiesOf, calledObjects, mapBodies, objectsOf } from '../../program/instructions.js';
import type {
  Argument,
  DeclaredQueuePair,
  Expression,
  Instruction,
  Program,
} from '../../program/program.js';
import { tupleCode, tupleWords } from '../../parse/values.js';

/**
 * What to keep of a program: a list of booleans. fast-check can shrink such lists, and so it can shrink programs. If all
 * are true, the program stays as it is. For each thread with instructions there is a boolean: false removes these, and takes the
 * thread out of roles that others are in, too. For each object that is called, there is one: false removes the calls. For each
 * instruction there is
 * - one boolean for the instruction itself: false removes it;
 * - one for each of its bodies: false puts the body in the place of the instruction;
 * - one for all its bodies, if it has several: false puts all bodies there, one after the other;
 * - one for each value that it computes: false replaces the value by 0;
 * - one for each number above 1 that it gives: false replaces it by 1, also in a tuple;
 * - one for each node of a set that it names, if there are several: false leaves it out;
 * - one for each of its tags: false leaves it out.
 * For each role of an object that several threads are in, there is one for each of these: false takes the thread out of it.
 * There is one for each tag of a location or queue pair, for each thread that has a queue pair with others, and for each queue
 * pair of a completion queue: false takes it away.
 */
export type Kept = readonly boolean[];

/** Is the next thing kept? */
type Take = () => boolean;

/** How many booleans there are for a program. */
export function keepable(program: Program): number {
  let count = 0;
  reduced(program, () => (count += 1) > 0);
  return count;
}

/** The program without what is not kept. Names may be left unset: it must be resolved anew. */
export function keep(program: Program, kept: Kept): Program {
  let at = 0;
  return reduced(program, () => kept[at++]);
}

/** Takes the same number of booleans, whatever they are. */
function reduced(program: Program, take: Take): Program {
  const gone = new Set(
    program.threads.flatMap((t, i) => (t.body.length > 0 && !take() ? [i] : [])),
  );
  const uncalled = new Set([...calledObjects(program)].filter(() => !take()));
  const body = (list: readonly Instruction[]): readonly Instruction[] =>
    list.flatMap((i): readonly Instruction[] => {
      const whole = take() && !objectsOf(i).some((object) => uncalled.has(object));
      const replaced = Array.from({ length: replacements(i) }, () => !take()).indexOf(true);
      const simpler = simplified(i, take);
      // All bodies are visited, even if they are not kept: each instruction takes its own booleans.
      const bodies = bodiesOf(i).map(body);
      if (!whole) return [];
      if (replaced < 0) return [mapBodies(simpler, (_, b) => bodies[b])];
      return replaced < bodies.length ? bodies[replaced] : bodies.flat();
    });
  const threads = program.threads.map((t, i) => {
    const kept = body(t.body);
    return { ...t, body: gone.has(i) ? [] : kept };
  });
  const rest = { ...program, threads, ...declared({ ...program, threads }, take) };
  if (program.objects === undefined) return rest;
  const objects = program.objects.map((object) => {
    const roles = Object.entries(object.roles).map(([role, all]) => [
      role,
      some(all, take, (thread) => !gone.has(thread)),
    ]);
    return { ...object, roles: Object.fromEntries(roles) as typeof object.roles };
  });
  return { ...rest, objects };
}

/** Locations and queues, with what is kept of them. */
function declared(program: Program, take: Take): Partial<Program> {
  const locations = program.locations.map((one) => ({ ...one, ...taggedLess(one, take) }));
  const pairs = program.threads.map(({ queuePairs = [] }) =>
    queuePairs
      .map((pair): DeclaredQueuePair => ({ ...pair, ...taggedLess(pair, take) }))
      .filter(({ joint }) => joint !== true || take()),
  );
  const isJoint = (name: string, node: string): boolean =>
    pairs.filter((own) => own.some((pair) => pair.name === name && pair.node === node)).length > 1;
  const threads = program.threads.map((t, i) =>
    t.queuePairs === undefined
      ? t
      : {
          ...t,
          queuePairs: pairs[i].map(({ joint, ...pair }) =>
            joint === true && isJoint(pair.name, pair.node) ? { ...pair, joint } : pair,
          ),
        },
  );
  if (program.completionQueues === undefined) return { locations, threads };
  const completionQueues = program.completionQueues
    .map((queue) => ({ ...queue, of: queue.of.filter(() => take()) }))
    .filter(({ of }) => of.length > 0);
  return { locations, threads, completionQueues };
}

/** The tags of something that are kept; nothing where it has none. */
function taggedLess(
  { tags }: { readonly tags?: readonly string[] },
  take: Take,
): { readonly tags?: readonly string[] | undefined } {
  if (tags === undefined) return {};
  const kept = tags.filter(() => take());
  return { tags: kept.length === 0 ? undefined : kept };
}

/** How many things can stand in the place of an instruction with bodies. */
function replacements(i: Instruction): number {
  const { length } = bodiesOf(i);
  return length > 1 ? length + 1 : length;
}

/** Some members of a list; one that is alone stays. */
const some = <T>(
  list: readonly T[],
  take: Take,
  stays: (one: T) => boolean = () => true,
): readonly T[] => (list.length > 1 ? list.filter((one) => take() && stays(one)) : list);

function simplified(i: Instruction, take: Take): Instruction {
  if (i.kind === 'assign') return { ...i, value: simpler(i.value, take) };
  if (i.kind !== 'call') return i;
  const args = i.arguments.map((given): Argument => {
    if (given.kind === 'value') return { ...given, value: simpler(given.value, take) };
    return given.kind === 'nodes' ? { ...given, nodes: some(given.nodes, take) } : given;
  });
  return { ...i, arguments: args, ...taggedLess(i, take) };
}

function simpler(e: Expression, take: Take): Expression {
  if (e.kind !== 'int') return take() ? e : { kind: 'int', value: 0 };
  const words = tupleWords(e.value);
  if (words.every((word) => word <= 1)) return e;
  const least = tupleCode(words.map((word) => Math.min(word, 1)));
  return take() || least === undefined ? e : { kind: 'int', value: least };
}
