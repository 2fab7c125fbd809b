/** A token or comment of a line. */
export interface Piece {
  readonly text: string;
  /** Pieces of different kinds make no column. */
  readonly kind: string;
  /** The column in which it stood; -1 where that means nothing. */
  readonly column: number;
  /** How many blanks stood before it. */
  readonly blanks: number;
  /** How many blanks there are before it where it stands in no column. */
  readonly gap: number;
}

export interface Line {
  /** Which line it was, so that one sees which lines are neighbours. */
  readonly number: number;
  readonly indent: number;
  /** Are there comments in it only? Lines above and below it are neighbours. */
  readonly isComment: boolean;
  readonly pieces: readonly Piece[];
}

/** A piece by its line and its place in it. */
interface At {
  readonly line: number;
  readonly piece: number;
}

/**
 * Lines with the blanks that pieces need, and more where they stood in one column with pieces of neighbouring lines: these
 * stay in one column. It is a column on purpose where at least one of them had more blanks before it than it needs.
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

/** The column behind a piece that begins in a column. One of several lines ends in the last of them. */
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

/** Pieces that stood below each other, from the left to the right: what is further left in a line is placed first. */
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
