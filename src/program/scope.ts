import type { Report, Span } from '../parse/diagnostics/index.js';
import { didYouMean } from '../parse/diagnostics/index.js';
import type { NameRecorder } from '../parse/links.js';
import type { Ident, LitmusFile } from '../parse/litmus-ast.js';
import type { InstructionSet, Tag } from '../model/instructions/set.js';
import type { Objects } from './resolve-objects.js';
import { checkInteger, checkNode } from './report.js';
import { declareObjects } from './resolve-objects.js';
import type { CompletionQueue, DeclaredQueuePair, Ghost, Location, LocationId } from './program.js';

/** The declared nodes and locations of a file, and the private locations of its threads. */
export interface ProgramScope {
  /** The operations that calls may use. */
  readonly instructions: InstructionSet;
  readonly nodes: readonly string[];
  /** The tags of those nodes that have some. */
  readonly nodeTags: ReadonlyMap<string, readonly string[]>;
  /** Declared locations first, in order of declaration. Each thread appends its private and hidden ones. */
  readonly locations: Location[];
  readonly declared: ReadonlyMap<string, LocationId>;
  readonly ghosts: readonly Ghost[];
  /** Objects of libraries, by index and by name. */
  readonly objects: Objects;
  /** The declared queue pairs of threads, by the names of the threads. */
  readonly queuePairs: ReadonlyMap<string, readonly DeclaredQueuePair[]>;
  readonly completionQueues: readonly CompletionQueue[];
  /** Records what names stand for, if that is wanted. */
  readonly names?: NameRecorder;
}

/** Declares nodes, locations and queue pairs; what is declared twice is an error. `names` as in the scope. */
export function programScope(
  file: LitmusFile,
  instructions: InstructionSet,
  report: Report,
  names?: NameRecorder,
): ProgramScope {
  const nodes: string[] = [];
  const nodeTags = new Map<string, readonly string[]>();
  const locations: Location[] = [];
  const declared = new Map<string, LocationId>();
  for (const { node, tags: about, locations: own, span: whole } of file.nodes) {
    names?.define(node, 'node', whole, 'node');
    if (nodes.includes(node.text)) report(node.span, `node ${node.text} is declared twice`);
    else nodes.push(node.text);
    const onNode = checkedTags(about, 'node', instructions, report);
    if (onNode !== undefined) nodeTags.set(node.text, onNode);
    for (const { name, value, tags: given, span } of own) {
      names?.define(name, 'location', span, 'shared');
      const earlier = declared.get(name.text);
      if (earlier !== undefined) {
        const where = locations[earlier].node;
        report(name.span, `location '${name.text}' is declared twice (also on node ${where})`);
        continue;
      }
      if (!Number.isSafeInteger(value)) report(name.span, 'the initial value is too large');
      declared.set(name.text, locations.length);
      const tags = checkedTags(given, 'location', instructions, report);
      locations.push({ name: name.text, node: node.text, initial: value, tags, span });
    }
  }
  const queuePairs = declareQueuePairs(file, { nodes, names }, instructions, report);
  const completionQueues = declareCompletionQueues(file, report, names);
  const ghosts = declareGhosts(file, declared, report, names);
  const { libraries } = instructions;
  const threads = file.threads.map(({ name }) => name.text);
  const around = { libraries, nodes, threads, locations, declared, names };
  const objects = declareObjects(file, around, report);
  const made = { instructions, nodes, nodeTags, locations, declared, ghosts, objects };
  return { ...made, queuePairs, completionQueues, names };
}

function declareGhosts(
  file: LitmusFile,
  declared: ProgramScope['declared'],
  report: Report,
  names: NameRecorder | undefined,
): readonly Ghost[] {
  const ghosts: Ghost[] = [];
  for (const { name, value, span } of file.ghosts) {
    const { text } = name;
    names?.define(name, 'ghost', span, 'shared');
    if (ghosts.some((other) => other.name === text)) {
      report(name.span, `ghost '${text}' is declared twice`);
      continue;
    }
    if (declared.has(text)) report(name.span, `'${text}' is a location, and cannot be a ghost too`);
    checkInteger(value, span, report);
    ghosts.push({ name: text, initial: value, span: name.span });
  }
  return ghosts;
}

