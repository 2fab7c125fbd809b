import { instructionsOf, mapBodies } from '../program/instructions.js';
import type {
  Argument,
  Call,
  Instruction,
  Location,
  Program,
  Proposition,
  Query,
  StateQuery,
  Subject,
  Test,
} from '../program/program.js';
import { isStateQuery } from '../program/program.js';
import { subjectName } from '../program/subjects.js';
import { isReserved } from './names.js';

/**
 * The same test with all of its memory declared: private memory and the constants of puts are locations of their nodes, since a card only
 * moves what is registered. Names that C could not have are others, and so are those that two things would have then. Only queries about
 * final states are left.
 *
 * @param inlines whether puts and messages of constants take them into the request, which is an instruction of its own in the models
 */
export function placed(test: Test, inlines = false): Test {
  const inlined = inlines ? inConstants(test.program) : test.program;
  const program = named(inlined);
  const asked = test.queries.filter(isStateQuery);
  return { ...test, program, queries: asked.map((query) => queryOf(program, query)) };
}

/** New names for all locations and registers. */
function named(program: Program): Program {
  const used = placesNamed(program);
  const privates = new Set(program.threads.flatMap(({ registers }) => registers));
  const taken = new Set<string>();
  const fresh = (wish: string, isTaken: (name: string) => boolean): string => {
    const plain = wish.replaceAll(/\W/g, '_');
    const names = [plain, ...Array.from({ length: 1000 }, (_, i) => `${plain}_${i + 2}`)];
    return names.find((name) => !isReserved(name) && !isTaken(name))!;
  };
  const take = (wish: string): string => {
    const name = fresh(wish, (one) => taken.has(one));
    taken.add(name);
    return name;
  };
  // What is declared keeps its name if it can; private memory must not have one that another thread means.
  const names = new Map<number, string>();
  const order = (l: Location): number => (l.hidden === true ? 2 : l.owner === undefined ? 0 : 1);
  const all = [...program.locations.keys()].sort(
    (a, b) => order(program.locations[a]) - order(program.locations[b]),
  );
  for (const id of all) {
    const { name, owner, hidden, initial } = program.locations[id];
    if (hidden === true) {
      if (used.has(id)) names.set(id, take(`k${initial < 0 ? 'm' : ''}${Math.abs(initial)}`));
    } else if (owner === undefined) names.set(id, take(name));
    else {
      const isClear = !taken.has(name) && !privates.has(name);
      names.set(id, take(isClear ? name : `${program.threads[owner].name}_${name}`));
    }
  }
  return {
    ...program,
    locations: program.locations.map((l, id) => {
      const { node, initial, tags, wire, empty, span } = l;
      if (wire === true) return l;
      const own = l.hidden === true ? undefined : tags;
      return {
        ...{ name: names.get(id) ?? l.name, node, initial },
        ...(own !== undefined && { tags: own }),
        ...(empty !== undefined && { empty }),
        ...(span !== undefined && { span }),
        ...(!names.has(id) && { hidden: true }),
      };
    }),
    threads: program.threads.map((thread) => {
      const own = new Set<string>();
      const registers = thread.registers.map((wish) => {
        const name = fresh(wish, (one) => taken.has(one) || own.has(one));
        own.add(name);
        return name;
      });
      return { ...thread, registers };
    }),
  };
}

/** The locations that calls name as places. */
function placesNamed({ threads }: Program): ReadonlySet<number> {
  const found = new Set<number>();
  for (const i of threads.flatMap(({ body }) => [...instructionsOf(body)])) {
    if (i.kind !== 'call') continue;
    for (const one of [i.into, ...i.arguments]) if (one?.kind === 'place') found.add(one.location);
  }
  return found;
}

/** Puts and messages of constants, with the constant in the request. */
function inConstants(program: Program): Program {
  const value = (one: Argument): Argument => {
    if (one.kind !== 'place') return one;
    const { hidden, initial } = program.locations[one.location];
    return hidden === true ? { kind: 'value', value: { kind: 'int', value: initial } } : one;
  };
  const call = (i: Call): Call => {
    const tags = i.tags ?? [];
    if (!['put', 'send'].includes(i.operation) || i.words !== undefined) return i;
    if (tags.includes('inline') || tags.includes('imm')) return i;
    const given = i.arguments.map(value);
    const isConstant = given.some((one, at) => one !== i.arguments[at]);
    return isConstant ? { ...i, arguments: given, tags: [...tags, 'inline'] } : i;
  };
  const body = (list: readonly Instruction[]): readonly Instruction[] =>
    list.map((i) => (i.kind === 'call' ? call(i) : mapBodies(i, body)));
  return { ...program, threads: program.threads.map((t) => ({ ...t, body: body(t.body) })) };
}

/** The query with its text in the names of a program, and nothing that was expected of it. */
function queryOf(program: Program, query: StateQuery): Query {
  const text = conditionText(query.condition, ({ left, right, equal }) => {
    const name = (subject: Subject): string => subjectName(program, subject, true);
    return `${name(left)} ${equal ? '=' : '!='} ${right.kind === 'int' ? right.value : name(right)}`;
  });
  return { ...query, text, expectations: [], observations: [] };
}

type Atom = Extract<Proposition, { readonly kind: 'atom' }>;

/** A condition as litmus files have it, and herd7 too; `atom` says its comparisons. */
export function conditionText(p: Proposition, atom: (p: Atom) => string): string {
  switch (p.kind) {
    case 'true':
      return 'true';
    case 'atom':
      return atom(p);
    case 'not':
      return `~(${conditionText(p.arg, atom)})`;
    case 'and':
    case 'or': {
      const sign = p.kind === 'and' ? '/\\' : '\\/';
      const side = (one: Proposition): string => {
        const text = conditionText(one, atom);
        const isOther = (one.kind === 'and' || one.kind === 'or') && one.kind !== p.kind;
        return isOther ? `(${text})` : text;
      };
      return `${side(p.left)} ${sign} ${side(p.right)}`;
    }
  }
}
