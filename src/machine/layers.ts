import type { Axiom, Model, Term, TermId } from '../model/term.js';
import { operandsOf } from '../model/term.js';
import type { Layer, Layers } from './form.js';
import type { Span } from '../parse/diagnostics/index.js';
import { termsOfGuess } from '../model/instructions/guess.js';
import { labelsIn } from '../model/instructions/operations.js';
import type { InstructionSet, Label, Operation } from '../model/instructions/set.js';
import { QUEUED, SHARED } from '../model/instructions/set.js';
import { guessTermsWith, withLabels } from '../model/narrow.js';
import { setWith } from '../program/occasions.js';
import { endsIn } from '../program/wires.js';
import { carriedGuesses } from './carried.js';
import type { Check } from './checks.js';
import { checksOf } from './checks.js';
import { layersOf, unionOf } from './form.js';
import type { CallSite } from './calls.js';
import { farTerm, reachesOf } from './reach.js';

/** Why there is no machine, in words. */
export interface Refusal {
  readonly message: string;
  readonly hint?: string;
  /** What does not fit: an axiom, something that has a name, or what relates events. */
  readonly axiom?: Axiom;
  readonly term?: TermId;
  readonly layer?: Layer;
  /** The call of which it shows: the last one. */
  readonly call?: CallSite;
}

/** What a program has that a model may be about. What it does not have of it is no obstacle to a machine. */
export interface Uses {
  readonly instructions: InstructionSet;
  /** The operations that it calls. */
  readonly called: readonly Operation[];
  /** Does it share queue pairs, or completion queues? */
  readonly shares: boolean;
}

/**
 * The layers of a model that has a machine, by its form alone: its axioms order steps in two layers, and to know how two events are related, their two calls are enough. What
 * is left to check depends on calls: `refusalFor`.
 *
 * @param uses what a program has. Without it: what most programs have, which is neither messages, nor what neither a CPU nor a NIC performs, nor anything shared
 */
export function readLayers(model: Model, uses: Uses = usesOfMost(model)): MachineLayers | Refusal {
  const ofModel = known.get(model) ?? new Map<string, MachineLayers | Refusal>();
  known.set(model, ofModel);
  const key = [uses.shares, ...labelsMade(uses)].join(' ');
  const made = ofModel.get(key) ?? readFrom(model, uses);
  ofModel.set(key, made);
  return made;
}

const known = new WeakMap<Model, Map<string, MachineLayers | Refusal>>();

const usesOfMost = ({ instructions }: Model): Uses => ({
  instructions: setWith(instructions, []),
  called: [],
  shares: false,
});

/** The labels that events can have, and bases that are empty besides. */
function presence(uses: Uses): readonly [labels: ReadonlySet<string>, empty: readonly string[]] {
  const hasMessages = uses.called.some(isOnWires);
  const empty = [...(uses.shares ? [] : [SHARED, QUEUED]), ...(hasMessages ? [] : ['ends'])];
  return [labelsMade(uses), empty];
}

/** The labels of the events that programs can have. */
function labelsMade({
  instructions: { operations, labels, initial },
  called,
}: Uses): ReadonlySet<string> {
  const isMade = (isOfKind: (o: Operation) => boolean, o: Operation): boolean =>
    !isOfKind(o) || called.some(isOfKind);
  const making = operations.filter(
    (o) => isMade(isOnWires, o) && isMade((one) => isByNobody(one, labels), o),
  );
  const made = new Set(making.flatMap((o) => o.alternatives.flatMap(({ body }) => labelsIn(body))));
  return new Set(labels.flatMap(({ name }) => (made.has(name) || name === initial ? [name] : [])));
}

/** Is an operation one that most programs do not have: on messages, or with events that neither a CPU nor a NIC performs? */
export const isUncommon = (operation: Operation, labels: readonly Label[]): boolean =>
  isOnWires(operation) || isByNobody(operation, labels);

const isOnWires = (operation: Operation): boolean => endsIn(operation).length > 0;

function isByNobody({ alternatives }: Operation, labels: readonly Label[]): boolean {
  const made = alternatives.flatMap(({ body }) => labelsIn(body));
  return labels.some(({ name, by }) => by === undefined && made.includes(name));
}

