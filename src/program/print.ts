import type {
  Argument,
  Call,
  PlaceArgument,
  Query,
  RunSubject,
  Expression,
  GhostExpression,
  Instruction,
  LibraryObject,
  Location,
  LocationId,
  Mark,
  Marks,
  Program,
  Target,
  Test,
  Thread,
} from './program.js';
import { expressionText } from '../parse/fold.js';
import { valueText } from '../parse/values.js';
import { accessedLocations } from './accessed.js';
import { bodiesOf, calledObjects, instructionsOf } from './instructions.js';
import { queuePairOfCall } from './partners.js';
import { isStateQuery } from './program.js';
import { collect, observedSubjects, subjectName } from './subjects.js';

/** Lines up to this length hold a whole thread. */
const WIDTH = 80;

export interface PrintOptions {
  /**
   * Leave out threads without instructions that are in no role, and objects, libraries, nodes and locations that nothing
   * uses.
   */
  readonly tidy?: boolean;
  /** Leave out unused locations, but only this one and later ones. */
  readonly tidyFrom?: LocationId;
  /** Locations that are never left out. */
  readonly kept?: ReadonlySet<LocationId>;
  /** Instructions to print on a line of their own, each with its comment. */
  readonly marked?: ReadonlyMap<Instruction, string>;
}

/** A test as a litmus file, without its expectations and observations. */
export function printTest(test: Test, options: PrintOptions = {}): string {
  const { name, title, source, question, notes, program, queries, listed = [] } = test;
  const said = (keyword: string, text: string): string => `${keyword}"${text}"\n`;
  const head = [
    `RDMA ${name}\n`,
    title === undefined ? '' : said('', title),
    source === undefined ? '' : said('source ', source),
    question === undefined ? '' : said('question ', question),
    ...notes.map((note) => said('note ', note)),
  ];
  const asks = queries.some(isStateQuery) || listed.length > 0;
  const subjects: RunSubject[] = asks ? [...observedSubjects(test)] : [];
  for (const query of queries) if (query.quantifier === 'never') collect(query.condition, subjects);
  const named = subjects.flatMap((s) => (s.kind === 'location' ? [s.location] : []));
  const also = listed.map((s) => subjectName(program, s)).join('; ');
  const locations = also === '' ? '' : `locations [${also}]\n`;
  const asked = queries.map((query) => {
    const { label } = query;
    return `${queryText(query)}${label === undefined ? '' : ` "${label}"`}\n`;
  });
  return `${head.join('')}\n${printProgram(program, { ...options, kept: new Set(named) })}\n${locations}${asked.join('')}`;
}

