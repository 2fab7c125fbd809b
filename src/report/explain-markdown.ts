import type {
  ModelExplanation,
  Step,
  AxiomViolation,
  Ways,
} from '../analyses/explain/explanation.js';
import type { Timeline } from '../analyses/timeline/timeline.js';
import type { ExecutionGraph, GraphEvent } from '../analyses/explain/graph.js';
import { printProgram, showQuery } from '../program/print.js';
import type { Query, Test } from '../program/program.js';
import { isStateQuery } from '../program/program.js';
import { groupBy } from '../model/relation/groups.js';
import type { Fix } from '../analyses/repair/fix.js';
import type { PrintedRepair } from '../analyses/repair/print.js';
import { isCheapest, ownerOf } from '../analyses/repair/print.js';
import { departureText, departures } from './elsewhere.js';
import { plural } from './explain-style.js';
import { answerTable } from './explain-table.js';
import { noRepair } from './fix.js';
import { loopBound } from './outcome.js';
import { timelineMermaid } from './timeline-mermaid.js';
import type { ExplainedQuery, ExplainedTest } from './explained-tests.js';
import { decidedBy, showState } from './record.js';

/**
 * Tests and their answers as Markdown, for people who write programs and not models. A test has its question, its
 * program, the answers under the first model, why each is so in words, the cheapest fix, and which other models
 * disagree. Several tests have a table in front, and tests with the same question are below one heading.
 */
export function explanationMarkdown(tests: readonly ExplainedTest[]): string {
  const groups = groupBy(tests, ({ test }) =>
    JSON.stringify([test.question ?? test.name, test.source]),
  );
  return [
    ...(tests.length > 1 ? [answerTable(tests)] : []),
    ...[...groups.values()].flatMap((group) =>
      group.length === 1 ? alone(group[0]) : [...shared(group[0]), ...group.flatMap(variant)],
    ),
  ]
    .map((part) => `${part}\n`)
    .join('\n');
}

/** A test with a question of its own. */
const alone = ({ test, told }: ExplainedTest): readonly string[] => [
  `## ${test.name}`,
  ...[test.question ?? test.title ?? []].flat(),
  ...(test.source === undefined ? [] : [`*Asked in: ${test.source}.*`]),
  ...body({ test, told }),
];

/** What several tests of the same question have in common. */
const shared = ({ test: { name, source, question } }: ExplainedTest): readonly string[] => [
  `## ${source ?? name}`,
  ...(question === undefined ? [] : [question]),
];

/** One of several tests of the same question. */
const variant = ({ test, told }: ExplainedTest): readonly string[] => [
  `### ${test.name}`,
  ...(test.title === undefined ? [] : [sentence(test.title)]),
  ...body({ test, told }),
];

const body = ({ test, told }: ExplainedTest): readonly string[] => [
  ...test.notes.map((note) => `Note: ${note}`),
  fenced(printProgram(test.program)),
  ...told.flatMap((one) => answerParts(test, one)),
];

const sentence = (text: string): string =>
  `${text.charAt(0).toUpperCase()}${text.slice(1)}${/[.?!]$/.test(text) ? '' : '.'}`;

const fenced = (text: string): string => `\`\`\`\n${text.trim()}\n\`\`\``;

function answerParts(
  test: Test,
  { query, explanation, fixes, elsewhere }: ExplainedQuery,
): readonly string[] {
  const [under] = explanation.models;
  const asked = questionOf(test.queries[query]);
  if (under === undefined) return [`**${asked}** Not explained: ${explanation.unfinished}.`];
  const { run, admitted, refuted } = under;
  const parts = [`**${asked}** ${verdictOf(under, decidedBy(test, under.model))}`];
  const steps = run?.steps ?? admitted?.order?.steps;
  if (steps !== undefined) parts.push('One way it comes about:', listed(steps));
  if (run?.round !== undefined) parts.push('And then, for ever:', listed(run.round));
  const timeline = run?.timeline ?? admitted?.timeline;
  if (timeline !== undefined) parts.push(diagram(timeline));
  if (refuted?.ways !== undefined) parts.push(...wayParts(refuted.ways));
  const others = departures(under.verdict, elsewhere).map(departureText);
  return [...parts, ...fixes.flatMap(fixParts), ...others];
}

const diagram = (timeline: Timeline): string => `\`\`\`mermaid\n${timelineMermaid(timeline)}\`\`\``;

const listed = (steps: readonly string[]): string =>
  steps.map((step, i) => `${i + 1}. ${step}`).join('\n');

function questionOf(query: Query): string {
  const { quantifier, text, label } = query;
  const about = label === undefined ? '' : ` (${label})`;
  if (!isStateQuery(query)) return `Does \`${showQuery(query)}\`${about} hold in every run?`;
  return quantifier === 'forall'
    ? `Does every run end with \`${text}\`${about}?`
    : `Can it end with \`${text}\`${about}?`;
}

