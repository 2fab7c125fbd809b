/** A token or comment of a line. */
export interface LinePiece {
  readonly text: string;
  /** Only pieces of the same kind make a column. */
  readonly kind: string;
  /** The column in which it was; -1 if it had none. */
  readonly column: number;
  /** How many blanks were before it. */
  readonly blanks: number;
  /** How many blanks it gets if it is in no column. */
  readonly gap: number;
}

export interface Line {
  /** The number of the line, which shows which lines are neighbours. */
  readonly number: number;
  readonly indent: number;
  /** Does it only have comments? Then the lines above and below it are neighbours. */
  readonly isComment: boolean;
  readonly pieces: readonly LinePiece[];
}

/** A piece by the index of its line and its index in the line. */
interface At {
  readonly line: number;
  readonly piece: number;
}

/**
 * Lines with the blanks that pieces need. Pieces of neighbouring lines that were in one column stay in one, with more
 * blanks if needed. They count as a column if at least one of them had more blanks before it than it needs.
 */
export function align(lines: readonly Line[]): readonly string[] {
  const groups = groupsOf(lines);
  const made = lines.map(({ indent, pieces }) => {
    const first = pieces[0]?.text ?? '';
    return { text: ' '.repeat(indent) + first, end: endAfter(indent, first), next: 1 };
  });
  const add = ({ line, piece }: At, column: number): void => {
    const { text } = lines[line].pieces[piece];
    const own = made[line];
    own.text += ' '.repeat(column - own.end) + text;
    own.end = endAfter(column, text);
    own.next = piece + 1;
  };
  const least = ({ line, piece }: At): number => made[line].end + lines[line].pieces[piece].gap;
  const upTo = (line: number, end: number): void => {
    for (let piece = made[line].next; piece < end; piece++) {
      const at = { line, piece };
      add(at, least(at));
    }
  };
  for (const group of groups) {
    for (const { line, piece } of group) upTo(line, piece);
    const column = group.reduce((most, at) => Math.max(most, least(at)), 0);
    for (const at of group) add(at, column);
  }
  lines.forEach(({ pieces }, line) => upTo(line, pieces.length));
  return made.map(({ text }) => text.trimEnd());
}

/** The column after a piece that begins in a column. For a piece of several lines, it is on the last one. */
function endAfter(column: number, text: string): number {
  const broken = text.lastIndexOf('\n');
  return broken < 0 ? column + [...text].length : [...text.slice(broken + 1)].length;
}

/** Pieces in one column of neighbouring lines. */
interface Group {
  readonly column: number;
  readonly members: At[];
  /** Has one of them more blanks before it than it needs? */
  onPurpose: boolean;
}

/** Groups of pieces that were below each other, from left to right, since pieces further left are placed first. */
function groupsOf(lines: readonly Line[]): readonly (readonly At[])[] {
  const groups: Group[] = [];
  let above = new Map<string, Group>();
  lines.forEach(({ number, pieces, isComment }, line) => {
    if (line > 0 && number > lines[line - 1].number + 1) above = new Map();
    if (isComment) return;
    const own = new Map<string, Group>();
    pieces.forEach(({ kind, column, blanks, gap }, piece) => {
      if (piece === 0 || gap === 0 || column < 0) return;
      const key = `${column} ${kind}`;
      const before = above.get(key);
      const group = before ?? { column, onPurpose: false, members: [] };
      if (before === undefined) groups.push(group);
      group.members.push({ line, piece });
      group.onPurpose ||= blanks > gap;
      own.set(key, group);
    });
    above = own;
  });
  return groups
    .filter(({ members, onPurpose }) => members.length > 1 && onPurpose)
    .sort((a, b) => a.column - b.column)
    .map(({ members }) => members);
}
