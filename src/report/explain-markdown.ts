import type {
  Explanation,
  ModelExplanation,
  Step,
  Violation,
  Ways,
} from '../explain/explanation.js';
import type { ExecutionGraph } from '../explain/graph.js';
import { printProgram } from '../program/print.js';
import type { Query, Test } from '../program/program.js';
import type { Fix } from '../repair/fix.js';
import { plural } from './explain-style.js';
import { showState } from './record.js';

/** A query of a test, explained under one model, and what would change its answer. */
export interface Told {
  readonly query: number;
  readonly explanation: Explanation;
  /** One a model, if they were asked for. */
  readonly fixes: readonly Fix[];
}

/**
 * A test and its answers as Markdown, for people who write programs and not models: the question, the
 * program, the answers under the first model, how each comes about in words, and the smallest fix.
 */
export function explanationMarkdown(test: Test, told: readonly Told[]): string {
  const { name, question, title, source, notes, program } = test;
  return [
    `## ${name}`,
    question ?? title,
    source === undefined ? undefined : `*Asked in: ${source}.*`,
    ...notes.map((note) => `Note: ${note}`),
    fenced(printProgram(program)),
    ...told.flatMap((one) => answerParts(test, one)),
  ]
    .filter((part) => part !== undefined)
    .map((part) => `${part}\n`)
    .join('\n');
}

const fenced = (text: string): string => `\`\`\`\n${text.trim()}\n\`\`\``;

function answerParts(test: Test, { query, explanation, fixes }: Told): readonly string[] {
  const [under] = explanation.models;
  const asked = questionOf(test.queries[query]);
  if (under === undefined) return [`**${asked}** Not explained: ${explanation.unfinished}.`];
  const { admitted, refuted } = under;
  const parts = [`**${asked}** ${verdictOf(under)}`];
  if (admitted?.order !== undefined) {
    parts.push('One way it comes about:');
    parts.push(admitted.order.steps.map((step, i) => `${i + 1}. ${step}`).join('\n'));
  }
  if (refuted?.ways !== undefined) parts.push(...wayParts(refuted.ways));
  return [...parts, ...fixes.flatMap(fixParts)];
}

function questionOf({ quantifier, text, label }: Query): string {
  const about = label === undefined ? '' : ` (${label})`;
  return quantifier === 'forall'
    ? `Does every run end with \`${text}\`${about}?`
    : `Can it end with \`${text}\`${about}?`;
}

function verdictOf({ model, verdict, admitted, reason, upTo }: ModelExplanation): string {
  const bound = upTo === undefined ? '' : `, for at most ${upTo} iterations of each loop`;
  const state = admitted === undefined ? '' : `: \`${showState(admitted.state)}\``;
  switch (verdict) {
    case 'allowed':
      return `**Yes**, under ${model}${state}.`;
    case 'fails':
      return `**No**, under ${model}${state}.`;
    case 'forbidden':
      return `**No**, under ${model}${bound}.`;
    case 'holds':
      return `**Yes**, under ${model}${bound}.`;
    case 'vacuous':
    case 'unknown':
      return `That is ${verdict} under ${model}: ${reason}.`;
  }
}

/** The circles that rule it out, all of them: only together do they say why. */
function wayParts({ shapes, incomplete }: Ways): readonly string[] {
  const parts = shapes.flatMap(({ ways, way }, i) => {
    const head =
      i === 0
        ? 'It would have to go round in a circle, each step before the next:'
        : way.asked.length > 0
          ? 'Or else in this one:'
          : 'Or else in this one, which is about none of the values asked for:';
    const alike = ways === 1 ? [] : [`(And in ${plural(ways - 1, 'more circle')} like this one.)`];
    return [head, circle(way.violation, way.graph), ...alike];
  });
  return incomplete === undefined ? parts : [...parts, `There may be others: ${incomplete}.`];
}

/** The edges of a cycle, one a line, in words. */
function circle({ steps }: Violation, graph: ExecutionGraph): string {
  const event = (id: number): string => {
    const e = graph.events.find((other) => other.id === id);
    if (e === undefined) return `event ${id}`;
    const owner = e.column === null ? 'initially' : graph.columns[e.column].thread;
    return e.source === undefined
      ? `${owner} \`${e.label}\``
      : `${owner} \`${e.source}\` (\`${e.label}\`)`;
  };
  return edges(steps)
    .map((step) => `- ${event(step.from)} *${wordsOf(step)}:* ${event(step.to)}`)
    .join('\n');
}

/** The steps that a path comes down to, as far as there are words for them. */
function edges(steps: readonly Step[]): readonly Step[] {
  return steps.flatMap((step) => {
    const inner = edges(step.via);
    return inner.length > 0 && inner.every((s) => said(s) !== undefined) ? inner : [step];
  });
}

/** What a step means, in the words nearest to the base relations. */
const said = ({ because }: Step): string | undefined =>
  because.findLast((layer) => layer.words !== undefined)?.words;

const wordsOf = (step: Step): string => said(step) ?? step.because[step.because.length - 1].text;

function fixParts(fix: Fix): readonly string[] {
  switch (fix.kind) {
    case 'undecided':
      return [];
    case 'additions': {
      const { repair } = fix;
      if (repair.kind === 'none') {
        return ['No fence, poll or get of those that were tried rules this out.'];
      }
      if (repair.kind === 'unknown')
        return [`Whether additions help is unknown: ${repair.reason}.`];
      return [
        'The smallest fix, verified:',
        repair.additions
          .map(({ thread, text, place }) => {
            const [where, what] =
              'before' in place ? ['before', place.before] : ['at the end of', place.endOf];
            return `- ${thread}: add \`${text}\` ${where} \`${what}\``;
          })
          .join('\n'),
      ];
    }
    case 'obstacles': {
      if (fix.instructions.length === 0) return [];
      const each = fix.instructions.map((i) => `\`${i.text}\` of ${i.thread}`);
      return [`It rests on each of these, without which it would be possible: ${each.join(', ')}.`];
    }
  }
}
