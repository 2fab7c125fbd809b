import type { Mistake, Result } from '../parse/diagnostics/index.js';
import {
  didYouMean,
  fail,
  mistakesInOrder,
  nearest,
  ok,
  withHints,
} from '../parse/diagnostics/index.js';
import type {
  Condition,
  Expectation,
  Filter,
  Ident,
  LitmusFile,
  Observable,
  Operand,
  QueryDecl,
  StateQueryDecl,
} from '../parse/litmus-ast.js';
import type { InstructionSet } from '../model/instructions/set.js';
import { NONE, tupleCode } from '../parse/values.js';
import { checkAssigned } from './assigned.js';
import { instructionsOf } from './instructions.js';
import { queuePairOfCall } from './partners.js';
import type { Program, Proposition, Query, RunSubject, Subject, Test, Thread } from './program.js';
import { resolveRunQuery } from './resolve-runs.js';
import type { Report } from './report.js';
import { CLIENTS_ALONE, checkInteger, checkNode, checkWords, collector } from './report.js';
import { declare } from './scope.js';
import { resolveSymmetric } from './resolve-symmetric.js';
import { resolveThread } from './resolve-thread.js';
import { warnOfUnanswered } from './unanswered.js';
import { NO_FORM, unmeantForms } from './unmeant.js';

/**
 * Resolves the names of a litmus file and checks everything that can be checked without a model.
 * All errors of the file are reported together. Warnings come with the test.
 *
 * @param instructions what calls may be of
 * @param knownModels names that expectations may be about
 */
export function resolve(
  file: LitmusFile,
  instructions: InstructionSet,
  knownModels: readonly string[],
): Result<Test> {
  const errors: Mistake[] = [];
  const report = collector(errors);
  const warnings: Mistake[] = [];
  const warn = collector(warnings, 'warning');
  const scope = declare(file, instructions, report);
  const names = new Set<string>();
  const threads: Thread[] = file.threads.map((thread, index) => {
    if (names.has(thread.name.text)) {
      report(thread.name.span, `thread ${thread.name.text} is declared twice`);
    }
    names.add(thread.name.text);
    checkNode(scope, thread.node, report);
    const resolved = resolveThread(scope, thread, index, report, warn);
    checkAssigned(thread, new Set(resolved.registers), report);
    return resolved;
  });
  const program: Program = {
    instructions,
    nodes: scope.nodes,
    locations: scope.locations,
    threads,
    bound: file.bound,
    ghosts: scope.ghosts,
    ...(scope.objects.objects.length === 0 ? {} : { objects: scope.objects.objects }),
  };
  const symmetric = resolveSymmetric(file.symmetric, program, report);
  checkGhosts(program, report);
  warnOfUnused(file, program, warn);
  for (const thread of threads) warnOfUnanswered(program, thread, warn);
  for (const { span, hint } of unmeantForms(program, instructions)) report(span, NO_FORM, hint);
  const filter = file.filter && {
    ...file.filter,
    proposition: proposition(
      file.filter.condition,
      (at) => subject(program, at, report),
      isClient(program),
      report,
    ),
  };
  const queries = file.queries.map((query) => {
    checkExpectations(query, knownModels, report, warn);
    return resolveQuery(program, query, filter, report);
  });
  const claimed = claimedByMarks(program, queries);
  const listed = file.listed.map((observable) => subject(program, observable, report));
  if (errors.length > 0) return fail(mistakesInOrder(errors));
  const { title, source, question, notes } = file;
  return ok({
    file: file.file,
    name: file.name.text,
    notes,
    program: symmetric.length > 0 ? { ...program, symmetric } : program,
    queries: [...queries, ...claimed],
    warnings: withHints(mistakesInOrder(warnings)),
    filter: filter?.proposition,
    listed,
    title,
    source,
    question,
  });
}

/** Assertions are a claim of a file, whether it asks about them or not. */
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

/** A ghost that is also a name of the program is none: an assignment was probably meant for it. */
function checkGhosts({ ghosts = [], threads, locations }: Program, report: Report): void {
  for (const { name, span } of ghosts) {
    const owner =
      threads.find((t) => t.registers.includes(name)) ??
      threads[locations.find((l) => l.name === name && l.owner !== undefined)?.owner ?? -1];
    if (owner === undefined) continue;
    const message = `ghost '${name}' has the name of something of ${owner.name}`;
    report(
      span,
      message,
      `write ghost ${name} := … to set a ghost, or give one of them another name`,
    );
  }
}

