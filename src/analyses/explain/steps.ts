import type { EventId } from '../../program/events/structure.js';
import type { Operator, ReasonKind } from '../../model/operators/facts.js';
import { OPERATORS } from '../../model/operators/facts.js';
import type { TermNames } from '../../model/print.js';
import type { Model } from '../../model/term.js';
import { hasOperands } from '../../model/term.js';
import type { Derivation } from './derivation.js';
import type { Layer, Step } from './explanation.js';

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

type Inside = Pick<Step, 'because' | 'via' | 'also'>;

const NOTHING: Inside = { because: [], via: [], also: [] };

/**
 * A derivation as a path of steps from its first event to its second. Sequences and closures are taken apart. Tests (`[S]`)
 * are left out. A relation with a name, or an operand of a union, is one step, and the step says what it consists of; an
 * operand that is a sequence of what has no good name is taken apart, too. A union with a name and no words for it says nothing that its
 * operands do not: it is taken apart as if it had no name. So is a union without a name of which pairs are taken away.
 */
export function derivationPath(telling: Telling, derivation: Derivation): readonly Step[] {
  const { model, names, events } = telling;
  const opOf = (d: Derivation) => model.terms[d.term].op;
  const reasonOf = (d: Derivation): ReasonKind | undefined => {
    const term = model.terms[d.term];
    return hasOperands(term) ? OPERATORS[term.op].reason : undefined;
  };
  const isNamed = (d: Derivation): boolean =>
    names.name(d.term) !== undefined && (opOf(d) !== 'union' || names.words(d.term) !== undefined);

  const layer = ({ term }: Derivation): Layer => {
    const words = names.words(term);
    return { term, text: names.text(term), words };
  };

  /**
   * The steps of a derivation that is taken apart, even if it has a name. If a recursive relation (`own`) leads back to itself,
   * as in `let rec r = a | r;r`, all its steps are in one path.
   */
  const path = (d: Derivation, own?: RecVariable): readonly Step[] => {
    const term = model.terms[d.term];
    if (term.op === 'fix' || term.op === 'rec') return path(d.parts[0], term);
    return apart(d, own) ?? [stepOf(d)];
  };

  const segment = (d: Derivation, own?: RecVariable): readonly Step[] => {
    if (isOwn(d, own)) return path(d);
    if (isNamed(d)) return [stepOf(d)];
    if (isPlainUnion(d)) return fromUnion(d, own);
    return apart(d, own) ?? [stepOf(d)];
  };

  /** The steps of what can be taken apart. A test is no step. */
  const apart = (d: Derivation, own?: RecVariable): readonly Step[] | undefined => {
    if (opOf(d) === 'identity') return [];
    const reason = reasonOf(d);
    if (reason === 'path') return d.parts.flatMap((part) => segment(part, own));
    return reason === 'choice' ? fromUnion(d, own) : undefined;
  };

  const fromUnion = (d: Derivation, own?: RecVariable): readonly Step[] => {
    const chosen = operand(d);
    if (isEmpty(chosen)) return [];
    if (isOwn(chosen, own)) return path(chosen);
    if (isNamed(chosen)) return [stepOf(chosen)];
    if (chosen.parts.some((part) => isOwn(part, own))) return path(chosen, own);
    return opOf(chosen) === 'seq' && chosen.parts.some(isVague)
      ? path(chosen, own)
      : [stepOf(chosen)];
  };

  const isOwn = (d: Derivation, own: RecVariable | undefined): boolean => {
    const term = model.terms[d.term];
    return term.op === 'rec' && term.group === own?.group && term.index === own.index;
  };

  /** A union without a name, or what is left of one. */
  const isPlainUnion = (d: Derivation): boolean =>
    !isNamed(d) && (opOf(d) === 'union' || (opOf(d) === 'diff' && isPlainUnion(d.parts[0])));

  /** Does the text of what has no name not say what its pairs are? */
  const isVague = (d: Derivation): boolean =>
    !isNamed(d) && (opOf(d) === 'union' || opOf(d) === 'diff');

  /** The operand that a union, or a union of unions, takes a pair from. */
  const operand = (d: Derivation): Derivation => {
    const [chosen] = d.parts;
    return isPlainUnion(chosen) ? operand(chosen) : chosen;
  };

  const isEmpty = (d: Derivation): boolean =>
    opOf(d) === 'identity' || ((opOf(d) === 'star' || opOf(d) === 'opt') && d.parts.length === 0);

  const stepOf = (d: Derivation): Step => ({
    from: events[d.from].id,
    to: events[d.to].id,
    ...withLayer(d),
  });

  const withLayer = (d: Derivation): Inside => {
    if (isPlainUnion(d)) return withLayer(operand(d));
    const { because, via, also } = inside(d);
    const own = layer(d);
    // Two definitions with one name: the outer one, which changes the other, is told.
    const others = because[0]?.text === own.text ? because.slice(1) : because;
    return { because: [own, ...others], via, also };
  };

  /** A part gets a layer only if it has a name: the layer above it shows its expression already. */
  const below = (d: Derivation): Inside => (isNamed(d) ? withLayer(d) : inside(d));

  const inside = (d: Derivation): Inside => {
    const op = opOf(d);
    if (op === 'fix' || op === 'rec') return below(d.parts[0]);
    switch (reasonOf(d)) {
      case 'choice':
        return withLayer(operand(d));
      case 'first':
        return below(d.parts[0]);
      case 'all': {
        const [first, ...rest] = d.parts.filter((part) => !isPlain(part));
        if (first === undefined) return NOTHING;
        const { because, via, also } = below(first);
        return { because, via, also: [...also, ...rest.map(stepOf)] };
      }
      case 'turned': {
        const [arg] = d.parts;
        return isPlain(arg) ? NOTHING : { ...NOTHING, also: [stepOf(arg)] };
      }
      case 'path': {
        const steps = d.parts.flatMap((part) => segment(part));
        const [only] = steps;
        if (steps.length !== 1) return { ...NOTHING, via: steps };
        return { because: only.because, via: only.via, also: only.also };
      }
      case 'events':
      case 'none':
      case undefined:
        return NOTHING;
    }
  };

  /** Cannot be taken apart: base relations, products, and what is made of these pair by pair. */
  const isPlain = (d: Derivation): boolean => {
    const op = opOf(d);
    switch (reasonOf(d)) {
      case 'none':
        return true;
      case 'events':
        return OPERATORS[op as Operator].makes === 'rel';
      case 'all':
      case 'first':
      case 'turned':
        return d.parts.every(isPlain);
      case 'choice':
      case 'path':
        return false;
      case undefined:
        return op === 'base';
    }
  };

  const steps = path(derivation);
  return steps.length > 0 ? steps : [stepOf(derivation)];
}
