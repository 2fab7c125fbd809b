import { applyBinary, applyUnary } from '../../src/program/arithmetic.js';
import type {
  Alternative,
  Body,
  InstructionSet,
  Operation,
  ValueOf,
} from '../../src/model/instructions/set.js';
import type {
  Argument,
  Call,
  Expression,
  Instruction,
  Program,
  Target,
  Thread,
} from '../../src/program/program.js';

/**
 * What threads can do on their own, by the definition of programs and their events: every path, with
 * every value that a read could read. It takes the declarations of operations as they are, and shares
 * nothing with unrolling.
 */

/** A number, and the reads of its thread that it is computed from. */
export interface Known {
  readonly n: number;
  readonly from: readonly number[];
}

export interface Step {
  readonly label: string;
  readonly location?: number;
  /** Its queue pair, as one text. */
  readonly queuePair?: string;
  /** The node at the other end of it. */
  readonly node?: string;
  readonly work?: string;
  /** The tags of its call. */
  readonly tags?: readonly string[];
  /** The node of its thread, and the name of its queue pair, if it is on one. */
  readonly own?: string;
  /** The node of its location. */
  readonly home?: string;
  readonly pair?: string;
  /** Do several threads have its queue pair? */
  readonly joint?: boolean;
  /** Do messages go through it? */
  readonly connected?: boolean;
  /** The completion queue of its node that it is about. */
  readonly completions?: string;
  readonly pairTags?: readonly string[];
  readonly reads?: number;
  readonly writes?: Known;
  /** The number of the use that it belongs to, in its thread. */
  readonly use: number;
  /** Earlier steps of its thread that are not before it in program order. */
  readonly beside: readonly number[];
}

export interface ThreadRun {
  readonly steps: readonly Step[];
  /** How many operations it has used. */
  readonly uses: number;
  readonly registers: readonly Known[];
}

/** The values that each location can hold. */
type Domain = readonly ReadonlySet<number>[];

/**
 * The runs of each thread of a program; loops run at most `bound` times. Undefined: a location has too
 * many values to try.
 */
export function threadRuns(
  program: Program,
  bound = program.bound ?? 3,
): readonly (readonly ThreadRun[])[] | undefined {
  const domain = program.locations.map(({ initial }) => new Set([initial]));
  // A value that comes from the initial ones goes through each write at most once on its way.
  let writes = Infinity;
  for (let round = 0, grown = true; grown && round <= writes; round++) {
    grown = false;
    // A read may justify the branch that it depends on, if the model lets it: so any branch counts.
    const ofThreads = program.threads.map((thread) =>
      runsOf(program, thread, domain, bound, () => true),
    );
    writes = ofThreads.reduce((sum, runs) => sum + Math.max(0, ...runs.map(writesIn)), 0);
    const runs = ofThreads.flat();
    for (const { location, writes: known } of runs.flatMap((run) => run.steps)) {
      if (known === undefined || domain[location!].has(known.n)) continue;
      domain[location!].add(known.n);
      grown = true;
    }
    if (domain.some(({ size }) => size > 12)) return undefined;
  }
  return program.threads.map((thread) => runsOf(program, thread, domain, bound, (found) => found));
}

const writesIn = ({ steps }: ThreadRun): number =>
  steps.filter((step) => step.writes !== undefined).length;

/** A place inside an operation: what was done so far, and what its names stand for by now. */
interface Inside {
  readonly run: ThreadRun;
  readonly values: ReadonlyMap<string, Known>;
}

/** What a parameter is given: its argument, where an expression has a number by now. */
type Given = Exclude<Argument, { kind: 'value' }> | { readonly kind: 'number'; readonly is: Known };

/**
 * All runs of a thread in which each read reads some value of its location's domain.
 *
 * @param may whether to go on where a condition must be true, told whether it is
 */
