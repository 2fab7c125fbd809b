import type {
  Admitted,
  ModelComparison,
  Explanation,
  ModelExplanation,
  Refuted,
  Step,
  AxiomViolation,
  Way,
  Ways,
} from '../analyses/explain/explanation.js';
import type { Test } from '../program/program.js';
import type { EventReference } from './explain-graph.js';
import { graphLines, referenceIn } from './explain-graph.js';
import type { Colours } from './colours.js';
import { COLOURS } from './colours.js';
import { WIDTH, wrapSentence, plural } from './explain-style.js';
import { coresInWords, listInWords } from './explain-words.js';
import { HAPPENS, endingOf, loopBound, painted } from './outcome.js';
import { decidedBy, showState } from './record.js';

/**
 * What `explain` prints for one query: each model by itself, then the models that disagree.
 *
 * @param about the test of the query: it tells whether models or libraries decide it
 */
export function explanationText(
  explanation: Explanation,
  colours = COLOURS,
  about: Pick<Test, 'models'> = {},
): string {
  const { test, question, models, comparisons, unfinished } = explanation;
  const told: ToldWords = new Map();
  const parts = [
    ...(unfinished === undefined
      ? []
      : [[colours.bold(test), `  ${question}`, `  not explained: ${unfinished}`]]),
    ...models.map((m) => modelLines(decidedBy(about, m.model), explanation, m, told, colours)),
    ...comparisons.map((c) => comparisonLines(about, explanation, c, told, colours)),
  ];
  return parts.map((lines) => `${lines.map((l) => l.trimEnd()).join('\n')}\n`).join('\n');
}

const indent = (lines: readonly string[], by = '    '): readonly string[] =>
  lines.map((line) => (line === '' ? '' : by + line));

/** @param by what decided it: `under rdma-tso` */
function modelLines(
  by: string,
  { test, question }: Explanation,
  explanation: ModelExplanation,
  told: ToldWords,
  colours: Colours,
): readonly string[] {
  const { note: translated, run, assuming, admitted, refuted, unfinished } = explanation;
  const lines = [
    `${colours.bold(test)} ${by}${translated === undefined ? '' : `  (${translated})`}`,
    `  ${question}`,
    `  ${verdictText(explanation, colours)}`,
  ];
  if (run !== undefined) {
    lines.push('', '    A run of the machine that shows it:', ...indent(numbered(run.steps)));
    if (run.round !== undefined) {
      const from = run.steps.length + 1;
      lines.push('    and then, for ever:', ...indent(numbered(run.round, from)));
    }
  }
  for (const one of assuming ?? [])
    lines.push(...indent(wrapSentence(`assuming: ${one}`, WIDTH - 4)));
  if (admitted !== undefined) lines.push('', ...indent(admittedLines(admitted, colours)));
  if (refuted !== undefined)
    lines.push(...indent(refutedLines(explanation, refuted, told, colours)));
  if (unfinished !== undefined) {
    lines.push('', ...indent(wrapSentence(`not finished: ${unfinished}`, WIDTH - 4, '  ')));
  }
  return lines;
}

function verdictText(
  { verdict, reason, upTo, flags, admitted }: ModelExplanation,
  colours: Colours,
): string {
  const parts = [painted(verdict, HAPPENS[verdict], colours)];
  if (admitted !== undefined) parts[0] += `: ${showState(admitted.state)}`;
  if (reason !== undefined) parts[0] += `: ${reason}`;
  if (upTo !== undefined) parts.push(`for runs with ${loopBound(upTo)}`);
  if (flags.length > 0) parts.push(`flags: ${flags.join(', ')}`);
  return parts.join('; ');
}

function admittedLines({ graph, order }: Admitted, colours: Colours): readonly string[] {
  const lines = [...graphLines(graph, colours)];
  if (order !== undefined) {
    const head =
      order.kind === 'run'
        ? 'A run of the machine that ends so:'
        : order.instead === undefined
          ? `The events in an order that agrees with ${order.axiom}:`
          : `The events in an order that agrees with ${order.axiom} (no run of the machine: ${order.instead}):`;
    lines.push('', ...wrapSentence(head, WIDTH - 4), ...numbered(order.steps));
  }
  return lines;
}

