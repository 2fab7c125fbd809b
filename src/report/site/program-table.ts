import { blocksOf } from '../../program/instructions.js';
import { printInstruction } from '../../program/print.js';
import type { Instruction, Program, Test, Thread } from '../../program/program.js';
import { isC } from '../../program/read.js';
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
 * @param file the text of its file
 */
export function programTable({ program, file: path }: Test, file: string): Html {
  const places = placesOf(program);
  const text = withoutComments(file);
  const wordsOf = (thread: Thread): Words =>
    isC(path) ? (i) => printInstruction(program, thread, i, () => '{') : (i) => writtenIn(text, i);
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
                      <pre><code>${linesOf(thread.body, wordsOf(thread)).join('\n')}</code></pre>
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

/** The text of an instruction, up to its first block. */
type Words = (i: Instruction) => string;

/** In the words of a litmus file, which is without comments. The span of what has blocks may end before the first. */
function writtenIn(text: string, i: Instruction): string {
  const { start, end } = i.span;
  return text.slice(start, blocksOf(i).length === 0 ? end : text.indexOf('{', start));
}

/** The instructions of a thread, laid out anew. */
function linesOf(body: readonly Instruction[], words: Words): readonly string[] {
  return body.flatMap((i) => {
    const line = inLine(i, words);
    const blocks = blocksOf(i);
    if (blocks.length === 0 || line.length <= WIDTH) return [line];
    return blocks.flatMap((block, b) => [
      b === 0 ? `${headOf(i, words)} {` : `} ${between(i)} {`,
      ...indented(block.length === 0 ? ['skip'] : linesOf(block, words)),
      ...(b === blocks.length - 1 ? ['}'] : []),
    ]);
  });
}

/** An instruction on one line, with all instructions in it. */
function inLine(i: Instruction, words: Words): string {
  const blocks = blocksOf(i);
  if (blocks.length === 0) return oneLine(words(i));
  const written = blocks.map((b) => `{ ${b.map((j) => inLine(j, words)).join('; ') || 'skip'} }`);
  return `${headOf(i, words)} ${written.join(` ${between(i)} `)}`;
}

const headOf = (i: Instruction, words: Words): string => oneLine(words(i).split('{')[0]);

const between = (i: Instruction): string => (i.kind === 'choose' ? 'or' : 'else');

const oneLine = (text: string): string => text.replace(/\s+/g, ' ').trim();

const indented = (lines: readonly string[]): readonly string[] => lines.map((line) => `  ${line}`);

/** A litmus file with its comments replaced by blanks, so that all offsets stay the same. */
function withoutComments(text: string): string {
  return text.replace(/"[^"]*"|#[^\r\n]*/g, (part) =>
    part.startsWith('#') ? ' '.repeat(part.length) : part,
  );
}
