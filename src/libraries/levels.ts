import type { Result } from '../parse/diagnostics/index.js';
import { fail, ok } from '../parse/diagnostics/index.js';
import type { ImplementationFile } from '../parse/implementation-ast.js';

/**
 * Implementations in the order in which they are inlined: each before the implementations of libraries that it calls.
 * Two implementations of one library, and a circle, are mistakes.
 */
export function inLevels(
  implementations: readonly ImplementationFile[],
): Result<readonly ImplementationFile[]> {
  const libraries = new Map<string, ImplementationFile>();
  for (const one of implementations) {
    const { text, span } = one.implements;
    const earlier = libraries.get(text);
    if (earlier !== undefined) {
      const message = `${one.name.text} and ${earlier.name.text} both implement ${text}`;
      return fail([{ span, message, hint: 'give one of them' }]);
    }
    libraries.set(text, one);
  }
  const ordered: ImplementationFile[] = [];
  const left = new Set(implementations);
  while (left.size > 0) {
    const called = new Set([...left].flatMap(({ over }) => over.map(({ text }) => text)));
    const next = [...left].find((one) => !called.has(one.implements.text));
    if (next === undefined) return fail([circle([...left], libraries)]);
    left.delete(next);
    ordered.push(next);
  }
  return ok(ordered);
}

/** Describes the circle of implementations that call each other. */
function circle(
  left: readonly ImplementationFile[],
  libraries: ReadonlyMap<string, ImplementationFile>,
) {
  const among = (one: ImplementationFile) =>
    one.over
      .map(({ text }) => libraries.get(text))
      .find((o) => o !== undefined && left.includes(o));
  const path: ImplementationFile[] = [];
  let at = left.find((one) => among(one) !== undefined);
  while (at !== undefined && !path.includes(at)) {
    path.push(at);
    at = among(at);
  }
  const round = path.slice(at === undefined ? 0 : path.indexOf(at));
  const names = [...round, round[0]].map((one) => `${one.name.text} (${one.implements.text})`);
  const message = `these implementations are over each other: ${names.join(', ')}`;
  return { span: round[0].implements.span, message };
}
