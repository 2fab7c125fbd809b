import type { SourceFile } from '../parse/diagnostics/index.js';
import type { Program } from '../program/program.js';
import type { RemedyCell, Remedy } from '../rdma/conditions/remedies.js';
import type { Unordered } from '../rdma/conditions/conditions.js';
import type { ThreadAccess } from '../rdma/conditions/topology.js';
import type { TreeFailure } from '../rdma/conditions/tree.js';
import type { StaticResult } from './robust-record.js';
import { NAMES, codeAt, placeAt } from './robust-record.js';

/** At most so many reasons why a condition fails are shown. */
const SHOWN = 12;

/** The conditions for robustness: for each whether it holds, and if not, why. */
export function conditionsText(
  { model, found }: StaticResult,
  source: SourceFile,
  program: Program,
): readonly string[] {
  const names = NAMES[model];
  if (found === undefined) return ['conditions: unknown: loops leave too much to go through'];
  const text = textsFor(source, program);
  const condition = (name: string, reasons: readonly string[]): readonly string[] => {
    if (reasons.length === 0) return [`${name}: holds`];
    const more = reasons.length > SHOWN ? [`… ${reasons.length - SHOWN} more`] : [];
    return [`${name}: fails`, ...[...reasons.slice(0, SHOWN), ...more].map((line) => `  ${line}`)];
  };
  return [
    ...condition(`locally data-race free (${names.ldrf})`, found.ldrf.map(text.pair)),
    ...condition(`fenced (${names.fenced})`, found.fenced.map(text.pair)),
    ...condition(`tree-fenced (${names.treeFenced})`, found.treeFenced.map(text.tree)),
  ];
}

/** The operation that an access belongs to, by the label of the access. */
const OPERATIONS: { readonly [label: string]: string } = {
  nlR: 'put',
  nrW: 'put',
  nrR: 'get',
  nlW: 'get',
};

const CPU: { readonly [label: string]: string } = {
  ...{ lR: 'read', lW: 'write', CAS: 'CAS', FAA: 'faa', XCHG: 'xchg' },
};

/** A pair of accesses in words, such as `get then put on the same queue pair`. */
export function describePair(earlier: ThreadAccess, later: ThreadAccess): string {
  const word = ({ label }: ThreadAccess): string => OPERATIONS[label] ?? `CPU ${CPU[label]}`;
  const pair = `${word(earlier)} then ${word(later)}`;
  if (earlier.node === undefined || later.node === undefined) return pair;
  return earlier.queuePair === later.queuePair
    ? `${pair} on the same queue pair`
    : `${pair} on different queue pairs`;
}

/** What to put between two accesses, as litmus files write it. */
export function describeRemedy(earlier: ThreadAccess, remedy: Remedy): string {
  const { node, queuePair } = earlier;
  const from = queuePair === node ? `node ${node}` : `node ${node} on queue pair ${queuePair}`;
  switch (remedy) {
    case 'nothing':
      return 'nothing';
    case 'mfence':
      return 'mfence';
    case 'rfence':
      return `rfence(${queuePair})`;
    case 'poll':
      return `poll(${queuePair}) for the ${OPERATIONS[earlier.label]}`;
    case 'get and poll':
      return `a get from ${from} and poll(${queuePair}) for it`;
  }
}

function textsFor(source: SourceFile, program: Program) {
  const at = ({ span }: ThreadAccess): string =>
    `${codeAt(source, span)} (${placeAt(source, span)})`;
  const name = ({ thread }: ThreadAccess): string => program.threads[thread].name;
  const between = (earlier: ThreadAccess, later: ThreadAccess, cell: RemedyCell): string =>
    `${cell.name}, ${describePair(earlier, later)}: ${name(earlier)}: ${at(earlier)}, ` +
    `${at(later)}; put between: ${describeRemedy(earlier, cell.remedy)}`;
  const pair = ({ earlier, later, cell, route }: Unordered): string => {
    const text = between(earlier, later, cell);
    if (route === undefined) return text;
    const nodes = route.join(', ');
    return route.length < 2
      ? `${text}; both on node ${nodes}`
      : `${text}; nodes ${nodes} communicate without ${name(earlier)}`;
  };
  const tree = (failure: TreeFailure): string => {
    switch (failure.property) {
      case '1': {
        const { access } = failure;
        const location = program.locations[access.location].name;
        return `1: ${name(access)}: ${at(access)}: other threads access ${location} too`;
      }
      case '2':
        return `2: ${between(failure.earlier, failure.later, failure.cell)}`;
      case 'tso':
        return `no fence after a write: ${between(failure.earlier, failure.later, failure.cell)}`;
      case '3a':
        return `3a: nodes ${failure.nodes.join(', ')} communicate in a circle`;
      case '3b':
      case '3c': {
        const { property, first, second } = failure;
        const why =
          property === '3b'
            ? 'two nodes operate on each other'
            : first.thread === second.thread
              ? `two queue pairs of one thread lead to node ${first.node}`
              : `two threads of one node operate on node ${first.node}`;
        return `${property}: ${name(first)}: ${at(first)}, ${name(second)}: ${at(second)}: ${why}`;
      }
    }
  };
  return { pair, tree };
}