function runsOf(
  program: Program,
  thread: Thread,
  domain: Domain,
  bound: number,
  may: (holds: boolean) => boolean,
): readonly ThreadRun[] {
  const { instructions } = program;

  /**
   * One use of an operation: where it may end, and its value there if it has one. `others`: what each further word has
   * in the place of what is given.
   */
  const use = (
    operation: Operation,
    given: readonly Given[],
    before: ThreadRun,
    tags?: readonly string[],
    others: readonly (readonly Given[])[] = [],
  ): readonly (readonly [ThreadRun, Known | undefined])[] => {
    const { parameters, into, work, on, result, alternatives } = operation;
    const names = [...parameters.map((p) => p.name), into?.name, work].filter(
      (n) => n !== undefined,
    );
    const named = new Map(given.map((one, i) => [names[i], one]));
    const number = before.uses;
    const perWord = [named, ...others.map((one) => new Map(one.map((x, i) => [names[i], x])))];
    const placeOf = (name: string, word = 0) =>
      perWord[word].get(name) as Extract<Given, { kind: 'place' }>;

    const towards = (): { node: string; name: string | undefined } => {
      const at = named.get(on!)!;
      if (at.kind === 'peer') return { node: at.node, name: at.name };
      const place = placeOf(on!);
      const node = place.node ?? program.locations[place.location].node;
      return { node, name: place.queuePair };
    };
    const queuePair = (label: string): Partial<Step> => {
      const declared = instructions.labels.find(({ name }) => name === label)!;
      if (on === undefined || !declared.onQueuePair) return {};
      const at = named.get(on)!;
      if (at.kind === 'completions') return { completions: `${thread.node} ${at.name}` };
      const { node, name } = towards();
      const known = thread.queuePairs?.find((one) => one.name === name && one.node === node);
      const queue = program.completionQueues?.find(({ of }) => of.includes(name ?? ''));
      return {
        ...{ node, queuePair: `${node} ${name}`, own: thread.node, pair: name },
        ...{ joint: known?.joint, pairTags: known?.tags },
        connected: endsOfConnections(program).has(
          `${known?.joint === true ? name : thread.name} ${node} ${name}`,
        ),
        completions: queue && `${thread.node} ${queue.name}`,
      };
    };
    const wire = (end: 'to' | 'from'): number => {
      const { node, name } = towards();
      const ends = end === 'to' ? [thread.node, node] : [node, thread.node];
      const called = `${ends.join('→')}${name === undefined ? '' : `.${name}`}`;
      return program.locations.findIndex((l) => l.wire === true && l.name === called);
    };
    const event = (
      { label, reads, writes, at }: Extract<Body, { kind: 'event' }>,
      { run, values }: Inside,
      beside: readonly number[],
      word: number,
    ): readonly Inside[] => {
      const cell = reads ?? writes ?? at;
      const location =
        cell?.wire === undefined ? cell && placeOf(cell.place, word).location : wire(cell.wire);
      const worked = given.find((one) => one.kind === 'work')?.work;
      const step = {
        label,
        location,
        home: location === undefined ? undefined : program.locations[location]?.node,
        work: worked,
        tags,
        use: number,
        beside,
        ...queuePair(label),
      };
      const read = reads === undefined ? [undefined] : [...domain[location!]];
      return read.flatMap((n): readonly Inside[] => {
        const seen = new Map(values);
        if (reads !== undefined) seen.set(reads.as, { n: n!, from: [run.steps.length] });
        const written = writes && valueIn(writes.value, seen);
        if (writes !== undefined && written === undefined) return [];
        const steps = [...run.steps, { ...step, reads: n, writes: written }];
        return [{ run: { ...run, steps }, values: seen }];
      });
    };
    const part = (
      body: Body,
      at: Inside,
      beside: readonly number[],
      word = 0,
    ): readonly Inside[] => {
      if (body.kind === 'event') return event(body, at, beside, word);
      if (body.kind === 'if') {
        const condition = valueIn(body.condition, at.values);
        if (condition === undefined) return [];
        return [
          ...(may(condition.n !== 0) ? part(body.body, at, beside, word) : []),
          ...(may(condition.n === 0) ? [at] : []),
        ];
      }
      if (body.kind === 'for') throw new Error('no calls of libraries here');
      const first = at.run.steps.length;
      return body.parts.reduce<readonly Inside[]>(
        (all, one) =>
          all.flatMap((reached) => {
            const made = reached.run.steps.map((_, i) => i).slice(first);
            const apart = body.kind === 'beside' ? [...beside, ...made] : beside;
            return part(one, reached, apart, word);
          }),
        [at],
      );
    };
    const numbers = (word: number) =>
      [...perWord[word]].flatMap(([name, one]) =>
        one.kind === 'number' ? [[name, one.is] as const] : [],
      );
    /** What is about the places goes on for each word by itself, in no order with the other words. */
    const words = (body: Body, start: Inside): readonly Inside[] => {
      const parts = body.kind === 'then' ? body.parts : [body];
      const isOfWord = (one: Body): boolean =>
        one.kind === 'event' && [one.reads, one.writes, one.at].some((cell) => cell !== undefined);
      const done = (list: readonly Body[], at: Inside, apart: readonly number[], word: number) =>
        list.reduce((all, one) => all.flatMap((x) => part(one, x, apart, word)), [at]);
      const from = parts.findIndex(isOfWord);
      const end = parts.findLastIndex(isOfWord) + 1;
      const made = done(parts.slice(0, from), start, [], 0).flatMap((reached) => {
        const first = reached.run.steps.length;
        return perWord.reduce<readonly Inside[]>(
          (all, _, word) =>
            all.flatMap(({ run }) => {
              const apart = run.steps.map((_, i) => i).slice(first);
              const at = { run, values: new Map(numbers(word)) };
              return done(parts.slice(from, end), at, apart, word);
            }),
          [reached],
        );
      });
      return made.flatMap((at) => done(parts.slice(end), at, [], 0));
    };
    const alternative = ({ body, when, result: own }: Alternative) => {
      const start = { run: { ...before, uses: number + 1 }, values: new Map(numbers(0)) };
      const ends = others.length === 0 ? part(body, start, []) : words(body, start);
      return ends.flatMap(({ run, values }) => {
        const holds = when === undefined ? 1 : valueIn(when, values)?.n;
        if (holds === undefined || !may(holds !== 0)) return [];
        if (own !== undefined) return [[run, valueIn(own, values)] as const];
        if (result === undefined) return [[run, undefined] as const];
        const same = equalTo(result, when);
        return [[run, same === undefined ? values.get(result) : valueIn(same, values)] as const];
      });
    };
    const pair = on === undefined || named.get(on)!.kind === 'completions' ? undefined : towards();
    const declared = thread.queuePairs?.find((q) => q.name === pair?.name && q.node === pair?.node);
    const about = [...(tags ?? []), ...(declared?.tags ?? [])];
    return alternatives
      .filter((one) => one.tags?.some((tag) => about.includes(tag)) ?? true)
      .flatMap(alternative);
  };

  const evaluate = (e: Expression, run: ThreadRun): readonly (readonly [ThreadRun, Known])[] => {
    const locations = new Set<number>();
    const collect = (x: Expression): void => {
      if (x.kind === 'location') locations.add(x.location);
      if (x.kind === 'unary') collect(x.arg);
      if (x.kind === 'binary') [x.left, x.right].forEach(collect);
    };
    collect(e);
    let all = [{ run, seen: new Map<number, Known>() }];
    for (const location of locations) {
      const operation = shortOf(instructions, undefined, 'own');
      all = all.flatMap((before) =>
        use(operation, [{ kind: 'place', location }], before.run).map(([run, value]) => ({
          run,
          seen: new Map([...before.seen, [location, value!]]),
        })),
      );
    }
    return all.flatMap(({ run, seen }) => {
      const known = calculated(e, (x) => {
        return x.kind === 'location' ? seen.get(x.location) : run.registers[x.register];
      });
      // A run that divides by zero has no meaning, and is not one.
      return known === undefined ? [] : [[run, known] as const];
    });
  };

  const store = (target: Target, is: Known, run: ThreadRun): readonly ThreadRun[] => {
    if (target.kind === 'register') {
      const registers = run.registers.map((r, i) => (i === target.register ? is : r));
      return [{ ...run, registers }];
    }
    const { location } = target;
    const given = [{ kind: 'place', location } as const, { kind: 'number', is } as const];
    return use(shortOf(instructions, 'own', 'value'), given, run).map(([after]) => after);
  };

  const call = (i: Call, run: ThreadRun): readonly ThreadRun[] => {
    const named = instructions.operations.filter(({ name }) => name === i.operation);
    const operation =
      named.find(({ tag }) => tag !== undefined && i.tags?.includes(tag)) ??
      named.find(({ tag }) => tag === undefined)!;
    let all: readonly { readonly run: ThreadRun; readonly given: readonly Given[] }[] = [
      { run, given: [] },
    ];
    for (const argument of i.arguments) {
      all = all.flatMap(({ run, given }) =>
        argument.kind !== 'value'
          ? [{ run, given: [...given, argument] }]
          : evaluate(argument.value, run).map(([after, is]) => ({
              run: after,
              given: [...given, { kind: 'number', is } as const],
            })),
      );
    }
    const { into, work, result } = i;
    return all.flatMap(({ run, given }) => {
      const rest: Given[] = into === undefined ? [] : [into];
      if (work !== undefined) rest.push({ kind: 'work', work });
      const n = i.words ?? 1;
      const others = Array.from({ length: n - 1 }, (_, w) => [given[w + 1], given[n + w]]);
      const all = [...(n === 1 ? given : given.slice(0, 1)), ...rest];
      return use(operation, all, run, i.tags, others).flatMap(([after, value]) =>
        result === undefined ? [after] : store(result, value!, after),
      );
    });
  };

  /** Runs that need more iterations than the bound are left out. */
  const loop = (
    i: Extract<Instruction, { kind: 'loop' }>,
    run: ThreadRun,
    left: number,
  ): readonly ThreadRun[] => {
    const again = (before: ThreadRun) =>
      left === 0 ? [] : body(i.body, before).flatMap((after) => loop(i, after, left - 1));
    if (i.condition === undefined) return [run, ...again(run)];
    return evaluate(i.condition, run).flatMap(([after, { n }]) => [
      ...(may(n === 0) ? [after] : []),
      ...(may(n !== 0) ? again(after) : []),
    ]);
  };

  const instruction = (i: Instruction, run: ThreadRun): readonly ThreadRun[] => {
    switch (i.kind) {
      case 'assign':
        return evaluate(i.value, run).flatMap(([after, value]) => store(i.target, value, after));
      case 'call':
        return call(i, run);
      case 'assume':
        return evaluate(i.condition, run).flatMap(([after, { n }]) =>
          may(n !== 0) ? [after] : [],
        );
      case 'if':
        return evaluate(i.condition, run).flatMap(([after, { n }]) => [
          ...(may(n !== 0) ? body(i.then, after) : []),
          ...(may(n === 0) ? body(i.else, after) : []),
        ]);
      case 'choose':
        return i.branches.flatMap((branch) => body(branch, run));
      case 'loop':
        return loop(i, run, i.bound ?? bound);
    }
  };
  const body = (list: readonly Instruction[], run: ThreadRun): readonly ThreadRun[] =>
    list.reduce((runs, i) => runs.flatMap((r) => instruction(i, r)), [run] as readonly ThreadRun[]);

  return body(thread.body, {
    steps: [],
    uses: 0,
    registers: thread.registers.map(() => ({ n: 0, from: [] })),
  });
}

