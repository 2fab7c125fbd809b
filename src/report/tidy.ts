/** What of a program is there for nothing: text and JSON of `remora tidy`. */
import type { Change, Kept } from '../analyses/tidy/difference.js';
import type { Judged, PrintedPart, PrintedPlace, Tidied } from '../analyses/tidy/tidy.js';
import type { Under } from '../analyses/tidy/trial.js';
import type { Verdict } from '../check/result.js';
import { INTERRUPTION } from '../check/result.js';
import { groupBy } from '../model/relation/groups.js';
import type { SourceFile } from '../parse/diagnostics/index.js';
import { position } from '../parse/diagnostics/index.js';
import { queryText, showQuery } from '../program/print.js';
import type { Test } from '../program/program.js';
import { placeKey } from '../program/program.js';
import { isC } from '../program/read.js';
import { COLOURS } from './colours.js';
import { plural } from './explain-style.js';
import { jsonLine } from './json.js';
import { loopBound } from './outcome.js';
import { showState } from './record.js';

/** A test, and what of it is there for nothing. */
export interface TidyRecord {
  readonly test: Test;
  readonly source: SourceFile;
  readonly kept: Kept;
  readonly tidied: Tidied;
}

/** Was everything tried that was not stopped by the user? */
export const isTried = ({ tidied }: TidyRecord): boolean =>
  !tidied.judged.some(({ under }) =>
    under.some((one) => one.kind === 'unknown' && one.reason === INTERRUPTION),
  );

export function tidyText(record: TidyRecord): string {
  const { test, tidied } = record;
  const { judged, models, without } = tidied;
  const where = models.length > MOST_NAMED ? plural(models.length, 'model') : models.join(', ');
  const lines = [
    `${COLOURS.bold(test.name)} under ${where}`,
    ...without.map(({ model, reason }) => `  not under ${model}: ${reason}`),
    ...judged.flatMap((_, i) => judgedLines(record, i)),
    ...togetherLines(record),
  ];
  return `${lines.map((line) => line.trimEnd()).join('\n')}\n`;
}

/** More models than these are not named, if there is a shorter way. */
const MOST_NAMED = 4;

function judgedLines(record: TidyRecord, index: number): readonly string[] {
  const { verdict, under, besides, isLast } = record.tidied.judged[index];
  const colour = { needless: COLOURS.yellow, needed: COLOURS.green, unknown: COLOURS.red };
  const told = colour[verdict](COLOURS.bold(verdict));
  const only = besides === undefined ? '' : ` for what is asked; ${besidesText(besides)}`;
  const last = verdict === 'needless' && isLast ? ': nothing comes behind it' : '';
  return [
    `  ${nameOf(record, index)}: ${told}${only || last}`,
    ...(verdict === 'needless' ? [] : underLines(record, under)),
  ];
}

const besidesText = (besides: Under): string =>
  besides.kind === 'unknown'
    ? `whether other final values change is unknown: ${besides.reason}`
    : 'other final values change';

/** `T1, T2: f := x^2 with poll(2) (7:3)`; of several at one place, `(7:3, 2 of 3, for x^2 := 1)`; of C, `(line 30 → 12)`. */
function nameOf(record: TidyRecord, index: number): string {
  const { judged } = record.tidied;
  const { parts } = judged[index];
  const who = [...groupBy(parts, textOf)].map(
    ([text, same]) => `${distinct(same.map(({ thread }) => thread)).join(', ')}: ${text}`,
  );
  const placed = ({ parts: [one] }: Judged): string =>
    `${one.thread} ${one.text} ${placeOf(record, one)}`;
  const alike = [...judged.keys()].filter((i) => placed(judged[i]) === placed(judged[index]));
  const nth = `, ${alike.indexOf(index) + 1} of ${alike.length}`;
  const work = distinct(parts.flatMap(({ of }) => of?.text ?? []));
  const which = alike.length === 1 ? '' : `${nth}${work.length === 1 ? `, for ${work[0]}` : ''}`;
  return `${who.join('; ')} (${placeOf(record, parts[0])}${which})`;
}

function placeOf({ test, source }: TidyRecord, part: PrintedPart): string {
  const lines = linesOf(test, part);
  if (lines !== undefined) return `line ${lines}`;
  const { line, column } = position(source.text, part.span.start);
  return `${line}:${column}`;
}

/** The lines of C of an instruction. */
const linesOf = ({ program }: Test, { thread, span }: PrintedPart): string | undefined =>
  program.threads.find(({ name }) => name === thread)?.lines?.[placeKey(span)];

const distinct = (texts: readonly string[]): readonly string[] => [...new Set(texts)];