/** The nodes and threads of a program as litmus text. */
export function printProgram(
  program: Program,
  {
    tidy = false,
    tidyFrom = tidy ? 0 : Infinity,
    kept = new Set(),
    marked = new Map(),
  }: PrintOptions = {},
): string {
  const called = calledObjects(program);
  const objects = (program.objects ?? []).filter((_, id) => !tidy || called.has(id));
  const taking = new Set(objects.flatMap(({ roles }) => Object.values(roles).flat()));
  const threads = program.threads.filter((t, i) => !tidy || t.body.length > 0 || taking.has(i));
  const used = accessedLocations({ threads, objects: program.objects });
  const towards = new Set([
    ...threads.flatMap((t) => [
      t.node,
      ...[...instructionsOf(t.body)].flatMap((i) => nodesOf(program, i)),
    ]),
    ...objects.flatMap((object) => homeOf(program, object) ?? []),
  ]);
  const nodes = program.nodes.flatMap((node) => {
    const own = program.locations.flatMap((l, id) =>
      l.node === node &&
      l.owner === undefined &&
      l.wire !== true &&
      l.object === undefined &&
      (id < tidyFrom || used.has(id) || kept.has(id))
        ? [printLocation(l)]
        : [],
    );
    if (tidy && own.length === 0 && !towards.has(node)) return [];
    const about = tagged(program.threads.find((t) => t.node === node)?.tags);
    return [`node ${node}${about} ${own.length === 0 ? '{}' : `{ ${own.join('; ')} }`}\n`];
  });
  const queuePairs = threads.flatMap((t) => {
    const all = [...instructionsOf(t.body)];
    const used = all.map((i) =>
      i.kind === 'call' ? queuePairOfCall(program, i)?.name : undefined,
    );
    return (t.queuePairs ?? [])
      .filter(({ name }) => used.includes(name))
      .flatMap(({ name, node, tags, joint }) => {
        const of = joint === true ? threadsOn(threads, name, node) : [t];
        if (of[0] !== t) return [];
        const names = of.map((one) => one.name).join(', ');
        return [`qp ${name} : ${names} -> ${node}${tagged(tags)}\n`];
      });
  });
  const queues = (program.completionQueues ?? []).map(
    ({ name, of }) => `cq ${name} { ${of.join(', ')} }\n`,
  );
  const libraries = program.instructions.libraries.filter(
    ({ plain, name }) => !plain && (!tidy || isUsed(name, threads, objects)),
  );
  const uses =
    libraries.length === 0 ? '' : `uses ${libraries.map(({ file }) => file).join(', ')}\n\n`;
  const declared = objects.map((object) => printObject(program, object));
  const written = threads.map((t) => printThread(program, t, marked));
  const bound =
    boundMatters(threads) && program.bound !== undefined ? `bound ${program.bound}\n` : '';
  const ghosts = (program.ghosts ?? []).map((g) => `ghost ${g.name} = ${g.initial}\n`);
  const symmetric = (program.symmetric ?? []).flatMap((group) => {
    const members = group.map(({ thread }) => program.threads[thread]);
    if (!members.every((t) => threads.includes(t))) return [];
    return [`symmetric ${members.map(({ name }) => name).join(', ')}\n`];
  });
  return `${uses}${bound}${nodes.join('')}${declared.join('')}${ghosts.join('')}${queuePairs.join('')}${queues.join('')}${symmetric.join('')}\n${written.join('')}`;
}

/** The threads that declare a queue pair of this name. */
const threadsOn = (threads: readonly Thread[], name: string, to: string): readonly Thread[] =>
  threads.filter((t) => t.queuePairs?.some((one) => one.name === name && one.node === to) === true);

/** Does anything in a program belong to a library? */
const isUsed = (
  library: string,
  threads: readonly Thread[],
  objects: readonly LibraryObject[],
): boolean =>
  objects.some((object) => object.library === library) ||
  threads.some((t) =>
    [...instructionsOf(t.body)].some(
      (i) => i.kind === 'call' && i.operation.startsWith(`${library}.`),
    ),
  );

/** The node of an object, if objects of its library are on one node. */
function homeOf(program: Program, { library, cells }: LibraryObject): string | undefined {
  const kind = program.instructions.libraries.find((one) => one.name === library)?.object;
  return kind?.cells === 'one' ? Object.keys(cells)[0] : undefined;
}

/** `rbl x (writer T1; reader T2)`. */
function printObject(program: Program, object: LibraryObject): string {
  const { library, name, roles, words } = object;
  const home = homeOf(program, object);
  const on = home === undefined ? '' : ` on ${home}`;
  const of = words === undefined ? '' : ` of ${words} words`;
  const taking = Object.entries(roles).map(
    ([role, threads]) => `${role} ${threads.map((t) => program.threads[t].name).join(', ')}`,
  );
  const parts = taking.length === 0 ? '' : ` (${taking.join('; ')})`;
  return `${library} ${name}${on}${of}${parts}\n`;
}

/** `x = 0 [t]` */
export const printLocation = ({ name, initial, tags }: Location): string =>
  `${name} = ${initial}${tagged(tags)}`;

const tagged = (tags: readonly string[] = []): string => tags.map((tag) => ` [${tag}]`).join('');

function printThread(
  program: Program,
  thread: Thread,
  marked: ReadonlyMap<Instruction, string>,
): string {
  const head = `thread ${thread.name} on ${thread.node}`;
  const written = thread.body.map((i) => printMarked(program, thread, i));
  if (written.length === 0) return `${head} {}\n`;
  const line = `${head} { ${written.join('; ')} }`;
  const plain = ![...instructionsOf(thread.body)].some((i) => marked.has(i));
  if (plain && line.length <= WIDTH) return `${line}\n`;
  return `${head} {\n${printLines(program, thread, thread.body, marked, '  ')}}\n`;
}