/** @param by what decided it: `under rdma-tso` */
function verdictOf({ verdict, admitted, reason, upTo }: ModelExplanation, by: string): string {
  const bound = upTo === undefined ? '' : `, for ${loopBound(upTo)}`;
  const state = admitted === undefined ? '' : `: \`${showState(admitted.state)}\``;
  switch (verdict) {
    case 'allowed':
      return `**Yes**, ${by}${state}.`;
    case 'fails':
      return `**No**, ${by}${state}.`;
    case 'forbidden':
      return `**No**, ${by}${bound}.`;
    case 'holds':
      return `**Yes**, ${by}${bound}.`;
    case 'vacuous':
    case 'unknown':
      return `That is ${verdict} ${by}: ${reason}.`;
  }
}

/** All cycles that rule it out. One of them alone would be no reason: each rules out only some of the executions. */
function wayParts({ shapes, incomplete }: Ways): readonly string[] {
  const parts = shapes.flatMap(({ ways, way }, i) => {
    const head =
      i === 0
        ? 'It would have to go round in a circle, each step before the next:'
        : way.beside
          ? 'Or else in this one, which is about none of the values asked for:'
          : 'Or else in this one:';
    const alike = ways === 1 ? [] : [`(And in ${plural(ways - 1, 'more circle')} like this one.)`];
    const drawn = way.timeline === undefined || i > 0 ? [] : [diagram(way.timeline)];
    return [head, circle(way.violation, way.graph), ...drawn, ...alike];
  });
  return incomplete === undefined ? parts : [...parts, `There may be others: ${incomplete}.`];
}

/** A cycle in words, a line for each edge. */
function circle({ steps }: AxiomViolation, graph: ExecutionGraph): string {
  const event = (id: number): string => {
    const e = graph.events.find((other) => other.id === id);
    if (e === undefined) return `event ${id}`;
    const owner = e.column === null ? 'initially' : graph.columns[e.column].thread;
    return e.source === undefined
      ? `${owner} \`${e.label}\``
      : `${owner} \`${e.source}\` (\`${e.label}\`${inLine(e)})`;
  };
  return edges(steps)
    .map((step) => `- ${event(step.from)} *${wordsOf(step)}:* ${event(step.to)}`)
    .join('\n');
}

const inLine = ({ lines }: Pick<GraphEvent, 'lines'>): string =>
  lines === undefined ? '' : `, line ${lines}`;

/** The edges of a path. An edge is split further as long as each of its parts has words. */
function edges(steps: readonly Step[]): readonly Step[] {
  return steps.flatMap((step) => {
    const inner = edges(step.via);
    return inner.length > 0 && inner.every((s) => said(s) !== undefined) ? inner : [step];
  });
}

/** What a step means: the words of its innermost relation that has any, since these say most about the program. */
const said = ({ because }: Step): string | undefined =>
  because.findLast((layer) => layer.words !== undefined)?.words;

const wordsOf = (step: Step): string => said(step) ?? step.because[step.because.length - 1].text;

/** The patch of a C file, or why there is none. */
function patchParts({
  inC,
}: Extract<PrintedRepair, { readonly kind: 'found' }>): readonly string[] {
  if (inC === undefined) return [];
  if (inC.kind === 'none') return [`There is no patch of the C: ${inC.reason}.`];
  return [`\`\`\`diff\n${inC.diff}\`\`\``];
}

function fixParts(fix: Fix): readonly string[] {
  switch (fix.kind) {
    case 'undecided':
    case 'right':
      return [];
    case 'additions': {
      const { repair } = fix;
      if (repair.kind === 'none') {
        return [noRepair(repair, 'rules this out')];
      }
      if (repair.kind === 'unknown')
        return [`Whether additions help is unknown: ${repair.reason}.`];
      return [
        isCheapest(repair) ? 'The smallest fix, verified:' : 'A fix, verified:',
        [
          ...(repair.retagged ?? []).map(
            (one) => `- ${ownerOf(one)}: put \`${one.text}\` in the place of \`${one.insteadOf}\``,
          ),
          ...(repair.replaced ?? []).map(
            ({ thread, text, insteadOf }) =>
              `- ${thread}: put \`${text}\` in the place of \`${insteadOf}\``,
          ),
          ...repair.additions.map(({ thread, text, place }) => {
            const [where, what] =
              'before' in place ? ['before', place.before] : ['at the end of', place.endOf];
            return `- ${thread}: add \`${text}\` ${where} \`${what}\``;
          }),
        ].join('\n'),
        ...patchParts(repair),
      ];
    }
    case 'obstacles': {
      if (fix.instructions.length === 0) return [];
      const each = fix.instructions.map((i) => `\`${i.text}\` of ${i.thread}${inLine(i)}`);
      return [`It rests on each of these, without which it would be possible: ${each.join(', ')}.`];
    }
  }
}