const textOf = ({ text, also }: PrintedPart): string =>
  also.length === 0 ? text : `${text} with ${also.map((one) => one.text).join(', ')}`;

/** What becomes of the program without something, by models; what is the same under several is told once. */
function underLines(
  { test, tidied: { models } }: TidyRecord,
  under: readonly Under[],
): readonly string[] {
  const told = under.flatMap((one) => {
    if (one.kind === 'same') return [];
    return [{ one, what: one.kind === 'unknown' ? one.reason : changeText(test, one) }];
  });
  return [...groupBy(told, ({ what }) => what)].map(([what, same]) => {
    const where = modelsIn(
      same.map(({ one }) => one.model),
      models,
    );
    return `    ${where}${what}`;
  });
}

/** `under rdma-ro: `, `under all but rdma-sc: `, or nothing, if that is all models. */
function modelsIn(some: readonly string[], all: readonly string[]): string {
  const others = all.filter((name) => !some.includes(name));
  if (others.length === 0) return '';
  const isMost = some.length > MOST_NAMED && others.length < some.length;
  return `under ${isMost ? `all but ${others.join(', ')}` : some.join(', ')}: `;
}

function changeText(test: Test, { query, verdict, state = {}, isPossible, upTo }: Change): string {
  const within = upTo === undefined ? '' : `, in runs with ${loopBound(upTo)}`;
  if (query === undefined) {
    const stay = test.queries.length === 0 ? '' : '; no answer changes';
    return `without it, ${showState(state)} ${isPossible === true ? 'can' : 'cannot'} happen${within}${stay}`;
  }
  const becomes = `without it, ${showQuery(test.queries[query])} ${BECOMES[verdict ?? 'unknown']}`;
  return `${becomes}${isPossible === true ? `: ${showState(state)}` : ''}${within}`;
}

const BECOMES: { readonly [verdict in Verdict]: string } = {
  allowed: 'is allowed',
  forbidden: 'is forbidden',
  holds: 'holds',
  fails: 'fails',
  vacuous: 'is about no execution',
  unknown: 'is unknown',
};

function togetherLines(record: TidyRecord): readonly string[] {
  const { test, tidied } = record;
  const { judged, together, most, litmus } = tidied;
  if (judged.length === 0) return ['  Nothing only orders, or only reads what nobody uses.'];
  if (litmus === undefined) return ['  Nothing is needless.'];
  const needless = judged.filter(({ verdict }) => verdict === 'needless').length;
  const all = needless === 2 ? 'Both' : needless === 1 ? 'It' : `All ${needless}`;
  const more = most ? 'no more' : 'perhaps more';
  const some = `${together.length} of the ${needless} needless ones can go${together.length > 1 ? ' at once' : ''}, and ${more}:`;
  return [
    ...(together.length === needless
      ? [`  ${all} can go${needless > 1 ? ' at once' : ''}.`]
      : [`  ${some}`, ...together.map((i) => `    ${nameOf(record, i)}`)]),
    ...(isC(test.file)
      ? []
      : [
          '',
          ...litmus
            .trimEnd()
            .split('\n')
            .map((line) => `  ${line}`),
        ]),
  ];
}

/** Places have lines and columns, and never offsets. */
export function tidyJson({ test, source, kept, tidied }: TidyRecord): string {
  const placed = ({ text, span }: PrintedPlace) => ({ text, ...position(source.text, span.start) });
  const changed = (one: Under): object => {
    const { kind, ...rest } = one;
    const query = 'query' in rest && rest.query !== undefined ? queryAt(test, rest.query) : {};
    return {
      ...rest,
      verdict: WORDS[kind],
      becomes: 'verdict' in rest ? rest.verdict : undefined,
      ...query,
    };
  };
  return jsonLine({
    file: test.file,
    test: test.name,
    models: tidied.models,
    without: tidied.without,
    keep: kept,
    candidates: tidied.judged.map(({ parts, isLast, verdict, under, besides }) => ({
      parts: parts.map((part) => ({
        thread: part.thread,
        ...placed(part),
        lines: linesOf(test, part),
        for: part.of && placed(part.of),
        with: part.also.map(placed),
      })),
      isLast,
      verdict,
      under: under.map(changed),
      besides: besides && changed(besides),
    })),
    together: tidied.together,
    most: tidied.most,
    litmus: isC(test.file) ? undefined : tidied.litmus,
  });
}

const WORDS = { same: 'needless', differs: 'needed', unknown: 'unknown' } as const;

const queryAt = ({ queries }: Test, index: number): object => ({
  query: queryText(queries[index]),
  index,
});
