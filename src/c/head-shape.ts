import type { Diagnostic, SourceFile } from '../parse/diagnostics/index.js';
import { didYouMean } from '../parse/diagnostics/index.js';

/** What ends the reading of a head before anything else: brackets without their like, and words that begin nothing. */
export function mistakesOfShape({ path, text }: SourceFile): readonly Diagnostic[] {
  const at = (start: number, length: number) => ({ file: path, start, end: start + length });
  const open = unclosedIn(text);
  if (open !== undefined) {
    const [sign, start] = open;
    const message = CLOSES.has(sign)
      ? `this ${sign} is never closed`
      : `this ${sign} closes nothing`;
    const hint = CLOSES.has(sign) ? `put a ${CLOSES.get(sign)!} behind what is in it` : undefined;
    return [{ span: at(start, 1), message, ...(hint !== undefined && { hint }) }];
  }
  const called = /\bthread\s+(\w+)\s*\(/.exec(text);
  if (called !== null) {
    const [all, name] = called;
    const message = `a thread has its arguments behind the function that it calls`;
    const hint = `thread ${name} on …, or thread T = ${name}(…) on …`;
    return [{ span: at(called.index + all.length - 1, 1), message, hint }];
  }
  return [...text.matchAll(/^[ \t]*(\w+)[ \t]*$/gm)].flatMap((found) => {
    const [line, word] = found;
    const hint = didYouMean(word, ALONE);
    if (hint === undefined || ALONE.includes(word)) return [];
    const message = `there is no word ${word} of heads`;
    return [{ span: at(found.index + line.indexOf(word), word.length), message, hint }];
  });
}

/** Words that are a line of their own. */
const ALONE: readonly string[] = ['sq_sig_all'];

const CLOSES: ReadonlyMap<string, string> = new Map([
  ['(', ')'],
  ['[', ']'],
  ['{', '}'],
]);

/** The first bracket that has none that belongs to it. */
function unclosedIn(text: string): readonly [sign: string, at: number] | undefined {
  const open: (readonly [sign: string, at: number])[] = [];
  for (const { 0: sign, index } of text.matchAll(/[()[\]{}]/g)) {
    if (CLOSES.has(sign)) {
      open.push([sign, index]);
      continue;
    }
    const last = open.pop();
    if (last === undefined) return [sign, index];
    if (CLOSES.get(last[0]) !== sign) return last;
  }
  return open.at(0);
}
