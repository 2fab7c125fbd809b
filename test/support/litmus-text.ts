import type {
  CallArgument,
  Condition,
  ValueDomain,
  LitmusExpr,
  Ident,
  LitmusFile,
  NameRef,
  NodeSet,
  ObjectDecl,
  Observable,
  Operand,
  QueryDecl,
  Statement,
} from '../../src/parse/litmus-ast.js';
import type { Held, HeldName, ImplementationFile } from '../../src/parse/implementation-ast.js';
import type {
  Argument,
  Call,
  Expression,
  Instruction,
  PlaceArgument,
  Program,
  Target,
  Test,
} from '../../src/program/program.js';
import { valueText } from '../../src/parse/values.js';
import { subjectName } from '../../src/program/subjects.js';
import { isStateQuery } from '../../src/program/program.js';
import { queryText } from '../../src/program/print.js';
import type { Proposition, Subject } from '../../src/program/program.js';

/** Trees as text, for cases to show: with all parentheses, and nesting by indentation. */

const indent = (lines: readonly string[]): string[] => lines.map((line) => `  ${line}`);

export function printFile(file: LitmusFile): string {
  const { name, title, source, question, notes, bound, nodes, threads, queries } = file;
  const { uses, objects, listed } = file;
  const line = (key: string, text: string | undefined): string[] =>
    text === undefined ? [] : [`${key} "${text}"`];
  return [
    `RDMA ${name.text}`,
    ...line('title', title),
    ...line('source', source),
    ...line('question', question),
    ...notes.flatMap((note) => line('note', note)),
    ...(bound === undefined ? [] : [`bound ${bound}`]),
    ...nodes.map(({ node, locations }) =>
      [
        `node ${node.text}:`,
        ...locations.map((l) => `${l.name.text}=${l.value}${printTags(l.tags)}`),
      ].join(' '),
    ),
    ...(uses.length === 0 ? [] : [`uses ${uses.map(({ text }) => text).join(' ')}`]),
    ...objects.map(printObject),
    ...threads.flatMap((t) => [
      `thread ${t.name.text} on ${t.node.text}`,
      ...indent(printStatements(t.body)),
    ]),
    ...(listed.length === 0 ? [] : [`listed ${listed.map(({ name }) => name.text).join(' ')}`]),
    ...queries.flatMap(printQuery),
  ].join('\n');
}

function printQuery(query: QueryDecl): string[] {
  const { quantifier, label, expectations, observations } = query;
  const asked = 'condition' in query ? ` ${printCondition(query.condition)}` : '';
  const quoted = (text: string | undefined): string => (text === undefined ? '' : ` "${text}"`);
  return [
    `${quantifier}${asked}${quoted(label)}`,
    `  text ${query.text}`,
    ...expectations.map(({ computed, verdict, models, where }) => {
      const names = models.map(({ text }) => text).join(' ');
      return `  ${computed ? 'computed' : 'expect'} ${verdict} under ${names}${quoted(where)}`;
    }),
    ...observations.map((o) => `  observed ${o.seen ? 'yes' : 'no'}${quoted(o.remark)}`),
  ];
}

export const printRef = ({ object, name, index, node, queuePair }: NameRef): string =>
  [
    object && `${object.text}.`,
    name.text,
    index && `[${printExpr(index)}]`,
    node && `^${node.text}`,
    queuePair && `.${queuePair.text}`,
  ].join('');

export function printExpr(e: LitmusExpr): string {
  switch (e.kind) {
    case 'int':
      return String(e.value);
    case 'none':
      return 'none';
    case 'tuple':
      return `<${e.parts.map(printExpr).join(', ')}>`;
    case 'slice':
      return `${e.name.text}[${printExpr(e.from)} .. ${printExpr(e.to)}]`;
    case 'apply':
      return `${e.name.text}(${e.arguments.map(printArgument).join(', ')})`;
    case 'ref':
      return printRef(e.ref);
    case 'unary':
      return `${e.op}${printExpr(e.arg)}`;
    case 'binary':
      return `(${printExpr(e.left)} ${e.op} ${printExpr(e.right)})`;
  }
}

export const printObservable = ({ thread, name }: Observable): string =>
  thread === undefined ? name.text : `${thread.text}:${name.text}`;

export function printOperand(o: Operand): string {
  switch (o.kind) {
    case 'int':
      return String(o.value);
    case 'none':
      return 'none';
    case 'tuple':
      return `<${o.words.join(', ')}>`;
    case 'name':
      return printObservable(o.name);
  }
}

export function printCondition(c: Condition): string {
  switch (c.kind) {
    case 'true':
      return 'true';
    case 'atom': {
      return `${printObservable(c.left)} ${c.equal ? '=' : '!='} ${printOperand(c.right)}`;
    }
    case 'not':
      return `~(${printCondition(c.arg)})`;
    default: {
      const sign = c.kind === 'and' ? '/\\' : '\\/';
      return `(${printCondition(c.left)} ${sign} ${printCondition(c.right)})`;
    }
  }
}

