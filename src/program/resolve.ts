import type { Mistake, Report, Result } from '../parse/diagnostics/index.js';
import { didYouMean, fail, mistakesInOrder, ok, withHints } from '../parse/diagnostics/index.js';
import { NameRecorder } from '../parse/links.js';
import type { FileNames } from '../parse/links.js';
import type { LitmusFile } from '../parse/litmus-ast.js';
import type { InstructionSet } from '../model/instructions/set.js';
import { checkAssigned } from './assigned.js';
import { instructionsOf } from './instructions.js';
import { queuePairOfCall } from './partners.js';
import { programSet } from './occasions.js';
import type { Program, Test, Thread } from './program.js';
import { checkNode, collector } from './report.js';
import type { ProgramScope } from './scope.js';
import { programScope } from './scope.js';
import { resolveQueries } from './resolve-queries.js';
import { resolveSymmetric } from './resolve-symmetric.js';
import { resolveThread } from './resolve-thread.js';
import { wiresOf } from './wires.js';
import { reportFailingWords } from './failing-words.js';
import { warnOfUnanswered } from './unanswered.js';
import { NO_FORM, unmeantForms } from './unmeant.js';

/**
 * Resolves the names of a litmus file and checks everything that can be checked without a model. All errors of the file
 * are reported together. Warnings come with the test.
 *
 * @param instructions the operations that calls may use
 * @param knownModels names that expectations may use
 * @param names records what names stand for, if that is wanted
 */
export function resolve(
  file: LitmusFile,
  instructions: InstructionSet,
  knownModels: readonly string[],
  names?: NameRecorder,
): Result<Test> {
  const errors: Mistake[] = [];
  const report = collector(errors);
  const warnings: Mistake[] = [];
  const warn = collector(warnings, 'warning');
  for (const library of file.uses) names?.useOutside(library, 'library');
  const scope = programScope(file, instructions, report, names);
  const threads = resolveThreads(file, scope, file.ofHerd ? ofHerd(report) : report, warn);
  const program: Program = {
    instructions,
    nodes: scope.nodes,
    locations: scope.locations,
    threads,
    bound: file.bound,
    ...(file.ofHerd === 'C' && { branchesEnd: true }),
    ghosts: scope.ghosts,
    ...(scope.completionQueues.length === 0 ? {} : { completionQueues: scope.completionQueues }),
    ...(scope.objects.objects.length === 0 ? {} : { objects: scope.objects.objects }),
  };
  scope.locations.push(...wiresOf(program, report, warn));
  const symmetric = resolveSymmetric(file.symmetric, program, report, names);
  checkGhosts(program, report);
  reportFailingWords(program, report);
  warnOfUnused(file, program, warn);
  for (const thread of threads) warnOfUnanswered(program, thread, warn);
  for (const { span, hint } of unmeantForms(program, instructions)) report(span, NO_FORM, hint);
  const asked = resolveQueries(file, { program, knownModels, report, warn, names });
  if (errors.length > 0) return fail(mistakesInOrder(errors));
  const { title, source, question, notes } = file;
  const narrowed = { ...program, instructions: programSet(program, instructions) };
  return ok({
    file: file.file,
    name: file.name.text,
    notes,
    program: symmetric.length > 0 ? { ...narrowed, symmetric } : narrowed,
    ...asked,
    warnings: withHints(mistakesInOrder(warnings)),
    title,
    source,
    question,
  });
}

/**
 * What the names of a file stand for. Mistakes are not reported; the good parts of a file with mistakes are used.
 *
 * @param instructions what calls may be of
 */
export function namesInTest(file: LitmusFile, instructions: InstructionSet): FileNames {
  const names = new NameRecorder();
  resolve(file, instructions, [], names);
  return names.finish();
}

/** Of a test of herd7, instructions are those that it has: what is amiss is that no model that is asked has them. */
const ofHerd =
  (report: Report): Report =>
  (span, message) =>
    report(span, message, 'models that are written for herd7 have all operations of its tests');

function resolveThreads(
  file: LitmusFile,
  scope: ProgramScope,
  report: Report,
  warn: Report,
): readonly Thread[] {
  const known = new Set<string>();
  return file.threads.map((thread, index) => {
    const { name, node, span } = thread;
    scope.names?.define(name, 'thread', span, 'thread');
    if (known.has(name.text)) report(name.span, `thread ${name.text} is declared twice`);
    known.add(name.text);
    checkNode(scope, node, report);
    const resolved = resolveThread(scope, thread, index, report, warn);
    checkAssigned(thread, new Set(resolved.registers), report);
    return resolved;
  });
}

/** Reports a ghost whose name the program uses, too: an assignment was probably meant for the ghost. */
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

/** Is this a warning of a queue pair that nobody uses, or of a connection that only one end uses? */
export const isAboutUnusedQueue = (message: string): boolean =>
  /^no operation .*is on (a )?queue pair '|^nobody .* at the other end$/.test(message);

/** Warns of a tag on a queue pair that the thread never uses, since another one was probably meant. */
function warnOfUnused(
  { queuePairs, completionQueues }: LitmusFile,
  program: Program,
  warn: Report,
): void {
  const usedBy = ({ body }: Thread): readonly string[] =>
    [...instructionsOf(body)].flatMap((i) =>
      i.kind === 'call' ? (queuePairOfCall(program, i)?.name ?? []) : [],
    );
  for (const { name, threads } of queuePairs) {
    for (const of of threads) {
      const thread = program.threads.find((t) => t.name === of.text);
      if (thread === undefined) continue;
      const used = usedBy(thread);
      if (used.includes(name.text)) continue;
      const hint = () => didYouMean(name.text, used);
      const at = threads.length === 1 ? name : of;
      warn(at.span, `no operation of ${of.text} is on queue pair '${name.text}'`, hint);
    }
  }
  const used = program.threads.flatMap(usedBy);
  for (const pair of completionQueues.flatMap(({ of }) => of)) {
    if (used.includes(pair.text)) continue;
    const hint = () => didYouMean(pair.text, used);
    warn(pair.span, `no operation is on a queue pair '${pair.text}'`, hint);
  }
}
