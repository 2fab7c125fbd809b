import type { CallPromise } from '../analyses/local/local.js';
import type { OrderDeparture } from '../analyses/local/order.js';
import type { Colours } from './colours.js';
import { COLOURS } from './colours.js';
import { plural } from './explain-style.js';
import { interruptedAfter } from './interruption.js';
import { jsonLine } from './json.js';

/**
 * Whether an implementation is locally sound. It passes if there is neither a broken promise, nor a departure, nor
 * anything unknown.
 */
export interface LocalResult {
  readonly name: string;
  readonly library: string;
  readonly over: readonly string[];
  /** How many calls keep their stamp promises, or were looked at before one that does not. */
  readonly calls: number;
  readonly clients: number;
  /** How many clients should have been tried. Undefined if the check was not interrupted. */
  readonly of?: number;
  /** All clients with at most so many calls were tried; larger ones were not. */
  readonly complete?: number;
  readonly executions: number;
  /** In words, which clients were generated. */
  readonly bounds: string;
  readonly promise?: CallPromise;
  readonly departure?: OrderDeparture;
  /** The text of the client that shows the departure. */
  readonly text?: string;
  readonly unknown?: { readonly clients: number; readonly reason: string };
}

export interface LocalReport {
  readonly results: readonly LocalResult[];
  readonly seconds: number;
}

/** What `refine --local` prints. */
export function localText({ results, seconds }: LocalReport, colours = COLOURS): string {
  const lines = results.flatMap((result) => [
    `${colours.bold(result.name)}: ${result.library} over ${result.over.join(', ')}`,
    ...resultLines(result, colours),
    ...interruptedAfter(result.clients, result.of ?? result.clients, 'clients'),
  ]);
  return `${lines.join('\n')}\n${seconds.toFixed(1)} s\n`;
}

function resultLines(result: LocalResult, colours: Colours): readonly string[] {
  const { promise, departure, unknown, text, library } = result;
  const client = (text ?? '')
    .trimEnd()
    .split('\n')
    .map((line) => (line === '' ? '' : `    ${line}`));
  if (promise !== undefined) {
    return [`  ${colours.red('breaks a stamp promise')}`, ...promiseLines(promise), '', ...client];
  }
  if (departure !== undefined) {
    return [
      `  ${colours.red('is not locally sound')}: stamps are kept, and an order of ${library} is not`,
      ...departureLines(departure, library),
      '',
      ...client,
    ];
  }
  const { calls, clients, complete = 0, executions, bounds } = result;
  const promises = `  stamp promises of ${plural(calls, 'call')} are kept, in any program that has these calls`;
  const tried = `${plural(clients, 'client')} of ${library} alone, all of up to ${plural(complete, 'call')} (${bounds})`;
  if (unknown !== undefined) {
    const open = `${plural(unknown.clients, 'client')}: ${unknown.reason}`;
    return [
      promises,
      `  orders and axioms: ${colours.yellow('unknown')} for ${open}`,
      `  of ${tried}`,
    ];
  }
  const kept = `  orders and axioms are kept in all ${plural(executions, 'execution')} of ${tried}`;
  if (result.of !== undefined) return [promises, kept];
  return [
    promises,
    kept,
    `  ${colours.green('locally sound')} up to this bound: it is no proof, as orders and axioms of larger clients were not tried`,
  ];
}

function promiseLines({ call, stamp, by, other, events }: CallPromise): readonly string[] {
  const has = events.length === 0 ? 'has no events' : `has ${events.join(', ')}`;
  if (by === undefined) {
    return [`    ${call}: nothing stands for its ${stamp}`, `    its implementation ${has}`];
  }
  const side = other?.side === 'earlier' ? 'an earlier' : 'a later';
  const order = other?.side === 'earlier' ? 'before' : 'after';
  return [
    `    ${call}: ${side} ${other?.stamp} stays ${order} its ${stamp}, and not always ${order} the ${by} that stands for it`,
    `    its implementation ${has}`,
  ];
}

function departureLines({ outcome, pair }: OrderDeparture, library: string): readonly string[] {
  const results = outcome === '' ? 'an execution' : `an execution with ${outcome}`;
  if (pair === undefined) return [`    there is ${results}, which ${library} forbids`];
  const [before, after] = pair;
  return [
    `    there is ${results}; in ${library}, ${before}`,
    `    happens before ${after}, but what stands for them is in no such order`,
  ];
}

/** One line for each implementation. */
export const localJson = ({ results }: LocalReport): string =>
  results.map((result) => `${jsonLine({ kind: 'local', ...result })}\n`).join('');
