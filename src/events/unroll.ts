import type { Span } from '../diagnostics/index.js';
import type { Expression, Instruction, LocationId, Program, Target } from '../program/program.js';
import { locationsOf } from '../program/thread.js';
import type { Branch, Constraint, Cut, Event, EventStructure, Path, ValueId } from './structure.js';
import { INITIAL } from './structure.js';
import { createValueTable } from './values.js';

/** How many events a program may have at most; beyond, it is not unrolled. */
export const EVENT_LIMIT = 5000;

/** The bound of loops where neither the file nor the user gives one. */
export const DEFAULT_BOUND = 3;

export interface UnrollOptions {
  /**
   * Whether threads may stop anywhere, so that executions have a prefix of the events of each
   * thread (decidability paper, Def. 1). Registers then have no final values.
   */
  readonly prefixes?: boolean;
}

/**
 * Unrolls a program to guarded events (the semantics page, "Events"; TSO paper, Fig. 23).
 * Loops run at most `bound` times (their own bound first, then this one, then the file's); where
 * they could go on, a cut is recorded. Locations that no event accesses have no initial write.
 */
export function unroll(
  program: Program,
  bound?: number,
  { prefixes = false }: UnrollOptions = {},
): EventStructure {
  const table = createValueTable();
  const events: Event[] = [];
  const constraints: Constraint[] = [];
  const divisions: Constraint[] = [];
  const cuts: Cut[] = [];
  const defaultBound = bound ?? program.bound ?? DEFAULT_BOUND;

  const accessed = accessedLocations(program);
  program.locations.forEach((l, location) => {
    if (!accessed.has(location)) return;
    const value = table.constant(l.initial);
    events.push({ id: events.length, thread: INITIAL, label: 'lW', location, value, path: [] });
  });

  const registers = program.threads.map((thread, threadIndex) => {
    const env: ValueId[] = thread.registers.map(() => table.constant(0));

    /** The choices to go on that the thread has had so far. */
    let gone: Path = [];
    /** Events come in an order that all paths respect, so one chain of choices serves them all. */
    const mayStop = (): void => {
      if (prefixes) gone = [...gone, { condition: table.choice(), taken: true }];
    };
    const unlessStopped = (path: Path): Path => (prefixes ? [...gone, ...path] : path);

    const emit = (e: Omit<Event, 'id' | 'thread'>): number => {
      mayStop();
      const path = unlessStopped(e.path);
      events.push({ ...e, path, id: events.length, thread: threadIndex });
      return events.length - 1;
    };

    /** One `lR` for each location of an expression, from left to right, then its value. */
    const evaluate = (e: Expression, path: Path, span: Span): ValueId => {
      const read = new Map<LocationId, ValueId>();
      for (const location of locationsOf(e)) {
        read.set(location, table.read(emit({ label: 'lR', location, path, span })));
      }
      const visit = (x: Expression): ValueId => {
        switch (x.kind) {
          case 'int':
            return table.constant(x.value);
          case 'location':
            return read.get(x.location)!;
          case 'register':
            return env[x.register];
          case 'unary':
            return table.unary(x.op, visit(x.arg));
          case 'binary': {
            const [left, right] = [visit(x.left), visit(x.right)];
            if ((x.op === '/' || x.op === '%') && table.constantOf(right) === undefined) {
              if (read.size === 0) mayStop();
              const reached = unlessStopped(path);
              divisions.push({ thread: threadIndex, path: reached, condition: right, span });
            }
            return table.binary(x.op, left, right);
          }
        }
      };
      return visit(e);
    };

    const store = (target: Target, value: ValueId, path: Path, span: Span): void => {
      if (target.kind === 'register') env[target.register] = value;
      else emit({ label: 'lW', location: target.location, value, path, span });
    };

    const require = (path: Path, condition: ValueId, span: Span): void => {
      if (table.constantOf(condition) === 1) return;
      constraints.push({ thread: threadIndex, path: unlessStopped(path), condition, span });
    };

    /** Runs one alternative from the registers `from`, and gives the registers after it. */
    const alternative = (from: readonly ValueId[], run: () => void): readonly ValueId[] => {
      env.splice(0, env.length, ...from);
      run();
      return [...env];
    };

    const branch = (
      condition: ValueId,
      path: Path,
      then: (path: Path) => void,
      otherwise: (path: Path) => void,
    ): void => {
      const known = table.constantOf(condition);
      if (known !== undefined) return known !== 0 ? then(path) : otherwise(path);
      const before = [...env];
      const step = (taken: boolean): Branch => ({ condition, taken });
      const yes = alternative(before, () => then([...path, step(true)]));
      const no = alternative(before, () => otherwise([...path, step(false)]));
      yes.forEach((value, r) => (env[r] = table.select(condition, value, no[r])));
    };

    const cas = (i: Extract<Instruction, { kind: 'cas' }>, path: Path): void => {
      const { location, span } = i;
      const expected = evaluate(i.expected, path, span);
      const desired = evaluate(i.desired, path, span);
      const success = table.choice();
      const won: Path = [...path, { condition: success, taken: true }];
      const lost: Path = [...path, { condition: success, taken: false }];
      const swap = emit({ label: 'CAS', location, value: desired, path: won, span });
      require(won, table.binary('=', table.read(swap), expected), span);
      emit({ label: 'F', path: lost, span });
      const seen = table.read(emit({ label: 'lR', location, path: lost, span }));
      require(lost, table.binary('!=', seen, expected), span);
      store(i.target, table.select(success, expected, seen), path, span);
    };

    const loop = (i: Extract<Instruction, { kind: 'loop' }>, path: Path): void => {
      const limit = i.bound ?? defaultBound;
      const iterate = (done: number, path: Path): void => {
        const goesOn =
          i.condition === undefined ? table.choice() : evaluate(i.condition, path, i.span);
        if (done < limit) {
          const again = (inside: Path) => {
            run(i.body, inside);
            iterate(done + 1, inside);
          };
          branch(goesOn, path, again, () => {});
          return;
        }
        if (table.constantOf(goesOn) === 0) return;
        // A thread that stops before it asks its registers is within the bound.
        if (i.condition !== undefined && locationsOf(i.condition).length === 0) mayStop();
        cuts.push({
          thread: threadIndex,
          path: unlessStopped([...path, { condition: goesOn, taken: true }]),
          bound: limit,
          span: i.span,
        });
      };
      iterate(0, path);
    };

    const run = (body: readonly Instruction[], path: Path): void => {
      for (const i of body) instruction(i, path);
    };

    const instruction = (i: Instruction, path: Path): void => {
      const { span } = i;
      switch (i.kind) {
        case 'assign':
          return store(i.target, evaluate(i.value, path, span), path, span);
        case 'get':
        case 'put': {
          const { from, to, node, work } = i;
          const [read, write] =
            i.kind === 'get' ? (['nrR', 'nlW'] as const) : (['nlR', 'nrW'] as const);
          const value = table.read(emit({ label: read, location: from, node, path, span }));
          const tag = work === undefined ? {} : { work };
          emit({ label: write, location: to, node, value, path, span, ...tag });
          return;
        }
        case 'cas':
          return cas(i, path);
        case 'mfence':
          emit({ label: 'F', path, span });
          return;
        case 'poll':
          emit({ label: 'P', node: i.node, path, span });
          return;
        case 'rfence':
          emit({ label: 'nF', node: i.node, path, span });
          return;
        case 'wait':
          emit({ label: 'WT', work: i.work, path, span });
          return;
        case 'assume':
          // What is asked of registers alone has no event to stop before.
          if (locationsOf(i.condition).length === 0) mayStop();
          return require(path, evaluate(i.condition, path, span), span);
        case 'if':
          return branch(
            evaluate(i.condition, path, span),
            path,
            (p) => run(i.then, p),
            (p) => run(i.else, p),
          );
        case 'loop':
          return loop(i, path);
        case 'choose':
          return choose(i.branches, path);
      }
    };

    const choose = (branches: readonly (readonly Instruction[])[], path: Path): void => {
      const [first, ...rest] = branches;
      if (rest.length === 0) return run(first, path);
      branch(
        table.choice(),
        path,
        (p) => run(first, p),
        (p) => choose(rest, p),
      );
    };

    run(thread.body, []);
    return [...env];
  });

  return {
    program,
    events,
    values: table.values,
    constraints,
    cuts,
    divisions,
    registers,
    bound: defaultBound,
    choices: table.choices(),
    ...(prefixes && { prefixes }),
  };
}