function printStatements(body: readonly Statement[]): string[] {
  return body.flatMap((s): string[] => {
    const inside = (b: readonly Statement[]): string[] => indent(printStatements(b));
    switch (s.kind) {
      case 'assign': {
        const work = s.work === undefined ? '' : `^${s.work.text}`;
        return [`${printRef(s.target)} :=${printTags(s.tags)}${work} ${printExpr(s.value)}`];
      }
      case 'call': {
        const work = s.work === undefined ? '' : `^${s.work.text}`;
        const into = s.target === undefined ? '' : `${printRef(s.target)} :=${work} `;
        const given = s.arguments && `(${s.arguments.map(printArgument).join(', ')})`;
        const library = s.library === undefined ? '' : `${s.library.text}.`;
        return [`${into}${library}${s.name.text}${printTags(s.tags)}${given ?? ''}`];
      }
      case 'assume':
        return [`assume ${printExpr(s.condition)}`];
      case 'if':
        return [
          `if ${printExpr(s.condition)}`,
          ...inside(s.then),
          ...(s.else.length === 0 ? [] : ['else', ...inside(s.else)]),
        ];
      case 'while':
        return [`while ${printExpr(s.condition)}${limit(s.bound)}`, ...inside(s.body)];
      case 'loop':
        return [`loop${limit(s.bound)}`, ...inside(s.body)];
      case 'choose':
        return s.branches.flatMap((b, i) => [i === 0 ? 'choose' : 'or', ...inside(b)]);
      case 'skip':
        return ['skip'];
      case 'point':
        return [`at ${s.name.text}`];
      case 'ghost':
        return [`ghost ${s.name.text} := ${printExpr(s.value)}`];
      case 'assert':
        return [`assert ${printExpr(s.condition)}`];
      case 'inlined':
        return [`inlined ${s.call}`, ...inside(s.body)];
      case 'for':
        return [`for ${s.variable.text} in ${printDomain(s.over)}`, ...inside(s.body)];
      case 'return':
        return s.value.kind === 'call'
          ? ['return', ...inside([s.value])]
          : [`return ${printExpr(s.value)}`];
      case 'critical':
        return [`critical ${s.name.text}`, ...inside(s.body)];
    }
  });
}

const printTags = (tags: readonly Ident[] = []): string =>
  tags.map(({ text }) => `[${text}]`).join('');

function printArgument(given: CallArgument): string {
  if (given.kind === 'peer') return `${given.node.text}.${given.queuePair.text}`;
  return given.kind === 'nodes' ? printNodes(given.set) : printExpr(given);
}

function printNodes(set: NodeSet): string {
  switch (set.kind) {
    case 'all':
      return 'nodes';
    case 'named':
      return set.name.text;
    case 'nodesOf':
      return `nodes(${set.of.text})`;
    case 'union':
      return set.sets.map(printNodes).join(' + ');
    case 'set':
      return `{${set.nodes.map(({ text }) => text).join(', ')}}`;
    case 'difference':
      return `(${printNodes(set.left)} \\ ${printNodes(set.right)})`;
  }
}

const printDomain = (over: ValueDomain): string =>
  over.kind === 'range' ? `${printExpr(over.from)} .. ${printExpr(over.to)}` : printNodes(over);

const printObject = ({ library, name, node, words, roles }: ObjectDecl): string =>
  [
    `object ${name.text} of ${library.text}`,
    ...(node === undefined ? [] : [`on ${node.text}`]),
    ...(words === undefined ? [] : [`words ${words}`]),
    ...roles.map(({ role, threads }) => `${role.text}=${threads.map((t) => t.text).join(',')}`),
  ].join(' ');

const limit = (bound: number | undefined): string => (bound === undefined ? '' : ` bound ${bound}`);

export function printImplementation(file: ImplementationFile): string {
  const { name, title, source, over, parameters, perObject, once, methods } = file;
  const texts = (names: readonly Ident[]): string => names.map(({ text }) => text).join(' ');
  return [
    `implementation ${name.text}`,
    ...(title === undefined ? [] : [`title "${title}"`]),
    ...(source === undefined ? [] : [`source "${source}"`]),
    `implements ${file.implements.text} over ${texts(over)}`,
    ...parameters.map((p) => `parameter ${p.name.text} = ${p.value}`),
    ...perObject.flatMap((p) => [`each ${p.object.text}`, ...indent(p.held.flatMap(printHeld))]),
    ...once.flatMap(printHeld),
    ...methods.flatMap(({ name: own, parameters: given, into, work, body }) => {
      const behind = [into && ` into ${into.text}`, work && ` work ${work.text}`].join('');
      return [`method ${own.text}(${texts(given)})${behind}`, ...indent(printStatements(body))];
    }),
  ].join('\n');
}

