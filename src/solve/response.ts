/** How much output of a solver is still an answer. */
const LONGEST = 2 ** 28;
const LONGEST_LINE = 2000;

/**
 * Cuts a solver's output into answers. An answer is a list, up to its last parenthesis, or else a
 * line. So no end mark is needed, which not every solver would print.
 */
export interface Reader {
  /**
   * Takes more output; gives the answer if it is complete now. If more follows than was asked for,
   * that is left in it, so that it will make no sense.
   */
  push(output: string): string | undefined;
}

export function createResponseReader(): Reader {
  const parts: string[] = [];
  let length = 0;
  let depth = 0;
  /** The mark that ends the string or the quoted symbol that the output stands in. */
  let quote = '';
  const complete = (last: string): string => {
    const answer = [...parts, last].join('').trim();
    parts.length = 0;
    length = 0;
    depth = 0;
    quote = '';
    return answer;
  };
  return {
    push(output) {
      const text = length === 0 ? output.trimStart() : output;
      if (text === '') return undefined;
      const isList = length === 0 ? text.startsWith('(') : depth > 0;
      for (let i = 0; i < text.length; i++) {
        const c = text[i];
        if (!isList) {
          if (c === '\n') return complete(text);
        } else if (quote !== '') {
          if (c === quote) quote = '';
        } else if (c === '"' || c === '|') {
          quote = c;
        } else if (c === '(') {
          depth += 1;
        } else if (c === ')') {
          depth -= 1;
          if (depth === 0) return complete(text);
        }
      }
      parts.push(text);
      length += text.length;
      return length > (isList ? LONGEST : LONGEST_LINE) ? complete('') : undefined;
    },
  };
}
