/** How many columns the text of an explanation has at most. */
export const WIDTH = 100;

/** Joins texts to lines of at most a width. A wider text gets a line of its own. */
export function wrap(
  texts: readonly string[],
  separator: string,
  width: number,
): readonly string[] {
  const lines: string[] = [];
  for (const text of texts) {
    const last = lines[lines.length - 1];
    const longer = `${last}${separator}${text}`;
    if (last !== undefined && longer.length <= width) lines[lines.length - 1] = longer;
    else lines.push(text);
  }
  return lines;
}

/** Breaks a sentence into lines of at most a width. All but the first are indented. */
export function wrapSentence(sentence: string, width: number, indent = ''): readonly string[] {
  const lines = wrap(sentence.split(' '), ' ', width - indent.length);
  return lines.map((line, i) => (i === 0 ? line : indent + line));
}

export function plural(count: number, noun: string): string {
  return `${count} ${noun}${count === 1 ? '' : 's'}`;
}
