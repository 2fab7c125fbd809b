import type { CodeStep } from '../../machine/code.js';
import type { Computed, Slot } from '../../machine/compute.js';
import type { Layout } from '../../machine/layout.js';
import { asymmetric } from './permutations.js';
import type { Permutation } from './permutations.js';
import type { Kinds } from './kinds.js';

/**
 * Which slots hold identities of symmetric threads, as far as it is known: where threads change places, so do these
 * numbers. What is copied from such a slot is an identity, too. That more of them hold one is found out when a number
 * turns out to differ (`Mirror`); a wrong guess makes nothing wrong, since every step is compared.
 */
export class Identities {
  private readonly marked: Uint8Array;
  /** By slot: those that hold the same kind of number. */
  private readonly same: readonly ReadonlySet<Slot>[];

  /** @param kinds by class of calls */
  constructor(
    private readonly layout: Layout,
    private readonly codes: readonly (readonly CodeStep[])[],
    permutations: readonly Permutation[],
    private readonly kinds: readonly Kinds[],
  ) {
    const { memory, program, calls, slotOf } = layout;
    const count = memory + program.locations.length;
    const same = Array.from({ length: count }, () => new Set<Slot>());
    const unite = (a: Slot, b: Slot): void => {
      same[a].add(b);
      same[b].add(a);
    };
    for (let slot = 0; slot < count; slot++) {
      for (const { slots } of permutations) if (slots[slot] !== undefined) unite(slot, slots[slot]);
    }
    calls.flows.forEach(({ temporaries }, t) => {
      temporaries.forEach((l, temporary) =>
        unite(slotOf(t, { kind: 'temporary', temporary }), memory + l),
      );
    });
    for (const { alike } of kinds) for (const [a, b] of alike) unite(memory + a, memory + b);
    codes.forEach((code, t) =>
      code.forEach((step, at) => {
        const of = calls.classAt[t][at];
        for (const [a, b] of copiesIn(step, of < 0 ? undefined : kinds[of], memory)) unite(a, b);
      }),
    );
    this.marked = new Uint8Array(count);
    this.same = same;
  }

  has(slot: Slot): boolean {
    return this.marked[slot] === 1;
  }

  /** Notes that a slot holds identities, and all that are copied to or from it. */
  add(slot: Slot): void {
    const open = [slot];
    for (let next = open.pop(); next !== undefined; next = open.pop()) {
      if (this.marked[next] === 1) continue;
      this.marked[next] = 1;
      open.push(...this.same[next]);
    }
    this.check();
  }

  /** An operation does not compute with identities, and has none of its own. */
  private check(): void {
    const { memory, program, calls, nameOf } = this.layout;
    const identities = new Set(program.symmetric!.flat().map(({ identity }) => identity));
    for (const { computed, constants } of this.kinds) {
      const mixed = computed.find((l) => this.has(memory + l));
      if (mixed !== undefined) {
        throw asymmetric(`${nameOf(memory + mixed)} holds identities, and is added to`);
      }
      const own = constants.find(
        ({ value, location }) => this.has(memory + location) && identities.has(value),
      );
      if (own !== undefined) throw isMixed(nameOf(memory + own.location), own.value);
    }
    this.codes.forEach((code, t) =>
      code.forEach((step, at) => {
        if (step.kind !== 'use' || step.result < 0 || !this.has(step.result)) return;
        const { isComputed, constants: own } = this.kinds[calls.classAt[t][at]].result;
        const name = nameOf(step.result);
        if (isComputed) throw asymmetric(`${name} holds identities, and what is computed`);
        const mixed = own.find((value) => identities.has(value));
        if (mixed !== undefined) throw isMixed(name, mixed);
      }),
    );
  }
}

export const isMixed = (name: string, number: number) =>
  asymmetric(`${name} holds identities, and ${number} that is none: give threads other numbers`);

/** Pairs of slots of which one gets the value of the other. */
function copiesIn(
  step: CodeStep,
  kinds: Kinds | undefined,
  memory: Slot,
): readonly (readonly [Slot, Slot])[] {
  if (step.kind === 'set') {
    const from = copied(step.value);
    return from === undefined ? [] : [[step.slot, from]];
  }
  if (step.kind !== 'use' || kinds === undefined) return [];
  const given = step.given.flatMap((value, k): [Slot, Slot][] => {
    const from = copied(value);
    const location = kinds.given[k];
    return from === undefined || location === undefined ? [] : [[from, memory + location]];
  });
  if (step.result < 0) return given;
  const { result } = step;
  return [...given, ...kinds.result.alike.map((l): [Slot, Slot] => [result, memory + l])];
}

/** The slot whose value is taken as it is. */
const copied = ({ expression }: Computed): Slot | undefined =>
  expression.kind === 'name' ? expression.name : undefined;
