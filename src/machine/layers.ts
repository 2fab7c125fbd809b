import type { Axiom, Model } from '../model/term.js';
import { operandsOf } from '../model/term.js';
import type { Layers } from './form.js';
import { layersOf } from './form.js';
import { farTerm, reachesOf } from './reach.js';

/** Why there is no machine, in words. */
export interface Refusal {
  readonly message: string;
  readonly hint?: string;
  /** The axiom that does not fit, if it is one. */
  readonly axiom?: Axiom;
}

/**
 * The layers of a model that has a machine, by its form alone: its axioms order steps in two layers, and to know how two events are related, their two calls are enough. What
 * is left to check depends on calls: `refusalFor`.
 */
export function readLayers(model: Model): Layers | Refusal {
  const layers = layersOf(model);
  if ('message' in layers) return layers;
  const { issued, observed, inst, checks } = layers;
  const reaches = reachesOf(model);
  const wide = checks.find(({ term }) => reaches[term] !== 'call');
  if (wide !== undefined) {
    return {
      axiom: wide,
      message: `axiom '${wide.name}' asks that something be empty that more than one call decides`,
      hint: 'a machine has only axioms that order steps, and checks of single calls',
    };
  }
  const roots = [...issued, ...observed, ...(inst === undefined ? [] : [inst])];
  const far = farTerm(reaches, roots, (id) => operandsOf(model.terms[id]));
  if (far === undefined) return layers;
  const name = model.definitions.find(({ term }) => term === far)?.name;
  const what =
    name === undefined ? 'a relation that `issued` or `observed` is made of' : `'${name}'`;
  return {
    message: `${what} relates events by way of other calls`,
    hint: 'two calls have to be enough to tell: write what follows from several steps as several edges',
  };
}

/** Has a model a machine, by its form? What depends on the calls of a program is another question. */
export const isMachine = (model: Model): boolean => !('message' in readLayers(model));