function readFrom(whole: Model, uses: Uses): MachineLayers | Refusal {
  const present = presence(uses);
  const model = withLabels(whole, ...present);
  const layers = layersOf(model);
  if ('message' in layers) return layers;
  const { issued, observed, inst, checks, coherence } = layers;
  if (coherence !== undefined) return { axiom: coherence, ...OUT_OF_ORDER };
  const within = carriedGuesses(whole.instructions);
  const wideGuess = guessByOthers(model, guessTermsWith(whole, ...present));
  if (wideGuess !== undefined) {
    return {
      message: `what the guess ${wideGuess} is about depends on other calls`,
      hint: TWO_CALLS,
    };
  }
  const reaches = reachesOf(model, within);
  const parts = checks.map(({ term }) => checksOf(model.terms, reaches, term));
  const wide = checks.find((_, i) => parts[i] === undefined);
  if (wide !== undefined) {
    return {
      axiom: wide,
      message: `axiom '${wide.name}' asks that something be empty that more than two calls decide`,
      hint: 'a machine has only axioms that order steps, and checks of calls and of what is before them',
    };
  }
  const ordering = { issued, observed, inst: inst === undefined ? [] : [inst] };
  for (const layer of ['issued', 'observed', 'inst'] as const) {
    const far = farTerm(reaches, ordering[layer], (id) => operandsOf(model.terms[id]));
    if (far !== undefined) return tooFar(model, far, layer);
  }
  return { ...layers, checks: parts.flatMap((part) => part ?? []) };
}

/** The layers of a model that has a machine, and what it asks to be empty. */
export type MachineLayers = Omit<Layers, 'checks' | 'coherence'> & {
  readonly checks: readonly Check[];
};

/** Has a model a machine, be it one that answers questions about final states alone? */
export const hasMachine = (model: Model): boolean => isMachine(model) || isOutOfOrder(model);

/** Whether reads are performed out of order, so that single calls do not tell what a thread does: `whole/` takes these models. */
export function isOutOfOrder(model: Model): boolean {
  const layers = readLayers(model);
  return 'message' in layers && layers.message === OUT_OF_ORDER.message;
}

const OUT_OF_ORDER = {
  message: 'reads are performed out of order, so that calls cannot be taken one by one',
  hint: 'the engine operational goes through whole programs, with loops round by round, for final states, and `explore` for who waits for ever',
};

const TWO_CALLS = 'two calls have to be enough to tell';

/** A guess that is not about the same events of two calls where there are others. */
function guessByOthers(
  { instructions: { guesses } }: Model,
  terms: readonly Term[],
): string | undefined {
  const reaches = reachesOf({ terms });
  return guesses.find((guess) => termsOfGuess(guess).some((id) => reaches[id] === 'far'))?.name;
}

function tooFar(model: Model, far: TermId, layer: Layer): Refusal {
  const found = model.definitions.find(({ term }) => term === far);
  const what =
    found === undefined
      ? `a relation that \`${layer === 'inst' ? 'Inst' : layer}\` is made of`
      : `'${found.name}'`;
  return {
    message: `${what} relates events by way of other calls`,
    hint: `${TWO_CALLS}: write what follows from several steps as several edges`,
    ...(found === undefined ? { layer } : { term: far }),
  };
}

/** Has a model a machine, by its form? What depends on the calls of a program is another question. */
export const isMachine = (model: Model): boolean => !('message' in readLayers(model));

/** The place in a model file that a refusal is about: an axiom, or a definition, as of a layer; undefined if it is about the whole file. */
export function placeOfRefusal(
  model: Model,
  { axiom, term: named, layer }: Pick<Refusal, 'axiom' | 'term' | 'layer'>,
): Span | undefined {
  if (axiom !== undefined) return axiom.span;
  if (named !== undefined) return model.definitions.find(({ term }) => term === named)?.span;
  if (layer === undefined) return undefined;
  const plain = withLabels(model, ...presence(usesOfMost(model)));
  const layers = layersOf(plain);
  if ('message' in layers) return undefined;
  const isLayer = (term: TermId): boolean => {
    if (layer === 'inst') return term === layers.inst;
    const parts = unionOf(plain.terms, term);
    return (
      parts.length === layers[layer].length && parts.every((part) => layers[layer].includes(part))
    );
  };
  return plain.definitions.findLast(({ term }) => isLayer(term))?.span;
}