/** A body with one instruction to a line. Instructions that hold marked ones, and critical blocks, take several lines. */
function printLines(
  program: Program,
  thread: Thread,
  body: readonly Instruction[],
  marked: ReadonlyMap<Instruction, string>,
  indent: string,
): string {
  const lines: string[] = [];
  let margin = indent;
  const block = (inner: readonly Instruction[]): string =>
    inner.length === 0
      ? '{ skip }'
      : `{\n${printLines(program, thread, inner, marked, `${margin}  `)}${margin}}`;
  body.forEach((i, at) => {
    const comment = marked.get(i);
    const { before, after } = i.marks ?? UNMARKED;
    for (const mark of before) {
      if (mark.kind === 'enter') {
        lines.push(`${margin}critical ${mark.name} {`);
        margin += '  ';
      } else lines.push(`${margin}${printMark(program, thread, mark)};`);
    }
    const holdsMarked = bodiesOf(i).some((b) => [...instructionsOf(b)].some((j) => marked.has(j)));
    let line = margin + printCarrier(program, thread, i, holdsMarked ? block : undefined);
    for (const mark of after) {
      if (mark.kind === 'leave') {
        lines.push(line);
        margin = margin.slice(2);
        line = `${margin}}`;
      } else line += `; ${printMark(program, thread, mark)}`;
    }
    if (at < body.length - 1) line += ';';
    lines.push(comment === undefined ? line : `${line}  # ${comment}`);
  });
  return lines.map((line) => `${line}\n`).join('');
}

const UNMARKED: Marks = { before: [], after: [] };

/** An instruction with its marks. */
function printMarked(program: Program, thread: Thread, i: Instruction): string {
  const { before, after } = i.marks ?? UNMARKED;
  const written = (mark: Mark): string => printMark(program, thread, mark);
  const ends = after.map((mark) => (mark.kind === 'leave' ? ' }' : `; ${written(mark)}`));
  const starts = before.map((mark) =>
    mark.kind === 'enter' ? `critical ${mark.name} { ` : `${written(mark)}; `,
  );
  return `${starts.join('')}${printCarrier(program, thread, i)}${ends.join('')}`;
}

/** An instruction without its marks. One that only carries marks is `skip`. */
function printCarrier(
  program: Program,
  thread: Thread,
  i: Instruction,
  block?: (body: readonly Instruction[]) => string,
): string {
  const isSkip = i.marks !== undefined && i.kind === 'assume' && i.condition.kind === 'int';
  return isSkip ? 'skip' : printInstruction(program, thread, i, block);
}

function printMark({ ghosts = [] }: Program, { registers }: Thread, mark: Mark): string {
  const expression = (e: GhostExpression): string =>
    expressionText(e, valueText, (leaf) =>
      leaf.kind === 'register' ? registers[leaf.register] : ghosts[leaf.ghost].name,
    );
  switch (mark.kind) {
    case 'point':
      return `at ${mark.name}`;
    case 'ghost':
      return `ghost ${ghosts[mark.ghost].name} := ${expression(mark.value)}`;
    case 'assert':
      return `assert(${expression(mark.condition)})`;
    case 'enter':
    case 'leave':
      return '';
  }
}

/** One instruction, in one line unless `block` prints its bodies in another way. */
export function printInstruction(
  program: Program,
  thread: Thread,
  i: Instruction,
  block = (body: readonly Instruction[]): string =>
    `{ ${body.map((inner) => printMarked(program, thread, inner)).join('; ') || 'skip'} }`,
): string {
  const target = (t: Target): string =>
    t.kind === 'location' ? program.locations[t.location].name : thread.registers[t.register];
  const expression = (e: Expression): string => expressionText(e, valueText, target);
  switch (i.kind) {
    case 'assign':
      return `${target(i.target)} := ${expression(i.value)}`;
    case 'call':
      return printCall(program, i, target, expression);
    case 'assume':
      return `assume(${expression(i.condition)})`;
    case 'if': {
      const rest = i.else.length === 0 ? '' : ` else ${block(i.else)}`;
      return `if (${expression(i.condition)}) ${block(i.then)}${rest}`;
    }
    case 'loop': {
      const bound = i.bound === undefined ? '' : ` bound ${i.bound}`;
      const head = i.condition === undefined ? 'loop' : `while (${expression(i.condition)})`;
      return `${head}${bound} ${block(i.body)}`;
    }
    case 'choose':
      return `choose ${i.branches.map(block).join(' or ')}`;
  }
}

