import type { ExecutionGraph, GraphEvent } from '../analyses/explain/graph.js';
import type { PrivateValue, Refinement } from '../analyses/refine/refine.js';
import { outcomeText } from '../analyses/refine/refine.js';
import { valueJson } from '../parse/values.js';
import { jsonLine, round } from './json.js';
import type { Colours } from './colours.js';
import { COLOURS } from './colours.js';
import { plural } from './explain-style.js';
import { explanationText } from './explain.js';

/** What implementations were held against: `loco-rbl: rbl over sv`. */
export interface Implemented {
  readonly name: string;
  readonly library: string;
  readonly over: readonly string[];
}

/** What was generated, where that was asked for. */
export interface Tried {
  /** How many clients. */
  readonly clients: number;
  /** All clients with up to so many calls were tried. */
  readonly complete: number;
  /** What the clients were, in words. */
  readonly bounds: string;
  /** The text of the first that fails. */
  readonly text?: string;
}

export interface RefineReport {
  readonly implemented: readonly Implemented[];
  readonly results: readonly Refinement[];
  readonly tried?: Tried;
  readonly seconds: number;
}

/** What `refine` prints. */
export function refineText(report: RefineReport, colours = COLOURS): string {
  const { implemented, results, tried, seconds } = report;
  const head = implemented.map(
    ({ name, library, over }) => `${colours.bold(name)}: ${library} over ${over.join(', ')}`,
  );
  const width = Math.max(0, ...results.map(({ client }) => client.length));
  const shown =
    tried === undefined ? results : results.filter((r) => r.verdict !== 'refines' || r.hangs);
  const lines = [
    ...head,
    ...shown.flatMap((result) => clientLines(result, width, implemented, tried, colours)),
    summary(report),
  ];
  const took = `${seconds.toFixed(1)} s`;
  return `${lines.join('\n')}; ${took}\n`;
}

function clientLines(
  { client, verdict, specified, implemented, reason, hangs, failure }: Refinement,
  width: number,
  about: readonly Implemented[],
  tried: Tried | undefined,
  colours: Colours,
): readonly string[] {
  const name = `  ${client.padEnd(width)}  `;
  if (verdict === 'unknown') return [`${name}${colours.yellow('unknown')}: ${reason}`];
  if (hangs) {
    const why = `the libraries allow ${plural(specified, 'outcome')}, the implementation has no execution`;
    return [`${name}${colours.red('hangs')}: ${why}`];
  }
  if (failure === undefined) {
    return [
      `${name}${implemented} of ${plural(specified, 'outcome')}; ${colours.green('refines')}`,
    ];
  }
  const library = about.map((one) => one.library).join(' and ');
  const { execution, forbidden } = failure;
  const graph = execution?.models[0]?.admitted?.graph;
  const text = tried?.text?.trimEnd().split('\n') ?? [];
  return [
    `${name}${colours.red('does not refine')}`,
    `    ${outcomeText(failure.outcome)}`,
    `      happens over ${about[about.length - 1].over.join(', ')}, and ${library} forbids it`,
    ...(text.length === 0 ? [] : ['', ...text.map((line) => (line === '' ? '' : `    ${line}`))]),
    ...(graph === undefined ? [] : ['', '    The execution of the implementation, call by call:']),
    ...(graph === undefined ? [] : byCall(graph).map((line) => `    ${line}`)),
    ...(forbidden === undefined ? [] : ['', `    Why ${library} forbids the outcome:`]),
    ...(forbidden === undefined
      ? []
      : explanationText(forbidden, colours)
          .trimEnd()
          .split('\n')
          .slice(2)
          .map((line) => (line === '' ? '' : `  ${line}`))),
    '',
  ];
}

/** The events of an execution under the calls that they belong to (LOCO paper, Def. 3.11), thread by thread. */
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

/** The groups that an event is in, the outermost first. */
function pathOf(
  { group }: GraphEvent,
  groups: NonNullable<ExecutionGraph['groups']>,
): readonly number[] {
  const path: number[] = [];
  for (let at = group; at !== undefined; at = groups[at].within) path.unshift(at);
  return path;
}

function summary({ results, tried }: RefineReport): string {
  const count = (verdict: Refinement['verdict']): number =>
    results.filter((r) => r.verdict === verdict).length;
  const hangs = results.filter((r) => r.hangs).length;
  const parts = [
    tried === undefined ? plural(results.length, 'client') : triedText(tried),
    `${count('does not refine')} ${count('does not refine') === 1 ? 'does' : 'do'} not refine`,
    ...(hangs > 0 ? [`${hangs} ${hangs === 1 ? 'hangs' : 'hang'}`] : []),
    ...(count('unknown') > 0 ? [`${count('unknown')} unknown`] : []),
  ];
  return parts.join(', ');
}

/** It is a bounded check, and says so. */
const triedText = ({ clients, complete, bounds }: Tried): string =>
  `${plural(clients, 'client')} tried, all of up to ${plural(complete, 'call')} (${bounds})`;

const outcomeJson = (outcome: readonly PrivateValue[]) =>
  outcome.map(({ thread, name, value }) => ({ thread, name, value: valueJson(value) }));

export const refineJson = ({ implemented, results, tried }: RefineReport): string =>
  [
    ...results.map(({ failure, milliseconds, ...result }) => ({
      kind: 'refinement',
      implementations: implemented.map(({ name }) => name),
      ...result,
      outcome: failure && outcomeJson(failure.outcome),
      execution: failure?.execution,
      forbidden: failure?.forbidden,
      milliseconds: round(milliseconds),
    })),
    ...(tried === undefined ? [] : [{ kind: 'generated', ...tried }]),
  ]
    .map((one) => `${jsonLine(one)}\n`)
    .join('');
