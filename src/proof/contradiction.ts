import { interpret } from '../model/interpret.js';
import { passes } from '../model/relation/concrete.js';
import { relationsNamed } from '../model/table.js';
import type { Inherited, Interpretation } from '../model/interpret.js';
import type { Axiom, Model } from '../model/term.js';
import * as m from '../model/relation/matrix.js';
import type { BitRel, BitSet } from '../model/relation/matrix.js';
import { fixedRelations } from '../program/events/fixed.js';
import { baseSets } from '../program/events/relations.js';
import type { EventStructure } from '../program/events/structure.js';
import { isWrite } from '../program/events/structure.js';
import type { Proposition, Subject } from '../program/program.js';
import { between, betweenDomain, growing } from '../model/relation/between.js';
import type { Between } from '../model/relation/between.js';
import type { OpenChoices } from '../program/events/open.js';
import type { Case } from './case.js';
import type { ProofArrow, Reason } from './proof.js';
import { BACK, reasonText } from './proof.js';

/** A claim: no execution under the model ends with the condition true, or false, as it is asked for. */
export interface Claim {
  readonly open: OpenChoices;
  readonly model: Model;
  readonly condition: Proposition;
  /** The truth value of the condition that no execution has at its end. */
  readonly asked: boolean;
}

/** The sets and relations of a model in a case. */
export type CaseBounds = Interpretation<Between<BitSet>, Between<BitRel>>;

/** Sets and relations that are known from elsewhere: see `nearby.ts`. */
type Given = Inherited<Between<BitSet>, Between<BitRel>>;

/** The sets and relations of a model in the cases of a program, each worked out when it is first asked for. */
export function caseBoundsOf({ open, model }: Claim): (one: Case, given?: Given) => CaseBounds {
  const { events, program } = open.structure;
  const sets = baseSets(events, program.instructions);
  const fixed = fixedRelations(events);
  const all = [...events.keys()];
  const [onSets, onPairs] = [growing(m.interSet), growing(m.interRel)];
  return (one, given) => {
    const those = (...are: readonly unknown[]) =>
      all.filter((event) => are.includes(one.executed(event)));
    const executed = between(
      () => m.setOf(all.length, those(true)),
      () => m.setOf(all.length, those(true, undefined)),
    );
    const pairs = growing(m.product)(executed, executed);
    const baseSet = (name: string) => onSets(growing(() => sets(name))(), executed);
    const baseRel = (name: string) =>
      one.relations.get(name) ?? onPairs(growing(() => fixed(name))(), pairs);
    return interpret(model, betweenDomain(executed, baseSet, baseRel), given);
  };
}

/** Is the contradiction of a leaf right: does the case contradict what the leaf names? */
export function contradicts(claim: Claim, one: Case, reason: Reason, known: CaseBounds): boolean {
  const { structure } = claim.open;
  const [index] = reason.at;
  switch (reason.kind) {
    case 'asked':
      return truthIn(claim.condition, (s) => finalNumber(structure, one, s)) === !claim.asked;
    case 'division': {
      const { path, condition } = structure.divisions[index] ?? {};
      return path !== undefined && one.taken(path) === true && one.number(condition) === 0;
    }
    case 'bound':
      return index in structure.cuts && one.taken(structure.cuts[index].path) === true;
    case 'axiom':
      return claim.model.axioms.some((axiom) => isBroken(claim.model, axiom, reason, known));
    case 'assume':
    case 'guard':
    case 'partner':
    case 'order':
      return one.conflict !== undefined && reasonText(one.conflict) === reasonText(reason);
  }
}

function isBroken(model: Model, axiom: Axiom, reason: Reason, relations: CaseBounds): boolean {
  const { test, negated, term, flag, name } = axiom;
  const { at } = reason;
  if (flag || name !== reason.name || !areSure(model, reason, relations)) return false;
  const isSet = model.terms[term].kind === 'set';
  if (negated) {
    const { set, rel } = relations;
    return passes(model, axiom, { set: (id) => set(id).high(), rel: (id) => rel(id).high() });
  }
  const [a, b = a] = at;
  if (isSet) return at.length === 1 && m.has(relations.set(term).low(), a);
  const cycle = cyclicPart(model, axiom);
  const low = relations.rel(cycle ?? term).low();
  if (cycle === undefined) return at.length === (test === 'empty' ? 2 : 1) && m.related(low, a, b);
  return at.length > 0 && at.every((e, i) => m.related(low, e, at[(i + 1) % at.length]));
}

/** Does each path lead from an event to the next one, or back to the first, by relations that are sure? */
function areSure(model: Model, { at, steps = [] }: Reason, relations: CaseBounds): boolean {
  const isSure = ({ from, name, to }: ProofArrow): boolean => {
    const [a, b] = name.endsWith(BACK) ? [to, from] : [from, to];
    const terms = relationsNamed(model, name.replace(BACK, ''));
    return terms.some((term) => m.related(relations.rel(term).low(), a, b));
  };
  return steps.every((paths, i) =>
    paths.every((path) => {
      const ends = [at[i], ...path.map(({ to }) => to)];
      const leads = path.every(({ from }, k) => from === ends[k]);
      return leads && ends.at(-1) === at[(i + 1) % at.length] && path.every(isSure);
    }),
  );
}

/** The relation that an axiom says has no cycle. */
export function cyclicPart({ terms }: Model, { test, term }: Axiom): number | undefined {
  const inner = terms[term];
  if (inner.op === 'plus' && test !== 'empty') return inner.arg;
  return test === 'acyclic' ? term : undefined;
}

/**
 * The final number of a subject, if it is known. For a location, every write that may be the last must write this
 * number.
 */
function finalNumber(
  { program, events, registers }: EventStructure,
  one: Case,
  subject: Subject,
): number | undefined {
  if (subject.kind === 'register') return one.number(registers[subject.thread][subject.register]);
  const mo = one.relations.get('mo')!.low();
  const writes = events.filter((e) => isWrite(e) && e.location === subject.location);
  const last = writes.filter((e) => one.executed(e.id) !== false && m.rowIsEmpty(mo, e.id));
  const numbers = last.map((e) => one.number(e.value!));
  const some = writes.some((e) => one.executed(e.id) === true);
  if (!some) numbers.push(program.locations[subject.location].initial);
  return new Set(numbers).size === 1 ? numbers[0] : undefined;
}

type Final = (subject: Subject) => number | undefined;

/** Whether a proposition is true; undefined if this is not known. */
function truthIn(p: Proposition, final: Final): boolean | undefined {
  switch (p.kind) {
    case 'true':
      return true;
    case 'not': {
      const arg = truthIn(p.arg, final);
      return arg === undefined ? undefined : !arg;
    }
    case 'and':
    case 'or': {
      const sides = [truthIn(p.left, final), truthIn(p.right, final)];
      const decisive = p.kind === 'or';
      if (sides.includes(decisive)) return decisive;
      return sides.includes(undefined) ? undefined : !decisive;
    }
    case 'atom': {
      const left = final(p.left);
      const right = p.right.kind === 'int' ? p.right.value : final(p.right);
      return left === undefined || right === undefined ? undefined : (left === right) === p.equal;
    }
  }
}
