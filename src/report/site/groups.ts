import type {
  ModelComparison,
  Explanation,
  ModelExplanation,
  Order,
} from '../../analyses/explain/explanation.js';
import { mainModel } from './site.js';

/** Models whose answers have the same explanation. Only the steps that lead to an execution may differ. */
export interface ModelGroup {
  readonly models: readonly string[];
  /** The explanation of the first of them. */
  readonly explanation: ModelExplanation;
  /** If there is an execution: the different orders of steps that lead to it, each with its models. */
  readonly orders: readonly { readonly models: readonly string[]; readonly order: Order }[];
}

/**
 * The explanations of a query without repetitions: models with the same one are a group. The group of the main model
 * comes first, and the others are in the order of their names.
 */
export function groupsOf(
  { models }: Explanation,
  names: readonly string[],
  published: readonly string[],
): readonly ModelGroup[] {
  const explained = models.filter((m) => m.admitted ?? m.refuted ?? m.unfinished);
  const first = mainModel(
    explained.map((m) => m.model),
    published,
  );
  const place = ({ model }: ModelExplanation) => (model === first ? -1 : names.indexOf(model));
  const sorted = [...explained].sort((a, b) => place(a) - place(b));
  const inOrder = (some: readonly ModelExplanation[]) =>
    names.filter((name) => some.some((m) => m.model === name));
  return grouped(sorted, sameButOrder).map((same) => ({
    models: inOrder(same),
    explanation: same[0],
    orders: grouped(
      same.filter((m) => m.admitted?.order !== undefined),
      (m) => keyOf(m.admitted?.order),
    ).map((alike) => ({ models: inOrder(alike), order: alike[0].admitted!.order! })),
  }));
}

/**
 * Comparisons that show the same picture: an execution that one model admits, and the models that reject it in the same
 * way.
 */
export interface Contrast {
  readonly admits: string;
  readonly rejecting: readonly string[];
  readonly comparison: ModelComparison;
}

/** The comparisons of a query without repetitions. Those with the main model come first. */
export function contrastsOf(
  { models, comparisons }: Explanation,
  names: readonly string[],
): readonly Contrast[] {
  const main = mainModel(models.map((m) => m.model));
  const place = ({ rejects }: ModelComparison) => (rejects === main ? -1 : names.indexOf(rejects));
  const sorted = [...comparisons].sort((a, b) => place(a) - place(b));
  return grouped(sorted, (c) => keyOf(c, ['rejects'])).map((same) => ({
    admits: same[0].admits,
    rejecting: same.map((c) => c.rejects),
    comparison: same[0],
  }));
}

/**
 * Fields to ignore when explanations are compared: numbers of terms differ between models, and readers never see them.
 */
const UNSEEN = ['term'];
const sameButOrder = (explanation: ModelExplanation): string =>
  keyOf(explanation, ['model', 'note', 'order', 'timeline']);

/** A value as text for comparison, without the fields that have certain names. */
const keyOf = (value: unknown, without: readonly string[] = []): string =>
  JSON.stringify(value, (name, inner: unknown) =>
    UNSEEN.includes(name) || without.includes(name) ? undefined : inner,
  );

function grouped<T>(items: readonly T[], key: (item: T) => string): readonly (readonly T[])[] {
  const groups = new Map<string, T[]>();
  for (const item of items) {
    const group = groups.get(key(item));
    if (group === undefined) groups.set(key(item), [item]);
    else group.push(item);
  }
  return [...groups.values()];
}
