import type { Edit } from './insert.js';

/** Lines around a change. */
const CONTEXT = 3;

/** Lines of the old text, counted from 0, and what stands in their place. */
interface Change {
  readonly from: number;
  readonly to: number;
  readonly lines: readonly string[];
}

/** The edits of a file as a unified diff, which `patch -p0` and `git apply -p0` take. */
export function unifiedDiff(path: string, text: string, edits: readonly Edit[]): string {
  const lines = linesOf(text);
  const changes = changesOf(text, lines, edits);
  const hunks: Change[][] = [];
  for (const change of changes) {
    const last = hunks.at(-1)?.at(-1);
    if (last !== undefined && change.from - last.to <= 2 * CONTEXT) hunks.at(-1)!.push(change);
    else hunks.push([change]);
  }
  let shift = 0;
  const printed = hunks.map((all) => {
    const from = Math.max(0, all[0].from - CONTEXT);
    const to = Math.min(lines.length, all.at(-1)!.to + CONTEXT);
    const body: string[] = [];
    let at = from;
    let more = 0;
    for (const change of all) {
      body.push(...lines.slice(at, change.from).map((line) => ` ${line}`));
      body.push(...lines.slice(change.from, change.to).map((line) => `-${line}`));
      body.push(...change.lines.map((line) => `+${line}`));
      at = change.to;
      more += change.lines.length - (change.to - change.from);
    }
    body.push(...lines.slice(at, to).map((line) => ` ${line}`));
    const range = (start: number, count: number): string =>
      `${count === 0 ? start : start + 1},${count}`;
    const head = `@@ -${range(from, to - from)} +${range(from + shift, to - from + more)} @@\n`;
    shift += more;
    return head + body.map(ended).join('');
  });
  // A name with spaces ends with a tab.
  const name = /\s/.test(path) ? `${path}\t` : path;
  return `--- ${name}\n+++ ${name}\n${printed.join('')}`;
}

/** The lines of a text, each with its end. */
const linesOf = (text: string): readonly string[] => text.match(/[^\n]*\n|[^\n]+$/g) ?? [];

const ended = (line: string): string =>
  line.endsWith('\n') ? line : `${line}\n\\ No newline at end of file\n`;

/** The edits line by line, those of the same lines as one. */
function changesOf(
  text: string,
  lines: readonly string[],
  edits: readonly Edit[],
): readonly Change[] {
  const starts = [0];
  for (const line of lines) starts.push(starts.at(-1)! + line.length);
  const lineAt = (at: number): number => starts.findLastIndex((start) => start <= at);
  const groups: { from: number; to: number; edits: Edit[] }[] = [];
  for (const edit of [...edits].sort((a, b) => a.start - b.start || a.end - b.end)) {
    const from = lineAt(edit.start);
    // What is put in before a line changes no line.
    const isBetween =
      edit.start === edit.end && edit.start === starts[from] && edit.text.endsWith('\n');
    const to = isBetween ? from : lineAt(Math.max(edit.start, edit.end - 1)) + 1;
    const last = groups.at(-1);
    if (last !== undefined && from < last.to) {
      last.to = Math.max(last.to, to);
      last.edits.push(edit);
    } else groups.push({ from, to, edits: [edit] });
  }
  return groups.map(({ from, to, edits: own }) => {
    let out = '';
    let at = starts[from];
    for (const edit of own) {
      out += text.slice(at, edit.start) + edit.text;
      at = edit.end;
    }
    return trimmed({ from, to, lines: linesOf(out + text.slice(at, starts[to])) }, lines);
  });
}

/** A change without lines that stay as they are. */
function trimmed({ from, to, lines }: Change, old: readonly string[]): Change {
  let [first, last] = [0, 0];
  const most = Math.min(to - from, lines.length);
  while (first < most && old[from + first] === lines[first]) first += 1;
  while (last < most - first && old[to - 1 - last] === lines[lines.length - 1 - last]) last += 1;
  return { from: from + first, to: to - last, lines: lines.slice(first, lines.length - last) };
}
