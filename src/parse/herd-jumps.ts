import type { Span } from './diagnostics/index.js';
import type { Instantiated, Part } from './isa.js';
import { said } from './isa.js';
import type { Token } from './tokens.js';

/** A line of a thread of assembly: an instruction, or a label. */
export type Line = Instantiated | { readonly mark: Part };

/** Instructions of a litmus file, each as its tokens. */
type Body = readonly (readonly Token[])[];

/** The register that says which jump was taken, by the number of its label; 0: none. */
const TAKEN = 'jumped';

/**
 * The instructions of a thread. What a jump forward passes over is what is done if it is not taken; where jumps cross, a register says which
 * one was taken.
 *
 * @param refuse is told the label of a jump that is not below it
 */
export function inBlocks(lines: readonly Line[], refuse: (label: Span) => never): Body {
  for (const [at, line] of lines.entries())
    if (!('mark' in line) && line.label !== undefined && endOf(lines, at) < 0)
      refuse(line.label.span);
  return isNested(lines) ? nested(lines) : guarded(lines);
}

function nested(lines: readonly Line[]): Body {
  const made: (readonly Token[])[] = [];
  for (let at = 0; at < lines.length; at++) {
    const line = lines[at];
    if ('mark' in line) continue;
    const { label, tokens } = line;
    if (label === undefined) made.push(tokens);
    else {
      const end = endOf(lines, at);
      made.push(when(tokens, nested(lines.slice(at + 1, end)), label.span));
      at = end;
    }
  }
  return made;
}

function guarded(lines: readonly Line[]): Body {
  const labels = lines.flatMap((line) => ('mark' in line ? [line.mark.text] : []));
  const made: (readonly Token[])[] = [];
  let running: (readonly Token[])[] = [];
  const flush = (span: Span): void => {
    if (running.length > 0) made.push(when(said(`${TAKEN} = 0`, span), running, span));
    running = [];
  };
  for (const line of lines) {
    const { span } = 'mark' in line ? line.mark : (line.label ?? line.tokens[0]);
    if (made.length === 0) made.push(said(`${TAKEN} := 0`, span));
    if ('mark' in line) {
      flush(span);
      const isHere = said(`${TAKEN} = ${labels.indexOf(line.mark.text) + 1}`, span);
      made.push(when(isHere, [said(`${TAKEN} := 0`, span)], span));
    } else if (line.label === undefined) running.push(line.tokens);
    else {
      const number = labels.indexOf(line.label.text) + 1;
      const jump = said(`else { ${TAKEN} := ${number} }`, span);
      running.push([...when(line.tokens, [], span), ...jump]);
      flush(span);
    }
  }
  const last = lines.at(-1)!;
  flush('mark' in last ? last.mark.span : last.tokens[0].span);
  return made;
}

/** Where the label of a jump is below it. */
const endOf = (lines: readonly Line[], at: number): number => {
  const { label } = lines[at] as Instantiated;
  return lines.findIndex((one, i) => i > at && 'mark' in one && one.mark.text === label!.text);
};

/** Is no jump out of what another one passes over? */
function isNested(lines: readonly Line[]): boolean {
  const ends: number[] = [];
  return lines.every((line, at) => {
    while (ends.length > 0 && ends.at(-1)! <= at) ends.pop();
    if ('mark' in line || line.label === undefined) return true;
    const end = endOf(lines, at);
    const isInside = ends.length === 0 || end < ends.at(-1)!;
    ends.push(end);
    return isInside;
  });
}

/** Instructions under a condition. */
const when = (condition: readonly Token[], body: Body, span: Span): readonly Token[] => [
  ...said('if (', span),
  ...condition,
  ...said(') {', span),
  ...(body.length === 0 ? said('skip', span) : inOrder(body, span)),
  ...said('}', span),
];

/** Instructions one after the other. */
export const inOrder = (all: Body, span: Span): readonly Token[] =>
  all.flatMap((one, i) => (i === 0 ? one : [...said(';', span), ...one]));
