import { availableParallelism } from 'node:os';
import type { MethodLimits } from '../../../analyses/agree/compare.js';
import { compareMethods } from '../../../analyses/agree/compare.js';
import { countInstructions } from '../../../program/print.js';
import { reproducer } from '../../../analyses/agree/reproducer.js';
import { shrink } from '../../../analyses/agree/shrink.js';
import type { Disagreement, Survey } from '../../../analyses/agree/survey.js';
import { survey } from '../../../analyses/agree/survey.js';
import type { MethodGroup, AgreeMethod } from '../../../analyses/agree/methods.js';
import type { Pool } from '../../../analyses/workers.js';
import type { Test } from '../../../program/program.js';
import type { AgreeReport, ShrunkDisagreement } from '../../../report/agree.js';
import { agreeJson, agreeText } from '../../../report/agree.js';
import type { AgreeFormat, AgreeOptions, Programs } from './programs.js';
import { methodLimits, planAgree } from './programs.js';
import { AS_EXPECTED, DEPARTS, UNDECIDED } from '../../command/exit.js';
import { isFolder } from '../../outputs/folders.js';
import type { Reporters } from '../../print/formats.js';
import { planOutputs, wantedAs } from '../../outputs/plan.js';
import { startProgress } from '../../print/progress.js';
import { answer, refuse } from '../../run/answer.js';
import { startRun } from '../../run/tasks.js';

/** `remora agree`: do engines, and models, come to the same final states? */
export async function agree(paths: readonly string[], options: AgreeOptions): Promise<number> {
  const started = performance.now();
  const plan = await planAgree(paths, options);
  const { all, engine, reader } = plan;
  const { out, force, random, reporter: format = 'text' } = options;
  const outputs = planOutputs(wantedAs('litmus', out), { inputs: reader.files, force });
  const errors = [...plan.errors, ...outputs.errors];
  const said = [...plan.warnings, ...errors];
  if (errors.length > 0) return refuse(said);
  const run = startRun({ ...options, engine }, random !== undefined || paths.some(isFolder));
  const named = random === undefined;
  return answer(run, {
    said,
    tasks: [{ name: 'agree', do: (pool) => inspect(all, options, pool) }],
    report([{ surveyed, found }]) {
      const milliseconds = performance.now() - started;
      const { leftOut } = all.grouping;
      return {
        format,
        text: REPORTERS[format]({ survey: surveyed, leftOut, named, milliseconds, found }),
        write: () =>
          found === undefined ? [] : outputs.outputs.flatMap(({ write }) => write(found.litmus)),
        filesFirst: true,
        code: exitCode(surveyed, named),
      };
    },
  });
}

const REPORTERS: Reporters<AgreeFormat, AgreeReport> = {
  text: agreeText,
  json: (report) => `${agreeJson(report)}\n`,
};

/** Compares all programs and shrinks the first one that the ways disagree on. */
async function inspect(
  all: Programs,
  options: AgreeOptions,
  pool: Pool,
): Promise<{ readonly surveyed: Survey; readonly found?: ShrunkDisagreement }> {
  const { jobs = availableParallelism() } = options;
  const limits = methodLimits(options);
  const bar = await startProgress(all.count, (i) => all.describe(i));
  const surveyed = await survey({
    count: all.count,
    program: (i) => all.at(i),
    groups: all.grouping.groups,
    groupsFor: (i) => all.groupsFor(i),
    limits,
    pool,
    lanes: 2 * jobs,
    progress: (i) => bar?.done(i),
  });
  bar?.stop();
  const { disagreement } = surveyed;
  if (disagreement === undefined) return { surveyed };
  return { surveyed, found: await reproduce(disagreement, all, options, limits, pool) };
}

/** Shrinks a disagreement, and writes it down as a litmus file. */
export async function reproduce(
  { index, test, finding }: Disagreement,
  all: Programs,
  options: AgreeOptions,
  limits: MethodLimits,
  pool: Pool,
): Promise<ShrunkDisagreement> {
  const ways: readonly AgreeMethod[] = finding.kind === 'states' ? finding.ways : [finding.way];
  const group: MethodGroup = { models: ways.map((w) => w.model), ways };
  let interrupted = false;
  const findingOf = async (smaller: Test) => {
    const compared = await compareMethods(smaller, [group], limits, pool);
    interrupted ||= compared.interrupted;
    return compared.comparisons[0].finding;
  };
  const bounded = options.bound === undefined ? {} : { bound: options.bound };
  const whole = { ...test, program: { ...test.program, ...bounded } };
  const shrunk = await shrink(whole, all.origin(index), findingOf);
  const { test: smallest, finding: rest } = shrunk ?? { test: whole, finding };
  const origin = `Shrunk from ${all.describe(index)}.`;
  return {
    program: all.describe(index),
    instructions: [countInstructions(test.program), countInstructions(smallest.program)],
    shrunk: shrunk ?? { test: whole, finding, tries: 0 },
    interrupted,
    litmus: reproducer(smallest, rest, { name: all.name(index), origin }),
  };
}

/**
 * The exit code. Unlike a random program, a file that somebody names must not end at a limit: it has to be compared.
 */
function exitCode({ tallies, disagreement }: Survey, isFiles: boolean): number {
  if (disagreement !== undefined) return DEPARTS;
  const undecided = tallies.some((t) => t.agreed === 0 || (isFiles && t.undecided.length > 0));
  return undecided ? UNDECIDED : AS_EXPECTED;
}
