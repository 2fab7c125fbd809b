/** Programs that tell two models apart: text and JSON of `remora distinguish`. */
import type { PairFound } from '../analyses/distinguish/distinguish.js';
import type { Wanted } from '../analyses/distinguish/part.js';
import type { Distinction } from '../analyses/distinguish/distinction.js';
import type { Explanation } from '../analyses/explain/explanation.js';
import { COLOURS } from './colours.js';
import { explanationText } from './explain.js';
import { plural } from './explain-style.js';
import { jsonLine } from './json.js';

/** What was found out about the programs of a share. */
export interface PairRecord extends PairFound {
  /** Those that tell the models apart, and why. */
  readonly distinctions: readonly Distinction[];
}

export interface DistinguishReport {
  readonly models: readonly [string, string];
  /** What programs were made of: operations with tags, and tags of locations. */
  readonly operations: readonly string[];
  readonly marks: readonly string[];
  /** Operations that programs would have, if it were not for a model that does not declare them alike. */
  readonly missing?: readonly { readonly operation: string; readonly model: string }[];
  /** The most calls that were to be tried. */
  readonly calls: number;
  readonly groups: readonly PairRecord[];
  readonly interrupted: boolean;
  readonly wanted: Wanted;
  readonly seconds: number;
}

/** How many programs there were of a number of calls, and whether all of them were compared. */
interface Tally {
  readonly calls: number;
  readonly programs: number;
  readonly isWhole: boolean;
}

export function distinguishText(report: DistinguishReport): string {
  const { models, groups, operations, marks, missing = [], seconds } = report;
  const found = groups.flatMap(({ distinctions }) => distinctions);
  const smallest = groups.find(({ distinctions }) => distinctions.length > 0);
  const open = groups.flatMap((group) => group.open);
  const tallies = talliesOf(report);
  const made = [`of ${operations.join(', ')}`, ...marks.map((tag) => `locations with [${tag}]`)];
  const without = missing.map(({ operation, model }) => `; ${operation} not with ${model}`);
  const lines = [
    ...(smallest === undefined
      ? [agreement(report, tallies)]
      : [`${COLOURS.bold(models.join(' and '))} differ from ${plural(smallest.calls, 'call')} on`]),
    ...found.flatMap((one) => ['', ...distinctionLines(one)]),
    ...onlyOneWay(report, tallies),
    ...(open.length === 0 ? [] : [openLine(open)]),
    ...groups
      .flatMap(({ unfinished }) => unfinished ?? [])
      .slice(0, 1)
      .map((why) => COLOURS.red(`not all were compared: ${why}`)),
    ...(found.length === 0 ? [] : ['']),
    `programs: ${tallies.map(tallyText).join(', ')}; ${made.join(', ')}${without.join('')}; ${seconds.toFixed(1)} s`,
    ...(report.interrupted ? [COLOURS.red('interrupted')] : []),
  ];
  return `${lines.map((line) => line.trimEnd()).join('\n')}\n`;
}

function agreement(
  { models, groups, interrupted }: DistinguishReport,
  tallies: readonly Tally[],
): string {
  const whole = tallies.filter(({ isWhole }) => isWhole);
  const upTo = whole.at(-1)?.calls ?? 0;
  const programs = whole.reduce((sum, one) => sum + one.programs, 0);
  const names = COLOURS.bold(models.join(' and '));
  const isOpen = groups.some(({ open }) => open.length > 0);
  if (upTo === 0) return `${names}: nothing is known yet`;
  const all = isOpen ? 'all that were decided of' : 'all';
  const more = interrupted ? ', and nothing is known of larger ones' : '';
  return `${names} agree: ${all} ${programs} programs of up to ${plural(upTo, 'call')}${more}`;
}

/** Where both directions were looked for, and only one was found: which of the models allows no more. */
function onlyOneWay(
  { models, groups, wanted }: DistinguishReport,
  tallies: readonly Tally[],
): readonly string[] {
  const ways = groups.flatMap(({ distinctions }) =>
    distinctions.flatMap(({ directions }) => directions),
  );
  const missing = models.findIndex((name) => !ways.some(({ allowed }) => allowed === name));
  if (wanted !== 'both' || ways.length === 0 || missing < 0) return [];
  const [less, more] = [models[missing], models[1 - missing]];
  const calls = tallies.at(-1)?.calls ?? 0;
  return [
    '',
    `${COLOURS.bold(less)} allows nothing that ${more} forbids, in programs of up to ${plural(calls, 'call')}`,
  ];
}

function distinctionLines({ litmus, directions, test }: Distinction): readonly string[] {
  return [
    ...litmus.trimEnd().split('\n'),
    ...directions.flatMap(({ allowed, forbidden, explanation }) => [
      '',
      COLOURS.bold(`allowed under ${allowed}, forbidden under ${forbidden}`),
      '',
      ...explanationText(toldOnce(explanation, allowed), COLOURS, test).trimEnd().split('\n'),
    ]),
  ];
}

/** How the outcome comes about where it is allowed, and what the other model has against just that. */
const toldOnce = (explanation: Explanation, allowed: string): Explanation => ({
  ...explanation,
  models: explanation.models.filter(({ model }) => model === allowed),
});

const openLine = (open: PairFound['open']): string =>
  COLOURS.red(`${plural(open.length, 'program')} undecided: ${open[0].reason}`);

function talliesOf({ groups, calls, interrupted, wanted }: DistinguishReport): readonly Tally[] {
  const last = groups.at(-1)?.calls ?? 0;
  return Array.from({ length: Math.min(calls, last) }, (_, i) => {
    const own = groups.filter((group) => group.calls === i + 1);
    const isCut = own.some(
      ({ differing, unfinished }) =>
        (wanted === 'first' && differing.length > 0) || unfinished !== undefined,
    );
    return {
      calls: i + 1,
      programs: own.reduce((sum, { programs }) => sum + programs, 0),
      isWhole: !isCut && !(interrupted && i + 1 === last),
    };
  });
}

const tallyText = ({ calls, programs }: Tally): string => `${programs} of ${plural(calls, 'call')}`;

/** A line for each program that tells the models apart, and one about all programs. */
export function distinguishJson(report: DistinguishReport): string {
  const { models, groups, operations, marks, interrupted, seconds } = report;
  const found = groups.flatMap(({ calls, distinctions }) =>
    distinctions.map(({ litmus, directions }) => ({
      models,
      calls,
      litmus,
      directions: directions.map(({ allowed, forbidden, query, explanation }) => ({
        ...{ allowed, forbidden, query },
        question: explanation.question,
      })),
    })),
  );
  const summary = {
    models,
    operations,
    locationTags: marks,
    differ: found.length > 0,
    sizes: talliesOf(report).map(({ calls, programs, isWhole }) => ({
      calls,
      programs,
      complete: isWhole,
    })),
    undecided: groups.flatMap(({ open }) => open.map(({ litmus, reason }) => ({ litmus, reason }))),
    interrupted,
    milliseconds: Math.round(seconds * 1000),
  };
  return [...found, summary].map((line) => `${jsonLine(line)}\n`).join('');
}
