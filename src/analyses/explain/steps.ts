import type { EventId } from '../../program/events/structure.js';
import type { Operator, ReasonKind } from '../../model/operators/facts.js';
import { OPERATORS } from '../../model/operators/facts.js';
import type { TermNames } from '../../model/print.js';
import type { Model, Term } from '../../model/term.js';
import { hasOperands } from '../../model/term.js';
import type { Derivation } from './derivation.js';
import type { ExplainedLayer, Step } from './explanation.js';

/** What is needed to tell a derivation: the model, its names, and the executed events by position. */
export interface Telling {
  readonly model: Model;
  readonly names: TermNames;
  readonly events: readonly { readonly id: EventId }[];
}

/** A variable of a `let rec`. */
interface RecVariable {
  readonly group: number;
  readonly index: number;
}

/** What a step consists of: its layers, the steps of a path that it stands for, and what else has to hold. */
type Inside = Pick<Step, 'because' | 'via' | 'also'>;

const NOTHING: Inside = { because: [], via: [], also: [] };

/**
 * A derivation as a path of steps from its first event to its second. Sequences and closures are taken apart. Tests (`[S]`)
 * are left out. A relation with a name, or an operand of a union, is one step, and the step says what it consists of; an
 * operand that is a sequence of what has no good name is taken apart, too. A union with a name and no words for it says nothing that its
 * operands do not: it is taken apart as if it had no name. So is a union without a name of which pairs are taken away.
 */
export function derivationPath(telling: Telling, derivation: Derivation): readonly Step[] {
  const steps = pathOf(telling, derivation);
  return steps.length > 0 ? steps : [stepOf(telling, derivation)];
}

/**
 * The steps of a derivation that is taken apart, even if it has a name. If a recursive relation (`own`) leads back to itself,
 * as in `let rec r = a | r;r`, all its steps are in one path.
 */
function pathOf(telling: Telling, d: Derivation, own?: RecVariable): readonly Step[] {
  const term = telling.model.terms[d.term];
  if (term.op === 'fix' || term.op === 'rec') return pathOf(telling, d.parts[0], term);
  return takenApart(telling, d, own) ?? [stepOf(telling, d)];
}

/** The steps of a part of a path: one if it has a name. */
function stepsOfPart(telling: Telling, d: Derivation, own?: RecVariable): readonly Step[] {
  if (isOwn(telling, d, own)) return pathOf(telling, d);
  if (isNamed(telling, d)) return [stepOf(telling, d)];
  if (isPlainUnion(telling, d)) return stepsOfUnion(telling, d, own);
  return takenApart(telling, d, own) ?? [stepOf(telling, d)];
}

/** The steps of what can be taken apart; undefined for what cannot. A test is no step. */
function takenApart(
  telling: Telling,
  d: Derivation,
  own?: RecVariable,
): readonly Step[] | undefined {
  if (opOf(telling, d) === 'identity') return [];
  const reason = reasonOf(telling, d);
  if (reason === 'path') return d.parts.flatMap((part) => stepsOfPart(telling, part, own));
  return reason === 'choice' ? stepsOfUnion(telling, d, own) : undefined;
}

function stepsOfUnion(telling: Telling, d: Derivation, own?: RecVariable): readonly Step[] {
  const chosen = chosenOperand(telling, d);
  if (isIdentity(telling, chosen)) return [];
  if (isOwn(telling, chosen, own)) return pathOf(telling, chosen);
  if (isNamed(telling, chosen)) return [stepOf(telling, chosen)];
  const { parts } = chosen;
  const isApart =
    parts.some((part) => isOwn(telling, part, own)) ||
    (opOf(telling, chosen) === 'seq' && parts.some((part) => isVague(telling, part)));
  return isApart ? pathOf(telling, chosen, own) : [stepOf(telling, chosen)];
}

/** The operand that a union, or a union of unions, takes a pair from. */
function chosenOperand(telling: Telling, d: Derivation): Derivation {
  const [chosen] = d.parts;
  return isPlainUnion(telling, chosen) ? chosenOperand(telling, chosen) : chosen;
}

function stepOf(telling: Telling, d: Derivation): Step {
  const { events } = telling;
  return { from: events[d.from].id, to: events[d.to].id, ...withLayer(telling, d) };
}

