import type {
  Alternative,
  Body,
  CellOf,
  Guess,
  Instead,
  InstructionSet,
  Label,
  Library,
  NodeOf,
  NodesOf,
  Operation,
  Parameter,
  Short,
  Tag,
  ValueOf,
} from '../model/instructions/set.js';
import { labelsIn, saysItsWay } from '../model/instructions/operations.js';
import { PLACES } from '../model/instructions/set.js';
import { setWith } from '../program/occasions.js';
import { termText } from '../model/print.js';
import type { TermId } from '../model/term.js';
import { expressionText } from '../parse/fold.js';
import { valueText } from '../parse/values.js';
import { jsonLine } from './json.js';
import { objectRows } from './libraries.js';
import type { TableRow } from './table.js';
import { tableText } from './table.js';

/** What is needed of a model to print its instructions. */
export interface Instructed {
  readonly name: string;
  readonly instructions: InstructionSet;
}

/**
 * The instruction set of a model for people (docs/instructions.md): each operation as programs call it, with its events
 * in order; then tags, and the relations that an execution guesses.
 */
export function instructionsText({ name, instructions: set }: Instructed): string {
  const libraries = set.libraries.filter(({ plain }) => !plain);
  const plain = setWith(set, []);
  const parts = [
    ...(libraries.length === 0 ? [`The instructions of ${name}`] : []),
    ...libraries.flatMap((library) => libraryParts(library, set)),
    ...(libraries.length === 0
      ? plain.operations.map((operation) => operationText(operation, plain))
      : alsoCalled(set)),
    ...(set.initial === undefined ? [] : [`initial writes are events ${set.initial}`]),
    ...section('events that only some programs have', occasionalRows(set)),
    ...section('in the place of an event', set.insteads.map(insteadRow)),
    ...section('tags', set.tags.map(tagRow)),
    ...section(
      'guessed by executions',
      guessesOf(set, libraries).map((guess) => guessRow(guess, set)),
    ),
  ];
  return `${parts.join('\n\n')}\n`;
}

/** What calls make only in programs with one of some tags, or with something shared. */
function occasionalRows(set: InstructionSet): readonly TableRow[] {
  return set.labels.flatMap(({ name, occasions, words = '' }): TableRow[] => {
    if (occasions === undefined) return [];
    const makers = set.operations.filter((o) =>
      o.alternatives.some(({ body }) => labelsIn(body).includes(name)),
    );
    const calls = [...new Set(makers.map((o) => o.name))].join(', ');
    const replaced = [
      ...new Set(set.insteads.flatMap(({ label, of }) => (label === name ? of : []))),
    ].join(', ');
    const where = calls === '' ? `in the place of ${replaced}` : `of ${calls}`;
    return [[name, `${words}\nwith ${occasions.join(' or ')}, ${where}`]];
  });
}

/** What a call with a tag may do in the place of an event. */
function insteadRow({ of, tags, label, without }: Instead): TableRow {
  const left = without.map((one) => (one === 'nic' || one === 'cpu' ? OTHERS[one] : one));
  const rest = left.length === 0 ? '' : `\nwithout ${left.join(', ')}`;
  return [of, `${label}, with ${tags.join(' or ')}${rest}`];
}

const OTHERS = { nic: 'all other events of NICs', cpu: 'all other events of CPUs' } as const;

/** The relations that an execution guesses. If some libraries are told, only those that belong to them. */
const guessesOf = ({ guesses }: InstructionSet, libraries: readonly Library[]): readonly Guess[] =>
  libraries.length === 0
    ? guesses
    : guesses.filter((guess) => libraries.some(({ name }) => guess.name.startsWith(`${name}.`)));

/** A library: how its objects are declared, and its operations. */
function libraryParts(library: Library, set: InstructionSet): readonly string[] {
  const own = set.operations.filter((o) => o.library === library.name);
  return [
    `The library ${library.name}: ${library.title}`,
    ...section('objects', objectRows(library)),
    ...own.map((operation) => operationText(operation, set)),
  ];
}

/** A pointer to the plain instructions that clients may use besides their libraries. */
const alsoCalled = ({ libraries }: InstructionSet): readonly string[] =>
  libraries
    .filter(({ plain }) => plain)
    .map(({ name, title }) => `beside it: ${name}, ${title} (remora instructions ${name})`);

