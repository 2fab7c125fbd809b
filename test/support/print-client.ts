import { printCall, printExpr, printNodes, printRef } from '../../src/libraries/print.js';
import type {
  Condition,
  LitmusFile,
  ObjectDecl,
  Statement,
  ValueDomain,
} from '../../src/parse/litmus-ast.js';
import { printObservable, printOperand } from './litmus-text.js';

/**
 * A client as litmus text: inlined statements are in blocks headed by their calls. Names that inlining made
 * have dots and brackets, so the text cannot be parsed.
 */
export function printClient(file: LitmusFile): string {
  const { name, title, uses, nodes, objects, threads, queries, bound } = file;
  const lines = [
    `RDMA ${name.text}`,
    ...(title === undefined ? [] : [`"${title}"`]),
    ...(uses.length === 0 ? [] : [`uses ${uses.map(({ text }) => text).join(', ')}`]),
    ...(bound === undefined ? [] : [`bound ${bound}`]),
    ...nodes.map(({ node, locations }) => {
      const own = locations.map((l) => `${l.name.text} = ${l.value}`).join('; ');
      return own === '' ? `node ${node.text} {}` : `node ${node.text} { ${own} }`;
    }),
    ...objects.map(printObject),
    ...threads.flatMap((t) => [
      `thread ${t.name.text} on ${t.node.text} {`,
      ...indented(printStatements(t.body)),
      '}',
    ]),
    ...queries.flatMap((q) =>
      'condition' in q ? [`${q.quantifier} (${printCondition(q.condition)})`] : [],
    ),
  ];
  return `${lines.join('\n')}\n`;
}

const indented = (lines: readonly string[]): readonly string[] => lines.map((l) => `  ${l}`);

function printObject({ library, name, node, words, roles }: ObjectDecl): string {
  const written = roles.map(({ role, threads }) => {
    return `${role.text} ${threads.map(({ text }) => text).join(', ')}`;
  });
  return [
    `${library.text} ${name.text}`,
    node && ` on ${node.text}`,
    words && ` of ${words} words`,
    written.length > 0 && ` (${written.join('; ')})`,
  ]
    .filter(Boolean)
    .join('');
}

function printStatements(body: readonly Statement[]): readonly string[] {
  return body.flatMap(printStatement);
}

function printStatement(s: Statement): readonly string[] {
  const block = (head: string, body: readonly Statement[]): readonly string[] =>
    body.length === 0 ? [`${head} {}`] : [`${head} {`, ...indented(printStatements(body)), '}'];
  switch (s.kind) {
    case 'assign':
      return [`${printRef(s.target)} ${sign(s)} ${printExpr(s.value)}`];
    case 'call':
      return [
        s.target === undefined ? printCall(s) : `${printRef(s.target)} ${sign(s)} ${printCall(s)}`,
      ];
    case 'skip':
      return ['skip'];
    case 'assume':
    case 'assert':
      return [`${s.kind}(${printExpr(s.condition)})`];
    case 'point':
      return [`at ${s.name.text}`];
    case 'ghost':
      return [`ghost ${s.name.text} := ${printExpr(s.value)}`];
    case 'critical':
      return block(`critical ${s.name.text}`, s.body);
    case 'if': {
      const then = block(`if (${printExpr(s.condition)})`, s.then);
      const [only, ...more] = s.else;
      if (only?.kind === 'if' && more.length === 0) {
        const [head, ...rest] = printStatement(only);
        return [...then, `else ${head}`, ...rest];
      }
      return s.else.length === 0 ? then : [...then, ...block('else', s.else)];
    }
    case 'while':
      return block(`while (${printExpr(s.condition)})${limit(s.bound)}`, s.body);
    case 'loop':
      return block(`loop${limit(s.bound)}`, s.body);
    case 'choose':
      return s.branches.flatMap((b, i) => block(i === 0 ? 'choose' : 'or', b));
    case 'inlined':
      return block(s.call, s.body);
    case 'for':
      return block(`for ${s.variable.text} in ${printDomain(s.over)}`, s.body);
    case 'return':
      return [`return ${s.value.kind === 'call' ? printCall(s.value) : printExpr(s.value)}`];
  }
}

function sign({
  work,
  tags = [],
}: Pick<Extract<Statement, { kind: 'assign' }>, 'work' | 'tags'>): string {
  const marks = tags.map(({ text }) => `[${text}]`).join('');
  return `:=${work === undefined ? '' : `^${work.text}`}${marks}`;
}

const limit = (bound: number | undefined): string => (bound === undefined ? '' : ` bound ${bound}`);

const printDomain = (over: ValueDomain): string =>
  over.kind === 'range' ? `${printExpr(over.from)} .. ${printExpr(over.to)}` : printNodes(over);

function printCondition(c: Condition): string {
  switch (c.kind) {
    case 'true':
      return 'true';
    case 'atom':
      return `${printObservable(c.left)} ${c.equal ? '=' : '!='} ${printOperand(c.right)}`;
    case 'not':
      return `~(${printCondition(c.arg)})`;
    case 'and':
    case 'or': {
      const [left, right] = [c.left, c.right].map((part) =>
        part.kind === 'atom' || part.kind === 'true'
          ? printCondition(part)
          : `(${printCondition(part)})`,
      );
      return `${left} ${c.kind === 'and' ? '/\\' : '\\/'} ${right}`;
    }
  }
}
