import { operationsOf } from '../model/instructions/operations.js';
import type { Span } from '../parse/diagnostics/index.js';
import { instructionsOf } from '../program/instructions.js';
import type { Call, Program } from '../program/program.js';
import { operationText } from '../report/instructions.js';
import { touches } from './links.js';

/** The smallest call around a place, with what it does. */
export function callAt(
  { threads, instructions }: Program,
  path: string,
  offset: number,
): { readonly text: string; readonly span: Span } | undefined {
  const calls = threads
    .flatMap(({ body }) => [...instructionsOf(body)])
    .filter((i): i is Call => i.kind === 'call' && i.span.file === path && touches(i.span, offset))
    .sort((a, b) => a.span.end - a.span.start - (b.span.end - b.span.start));
  const [call] = calls;
  const operation = call && operationsOf(instructions).find(call.operation, call.tags);
  if (operation === undefined) return undefined;
  return { text: operationText(operation, instructions), span: call.span };
}