/** The instruction set of a model as one line of JSON. Terms are cat text. */
export function instructionsJson({ name, instructions: set }: Instructed): string {
  const { initial, labels, operations, tags, insteads, guesses, libraries } = set;
  return jsonLine({
    model: name,
    ...(libraries.length > 0 && { libraries }),
    initial,
    events: labels,
    operations: operations.map((o) => ({ call: callOf(o), short: shortOf(o, set), ...o })),
    tags,
    ...(insteads.length > 0 && { insteads }),
    guesses: guesses.map((guess) => guessJson(guess, set)),
  });
}

function section(title: string, rows: readonly TableRow[]): readonly string[] {
  return rows.length === 0 ? [] : [`${title}\n${indented(tableText(rows))}`];
}

const indented = (text: string, by = '  '): string => text.replace(/^(?=.)/gm, by);

/** An operation as programs call it, in short if there is a short form (`y^n := x`) and in full, and its events. */
export function operationText(declared: Operation, set: InstructionSet): string {
  const node = set.tags.find(({ name, on }) => on === 'node' && name === declared.tag);
  const operation = node === undefined ? declared : { ...declared, tag: undefined };
  const short = shortOf(operation, set);
  const also = [
    ...(node === undefined ? [] : [`on nodes [${node.name}]`]),
    ...(operation.by === undefined ? [] : [`only by threads that are its ${operation.by}`]),
    ...(short === undefined ? [] : [`in full: ${callOf(operation)}`]),
    // A `:=` can carry a work identifier or a tag, and never both.
    ...(operation.work === undefined || operation.tag !== undefined
      ? []
      : [`with a work identifier: ${withWork(operation, short)}`]),
    ...(operation.result !== undefined && saysItsWay(operation)
      ? [`for its value: ${resultName(operation)} := ${callOf(operation)}`]
      : []),
    ...(operation.on === undefined
      ? []
      : [`on a named queue pair: ${onQueuePair(operation, short)}`]),
  ];
  const head = [`${operation.name}: ${short ?? callOf(operation)}`, ...also.map((a) => `  ${a}`)];
  const rows = operation.alternatives.flatMap((one) => alternativeRows(one, operation, set));
  const said = operation.words === undefined ? [] : [`  ${operation.words}`];
  return [...head, ...said, indented(tableText(filled(rows)))].join('\n');
}

/** The rows without the columns that are empty everywhere. */
function filled(rows: readonly TableRow[]): readonly TableRow[] {
  const used = (column: number): boolean =>
    rows.some((row) => typeof row !== 'string' && row[column] !== '');
  return rows.map((row) =>
    typeof row === 'string' ? row : row.filter((_, column) => used(column)),
  );
}

/** The name that stands for the other node of an operation. */
const NODE = 'n';

/** A name for the result of a call that is not the name of a parameter. */
function resultName({ parameters, into }: Operation): string {
  const taken = new Set([...parameters, ...(into === undefined ? [] : [into])].map((p) => p.name));
  return ['a', 'b', 'c', 'r'].find((name) => !taken.has(name)) ?? 'result';
}

function placeOf({ kind, name }: Parameter, queue = ''): string {
  if (kind === 'remote') return `${name}^${NODE}${queue}`;
  return kind === 'peer' ? `${NODE}${queue}` : name;
}

/** `a := CAS(x, old, new)`, `y^n := put(x)`, `poll(n)`. */
function callOf(operation: Operation, sign = ':=', queue = ''): string {
  const { name, tag, parameters, into, result } = operation;
  const given = parameters.map((p) => placeOf(p, queue)).join(', ');
  if (into !== undefined) {
    const assigned = tag === undefined ? sign : `${sign}[${tag}]`;
    return `${placeOf(into, queue)} ${assigned} ${name}(${given})`;
  }
  const call = `${name}${tag === undefined ? '' : `[${tag}]`}(${given})`;
  return result === undefined || saysItsWay(operation)
    ? call
    : `${resultName(operation)} ${sign} ${call}`;
}

/** A call as programs write it, and from where to where each of its parameters stands in the text. */
export function callText(operation: Operation): {
  readonly text: string;
  readonly parameters: readonly (readonly [number, number])[];
} {
  const text = callOf(operation);
  let at = text.lastIndexOf('(') + 1;
  const parameters = operation.parameters.map((parameter): readonly [number, number] => {
    const start = at;
    const end = start + placeOf(parameter).length;
    at = end + ', '.length;
    return [start, end];
  });
  return { text, parameters };
}

