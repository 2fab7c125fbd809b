import { join } from 'node:path';
import { termNames } from '../../src/model/print.js';
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
} from '../../src/model/instructions/set.js';
import type { Model, TermId } from '../../src/model/term.js';
import { parseModel } from '../../src/node/models.js';
import { renderDiagnostic } from '../../src/parse/diagnostics/index.js';
import { PLAIN } from '../support/model-files.js';
import { testCases } from '../support/cases.js';
import { ownDefinitions } from '../support/model-files.js';

/** What declarations in model files mean, and what is said of wrong ones. */

testCases(join(import.meta.dirname, 'declarations'), (input) => {
  const { model, sources } = parseModel(input, 'case.cat');
  if (!model.ok) return model.errors.map((error) => renderDiagnostic(error, sources)).join('\n');
  const { instructions } = model.value;
  // Definitions of libraries are about their own events alone: what is printed of them would be long.
  if (instructions.libraries.length > 0) return printSet(model.value).join('\n');
  return [...printSet(model.value), ...printDefinitions(model.value)].join('\n');
});

function printSet(model: Model): readonly string[] {
  const { instructions } = model;
  if (instructions === PLAIN) return ['the shipped instructions'];
  const { initial, labels, tags, operations, shorts, insteads, guesses, libraries } = instructions;
  if (libraries.length > 0) {
    const own = libraries.filter(({ plain }) => !plain);
    return own.map((library) => printLibrary(library, instructions));
  }
  return [
    ...(initial === undefined ? [] : [`initial ${initial}`]),
    ...labels.map(printLabel),
    ...tags.map(printTag),
    ...operations.map(printOperation),
    ...shorts.map(printShort),
    ...insteads.map(printInstead),
    ...guesses.map((guess) => printGuess(guess, model)),
  ];
}

function printDefinitions(model: Model): readonly string[] {
  const names = termNames(model);
  return ownDefinitions(model).map(({ name, term }) => `${name} is ${names.body(term)}`);
}

const about = (words: string | undefined): string => (words === undefined ? '' : ` "${words}"`);

const printLabel = ({ name, by, onQueuePair, occasions, words }: Label): string =>
  `event ${name}${by === undefined ? '' : ` by ${by}`}${onQueuePair ? ' on qp' : ''}${
    occasions === undefined ? '' : ` with ${occasions.join(', ')}`
  }${about(words)}`;

const printTag = ({ name, on, facing, ordersWords, words }: Tag): string =>
  `tag ${name} on ${on}${facing === undefined ? '' : ` facing ${facing}`}${ordersWords ? ' in order' : ''}${about(words)}`;

const printShort = ({ left, right, operation }: Short): string =>
  `short ${left === undefined ? '' : `${left} := `}${right} is ${operation}`;

const printInstead = ({ of, tags, label, without }: Instead): string =>
  `${label} in the place of ${of} with ${tags.join(', ')}${without.length === 0 ? '' : `, without ${without.join(', ')}`}`;

const printParameter = ({ kind, name }: Parameter): string => `${kind} ${name}`;

function printOperation(operation: Operation): string {
  const { name, tag, parameters, into, on, work, by, result, alternatives, words } = operation;
  const head = [
    `${name}${tag === undefined ? '' : ` [${tag}]`}(${parameters.map(printParameter).join(', ')})`,
    ...(into === undefined ? [] : [`into ${printParameter(into)}`]),
    ...(on === undefined ? [] : [`on ${on}`]),
    ...(work === undefined ? [] : [`work ${work}`]),
    ...(by === undefined ? [] : [`by ${by}`]),
    ...(result === undefined ? [] : [`= ${result}`]),
  ];
  const body = alternatives.length === 1 ? ` ${printAlternative(alternatives[0])}` : '';
  const several = alternatives.length === 1 ? [] : alternatives.map(printAlternative);
  return [`${head.join(' ')}:${body}${about(words)}`, ...several.map((a) => `  | ${a}`)].join('\n');
}

const printAlternative = ({ result, body, when }: Alternative): string => {
  const own = result === undefined ? '' : `= ${printValue(result)} : `;
  return `${own}${printBody(body)}${when === undefined ? '' : ` when ${printValue(when)}`}`;
};

