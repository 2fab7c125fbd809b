import type { Report } from '../parse/diagnostics/index.js';
import type {
  Condition,
  Filter,
  LitmusFile,
  Observable,
  Operand,
  QueryDecl,
  StateQueryDecl,
} from '../parse/litmus-ast.js';
import { NONE, tupleCode } from '../parse/values.js';
import { checkExpectations } from './expectations.js';
import { instructionsOf } from './instructions.js';
import type { Program, Proposition, Query, Test } from './program.js';
import { CLIENTS_ALONE, checkInteger, checkWords } from './report.js';
import { resolveRunQuery } from './resolve-runs.js';
import type { QueryScope } from './resolve-subject.js';
import { runSubject, subject } from './resolve-subject.js';

/** What the queries of a file are resolved with. */
interface Asking extends QueryScope {
  /** Names that expectations may be about. */
  readonly knownModels: readonly string[];
  readonly warn: Report;
}

/** Resolves the queries of a file, with its filter in them, and its `filter` and `locations`. */
export function resolveQueries(
  file: LitmusFile,
  asking: Asking,
): Pick<Test, 'queries' | 'filter' | 'listed'> {
  const { program, knownModels, report, warn, names } = asking;
  const find = (at: Observable) => subject(asking, at);
  const filter = file.filter && {
    ...file.filter,
    proposition: proposition(asking, file.filter.condition, find),
  };
  const queries = file.queries.map((query) => {
    checkExpectations(query, knownModels, report, warn, names);
    return resolveQuery(asking, query, filter);
  });
  const claimed = claimedByMarks(program, queries);
  const listed = file.listed.map(find);
  return { queries: [...queries, ...claimed], filter: filter?.proposition, listed };
}

/** The query `assertions` for a file with an `assert`, if the file does not have it itself. */
function claimedByMarks({ threads }: Program, queries: readonly Query[]): readonly Query[] {
  if (queries.some(({ quantifier }) => quantifier === 'assertions')) return [];
  const [first] = threads.flatMap(({ body }) =>
    [...instructionsOf(body)].flatMap(({ marks }) =>
      [...(marks?.before ?? []), ...(marks?.after ?? [])].filter(({ kind }) => kind === 'assert'),
    ),
  );
  if (first === undefined) return [];
  const { span } = first;
  return [{ quantifier: 'assertions', text: '', expectations: [], observations: [], span }];
}

type ResolvedFilter = Filter & { readonly proposition: Proposition };

function resolveQuery(asking: Asking, query: QueryDecl, filter: ResolvedFilter | undefined): Query {
  switch (query.quantifier) {
    case 'never': {
      const find = (at: Observable) => runSubject(asking, at);
      return { ...query, condition: proposition(asking, query.condition, find) };
    }
    case 'exclusive':
    case 'progress':
    case 'deadlock':
    case 'assertions':
      return resolveRunQuery(asking.program, query, asking.report, asking.names);
    case 'exists':
    case '~exists':
    case 'forall':
      return resolveStateQuery(asking, query, filter);
  }
}

/**
 * A query with the file's filter in its condition: `exists (C)` is about final states of the filter F in
 * `exists (F /\ C)`, and `forall (C)` in `forall (F => C)`.
 */
function resolveStateQuery(
  asking: Asking,
  query: StateQueryDecl,
  filter: ResolvedFilter | undefined,
): Query {
  const { quantifier, label, expectations, observations, span } = query;
  const own = proposition(asking, query.condition, (at) => subject(asking, at));
  const about = { expectations, observations, span, label };
  if (filter === undefined) return { ...about, quantifier, condition: own, text: query.text };
  const [sign, binding] = quantifier === 'forall' ? ['=>', ['and', 'or']] : ['/\\', ['or']];
  const operand = ({ condition, text }: Pick<Filter, 'condition' | 'text'>): string =>
    binding.includes(condition.kind) ? `(${text})` : text;
  const left = filter.proposition;
  const condition: Proposition =
    quantifier === 'forall'
      ? { kind: 'or', left: { kind: 'not', arg: left }, right: own }
      : { kind: 'and', left, right: own };
  return { ...about, quantifier, condition, text: `${operand(filter)} ${sign} ${operand(query)}` };
}

/** Does a program call libraries? */
const isClient = ({ instructions }: Program): boolean => instructions.libraries.length > 0;

/** Resolves a condition, with `find` for its names. */
function proposition<S>(
  { program, report }: Asking,
  condition: Condition,
  find: (at: Observable) => S,
): Proposition<S> {
  const resolved = (c: Condition): Proposition<S> => {
    switch (c.kind) {
      case 'true':
        return { kind: 'true' };
      case 'not':
        return { kind: 'not', arg: resolved(c.arg) };
      case 'and':
      case 'or':
        return { kind: c.kind, left: resolved(c.left), right: resolved(c.right) };
      case 'atom': {
        const left = find(c.left);
        if (c.right.kind === 'int') checkInteger(c.right.value, c.right.span, report);
        const right =
          c.right.kind === 'name'
            ? find(c.right.name)
            : { kind: 'int' as const, value: numberOf(c.right, isClient(program), report) };
        return { kind: 'atom', left, equal: c.equal, right };
      }
    }
  };
  return resolved(condition);
}

/** The number that a value in a condition is, or stands for. */
function numberOf(
  operand: Exclude<Operand, { kind: 'name' }>,
  isClient: boolean,
  report: Report,
): number {
  if (operand.kind !== 'int' && !isClient) report(operand.span, CLIENTS_ALONE);
  switch (operand.kind) {
    case 'int':
      return operand.value;
    case 'none':
      return NONE;
    case 'tuple':
      checkWords(operand.words, operand.span, report);
      return tupleCode(operand.words) ?? 0;
  }
}