/** A tag on a queue pair that the thread never uses says nothing, and was probably meant for another one. */
function warnOfUnused({ queuePairs }: LitmusFile, program: Program, warn: Report): void {
  for (const { name, thread: of } of queuePairs) {
    const thread = program.threads.find((t) => t.name === of.text);
    if (thread === undefined) continue;
    const used = [...instructionsOf(thread.body)].flatMap((i) =>
      i.kind === 'call' ? (queuePairOfCall(program, i)?.name ?? []) : [],
    );
    if (used.includes(name.text)) continue;
    const hint = () => didYouMean(name.text, used);
    warn(name.span, `no operation of ${of.text} is on queue pair '${name.text}'`, hint);
  }
}

type ResolvedFilter = Filter & { readonly proposition: Proposition };

function resolveQuery(
  program: Program,
  query: QueryDecl,
  filter: ResolvedFilter | undefined,
  report: Report,
): Query {
  switch (query.quantifier) {
    case 'never': {
      const find = (at: Observable) => runSubject(program, at, report);
      return { ...query, condition: proposition(query.condition, find, isClient(program), report) };
    }
    case 'exclusive':
    case 'progress':
    case 'deadlock':
    case 'assertions':
      return resolveRunQuery(program, query, report);
    case 'exists':
    case '~exists':
    case 'forall':
      return resolveStateQuery(program, query, filter, report);
  }
}

/**
 * A query with the file's filter in its condition: `exists (C)` is about final states of the filter F in
 * `exists (F /\ C)`, and `forall (C)` in `forall (F => C)`.
 */
