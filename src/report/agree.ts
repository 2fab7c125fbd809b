import type { Gap as GapOf, SurveyCounts, Tally as TallyOf } from '../analyses/agree/survey.js';
import type { Shrunk } from '../analyses/agree/shrink.js';
import type { NamedMethod } from '../analyses/agree/methods.js';
import { showMethod } from '../analyses/agree/methods.js';
import { COLOURS } from './colours.js';
import { plural } from './explain-style.js';
import { interruptedAfter } from './interruption.js';
import { jsonLine } from './json.js';
import { showState } from './record.js';

/** At most so many of the final states that only one way finds are shown. */
const SHOWN = 5;

/** At most so many of the programs that could not be compared are named. */
const NAMED = 8;

type Gap = GapOf<NamedMethod>;
type Tally = TallyOf<NamedMethod>;

/** A program on which ways disagree, and the smaller one that was made of it. */
export interface ShrunkDisagreement {
  /** What the program is called, so that people can find it again: a file, or the seed and number of a random one. */
  readonly program: string;
  /** How many instructions the program has before it is shrunk, and after. */
  readonly instructions: readonly [number, number];
  readonly shrunk: Shrunk;
  /** Whether the user ended the search for a smaller program. Then there may be one. */
  readonly interrupted: boolean;
  /** The text of the litmus file with the small program. */
  readonly litmus: string;
}

/** The numbers of a survey, and whether there is a disagreement. */
export type CountedSurvey = SurveyCounts<NamedMethod> & { readonly disagreement?: object };

export interface AgreeReport {
  readonly survey: CountedSurvey;
  readonly leftOut: readonly NamedMethod[];
  /** Whether the names of programs are printed. Those of random programs would tell nobody anything. */
  readonly named: boolean;
  readonly found?: ShrunkDisagreement;
  readonly milliseconds: number;
}

/** What `agree` prints. */
export function agreeText({ survey, leftOut, named, found, milliseconds }: AgreeReport): string {
  const { programs, events, tallies } = survey;
  const size = events.length === 0 ? '' : ` of ${range(events)} events`;
  const lines = [`${plural(programs, 'program')}${size}`];
  for (const tally of tallies) lines.push(`  ${agreed(tally)}`);
  const gaps = [
    ...leftOut.map((way) => `${showMethod(way)}: it has no machine for this model`),
    ...tallies.flatMap((t) => t.undecided.map((gap) => gapText(gap, showMethod(gap.way), named))),
    ...tallies.flatMap((t) =>
      merged(t.skipped).map((gap) => gapText(gap, gap.way.model.name, named)),
    ),
  ];
  if (gaps.length > 0) lines.push('not compared:', ...gaps.map((gap) => `  ${gap}`));
  lines.push(`${verdictText(survey)}; ${(milliseconds / 1000).toFixed(1)} s`);
  return `${lines.join('\n')}\n${found === undefined ? '' : `\n${foundText(found)}`}`;
}

function verdictText({ disagreement, interrupted, programs, of }: CountedSurvey): string {
  if (disagreement !== undefined) return COLOURS.red('disagreement');
  if (!interrupted) return COLOURS.green('no disagreement');
  const [after] = interruptedAfter(programs, of, 'programs');
  return programs === 0 ? after : `${after}; no disagreement among these`;
}

function agreed({ group, agreed, states }: Tally): string {
  const engines = [...new Set(group.ways.map((w) => w.engine))].join(', ');
  const models = group.models.map((m) => m.name).join(' = ');
  const programs = plural(agreed, 'program');
  return `${models} by ${engines}: agree on ${programs} with ${plural(states, 'final state')}`;
}

/** Merges the gaps of each model. Which instructions a model cannot treat does not depend on the engine. */
function merged(gaps: readonly Gap[]): readonly Gap[] {
  const byModel = new Map<string, { way: NamedMethod; reason: string; programs: Set<string> }>();
  for (const { way, reason, programs } of gaps) {
    const key = way.model.name;
    const known = byModel.get(key) ?? { way, reason: '', programs: new Set<string>() };
    known.reason = known.reason === '' || known.reason === reason ? reason : NO_TRANSLATION;
    programs.forEach((p) => known.programs.add(p));
    byModel.set(key, known);
  }
  return [...byModel.values()].map((gap) => ({ ...gap, programs: [...gap.programs] }));
}

const NO_TRANSLATION = 'instructions that the model cannot treat';

function gapText({ reason, programs }: Gap, where: string, named: boolean): string {
  const names = programs.slice(0, NAMED).join(', ');
  const more = programs.length > NAMED ? ', …' : '';
  const which = named ? ` (${names}${more})` : '';
  return `${where}, ${plural(programs.length, 'program')}${which}: ${reason}`;
}

/** A disagreement in words, followed by its litmus file. */
export function foundText({
  program,
  instructions,
  shrunk,
  interrupted,
  litmus,
}: ShrunkDisagreement): string {
  const [before, after] = instructions;
  const { finding, tries } = shrunk;
  const ended = interrupted ? ', then interrupted' : '';
  const lines = [
    `${program}, shrunk from ${plural(before, 'instruction')} to ${after} (${tries} tried${ended}):`,
  ];
  if (finding.kind === 'failure') lines.push(`  ${showMethod(finding.way)}: ${finding.reason}`);
  else {
    finding.ways.forEach((way, i) => {
      const states = finding.only[i];
      if (states.length === 0) return;
      lines.push(`  final states of ${showMethod(way)} only:`);
      states
        .slice(0, SHOWN)
        .forEach((s) => lines.push(`    ${showState(s, '  ') || '(no names)'}`));
      if (states.length > SHOWN) lines.push(`    … (${states.length} in all)`);
    });
  }
  return `${lines.join('\n')}\n\n${litmus}`;
}

/** The one line of `agree --json`. */
export function agreeJson({ survey, leftOut, found, milliseconds }: AgreeReport): string {
  const { programs, of, interrupted, events, tallies } = survey;
  const gap = ({ way, reason, programs }: Gap) => ({
    engine: way.engine,
    model: way.model.name,
    reason,
    programs: programs.length,
  });
  const finding = found?.shrunk.finding;
  return jsonLine({
    programs,
    ...(events.length > 0 && { events: spread(events) }),
    comparisons: tallies.map(({ group, agreed, states, undecided, skipped }) => ({
      models: group.models.map((m) => m.name),
      ways: group.ways.map(named),
      agreed,
      states,
      undecided: undecided.map(gap),
      skipped: skipped.map(gap),
    })),
    leftOut: leftOut.map(named),
    ...(interrupted ? { interrupted, of } : { agree: survey.disagreement === undefined }),
    ...(found !== undefined && {
      disagreement: {
        program: found.program,
        instructions: found.instructions[1],
        ...(finding?.kind === 'failure' && { way: named(finding.way), reason: finding.reason }),
        ...(finding?.kind === 'states' && {
          only: finding.ways.map((way, i) => ({ ...named(way), states: finding.only[i] })),
        }),
        ...(found.interrupted && { interrupted: true }),
        litmus: found.litmus,
      },
    }),
    milliseconds: Math.round(milliseconds * 100) / 100,
  });
}

const named = ({ engine, model }: NamedMethod) => ({ engine, model: model.name });

/** The smallest, median and largest of some numbers, which must be in ascending order. */
function spread(sorted: readonly number[]) {
  return { least: sorted[0], median: sorted[sorted.length >> 1], most: sorted[sorted.length - 1] };
}

function range(sorted: readonly number[]): string {
  const { least, median, most } = spread(sorted);
  return least === most ? String(least) : `${least} to ${most} (median ${median})`;
}