/** What a step consists of, below a layer for its own relation. */
function withLayer(telling: Telling, d: Derivation): Inside {
  if (isPlainUnion(telling, d)) return withLayer(telling, chosenOperand(telling, d));
  const { because, via, also } = inside(telling, d);
  const own = layerOf(telling, d);
  // Two definitions with one name: the outer one, which changes the other, is told.
  const others = because[0]?.text === own.text ? because.slice(1) : because;
  return { because: [own, ...others], via, also };
}

const layerOf = ({ names }: Telling, { term }: Derivation): ExplainedLayer => {
  const words = names.words(term);
  return { term, text: names.text(term), words };
};

/** A part gets a layer only if it has a name: the layer above it shows its expression already. */
const below = (telling: Telling, d: Derivation): Inside =>
  isNamed(telling, d) ? withLayer(telling, d) : inside(telling, d);

/** What a step consists of, without a layer for its own relation. */
function inside(telling: Telling, d: Derivation): Inside {
  const op = opOf(telling, d);
  if (op === 'fix' || op === 'rec') return below(telling, d.parts[0]);
  switch (reasonOf(telling, d)) {
    case 'choice':
      return withLayer(telling, chosenOperand(telling, d));
    case 'first':
      return below(telling, d.parts[0]);
    case 'all': {
      const [first, ...rest] = d.parts.filter((part) => !isPlain(telling, part));
      if (first === undefined) return NOTHING;
      const { because, via, also } = below(telling, first);
      return { because, via, also: [...also, ...rest.map((part) => stepOf(telling, part))] };
    }
    case 'turned': {
      const [arg] = d.parts;
      return isPlain(telling, arg) ? NOTHING : { ...NOTHING, also: [stepOf(telling, arg)] };
    }
    case 'path': {
      const steps = d.parts.flatMap((part) => stepsOfPart(telling, part));
      const [only] = steps;
      if (steps.length !== 1) return { ...NOTHING, via: steps };
      return { because: only.because, via: only.via, also: only.also };
    }
    case 'events':
    case 'none':
    case undefined:
      return NOTHING;
  }
}

const opOf = ({ model }: Telling, d: Derivation): Term['op'] => model.terms[d.term].op;

/** What there is to say of why an operator has a pair; undefined for what no operator makes. */
function reasonOf({ model }: Telling, d: Derivation): ReasonKind | undefined {
  const term = model.terms[d.term];
  return hasOperands(term) ? OPERATORS[term.op].reason : undefined;
}

/** Does it have a name that says more than its expression does? */
const isNamed = (telling: Telling, d: Derivation): boolean =>
  telling.names.name(d.term) !== undefined &&
  (opOf(telling, d) !== 'union' || telling.names.words(d.term) !== undefined);

/** Is it the variable of a `let rec` whose body is told at present? */
function isOwn({ model }: Telling, d: Derivation, own: RecVariable | undefined): boolean {
  const term = model.terms[d.term];
  return term.op === 'rec' && term.group === own?.group && term.index === own.index;
}

/** A union without a name, or what is left of one. */
function isPlainUnion(telling: Telling, d: Derivation): boolean {
  if (isNamed(telling, d)) return false;
  const op = opOf(telling, d);
  return op === 'union' || (op === 'diff' && isPlainUnion(telling, d.parts[0]));
}

/** Does the text of what has no name not say what its pairs are? */
function isVague(telling: Telling, d: Derivation): boolean {
  const op = opOf(telling, d);
  return !isNamed(telling, d) && (op === 'union' || op === 'diff');
}

/** Is the pair there only because its two events are the same? */
function isIdentity(telling: Telling, d: Derivation): boolean {
  const op = opOf(telling, d);
  return op === 'identity' || ((op === 'star' || op === 'opt') && d.parts.length === 0);
}

/** Cannot be taken apart: base relations, products, and what is made of these pair by pair. */
function isPlain(telling: Telling, d: Derivation): boolean {
  const op = opOf(telling, d);
  switch (reasonOf(telling, d)) {
    case 'none':
      return true;
    case 'events':
      return OPERATORS[op as Operator].makes === 'rel';
    case 'all':
    case 'first':
    case 'turned':
      return d.parts.every((part) => isPlain(telling, part));
    case 'choice':
    case 'path':
      return false;
    case undefined:
      return op === 'base';
  }
}
