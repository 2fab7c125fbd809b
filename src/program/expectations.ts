import type { Report } from '../parse/diagnostics/index.js';
import { didYouMean, nearest } from '../parse/diagnostics/index.js';
import type { NameRecorder } from '../parse/links.js';
import type { Expectation, Ident, QueryDecl } from '../parse/litmus-ast.js';

/** Checks the expectations of a query: their verdicts and their models. */
export function checkExpectations(
  query: QueryDecl,
  knownModels: readonly string[],
  report: Report,
  warn: Report,
  names?: NameRecorder,
): void {
  const isClaim = query.quantifier !== 'exists' && query.quantifier !== '~exists';
  const words = isClaim ? ['holds', 'fails'] : ['allowed', 'forbidden'];
  const seen = new Map<string, Expectation>();
  for (const expectation of query.expectations) {
    if (!words.includes(expectation.verdict)) {
      const message = `the verdict of \`${query.quantifier}\` is ${words.join(' or ')}, not '${expectation.verdict}'`;
      report(expectation.span, message);
    }
    for (const model of expectation.models) {
      const { text, span } = model;
      names?.useOutside(model, 'model');
      if (!knownModels.includes(text)) reportModel(model, knownModels, report, warn);
      const earlier = seen.get(text);
      if (earlier !== undefined && earlier.verdict !== expectation.verdict) {
        report(span, `two different verdicts are expected under ${text}`);
      }
      seen.set(text, expectation);
    }
  }
}

/** An unknown model may be one of the user's own, unless it looks like a typing mistake. */
function reportModel(
  { text, span }: Ident,
  known: readonly string[],
  report: Report,
  warn: Report,
): void {
  const guess = guessModel(text, known);
  if (guess !== undefined) return report(span, `unknown model '${text}'`, guess);
  const message = `model '${text}' is neither one of Remora's nor asked for here: nothing is checked`;
  warn(span, message);
}

/**
 * Is each word of one name close to that of the other? `my-ro` is another variant than `my-tso`, not a mistyped one.
 */
function isNear(name: string, model: string): boolean {
  const [words, others] = [name.split('-'), model.split('-')];
  if (words.length !== others.length) return true;
  return words.every((word, i) => nearest(word, [others[i]]) !== undefined);
}

/** The models that a name most likely stands for: one with a similar spelling, or those that end with the name. */
function guessModel(name: string, known: readonly string[]): string | undefined {
  const longer = known.filter((model) => model.endsWith(`-${name}`));
  if (longer.length === 0)
    return didYouMean(
      name,
      known.filter((model) => isNear(name, model)),
    );
  return `did you mean ${longer.map((model) => `'${model}'`).join(' or ')}?`;
}
