import { bodiesOf } from '../../program/instructions.js';
import type { Instruction, Program, Thread } from '../../program/program.js';
import type { Html } from './html.js';
import { html } from './html.js';

/** A node of a program, with its initial values and its threads. */
interface NodePart {
  readonly node: string;
  readonly initial: readonly string[];
  readonly threads: readonly Thread[];
}

/**
 * A program as papers print it: nodes with their initial values, and below them a column for each thread.
 *
 * @param file the text of its litmus file
 */
export function programTable(program: Program, file: string): Html {
  const places = placesOf(program);
  const text = withoutComments(file);
  return html`<div class="scroll">
    <table class="program">
      <caption class="unseen">
        The program: a column for each thread, below its node
      </caption>
      <thead>
        <tr>
          ${places.map(
            ({ node, initial, threads }) =>
              html`<th
                scope="${threads.length > 1 ? 'colgroup' : 'col'}"
                colspan="${threads.length || 1}"
              >
                node ${node}<span class="initial"
                  >${initial.map((value) => html`<code>${value}</code>`)}</span
                >
              </th>`,
          )}
        </tr>
        <tr>
          ${places.map(({ threads }) =>
            threads.length === 0
              ? html`<td class="edge">no thread</td>`
              : threads.map(
                  ({ name }, t) => html`<th scope="col" class="${t === 0 && 'edge'}">${name}</th>`,
                ),
          )}
        </tr>
      </thead>
      <tbody>
        <tr>
          ${places.map(({ threads }) =>
            threads.length === 0
              ? html`<td class="edge"></td>`
              : threads.map(
                  (thread, t) =>
                    html`<td class="${t === 0 && 'edge'}">
                      <pre><code>${linesOf(thread.body, text).join('\n')}</code></pre>
                    </td>`,
                ),
          )}
        </tr>
      </tbody>
    </table>
  </div>`;
}

function placesOf({ nodes, locations, threads }: Program): readonly NodePart[] {
  return nodes.map((node) => ({
    node,
    initial: locations.flatMap((l) =>
      l.node === node && l.owner === undefined && l.hidden !== true
        ? `${l.name} = ${l.initial}`
        : [],
    ),
    threads: threads.filter((t) => t.node === node),
  }));
}

/** An instruction of at most this length stays on one line, with all instructions in it. */
const WIDTH = 32;

/** The instructions of a thread in the words of the file, laid out anew; `text` is the file without comments. */
function linesOf(body: readonly Instruction[], text: string): readonly string[] {
  return body.flatMap((i) => {
    const line = inLine(i, text);
    const blocks = blocksOf(i);
    if (blocks.length === 0 || line.length <= WIDTH) return [line];
    return blocks.flatMap((block, b) => [
      b === 0 ? `${headOf(i, text)} {` : `} ${between(i)} {`,
      ...indented(block.length === 0 ? ['skip'] : linesOf(block, text)),
      ...(b === blocks.length - 1 ? ['}'] : []),
    ]);
  });
}

/** An instruction on one line, with all instructions in it. */
function inLine(i: Instruction, text: string): string {
  const blocks = blocksOf(i);
  if (blocks.length === 0) return oneLine(text.slice(i.span.start, i.span.end));
  const written = blocks.map((b) => `{ ${b.map((j) => inLine(j, text)).join('; ') || 'skip'} }`);
  return `${headOf(i, text)} ${written.join(` ${between(i)} `)}`;
}

const blocksOf = (i: Instruction): readonly (readonly Instruction[])[] =>
  i.kind === 'if' && i.else.length === 0 ? [i.then] : bodiesOf(i);

/** The text of an instruction before its first block. The span may end before that. */
const headOf = ({ span: { start } }: Instruction, text: string): string =>
  oneLine(text.slice(start, text.indexOf('{', start)));

const between = (i: Instruction): string => (i.kind === 'choose' ? 'or' : 'else');

const oneLine = (text: string): string => text.replace(/\s+/g, ' ').trim();

const indented = (lines: readonly string[]): readonly string[] => lines.map((line) => `  ${line}`);

/** A litmus file with its comments replaced by blanks, so that all offsets stay the same. */
function withoutComments(text: string): string {
  return text.replace(/"[^"]*"|#[^\r\n]*/g, (part) =>
    part.startsWith('#') ? ' '.repeat(part.length) : part,
  );
}
