import { INTERRUPTION } from '../check/result.js';
import type { ExecutionGraph, GraphEvent } from '../analyses/explain/graph.js';
import type { RefinementFailure, PrivateValue, Refinement } from '../analyses/refine/refine.js';
import { outcomeText } from '../analyses/refine/refine.js';
import { valueJson } from '../parse/values.js';
import { jsonLine, round } from './json.js';
import type { Colours } from './colours.js';
import { COLOURS } from './colours.js';
import { plural } from './explain-style.js';
import { explanationText } from './explain.js';
import { interruptedAfter } from './interruption.js';

/** An implementation, the library that it has to refine, and the libraries below it: `loco-rbl: rbl over sv`. */
export interface Implemented {
  readonly name: string;
  readonly library: string;
  readonly over: readonly string[];
}

/** The result of the check for one client. */
export interface ClientResult extends Refinement {
  /** The text of the client. Undefined if it is in a file. */
  readonly text?: string;
  /** A smaller client that fails, too: this one with something left out. */
  readonly smaller?: ClientResult;
}

/** How many clients were generated and tried. */
export interface Tried {
  /** How many clients were tried. */
  readonly clients: number;
  /** How many should have been tried. Undefined if the check was not interrupted. */
  readonly of?: number;
  /** All clients with at most so many calls were tried; larger ones were not. */
  readonly complete: number;
  /** In words, which clients were generated. */
  readonly bounds: string;
}

export interface RefineReport {
  readonly implemented: readonly Implemented[];
  /** The results for the clients that the user named. */
  readonly named: readonly ClientResult[];
  /** The results for the clients that were generated. */
  readonly generated: readonly ClientResult[];
  readonly tried?: Tried;
  readonly seconds: number;
}

/** What `refine` prints. */
export function refineText(report: RefineReport, colours = COLOURS): string {
  const { implemented, generated, tried, seconds } = report;
  const named = report.named.filter(isDone);
  const head = implemented.map(
    ({ name, library, over }) => `${colours.bold(name)}: ${library} over ${over.join(', ')}`,
  );
  const shown = [...named.map((result) => ({ result, more: 0 })), ...remarkable(generated)];
  const width = Math.max(0, ...shown.map(({ result }) => result.client.length));
  const names = implemented.map(({ name }) => name).join(', ');
  const lines = [
    ...head,
    ...shown.flatMap(({ result, more }) => [
      ...clientLines(result, width, names, colours),
      ...(more === 0 ? [] : [`    and ${more} more`, '']),
    ]),
    ...(named.length === 0 && tried === undefined ? [] : [summary(named, generated, tried)]),
    ...interruptedAfter(named.length, report.named.length, 'clients'),
    ...interruptedAfter(tried?.clients ?? 0, tried?.of ?? tried?.clients ?? 0, 'generated clients'),
  ];
  const took = `${seconds.toFixed(1)} s`;
  return `${lines.join('\n')}; ${took}\n`;
}

const isDone = ({ reason }: Refinement): boolean => reason !== INTERRUPTION;

/**
 * Of the generated clients: the first that is unknown, the first that hangs, the first that fails; and how many more
 * there are.
 */
function remarkable(results: readonly ClientResult[]) {
  const kinds = [isUnknown, hangs, doesNotRefine];
  return kinds.flatMap((isOfKind) => {
    const [result, ...others] = results.filter(isOfKind);
    return result === undefined ? [] : [{ result, more: others.length }];
  });
}

const isUnknown = ({ verdict }: Refinement): boolean => verdict === 'unknown';
const hangs = (result: Refinement): boolean => result.hangs;
const doesNotRefine = ({ verdict }: Refinement): boolean => verdict === 'does not refine';

/** @param names the names of the implementations */
function clientLines(
  result: ClientResult,
  width: number,
  names: string,
  colours: Colours,
): readonly string[] {
  const { client, verdict, specified, implemented, reason, text, failure } = result;
  const name = `  ${client.padEnd(width)}  `;
  const own = text === undefined ? [] : ['', ...indented(text), ''];
  if (verdict === 'unknown') return [`${name}${colours.yellow('unknown')}: ${reason}`, ...own];
  if (result.hangs) {
    const why = `the libraries allow ${plural(specified, 'outcome')}, the implementation has no execution`;
    return [`${name}${colours.red('hangs')}: ${why}`, ...own];
  }
  if (failure === undefined) {
    const of = `${implemented} of ${plural(specified, 'outcome')}`;
    return [`${name}${of}; ${colours.green('refines')}`];
  }
  return [
    `${name}${colours.red('does not refine')}`,
    ...own,
    ...outcomeLines(result, failure, names),
    ...(result.smaller === undefined
      ? whyLines(result, failure, colours)
      : smallerLines(result.smaller, names, colours)),
    '',
  ];
}