/** The queue pairs on which somebody sends or receives, each by its thread, or by its name where several threads share it. */
function endsOfConnections({ threads, instructions }: Program): ReadonlySet<string> {
  const found = new Set<string>();
  for (const { name: own, body, queuePairs } of threads) {
    JSON.stringify(body, (_, value: Partial<Call> | undefined) => {
      if (value?.kind !== 'call') return value;
      const all = instructions.operations.filter((one) => one.name === value.operation);
      const form = all.find(({ tag }) => tag !== undefined && value.tags?.includes(tag));
      const meant = form ?? all.find(({ tag }) => tag === undefined)!;
      if (!JSON.stringify(meant.alternatives).includes('"wire"')) return value;
      const peer = value.arguments!.find((one) => one.kind === 'peer');
      const place = value.into?.kind === 'place' ? value.into : undefined;
      const [node, name] = [peer?.node ?? place?.node, peer?.name ?? place?.queuePair];
      const isJoint = queuePairs?.some((one) => one.name === name && one.joint === true);
      found.add(`${isJoint === true ? name : own} ${node} ${name}`);
      return value;
    });
  }
  return found;
}

/** What `left := right`, or a name in an expression, stands for. */
function shortOf({ shorts, operations }: InstructionSet, left: string | undefined, right: string) {
  const short = shorts.find((one) => one.left === left && one.right === right)!;
  return operations.find((o) => o.name === short.operation && o.tag === undefined)!;
}

