import { Undefined } from '../../machine/compute.js';
import type { Layout } from '../../machine/layout.js';
import type { LocationId, Member } from '../../program/program.js';

/** One way in which symmetric threads change places, and where what is theirs goes. The number of each is its identity. */
export interface Permutation {
  /** By thread: which one takes its place. */
  readonly threads: readonly number[];
  /** By identity: the one that takes its place. Other numbers are not in it. */
  readonly numbers: ReadonlyMap<number, number>;
  /** By location; -1 for hidden ones, which are told apart by what they hold. */
  readonly locations: readonly LocationId[];
  /** Where nodes go. */
  readonly nodeOf: (node: string) => string;
  /** By slot of a variable. */
  readonly slots: readonly number[];
}

/** How many ways there may be: with more, to look for the least state takes longer than to go through states. */
const MOST = 1000;

/**
 * All ways in which the symmetric threads of a program can change places; the first is that none does. A location whose
 * name ends with an identity goes with it, if there is one for each member. Throws `Undefined` where there is no place
 * to go to.
 */
export function permutationsOf(layout: Layout): readonly Permutation[] {
  const groups = layout.program.symmetric ?? [];
  const count = groups.reduce((all, { length }) => all * factorial(length), 1);
  if (count > MOST)
    throw new Undefined(`symmetric threads can change places in ${count} ways, more than ${MOST}`);
  let ways: readonly (readonly (readonly [Member, Member])[])[] = [[]];
  for (const group of groups) {
    const orders = ordersOf(group);
    ways = ways.flatMap((way) =>
      orders.map((order) => [...way, ...order.map((to, i) => [group[i], to] as const)]),
    );
  }
  return ways.map((way) => permutation(layout, way));
}

const factorial = (n: number): number => (n <= 1 ? 1 : n * factorial(n - 1));

/** All orders of some things, the given one first. */
function ordersOf<T>(things: readonly T[]): readonly (readonly T[])[] {
  if (things.length <= 1) return [things];
  return things.flatMap((first, i) =>
    ordersOf(things.filter((_, k) => k !== i)).map((rest) => [first, ...rest]),
  );
}

function permutation(layout: Layout, way: readonly (readonly [Member, Member])[]): Permutation {
  const { program } = layout;
  const threads = program.threads.map(
    (_, t) => way.find(([from]) => from.thread === t)?.[1].thread ?? t,
  );
  const numbers = new Map(way.map(([from, to]) => [from.identity, to.identity]));
  const nodeOf = nodesOf(layout, threads);
  const locations = program.locations.map((_, l) => locationOf(layout, way, threads, l));
  locations.forEach((to, l) => {
    if (to < 0 || program.locations[to].node === nodeOf(program.locations[l].node)) return;
    throw asymmetric(
      `${nameOf(layout, to)} is on the same node as before when ${nameOf(layout, l)} takes its place`,
    );
  });
  return {
    ...{ threads, numbers, locations, nodeOf },
    slots: slotsOf(layout, threads, locations, numbers),
  };
}

export const asymmetric = (why: string): Undefined =>
  new Undefined(`the threads that are declared symmetric are not: ${why}`);

const nameOf = ({ program }: Layout, l: LocationId): string => program.locations[l].name;

/** Where nodes go: with the threads that are on them. */
function nodesOf({ program }: Layout, threads: readonly number[]): (node: string) => string {
  const nodes = new Map<string, string>();
  program.threads.forEach(({ node, name }, t) => {
    const to = program.threads[threads[t]].node;
    if ((nodes.get(node) ?? to) !== to)
      throw asymmetric(`${name} shares its node with a thread that stays`);
    nodes.set(node, to);
  });
  return (node) => nodes.get(node) ?? node;
}

function locationOf(
  { program }: Layout,
  way: readonly (readonly [Member, Member])[],
  threads: readonly number[],
  l: LocationId,
): LocationId {
  const { name, owner, hidden } = program.locations[l];
  if (hidden === true) return -1;
  if (owner !== undefined) {
    const to = program.locations.findIndex((o) => o.owner === threads[owner] && o.name === name);
    if (to >= 0) return to;
    throw asymmetric(`${program.threads[threads[owner]].name} has no ${name}`);
  }
  const ending = /^(.*\D)(\d+)$/.exec(name);
  if (ending === null) return l;
  const [, base, digits] = ending;
  const own = way.find(([from]) => String(from.identity) === digits);
  const group = program.symmetric!.find((g) =>
    g.some(({ identity }) => String(identity) === digits),
  );
  if (own === undefined || group === undefined) return l;
  const member = (identity: number): LocationId =>
    program.locations.findIndex((o) => o.owner === undefined && o.name === `${base}${identity}`);
  return group.every(({ identity }) => member(identity) >= 0) ? member(own[1].identity) : l;
}

/** Where the slots of variables go: places, registers, values that were read, ghosts, memory. */
function slotsOf(
  layout: Layout,
  threads: readonly number[],
  locations: readonly LocationId[],
  numbers: ReadonlyMap<number, number>,
): readonly number[] {
  const { program, calls, ghosts, waits, memory, slotOf } = layout;
  const to: number[] = threads.slice();
  program.threads.forEach(({ registers }, t) => {
    const { name, registers: others } = program.threads[threads[t]];
    registers.forEach((register, r) => {
      const there = others.indexOf(register);
      if (there < 0) throw asymmetric(`${name} has no ${register}`);
      to[slotOf(t, { kind: 'register', register: r })] = slotOf(threads[t], {
        kind: 'register',
        register: there,
      });
    });
  });
  const names = program.ghosts?.map(({ name }) => name) ?? [];
  names.forEach((name, g) => {
    const ending = /^(.*\D)(\d+)$/.exec(name);
    const other =
      ending === null
        ? -1
        : names.indexOf(`${ending[1]}${numbers.get(Number(ending[2])) ?? ending[2]}`);
    to[ghosts + g] = ghosts + (other < 0 ? g : other);
  });
  for (let slot = waits; slot < memory; slot++) to[slot] = slot;
  locations.forEach((other, l) => (to[memory + l] = memory + (other < 0 ? l : other)));
  calls.flows.forEach(({ temporaries }, t) => {
    temporaries.forEach((l, temporary) => {
      const there = calls.flows[threads[t]].temporaries.indexOf(locations[l]);
      if (there < 0) {
        const { name } = program.threads[threads[t]];
        throw asymmetric(`${name} never reads ${nameOf(layout, locations[l])}`);
      }
      to[slotOf(t, { kind: 'temporary', temporary })] = slotOf(threads[t], {
        kind: 'temporary',
        temporary: there,
      });
    });
  });
  return to;
}
