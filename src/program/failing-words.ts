import { labelsIn, operationsOf } from '../model/instructions/operations.js';
import type { Report } from '../parse/diagnostics/index.js';
import { operationCalled } from './call-forms.js';
import { instructionsOf } from './instructions.js';
import { tagsOfCall } from './partners.js';
import type { Call, Program } from './program.js';

/**
 * Reports calls over several words that may fail: when one does, nothing says which of the words are there. The program has the
 * whole instruction set.
 */
export function reportFailingWords(program: Program, report: Report): void {
  program.threads.forEach(({ body }, thread) => {
    for (const i of instructionsOf(body)) {
      if (i.kind !== 'call' || i.words === undefined) continue;
      const tag = mayFailBy(program, thread, i);
      if (tag === undefined) continue;
      const message = `nothing says which words are there when a \`${operationCalled(i)}\` fails`;
      report(i.span, message, `write one for each word, or leave out [${tag}]`);
    }
  });
}

/** The tag by which something else may stand in the place of an event of a call. */
function mayFailBy(program: Program, thread: number, call: Call): string | undefined {
  const { instructions } = program;
  const { alternatives } = operationsOf(instructions).called(call);
  const made = alternatives.flatMap(({ body }) => labelsIn(body));
  const about = tagsOfCall(program, thread, call);
  return instructions.insteads
    .filter(({ of }) => made.includes(of))
    .flatMap(({ tags }) => tags)
    .find((tag) => about.includes(tag));
}