/** The short form of an operation, which does not name it: `y^n := x`. */
function shortOf(
  operation: Operation,
  { shorts }: InstructionSet,
  sign = ':=',
  queue = '',
): string | undefined {
  const short = shorts.find((s) => s.operation === operation.name);
  if (short === undefined || operation.tag !== undefined) return undefined;
  return shortText(short, operation, sign, queue);
}

function shortText({ left }: Short, operation: Operation, sign: string, queue: string): string {
  const { parameters, into } = operation;
  const places = parameters.map((p) => placeOf(p, queue));
  if (left === undefined) return places[0];
  return into === undefined
    ? `${places[0]} ${sign} ${places[1]}`
    : `${placeOf(into, queue)} ${sign} ${places[0]}`;
}

const withWork = (operation: Operation, short: string | undefined): string =>
  (short ?? callOf(operation)).replace(':=', `:=^${operation.work}`);

const onQueuePair = (operation: Operation, short: string | undefined): string =>
  (short ?? callOf(operation)).replace(`^${NODE}`, `^${NODE}.q`).replace(`(${NODE}`, `(${NODE}.q`);

/** The events of one of the ways in which a call may go. */
function alternativeRows(
  { body, when, result }: Alternative,
  operation: Operation,
  set: InstructionSet,
): readonly TableRow[] {
  const way = operation.alternatives.length > 1 ? ['or, as it happens'] : [];
  const guard = when === undefined ? way : [`when ${formulaText(when)}`];
  const head = result === undefined ? guard : [...guard, `with the value ${formulaText(result)}`];
  const rows = bodyRows(body, operation, set, '');
  return head.length === 0 ? rows : [`${head.join(', ')}:`, ...rows.map(deeper)];
}

const deeper = (row: TableRow): TableRow =>
  typeof row === 'string' ? `  ${row}` : [`  ${row[0]}`, ...row.slice(1)];

/** @param join how the first event relates to what is before it: `then`, `beside it`, or empty if nothing is */
function bodyRows(
  body: Body,
  operation: Operation,
  set: InstructionSet,
  join: string,
): readonly TableRow[] {
  switch (body.kind) {
    case 'event':
      return [eventRow(body, operation, set, join)];
    case 'then':
    case 'beside': {
      const word = body.kind === 'then' ? 'then' : 'beside it';
      return body.parts.flatMap((part, i) => bodyRows(part, operation, set, i === 0 ? join : word));
    }
    case 'if': {
      const guard = `${join === '' ? '' : `${join}, `}if ${formulaText(body.condition)}:`;
      return [guard, ...bodyRows(body.body, operation, set, '').map(deeper)];
    }
    case 'for': {
      const head = `${join === '' ? '' : `${join}, `}for each node ${body.name} in ${nodesText(body.of)}:`;
      return [head, ...bodyRows(body.body, operation, set, '').map(deeper)];
    }
  }
}

/** `then nlW  writes v to a  on the queue pair to n  is the NIC's write of …`. */
function eventRow(
  { label, index, reads, writes, at }: Extract<Body, { readonly kind: 'event' }>,
  operation: Operation,
  { labels }: InstructionSet,
  join: string,
): TableRow {
  const declared = labels.find(({ name }) => name === label);
  const stamp = index === undefined ? label : `${label}(${nodeText(index)})`;
  const does = [
    ...(reads === undefined ? [] : [`reads ${reads.as} from ${cellNamed(reads, operation)}`]),
    ...(writes === undefined
      ? []
      : [`writes ${formulaText(writes.value)} to ${cellNamed(writes, operation)}`]),
    ...(at === undefined ? [] : [`is at ${cellNamed(at, operation)}`]),
  ];
  return [
    join === '' ? stamp : `${join} ${stamp}`,
    does.join(', '),
    declared?.onQueuePair === true ? `queue pair to ${queuePairOf(operation)}` : '',
    wordsOf(declared),
  ];
}

/** `x[n]` of an object that has a cell on every node, `y^n` of a location elsewhere. */
const cellNamed = ({ place, copy, wire }: CellOf, operation: Operation): string =>
  wire === undefined
    ? `${placeNamed(place, operation)}${copy === undefined ? '' : `[${nodeText(copy)}]`}`
    : `the wire ${wire} ${queuePairOf(operation)}`;

