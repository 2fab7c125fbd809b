import { readFileSync } from 'node:fs';

/** A case of a text file: an input and what comes out of it. */
export interface Case {
  readonly name: string;
  readonly input: string;
  readonly expected: string;
}

/** The cases of a file, a blank line between them: `# name`, input, `==>`, and what comes out. */
export function readCases(path: string): readonly Case[] {
  const parts = readFileSync(path, 'utf8').split(/\n\n(?=# )/);
  return parts.map((part) => {
    const [head, expected = ''] = part.split(/^==>$/m);
    const [title, ...input] = head.trimEnd().split('\n');
    if (expected.trim() === '') throw new Error(`the case '${title}' expects nothing`);
    return { name: title.slice(2), input: input.join('\n'), expected: expected.trim() };
  });
}
