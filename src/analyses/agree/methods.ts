import type { Engine } from '../../rdma/engines.js';
import { refusal } from '../../rdma/prepare.js';
import type { Diagnostic } from '../../parse/diagnostics/index.js';
import type { Model } from '../../model/term.js';

/** A method to list the final states of a program: an engine, and the model that it works under. */
export interface AgreeMethod {
  readonly engine: Engine;
  readonly model: Model;
}

/** A method where nobody is to apply it: what reports say of it. */
export interface NamedMethod {
  readonly engine: Engine;
  readonly model: Pick<Model, 'name'>;
}

/** Methods that must find the same final states. */
export interface MethodGroup<Way extends NamedMethod = AgreeMethod> {
  readonly models: readonly Way['model'][];
  readonly ways: readonly Way[];
}

export interface MethodGrouping {
  readonly groups: readonly MethodGroup[];
  /** Engines that were not asked for by name, where they cannot treat a model. */
  readonly leftOut: readonly AgreeMethod[];
  /** Engines that were asked for, but cannot treat a model. */
  readonly refused: readonly Diagnostic[];
}

export interface WantedMethods {
  readonly engines: readonly Engine[];
  /** Whether the user named the engines: then each of them has to take part. */
  readonly named: boolean;
  readonly models: readonly Model[];
  /** Whether the models have to agree with each other, too. */
  readonly equivalent: boolean;
}

/** Which methods are compared: the engines under each model, or all engines under all models together. */
export function groupMethods({
  engines,
  named,
  models,
  equivalent,
}: WantedMethods): MethodGrouping {
  const all = models.flatMap((model) =>
    engines.map((engine) => ({ way: { engine, model }, refused: refusal(engine, model) })),
  );
  const refused = all.flatMap((w) => w.refused ?? []);
  const ways = all.flatMap((w) => (w.refused === undefined ? [w.way] : []));
  const groups = equivalent
    ? [{ models, ways }]
    : models.map((model) => ({ models: [model], ways: ways.filter((w) => w.model === model) }));
  const leftOut = all.flatMap((w) => (w.refused === undefined ? [] : [w.way]));
  return named ? { groups, leftOut: [], refused } : { groups, leftOut, refused: [] };
}

export function showMethod({ engine, model }: NamedMethod): string {
  return `${engine} under ${model.name}`;
}
