import { unroll } from '../../src/program/events/unroll.js';
import type { Model } from '../../src/model/term.js';
import type { Program } from '../../src/program/program.js';
import { allSubjects } from '../../src/program/subjects.js';
import { adapt } from '../../src/rdma/translate.js';
import type { Direction } from '../models/mutant.js';
import type { Candidate, Frame } from './executions.js';
import { candidatesOf } from './executions.js';
import type { Merged } from './merged.js';
import { mergeModels } from './merged.js';
import type { Reduced } from './reduced.js';
import { reduce } from './reduced.js';

/** Models with their mutants, ready to be compared on programs. */
export interface Family {
  readonly merged: Merged;
  readonly members: readonly Member[];
}

export interface Member {
  readonly original: Model;
  /** Index of the original in the merged models; its mutants' indices follow. */
  readonly index: number;
  readonly directions: readonly Direction[];
}

export function familyOf(
  sets: readonly {
    readonly original: Model;
    readonly mutants: readonly { readonly model: Model; readonly direction: Direction }[];
  }[],
): Family {
  const models: Model[] = [];
  const members = sets.map(({ original, mutants }): Member => {
    const index = models.push(original) - 1;
    models.push(...mutants.map(({ model }) => model));
    return { original, index, directions: mutants.map(({ direction }) => direction) };
  });
  return { merged: mergeModels(models), members };
}

/** The final states of a program under a model, and under each mutant that has others. */
export interface Comparison {
  readonly states: ReadonlySet<string>;
  /** By the mutant's place among those of the model. */
  readonly different: ReadonlyMap<number, Difference>;
}

export interface Difference {
  readonly gained: ReadonlySet<string>;
  readonly lost: ReadonlySet<string>;
}

/** How many executions of a program are looked at. */
const CANDIDATES = 3000;

/**
 * Compares every member of a family with its mutants on a program.
 *
 * @param wanted which mutants to look at, by member and place; all without it
 * @returns an entry for each member, undefined where the program has no translation for it or is
 *   too large
 */
export function compare(
  program: Program,
  { merged, members }: Family,
  wanted: (member: number, mutant: number) => boolean = () => true,
  limit = CANDIDATES,
): readonly (Comparison | undefined)[] {
  const results: (Comparison | undefined)[] = new Array(members.length).fill(undefined);
  const byProgram = new Map<Program, number[]>();
  members.forEach(({ original }, m) => {
    const adapted = adapt(program, original);
    if (!adapted.ok) return;
    const key = adapted.value.program;
    byProgram.set(key, [...(byProgram.get(key) ?? []), m]);
  });
  for (const [adapted, list] of byProgram) {
    const needed = new Set(
      list.flatMap((m) => {
        const { index, directions } = members[m];
        return [index, ...directions.flatMap((_, k) => (wanted(m, k) ? [index + 1 + k] : []))];
      }),
    );
    const ready = prepare(adapted, merged, (model) => needed.has(model), limit);
    if (ready === undefined) continue;
    const comparing = list.map((m) => begin(ready, members[m], (k) => wanted(m, k)));
    for (const c of ready.candidates) for (const { note } of comparing) note(c);
    comparing.forEach(({ finish }, i) => (results[list[i]] = finish()));
  }
  return results;
}

interface Prepared {
  readonly candidates: readonly Candidate[];
  readonly reduced: ReadonlyMap<Frame, Reduced>;
}

function prepare(
  program: Program,
  merged: Merged,
  needed: (model: number) => boolean,
  limit: number,
): Prepared | undefined {
  const candidates = candidatesOf(unroll(program), allSubjects(program), limit);
  if (candidates === undefined) return undefined;
  const frames = new Set(candidates.map((c) => c.frame));
  return { candidates, reduced: new Map([...frames].map((f) => [f, reduce(merged, f, needed)])) };
}

/** Mutants that judge alike on all paths of a program. */
interface Alike {
  readonly model: number;
  readonly direction: Direction;
  readonly mutants: number[];
  readonly kept: Set<string>;
  readonly gained: Set<string>;
}

/** The comparison of one model with its mutants; every execution is to be noted before the end. */
function begin(
  { candidates, reduced }: Prepared,
  { index, directions }: Member,
  wanted: (mutant: number) => boolean,
): { readonly note: (candidate: Candidate) => void; readonly finish: () => Comparison } {
  const classesOf = (model: number) => [...reduced.values()].map((r) => r.classOf[model]).join();
  const allows = (c: Candidate, model: number): boolean => {
    const { classOf, allows } = reduced.get(c.frame)!;
    return allows(c, classOf[model]);
  };
  const consistent = new Set(candidates.filter((c) => allows(c, index)));
  const states = new Set([...consistent].map((c) => c.state));
  const groups = new Map<string, Alike>();
  const own = classesOf(index);
  directions.forEach((direction, k) => {
    if (!wanted(k)) return;
    const model = index + 1 + k;
    const key = classesOf(model);
    if (key === own) return;
    if (!groups.has(key)) {
      const kept = new Set<string>(direction === 'weaker' ? states : []);
      groups.set(key, { model, direction, mutants: [], kept, gained: new Set() });
    }
    groups.get(key)!.mutants.push(k);
  });
  return {
    note: (c) => {
      const known = states.has(c.state);
      for (const { model, direction, kept, gained } of groups.values()) {
        if (known) {
          if (kept.has(c.state) || (direction === 'stronger' && !consistent.has(c))) continue;
          if (allows(c, model)) kept.add(c.state);
        } else {
          if (direction === 'stronger' || gained.has(c.state)) continue;
          if (allows(c, model)) gained.add(c.state);
        }
      }
    },
    finish: () => {
      const different = new Map<number, Difference>();
      for (const { mutants, kept, gained } of groups.values()) {
        const lost = new Set([...states].filter((s) => !kept.has(s)));
        if (gained.size + lost.size === 0) continue;
        for (const k of mutants) different.set(k, { gained, lost });
      }
      return { states, different };
    },
  };
}
