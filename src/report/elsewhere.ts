import type { Answer, Verdict } from '../check/result.js';
import type { Model } from '../model/term.js';
import { HAPPENS } from './outcome.js';

/** The answer of a model, or why it cannot treat the program. */
export type Said = Pick<Answer, 'verdict' | 'reason'> | { readonly refusal: string };

/** What another model answers to a query; and if there is a fix, what it answers after the fix. */
export interface Elsewhere {
  readonly model: Pick<Model, 'name' | 'title'>;
  readonly answer: Said;
  readonly withFix?: Said;
}

/** That another model does not confirm an answer, or the effect of its fix. There is none for a model that does. */
export interface ElsewhereDeparture {
  readonly about: 'answer' | 'fix';
  /**
   * - `possible`: the answer rules it out, and this model allows it
   * - `impossible`: the answer allows it, and this model rules it out
   * - `open`: it has no answer
   * - `untried`: it cannot treat the program
   */
  readonly kind: 'possible' | 'impossible' | 'open' | 'untried';
  readonly model: Pick<Model, 'name' | 'title'>;
  /** Why there is no answer. */
  readonly reason?: string;
}

/** How other models depart from a verdict, in the order of the models. */
export function departures(
  verdict: Verdict,
  elsewhere: readonly Elsewhere[],
): readonly ElsewhereDeparture[] {
  const happens = HAPPENS[verdict];
  if (happens === undefined) return [];
  return elsewhere.flatMap(({ model, answer, withFix }) => [
    ...departure('answer', model, answer, happens),
    ...(withFix === undefined ? [] : departure('fix', model, withFix, false)),
  ]);
}

function departure(
  about: ElsewhereDeparture['about'],
  model: ElsewhereDeparture['model'],
  said: Said,
  expected: boolean,
): readonly ElsewhereDeparture[] {
  if ('refusal' in said) return [{ about, kind: 'untried', model, reason: said.refusal }];
  const { verdict, reason = verdict } = said;
  const happens = HAPPENS[verdict];
  if (happens === undefined) return [{ about, kind: 'open', model, reason }];
  if (happens === expected) return [];
  return [{ about, kind: happens ? 'possible' : 'impossible', model }];
}

/** A departure as a sentence. */
export function departureText({ about, kind, model, reason }: ElsewhereDeparture): string {
  const named = `${model.name} (${model.title})`;
  const what = about === 'fix' ? 'The fix' : 'This answer';
  switch (kind) {
    case 'possible':
      return `${what} rests on what ${named} lacks: there ${about === 'fix' ? 'it is not enough' : 'it can end so'}.`;
    case 'impossible':
      return `${what} is another under ${named}: there it cannot end so.`;
    case 'open':
      return `${what} is undecided under ${named}: ${reason}.`;
    case 'untried':
      return `${what} was not tried under ${named}: ${reason}.`;
  }
}

/** A departure in a few words, for a table. */
export function departureWords({ about, kind, model: { name } }: ElsewhereDeparture): string {
  if (kind === 'open') return `undecided under ${name}`;
  if (kind === 'untried') return `not tried under ${name}`;
  return about === 'fix' ? `not enough under ${name}` : `otherwise under ${name}`;
}