/** The lines about a smaller client that fails, too. It is the one that is explained. */
const smallerLines = (
  smaller: ClientResult,
  names: string,
  colours: Colours,
): readonly string[] => [
  '',
  '    A smaller client that fails, too:',
  '',
  ...indented(smaller.text ?? ''),
  '',
  ...(smaller.failure === undefined
    ? []
    : [
        ...outcomeLines(smaller, smaller.failure, names),
        ...whyLines(smaller, smaller.failure, colours),
      ]),
];

const outcomeLines = (
  { libraries }: Refinement,
  { outcome }: RefinementFailure,
  names: string,
): readonly string[] => [
  `    ${outcome.length === 0 ? 'all threads come to their ends' : outcomeText(outcome)}`,
  `      happens with ${names}, and is forbidden by ${libraries}`,
];

/** The execution of the implementation that has the outcome, and why the specification forbids that outcome. */
function whyLines(
  { libraries }: Refinement,
  { execution, forbidden }: RefinementFailure,
  colours: Colours,
): readonly string[] {
  const lines: string[] = [];
  const graph = execution?.models[0]?.admitted?.graph;
  if (graph !== undefined) {
    const told = byCall(graph).map((line) => `    ${line}`);
    lines.push('', '    The execution of the implementation, call by call:', ...told);
  }
  if (forbidden !== undefined) {
    // Leaves out the name of the client, its question, and the answer, which have been printed before.
    const known = forbidden.models[0]?.verdict === 'forbidden' ? 3 : 2;
    const told = explanationText(forbidden, colours).trimEnd().split('\n').slice(known);
    const indent = (line: string): string => (line === '' ? '' : `  ${line}`);
    lines.push('', `    Why ${libraries} forbids the outcome:`, ...told.map(indent));
  }
  return lines;
}

/** The lines of a text, indented. */
const indented = (text: string): readonly string[] =>
  text
    .trimEnd()
    .split('\n')
    .map((line) => (line === '' ? '' : `    ${line}`));

/** The events of an execution, thread by thread, each below the call that it belongs to (LOCO paper, Def. 3.11). */
function byCall({ columns, events, groups = [] }: ExecutionGraph): readonly string[] {
  return columns.flatMap(({ thread, node }, column) => {
    const own = events.filter((e) => e.column === column);
    const lines: string[] = [];
    let open: readonly number[] = [];
    for (const event of own) {
      const path = pathOf(event, groups);
      const common = path.findIndex((group, i) => open[i] !== group);
      const from = common < 0 ? path.length : common;
      for (let depth = from; depth < path.length; depth++) {
        lines.push(`  ${'  '.repeat(depth)}${groups[path[depth]].call}`);
      }
      open = path;
      lines.push(`  ${'  '.repeat(path.length)}${event.label}`);
    }
    return [`${thread} on ${node}`, ...lines];
  });
}

/** The groups of events that an event is in, from the outermost to the innermost. */
function pathOf(
  { group }: GraphEvent,
  groups: NonNullable<ExecutionGraph['groups']>,
): readonly number[] {
  const path: number[] = [];
  for (let at = group; at !== undefined; at = groups[at].within) path.unshift(at);
  return path;
}

function summary(
  named: readonly ClientResult[],
  generated: readonly ClientResult[],
  tried: Tried | undefined,
): string {
  const results = [...named, ...generated];
  const [open, hanging, failing] = [isUnknown, hangs, doesNotRefine].map(
    (isOfKind) => results.filter(isOfKind).length,
  );
  const clients = plural(named.length, 'client');
  const parts = [
    ...(tried === undefined ? [clients] : named.length > 0 ? [`${clients} named`] : []),
    ...(tried === undefined ? [] : [triedText(tried)]),
    `${failing} ${failing === 1 ? 'does' : 'do'} not refine`,
    ...(hanging > 0 ? [`${hanging} ${hanging === 1 ? 'hangs' : 'hang'}`] : []),
    ...(open > 0 ? [`${open} unknown`] : []),
  ];
  return parts.join(', ');
}

/** What was tried. It has to say that this is a bounded check, and no proof. */
const triedText = ({ clients, complete, bounds }: Tried): string =>
  `${plural(clients, 'client')} tried, all of up to ${plural(complete, 'call')} (${bounds})`;

const outcomeJson = (outcome: readonly PrivateValue[]) =>
  outcome.map(({ thread, name, value }) => ({ thread, name, value: valueJson(value) }));

const resultJson = ({ failure, smaller, milliseconds, ...result }: ClientResult): object => ({
  ...result,
  outcome: failure && outcomeJson(failure.outcome),
  execution: failure?.execution,
  forbidden: failure?.forbidden,
  smaller: smaller && resultJson(smaller),
  milliseconds: round(milliseconds),
});

export const refineJson = ({ implemented, named, generated, tried }: RefineReport): string =>
  [
    ...[...named, ...generated].map((result) => ({
      kind: 'refinement',
      implementations: implemented.map(({ name }) => name),
      ...resultJson(result),
    })),
    ...(tried === undefined ? [] : [{ kind: 'generated', ...tried }]),
  ]
    .map((one) => `${jsonLine(one)}\n`)
    .join('');