const valueIn = (e: ValueOf, values: ReadonlyMap<string, Known>): Known | undefined =>
  calculated(e, (leaf) => {
    if (leaf.kind === 'sum') throw new Error('no calls of libraries here');
    return values.get(leaf.name);
  });

/** Where a guard says what a value is, it comes from there. */
function equalTo(name: string, when: ValueOf | undefined): ValueOf | undefined {
  if (when?.kind !== 'binary' || when.op !== '=') return undefined;
  const is = (e: ValueOf): boolean => e.kind === 'name' && e.name === name;
  return is(when.left) ? when.right : is(when.right) ? when.left : undefined;
}

type Tree = Expression | ValueOf;
type Leaf<E extends Tree> = Exclude<E, { kind: 'int' | 'unary' | 'binary' }>;

/** The number that an expression is; undefined where something is divided by zero. */
function calculated<E extends Tree>(
  e: E,
  leaf: (x: Leaf<E>) => Known | undefined,
): Known | undefined {
  if (e.kind === 'int') return { n: e.value, from: [] };
  if (e.kind === 'unary') {
    const arg = calculated(e.arg as E, leaf);
    return arg && { ...arg, n: applyUnary(e.op, arg.n) };
  }
  if (e.kind === 'binary') {
    const [left, right] = [calculated(e.left as E, leaf), calculated(e.right as E, leaf)];
    if (left === undefined || right === undefined) return undefined;
    const n = applyBinary(e.op, left.n, right.n);
    return n === undefined ? undefined : { n, from: [...left.from, ...right.from] };
  }
  return leaf(e as unknown as Leaf<E>);
}
