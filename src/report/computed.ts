import type { Span } from '../parse/diagnostics/index.js';
import type { ExpectedVerdict, Expectation } from '../parse/litmus-ast.js';
import type { Query } from '../program/program.js';
import type { VerdictRecord } from './record.js';

/** The verdict that was computed for a query under a model. Undefined if it must not be written into the file. */
export type FoundVerdict = (query: number, model: string) => ExpectedVerdict | undefined;

/**
 * The verdicts that may be written into a file: those about all runs. Never one that is unknown, vacuous or up to a
 * bound.
 */
export function foundIn(records: readonly VerdictRecord[]): FoundVerdict {
  return (query, model) => {
    const record = records.find((r) => r.model === model);
    const answer = record?.answers.find((a) => a.query === query);
    if (answer === undefined || answer.upTo !== undefined) return undefined;
    const { verdict } = answer;
    return verdict === 'unknown' || verdict === 'vacuous' ? undefined : verdict;
  };
}

/** A change of a text: what replaces the part from `start` to `end`. */
interface Edit {
  readonly start: number;
  readonly end: number;
  readonly text: string;
}

/**
 * The text of a litmus file with the verdicts of its `computed` lines brought up to date. Published verdicts are never
 * touched, nor are comments and layout. If all models of a line have changed, its verdict is replaced. If only some
 * have, these go to the line with their new verdict; if there is none, one is added before theirs.
 */
export function recomputed(text: string, queries: readonly Query[], found: FoundVerdict): string {
  const edits = queries.flatMap((query, index) =>
    editsOf(text, query, (model) => found(index, model)),
  );
  edits.sort((a, b) => b.start - a.start);
  return edits.reduce(
    (before, edit) => before.slice(0, edit.start) + edit.text + before.slice(edit.end),
    text,
  );
}

/** A `computed` line, and how it changes. */
interface ComputedLine {
  readonly line: Expectation;
  /** The models whose verdict has changed. */
  readonly leaving: readonly string[];
  readonly verdict: ExpectedVerdict;
  readonly joining: string[];
}

function editsOf(
  text: string,
  { expectations }: Query,
  found: (model: string) => ExpectedVerdict | undefined,
): readonly Edit[] {
  // A client is decided by all of its libraries together, and its file calls them by the name of one.
  const called = new Map(
    expectations.flatMap((e) =>
      e.models.map(({ text: name, span }) => [name, text.slice(span.start, span.end)]),
    ),
  );
  const published = new Set(
    expectations.filter((e) => !e.computed).flatMap((e) => e.models.map((m) => m.text)),
  );
  const lines = expectations
    .filter((e) => e.computed)
    .map((line): ComputedLine => {
      const { verdict, models } = line;
      const names = models.map((m) => m.text);
      const other = (name: string): ExpectedVerdict => found(name) ?? verdict;
      const changed = names.filter((name) => !published.has(name) && other(name) !== verdict);
      const flips = changed.length === names.length;
      return {
        line,
        leaving: flips ? [] : changed,
        verdict: flips ? other(names[0]) : verdict,
        joining: [],
      };
    });
  const edits: Edit[] = [];
  for (const { line, leaving } of lines) {
    if (leaving.length === 0) continue;
    const verdict = found(leaving[0])!;
    // A remark is about the models of its own line, so other models only join a line that has none.
    const home = lines.find((l) => l.verdict === verdict && l.line.where === undefined);
    if (home !== undefined) {
      const there = home.line.models.map((m) => m.text);
      home.joining.push(...leaving.filter((name) => !there.includes(name)));
    } else {
      const under = leaving.map((name) => called.get(name)).join(', ');
      edits.push(newLine(text, line.span, `computed ${verdict} under ${under}`));
    }
  }
  for (const { line, leaving, verdict, joining } of lines) {
    if (verdict !== line.verdict) edits.push({ ...line.verdictSpan, text: verdict });
    if (leaving.length + joining.length > 0) {
      const coming = joining.map((name) => called.get(name)!);
      edits.push(modelsEdit(text, line, leaving, coming));
    }
  }
  return edits;
}

/** Adds a line before another with the same indentation; or on that line, if something else stands before it there. */
function newLine(text: string, { start }: Span, line: string): Edit {
  const [before] = /[^\n]*$/.exec(text.slice(0, start))!;
  const ending = text.includes('\r\n') ? '\r\n' : '\n';
  const gap = before.trim() === '' ? `${ending}${before}` : ' ';
  return { start, end: start, text: line + gap };
}

/** Takes some models out of a line, and adds others. Those that stay keep the blanks before them. */
function modelsEdit(
  text: string,
  { models }: Expectation,
  leaving: readonly string[],
  joining: readonly string[],
): Edit {
  const staying = models.flatMap(({ text: name, span }, i) => {
    if (leaving.includes(name)) return [];
    const gap = i === 0 ? ', ' : text.slice(models[i - 1].span.end, span.start);
    return [{ name: text.slice(span.start, span.end), gap }];
  });
  const list = [...staying, ...joining.map((name) => ({ name, gap: ', ' }))];
  const written = list.map(({ name, gap }, i) => (i === 0 ? name : gap + name));
  return {
    start: models[0].span.start,
    end: models[models.length - 1].span.end,
    text: written.join(''),
  };
}