function numbered(steps: readonly string[], from = 1): readonly string[] {
  const room = String(from + steps.length - 1).length;
  return steps.flatMap((step, i) => {
    const number = `  ${String(from + i).padStart(room)}. `;
    const [first, ...rest] = wrapSentence(step, WIDTH - 4 - number.length);
    return [number + first, ...rest.map((line) => ' '.repeat(number.length) + line)];
  });
}

/** At most so many shapes of violations are printed: nobody reads more. */
const SHAPES = 8;

function refutedLines(
  { verdict }: ModelExplanation,
  refuted: Refuted,
  told: ToldWords,
  colours: Colours,
): readonly string[] {
  const { ways } = refuted;
  const used: ToldWords = new Map();
  const lines = [...wrapSentence(coresInWords(refuted, verdict), WIDTH - 4)];
  if (ways === undefined) return lines;
  const { shapes } = ways;
  lines.push('', ...wrapSentence(waysText(ways, verdict), WIDTH - 4));
  if (shapes.length === 0) return lines;
  shapes.slice(0, SHAPES).forEach(({ way, ways: alike }, i) => {
    const many = alike === 1 ? '' : ` (${plural(alike, 'way')} of this shape)`;
    const beside = way.beside ? ', about none of the values asked for' : '';
    if (i > 0) lines.push('', `Another way${beside}${many}:`);
    else if (alike > 1) lines.push(many.trim());
    lines.push('', ...wayLines(way, i === 0, used, colours));
  });
  if (shapes.length > SHAPES) lines.push('', `${shapes.length - SHAPES} more shapes: see --json`);
  return [...lines, ...explanationLegend(used, told)];
}

function waysText(
  { count, incomplete, shapes }: Ways,
  verdict: ModelExplanation['verdict'],
): string {
  const ends = endingOf(verdict);
  if (count === 0)
    return `How executions that end ${ends} break axioms is not known: ${incomplete}.`;
  const among = shapes.length === count ? '' : ` of ${plural(shapes.length, 'shape')}`;
  const number = `${plural(count, 'way')}${among}`;
  const first = count === 1 ? '' : '; one of them';
  if (incomplete !== undefined) {
    return `Executions that end ${ends} break an axiom. Found: ${number}, and there may be more (${incomplete})${first}:`;
  }
  const how = count === 1 ? 'in the same way' : `in one of ${number}`;
  return `Every execution of the program that ends ${ends} breaks an axiom, ${how}${first}:`;
}

function wayLines(
  { graph, violation, others }: Way,
  inFull: boolean,
  used: ToldWords,
  colours: Colours,
): readonly string[] {
  const reference = referenceIn(graph);
  const first = violationLines(violation, reference, used, colours);
  if (!inFull) return first;
  return [
    ...graphLines(graph, colours),
    '',
    ...first,
    ...others.flatMap((other) => ['', ...otherLines(other, violation, reference, used, colours)]),
  ];
}

/**
 * The lines about another axiom that the candidate breaks, too. If the same cycle breaks it, that is not printed again.
 */
function otherLines(
  other: AxiomViolation,
  { steps }: AxiomViolation,
  reference: EventReference,
  used: ToldWords,
  colours: Colours,
): readonly string[] {
  const cycle = leaves(steps);
  const same = leaves(other.steps);
  const turned = cycle.map((_, i) => [...cycle.slice(i), ...cycle.slice(0, i)].join());
  if (other.kind !== 'cycle' || !turned.includes(same.join())) {
    return violationLines(other, reference, used, colours);
  }
  return [`The axiom ${colours.bold(other.axiom)} is broken by the same cycle.`];
}

/** The single edges that a path consists of. */
const leaves = (steps: readonly Step[]): readonly string[] =>
  steps.flatMap(({ from, to, via }) => (via.length > 0 ? leaves(via) : [`${from} ${to}`]));