/** A call: as an assignment if it is a short form, otherwise by the name of its operation. */
function printCall(
  program: Program,
  call: Call,
  target: (t: Target) => string,
  expression: (e: Expression) => string,
): string {
  const place = ({ location, node, queuePair }: PlaceArgument): string => {
    const { name, hidden, initial } = program.locations[location];
    if (hidden === true) return valueText(initial);
    if (node === undefined) return name;
    return queuePair === undefined ? `${name}^${node}` : `${name}^${node}.${queuePair}`;
  };
  const argument = (given: Argument): string => {
    switch (given.kind) {
      case 'place':
        return place(given);
      case 'value':
        return expression(given.value);
      case 'peer':
        return given.name === undefined ? given.node : `${given.node}.${given.name}`;
      case 'completions':
        return given.name;
      case 'work':
        return given.work;
      case 'nodes':
        return `{${given.nodes.join(', ')}}`;
      case 'object':
        return program.objects![given.object].name;
    }
  };
  const ofNodes = program.instructions.tags.filter(({ on }) => on === 'node');
  const own = (call.tags ?? []).filter((one) => !ofNodes.some(({ name }) => name === one));
  const tag = own.map((one) => `[${one}]`).join('');
  const work = call.work === undefined ? '' : `^${call.work}`;
  const written = call.arguments.map(argument);
  if (call.words !== undefined) {
    const sources = call.arguments.slice(0, call.words);
    const into = [call.into!, ...call.arguments.slice(call.words)];
    return `${inBrackets(into, argument)} :=${tag} ${inBrackets(sources, argument)}`;
  }
  const left =
    call.into !== undefined
      ? argument(call.into)
      : call.result !== undefined
        ? target(call.result)
        : undefined;
  // A tag behind a work identifier would be the index of a family.
  const isShort = call.short === true && (work === '' || tag === '');
  if (isShort) return `${left} :=${work}${tag} ${written[0]}`;
  const name = tag === '' ? call.operation : `${call.operation} ${tag} `;
  const called = written.length === 0 ? name.trim() : `${name}(${written.join(', ')})`;
  return left === undefined ? called : `${left} :=${work} ${called}`;
}

/** Several places with their node, or several values: `[h, f]^2`, `[u, 1]`. */
function inBrackets(words: readonly Argument[], text: (one: Argument) => string): string {
  const written = words.map(text);
  const [first] = words;
  const end =
    first.kind === 'place' && first.node !== undefined ? /\^.*$/.exec(written[0])![0] : '';
  return `[${written.map((one) => one.slice(0, one.length - end.length)).join(', ')}]${end}`;
}

/** The nodes that an instruction names. */
function nodesOf(program: Program, i: Instruction): readonly string[] {
  if (i.kind !== 'call') return [];
  const given = i.into === undefined ? i.arguments : [...i.arguments, i.into];
  return given.flatMap((one) => {
    if (one.kind === 'peer') return [one.node];
    if (one.kind === 'nodes') return one.nodes;
    return one.kind === 'place' ? [program.locations[one.location].node] : [];
  });
}

/** Is there a loop without a bound of its own? */
function boundMatters(threads: readonly Thread[]): boolean {
  const all = threads.flatMap((t) => [...instructionsOf(t.body)]);
  return all.some((i) => i.kind === 'loop' && i.bound === undefined);
}

/** How many instructions a program has, those inside others included. */
export function countInstructions({ threads }: Program): number {
  return threads.reduce((sum, t) => sum + [...instructionsOf(t.body)].length, 0);
}

/**
 * The text of a query beside its verdict: `exists (a = 1)`. For `deadlock` it is `no deadlock`, since that holds or
 * fails.
 */
export const showQuery = (query: Query): string =>
  query.quantifier === 'deadlock' ? 'no deadlock' : queryText(query);

/** A query as in a litmus file. */
export function queryText(query: Query): string {
  switch (query.quantifier) {
    case 'exclusive':
    case 'progress':
      return `${query.quantifier} ${query.text}`;
    case 'deadlock':
    case 'assertions':
      return query.quantifier;
    case 'exists':
    case '~exists':
    case 'forall':
    case 'never':
      return `${query.quantifier} (${query.text})`;
  }
}