/** An upper bound of the number of events that unrolling makes, found without making them. */
export function countEvents(program: Program, bound?: number): number {
  const defaultBound = bound ?? program.bound ?? DEFAULT_BOUND;
  const count = (body: readonly Instruction[]): number =>
    body.reduce((sum, i) => {
      switch (i.kind) {
        case 'if':
          return sum + 4 + count(i.then) + count(i.else);
        case 'loop':
          return sum + ((i.bound ?? defaultBound) + 1) * (2 + count(i.body));
        case 'choose':
          return sum + i.branches.reduce((s, branch) => s + count(branch), 0);
        default:
          return sum + 4;
      }
    }, 0);
  return program.locations.length + program.threads.reduce((sum, t) => sum + count(t.body), 0);
}

function accessedLocations(program: Program): ReadonlySet<LocationId> {
  const found = new Set<LocationId>();
  const expression = (e: Expression) => locationsOf(e).forEach((l) => found.add(l));
  const target = (t: Target) => t.kind === 'location' && found.add(t.location);
  const visit = (body: readonly Instruction[]): void => {
    for (const i of body) {
      switch (i.kind) {
        case 'assign':
          expression(i.value);
          target(i.target);
          break;
        case 'get':
        case 'put':
          found.add(i.from).add(i.to);
          break;
        case 'cas':
          found.add(i.location);
          target(i.target);
          break;
        case 'assume':
          expression(i.condition);
          break;
        case 'if':
          expression(i.condition);
          visit(i.then);
          visit(i.else);
          break;
        case 'loop':
          if (i.condition !== undefined) expression(i.condition);
          visit(i.body);
          break;
        case 'choose':
          i.branches.forEach(visit);
      }
    }
  };
  program.threads.forEach((t) => visit(t.body));
  return found;
}