/** A body; what stands in another one is in parentheses, so that cases show precedences. */
function printBody(body: Body, inner = false): string {
  switch (body.kind) {
    case 'then':
    case 'beside': {
      const parts = body.parts.map((part) => printBody(part, true));
      const text = parts.join(body.kind === 'then' ? ' ; ' : ' , ');
      return inner ? `(${text})` : text;
    }
    case 'if':
      return `if ${printValue(body.condition)} { ${printBody(body.body)} }`;
    case 'for':
      return `for ${body.name} in ${printNodes(body.of)} { ${printBody(body.body)} }`;
    case 'event': {
      const { label, index, reads, writes, at } = body;
      const towards = index === undefined ? '' : `(${printNode(index)})`;
      const reading = reads === undefined ? '' : ` reads ${printCell(reads)} as ${reads.as}`;
      const writing =
        writes === undefined ? '' : ` writes ${printCell(writes)} := ${printValue(writes.value)}`;
      const beside = at === undefined ? '' : ` at ${printCell(at)}`;
      return `${label}${towards}${reading}${writing}${beside}`;
    }
  }
}

function printCell({ place, copy, wire }: CellOf): string {
  if (wire !== undefined) return `${wire}(${place})`;
  return copy === undefined ? place : `${place}[${printNode(copy)}]`;
}

function printNode(node: NodeOf): string {
  switch (node.kind) {
    case 'here':
      return 'here';
    case 'name':
      return node.name;
    case 'place':
      return `node(${node.place})`;
  }
}

function printNodes(nodes: NodesOf): string {
  switch (nodes.kind) {
    case 'all':
      return 'nodes';
    case 'name':
      return nodes.name;
    case 'role':
      return `nodes(${nodes.role})`;
    case 'set':
      return `{${nodes.nodes.map(printNode).join(', ')}}`;
    case 'minus':
      return `(${printNodes(nodes.left)} \\ ${printNodes(nodes.right)})`;
  }
}

/** A library, with its operations; those that need not be named come with each, and are left out. */
function printLibrary({ name, title, object, roles }: Library, all: InstructionSet): string {
  const { cells = 'none', empty = false, sized = false } = object ?? {};
  const memory = { none: '', one: ' on node', copies: ' copied', misdeclared: ' misdeclared' }[
    cells
  ];
  const kind = `object${memory}${empty ? ' empty' : ''}${sized ? ' sized' : ''}`;
  return [
    `library ${name} "${title}"`,
    ...(object === undefined ? [] : [kind]),
    ...roles.map((role) => `role ${role.name} ${role.many ? 'threads' : 'thread'}`),
    ...all.operations.filter(({ library }) => library === name).map(printOperation),
  ].join('\n');
}

function printValue(value: ValueOf): string {
  switch (value.kind) {
    case 'int':
      return String(value.value);
    case 'name':
      return value.name;
    case 'sum':
      return `sum(${value.of})`;
    case 'unary':
      return `${value.op}${printValue(value.arg)}`;
    case 'binary':
      return `(${printValue(value.left)} ${value.op} ${printValue(value.right)})`;
  }
}

function printGuess(guess: Guess, { instructions }: Model): string {
  const text = termText(instructions);
  const head = `guess ${guess.name} : ${guess.how}`;
  switch (guess.how) {
    case 'either':
    case 'total':
      return `${head} ${text(guess.pairs)}${about(guess.words)}`;
    case 'kth': {
      const order = guess.unordered ? ' unordered' : '';
      return `${head} ${text(guess.from)} to kth ${text(guess.to)} in ${text(guess.within)}${order}${about(guess.words)}`;
    }
    case 'counted': {
      const by = (order: string | undefined): string => (order === undefined ? '' : ` by ${order}`);
      const [from, to] = [text(guess.from) + by(guess.fromBy), text(guess.to) + by(guess.toBy)];
      return `guess ${guess.name} : kth ${from} to kth ${to} in ${text(guess.within)}${about(guess.words)}`;
    }
    case 'one':
      return `${head} ${text(guess.from)} to each ${text(guess.to)} in ${text(guess.within)}${about(guess.words)}`;
  }
}

/** The terms of guesses, which are a table of their own. */
function termText(instructions: InstructionSet): (term: TermId) => string {
  const { terms } = instructions;
  const bare = { terms, groups: [], definitions: [], operandWords: [], instructions };
  return termNames(bare as unknown as Model).text;
}