function printHeld(held: Held): string[] {
  const named = ({ name, index, to }: HeldName): string =>
    [name.text, index && `[${printExpr(index)}`, to && ` .. ${printExpr(to)}`, index && ']'].join(
      '',
    );
  switch (held.kind) {
    case 'objects': {
      const { library, names, node, words, roles } = held;
      const about = { library, node, words, roles, span: held.span };
      return names.map((one) =>
        printObject({ ...about, name: { text: named(one), span: one.span } }),
      );
    }
    case 'locations':
      return held.locations.map(
        ({ name, value }) => `location ${named(name)} on ${held.node.text} = ${value}`,
      );
    case 'for':
      return [
        `for ${held.variable.text} in ${printDomain(held.over)}`,
        ...indent(held.body.flatMap(printHeld)),
      ];
  }
}

/** A resolved test: what lives where, and what each instruction turned out to be. */
export function printTest({ program, queries }: Test): string {
  return [
    printProgram(program),
    ...queries.map((q) =>
      isStateQuery(q) ? `${q.quantifier} ${printProposition(program, q.condition)}` : queryText(q),
    ),
  ].join('\n');
}

export function printProgram(program: Program): string {
  const { locations, threads, bound } = program;
  const owned = (owner: number | undefined): string =>
    owner === undefined ? '' : ` of ${threads[owner].name}`;
  return [
    ...(bound === undefined ? [] : [`bound ${bound}`]),
    ...locations.map(
      (l) =>
        `${l.hidden ? 'hidden' : 'location'} ${l.name}@${l.node}${owned(l.owner)} = ${valueText(l.initial)}`,
    ),
    ...threads.flatMap((t) => [
      [`thread ${t.name}@${t.node}`, ...t.registers.map((r) => `$${r}`)].join(' '),
      ...indent(printInstructions(program, t.registers, t.body)),
    ]),
  ].join('\n');
}

function printInstructions(
  program: Program,
  registers: readonly string[],
  body: readonly Instruction[],
): string[] {
  const at = (location: number): string => `[${program.locations[location].name}]`;
  const target = (t: Target): string =>
    t.kind === 'location' ? at(t.location) : `$${registers[t.register]}`;
  const value = (e: Expression): string => {
    switch (e.kind) {
      case 'int':
        return valueText(e.value);
      case 'location':
        return at(e.location);
      case 'register':
        return `$${registers[e.register]}`;
      case 'unary':
        return `${e.op}${value(e.arg)}`;
      case 'binary':
        return `(${value(e.left)} ${e.op} ${value(e.right)})`;
    }
  };
  const place = ({ location, node, queuePair }: PlaceArgument): string =>
    [at(location), node && `^${node}`, queuePair && `.${queuePair}`].join('');
  const object = (id: number): string => program.objects![id].name;
  const argument = (given: Argument): string => {
    switch (given.kind) {
      case 'place':
        return place(given);
      case 'value':
        return value(given.value);
      case 'peer':
        return given.name === undefined ? given.node : `${given.node}.${given.name}`;
      case 'completions':
        return given.name;
      case 'work':
        return given.work;
      case 'nodes':
        return `{${given.nodes.join(', ')}}`;
      case 'object':
        return object(given.object);
    }
  };
  /** As it is written by its name: `[x] :=^d get([y]^2)`. */
  const call = (c: Call): string => {
    const left = c.into === undefined ? c.result && target(c.result) : argument(c.into);
    const work = c.work === undefined ? '' : `^${c.work}`;
    const tag = (c.tags ?? []).map((one) => `[${one}]`).join('');
    const given = c.arguments.length === 0 ? '' : `(${c.arguments.map(argument).join(', ')})`;
    return `${left === undefined ? '' : `${left} :=${work} `}${c.operation}${tag}${given}`;
  };
  const inside = (b: readonly Instruction[]): string[] =>
    indent(printInstructions(program, registers, b));
  return body.flatMap((i): string[] => {
    switch (i.kind) {
      case 'assign':
        return [`${target(i.target)} := ${value(i.value)}`];
      case 'call':
        return [call(i)];
      case 'assume':
        return [`assume ${value(i.condition)}`];
      case 'if':
        return [
          `if ${value(i.condition)}`,
          ...inside(i.then),
          ...(i.else.length === 0 ? [] : ['else', ...inside(i.else)]),
        ];
      case 'loop': {
        const head = i.condition === undefined ? 'loop' : `while ${value(i.condition)}`;
        return [`${head}${limit(i.bound)}`, ...inside(i.body)];
      }
      case 'choose':
        return i.branches.flatMap((b, n) => [n === 0 ? 'choose' : 'or', ...inside(b)]);
    }
  });
}

function printProposition(program: Program, p: Proposition): string {
  const name = (s: Subject): string =>
    `${s.kind === 'register' ? '$' : ''}${subjectName(program, s, true)}`;
  switch (p.kind) {
    case 'true':
      return 'true';
    case 'not':
      return `~(${printProposition(program, p.arg)})`;
    case 'atom':
      return `${name(p.left)} ${p.equal ? '=' : '!='} ${p.right.kind === 'int' ? valueText(p.right.value) : name(p.right)}`;
    default: {
      const sign = p.kind === 'and' ? '/\\' : '\\/';
      return `(${printProposition(program, p.left)} ${sign} ${printProposition(program, p.right)})`;
    }
  }
}
