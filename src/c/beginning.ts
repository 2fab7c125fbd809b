/** How a head is told from other comments. It has a file of its own because editors ask that of every C file. */

/** A comment that begins as a head does. Many files have one: `RDMA writes are posted here`. */
export const BEGINNING = /(?:\/\*|\/\/)[\s*]*RDMA(?=\s)/g;
/** What ordinary comments do not say. */
const SAYS = /\bthread\s+\w+\s*(?:=|on\b)|\bnode\s+\w+\s*\{/;

/** Whether a comment that begins so is a head. */
export const isHead = (comment: string): boolean => SAYS.test(comment);

/** Whether a text has a head, as far as can be told without parsing it. */
export const mayHaveHead = (text: string): boolean =>
  [...text.matchAll(BEGINNING)].some(({ index, 0: { length } }) => {
    const isBlock = text.startsWith('/*', index);
    const end = (isBlock ? /\*\// : /\n(?![ \t]*\/\/)/).exec(text.slice(index + length))?.index;
    return isHead(text.slice(index, end === undefined ? undefined : index + length + end));
  });