function placeNamed(name: string, { parameters, into }: Operation): string {
  const place = [...parameters, ...(into === undefined ? [] : [into])].find(
    (p) => p.name === name && PLACES.includes(p.kind),
  );
  return place === undefined ? name : placeOf(place);
}

/** The node at the other end of a call's queue pair. A remote place, a peer, or a place on any node says which it is. */
function queuePairOf({ parameters, into, on }: Operation): string {
  const all = [...parameters, ...(into === undefined ? [] : [into])];
  const by = all.find(({ name }) => name === on);
  return by?.kind === 'any' || by?.kind === 'own' ? `the node of ${by.name}` : NODE;
}

const wordsOf = (label: Label | undefined): string => label?.words ?? '';

const formulaText = (value: ValueOf): string =>
  expressionText(value, valueText, (leaf) => (leaf.kind === 'sum' ? `sum(${leaf.of})` : leaf.name));

const TAG_EXAMPLES: { readonly [on in Tag['on']]: (tag: string) => string } = {
  location: (tag) => `of a location: x = 0 [${tag}]`,
  constant: (tag) => `of constants that are put, and of a location: x = 0 [${tag}]`,
  operation: (tag) => `of a call: :=[${tag}]`,
  qp: () => 'of a queue pair',
  node: (tag) => `of a node: node 1 [${tag}] { … }`,
};

const tagRow = ({ name, on, facing, ordersWords, words }: Tag): TableRow => {
  const across = [
    ...(facing === undefined ? [] : [`the other end of a connection has ${facing}`]),
    ...(ordersWords ? ['the words of the call are in order'] : []),
  ];
  return [
    name,
    TAG_EXAMPLES[on](name),
    [...across, ...(words === undefined ? [] : [words])].join('; '),
  ];
};

function guessRow(guess: Guess, set: InstructionSet): TableRow {
  const { name, how, words } = guess;
  return [name, how, `${ruleOf(guess, set)}${words === undefined ? '' : `\nread: ${words}`}`];
}

/** In words, which pairs an execution may guess for a relation. */
function ruleOf(guess: Guess, { terms }: InstructionSet): string {
  const text = (term: TermId): string => termText(terms, term);
  switch (guess.how) {
    case 'either':
      return `${text(guess.pairs)}: each pair\none way round or the other`;
    case 'total':
      return `a total order on each class of ${text(guess.pairs)}`;
    case 'kth': {
      const order = guess.unordered ? '' : ', which is before it in program order';
      const [from, to] = [text(guess.from), text(guess.to)];
      return `the k-th of ${to} has the k-th of ${from} as its\npartner, on each class of ${text(guess.within)}${order}`;
    }
    case 'counted': {
      const counted = (term: TermId, by: string | undefined): string =>
        by === undefined ? text(term) : `${text(term)} by ${by}`;
      const [from, to] = [counted(guess.from, guess.fromBy), counted(guess.to, guess.toBy)];
      return `the k-th of ${to} has the k-th of\n${from} as its source, on each class of ${text(guess.within)}`;
    }
    case 'one':
      return `each of ${text(guess.to)} has one of ${text(guess.from)} as its source,\nrelated by ${text(guess.within)}`;
  }
}

function guessJson(guess: Guess, { terms }: InstructionSet): object {
  const text = (term: TermId): string => termText(terms, term);
  switch (guess.how) {
    case 'either':
    case 'total':
      return { ...guess, pairs: text(guess.pairs) };
    case 'kth':
    case 'counted':
    case 'one': {
      const { from, to, within } = guess;
      return { ...guess, from: text(from), to: text(to), within: text(within) };
    }
  }
}

/** A set of nodes as the file of a library writes it. */
function nodesText(nodes: NodesOf): string {
  switch (nodes.kind) {
    case 'all':
      return 'nodes';
    case 'name':
      return nodes.name;
    case 'role':
      return `nodes(${nodes.role})`;
    case 'set':
      return `{${nodes.nodes.map(nodeText).join(', ')}}`;
    case 'minus':
      return `${nodesText(nodes.left)} \\ ${nodesText(nodes.right)}`;
  }
}

function nodeText(node: NodeOf): string {
  if (node.kind === 'here') return 'here';
  return node.kind === 'name' ? node.name : `node(${node.place})`;
}
