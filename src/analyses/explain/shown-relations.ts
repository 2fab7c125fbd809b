import type { Result } from '../../parse/diagnostics/index.js';
import { didYouMean, fail, ok } from '../../parse/diagnostics/index.js';
import { BASE_ALIASES, BASE_RELATIONS, BASE_SETS } from '../../model/bases.js';
import { termNames } from '../../model/print.js';
import type { Model, TermId } from '../../model/term.js';
import type { BitRel } from '../../model/relation/matrix.js';
import { identity, universe } from '../../model/relation/matrix.js';
import type { Verified } from '../../check/witness/verify.js';

/** A relation to show, as one model defines it. */
export interface ShownRelation {
  readonly name: string;
  /** A term of the model, or the base relation that has the name. */
  readonly is: { readonly term: TermId } | { readonly base: string };
  readonly words?: string;
}

/**
 * The relations to show under a model: those that were asked for, or else those that its `show` and `unshow` choose. A name
 * that this model does not define is left out: another model may define it.
 */
export function shownRelations(model: Model, wanted?: readonly string[]): readonly ShownRelation[] {
  const names = termNames(model);
  return [...new Set(wanted ?? model.shown)].flatMap((name): ShownRelation[] => {
    const found = relationNamed(model, name);
    if (found === undefined) return [];
    const guess = model.instructions.guesses.find((one) => one.name === name);
    const words = 'term' in found ? names.words(found.term) : guess?.words;
    return [{ name, is: found, ...(words !== undefined && { words }) }];
  });
}

/** Fails if no model has a relation to show. There is one diagnostic for each such name. */
export function checkShown(
  models: readonly Model[],
  wanted: readonly string[],
): Result<readonly string[]> {
  const errors = wanted.flatMap((name) => {
    if (models.some((model) => relationNamed(model, name) !== undefined)) return [];
    const file = models.map((model) => model.name).join(', ');
    const isSet =
      BASE_SETS.includes(name) ||
      models.some((model) => model.definitions.some((d) => d.name === name));
    const message = isSet
      ? `'${name}' is a set: only relations can be shown`
      : `there is no relation '${name}' to show`;
    const hint = isSet ? undefined : didYouMean(name, models.flatMap(relationNames));
    return [{ span: { file, start: 0, end: 0 }, message, hint }];
  });
  return errors.length === 0 ? ok(wanted) : fail(errors);
}

function relationNamed(model: Model, name: string): ShownRelation['is'] | undefined {
  const defined = model.definitions.findLast((d) => d.name === name);
  if (defined !== undefined) {
    return model.terms[defined.term].kind === 'rel' ? { term: defined.term } : undefined;
  }
  const base = BASE_ALIASES.get(name) ?? name;
  return basesOf(model).includes(base) ? { base } : undefined;
}

/** The base relations of a model: those of all models, and what it guesses. */
const basesOf = ({ instructions }: Model): readonly string[] => [
  ...BASE_RELATIONS,
  ...instructions.guesses.map((guess) => guess.name),
];

const relationNames = (model: Model): readonly string[] => [
  ...basesOf(model),
  ...BASE_ALIASES.keys(),
  ...model.definitions.filter((d) => model.terms[d.term].kind === 'rel').map((d) => d.name),
];

/** The pairs of a relation to show, in an execution that was judged by its model. */
export function shownValue({ is }: ShownRelation, { execution, judgement }: Verified): BitRel {
  if ('term' in is) return judgement.rel(is.term);
  return execution.relations.get(is.base) ?? identity(universe(execution.size));
}