function resolveStateQuery(
  program: Program,
  query: StateQueryDecl,
  filter: ResolvedFilter | undefined,
  report: Report,
): Query {
  const { quantifier, label, expectations, observations, span } = query;
  const find = (at: Observable) => subject(program, at, report);
  const own = proposition(query.condition, find, isClient(program), report);
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

/** A condition over what `find` gives for its names. */
function proposition<S>(
  condition: Condition,
  find: (at: Observable) => S,
  isClient: boolean,
  report: Report,
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
            : { kind: 'int' as const, value: numberOf(c.right, isClient, report) };
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

/** What a name means in a question about runs: a ghost, or what it means elsewhere. */
function runSubject(program: Program, at: Observable, report: Report): RunSubject {
  const ghost = (program.ghosts ?? []).findIndex(({ name }) => name === at.name.text);
  if (ghost < 0 || at.thread !== undefined) return subject(program, at, report);
  return { kind: 'ghost', ghost };
}

/** Finds the location or register that a name in a query means. It is an error if there is none, or two. */
function subject(program: Program, at: Observable, report: Report): Subject {
  const name = at.name.text;
  const none: Subject = { kind: 'location', location: 0 };
  const threadNames = program.threads.map((t) => t.name);
  const found: Subject[] = [];
  const owner = at.thread === undefined ? undefined : threadOf(threadNames, at.thread, report);
  if (owner === -1) return none;
  program.locations.forEach((l, location) => {
    if (l.hidden === true || l.name !== name) return;
    if (owner === undefined || l.owner === owner) found.push({ kind: 'location', location });
  });
  program.threads.forEach((t, thread) => {
    const register = t.registers.indexOf(name);
    if (register < 0 || (owner !== undefined && owner !== thread)) return;
    found.push({ kind: 'register', thread, register });
  });
  if (found.length === 1) return found[0];
  if (found.length > 1) {
    const owners = found.map((s) =>
      s.kind === 'register' ? s.thread : program.locations[s.location].owner,
    );
    // Two locations that threads share have one name: that is told where they are declared.
    if (owners.includes(undefined)) return found[0];
    const choice = owners.map((o) => `${threadNames[o!]}:${name}`).join(' or ');
    report(at.span, `'${name}' is a private name of several threads`, `write ${choice}`);
    return found[0];
  }
  if (program.ghosts?.some((ghost) => ghost.name === name)) {
    report(at.name.span, `'${name}' is a ghost: it has no final value`, `ask never (…) of it`);
    return none;
  }
  const shared = program.locations.find((l) => l.name === name && l.owner === undefined);
  if (owner !== undefined && shared !== undefined) {
    const message = `'${name}' is a location of node ${shared.node}, not a private name`;
    report(at.span, message, `write ${name}`);
    return none;
  }
  const known = new Set<string>();
  const asked = (thread: number | undefined) => owner === undefined || owner === thread;
  for (const l of program.locations) if (l.hidden !== true && asked(l.owner)) known.add(l.name);
  program.threads.forEach((t, i) => asked(i) && t.registers.forEach((r) => known.add(r)));
  if (owner === undefined && reportCopies(program, at, report)) return none;
  const what = owner === undefined ? 'location or register' : `name of ${threadNames[owner]}`;
  report(at.name.span, `unknown ${what} '${name}'`, () => didYouMean(name, known));
  return none;
}

/** Says of an object that its copies have final values, and not itself. */
function reportCopies(program: Program, { name }: Observable, report: Report): boolean {
  const object = program.objects?.find((one) => one.name === name.text);
  if (object === undefined) return false;
  const copies = Object.values(object.cells).map((cell) => program.locations[cell].name);
  const message = `'${name.text}' is an object of library ${object.library}, and has no value`;
  report(name.span, message, copies.length > 0 ? `there is ${copies.join(', ')}` : undefined);
  return true;
}

/** The index of a thread that is given by its name, or as herd7 does by its number; -1 after reporting. */
function threadOf(names: readonly string[], { text, span }: Ident, report: Report): number {
  const isNumber = /^[0-9]+$/.test(text);
  const index = isNumber ? Number(text) : names.indexOf(text);
  if (index >= 0 && index < names.length) return index;
  const numbers = names.map((name, i) => `${i} for ${name}`).join(', ');
  const hint = isNumber ? `threads count from 0: ${numbers}` : () => didYouMean(text, names);
  report(span, isNumber ? `there is no thread ${text}` : `unknown thread '${text}'`, hint);
  return -1;
}

function checkExpectations(
  query: QueryDecl,
  knownModels: readonly string[],
  report: Report,
  warn: Report,
): void {
  const isClaim = query.quantifier !== 'exists' && query.quantifier !== '~exists';
  const words = isClaim ? ['holds', 'fails'] : ['allowed', 'forbidden'];
  const seen = new Map<string, Expectation>();
  for (const expectation of query.expectations) {
    if (!words.includes(expectation.verdict)) {
      const message = `the verdict of \`${query.quantifier}\` is ${words.join(' or ')}, not '${expectation.verdict}'`;
      report(expectation.span, message);
    }
    for (const { text, span } of expectation.models) {
      if (!knownModels.includes(text)) {
        // It may be a model of the user's own, unless it looks like a typing mistake.
        const guess = guessModel(text, knownModels);
        if (guess !== undefined) report(span, `unknown model '${text}'`, guess);
        else
          warn(
            span,
            `model '${text}' is neither one of Remora's nor asked for here: nothing is checked`,
          );
      }
      const earlier = seen.get(text);
      if (earlier !== undefined && earlier.verdict !== expectation.verdict) {
        report(span, `two different verdicts are expected under ${text}`);
      }
      seen.set(text, expectation);
    }
  }
}

/** The models that a name most likely stands for: one that is spelt nearly so, or those that end with it. */
/** Is each word of one name nearly that of the other? `my-ro` is another variant than `my-tso`, and no mistyped one. */
function isNear(name: string, model: string): boolean {
  const [words, others] = [name.split('-'), model.split('-')];
  if (words.length !== others.length) return true;
  return words.every((word, i) => nearest(word, [others[i]]) !== undefined);
}

function guessModel(name: string, known: readonly string[]): string | undefined {
  const longer = known.filter((model) => model.endsWith(`-${name}`));
  if (longer.length === 0)
    return didYouMean(
      name,
      known.filter((model) => isNear(name, model)),
    );
  return `did you mean ${longer.map((model) => `'${model}'`).join(' or ')}?`;
}