function declareQueuePairs(
  file: LitmusFile,
  around: Pick<ProgramScope, 'nodes' | 'names'>,
  instructions: InstructionSet,
  report: Report,
): ProgramScope['queuePairs'] {
  const threads = file.threads.map(({ name }) => name.text);
  const found = new Map<string, DeclaredQueuePair[]>();
  for (const { name, threads: of, node, tags: given, span } of file.queuePairs) {
    for (const thread of of) {
      around.names?.define(name, 'queue pair', span, `queue pair ${thread.text}`);
      around.names?.use(thread, ['thread']);
      if (threads.includes(thread.text)) continue;
      const hint = () => didYouMean(thread.text, threads) ?? `there are ${threads.join(', ')}`;
      report(thread.span, `unknown thread '${thread.text}'`, hint);
    }
    checkNode(around, node, report);
    const tags = checkedTags(given, 'qp', instructions, report);
    if (found.get(of[0].text)?.some((other) => other.name === name.text) === true) {
      report(name.span, `queue pair '${name.text}' of ${of[0].text} is declared twice`);
      continue;
    }
    // Two declarations of one name would look like a queue pair that two threads share; but for those of both ends of a connection.
    const home = homeOf(file, of[0]);
    const isOtherEnd = (thread: string, end: DeclaredQueuePair): boolean =>
      home !== node.text && end.node === home && homeOf(file, { text: thread }) === node.text;
    const other = [...found].find(([thread, all]) =>
      all.some((one) => one.name === name.text && !isOtherEnd(thread, one)),
    )?.[0];
    if (other !== undefined) {
      const message = `queue pair '${name.text}' is of ${other} already`;
      const both = [other, ...of.map(({ text }) => text)].join(', ');
      const hint = `give it a name of its own; one that threads share is qp ${name.text} : ${both} -> …`;
      report(name.span, message, hint);
      continue;
    }
    checkOneNode(file, name, of, report);
    const joint = of.length > 1 ? { joint: true } : {};
    for (const { text } of of) {
      const own = found.get(text) ?? [];
      found.set(text, [...own, { name: name.text, node: node.text, ...joint, tags }]);
    }
  }
  return found;
}

/** The node of a thread. */
const homeOf = ({ threads }: LitmusFile, { text }: Pick<Ident, 'text'>): string | undefined =>
  threads.find(({ name }) => name.text === text)?.node.text;

/** Checks that a queue pair is of different threads of one node. */
function checkOneNode(
  file: LitmusFile,
  { text }: Ident,
  of: readonly Ident[],
  report: Report,
): void {
  const nodeOf = (thread: Ident): string | undefined => homeOf(file, thread);
  for (const [i, thread] of of.entries()) {
    if (of.findIndex((other) => other.text === thread.text) < i) {
      report(thread.span, `thread ${thread.text} is named twice`);
    } else if (nodeOf(thread) !== nodeOf(of[0]) && nodeOf(thread) !== undefined) {
      const message = `${thread.text} is not on the node of ${of[0].text}`;
      report(thread.span, message, `the threads of queue pair '${text}' are on one node`);
    }
  }
}

function declareCompletionQueues(
  { completionQueues }: LitmusFile,
  report: Report,
  names: NameRecorder | undefined,
): readonly CompletionQueue[] {
  const made: CompletionQueue[] = [];
  for (const { name, of, span } of completionQueues) {
    names?.define(name, 'completion queue', span, 'completion queue');
    if (made.some((other) => other.name === name.text)) {
      report(name.span, `completion queue '${name.text}' is declared twice`);
      continue;
    }
    for (const pair of of) {
      const other = made.find((one) => one.of.includes(pair.text));
      if (other === undefined) continue;
      const message = `the completions of queue pair '${pair.text}' go to ${other.name} already`;
      report(pair.span, message);
    }
    made.push({ name: name.text, of: of.map(({ text }) => text), span: name.span });
  }
  return made;
}

/** Checks that a queue pair is used with the node of its declaration, if it has one. */
export function checkQueuePair(
  { queuePairs }: ProgramScope,
  thread: string,
  node: string,
  name: string | undefined,
  span: Span,
  report: Report,
): void {
  const declared = queuePairs.get(thread)?.find((one) => one.name === name);
  if (declared === undefined || declared.node === node) return;
  const message = `queue pair '${declared.name}' of ${thread} leads to node ${declared.node}, not to ${node}`;
  report(span, message, `give the one towards node ${node} a name of its own`);
}

/** The tags, if all are declared for such a thing; others are reported. Undefined if there are none. */
export function checkedTags(
  given: readonly Ident[],
  on: Tag['on'],
  { tags }: InstructionSet,
  report: Report,
): readonly string[] | undefined {
  const known = tags
    .filter((tag) => tag.on === on || (tag.on === 'constant' && on === 'location'))
    .map(({ name }) => name);
  for (const { text, span } of given) {
    if (known.includes(text)) continue;
    const here = `declare it in the model: tag ${text} on ${on}`;
    const unknown = on === 'node' ? `ask a model that has it (docs/hosts.md), or ${here}` : here;
    const hint = () => didYouMean(text, known) ?? unknown;
    report(span, `unknown tag '${text}'`, hint);
  }
  return given.length === 0 ? undefined : given.map(({ text }) => text);
}
