/** Expressions of cat as text: their unions, intersections and compositions, at any depth. */

/** A part of a text. */
export interface Part {
  readonly start: number;
  readonly end: number;
}

/** A part with the text that takes its place. */
export interface Instead extends Part {
  readonly text: string;
  /** The change in words. */
  readonly what: string;
}

/** Text of the same length without its comments. */
export const withoutComments = (text: string): string =>
  text.replace(/\(\*[^]*?\*\)/g, (comment) => comment.replace(/[^\n]/g, ' '));

/**
 * Each way to leave out a member of a union, a side of an intersection, what is taken away, or a filter such as `[aCW]` of a
 * composition.
 */
export function reductions(text: string, whole: Part): readonly Instead[] {
  const members = split(text, whole, ['|']);
  const dropped = members.length < 2 ? [] : members.map((_, k) => without(text, members, k));
  const inside = members.flatMap((member) => {
    const steps = split(text, member, [';']);
    const filters = steps.flatMap((step, k) =>
      steps.length > 1 && /^\[[^\]]*\]$/.test(text.slice(step.start, step.end))
        ? [without(text, steps, k)]
        : [],
    );
    const sides = steps.flatMap((step) => {
      const all = split(text, step, ['&', '\\']);
      // What something is taken from stays.
      const first = all.length > 1 && text.slice(all[0].end, all[1].start).includes('&') ? 0 : 1;
      return all.length < 2
        ? []
        : all.flatMap((_, k) => (k < first ? [] : [without(text, all, k)]));
    });
    return [...filters, ...sides];
  });
  const groups = groupsOf(text, whole).flatMap((group) => reductions(text, group));
  return [...dropped, ...inside, ...groups];
}

/** Each way to leave out one of several things with commas between them. */
export function listReductions(text: string, whole: Part): readonly Instead[] {
  const parts = split(text, whole, [',']);
  return parts.length < 2 ? [] : parts.map((_, k) => without(text, parts, k));
}

/** A part is left out with the sign before it, the first one with the sign behind it. */
function without(text: string, parts: readonly Part[], k: number): Instead {
  const what = `drop ${text.slice(parts[k].start, parts[k].end).replace(/\s+/g, ' ')}`;
  return k === 0
    ? { start: parts[0].start, end: parts[1].start, text: '', what }
    : { start: parts[k - 1].end, end: parts[k].end, text: '', what };
}

/** What stands between signs outside of brackets. */
function split(text: string, { start, end }: Part, signs: readonly string[]): readonly Part[] {
  const parts: Part[] = [];
  let [depth, from] = [0, start];
  for (let i = start; i < end; i++) {
    if ('([{'.includes(text[i])) depth += 1;
    if (')]}'.includes(text[i])) depth -= 1;
    if (depth > 0 || !signs.includes(text[i])) continue;
    parts.push(trimmed(text, { start: from, end: i }));
    from = i + 1;
  }
  return [...parts, trimmed(text, { start: from, end })].filter((part) => part.end > part.start);
}

function trimmed(text: string, { start, end }: Part): Part {
  const said = text.slice(start, end);
  return { start: end - said.trimStart().length, end: start + said.trimEnd().length };
}

/** The insides of the outermost parentheses. */
function groupsOf(text: string, { start, end }: Part): readonly Part[] {
  const groups: Part[] = [];
  let [depth, from] = [0, start];
  for (let i = start; i < end; i++) {
    if (text[i] === '(' && depth++ === 0) from = i + 1;
    if (text[i] === ')' && --depth === 0) groups.push({ start: from, end: i });
  }
  return groups;
}