/** How an execution breaks an axiom: its steps one below the other, and below each, indented, what it consists of. */
export function violationLines(
  { axiom, relation, kind, steps, event }: AxiomViolation,
  reference: EventReference,
  used: ToldWords,
  colours: Colours,
): readonly string[] {
  note(steps, used);
  const named = relation.split(' ')[1] === axiom ? '' : ` (${relation})`;
  const about = `The axiom ${colours.bold(axiom)}${named} is broken`;
  switch (kind) {
    case 'absence':
      return [`${about}: what it asks for is not there`];
    case 'event':
      return [`${about} by ${reference(event!)}`];
    case 'cycle':
    case 'pair': {
      const what = kind === 'cycle' ? 'a cycle' : 'a pair';
      const rows = steps.flatMap((step) => stepRows(step, reference, '  '));
      const room = Math.max(...rows.map(([edge]) => edge.length));
      const beside = WIDTH - 4 - room - 3;
      return [
        `${about} by ${what}:`,
        ...rows.flatMap(([edge, why]) =>
          why.length <= beside
            ? [`${edge.padEnd(room)}   ${colours.cyan(why)}`]
            : [
                edge,
                ...wrapSentence(why, WIDTH - 12).map((line) => `        ${colours.cyan(line)}`),
              ],
        ),
      ];
    }
  }
}

type EdgeRow = readonly [edge: string, why: string];

function stepRows(
  { from, to, because, via, also }: Step,
  reference: EventReference,
  indent: string,
): readonly EdgeRow[] {
  const layers = because
    .map((layer) => layer.text)
    .filter((text, i, all) => !says(all[i - 1], text));
  return [
    [`${indent}${reference(from)} → ${reference(to)}`, layers.join(': ')],
    ...via.flatMap((inner) => stepRows(inner, reference, `${indent}    `)),
    ...also.flatMap((inner) => stepRows(inner, reference, `${indent}  and `)),
  ];
}

/** Does the text of a relation already show the name of the next one? Then that name is not printed again. */
function says(outer: string | undefined, inner: string): boolean {
  return outer !== undefined && outer.split(/[^\w.'-]+/).includes(inner);
}

/** What relations mean in words, by their names. */
export type ToldWords = Map<string, string>;

/** Adds to the legend what the relations of some steps mean. */
function note(steps: readonly Step[], told: ToldWords): void {
  for (const { because, via, also } of steps) {
    for (const { text, words } of because) if (words !== undefined) told.set(text, words);
    note(via, told);
    note(also, told);
  }
}

/** The lines of a legend, without what was printed before. */
export function explanationLegend(used: ToldWords, told: ToldWords): readonly string[] {
  const fresh = [...used].filter(([name, words]) => told.get(name) !== words);
  if (fresh.length === 0) return [];
  for (const [name, words] of fresh) told.set(name, words);
  const room = Math.max(...fresh.map(([name]) => name.length)) + 2;
  return [
    '',
    'In words, where the arrow points to “the other”:',
    ...fresh.flatMap(([name, words]) => {
      const [first, ...rest] = wrapSentence(words, WIDTH - 6 - room);
      return [`  ${name.padEnd(room)}${first}`, ...rest.map((line) => ' '.repeat(room + 2) + line)];
    }),
  ];
}

function comparisonLines(
  about: Pick<Test, 'models'>,
  { test, question }: Explanation,
  { admits, rejects, incomparable, graph, violations, lacks }: ModelComparison,
  told: ToldWords,
  colours: Colours,
): readonly string[] {
  const lines = [
    `${colours.bold(test)}: ${admits} admits what ${rejects} rejects`,
    `  ${question}`,
  ];
  if (graph === undefined || incomparable !== undefined) {
    return [...lines, ...wrapSentence(`  not compared: ${incomparable}`, WIDTH, '    ')];
  }
  const used: ToldWords = new Map();
  const reference = referenceIn(graph);
  const broken = violations.flatMap((v) => ['', ...violationLines(v, reference, used, colours)]);
  const execution = `The execution that ${admits} admits, ${decidedBy(about, rejects)}:`;
  const body = [execution, '', ...graphLines(graph, colours), ...broken];
  if (lacks !== undefined) {
    const steps = lacks.steps.map(({ from, to }) => `${reference(from)} → ${reference(to)}`);
    const sentence = `${lacks.relation} of ${admits} does not have ${listInWords(steps)}.`;
    body.push('', ...wrapSentence(sentence, WIDTH - 4));
  }
  return [...lines, '', ...indent([...body, ...explanationLegend(used, told)])];
}
