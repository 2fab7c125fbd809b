import type { Mistake, Report, Span } from '../parse/diagnostics/index.js';
import { didYouMean } from '../parse/diagnostics/index.js';
import type { NameRecorder } from '../parse/links.js';
import type { Ident } from '../parse/litmus-ast.js';
import { WORD, WORDS, valueText } from '../parse/values.js';

/** Reports while a file is resolved, and checks that are used everywhere. */

export function collector(into: Mistake[], severity?: 'warning'): Report {
  return (span, message, hint) => into.push({ severity, span, message, hint });
}

/** The message about values other than numbers in plain programs. */
export const CLIENTS_ALONE = 'only clients of libraries have `none` and tuples';

/** Reports a number that is beyond the integers that are exact. */
export function checkInteger(value: number, span: Span, report: Report): void {
  if (!Number.isSafeInteger(value)) report(span, 'this number is too large');
}

/** Reports a tuple that is too long, or has a word that is too large. */
export function checkWords(words: readonly number[], span: Span, report: Report): void {
  if (words.length > WORDS) report(span, `a tuple has at most ${WORDS} words`);
  const bad = words.find((word) => word < 0 || word >= WORD);
  if (bad !== undefined)
    report(span, `a word of a tuple is a number from 0 to ${WORD - 1}, not ${valueText(bad)}`);
}

/** Checks that a node is declared. */
export function checkNode(
  scope: { readonly nodes: readonly string[]; readonly names?: NameRecorder },
  node: Ident,
  report: Report,
): boolean {
  scope.names?.use(node, ['node']);
  if (scope.nodes.includes(node.text)) return true;
  report(node.span, `unknown node '${node.text}'`, () => didYouMean(node.text, scope.nodes));
  return false;
}
